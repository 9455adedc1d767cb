"""Copies are equal to what they are copies of, and can be used."""

from __future__ import annotations

import copy
import dis
import pickle
from collections.abc import Callable
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_on_purpose, overrides
from tanteo.contracts.objects import holds_nan


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


PLAIN = (list, tuple, dict, set, frozenset)  # whose heirs keep in them what they were given


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


def _comes_back(make: Callable[[], Any], x: Any) -> bool | None:
    """Whether a copy is equal; where two copies differ, too, something is equal to nothing but itself."""
    try:
        made = make()
    except TypeError:
        return None  # not everything can be copied, nor has to: a lock inside is enough
    if isinstance(made, Failed):
        return False
    same = made == x
    if same is False and x != x:  # noqa: PLR0124 - what is not even equal to itself
        return None
    if same is False and make() != made:
        return False if _shares_everything(x, made) else None
    return same if isinstance(same, bool) else None


def _shares_everything(x: Any, made: Any) -> bool:
    """Whether two objects have the very same attributes, and their equality is not about who they are."""
    mine, theirs = getattr(x, "__dict__", {}), getattr(made, "__dict__", {})
    if not mine or mine.keys() != theirs.keys() or any(mine[k] is not theirs[k] for k in mine):
        return False
    code = getattr(type(x).__eq__, "__code__", None)
    if code is None or "id" in code.co_names or holds_nan(x):
        return False
    return not any(step.opname == "IS_OP" for step in dis.get_instructions(code))


@contract("import copy\ncopy.copy({x}) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy)
def a_copy_is_equal(x: Any) -> bool | None:
    return _comes_back(lambda: copy.copy(x), x)


@contract("import copy\ncopy.deepcopy({x}) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy)
def a_deep_copy_is_equal(x: Any) -> bool | None:
    return _comes_back(lambda: copy.deepcopy(x), x)


@contract(
    "import pickle\npickle.loads(pickle.dumps({x})) == {x}", applies=is_compared, holds=_Point, breaks=_Lossy
)
def what_is_pickled_comes_back_equal(x: Any) -> bool | None:
    text = _pickled(x)
    if text is None or (isinstance(_loaded(text), Failed) and not _parts_come_back(x)):
        return None
    return _comes_back(lambda: _loaded(text), x)


def _parts_come_back(x: Any) -> bool:
    """Whether what somebody has put into it can be loaded; if not, that is not its fault."""
    inside = list(x.items()) if isinstance(x, dict) else list(x) if isinstance(x, PLAIN) else []
    text = _pickled([inside, getattr(x, "__dict__", {}), x.args if isinstance(x, Exception) else ()])
    return text is not None and not isinstance(_loaded(text), Failed)


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
    if text is None:
        return None
    if isinstance(_loaded(text), Failed):
        return False if _parts_come_back(x) else None
    return True


CONTRACTS: tuple[Contract, ...] = (
    a_copy_is_equal,
    a_deep_copy_is_equal,
    what_is_pickled_comes_back_equal,
    an_exception_that_is_pickled_can_be_loaded,
)
