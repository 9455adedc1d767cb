"""What a run may leave behind in the process, put back before the next one.

Most runs leave nothing, so each thing is only looked at, and mended if it was changed. `random` is
reseeded before every sequence that follows one which drew from it: always with the same seed, so that a
sequence does the same whenever it runs.
"""

from __future__ import annotations

import contextlib
import io
import locale
import os
import random
import shutil
import sys
import threading
import warnings
from collections.abc import Callable
from time import monotonic
from typing import Any

from tanteo.execute.clock import Clock
from tanteo.execute.guard import Guard
from tanteo.execute.timer import Timer
from tanteo.model import Sequence
from tanteo.session import LEFT_A_THREAD

SEED = 0
PROCESS = 4242  # what the subject takes for its number
MOST_THREADS = 8
A_MOMENT = 0.05  # seconds for threads to end


class Dice(random.Random):
    """The subject's `random`, which notes that it was thrown; reseeding costs more than a short run."""

    thrown = True

    def random(self) -> float:
        self.thrown = True
        return super().random()

    def seed(self, *args: Any, **named: Any) -> None:
        self.thrown = True
        super().seed(*args, **named)

    def setstate(self, state: Any) -> None:
        self.thrown = True
        super().setstate(state)

    def getrandbits(self, k: int, /) -> int:
        self.thrown = True
        return super().getrandbits(k)


def replace_random() -> Dice:
    """Chance comes from our dice, and so does the number of the process; before the subject is imported."""
    dice = Dice(SEED)
    module: Any = random
    for name in dir(module):
        bound = getattr(module, name)
        if getattr(bound, "__self__", None) is module._inst:
            setattr(module, name, getattr(dice, name))
    module._inst = dice
    plant = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        plant(self, dice.getrandbits(64) if a is None else a, version)  # nobody has seeded it: we do

    random.Random.seed = seed  # type: ignore[method-assign]
    os.urandom = module._urandom = dice.randbytes  # also behind `secrets` and `uuid`
    os.getpid = lambda: PROCESS
    return dice


class Surroundings:
    """The world of the explorer: what is put back, and what is told to the outside before a run."""

    def __init__(
        self,
        home: str,
        guard: Guard,
        timer: Timer,
        dice: Dice,
        announce: Callable[[int, Sequence], None],
        second_tries: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self.clock = clock
        self.guard, self.timer, self.dice, self.announce = guard, timer, dice, announce
        self._second_tries = second_tries
        self._limit_of_timer = timer.limit
        self.too_many_threads = False
        self._home = home
        self._active: dict[object, object] = threading._active  # type: ignore[attr-defined]
        self._threads = len(self._active)
        self._limit = sys.getrecursionlimit()
        self._path = list(sys.path)
        self._path_object = sys.path
        self._environment = dict(os.environ)
        self._filters = list(warnings.filters)
        self._set_locale = locale.setlocale
        self._moved = False
        locale.setlocale = self._note_locale  # type: ignore[assignment]
        self._open_streams()

    def begin(self, step: int, sequence: Sequence) -> None:
        """Tell who is in flight, start the clock, and throw the dice anew."""
        self.announce(step, sequence)
        if self.dice.thrown:
            self.dice.seed(SEED)
            self.dice.thrown = False
        if self.clock is not None:
            self.clock.start()
        self.timer.limit = self._limit_of_timer
        self.timer.forgive()  # what is looked at twice has one number
        self.timer.step = step

    def end(self) -> None:
        """Stop the clock."""
        self.timer.step = 0

    def grant_second_try(self) -> bool:
        """A repeatable run calls something hung only after a second try with ten times the limit."""
        if not self._second_tries or self.timer.waited or self.timer.limit != self._limit_of_timer:
            return False  # it would wait again
        self.timer.limit *= 10
        self.timer.forgive()
        return True

    def restore(self) -> str | None:
        """Put back what was changed; why the run does not count, if it does not."""
        guard, reason = self.guard, None
        if guard.refused is not None or guard.disturbed:
            reason = guard.look()
            reason = self._restore_place() or reason
        if (
            sys.stdout is not self._out
            or sys.stderr is not self._out
            or self._out.closed
            or self._buffer.tell()
        ):
            self._open_streams()
        if sys.getrecursionlimit() != self._limit:
            sys.setrecursionlimit(self._limit)
        if sys.path is not self._path_object or sys.path != self._path:
            self._path_object[:] = self._path
            sys.path = self._path_object
        if warnings.filters != self._filters:
            warnings.filters[:] = self._filters  # type: ignore[index]
            warnings._filters_mutated()  # type: ignore[attr-defined]
        if self._moved:
            self._set_locale(locale.LC_ALL, "C.UTF-8")
            self._moved = False
        if not self.timer.is_ticking():
            self.timer.start()
        if len(self._active) > self._threads:
            reason = reason or self._join_threads()
        return reason

    def _note_locale(self, category: int, value: object = None) -> str:
        self._moved = self._moved or value is not None
        return self._set_locale(category, value)  # type: ignore[arg-type]

    def _restore_place(self) -> str | None:
        """An empty working directory and the old environment: the next run finds nothing of this one."""
        self.guard.active = False
        reason = None if os.path.isdir(self._home) else "deleted its working directory"
        os.makedirs(self._home, exist_ok=True)
        os.chdir(self._home)
        for name in os.listdir():
            if os.path.isdir(name) and not os.path.islink(name):
                shutil.rmtree(name, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.remove(name)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        self.guard.disturbed = False
        self.guard.active = True
        return reason

    def _open_streams(self) -> None:
        self._buffer = io.BytesIO()
        self._out = io.TextIOWrapper(self._buffer, "utf-8", "replace", write_through=True)
        sys.stdout = sys.stderr = self._out

    def _join_threads(self) -> str | None:
        """Give threads a moment to end; a run that leaves one behind does not count."""
        until = monotonic() + A_MOMENT
        for thread in threading.enumerate():
            if thread is not threading.main_thread():
                thread.join(max(0.0, until - monotonic()))
        left = len(self._active)
        if left <= self._threads:
            return None
        self._threads = left
        self.too_many_threads = left > MOST_THREADS
        return LEFT_A_THREAD
