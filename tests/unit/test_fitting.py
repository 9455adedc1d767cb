"""Arguments that parameters ask for, instead of some that they happen to take."""

from __future__ import annotations

import pytest

from tanteo.model import Literal, call, say
from tests.unit.conftest import Write
from tests.unit.test_minimiser import Bench, code, lit

SOURCE = '''
def joined(items: list, sign: str = ",") -> str:
    if not items:
        return "nothing"
    return sign.join(map(str, items))

def first(text):
    return text.strip()[:1]

def keep(thing):
    return [thing]

def decoded(data: bytes) -> str:
    return data.decode()

def total(numbers: list[int], port: int = 0) -> int:
    return sum(numbers) + int(port)

def marked(items: list, bold: bool = False) -> list:
    return [f"*{item}*" if bold else item for item in items]

def all_of(things):
    return [thing for thing in things]

def called(func):
    return func(["a"]) if callable(func) else 1

def aligned(text, side="left"):
    if side == "a":
        return text
    if side in ("right", "center"):
        return text.rjust(9)
    return text.ljust(8)

def aligned_all(texts, sides):
    """Each of `sides` is "left" or "center"."""
    return [texts for one in sides]

def shaped(text, form=None):
    if form is None:
        return text
    return text * (1 + (form == "tall"))

def shout(loud: bool) -> str:
    return "A" if loud else "a"
'''


@pytest.fixture
def bench(clean_imports: None, write: Write) -> Bench:
    return Bench(str(write("fitted.py", SOURCE)))


def test_what_a_parameter_declares_stands_for_what_it_happens_to_take(bench: Bench) -> None:
    found = bench.shorten(lit(0), bench.do("joined", -1))
    assert found.sequence.code == code(lit("a"), call(0, (-1,)), bench.do("joined", -1))


def test_a_function_stands_for_what_is_not_one_where_that_shows_as_much(bench: Bench) -> None:
    found = bench.shorten(lit(0), bench.do("called", -1))
    assert found.sequence.code == code(say(Literal(len, "len")), bench.do("called", -1))


def test_text_stands_for_bytes_that_nobody_wants(bench: Bench) -> None:
    assert bench.shorten(lit(b"a6"), bench.do("keep", -1)).sequence.code == code(
        lit("a6"), bench.do("keep", -1)
    )
    assert bench.shorten(lit(b"a6"), bench.do("decoded", -1)).sequence.code == code(
        lit(b"a6"), bench.do("decoded", -1)
    )


def test_what_is_guessed_counts_too(bench: Bench) -> None:
    found = bench.shorten(lit(b"a6"), bench.do("first", -1))
    assert found.sequence.code == code(lit(b"a6"), bench.do("first", -1)), "text has another result"


def test_a_number_is_a_number_and_neither_truth_nor_a_fraction(bench: Bench) -> None:
    found = bench.shorten(lit(True), lit(3), call(0, (-2, -1)), lit(2.5), bench.do("total", -2, -1))
    written = [s.literal.source for s in found.sequence.statements if s.literal is not None]
    assert not {"True", "2.5"} & set(written), written


def test_truth_stays_truth_where_it_is_wanted(bench: Bench) -> None:
    shouted = (lit(True), bench.do("shout", -1))
    found = bench.shorten(*shouted, arms=frozenset(bench.run(*shouted).probes))
    assert found.sequence.code == code(*shouted)


def test_two_parameters_that_share_a_value_get_one_each(bench: Bench) -> None:
    made = (lit("a"), lit("b"), call(0, (-2, -1)), bench.do("marked", -1, -1))
    found = bench.shorten(*made, arms=frozenset(bench.run(*made).probes))
    last = found.sequence.statements[-1]
    assert last.inputs[0] != last.inputs[1], "a list is no flag"


def test_a_list_stands_for_a_dict_whose_values_nobody_reads(bench: Bench) -> None:
    found = bench.shorten(lit("a"), lit(1), call(2, (-2, -1)), bench.do("all_of", -1))
    kinds = {s.operation for s in found.sequence.statements if s.literal is None}
    assert 2 not in kinds, "displays: 0 is a list, 2 a dict"


def test_a_text_that_a_parameter_tells_from_others_is_plain(bench: Bench) -> None:
    made = lit("a"), lit("center"), bench.do("aligned", -2, -1)
    assert bench.shorten(*made, arms=frozenset(bench.run(*made).probes)).sequence.code == code(*made)
    odd = lit("a"), lit("_"), bench.do("shaped", -2, -1)
    found = bench.shorten(*odd, arms=frozenset(bench.run(*odd).probes))
    assert found.sequence.code == code(lit("a"), lit("tall"), bench.do("shaped", -2, -1))
    several = lit("a"), lit("center"), call(0, (-1,)), bench.do("aligned_all", -3, -1)
    found = bench.shorten(*several, arms=frozenset(bench.run(*several).probes))
    assert found.sequence.code == code(*several)
