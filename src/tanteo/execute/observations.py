"""What was seen after a run, as data, and the same question put to other values."""

from __future__ import annotations

import itertools
import re
import sys
from typing import Any, NamedTuple

from tanteo.bindings import Bindings
from tanteo.express import MOST_ELEMENTS, Expression, express, name_of
from tanteo.operators import BOUND, is_collected

PYTHONS_OWN = ("builtins", "itertools")
LONGEST = 160  # characters of what a value shows of itself
VAGUE = re.compile(
    r"0x[0-9a-fA-F]{4,}|/tmp/|tanteo| object at | at 0x|^<[\w.]+>$|[\[{(]\.\.\."
)  # an address, a place, a name, something that contains itself


WRITTEN = "getvalue()"  # of a stream in memory
OF_A_SET: type = type(iter({0}))
FEW = 3  # elements of a list that is too long to be written down
COUNTED = " (length)"  # behind an attribute whose elements cannot be written down


class Observation(NamedTuple):
    """Something seen after a run: of a value itself, or of an observer that was asked about it."""

    kind: str  # value, same, elements (of an iterator), start, repr, type, length, changed, unchanged
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
    if type(value).__name__.startswith("_") and type(value).__module__ in sys.stdlib_module_names:
        return None  # nobody has promised how it looks
    own = type(value).__repr__ is not object.__repr__ and not isinstance(value, BaseException)
    return repr(text) if own else None


def elements_of(value: Any) -> Expression | None:
    """What an iterator of Python's own gives, which is used up by that; None if it is none, or has no end."""
    if type(value).__module__ not in PYTHONS_OWN or not hasattr(type(value), "__next__"):
        return None
    try:
        found = list(itertools.islice(value, BOUND))
    except Exception:
        return None
    return express(found) if len(found) < BOUND else None


def answer_of(value: Any, operation: int, bindings: Bindings) -> object:
    """What an observer says; the elements that a set gives have no order that anybody has promised."""
    told: Any = bindings.calls[operation](value)
    collected = type(told) is list and len(told) > 1 and is_collected(bindings.operations[operation].form)
    return set(told) if collected and is_unordered(value) else told


def is_unordered(value: Any) -> bool:
    """Whether it gives the elements of a set, as that has them."""
    try:
        return type(iter(value)) is OF_A_SET
    except Exception:
        return False


def start_of(value: object) -> Expression | None:
    """How a list begins that is too long to be written down; None if there is nothing to say."""
    return express(value[:FEW]) if type(value) is list and len(value) > MOST_ELEMENTS else None


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
    if seen.kind == "elements":
        elements = elements_of(value)
        return None if elements is None else elements.source
    if seen.kind == "start":
        start = start_of(value)
        return None if start is None else start.source
    if seen.kind == "length":
        return str(len(value))
    if seen.attribute:
        value = getattr(value, seen.attribute.removesuffix("()").removesuffix(COUNTED))
        if seen.attribute.endswith(COUNTED):
            return str(len(value))
        value = value() if seen.attribute == WRITTEN else value
    elif seen.operation >= 0:
        value = answer_of(value, seen.operation, bindings)
    known = express(value)
    return None if known is None else known.source
