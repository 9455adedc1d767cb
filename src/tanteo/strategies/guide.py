"""Follows comparisons: sequences that came to something new are watched, and what they suggest is tried."""

from __future__ import annotations

from collections import deque

from tanteo.model import Run, Sequence, Verdict
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.suggestions import suggest

MOST_WAITING = 200
SHARE = 0.5  # of the steps that suggestions may take
SAMPLE = 64  # steps between two runs that are watched although they were nothing new
OPEN = 20  # arms whose functions are then watched


class Guide:
    """What is to be watched, what is being watched, and what came of it."""

    def __init__(self) -> None:
        self._to_watch: deque[tuple[Sequence, tuple[int, ...]]] = deque(maxlen=MOST_WAITING)
        self._ideas: deque[Sequence] = deque(maxlen=MOST_WAITING)
        self._watched: Sequence | None = None
        self._runs = 0

    def propose(self, session: Session) -> Sequence | None:
        """A sequence to watch or a suggestion; None most of the time."""
        watcher = session.watcher
        if watcher is None or not (self._to_watch or self._ideas):
            return None
        if self._to_watch:
            made, probes = self._to_watch.popleft()
            if watcher.start(probes, session.seen_hits):
                self._watched = made
                return made
        while self._ideas and session.rng.random() < SHARE:
            made = self._ideas.pop()
            if len(made) <= MOST_STATEMENTS and session.is_new(made):
                return made
        return None

    def learn(self, run: Run, session: Session) -> None:
        """Read the notes of a watched run; have the next one watched if this one was new."""
        watcher = session.watcher
        if watcher is None:
            return
        if self._watched is not None:
            self._watched = None
            self._ideas.extend(suggest(run.sequence, watcher.stop(), session.rng))
            return
        self._runs += 1
        if run.verdict is Verdict.HUNG:
            return
        if run.probes:
            self._to_watch.append((run.sequence, run.probes))
        elif self._runs % SAMPLE == 0:
            open_arms = watcher.open_arms(session.seen_hits)
            some = session.rng.sample(open_arms, min(OPEN, len(open_arms)))
            self._to_watch.append((run.sequence, tuple(some)))
