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

from tanteo.execute.interpret import Hung

TICK = 0.05
PATIENCE = 10  # times the limit, on the clock
IDLE = 0.5  # times the limit, on the clock, for what does nothing at all
NOTHING = 0.02  # of the time on the clock


def is_too_long(worked: float, passed: float, limit: float) -> bool:
    """Whether something waits, by what it did and what the clock says. Others may have the processor, but
    never all of it for so long."""
    return passed > limit * (IDLE if worked < NOTHING * passed else PATIENCE)


class Timer:
    """Watches one step at a time; `step` is a counter that the loop moves on."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.step = 0
        self.waited = False  # the last one that hung did nothing
        self._seen = -1
        self._processor = self._clock = 0.0
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

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self.step != self._seen:
            self._seen = self.step
            self._processor, self._clock = process_time(), monotonic()
            return
        if self.step == 0:  # nothing runs
            return
        worked, passed = process_time() - self._processor, monotonic() - self._clock
        if worked > self.limit:
            self._seen, self.waited = -1, False  # the subject may swallow it; then we say it again
            raise Hung(f"still running after {self.limit:g} s of processor time")
        if is_too_long(worked, passed, self.limit):
            self._seen, self.waited = -1, True
            raise Hung(f"still waiting after {self.limit * IDLE:g} s")
