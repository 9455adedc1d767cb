"""What the observers of an object, and its own attributes, say of it."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

from tanteo.bindings import Bindings
from tanteo.execute.interpret import interpret
from tanteo.execute.observations import COUNTED, WRITTEN, Observation, answer_of
from tanteo.express import Expression, express
from tanteo.fingerprints import fingerprint
from tanteo.model import Sequence

MOST_OBSERVERS = 12
MOST_COUNTED = 10  # in an attribute; of a large table nobody knows how much should be in it
COUNTABLE = (list, tuple, dict, set, frozenset)
NOTHING_SAID = Expression("None")
Note = Callable[[int], None]  # the number of an observer that is about to be asked, -1 if none is


class Unsteady(Exception):  # noqa: N818 - it is no error of ours
    """A sequence that went well the first time and not the second."""


def observe(
    made: Sequence, values: list[object], position: int, bindings: Bindings, note: Note
) -> list[Observation]:
    """What observers say of a value; only those that change nothing and say the same twice."""
    value = values[position]
    found = _attributes(value, position, bindings)
    state = fingerprint(values)
    for operation in bindings.observers(type(value)):
        if len(found) >= MOST_OBSERVERS:
            break
        if operation in bindings.muted:
            continue
        note(operation)
        answer = _ask(operation, value, bindings)
        note(-1)
        if fingerprint(values) != state:  # not an observer after all: go on with fresh values
            values[:] = interpret(made, bindings.calls).values
            if len(values) < len(made):
                raise Unsteady
            value = values[position]
            continue
        if operation in bindings.muted:  # by now: its answer is that of somebody who was refused something
            continue
        silent = bindings.operations[operation].kind == "method" and answer == NOTHING_SAID
        if answer is not None and not silent:
            found.append(Observation("", position, operation, *answer))
    return found


def _attributes(value: object, position: int, bindings: Bindings) -> list[Observation]:
    """Public attributes that an object of the subject has of its own; what is written in a stream."""
    if isinstance(value, io.StringIO | io.BytesIO) and not value.closed:
        written = express(value.getvalue())
        return [Observation("", position, -1, *written, WRITTEN)] if written is not None else []
    if type(value) not in bindings.classes:
        return []
    told = {bindings.operations[o].name.rpartition(".")[2] for o in bindings.observers(type(value))}
    found = []
    for name, held in getattr(value, "__dict__", {}).items():
        if type(name) is str and name.isidentifier() and not name.startswith("_") and name not in told:
            known = express(held)
            if known is not None:
                found.append(Observation("", position, -1, *known, name))
            elif type(held) in COUNTABLE and len(held) <= MOST_COUNTED and not _is_a_record(held):
                count = str(len(held))
                found.append(Observation("", position, -1, count, attribute=f"{name}{COUNTED}"))
    return found[:MOST_OBSERVERS]


def _is_a_record(held: Any) -> bool:
    """Whether it is a dict with names for keys: all of its kind have as many."""
    return type(held) is dict and all(type(key) is str and key.isidentifier() for key in held)


def _ask(observer: int, value: object, bindings: Bindings) -> Expression | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            first, second = (express(answer_of(value, observer, bindings)) for _ in range(2))
    except Exception:  # an observer that raises or warns tells nothing
        return None
    return first if first == second else None
