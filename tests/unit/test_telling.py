"""Options that make a difference keep making one while a test becomes short."""

from __future__ import annotations

import pytest

from tests.unit.conftest import Write
from tests.unit.test_minimiser import Bench, lit

SOURCE = """
def joined(text, sign="-"):
    words = text.split()
    if sign:
        return sign.join(words)
    return "".join(words)
"""


@pytest.fixture
def bench(clean_imports: None, write: Write) -> Bench:
    return Bench(str(write("joining.py", SOURCE)))


def test_a_text_stays_long_enough_to_show_what_an_option_does(bench: Bench) -> None:
    statements = lit("ab cd ef"), lit(""), bench.do("joined", -2, -1)
    found = bench.shorten(*statements, arms=frozenset(bench.run(*statements).probes))
    text = found.sequence.statements[0].literal
    assert text is not None
    assert len(str(text.value).split()) > 1
    assert len(str(text.value)) < len("ab cd ef")
    assert found.values[-1] != "-".join(str(text.value).split())


def test_an_option_that_never_made_a_difference_may_go_on_like_this(bench: Bench) -> None:
    statements = lit("abcdef"), lit(""), bench.do("joined", -2, -1)
    found = bench.shorten(*statements, arms=frozenset(bench.run(*statements).probes))
    assert found.sequence.statements[1].literal is not None
