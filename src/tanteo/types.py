"""The type model: what a parameter accepts. Live classes, so it exists on the explorer's side only."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from tanteo.model import Literal

SCALARS: tuple[type, ...] = (int, str, float, bool, bytes)
CONTAINERS: tuple[type, ...] = (list, tuple, dict, set)
ITERATOR: type = type(iter([0]))
FUNCTION = type(lambda: None)


class AsyncFunction:
    """What `async def` makes; Python has no type of its own for it."""


@dataclass(frozen=True, slots=True)
class Want:
    """One alternative of what a parameter accepts: an instance of `kind`; `object` is anything.

    `parts` say what is inside a container (one entry for list and set, two for dict, one per element
    for a tuple); each part is a tuple of alternatives again. `keys` are those of a dict that is a record: it
    has one part for each. `choices` are the only values allowed. The part of a `type` says whose subclasses
    are meant, and `offers` are the operations that give one of these.
    """

    kind: type
    parts: tuple[tuple[Want, ...], ...] = ()
    choices: tuple[Literal, ...] = ()
    keys: tuple[str, ...] = ()
    offers: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.choices and self.kind not in (FUNCTION, type):
            return " | ".join(c.source for c in self.choices)
        name = "any" if self.kind is object else self.kind.__qualname__
        name = {"NoneType": "None", "function": "callable", "AsyncFunction": "async callable"}.get(name, name)
        told = [" | ".join(map(str, part)) for part in self.parts]
        if self.keys:
            return "{" + ", ".join(f"{k!r}: {t}" for k, t in zip(self.keys, told, strict=True)) + "}"
        inside = ", ".join(told)
        return f"{name}[{inside}]" if inside else name


ANYTHING = Want(object)
NOTHING = Want(type(None))


@dataclass(frozen=True, slots=True)
class Guess:
    """What a parameter may want, how many good tries that is worth, and who says so."""

    want: Want
    weight: float
    source: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A parameter as the explorer sees it."""

    name: str
    wants: tuple[Want, ...]
    required: bool = True
    keyword: bool = False
    variadic: bool = False
    positional: bool = False  # cannot be passed by keyword
    declared: bool = False  # the wants come from an annotation, so a breach is our mistake
    default: type | None = None  # a hint, not a promise
    guesses: tuple[Guess, ...] = ()
    receiver: bool = False  # the object that a method is called on
    open: bool = field(init=False, default=False)  # nothing is known: what it wants must be learned

    def __post_init__(self) -> None:
        object.__setattr__(self, "open", any(w.kind is object for w in self.wants))

    def with_guesses(self, guesses: tuple[Guess, ...]) -> Slot:
        """The same parameter, about which more is known."""
        return replace(self, guesses=guesses)


@lru_cache(maxsize=1 << 16)
def is_a(kind: type, base: type) -> bool:
    """`issubclass` that always answers: protocols raise, and an ABC of the subject may do anything."""
    try:
        return issubclass(kind, base)
    except Exception:
        return base in kind.__mro__


def _is_instance(value: object, kind: type) -> bool:
    """`isinstance` that always answers, and asks a metaclass that has a mind of its own also about objects of
    that very class: some classes only stand for texts of a certain kind, say."""
    try:
        meta: Any = type(kind)
        if type(value) is kind and meta is not type:
            return bool(meta.__instancecheck__(kind, value))
        return isinstance(value, kind)
    except Exception:  # a metaclass may do anything
        return False


def fits(value: object, wants: tuple[Want, ...]) -> bool:
    """Whether a value is what was declared; containers are looked into, a few elements deep."""
    return any(_fits_one(value, want) for want in wants)


def _has_a_length(want: Want) -> bool:
    """Whether it is a tuple of so many; `tuple[int, ...]` has twice the same."""
    return want.kind is tuple and (len(want.parts) != 2 or want.parts[0] != want.parts[1])


def _fits_one(value: object, want: Want) -> bool:
    if want.kind is object:
        return True
    if want.kind is FUNCTION:  # its choices are only ours
        return callable(value)
    if want.kind is type and want.parts:
        return isinstance(value, type) and any(is_a(value, base.kind) for base in want.parts[0])
    if want.choices:
        return any(type(value) is type(c.value) and value == c.value for c in want.choices)
    if want.kind is AsyncFunction:
        return inspect.iscoroutinefunction(value)
    if want.kind is float and type(value) is int:
        return True
    if not _is_instance(value, want.kind):
        return False
    if not want.parts:
        return True
    if want.keys:
        both = zip(want.keys, want.parts, strict=True)
        return isinstance(value, dict) and all(k in value and fits(value[k], part) for k, part in both)
    if type(value) is dict and len(want.parts) == 2:
        keys, contents = want.parts
        return all(fits(k, keys) and fits(v, contents) for k, v in list(value.items())[:20])
    if isinstance(value, tuple) and (len(want.parts) == len(value) or _has_a_length(want)):
        return len(want.parts) == len(value) and all(map(fits, value, want.parts))
    if type(value) in (list, set, tuple, frozenset):
        return all(fits(v, want.parts[0]) for v in list(value)[:20])  # type: ignore[call-overload]
    return True
