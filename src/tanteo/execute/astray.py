"""Whether calls were given what their parameters are made for."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Iterator
from numbers import Number
from typing import Any

from tanteo.bindings import Bindings
from tanteo.model import Outcome
from tanteo.passing import passed_to
from tanteo.types import FUNCTION, ITERATOR, SCALARS, Slot, Want, fits

WRITTEN = ("docstring", "example")  # what somebody has written for whoever calls it
ALIAS: Any = typing.Sequence[int]
TYPES = (  # what annotations are made of; `Optional[int]` is an alias, too
    types.GenericAlias,
    types.UnionType,
    type(ALIAS),
    typing.NewType,
    typing.TypeVar,
)


def is_astray(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether a call was given something else than its parameter declares."""
    return any(
        slot.declared and not fits(value, slot.wants) and not _is_type(value, slot)
        for slot, value in _passed(outcome, bindings)
    )


def is_unlikely(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether a call was given something that nothing speaks for: a tuple for what is called `host`."""
    return any(
        bool(slot.guesses) and not slot.declared and value is not None and not _is_guessed(value, slot)
        for slot, value in _passed(outcome, bindings)
    )


def is_stuffed(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether an object or a function was passed where anything will do, by itself or in a container."""
    for slot, value in _passed(outcome, bindings):
        parts = [value, *_parts(value)]
        if slot.open and any(_is_stuffing(part, slot, bindings) for part in parts):
            return True
    return False


def _parts(value: Any) -> list[object]:
    if type(value) is dict:
        return [*value, *value.values()]
    return [*value] if type(value) in (list, tuple, set) else []


def _is_stuffing(value: Any, slot: Slot, bindings: Bindings) -> bool:
    stuffing = type(value) in bindings.classes or callable(value)
    return stuffing and not _is_guessed(value, slot)


def _is_guessed(value: object, slot: Slot) -> bool:
    return slot.default is type(value) or any(_speaks_for(guess.want, value) for guess in slot.guesses)


def _speaks_for(want: Want, value: object) -> bool:
    """Whether it is of the kind, or as good: one thing after the other, a number for a number."""
    if want.kind in (list, tuple, set, ITERATOR):
        return isinstance(value, Iterable)
    if want.kind in (int, float):
        return isinstance(value, Number) and not isinstance(value, bool)
    if want.kind is type and isinstance(value, TYPES):
        return True
    return fits(value, (Want(want.kind),))


def _passed(outcome: Outcome, bindings: Bindings) -> Iterator[tuple[Slot, object]]:
    """Everything that was passed, with the parameter that it was passed to."""
    for position, statement in enumerate(outcome.sequence.statements):
        if statement.operation < 0 or bindings.operations[statement.operation].kind == "display":
            continue
        slots = passed_to(bindings.slots[statement.operation], statement)
        for slot, distance in zip(slots, statement.inputs, strict=True):
            if not slot.receiver:
                yield slot, outcome.values[position + distance]


def _is_type(value: object, slot: Slot) -> bool:
    """Whether a parameter wants a type and gets one that is no class: `Optional[int]`, a `NewType`."""
    return any(want.kind is type for want in slot.wants) and isinstance(value, TYPES)


def is_odd(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether the last call was given a class, a function, an object or bytes for something plain."""
    made = outcome.sequence.statements
    slots = passed_to(bindings.slots[made[-1].operation], made[-1])
    values = [outcome.values[len(made) - 1 + distance] for distance in made[-1].inputs]
    pairs = list(zip(values, slots, strict=True))
    if any(type(v) is bool and _counts(s) for v, s in pairs):
        return True
    return any(_is_strange(v, s, bindings) for v, s in pairs if not s.declared)


def is_class_for_data(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether the last call was given a class where nothing speaks for one."""
    made = outcome.sequence.statements
    slots = passed_to(bindings.slots[made[-1].operation], made[-1])
    values = [outcome.values[len(made) - 1 + distance] for distance in made[-1].inputs]
    return any(
        isinstance(value, type) and not (slot.declared or slot.receiver or _is_guessed(value, slot))
        for value, slot in zip(values, slots, strict=True)
    )


def _counts(slot: Slot) -> bool:
    """Whether a parameter declares that it wants a number, and truth is none."""
    kinds = {want.kind for want in slot.wants}
    return slot.declared and int in kinds and not kinds & {bool, object}


def _is_strange(value: Any, slot: Slot, bindings: Bindings) -> bool:
    """Whether it is of another kind than the default; what somebody has guessed is not."""
    sources = {guess.source for guess in slot.guesses}
    documented = tuple(guess.want for guess in slot.guesses if guess.source in WRITTEN)
    if "docstring" in sources and value is not None and not fits(value, documented):
        return True
    if any(fits(value, (guess.want,)) for guess in slot.guesses):
        return False
    if slot.default is type:
        return not isinstance(value, type) or value is object  # of which everything is one
    if isinstance(value, type) and slot.default is not FUNCTION:  # nobody has said that it wants a class
        return True
    if type(value) is bytes and slot.default is not bytes:
        return bool(slot.guesses) or slot.default in SCALARS
    return slot.default in SCALARS and (callable(value) or type(value) in bindings.classes)
