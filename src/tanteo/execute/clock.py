"""A clock that shows the subject the same time whenever a sequence runs.

Put in place before the subject is imported, and still until a run is under way. Then each question takes a
millisecond, and sleeping takes no time but is counted, in event loops too: what was computed from the time of
day, or waits for a moment, does the same in every run. `datetime` asks the system itself and still sees the
real time. Tests are recorded in interpreters without this.
"""

from __future__ import annotations

import asyncio
import threading
import time
from asyncio import selector_events
from collections.abc import Callable
from typing import Any

from tanteo.execute.interpret import Hung

START = 1_000_000_000_000_000_000  # nanoseconds: a day in September 2001
TICK = 1_000_000
LONGEST_SLEEP = 0.001  # seconds, really slept
REAL_SLEEPS = 5  # in one run; after these nobody believes that another thread needs the time
FOREVER = 0.02  # seconds after which an event loop with nothing to wait for is known to be stuck
MOST_SLEEPS = 100  # in one run
QUESTIONS = ("time", "monotonic", "perf_counter")


class Clock:
    """Stands for the functions of `time`; imports and other threads see the real ones."""

    def __init__(self) -> None:
        self.running = False
        self._passed = 0  # nanoseconds since the run began
        self._sleeps = 0  # in this run
        self._main = threading.main_thread().ident
        module: Any = time
        self._sleep, real = time.sleep, time.monotonic
        for name in QUESTIONS:
            seconds, exact = getattr(module, name), getattr(module, f"{name}_ns")
            setattr(module, name, self._answer(seconds, 1_000_000_000))
            setattr(module, f"{name}_ns", self._answer(exact, None))
        module.sleep = self.sleep
        self._skipped = 0.0  # seconds for which event loops did not wait
        loop: Any = asyncio.BaseEventLoop
        loop.time = lambda loop: real() + self._skipped
        self._make_hasty(selector_events.BaseSelectorEventLoop)

    def _make_hasty(self, loops: Any) -> None:
        """Event loops that look whether something has happened, and do not wait for a moment to come."""
        original = loops.__init__

        def init(loop: Any, *args: Any) -> None:
            original(loop, *args)
            selector = loop._selector
            select = selector.select
            selector.select = lambda timeout=None: self._select(selector, select, timeout)

        loops.__init__ = init

    def _select(self, selector: Any, select: Callable[..., list[Any]], timeout: float | None) -> list[Any]:
        if timeout is None and self._applies() and self._is_alone(selector):
            events = select(FOREVER)
            if not events:
                late = Hung("waits for something that never comes")
                late.waits = True  # for somebody else, who is not there
                raise late
            return events
        if timeout is None or timeout <= LONGEST_SLEEP or not self._applies():
            return select(timeout)
        events = select(self._moment())
        if not events:
            self._skipped += timeout
            self._skip(timeout)
        return events

    def _is_alone(self, selector: Any) -> bool:
        """Whether nobody can wake the loop: it watches its own alarm only, and there is no other thread."""
        return len(selector.get_map()) <= 1 and threading.active_count() == 1

    def _moment(self) -> float:
        return LONGEST_SLEEP if self._sleeps < REAL_SLEEPS else 0.0

    def _skip(self, seconds: float) -> None:
        """Time passes; who sleeps again and again waits for something that never comes."""
        self._passed += int(seconds * 1_000_000_000)
        self._sleeps += 1
        if self._sleeps > MOST_SLEEPS:
            self._sleeps = 0  # whoever swallows it hears it again
            late = Hung(f"still waiting after it has slept {MOST_SLEEPS} times")
            late.waits = True  # who limits a rate does so, too
            raise late

    def start(self) -> None:
        """A run begins."""
        self._passed = self._sleeps = 0

    def sleep(self, seconds: float, /) -> None:
        """Come back at once while a run is under way."""
        if self._applies():
            self._skip(max(seconds, 0))
            seconds = min(seconds, self._moment())
        self._sleep(seconds)

    def _applies(self) -> bool:
        return self.running and threading.get_ident() == self._main

    def _answer(self, real: Callable[[], Any], divisor: int | None) -> Callable[[], Any]:
        def ask() -> Any:
            if not self._applies():
                return real()
            self._passed += TICK
            now = START + self._passed
            return now if divisor is None else now / divisor

        return ask
