"""Two or three values of one class: what equality, hash and order promise about them together."""

from __future__ import annotations

from typing import Any

from tanteo.contracts import Contract, contract, defines


class _Size:
    """Keeps all promises."""

    def __init__(self, n: int = 1) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Size) and self.n == other.n

    def __hash__(self) -> int:
        return hash(self.n)

    def __lt__(self, other: Any) -> bool:
        return bool(self.n < other.n)

    def __le__(self, other: Any) -> bool:
        return bool(self.n <= other.n)

    def __gt__(self, other: Any) -> bool:
        return bool(self.n > other.n)

    def __ge__(self, other: Any) -> bool:
        return bool(self.n >= other.n)


class _Biased(_Size):
    """Everything is wrong with it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Size) and self.n <= other.n

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self.n)

    def __lt__(self, other: Any) -> bool:
        return bool(abs(self.n - other.n) == 1)

    def __le__(self, other: Any) -> bool:
        return True

    def __gt__(self, other: Any) -> bool:
        return bool(self.n > other.n)


class _Close(_Size):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Size) and abs(self.n - other.n) <= 1

    __hash__ = _Size.__hash__


class _Strict(_Size):
    def __le__(self, other: Any) -> bool:
        return bool(self.n < other.n)


def _good() -> tuple[Any, ...]:
    return _Size(1), _Size(2)


def _bad() -> tuple[Any, ...]:
    return _Biased(1), _Biased(2)


def _compares(kind: type) -> bool:
    return defines(kind, "__eq__")


def _orders(kind: type) -> bool:
    return defines(kind, "__lt__")


def _bools(*answers: object) -> bool:
    """Whether all of them are yes or no: arrays and expression builders answer with something else."""
    return all(isinstance(answer, bool) for answer in answers)


@contract("({x} == {y}) is ({y} == {x})", applies=_compares, arity=2, holds=_good, breaks=_bad)
def equality_is_symmetric(x: Any, y: Any) -> bool | None:
    one, other = x == y, y == x
    return one is other if _bools(one, other) else None


@contract("({x} != {y}) is not ({x} == {y})", applies=_compares, arity=2, holds=_good, breaks=_bad)
def values_are_equal_or_unequal_and_never_both(x: Any, y: Any) -> bool | None:
    same, other = x == y, x != y
    return same is not other if _bools(same, other) else None


@contract(
    "not {x} == {y} or hash({x}) == hash({y})",
    applies=lambda kind: defines(kind, "__eq__", "__hash__") and kind.__hash__ is not None,
    arity=2,
    holds=lambda: (_Size(1), _Size(1)),
    breaks=lambda: (_Close(1), _Close(2)),
)
def equal_values_have_equal_hashes(x: Any, y: Any) -> bool | None:
    if (x == y) is not True:
        return None
    try:
        return hash(x) == hash(y)
    except TypeError:
        return None


@contract("not ({x} < {y} and {y} < {x})", applies=_orders, arity=2, holds=_good, breaks=_bad)
def order_is_antisymmetric(x: Any, y: Any) -> bool | None:
    try:
        one, other = x < y, y < x
    except (TypeError, ArithmeticError):
        return None  # not every two can be ordered
    return not (one and other) if _bools(one, other) else None


@contract(
    "({x} < {y}) is ({y} > {x})",
    applies=lambda kind: _orders(kind) and defines(kind, "__gt__"),
    arity=2,
    holds=_good,
    breaks=lambda: (_Biased(2), _Biased(1)),
)
def less_and_greater_agree(x: Any, y: Any) -> bool | None:
    try:
        one, other = x < y, y > x
    except (TypeError, ArithmeticError):
        return None
    return one is other if _bools(one, other) else None


@contract(
    "not {x} == {y} or ({x} <= {y} and {y} <= {x})",
    applies=lambda kind: defines(kind, "__le__") and defines(kind, "__eq__"),
    arity=2,
    holds=lambda: (_Size(1), _Size(1)),
    breaks=lambda: (_Strict(1), _Strict(1)),
)
def order_agrees_with_equality(x: Any, y: Any) -> bool | None:
    try:
        one, other = x <= y, y <= x
    except (TypeError, ArithmeticError):
        return None
    if not _bools(one, other, x == y):
        return None
    return bool((x == y) is False or (one and other))  # what is ordered alike need not be equal


@contract(
    "not ({x} == {y} and {y} == {z}) or {x} == {z}",
    applies=_compares,
    arity=3,
    holds=lambda: (_Size(1), _Size(1), _Size(1)),
    breaks=lambda: (_Close(1), _Close(2), _Close(3)),
)
def equality_is_transitive(x: Any, y: Any, z: Any) -> bool | None:
    if (x == y) is not True or (y == z) is not True:
        return None
    same = x == z
    return same if isinstance(same, bool) else None


@contract(
    "not ({x} < {y} and {y} < {z}) or {x} < {z}",
    applies=_orders,
    arity=3,
    holds=lambda: (_Size(1), _Size(2), _Size(3)),
    breaks=lambda: (_Biased(1), _Biased(2), _Biased(3)),
)
def order_is_transitive(x: Any, y: Any, z: Any) -> bool | None:
    try:
        if (x < y) is not True or (y < z) is not True:
            return None
        less = x < z
    except (TypeError, ArithmeticError):
        return None
    return less if isinstance(less, bool) else None


CONTRACTS: tuple[Contract, ...] = (
    equality_is_symmetric,
    values_are_equal_or_unequal_and_never_both,
    equal_values_have_equal_hashes,
    order_is_antisymmetric,
    less_and_greater_agree,
    order_agrees_with_equality,
    equality_is_transitive,
    order_is_transitive,
)
