"""The state of values as data: to see whether a call changed something.

Walks `__dict__`, slots and the built-in containers; objects met twice are numbered, so that cycles end
and sharing counts. What it cannot look into counts by its type alone.
"""

from __future__ import annotations

import contextlib
import re
import types
from collections.abc import Iterator
from itertools import islice
from typing import Any

MOST_NODES = 2000
CLOSED = (type, types.ModuleType)  # a whole world is behind them
MEMORY = re.compile("cache|memo")  # in private names: what is only kept so as not to work it out again
SCALARS = frozenset({int, float, complex, bool, str, bytes, type(None)})


def inside(values: list[object]) -> Iterator[object]:
    """What values are made of, at any depth; each thing once."""
    seen: set[int] = set()
    keep: list[object] = []
    waiting = [part for value in values for part in _inside(value, type(value))]
    while waiting and len(keep) < MOST_NODES:
        value = waiting.pop()
        if id(value) in seen or type(value) in SCALARS:
            continue
        seen.add(id(value))
        keep.append(value)
        waiting.extend(_inside(value, type(value)))
        yield value


def fingerprint(values: list[object]) -> tuple[Any, ...]:
    """Equal before and after if nothing changed, as far as can be seen."""
    numbers: dict[int, int] = {}
    out: list[object] = []
    waiting: list[object] = list(reversed(values))
    keep: list[object] = []  # so that no number is given twice
    while waiting and len(out) < MOST_NODES:
        value = waiting.pop()
        kind = type(value)
        out.append(kind)
        if kind in SCALARS:
            out.append(value if kind is int else repr(value))  # a long number may not be written
            continue
        if id(value) in numbers:
            out.append(numbers[id(value)])
            continue
        numbers[id(value)] = len(numbers)
        inside = _inside(value, kind)
        keep.append(value)
        keep.extend(inside)
        out.append(len(inside))
        waiting.extend(reversed(inside))
    return tuple(out)


def _inside(value: Any, kind: type) -> list[object]:
    found: list[object] = []
    try:
        if issubclass(kind, dict):
            for pair in islice(dict.items(value), MOST_NODES):
                found.extend(pair)
        elif issubclass(kind, (list, tuple)):
            plain = list if issubclass(kind, list) else tuple
            if plain.__len__(value) > MOST_NODES:  # not all of it will be seen
                found.append(plain.__len__(value))
            found.extend(islice(plain.__iter__(value), MOST_NODES))
        elif issubclass(kind, (set, frozenset)):
            found.extend(sorted(value, key=repr))
        elif issubclass(kind, bytearray):
            found.append(bytes(value))
    except Exception:
        pass
    if not issubclass(kind, CLOSED):
        found.extend(_attributes(value, kind))
    return found


def _attributes(value: Any, kind: type) -> list[object]:
    found: list[object] = []
    with contextlib.suppress(Exception):  # it has none, or does not let us see them
        known = object.__getattribute__(value, "__dict__")
        found.extend([v for name, v in known.items() if not (name[:1] == "_" and MEMORY.search(name))])
    for owner in kind.__mro__:
        slots = owner.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            try:
                real = f"_{owner.__name__.lstrip('_')}{name}" if private else name
                found.append(object.__getattribute__(value, real))
            except Exception:
                found.append(None)
    return found
