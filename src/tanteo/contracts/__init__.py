"""What must always hold. A contract is a function with a sentence for a name.

A value contract takes values and returns True, False, or None for "does not apply"; an exception that
it lets through breaks it too. Its template is the assertion as it is written into a test. `applies`
looks at a class once, so that most values cost nothing: nobody has to ask an `int` for its `repr`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from tanteo.places import innermost, stands_at_raise

Check = Callable[..., bool | None]


@dataclass(frozen=True, slots=True)
class Contract:
    """A check with the words and the source that describe it."""

    name: str
    template: str
    check: Check
    applies: Callable[[type], bool]
    holds: Callable[[], object] | None = None  # makes a value that satisfies it
    breaks: Callable[[], object] | None = None  # makes one that does not
    arity: int = 1  # how many values of one class it is about; then examples are tuples

    @property
    def sentence(self) -> str:
        """The name, as people read it."""
        return self.name.replace("_", " ")


def _always(kind: type) -> bool:
    return True


def contract(
    template: str,
    *,
    applies: Callable[[type], bool] = _always,
    holds: Callable[[], object] | None = None,
    breaks: Callable[[], object] | None = None,
    arity: int = 1,
) -> Callable[[Check], Contract]:
    """Make a contract of a function."""

    def make(check: Check) -> Contract:
        name = getattr(check, "__name__", "contract")
        return Contract(name, template, check, applies, holds, breaks, arity)

    return make


def defines(kind: type, *methods: str) -> bool:
    """Whether one of these methods was written by somebody, and did not come with Python's own types."""
    for method in methods:
        owner = next((base for base in kind.__mro__ if method in vars(base)), object)
        if owner.__module__ not in ("builtins", "collections", "collections.abc", "typing") and (
            _bare(vars(owner)[method]) is not getattr(object, method, None)
        ):
            return True
    return False


def _bare(method: object) -> object:
    """What a decorator was put around: a contract library wraps even the methods of `object`."""
    return inspect.unwrap(method) if callable(method) else method


def is_on_purpose(error: BaseException) -> bool:
    """Whether a `raise` has said it, and no operation that failed."""
    trace = innermost(error)
    return trace is not None and stands_at_raise(trace)


def is_same(one: object, other: object) -> bool:
    """Equal, or not even equal to themselves: NaN is where NaN was."""
    if isinstance(one, (list, tuple)) and type(one) is type(other) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if type(one) is type(other) and type(one).__eq__ is object.__eq__:
        return True  # made anew each time, and equal to nothing but itself
    return one is other or bool(one == other) or bool(one != one and other != other)  # noqa: PLR0124 - NaN


def overrides(method: str) -> Callable[[type], bool]:
    """Applies to classes that define this special method themselves (or inherit it from Python code)."""
    inherited = getattr(object, method, None)

    def asks(kind: type) -> bool:
        found = _bare(getattr(kind, method, None))
        return found is not None and found is not inherited

    return asks
