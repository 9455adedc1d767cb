"""Which operation next: those that may still lead to an open arm (Bloodhound of GRT).

GRT weighs the share of branches that are open in a method, and lets the weight decay with every selection
until coverage is looked at again. Here the arms of the functions that it calls count too (`reach`), by how
deep they are, and the weight decays with the selections since the operation last led to something new: an
arm that cannot be reached would otherwise attract for ever.
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from math import log1p

from tanteo.session import Session

FLOOR = 0.3  # of an operation that has nothing open: it makes values for others
IDLE = 0.03  # of a method without an object, which may be there by now
PATIENCE = 40  # selections in vain after which an operation has half its weight
EVERY = 128  # selections between two looks at the weights


class Bloodhound:
    """Weights of the operations, worked out anew now and then."""

    def __init__(self) -> None:
        self._vain: list[int] = []  # selections since the last news, by operation
        self._steps: list[float] = []
        self._left = 0
        self._known: list[int] = []  # the operations that the weights are of

    def pick(self, session: Session) -> int:
        """The number of the operation to call next."""
        testable = session.testable
        if self._left <= 0 or len(testable) != len(self._known):
            self._weigh(session)
        self._left -= 1
        chosen = testable[bisect(self._steps, session.rng.random() * self._steps[-1])]
        self._vain[chosen] += 1
        return chosen

    def learn(self, operation: int) -> None:
        """It has led to something new."""
        if operation < len(self._vain):
            self._vain[operation] = 0

    def _weigh(self, session: Session) -> None:
        if not self._vain:
            self._vain = [0] * len(session.operations)
        hits, reach, vain = session.seen_hits, session.reach, self._vain
        self._known = list(session.testable)
        self._left = EVERY
        weights = []
        for number in self._known:
            still = sum([share for arm, share in reach[number].items() if not hits[arm]])
            weight = FLOOR + log1p(still) / (1 + vain[number] / PATIENCE)
            weights.append(weight if self._can_be_called(number, session) else IDLE)
        self._steps = list(accumulate(weights))

    @staticmethod
    def _can_be_called(number: int, session: Session) -> bool:
        """Whether there is an object to call it on."""
        first = session.slots[number][:1]
        wanted = [want.kind for slot in first if slot.receiver for want in slot.wants]
        return not wanted or any(session.pool.knows(kind) for kind in wanted)
