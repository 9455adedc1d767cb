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


class Pool:
    """Entries by type; bounded: when a type is full, a random entry gives way."""

    def __init__(self, thrifty: bool = True) -> None:
        self._thrifty = thrifty  # whether cheap entries come first
        self._by_type: dict[type, list[Entry]] = {}
        self._asked: dict[type, list[list[Entry]]] = {}

    def add(self, kind: type, entry: Entry, rng: Random) -> None:
        """Remember a value under its run-time type."""
        entries = self._by_type.get(kind)
        if entries is None:
            entries = self._by_type[kind] = []
            for asked, lists in self._asked.items():
                if is_a(kind, asked):
                    lists.append(entries)
        if len(entries) < MOST_PER_TYPE:
            entries.append(entry)
        else:
            entries[int(rng.random() * MOST_PER_TYPE)] = entry

    def pick(self, kind: type, rng: Random) -> Entry | None:
        """A value of this class or one that inherits from it: first a class, then an entry.

        Of two random entries the cheaper one: uniform choice makes sequences longer and longer, and
        each step slower (Randoop's SMALL_TESTS, without weighing the whole pool).
        """
        lists = self._asked.get(kind)
        if lists is None:
            lists = [e for k, e in self._by_type.items() if is_a(k, kind)]
            self._asked[kind] = lists
        if not lists:
            return None
        entries = lists[int(rng.random() * len(lists))] if len(lists) > 1 else lists[0]
        one = entries[int(rng.random() * len(entries))]
        if one.kept.cost <= CHEAP or not self._thrifty or rng.random() < AS_IT_COMES:
            return one
        other = entries[int(rng.random() * len(entries))]
        return one if one.kept.cost <= other.kept.cost else other

    def __len__(self) -> int:
        return sum(map(len, self._by_type.values()))
