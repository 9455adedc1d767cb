"""Equality, order and hash of one value: what it says of itself."""

from __future__ import annotations

import copy
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_on_purpose


class _Number:
    """Keeps all promises."""

    def __init__(self, n: int = 1) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and self.n == other.n

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: Any) -> bool:
        return bool(self.n < other.n)

    def __le__(self, other: Any) -> bool:
        return bool(self.n <= other.n)

    def __hash__(self) -> int:
        return hash(self.n)


class _Contrary(_Number):
    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return True

    __hash__ = _Number.__hash__


class _Hollow(_Number):
    def __eq__(self, other: object) -> bool:
        return other is None or super().__eq__(other)

    __hash__ = _Number.__hash__


class _LessThanItself(_Number):
    def __lt__(self, other: Any) -> bool:
        return True

    def __le__(self, other: Any) -> bool:
        return False


class _Drifting(_Number):
    def __hash__(self) -> int:
        self.n += 1
        return self.n


def _is_plain(answer: object) -> bool:
    return isinstance(answer, bool)


@contract(
    "itself = {x}\n({x} != itself) is not ({x} == itself)",
    applies=lambda kind: defines(kind, "__eq__", "__ne__"),
    holds=_Number,
    breaks=_Contrary,
)
def inequality_is_the_opposite_of_equality(x: Any) -> bool | None:
    same, other = x == x, x != x  # noqa: PLR0124 - the point
    return same is not other if _is_plain(same) and _is_plain(other) else None


@contract(
    "({x} == None) is False and ({x} != None) is True",
    applies=lambda kind: defines(kind, "__eq__", "__ne__"),
    holds=_Number,
    breaks=_Hollow,
)
def nothing_but_none_is_equal_to_none(x: Any) -> bool | None:
    try:
        if (x == object()) is not False:
            return None  # it is meant to be equal to anything
        same, other = x == None, x != None  # noqa: E711 - the point
    except Exception as error:
        if is_on_purpose(error):
            return None
        raise
    if same is True and _stands_for_what_it_holds(x):
        return None
    return (not same and other) if _is_plain(same) and _is_plain(other) else None


def _stands_for_what_it_holds(x: Any) -> bool:
    """Whether it is equal to None because None is in it: with something else it is equal to that."""
    stranger = object()
    for name, held in getattr(x, "__dict__", {}).items():
        if held is None:
            twin = copy.copy(x)
            twin.__dict__[name] = stranger
            if twin == stranger:
                return True
    return False


class _Proud(_Number):
    def __eq__(self, other: object) -> bool:
        return bool(self.n == other.n)  # type: ignore[attr-defined]

    __hash__ = _Number.__hash__


STRANGERS: tuple[Any, ...] = (1, "a", (), [], {"a": 1})


@contract(
    'all(({x} == other) in (True, False) for other in (1, "a", (), [], {"a": 1}))',
    applies=lambda kind: defines(kind, "__eq__"),
    holds=_Number,
    breaks=_Proud,
)
def equality_with_something_else_raises_nothing(x: Any) -> bool | None:
    if not _is_plain(x == x):  # noqa: PLR0124 - arrays and expression builders say more
        return None
    try:
        return True if all(_is_plain(x == stranger) for stranger in STRANGERS) else None
    except (AttributeError, TypeError) as error:
        if is_on_purpose(error):
            return None
        raise


@contract(
    "itself = {x}\nnot {x} < itself",
    applies=lambda kind: defines(kind, "__lt__"),
    holds=_Number,
    breaks=_LessThanItself,
)
def nothing_is_less_than_itself(x: Any) -> bool | None:
    try:
        less = x < x  # noqa: PLR0124 - the point
    except (TypeError, ArithmeticError):  # not every two can be ordered
        return None
    return not less if _is_plain(less) else None


@contract(
    "itself = {x}\n{x} <= itself",
    applies=lambda kind: defines(kind, "__le__"),
    holds=_Number,
    breaks=_LessThanItself,
)
def everything_is_at_most_itself(x: Any) -> bool | None:
    try:
        at_most = x <= x  # noqa: PLR0124 - the point
    except (TypeError, ArithmeticError):
        return None
    if not _is_plain(at_most) or x != x:  # noqa: PLR0124 - NaN inside
        return None
    return bool(at_most)


@contract(
    "hash({x}) == hash({x})", applies=lambda kind: defines(kind, "__hash__"), holds=_Number, breaks=_Drifting
)
def hash_is_stable(x: Any) -> bool | None:
    try:
        return hash(x) == hash(x)
    except TypeError:
        return None


CONTRACTS: tuple[Contract, ...] = (
    inequality_is_the_opposite_of_equality,
    nothing_but_none_is_equal_to_none,
    equality_with_something_else_raises_nothing,
    nothing_is_less_than_itself,
    everything_is_at_most_itself,
    hash_is_stable,
)
