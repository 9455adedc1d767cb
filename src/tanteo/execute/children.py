"""Children that end with their parent, whatever the subject has them wait for."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from os import getpid, getppid  # the subject may see other numbers

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


def die_with_parent() -> None:
    """Nobody must be left behind when the driver is killed."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PARENT_DEATH, signal.SIGKILL, 0, 0, 0)
