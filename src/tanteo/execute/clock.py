"""A clock that shows the subject the same time whenever a sequence runs.

Put in place before the subject is imported, and still until a run is under way. Then each question takes a
millisecond, and sleeping takes no time but is counted: what was computed from the time of day, or waits for
a moment, does the same in every run. `datetime` asks the system itself and still sees the real time. Tests
are recorded in interpreters without this.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

START = 1_000_000_000_000_000_000  # nanoseconds: a day in September 2001
TICK = 1_000_000
LONGEST_SLEEP = 0.001  # seconds, really slept
QUESTIONS = ("time", "monotonic", "perf_counter")


class Clock:
    """Stands for the functions of `time`; imports and other threads see the real ones."""

    def __init__(self) -> None:
        self.running = False
        self._passed = 0  # nanoseconds since the run began
        self._main = threading.main_thread().ident
        module: Any = time
        self._sleep, real = time.sleep, time.monotonic
        for name in QUESTIONS:
            seconds, exact = getattr(module, name), getattr(module, f"{name}_ns")
            setattr(module, name, self._answer(seconds, 1_000_000_000))
            setattr(module, f"{name}_ns", self._answer(exact, None))
        module.sleep = self.sleep
        loop: Any = asyncio.BaseEventLoop
        loop.time = lambda self: real()  # it waits for real

    def start(self) -> None:
        """A run begins."""
        self._passed = 0

    def sleep(self, seconds: float, /) -> None:
        """Come back at once while a run is under way."""
        if self._applies():
            self._passed += int(max(seconds, 0) * 1_000_000_000)
            seconds = min(seconds, LONGEST_SLEEP)
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
