"""What a subject remembers from one run to the next: tables of its modules and classes, caches of functions.

A parser that keeps what it has parsed reaches its arms the first time only; whoever compares a run with a
shorter one gives both the same past.
"""

from __future__ import annotations

import functools
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from typing import Any

TABLES = (dict, list, set, OrderedDict, defaultdict)
CACHES = type(functools.cache(len))


class Memory:
    """The tables of the subject as they are now, to be put back; what has as much in it is left alone."""

    def __init__(self, roots: frozenset[str]) -> None:
        held = list(_held(roots))
        self._tables = [(table, table.copy()) for table in held if type(table) in TABLES]
        self._caches: list[Any] = [cache for cache in held if isinstance(cache, CACHES)]

    def restore(self) -> None:
        """Forget what was learned since."""
        for table, before in self._tables:
            if len(table) != len(before):
                table.clear()
                table.extend(before) if type(table) is list else table.update(before)
        for cache in self._caches:
            cache.cache_clear()


def _held(roots: frozenset[str]) -> Iterator[Any]:
    """What the names of modules, and of the classes in them, stand for; each thing once."""
    modules = [m for name, m in list(sys.modules.items()) if name.partition(".")[0] in roots]
    owners: list[Any] = [*modules]
    for module in modules:
        owners += [
            v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__
        ]
    seen: set[int] = set()
    for owner in owners:
        for name, value in list(vars(owner).items()):
            if id(value) not in seen and not name.startswith("__"):
                seen.add(id(value))
                yield value.__func__ if isinstance(value, staticmethod | classmethod) else value
