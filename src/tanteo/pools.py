"""Values by run-time type, each with the sequence that makes it (paper 000's component set).

A value is found through its class and every class it inherits from. A query never walks the pool: for
each class that was ever asked for, the lists of its subclasses are kept ready.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from tanteo.model import Sequence
from tanteo.types import is_a

MOST_PER_TYPE = 1000
CHEAP = 40  # statements and calls: so much is never too much
NEW = 0.2  # how often a value is taken that was only made
AS_IT_COMES = 0.5  # how often the cost of an entry does not matter


class Kept(NamedTuple):
    """A sequence that ran, with the types of the values it made."""

    sequence: Sequence
    types: tuple[type, ...]
    cost: int  # what it takes to make its values again: statements and calls


class Entry(NamedTuple):
    """One value of a kept sequence."""

    kept: Kept
    position: int


class Shelf(NamedTuple):
    """The entries of one type: all of them, and those that nothing was done to since they were made.

    What was made first is built upon, and what is built upon it again; without a second list the queue of
    size 100 that came first would be in nearly every sequence, and the one of size 1 in none (the bias of
    paper 004's section 2).
    """

    entries: list[Entry]
    new: list[Entry]


class Pool:
    """Entries by type; bounded: when a type is full, a random entry gives way."""

    def __init__(self, thrifty: bool = True) -> None:
        self._thrifty = thrifty  # whether cheap entries come first
        self._by_type: dict[type, Shelf] = {}
        self._asked: dict[type, list[Shelf]] = {}

    def add(self, kind: type, entry: Entry, rng: Random) -> None:
        """Remember a value under its run-time type."""
        shelf = self._by_type.get(kind)
        if shelf is None:
            shelf = self._by_type[kind] = Shelf([], [])
            for asked, shelves in self._asked.items():
                if is_a(kind, asked):
                    shelves.append(shelf)
        _put(entry, shelf.entries, rng)
        if entry.position == len(entry.kept.types) - 1:
            _put(entry, shelf.new, rng)

    def knows(self, kind: type) -> bool:
        """Whether there is a value of this class or one that inherits from it."""
        return bool(self._shelves(kind))

    def _shelves(self, kind: type) -> list[Shelf]:
        shelves = self._asked.get(kind)
        if shelves is None:
            shelves = [shelf for k, shelf in self._by_type.items() if is_a(k, kind)]
            self._asked[kind] = shelves
        return shelves

    def pick(self, kind: type, rng: Random) -> Entry | None:
        """A value of this class or one that inherits from it: first a class, then an entry.

        Of two random entries the cheaper one: uniform choice makes sequences longer and longer, and
        each step slower (Randoop's SMALL_TESTS, without weighing the whole pool).
        """
        shelves = self._shelves(kind)
        if not shelves:
            return None
        shelf = shelves[int(rng.random() * len(shelves))] if len(shelves) > 1 else shelves[0]
        entries = shelf.new if rng.random() < NEW and shelf.new else shelf.entries
        one = entries[int(rng.random() * len(entries))]
        if one.kept.cost <= CHEAP or not self._thrifty or rng.random() < AS_IT_COMES:
            return one
        other = entries[int(rng.random() * len(entries))]
        return one if one.kept.cost <= other.kept.cost else other

    def forget(self, operation: int) -> None:
        """Drop everything that an operation had a part in; walks the whole pool, which happens rarely."""

        def stays(entry: Entry) -> bool:
            return all(statement.operation != operation for statement in entry.kept.sequence.statements)

        shelves = {k: Shelf(*(list(filter(stays, part)) for part in s)) for k, s in self._by_type.items()}
        self._by_type = {kind: shelf for kind, shelf in shelves.items() if shelf.entries}
        self._asked.clear()

    def __len__(self) -> int:
        return sum(len(shelf.entries) for shelf in self._by_type.values())


def _put(entry: Entry, entries: list[Entry], rng: Random) -> None:
    if len(entries) < MOST_PER_TYPE:
        entries.append(entry)
    else:
        entries[int(rng.random() * MOST_PER_TYPE)] = entry
