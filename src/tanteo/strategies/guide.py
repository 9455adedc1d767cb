"""Follows comparisons: sequences that came to something new are watched, and what they suggest is tried."""

from __future__ import annotations

from collections import deque

from tanteo.model import Run, Sequence, Verdict
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.suggestions import suggest
from tanteo.watching import Watcher

MOST_WAITING = 200
SHARE, SMALL_SHARE = 0.5, 0.03  # of the steps that suggestions may take: while they lead somewhere, and after
PATIENCE = 60  # suggestions in a row that lead nowhere
SAMPLE = 256  # steps between two runs that are watched although they were nothing new
OPEN = 8  # arms whose functions are then watched
MOST_CALLS = 60  # of a sequence that is watched: its suggestions cost as much each
SMALL, LARGE = 128, 10**9  # the largest number that is suggested, where values grow with it and elsewhere
MOST_NEW, MOST_SAMPLED = 24, 8  # suggestions from one run


class Guide:
    """What is to be watched, what is being watched, and what came of it.

    `alert` is true while a run is one of ours: of all others, only those that reach something new are told.
    """

    def __init__(self) -> None:
        self.alert = False
        self._to_watch: deque[tuple[Sequence, tuple[int, ...], int]] = deque(maxlen=MOST_WAITING)
        self._ideas: deque[Sequence] = deque(maxlen=MOST_WAITING)
        self._most = 0  # suggestions of what is being watched; nought if nothing is
        self._fruitless = 0
        self._sampled = SAMPLE

    def propose(self, session: Session) -> Sequence | None:
        """A sequence to watch or a suggestion; None most of the time."""
        watcher = session.watcher
        if watcher is None:
            return None
        if session.step >= self._sampled:
            self._sample(session, watcher)
        while self._to_watch:
            made, probes, most = self._to_watch.popleft()
            if watcher.start(probes, session.seen_hits):
                self._most = most
                self.alert = True
                return made
        share = SHARE if self._fruitless < PATIENCE else SMALL_SHARE
        while self._ideas and session.rng.random() < share:
            made = self._ideas.pop()
            if len(made) <= MOST_STATEMENTS and session.is_new(made):
                self.alert = True
                return made
        return None

    def _sample(self, session: Session, watcher: Watcher) -> None:
        """Have something from the pool watched in functions that still have open arms."""
        self._sampled = session.step + SAMPLE
        open_arms = watcher.open_arms(session.seen_hits)
        entry = session.pool.pick(object, session.rng)
        if open_arms and entry is not None and entry.kept.sequence.calls <= MOST_CALLS:
            some = session.rng.sample(open_arms, min(OPEN, len(open_arms)))
            self._to_watch.append((entry.kept.sequence, tuple(some), MOST_SAMPLED))

    def learn(self, run: Run, session: Session) -> None:
        """Read the notes of a watched run; have one that reached something new watched next."""
        watcher = session.watcher
        if watcher is None:
            return
        if self._most:
            grows = any(s.operation >= 0 and not session.homes[s.operation] for s in run.sequence.statements)
            largest = SMALL if grows else LARGE
            self._ideas.extend(suggest(run.sequence, watcher.stop(), self._most, largest, session.rng))
            self._most = 0
            self.alert = False
            return
        if self.alert:
            self.alert = False
            self._fruitless = 0 if run.probes else self._fruitless + 1
            session.unwanted = not run.probes
        if run.probes and run.sequence.calls <= MOST_CALLS and run.verdict is not Verdict.HUNG:
            self._to_watch.append((run.sequence, run.probes, MOST_NEW))
