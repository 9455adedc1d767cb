"""Feedback-controlled random testing: several pools, of which the most promising is built upon (paper 004).

A new pool each second; when there are too many, those that reach what the others reach too are dropped. Each
choice can be left to chance instead, as in the paper's table 1. Where we differ: a location counts once per
run that reached it, not once per hit; a pool that has reached nothing in its first steps is no longer the
best of all; and what a pool reached is noted as a whole and added up later, so that its upkeep is one
look-up per step however long the run is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import inf
from types import FunctionType
from typing import Any

from tanteo.filters import Filter
from tanteo.model import Run, Step
from tanteo.pools import Pool
from tanteo.session import TOO_OFTEN, Session
from tanteo.strategies.resetting import Resetting

MOST_FOOTPRINTS = 500  # that wait to be added up
PATIENCE = 50  # steps in which a pool must have reached something


@dataclass(slots=True)
class Basin:
    """A pool, what is new to it (its filters and duplicates are its own), what it reached and cost."""

    pool: Pool
    filters: list[Filter]
    sieves: dict[type, tuple[Filter, ...]] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)  # sequences, by hash
    testable: list[int] = field(default_factory=list)
    steps: int = 0
    spent: float = 0.0
    covered: int = 0  # bits
    coverage: int = 0
    _waiting: Counter[bytes] = field(default_factory=Counter)
    _counts: Counter[int] = field(default_factory=Counter)

    def note(self, footprint: bytes) -> None:
        """One run of it has reached these."""
        self.steps += 1
        self._waiting[footprint] += 1
        bits = int.from_bytes(footprint, "little")
        if bits | self.covered != self.covered:
            self.covered |= bits
            self.coverage = self.covered.bit_count()
        if len(self._waiting) > MOST_FOOTPRINTS:
            self.counts()

    def counts(self) -> Counter[int]:
        """For each location the runs that reached it."""
        for footprint, times in self._waiting.items():
            for location, hit in enumerate(footprint):
                if hit:
                    self._counts[location] += times
        self._waiting.clear()
        return self._counts

    @property
    def score(self) -> float:
        """Coverage for time; a pool that nobody has tried yet is the most promising one."""
        if not self.coverage and self.steps < PATIENCE:
            return inf
        return self.coverage / self.spent if self.spent else inf


class Controlled(Resetting):
    """The strategy of paper 004."""

    tunable = (*Resetting.tunable, "initial", "most", "every", "select", "delete")
    initial = 1
    most = 10
    every = 1.0  # seconds between two new pools
    select = "score"  # or random
    delete = "uniqueness"  # or random

    def __init__(self) -> None:
        super().__init__()
        self.basins: list[Basin] = []
        self._current: Basin | None = None
        self._testable: list[int] = []  # in the beginning
        self._last = 0.0  # when the last pool came
        self._since = 0.0  # when the current one was chosen

    def propose(self, session: Session) -> Step | None:
        """The next step in the pool that is chosen."""
        now = session.seconds()
        if self._current is None:
            self._begin(session, now)
        else:
            self._current.spent += now - self._since
        if now - self._last >= self.every:
            self._last = now
            self.basins.append(self._fresh(session))
            if len(self.basins) > self.most:
                self.basins = self._survivors(session)
        self._use(self._selected(session), session)
        self._since = now
        return super().propose(session)

    def learn(self, run: Run) -> None:
        """Also what the pool has reached."""
        super().learn(run)
        if self._current is not None and self._session is not None:
            self._current.note(self._session.footprint)

    def _begin(self, session: Session, now: float) -> None:
        """The first pool is the one that is there: it may have been recovered."""
        session.counting = True
        session.probes.next = 1 << 62  # probes must go on telling
        self._last = self._since = now
        self._testable = list(session.testable)
        first = Basin(session.pool, session.filters, session.sieves, session.seen, session.testable)
        self.basins = [first, *(self._fresh(session) for _ in range(self.initial - 1))]

    def _use(self, basin: Basin, session: Session) -> None:
        self._current = basin
        session.pool, session.filters, session.sieves = basin.pool, basin.filters, basin.sieves
        session.seen, session.testable = basin.seen, basin.testable

    def _selected(self, session: Session) -> Basin:
        if self.select == "random":
            return self.basins[int(session.rng.random() * len(self.basins))]
        return max(self.basins, key=lambda basin: basin.score)

    def _survivors(self, session: Session) -> list[Basin]:
        """Half of them: those that reach most of what the others seldom do."""
        count = max(1, self.most // 2)
        if self.delete == "random":
            return session.rng.sample(self.basins, count)
        shares = uniqueness([basin.counts() for basin in self.basins])
        ordered = sorted(range(len(shares)), key=lambda n: -shares[n])
        return [self.basins[n] for n in sorted(ordered[:count])]

    def _fresh(self, session: Session) -> Basin:
        """An empty pool, and filters that have seen nothing; a function remembers nothing anyway."""
        kinds: list[Any] = [f if isinstance(f, FunctionType) else type(f) for f in session.filters]
        filters = [kind() if isinstance(kind, type) else kind for kind in kinds]
        testable = [o for o in self._testable if session.culprits.get(o, 0) < TOO_OFTEN]
        return Basin(Pool(thrifty="orienteering" not in session.without), filters, testable=testable)


def uniqueness(counts: list[Counter[int]]) -> list[float]:
    """For each pool the mean share that it has in the runs that reach a location, over those it reaches."""
    total: Counter[int] = Counter()
    for count in counts:
        total.update(count)
    return [sum(n / total[at] for at, n in count.items()) / len(count) if count else 1.0 for count in counts]
