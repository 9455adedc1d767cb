"""What was seen after a run, as data, and the same question put to other values."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tanteo.bindings import Bindings
from tanteo.express import express, name_of

LONGEST = 160  # characters of what a value shows of itself
VAGUE = re.compile(
    r"0x[0-9a-fA-F]{4,}|/tmp/|tanteo| object at | at 0x|^<[\w.]+>$|[\[{(]\.\.\."
)  # an address, a place, a name, something that contains itself


WRITTEN = "getvalue()"  # of a stream in memory
COUNTED = " (length)"  # behind an attribute whose elements cannot be written down


class Observation(NamedTuple):
    """Something seen after a run: of a value itself, or of an observer that was asked about it."""

    kind: str  # value, same, repr, type, length, changed, unchanged
    position: int
    operation: int = -1  # the observer
    source: str = ""
    imports: tuple[tuple[str, str], ...] = ()
    exact: bool = True
    attribute: str = ""  # of the object itself, instead of an observer

    @property
    def is_state(self) -> bool:
        """Whether it tells of something inside the value, not of the value as a whole."""
        return self.operation >= 0 or self.attribute != ""


def shown(value: object) -> str | None:
    """How a value shows itself, as source; None if it does not say what is in it."""
    try:
        text = repr(value)
        if text != repr(value) or not text.isprintable() or len(text) > LONGEST or VAGUE.search(text):
            return None
    except Exception:
        return None
    own = type(value).__repr__ is not object.__repr__ and not isinstance(value, BaseException)
    return repr(text) if own else None


def observed(seen: Observation, values: list[object], bindings: Bindings) -> str | None:
    """What an observation would say of other values, to be compared with its source."""
    value: Any = values[seen.position]
    if seen.kind == "same":
        return next((str(p) for p in (int(seen.source),) if values[p] is value), None)
    if seen.kind == "type":
        names = [name.source for k in type(value).__mro__ if (name := name_of(k))]
        return seen.source if seen.source in names else None
    if seen.kind == "repr":
        return shown(value)
    if seen.kind == "length":
        return str(len(value))
    if seen.attribute:
        value = getattr(value, seen.attribute.removesuffix("()").removesuffix(COUNTED))
        if seen.attribute.endswith(COUNTED):
            return str(len(value))
        value = value() if seen.attribute == WRITTEN else value
    elif seen.operation >= 0:
        value = bindings.calls[seen.operation](value)
    known = express(value)
    return None if known is None else known.source
