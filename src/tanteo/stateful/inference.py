"""Contracts of an operation from what was seen of its calls; new calls only ever falsify.

Each call is two sets of literals, before and after. What is in all of them is a contract: intersections are
kept as numbers, so that a call costs one `and` for each literal that held before it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

from tanteo.stateful.atoms import Atom, in_words, members, opposite, says_more
from tanteo.stateful.database import Clause

LEAST_CALLS, LEAST_STATES = 15, 3  # that must support a clause
EVERYTHING = -1
NORMAL = "normal"
MOST_STATES = 256  # that are told apart


@dataclass(slots=True)
class Given:
    """What was so whenever some literal held before the call."""

    calls: int = 0
    before: int = EVERYTHING
    after: int = EVERYTHING
    states: set[int] = field(default_factory=set)

    def add(self, before: int, after: int) -> None:
        """One more call."""
        self.calls += 1
        self.before &= before
        self.after &= after
        if len(self.states) < MOST_STATES:
            self.states.add(before)

    def take(self, other: Given) -> None:
        """All of its calls."""
        self.calls += other.calls
        self.before &= other.before
        self.after &= other.after
        self.states |= other.states

    @property
    def supported(self) -> bool:
        """Whether there is enough to believe it."""
        return self.calls >= LEAST_CALLS and len(self.states) >= LEAST_STATES


@dataclass(slots=True)
class Summary:
    """All calls of one operation in brief."""

    before: list[Atom]
    after: list[Atom]
    passing: Given = field(default_factory=Given)
    by_literal: dict[int, Given] = field(default_factory=dict)  # passing calls, by what held before
    with_after: dict[int, int] = field(default_factory=dict)  # what else held whenever a literal did after
    raising: dict[str, Given] = field(default_factory=dict)  # by exception and line
    states: set[int] = field(default_factory=set)  # before calls, passing or not
    moved: int = 0  # literals whose atom some passing call has changed, or that there is only afterwards

    def add(self, before: int, after: int, outcome: str, moved: int = EVERYTHING) -> None:
        """One more call; `moved` has the literals of atoms that are not as they were."""
        if len(self.states) < MOST_STATES:
            self.states.add(before)
        if outcome != NORMAL:
            self.raising.setdefault(outcome, Given()).add(before, EVERYTHING)
            return
        self.passing.add(before, after)
        self.moved |= moved
        for literal in members(before):
            self.by_literal.setdefault(literal, Given()).add(before, after)
        for literal in members(after & self.moved):
            self.with_after[literal] = self.with_after.get(literal, EVERYTHING) & after

    def coincidences(self) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        """What always was so when something else was: two literals about pairs of values, or one."""
        same = self.alike()
        free = ~self.passing.before & sum(1 << n for n, other in same.items() if n == other)
        known = [n for n in sorted(self.by_literal) if free >> n & 1]
        pairs = [n for n in known if len(self.before[n >> 1].names) == 2]
        for one, other in combinations(pairs, 2):
            seen = [s for s in self.passing.states if s >> one & 1 and s >> other & 1]
            if one >> 1 == other >> 1 or not seen:
                continue
            always = functools.reduce(int.__and__, seen)
            either = self.by_literal[one].before | self.by_literal[other].before
            yield (one, other), self._others((one, other), always & free & ~either)
        for literal in known:
            given = self.by_literal[literal]
            if given.supported:
                yield (literal,), self._others((literal,), given.before & free)

    def alike(self) -> dict[int, int]:
        """Literals about the same values that were never told apart, with the one that stands for them."""
        found: dict[object, int] = {}
        states = sorted(self.states)
        same: dict[int, int] = {}
        for literal in range(2 * len(self.before)):
            column = tuple((state >> literal & 1, state >> opposite(literal) & 1) for state in states)
            same[literal] = found.setdefault((self.before[literal >> 1].names, column), literal)
        return same

    def _others(self, kept: tuple[int, ...], bits: int) -> list[int]:
        mentioned = {literal >> 1 for literal in kept}
        return [n for n in members(bits) if n >> 1 not in mentioned]

    def silence(self, text: str) -> None:
        """An atom is not asked any more; what it said so far counts for nothing."""
        for number, atom in enumerate(self.before):
            if atom.text == text:
                self.before[number] = replace(atom, names=("nobody has this name",))
        self.after = [
            replace(a, names=("nobody has this name",)) if a.text == text else a for a in self.after
        ]

    def preconditions(self) -> list[int]:
        """Literals that held before every passing call."""
        return members(self.passing.before) if self.passing.supported else []

    def clauses(self, operation: str, invariants: frozenset[int] = frozenset()) -> Iterator[Clause]:
        """Everything that can be said, and nothing twice; what is always so is said of the class."""
        if not self.passing.supported:
            return
        alike = self.alike()
        calls, states = self.passing.calls, len(self.passing.states)
        for literal in self.preconditions():
            if alike.get(literal, literal) == literal and literal not in invariants:
                yield Clause(operation, "precondition", in_words(literal, self.before), calls, states)
        always = self.passing.after
        held = {n: in_words(n, self.after) for n in members(always & self.moved)}
        for literal, said in held.items():
            told = any(says_more(other, said) for n, other in held.items() if n != literal)
            if not told and not self._goes_without_saying(literal):
                yield Clause(operation, "postcondition", in_words(literal, self.after), calls, states)
        yield from self._implications(operation, alike, always)
        yield from self._exceptions(operation)

    def _implications(self, operation: str, alike: dict[int, int], always: int) -> Iterator[Clause]:
        """`old(A) implies C` where C is not so in all calls, and not so where A is false.

        Of two antecedents the weaker one says more, of two consequences the stronger one.
        """
        follows: dict[int, int] = {}
        for literal, given in self.by_literal.items():
            against = self.by_literal.get(opposite(literal))
            if given.supported and alike.get(literal, literal) == literal and against is not None:
                follows[literal] = given.after & self.moved & ~always & ~against.after
        for literal in sorted(follows):
            given = self.by_literal[literal]
            for consequence in self._strongest(follows[literal]):
                weaker = [n for n in members(max(0, given.before)) if follows.get(n, 0) >> consequence & 1]
                if self._goes_without_saying(consequence) or any(
                    n != literal and not self.by_literal[n].before >> literal & 1 for n in weaker
                ):
                    continue
                text = f"old({in_words(literal, self.before)}) implies {in_words(consequence, self.after)}"
                yield Clause(operation, "implication", text, given.calls, len(given.states))

    def _strongest(self, bits: int) -> list[int]:
        """Literals afterwards without those that others bring with them, by all that was seen."""
        found = members(bits)
        brought = {n: self.with_after.get(n, 0) for n in found}
        return [
            n
            for n in found
            if not any(
                other != n and brought[other] >> n & 1 and (other < n or not brought[n] >> other & 1)
                for other in found
            )
        ]

    def _goes_without_saying(self, literal: int) -> bool:
        """Whether another clause says more: how much a length has not changed by."""
        return bool(literal & 1) and self.after[literal >> 1].family == "change"

    def _exceptions(self, operation: str) -> Iterator[Clause]:
        """`raises E iff A`: so before all calls that raised it, and before no others; or A is one reason."""
        kinds: dict[str, Given] = {}
        for name, given in self.raising.items():
            kinds.setdefault(name.partition(" ")[0], Given()).take(given)
        for name, given in sorted(self.raising.items()):
            kind = name.partition(" ")[0]
            others = [self.passing, *(g for n, g in self.raising.items() if n.partition(" ")[0] != kind)]
            for literal in members(given.before) if given.calls >= LEAST_CALLS else ():
                if all(other.before >> opposite(literal) & 1 for other in others):
                    always = kinds[kind].before >> literal & 1
                    said = in_words(literal, self.before)
                    text = f"raises {kind} iff {said}" if always else f"raises {kind} if {said}"
                    yield Clause(operation, "raises", text, given.calls, len(given.states))
