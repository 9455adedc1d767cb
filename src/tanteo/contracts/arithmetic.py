"""What calculates: signs, quotients and factors agree with each other."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable
from typing import Any

from tanteo.contracts import Contract, contract, defines

UNUSUAL = (TypeError, ValueError, ArithmeticError)  # not every two can be calculated with


class _Amount:
    """Keeps all promises."""

    def __init__(self, n: int = 3) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (_Amount, int)) and self.n == int(other)

    def __hash__(self) -> int:
        return hash(self.n)

    def __int__(self) -> int:
        return self.n

    def __index__(self) -> int:
        return self.n

    def __bool__(self) -> bool:
        return self.n != 0

    def __neg__(self) -> _Amount:
        return type(self)(-self.n)

    def __abs__(self) -> _Amount:
        return type(self)(abs(self.n))

    def __mul__(self, other: int) -> _Amount:
        return type(self)(self.n * other)

    def __rmul__(self, other: int) -> _Amount:
        return self * other

    def __floordiv__(self, other: Any) -> int:
        return self.n // int(other)

    def __mod__(self, other: Any) -> int:
        return self.n % int(other)

    def __divmod__(self, other: Any) -> tuple[int, int]:
        return divmod(self.n, int(other))


class _Wrong(_Amount):
    """Everything is wrong with it."""

    def __neg__(self) -> _Amount:
        return _Wrong(-2 * self.n)

    def __index__(self) -> int:
        return self.n + 1

    def __bool__(self) -> bool:
        return self.n == 0

    def __abs__(self) -> _Amount:
        return _Wrong(self.n)

    def __rmul__(self, other: int) -> _Amount:
        return _Wrong(self.n + other)

    def __divmod__(self, other: Any) -> tuple[int, int]:
        return 0, self.n


numbers.Number.register(_Amount)


def _with(*methods: str) -> Callable[[type], bool]:
    """Applies to classes with all of these and an equality of their own."""
    return lambda kind: all(defines(kind, method) for method in ("__eq__", *methods))


def _equal(one: object, other: object) -> bool | None:
    same = one == other
    if same is False and (one != one or other != other):  # noqa: PLR0124 - NaN
        return None
    return same if isinstance(same, bool) else None


@contract("-(-{x}) == {x}", applies=_with("__neg__"), holds=_Amount, breaks=_Wrong)
def negated_twice_is_the_same(x: Any) -> bool | None:
    try:
        return _equal(operator.neg(operator.neg(x)), x)
    except UNUSUAL:
        return None


@contract("abs(-{x}) == abs({x})", applies=_with("__neg__", "__abs__"), holds=_Amount, breaks=_Wrong)
def the_absolute_value_has_no_sign(x: Any) -> bool | None:
    try:
        return _equal(abs(-x), abs(x))
    except UNUSUAL:
        return None


@contract("2 * {x} == {x} * 2", applies=_with("__mul__", "__rmul__"), holds=_Amount, breaks=_Wrong)
def a_factor_may_stand_on_both_sides(x: Any) -> bool | None:
    try:
        return _equal(2 * x, x * 2)
    except UNUSUAL:
        return None


@contract(
    "import operator\noperator.index({x}) == int({x})",
    applies=lambda kind: defines(kind, "__index__") and defines(kind, "__int__"),
    holds=_Amount,
    breaks=_Wrong,
)
def as_an_index_it_is_the_integer(x: Any) -> bool | None:
    try:
        return operator.index(x) == int(x)
    except UNUSUAL:
        return None


@contract(
    "bool({x}) is ({x} != 0)",
    applies=lambda kind: issubclass(kind, numbers.Number) and _with("__bool__")(kind),
    holds=_Amount,
    breaks=_Wrong,
)
def only_zero_is_false(x: Any) -> bool | None:
    differs = x != 0
    return bool(x) is differs if isinstance(differs, bool) else None


@contract(
    "divmod({x}, {y}) == ({x} // {y}, {x} % {y})",
    applies=_with("__divmod__", "__floordiv__", "__mod__"),
    arity=2,
    holds=lambda: (_Amount(7), _Amount(2)),
    breaks=lambda: (_Wrong(7), _Wrong(2)),
)
def divmod_is_quotient_and_rest(x: Any, y: Any) -> bool | None:
    try:
        quotient, rest = divmod(x, y)
        one, other = _equal(quotient, x // y), _equal(rest, x % y)
    except UNUSUAL:
        return None
    return None if one is None or other is None else one and other


CONTRACTS: tuple[Contract, ...] = (
    negated_twice_is_the_same,
    the_absolute_value_has_no_sign,
    a_factor_may_stand_on_both_sides,
    as_an_index_it_is_the_integer,
    only_zero_is_false,
    divmod_is_quotient_and_rest,
)
