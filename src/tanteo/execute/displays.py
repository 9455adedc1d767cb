"""Values that calls have made, written down instead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from tanteo.execute.pruning import pruned
from tanteo.model import Literal, Sequence, Statement, call, say, sequence
from tanteo.session import Session
from tanteo.strategies.drafts import DISPLAYS
from tanteo.types import CONTAINERS

PLAIN = frozenset({int, float, bool, str, bytes, type(None)})  # written down instead of computed
TYPES = frozenset({bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, object})
LONGEST = 80  # as long as a line
MOST_PARTS = 6  # of a container that is written out
MOST_SHOWN = 16  # values in it, and in what it contains
DEEPEST = 2  # containers in containers; it also ends what contains itself
NONE: Mapping[int, int] = MappingProxyType({})  # identities of earlier values and where they stand


def is_short(value: Any) -> bool:
    """Whether it can be written down in a few characters."""
    if type(value) is int and value.bit_length() > 4 * LONGEST:
        return False  # so long that it may not even be written
    finite = type(value) is not float or math.isfinite(value)
    return type(value) in PLAIN and finite and len(repr(value)) < LONGEST


def is_container(value: Any, statement: Statement, session: Session) -> bool:
    """Whether a call has made it that might as well be written."""
    if type(value) not in CONTAINERS or statement.operation < 0:
        return False
    return session.operations[statement.operation].kind != "display"


def written_out(made: Sequence, gone: int, value: Any, values: list[object]) -> Iterator[Sequence]:
    """A small container as it is written, instead of the call that makes it; made of earlier values, too."""
    shown: list[Statement] = []
    if _display(value, shown, {id(earlier): p - gone for p, earlier in enumerate(values[:gone])}):
        yield with_statements(made, gone, shown)
        return
    each = 2 if type(value) is dict else 1
    for count in (0, each):  # too large, or it contains itself: perhaps it need not be that one
        parts = [say(Literal(0, "0"))] * count
        yield with_statements(made, gone, [*parts, call(DISPLAYS[type(value)], tuple(range(-count, 0)))])


def with_written(made: Sequence, gone: int, value: Any) -> Iterator[Sequence]:
    """Another value, written down, in place of the one at a position."""
    shown: list[Statement] = []
    if _display(value, shown):
        yield pruned(with_statements(made, gone, shown), parts_of(made, gone))


def parts_of(made: Sequence, position: int) -> set[int]:
    """What a value is made of, and what that is made of."""
    waiting, found = [position], set[int]()
    while waiting:
        place = waiting.pop()
        inside = {place + distance for distance in made.statements[place].inputs} - found
        found |= inside
        waiting += inside
    return found


def with_own(made: Sequence, position: int, index: int, value: Any) -> Iterator[Sequence]:
    """Another value, written down, for one input of a call only; others go on with the old one."""
    shown: list[Statement] = []
    if not _display(value, shown):
        return
    more, user = len(shown), made.statements[position]
    inputs = [distance - more for distance in user.inputs]
    inputs[index] = -1
    kept = [*made.statements[:position], *shown]
    kept.append(call(user.operation, tuple(inputs), user.names, user.repeat))
    for later in range(position + 1, len(made)):
        statement = made.statements[later]
        if statement.literal is None:
            moved = tuple(d - more if later + d < position else d for d in statement.inputs)
            statement = call(statement.operation, moved, statement.names, statement.repeat)
        kept.append(statement)
    yield sequence(kept)


def with_statements(made: Sequence, gone: int, shown: list[Statement]) -> Sequence:
    """With these statements in place of one; later distances over them are larger."""
    more = len(shown) - 1
    kept = [*made.statements[:gone], *shown]
    for position in range(gone + 1, len(made.statements)):
        statement = made.statements[position]
        if statement.literal is None:
            inputs = tuple(d - more if position + d < gone else d for d in statement.inputs)
            statement = call(statement.operation, inputs, statement.names, statement.repeat)
        kept.append(statement)
    return sequence(kept)


def _display(value: Any, shown: list[Statement], known: Mapping[int, int] = NONE, depth: int = 0) -> bool:
    """Add the statements that write a value down, containers in containers too; False if it is too large.

    A literal stands for what has to be written in words of its own: a function. What is known stands before.
    """
    if isinstance(value, Literal):
        shown.append(say(value))
        return True
    if isinstance(value, type) and value in TYPES:
        shown.append(say(Literal(value, value.__name__)))
        return True
    if is_short(value):
        shown.append(say(Literal(value, repr(value))))
        return True
    if type(value) not in CONTAINERS or len(value) > MOST_PARTS or depth > DEEPEST:
        return False
    places = []
    for part in [p for pair in value.items() for p in pair] if type(value) is dict else list(value):
        if id(part) in known and not is_short(part):
            places.append(known[id(part)])
        elif len(shown) < MOST_SHOWN and _display(part, shown, known, depth + 1):
            places.append(len(shown) - 1)
        else:
            return False
    shown.append(call(DISPLAYS[type(value)], tuple(place - len(shown) for place in places)))
    return True
