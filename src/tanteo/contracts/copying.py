"""Copies are equal to what they are copies of, and can be used."""

from __future__ import annotations

import copy
import pickle
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_on_purpose, overrides
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


class Failed:
    """What comes of a text that cannot be loaded."""


def _pickled(x: Any) -> bytes | None:
    try:
        return pickle.dumps(x)
    except (TypeError, AttributeError, pickle.PicklingError):
        return None  # not everything can be pickled, nor has to


def _loaded(text: bytes) -> Any:
    try:
        return pickle.loads(text)
    except Exception as error:
        if is_on_purpose(error):
            raise
        return Failed()


def is_compared(kind: type) -> bool:
    """Whether a copy can be told from the original: there is an equality of its own."""
    return overrides("__eq__")(kind) and kind.__module__ != "builtins" and not hasattr(kind, "__next__")


def _equal_deeply(made: Any, x: Any) -> bool | None:
    """A copy of everything inside, too; what is in there may be equal to nothing but itself."""
    same = _equal(made, x)
    return None if same is False and any(map(_is_only_itself, inside([x]))) else same


def _is_only_itself(value: object) -> bool:
    if callable(value):
        return True  # a bound method is equal only to one of the same object
    return type(value).__eq__ is object.__eq__ and value is not None and value is not Ellipsis


def _equal(made: Any, x: Any) -> bool | None:
    same = made == x
    if same is False and x != x:  # noqa: PLR0124 - what is not even equal to itself
        return None
    return same if isinstance(same, bool) else None


@contract("import copy\ncopy.copy({x}) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy)
def a_copy_is_equal(x: Any) -> bool | None:
    try:
        made = copy.copy(x)
    except TypeError:
        return None  # not everything can be copied, nor has to
    return _equal(made, x)


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
    text = _pickled(x)
    made = None if text is None else _loaded(text)
    if text is None or isinstance(made, Failed):
        return None if text is None else False
    return _equal_deeply(made, x)


class _PlainError(Exception):
    """Keeps all promises."""

    def __init__(self, text: str = "a") -> None:
        super().__init__(text)


class _UnloadableError(Exception):
    def __init__(self, text: str, place: int) -> None:
        super().__init__(text)
        self.place = place


@contract(
    "import pickle\npickle.loads(pickle.dumps({x}))",
    applies=lambda kind: issubclass(kind, Exception) and defines(kind, "__init__", "__new__", "__reduce__"),
    holds=_PlainError,
    breaks=lambda: _UnloadableError("a", 1),
)
def an_exception_that_is_pickled_can_be_loaded(x: Any) -> bool | None:
    text = _pickled(x)
    return None if text is None else not isinstance(_loaded(text), Failed)


CONTRACTS: tuple[Contract, ...] = (
    a_copy_is_equal,
    a_deep_copy_is_equal,
    what_is_pickled_comes_back_equal,
    an_exception_that_is_pickled_can_be_loaded,
)
