"""Constants: what is mined from a source, and what is drawn."""

from __future__ import annotations

import ast
import textwrap
from random import Random

import pytest

from tanteo.literals import LONGEST, MOST_PER_MODULE, SEEDS, Literals, mine
from tanteo.model import Statement
from tanteo.types import Want, fits


def mined(source: str) -> list[tuple[str, object]]:
    return mine(ast.parse(textwrap.dedent(source)))


def value(statement: Statement | None) -> object:
    assert statement is not None
    assert statement.literal is not None
    return statement.literal.value


def test_constants_come_with_their_scope() -> None:
    found = mined(
        """
        LIMIT = 7

        class Shop:
            name = "corner"

            def open(self, hour=9):
                if hour > 23:
                    return "closed"
                return lambda: 42

        async def later():
            return b"x"
        """
    )
    assert found == [
        ("", 7),
        ("Shop", "corner"),
        ("Shop.open", 9),
        ("Shop.open", 23),
        ("Shop.open", "closed"),
        ("Shop.open", 42),
        ("later", b"x"),
    ]


def test_docstrings_and_parts_of_f_strings_are_no_constants() -> None:
    found = mined(
        '''
        """About the module."""

        def f(x):
            """About f."""
            "a stray string"
            return f"value of {x} here"

        class C:
            """About C."""
        '''
    )
    assert found == []


def test_what_is_not_worth_passing_around_is_left_out() -> None:
    assert mined(f"a = {'x' * (LONGEST + 1)!r}; b = {10**9}; c = 1e20; d = None; e = True; g = ...") == []
    assert mined(f"a = {'x' * LONGEST!r}") == [("", "x" * LONGEST)]


def test_each_constant_is_mined_once_in_a_scope() -> None:
    assert mined("a = 5; b = 5\ndef f(): return 5") == [("", 5), ("f", 5)]


def test_equal_constants_of_different_types_are_all_mined() -> None:
    found = mined("a = 7; b = 7.0; c = '7'; d = b'7'")
    assert [(type(v), v) for _, v in found] == [(int, 7), (float, 7.0), (str, "7"), (bytes, b"7")]


def test_a_module_is_mined_within_bounds() -> None:
    assert len(mined("\n".join(f"x = {n}" for n in range(MOST_PER_MODULE * 2)))) == MOST_PER_MODULE


def test_equal_values_of_different_types_are_different_statements() -> None:
    literals = Literals()
    made = [literals.statement(type(v), v) for v in (1, True, 1.0)]
    assert len({s.code for s in made}) == 3
    assert literals.statement(int, 1) is made[0]
    assert [type(value(s)) for s in made] == [int, bool, float]


@pytest.mark.parametrize("kind", list(SEEDS), ids=lambda k: k.__name__)
def test_a_draw_has_exactly_the_type_that_was_asked_for(kind: type) -> None:
    literals, rng = Literals(), Random(0)
    literals.add_mined("m", [("", 77), ("", 7.5), ("", "mined"), ("", b"mined")])
    for _ in range(50):
        drawn = value(literals.draw(kind, "m", rng))
        assert kind is type or fits(drawn, (Want(kind),))
        assert kind not in (int, float, str, bytes) or type(drawn) is kind


def test_an_unknown_type_has_no_literals() -> None:
    assert Literals().draw(list, "m", Random(0)) is None


def test_about_half_of_the_draws_are_mined_and_most_of_those_in_the_same_module() -> None:
    literals, rng = Literals(), Random(0)
    literals.add_mined("here", [("", "from here")])
    literals.add_mined("there", [("", "from there")])
    drawn = [value(literals.draw(str, "here", rng)) for _ in range(2000)]
    assert 0.35 < drawn.count("from here") / 2000 < 0.55
    assert 0.02 < drawn.count("from there") / 2000 < 0.1
    seeds = [d for d in drawn if d not in ("from here", "from there")]
    assert set(seeds) == {eval(source) for source in SEEDS[str]}


def test_what_is_mined_twice_is_not_drawn_more_often() -> None:
    literals, rng = Literals(), Random(0)
    literals.add_mined("m", [*[("", "often")] * 50, ("", "seldom")])
    drawn = [value(literals.draw(str, "m", rng)) for _ in range(1000)]
    assert drawn.count("seldom") > drawn.count("often") / 2


def test_the_same_seed_draws_the_same() -> None:
    def run(seed: int) -> list[bytes]:
        literals, rng = Literals(), Random(seed)
        literals.add_mined("m", [("", 77), ("", "a"), ("", "b")])
        drawn = (literals.draw(kind, "m", rng) for kind in [int, str, float] * 20)
        return [s.code for s in drawn if s is not None]

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_repeated_values_keep_their_type() -> None:
    literals, rng = Literals(), Random(0)
    for start in (1, "a", 1.0, True, b"x"):
        drawn = literals.repeated(start, "m", rng, 60)
        assert len(drawn) == 60
        assert {type(d) for d in drawn} == {type(start)}
        assert len(set(drawn)) > 1
    assert literals.repeated("a", "m", rng, 0) == []


def test_repeated_numbers_are_many_and_some_of_them_mined() -> None:
    literals, rng = Literals(), Random(0)
    literals.add_mined("m", [("", 123456)])
    drawn = literals.repeated(1, "m", rng, 1000)
    assert len(set(drawn)) > 50
    assert 123456 in drawn
