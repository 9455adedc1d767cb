"""Numbers and texts that are changed a little."""

from __future__ import annotations

from random import Random

import pytest

from tanteo.model import Literal, Statement, say
from tanteo.variants import LONGEST, varied


def lit(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def values(value: object, other: object) -> list[object]:
    rng = Random(5)
    made = [varied(lit(value), lit(other), rng).literal for _ in range(200)]
    return [literal.value for literal in made if literal is not None]


@pytest.mark.parametrize(("value", "other"), [(7, 3), (1.5, 2.0), ("a-b", "x"), (b"ab", b"x")])
def test_variants_are_of_the_same_type_and_mostly_new(value: object, other: object) -> None:
    found = values(value, other)
    assert {type(v) for v in found} == {type(value)}
    assert sum(v != value for v in found) > 150


def test_parts_of_another_text_come_in() -> None:
    assert any("needle" in str(v) for v in values("hay", "needle"))


def test_texts_do_not_grow_without_end() -> None:
    assert max(len(str(v)) for v in values("a" * LONGEST, "b")) <= LONGEST


def test_what_has_no_variants_stays() -> None:
    one = lit(None)
    assert varied(one, None, Random(1)) is one


def test_the_source_says_what_the_value_is() -> None:
    rng = Random(2)
    for _ in range(100):
        made = varied(lit("a'b\\"), lit("\n"), rng).literal
        assert made is not None
        assert eval(made.source) == made.value
