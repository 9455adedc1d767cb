"""Figure 4 of paper 000 in Python: what every object promises."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tanteo.contracts import Contract, contract, overrides
from tanteo.looks import look


class _Sane:
    """An object that keeps all promises."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "sane"

    def __str__(self) -> str:
        return "sane"


class _NeverEqual:
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class _Failing:
    def __hash__(self) -> int:
        raise KeyError("hash")

    def __repr__(self) -> str:
        raise KeyError("repr")

    def __str__(self) -> str:
        raise KeyError("str")


def _own_text(method: str) -> Any:
    defined = overrides(method)
    return lambda kind: defined(kind) and kind.__module__ != "builtins"


@contract("itself = {x}\n{x} == itself", applies=overrides("__eq__"), holds=_Sane, breaks=_NeverEqual)
def equality_is_reflexive(x: object) -> bool | None:
    same: object = x == x  # noqa: PLR0124 - the point
    if same is True:
        return True
    if same is not False or _holds_nan(x):
        return None  # arrays and expression builders answer with something else
    return False


@contract("hash({x})", applies=overrides("__hash__"), holds=_Sane, breaks=_Failing)
def hash_raises_nothing_but_type_error(x: object) -> bool | None:
    try:
        hash(x)
    except TypeError:
        return None  # the way to say that something inside is not hashable
    return True


@contract("repr({x})", applies=_own_text("__repr__"), holds=_Sane, breaks=_Failing)
def repr_raises_nothing(x: object) -> bool | None:
    return isinstance(look(x), str)


@contract("str({x})", applies=_own_text("__str__"), holds=_Sane, breaks=_Failing)
def str_raises_nothing(x: object) -> bool | None:
    return isinstance(str(x), str)


def _holds_nan(x: object) -> bool:
    """NaN is not equal to itself, so neither is what compares it."""
    inside = list(vars(x).values()) if hasattr(x, "__dict__") else []
    for owner in type(x).__mro__:
        slots = vars(owner).get("__slots__", ())
        inside += [getattr(x, name, None) for name in ([slots] if isinstance(slots, str) else slots)]
    if isinstance(x, (list, tuple, set, frozenset)):
        inside += list(x)
    return any(isinstance(v, (float, complex, Decimal)) and v != v for v in [x, *inside])  # noqa: PLR0124


CONTRACTS: tuple[Contract, ...] = (
    equality_is_reflexive,
    hash_raises_nothing_but_type_error,
    repr_raises_nothing,
    str_raises_nothing,
)
