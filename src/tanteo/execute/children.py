"""Children that end with their parent, whatever the subject has them wait for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from os import getpid, getppid  # the subject may see other numbers

MODEST = 5  # of 19: about a quarter of the core
PARENT_DEATH = 1  # PR_SET_PDEATHSIG


def fork() -> int:
    """As `os.fork`, but nobody is left behind if this process is killed."""
    parent = getpid()
    child = os.fork()
    if child == 0:
        die_with_parent()
        if getppid() != parent:  # it was killed meanwhile
            os._exit(1)
    return child


def has_one_core() -> bool:
    """Whether everything shares one core: then exploring and the writing of tests wait for each other."""
    return hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1


def give_way() -> None:
    """Others have the processor first, if there is one core for all: exploring goes on beside the writing.

    A session of its own, because Linux shares out the processor among sessions before it looks at what is
    nice; `yield_to_others` tells it of this one.
    """
    if has_one_core():
        with contextlib.suppress(OSError):  # it leads one already
            os.setsid()
        os.nice(MODEST)


def yield_to_others(process: int) -> None:
    """The same for the session of another process, from outside: it may not write where this is said."""
    if has_one_core():
        with contextlib.suppress(OSError), open(f"/proc/{process}/autogroup", "w") as group:
            group.write(str(MODEST))


def die_with_parent() -> None:
    """Nobody must be left behind when the driver is killed."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
