"""Exception safety: a call that raised on purpose should leave its object as it was.

None of the papers has this oracle. It is a hint and no fault: some objects count their failures, and mean
to. What an object was like before is seen in another run of the calls before; twice, since some are never
the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tanteo.execute.interpret import interpret
from tanteo.fingerprints import fingerprint
from tanteo.model import Outcome, sequence
from tanteo.subject import Operation

FIRST = 3  # runs of each outcome that are looked at: it costs two more runs
NAME = "a_call_that_raised_left_the_object_as_it_was"


class Safety:
    """Which outcomes have been looked at."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times: Counter[tuple[int, str]] = Counter()

    def is_due(self, operation: int, outcome: str) -> bool:
        """Whether to look at one more run."""
        self._times[operation, outcome] += 1
        return self._times[operation, outcome] <= FIRST


def has_changed(
    outcome: Outcome, operations: Sequence[Operation], calls: list[Callable[..., object]]
) -> bool:
    """Whether the object that the last call was made on is not what it was, though the call raised."""
    made = outcome.sequence
    last = made.statements[-1]
    position = len(made) - 1 + (last.inputs[0] if last.inputs else 0)
    if last.repeat is not None or "{0}" not in operations[last.operation].form or not last.inputs:
        return False
    if made.statements[position].operation < 0 or len(outcome.values) != len(made) - 1:
        return False
    prefix = sequence(made.statements[:-1])
    now = fingerprint([outcome.values[position]])
    before = [interpret(prefix, calls) for _ in range(2)]
    if any(run.error is not None for run in before):
        return False
    one, other = (fingerprint([run.values[position]]) for run in before)
    return one == other != now
