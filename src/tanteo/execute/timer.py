"""The inner line of defence against hanging: a tick that raises into a run that does not come back.

One interval timer runs all the time; arming one per sequence would cost more than a short sequence. Each
tick looks whether the same step is still running. What counts is processor time, so that a busy machine
changes no verdict; a call that sleeps or waits is given half as long on the clock, and ten times as long if
it has done something meanwhile: perhaps it waits for the processor.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # `signal` without its enums, which cost more than a short run
import signal
from time import monotonic, process_time
from types import FrameType

from tanteo.execute.interpret import Hung, interpret
from tanteo.fingerprints import fingerprint

TICK = 0.05
PATIENCE = 10  # times the limit, on the clock
IDLE, LEAST_IDLE = 0.5, 0.3  # times the limit, on the clock, for what does nothing at all; seconds
SUSPECT = 0.3  # of the limit: from then on it is looked at where a run is
NOTHING = 0.02  # of the time on the clock


def is_too_long(worked: float, passed: float, limit: float) -> bool:
    """Whether something waits, by what it did and what the clock says. Others may have the processor, but
    never all of it for so long."""
    return passed > (_idle(limit) if worked < NOTHING * passed else limit * PATIENCE)


def _idle(limit: float) -> float:
    return max(LEAST_IDLE, limit * IDLE)


class Timer:
    """Watches one step at a time; `step` is a counter that the loop moves on."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.step = 0
        self.waited = False  # the last one that hung did nothing
        self._seen = -1
        self._processor = self._clock = 0.0
        self._repeats = False
        self._states: set[int] = set()
        self._handler = self._tick  # one object, to be recognised

    def start(self) -> None:
        """Begin to tick; only the main thread may."""
        signal.signal(signal.SIGALRM, self._handler)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def stop(self) -> None:
        """No more ticks."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def is_ticking(self) -> bool:
        """Whether the subject has left our handler alone."""
        return bool(_signal.getsignal(_signal.SIGALRM) is self._handler)

    def forgive(self) -> None:
        """Start counting again for the step that runs."""
        self._seen = -1

    def _look_at(self, frame: FrameType | None) -> None:
        """Note where a long run is and with which values: twice the same, and it goes round in a circle.

        What an iterator has still to give is not seen, but what it gave last is, in a variable.
        """
        places: list[object] = []
        values: list[object] = []
        while frame is not None and frame.f_code is not interpret.__code__:
            places += [frame.f_code.co_qualname, frame.f_lasti]
            values += frame.f_locals.values()
            frame = frame.f_back
        state = hash((*places, *fingerprint(values)))
        self._repeats = self._repeats or state in self._states
        self._states.add(state)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self.step != self._seen:
            self._seen, self._repeats = self.step, False
            self._states.clear()
            self._processor, self._clock = process_time(), monotonic()
            return
        if self.step == 0:  # nothing runs
            return
        worked, passed = process_time() - self._processor, monotonic() - self._clock
        if worked > self.limit * SUSPECT:
            self._look_at(frame)
        if worked > self.limit:
            self._seen, self.waited = -1, False  # the subject may swallow it; then we say it again
            hung = Hung(f"still running after {self.limit:g} s of processor time")
            hung.repeats = self._repeats
            raise hung
        if is_too_long(worked, passed, self.limit):
            self._seen, self.waited = -1, True
            idle = Hung(f"still waiting after {_idle(self.limit):g} s")
            idle.waits = True
            raise idle
