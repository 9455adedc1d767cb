"""Which values may be used again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tanteo.filters import equality, size
from tanteo.filters.equality import Unseen
from tanteo.filters.exceptions import Unbroken
from tanteo.filters.none import NotNone
from tanteo.filters.size import Handy
from tanteo.looks import forget
from tanteo.model import Verdict
from tanteo.plugins import FILTERS, load_filters

NORMAL = Verdict.NORMAL


def new(values: list[object]) -> list[bool]:
    """What a fresh filter says of these values, one after the other."""
    forget()  # the loop does so before each run
    unseen = Unseen()
    return [unseen(value, NORMAL) for value in values]


def test_equal_values_of_different_types_are_different() -> None:
    assert new([1, True, 1.0, 1 + 0j, "1", b"1"]) == [True] * 6
    assert new([1, 1, True, True, 1.0, 1.0]) == [True, False] * 3


def test_nan_is_found_again_and_negative_zero_is_not_zero() -> None:
    assert new([float("nan"), float("nan")]) == [True, False]
    assert new([0.0, -0.0, 0.0, -0.0]) == [True, True, False, False]
    assert new([complex(0.0, -0.0), complex(0.0, 0.0)]) == [True, True]


@pytest.mark.parametrize(
    "make", [lambda: [1, [2]], lambda: {"a": [1]}, lambda: {1, 2}, lambda: bytearray(b"x"), lambda: ([1], 2)]
)
def test_unhashable_values_are_compared(make: Any) -> None:
    assert new([make(), make()]) == [True, False]


def test_unhashable_values_that_differ_are_new() -> None:
    assert new([[1], [2], [1, 2], [1], {}, {"a": 1}]) == [True, True, True, False, True, True]


def test_containers_of_values_that_only_look_alike_are_new() -> None:
    assert new([[1], [True], [1.0]]) == [True, True, True]
    one, two = object(), object()
    assert new([[one], [two]]) == [True, True]
    assert new([([one],), ([two],)]) == [True, True]


def test_objects_that_compare_by_identity_are_always_new() -> None:
    class Plain:
        pass

    assert not Unseen().concerns(Plain)


def test_hashable_objects_with_equality_are_looked_up() -> None:
    @dataclass(frozen=True)
    class Point:
        x: int

    assert new([Point(1), Point(1), Point(2)]) == [True, False, True]


def test_mutable_objects_with_equality_are_compared() -> None:
    @dataclass
    class Box:
        x: int

    assert new([Box(1), Box(1), Box(2), Box(2)]) == [True, False, True, False]


def test_an_equality_coarser_than_the_look_loses_no_states() -> None:
    class Coarse:
        def __init__(self, state: int) -> None:
            self.state = state

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return f"Coarse({self.state})"

    assert new([Coarse(1), Coarse(2), Coarse(1)]) == [True, True, False]


def test_what_cannot_be_compared_is_new() -> None:
    class Raising:
        def __eq__(self, other: object) -> bool:
            raise KeyError("eq")

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return "Raising()"

    class Voiceless(Raising):
        def __repr__(self) -> str:
            raise KeyError("repr")

    class Unhashed:
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            raise KeyError("hash")

    kinds: tuple[Callable[[], object], ...] = (Raising, Voiceless, Unhashed)
    for kind in kinds:
        assert new([kind(), kind()]) == [True, True]


def test_an_answer_that_is_not_true_means_new() -> None:
    class Answer:
        def __bool__(self) -> bool:
            raise ValueError("the truth of an array is ambiguous")

    class Array:
        def __eq__(self, other: object) -> Answer:  # type: ignore[override]
            return Answer()

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return "Array()"

    assert new([Array(), Array()]) == [True, True]


def test_text_with_an_address_is_never_used() -> None:
    assert new([repr(object()), f"about {object()!r}", "at 0 o'clock"]) == [False, False, True]


def test_the_memory_of_a_type_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equality, "MOST_PER_TYPE", 3)
    unseen = Unseen()
    assert [unseen(n, NORMAL) for n in (1, 2, 3, 1)] == [True, True, True, False]
    assert unseen(4, NORMAL)  # 1 to 3 are forgotten now
    assert unseen(1, NORMAL)
    assert not unseen(4, NORMAL)


def test_none_leads_nowhere() -> None:
    keep = NotNone()
    assert not keep(None, NORMAL)
    there: list[object] = [0, "", [], False]
    assert all(keep(value, NORMAL) for value in there)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_only_runs_that_came_to_their_end_are_extended(verdict: Verdict) -> None:
    assert Unbroken()(1, verdict) == (verdict is NORMAL)


def test_large_values_are_not_carried_along() -> None:
    handy = Handy()
    makers: list[Callable[[int], object]] = [
        lambda n: "x" * n,
        lambda n: [0] * n,
        lambda n: set(range(n)),
        lambda n: dict.fromkeys(range(n)),
    ]
    for make in makers:
        assert handy(make(size.LONGEST), NORMAL)
        assert not handy(make(size.LONGEST + 1), NORMAL)
    assert handy(2**size.MOST_BITS - 1, NORMAL)
    assert handy(-(2**size.MOST_BITS) + 1, NORMAL)
    assert not handy(2**size.MOST_BITS, NORMAL)
    assert handy(1e300, NORMAL)


def test_an_object_whose_length_raises_is_judged_by_others() -> None:
    class Odd:
        def __len__(self) -> int:
            raise KeyError("len")

    assert Handy()(Odd(), NORMAL)


def test_the_filters_together_keep_their_own_memory() -> None:
    mine, yours = load_filters(FILTERS), load_filters(FILTERS)
    assert {f("a", NORMAL) for f in mine} == {True}
    assert {f("a", NORMAL) for f in mine} == {True, False}
    assert {f("a", NORMAL) for f in yours} == {True}
