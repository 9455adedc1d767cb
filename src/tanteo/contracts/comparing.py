"""Equality, order and hash of one value: what it says of itself."""

from __future__ import annotations

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
    return (not same and other) if _is_plain(same) and _is_plain(other) else None


class _Proud(_Number):
    def __eq__(self, other: object) -> bool:
        return bool(self.n == other.n)  # type: ignore[attr-defined]

    __hash__ = _Number.__hash__


STRANGERS: dict[str, Any] = {"number": 1, "text": "a", "tuple": (), "list": [], "dict": {"a": 1}}


def _open_to(name: str, stranger: Any) -> Contract:
    def raises_nothing(x: Any) -> bool | None:
        if not _is_plain(x == x):  # noqa: PLR0124 - arrays and expression builders say more
            return None
        try:
            same = x == stranger
        except (AttributeError, TypeError) as error:
            return None if is_on_purpose(error) else False
        return True if _is_plain(same) else None

    return Contract(
        f"equality_with_a_{name}_raises_nothing",
        f"({{x}} == {stranger!r}) in (True, False)",
        raises_nothing,
        lambda kind: defines(kind, "__eq__"),
        _Number,
        _Proud,
    )


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
    *(_open_to(name, stranger) for name, stranger in STRANGERS.items()),
    nothing_is_less_than_itself,
    everything_is_at_most_itself,
    hash_is_stable,
)
