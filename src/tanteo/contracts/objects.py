"""Figure 4 of paper 000 in Python: what every object promises."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tanteo.contracts import Contract, contract, overrides
from tanteo.looks import look

GIANT = 500  # elements
MOST_INSIDE = 200  # values that are looked at


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
    if is_giant(x):
        return None
    same: object = x == x  # noqa: PLR0124 - the point
    if same is True:
        return True
    if same is not False or holds_nan(x):
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
    return None if is_giant(x) else isinstance(look(x), str)


@contract("str({x})", applies=_own_text("__str__"), holds=_Sane, breaks=_Failing)
def str_raises_nothing(x: object) -> bool | None:
    return None if is_giant(x) else isinstance(str(x), str)


def is_giant(x: Any) -> bool:
    """Whether it is too large to be looked at each time: one such value cost as much as a hundred others."""
    try:
        return hasattr(type(x), "__len__") and len(x) > GIANT
    except Exception:
        return False


def holds_nan(x: object) -> bool:
    """NaN is not equal to itself, so neither is what compares it, however deep inside."""
    waiting, seen = [x], 0
    while waiting and seen < MOST_INSIDE:
        value = waiting.pop()
        seen += 1
        if isinstance(value, (float, complex, Decimal)):
            if value != value:  # noqa: PLR0124 - the point
                return True
        else:
            waiting += _inside(value)
    return False


def _inside(value: object) -> list[Any]:
    """What an object holds, as far as can be seen."""
    found: list[Any] = []
    try:
        if isinstance(value, dict):
            found += [*value, *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            found += value
        found += vars(value).values() if hasattr(value, "__dict__") and not isinstance(value, type) else ()
        for owner in type(value).__mro__:
            slots = vars(owner).get("__slots__", ())
            found += [getattr(value, name, None) for name in ([slots] if isinstance(slots, str) else slots)]
    except Exception:  # whoever does not want to be looked into
        return []
    return found[:MOST_INSIDE]


CONTRACTS: tuple[Contract, ...] = (
    equality_is_reflexive,
    hash_raises_nothing_but_type_error,
    repr_raises_nothing,
    str_raises_nothing,
)
