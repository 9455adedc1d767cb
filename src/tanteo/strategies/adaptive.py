"""Learns during the run which strategy still pays on this subject.

Paper 003 sees that the best setting is a matter of the class and shows after two minutes, paper 004 that
what is best early is not best late. So the time is cut into slices; each goes to the strategy that has lately
reached most new arms for its time, and now and then to another one, so that nobody is written off.
"""

from __future__ import annotations

from dataclasses import dataclass

from tanteo.model import Run, Step
from tanteo.session import Session, Strategy
from tanteo.strategies.autotest import Autotest
from tanteo.strategies.directed import Directed
from tanteo.strategies.reuse import Reuse

FADING = 0.7  # of what a slice has brought counts in the next one
HOPE = 1.0  # arms that one who was never tried is thought to reach in a slice


@dataclass(slots=True)
class Member:
    """A strategy with what it has brought lately."""

    strategy: Strategy
    found: float = HOPE
    spent: float = 1.0

    @property
    def rate(self) -> float:
        """New arms for time."""
        return self.found / self.spent


class Adaptive:
    """The strategy `adaptive`."""

    tunable = ("slice_", "curious")
    repetition = 0.1
    filtering = True
    slice_ = 0.25  # seconds
    curious = 0.1  # of the slices go to anybody

    def __init__(self) -> None:
        self.members = [Member(Directed()), Member(Reuse()), Member(Autotest())]
        self._current = self.members[0]
        self._until = 0.0
        self._since = 0.0

    def propose(self, session: Session) -> Step | None:
        """What the strategy whose turn it is proposes."""
        now = session.seconds()
        if now >= self._until:
            self._change(session, now)
        step = self._current.strategy.propose(session)
        if step is None:  # it is at its end: somebody else may not be
            self._current.found = 0.0
            self._until = now
        return step

    def learn(self, run: Run) -> None:
        """New arms are what counts."""
        self._current.strategy.learn(run)
        self._current.found += len(run.probes)

    def state(self) -> object:
        """Nothing that could not be learned again."""
        return None

    def _change(self, session: Session, now: float) -> None:
        member = self._current
        if self._until:
            member.spent += (now - self._since) / self.slice_
        if session.rng.random() < self.curious:
            self._current = self.members[int(session.rng.random() * len(self.members))]
        else:
            self._current = max(self.members, key=lambda m: m.rate)
        member.found *= FADING
        member.spent = max(FADING * member.spent, FADING)
        self._since, self._until = now, now + self.slice_
