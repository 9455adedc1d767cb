"""Calls that only prepare, and make no difference to what a test shows.

Some are there for the arms that the last call reaches because of them. A reader who leaves one out sees the
same, and asks what it was for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tanteo.bindings import Bindings
from tanteo.execute.pruning import instead, needed, without
from tanteo.model import Outcome, Sequence

MOST_CALLS = 3  # that are left out in turn, the last ones first
Look = Callable[[Sequence], object]  # what a test would show; None if that cannot be told


def is_padded(outcome: Outcome, told: object, look: Look, bindings: Bindings) -> bool:
    """Whether everything is the same without some call before the last one."""
    fewer = _with_fewer_calls(outcome, bindings)
    return any(look(made) == told for made, _ in zip(fewer, range(MOST_CALLS), strict=False))


def _with_fewer_calls(outcome: Outcome, bindings: Bindings) -> Iterator[Sequence]:
    """Without one call whose value nobody needs, or that only gives back the object that it was made on."""
    made, values = outcome.sequence, outcome.values
    for position in range(min(len(made) - 1, len(values)) - 1, 0, -1):
        statement = made.statements[position]
        operation = bindings.operations[statement.operation] if statement.operation >= 0 else None
        if operation is None or operation.kind in ("display", "constructor", "constant", "fixture"):
            continue
        first = next(p for p, value in enumerate(values) if value is values[position])
        direct = made if first == position else instead(made, position, first)
        if position not in needed(direct):
            yield without(direct, position)
