"""Another day for the subject: what depends on the calendar or the clock then says something else.

The clock of `time` and the classes of `datetime` are replaced before the subject is imported. The
replaced classes make ordinary objects, so that only those who ask for the present notice. On that day the
machine is a busy one: between two looks at the clock a while passes. And the working directory is not empty.
"""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Callable
from typing import Any

# Another year, month, day of the week and time of day; decades later, so that what a limit of years decides
# today, like the age of a signature, is decided otherwise.
SHIFT = 14_629 * 86_400 + 7 * 3_600 + 11 * 60
A_WHILE = 0.05  # seconds; with more of it, what keeps something for a second is never seen to have it


def move_clock() -> None:
    """From now on it is later, for everybody who asks in Python."""
    real_time, real_ns = time.time, time.time_ns
    local, universal, text, ascii_time = time.localtime, time.gmtime, time.ctime, time.asctime
    clock: Any = time
    late = _Lateness()
    clock.time = lambda: real_time() + SHIFT + late.more()
    clock.time_ns = lambda: real_ns() + SHIFT * 1_000_000_000 + int(late.more() * 1e9)
    for name in ("monotonic", "perf_counter"):
        setattr(clock, name, late.added_to(getattr(clock, name), 1))
        setattr(clock, f"{name}_ns", late.added_to(getattr(clock, f"{name}_ns"), 1_000_000_000))
    clock.localtime = lambda seconds=None: local(clock.time() if seconds is None else seconds)
    clock.gmtime = lambda seconds=None: universal(clock.time() if seconds is None else seconds)
    clock.ctime = lambda seconds=None: text(clock.time() if seconds is None else seconds)
    clock.asctime = lambda t=None: ascii_time(clock.localtime() if t is None else t)
    form = time.strftime
    clock.strftime = lambda pattern, t=None: form(pattern, clock.localtime() if t is None else t)
    calendar: Any = datetime
    calendar.datetime, calendar.date = _later_moment(datetime.datetime), _later_day(datetime.date)


def furnish(folder: str) -> None:
    """Somebody works here: who looks around in the working directory finds something."""
    inner = os.path.join(folder, "shelf")
    os.makedirs(inner, exist_ok=True)
    for name in (os.path.join(folder, "notes.txt"), os.path.join(inner, "notes.py")):
        with open(name, "w") as file:
            file.write("x = 1\n")


class _Lateness:
    """How much later it gets on a busy machine: a while for each look at the clock."""

    def __init__(self) -> None:
        self._looks = 0

    def more(self) -> float:
        self._looks += 1
        return self._looks * A_WHILE

    def added_to(self, ask: Callable[[], Any], unit: int) -> Callable[[], Any]:
        """A clock of that machine, whole if the real one is."""
        return lambda: (now := ask()) + type(now)(self.more() * unit)


class _Passing(type):
    """A class that takes the objects of another one for its own."""

    real: type

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, cls.real)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, cls.real)


def _later_moment(kind: type[datetime.datetime]) -> type:
    shift = datetime.timedelta(seconds=SHIFT)

    class Moment(kind, metaclass=_Passing):  # type: ignore[valid-type,misc]
        real = stands_for_another_day = kind

        def __new__(cls, *args: Any, **named: Any) -> Any:
            return kind(*args, **named) if cls is Moment else kind.__new__(cls, *args, **named)

        @classmethod
        def now(cls, tz: Any = None) -> datetime.datetime:
            return kind.now(tz) + shift

        @classmethod
        def today(cls) -> datetime.datetime:
            return kind.today()  # it asks `time.time`, which is moved already

        @classmethod
        def utcnow(cls) -> datetime.datetime:
            return kind.now(datetime.UTC).replace(tzinfo=None) + shift

    Moment.__name__, Moment.__qualname__, Moment.__module__ = (
        kind.__name__,
        kind.__qualname__,
        kind.__module__,
    )
    return Moment


def _later_day(kind: type[datetime.date]) -> type:
    class Day(kind, metaclass=_Passing):  # type: ignore[valid-type,misc]
        real = stands_for_another_day = kind

        def __new__(cls, *args: Any, **named: Any) -> Any:
            return kind(*args, **named) if cls is Day else kind.__new__(cls, *args, **named)

        @classmethod
        def today(cls) -> datetime.date:
            return kind.today()  # it asks `time.time`, which is moved already

    Day.__name__, Day.__qualname__, Day.__module__ = kind.__name__, kind.__qualname__, kind.__module__
    return Day
