"""Follows comparisons: sequences that came to something new are watched, and what they suggest is tried."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from tanteo.model import Run, Sequence, Verdict
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.suggestions import suggest
from tanteo.watching import Seen, Watcher

MOST_WAITING = 200
SHARE, SMALL_SHARE = 0.5, 0.03  # of the steps that suggestions may take: while they lead somewhere, and after
PATIENCE = 60  # suggestions in a row that lead nowhere
SAMPLE = 256  # steps between two runs that are watched although they were nothing new
OPEN = 8  # arms whose functions are then watched
MOST_CALLS = 60  # of a sequence that is watched: its suggestions cost as much each
SMALL, LARGE = 128, 10**9  # the largest number that is suggested, where values grow with it and elsewhere
MOST_NEW, MOST_SAMPLED = 24, 8  # suggestions from one run


class Watch(NamedTuple):
    """A sequence that is to be run with open eyes, twice."""

    sequence: Sequence
    probes: tuple[int, ...]  # in whose functions
    most: int  # suggestions
    notes: list[Seen] | None = None  # of the first time


class Guide:
    """What is to be watched, what is being watched, and what came of it.

    `alert` is true while a run is one of ours: of all others, only those that reach something new are told.
    """

    def __init__(self) -> None:
        self.alert = False
        self._to_watch: deque[Watch] = deque(maxlen=MOST_WAITING)
        self._ideas: deque[Sequence] = deque(maxlen=MOST_WAITING)
        self._watched: Watch | None = None
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
            watch = self._to_watch.popleft()
            if watcher.start(watch.probes, session.seen_hits):
                self._watched = watch
                self.alert = True
                return watch.sequence
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
            self._to_watch.append(Watch(entry.kept.sequence, tuple(some), MOST_SAMPLED))

    def learn(self, run: Run, session: Session) -> None:
        """Read the notes of a watched run; have one that reached something new watched next."""
        watcher = session.watcher
        if watcher is None:
            return
        if self._watched is not None:
            self._note(self._watched, watcher.stop(), session)
            self._watched = None
            self.alert = False
            return
        if self.alert:
            self.alert = False
            self._fruitless = 0 if run.probes else self._fruitless + 1
            session.unwanted = not run.probes
        if run.probes and run.sequence.calls <= MOST_CALLS and run.verdict is not Verdict.HUNG:
            self._to_watch.append(Watch(run.sequence, run.probes, MOST_NEW))

    def _note(self, watch: Watch, notes: list[Seen], session: Session) -> None:
        """What a run has compared, once it has done so twice: what a clock says is no suggestion."""
        if watch.notes is None:
            self._to_watch.appendleft(watch._replace(notes=notes))
            return
        agreed = [one for one, other in zip(watch.notes, notes, strict=False) if _is_same(one, other)]
        made = watch.sequence
        grows = any(s.operation >= 0 and not session.homes[s.operation] for s in made.statements)
        largest = SMALL if grows else LARGE
        agreed = [seen for seen in agreed if not session.rules.is_of_this_run(seen.left, seen.right)]
        self._ideas.extend(suggest(made, agreed, watch.most, largest, session.rng))


def _is_same(one: Seen, other: Seen) -> bool:
    return one.sign == other.sign and repr(one[1:]) == repr(other[1:])
