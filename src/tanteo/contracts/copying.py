"""Copies are equal to what they are copies of, and can be used."""

from __future__ import annotations

import copy
import pickle
from typing import Any

from tanteo.contracts import Contract, contract, overrides
from tanteo.fingerprints import inside


class _Point:
    """Keeps all promises."""

    def __init__(self, x: int = 1) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Point) and self.x == other.x

    __hash__ = None  # type: ignore[assignment]


class _Lossy(_Point):
    def __copy__(self) -> _Point:
        return _Point(0)

    def __deepcopy__(self, memo: object) -> _Point:
        return _Point(0)

    def __reduce__(self) -> Any:
        return _Point, (0,)


def is_compared(kind: type) -> bool:
    """Whether a copy can be told from the original: there is an equality of its own."""
    return overrides("__eq__")(kind) and kind.__module__ != "builtins" and not hasattr(kind, "__next__")


def _equal_deeply(made: Any, x: Any) -> bool | None:
    """A copy of everything inside, too; what is in there may be equal to nothing but itself."""
    same = _equal(made, x)
    return None if same is False and any(map(_is_only_itself, inside([x]))) else same


def _is_only_itself(value: object) -> bool:
    return type(value).__eq__ is object.__eq__ and value is not None and value is not Ellipsis


def _equal(made: Any, x: Any) -> bool | None:
    same = made == x
    if same is False and x != x:  # noqa: PLR0124 - what is not even equal to itself
        return None
    return same if isinstance(same, bool) else None


@contract("import copy\ncopy.copy({x}) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy)
def a_copy_is_equal(x: Any) -> bool | None:
    return _equal(copy.copy(x), x)


@contract("import copy\ncopy.deepcopy({x}) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy)
def a_deep_copy_is_equal(x: Any) -> bool | None:
    try:
        made = copy.deepcopy(x)
    except TypeError:
        return None  # something inside cannot be copied, such as a lock
    return _equal_deeply(made, x)


@contract(
    "import pickle\npickle.loads(pickle.dumps({x})) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy
)
def what_is_pickled_comes_back_equal(x: Any) -> bool | None:
    try:
        text = pickle.dumps(x)
    except (TypeError, AttributeError, pickle.PicklingError):
        return None  # not everything can be pickled, nor has to
    return _equal_deeply(pickle.loads(text), x)


CONTRACTS: tuple[Contract, ...] = (a_copy_is_equal, a_deep_copy_is_equal, what_is_pickled_comes_back_equal)
