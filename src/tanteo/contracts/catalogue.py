"""All contracts of the data model, and how often a contract is asked about the values of a class."""

from __future__ import annotations

from tanteo.contracts import (
    Contract,
    comparing,
    copying,
    iteration,
    mappings,
    objects,
    pairs,
    selfchecks,
    sequences,
    sets,
)

CONTRACTS: tuple[Contract, ...] = tuple(
    promise
    for module in (objects, comparing, pairs, iteration, sequences, mappings, sets, copying, selfchecks)
    for promise in module.CONTRACTS
)
EACH = frozenset(promise.name for promise in objects.CONTRACTS)  # cheap ones: every value is asked
FIRST = 48  # values of a class that are asked everything
SPARSER = 16  # then the pause grows by this fraction of what has gone by


class Turn:
    """Whether it is a contract's turn: with the first values of a class, then ever more rarely.

    Of n values about FIRST + SPARSER * log(n / FIRST) are asked, so that copies and pickles cost the same
    however long a run is. A value that reached something new is asked everything.
    """

    __slots__ = ("contract", "due", "seen")

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.seen = self.due = 0

    def comes(self, news: bool) -> bool:
        """Count a value, and say whether to ask."""
        self.seen = seen = self.seen + 1
        if seen < self.due and not news:
            return False
        if seen >= FIRST and self.contract.name not in EACH:
            self.due = seen + seen // SPARSER
        return True
