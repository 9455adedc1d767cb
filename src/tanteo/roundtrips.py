"""Functions that undo each other, by their names: `encode` and `decode`, `to_x` and `from_x`.

That one undoes the other is a guess, so what does not come back is a suggestion and no fault.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tanteo.contracts import is_same
from tanteo.execute.interpret import Hung
from tanteo.subject import Operation

PAIRS = (
    *(("encode", "decode"), ("dumps", "loads"), ("serialize", "deserialize"), ("pack", "unpack")),
    *(("compress", "decompress"), ("escape", "unescape"), ("quote", "unquote"), ("encrypt", "decrypt")),
    *(
        ("format", "parse"),
        ("unparse", "parse"),
        ("to_", "from_"),
        ("as_", "from_"),
        ("flatten", "unflatten"),
    ),
)
CALLED = ("function", "static method", "class method")
FIRST = 20  # results of an operation that are all taken back


class RoundTrip:
    """The way back from an operation; taken ever more rarely."""

    __slots__ = ("_back", "_due", "_seen", "name")

    def __init__(self, name: str, back: Callable[..., object]) -> None:
        self.name = name  # of the operation that should undo it
        self._back = back
        self._seen = self._due = 0

    def is_due(self) -> bool:
        """Count a result, and say whether to take it back."""
        self._seen += 1
        if self._seen < self._due:
            return False
        self._due = self._seen + self._seen // FIRST
        return True

    def comes_back(self, given: Any, result: object) -> bool | None:
        """Whether the way back leads to what was given; None if that cannot be told."""
        try:
            back = self._back(result)
            if type(back) is not type(given):
                return None
            return is_same(back, given) or given != given  # noqa: PLR0124 - NaN does not
        except Hung:
            return None
        except (Exception, SystemExit):
            return False


def round_trips(operations: list[Operation], calls: list[Callable[..., object]]) -> dict[int, RoundTrip]:
    """For each operation that takes one thing the one that should give it back, if there is one."""
    by_name = {o.name: o for o in operations if o.kind in CALLED and _takes_one(o)}
    found = {}
    for operation in operations:
        home, _, name = operation.name.rpartition(".")
        one = _takes_one(operation) and operation.kind in CALLED
        if not one and not (operation.kind == "method" and len(operation.parameters) == 1):
            continue
        for there, back in PAIRS:
            other = by_name.get(f"{home}.{name.replace(there, back, 1)}") if there in name else None
            if other is not None and other.index != operation.index:
                found[operation.index] = RoundTrip(other.name, calls[other.index])
                break
    return found


def _takes_one(operation: Operation) -> bool:
    needed = [p for p in operation.parameters if p.required and not p.variadic]
    return len(needed) == 1 and not needed[0].keyword
