"""All contracts of the data model, and how often a contract is asked about the values of a class."""

from __future__ import annotations

from collections.abc import Iterable

from tanteo.contracts import (
    Contract,
    arithmetic,
    comparing,
    copying,
    iteration,
    likeness,
    managers,
    mappings,
    objects,
    pairs,
    selfchecks,
    sequences,
    sets,
)

CONTRACTS: tuple[Contract, ...] = tuple(
    promise
    for module in (
        objects,
        comparing,
        pairs,
        iteration,
        sequences,
        mappings,
        sets,
        likeness,
        arithmetic,
        copying,
        managers,
        selfchecks,
    )
    for promise in module.CONTRACTS
)
EACH = frozenset(promise.name for promise in objects.CONTRACTS)  # cheap ones: every value is asked
FIRST = 48  # values of a class that are asked everything
SPARSER = 16  # then the pause grows by this fraction of what has gone by
ENOUGH = 3


class Schedule:
    """What the values of one class are asked, and when: everything at first, then ever more rarely.

    Of n values about FIRST + SPARSER * log(n / FIRST) are asked everything, so that copies and pickles cost
    the same however long a run is; so are values that reached something new. A contract that most values
    break is not asked again: the fault is known, and values that are never used again would leave the rest
    of the class untested.
    """

    __slots__ = ("_always", "_asked", "_broken", "_due", "_each", "_everything", "_seen")

    def __init__(self, contracts: Iterable[Contract], always: bool = False) -> None:
        self._always = always  # ask everything each time, whatever came out before
        self._everything = list(contracts)
        self._each = [promise for promise in self._everything if promise.name in EACH]
        self._seen = self._due = self._asked = 0
        self._broken: dict[str, int] = {}

    def next(self, news: bool) -> list[Contract]:
        """The contracts for the next value."""
        self._seen = seen = self._seen + 1
        if seen < self._due and not news and not self._always:
            return self._each
        self._asked += 1
        if seen >= FIRST:
            self._due = seen + seen // SPARSER
        return self._everything

    def note(self, broken: str) -> bool:
        """A value broke one, and that was a fault; whether to look if it does so again: perhaps all do."""
        times = self._broken[broken] = self._broken.get(broken, 0) + 1
        if (
            not self._always
            and times >= ENOUGH
            and 2 * times >= (self._seen if broken in EACH else self._asked)
        ):
            self._everything = [promise for promise in self._everything if promise.name != broken]
            self._each = [promise for promise in self._each if promise.name != broken]
        elif times == ENOUGH:  # it is known; what breaks another one, too, is asked that first
            self._everything.sort(key=lambda promise: self._broken.get(promise.name, 0) >= ENOUGH)
            self._each.sort(key=lambda promise: self._broken.get(promise.name, 0) >= ENOUGH)
        return times <= ENOUGH
