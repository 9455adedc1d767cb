"""A plug-in for the pytest that validates written tests; copied to where it runs, so it stands alone.

Notes which test is under way and which leave the subject changed behind them, and ends those that do not
come back.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
from types import FrameType
from typing import Any

UNDER_WAY, LEAVING = "under_way.txt", "leaving.txt"
SUBJECT = "TANTEO_SUBJECT"  # its packages, in the environment
ORDER = "TANTEO_ORDER"  # the seed of another order than that in the files
FIRST = "first.txt"  # tests that come first in that order, as file::name without parameters
PATIENCE = 5.0  # seconds for one test; those that were recorded took less than one
PLAIN = (type(None), bool, int, float, str, bytes)
HERE = os.path.dirname(__file__)
PACKAGES = frozenset(os.environ.get(SUBJECT, "").split())

Globals = dict[tuple[str, ...], object]


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Shuffle, row by row; those that leave the subject changed come first, the last one first every second
    time."""
    if ORDER in os.environ:
        seed = int(os.environ[ORDER])
        with open(os.path.join(HERE, FIRST)) as file:
            first = set(file.read().splitlines())
        leading = [item for item in items if plain_name(item) in first]
        others = [item for item in items if plain_name(item) not in first]
        random.Random(seed).shuffle(others)
        items[:] = [*(leading[::-1] if seed % 4 < 2 else leading), *others]  # of even seeds


def plain_name(item: Any) -> str:
    """The test, whatever its row."""
    return f"{item.path.name}::{item.name.partition('[')[0]}"


def pytest_runtest_protocol(item: Any, nextitem: Any) -> None:
    """A test begins."""
    item.threads_before = threading.active_count()
    item.globals_before = globals_of_the_subject()
    random.seed(f"{os.environ.get('PYTHONHASHSEED')} {item.name}")  # chance decides the same each time
    with open(os.path.join(HERE, UNDER_WAY), "w") as file:
        file.write(f"{item.path}::{item.name}")
    signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)


def pytest_runtest_teardown(item: Any, nextitem: Any) -> None:
    """A test has run."""
    if has_changed(item.globals_before, globals_of_the_subject()):
        with open(os.path.join(HERE, LEAVING), "a") as file:
            file.write(f"{item.path}::{item.name}\n")
    if threading.active_count() > item.threads_before:
        raise RuntimeError("left a thread running, which disturbs others")


def pytest_runtest_logfinish(nodeid: str, location: Any) -> None:
    """A test is over."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def late(number: int, frame: FrameType | None) -> None:
    """The signal that a test takes too long."""
    raise TimeoutError("did not come back")


def globals_of_the_subject() -> Globals:
    """What the names of its modules stand for, and what it keeps for the thread."""
    found: Globals = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            found[name, ""] = module
            for key, value in list(getattr(module, "__dict__", {}).items()):
                found[name, key] = value
                if isinstance(value, threading.local):
                    found.update({(name, key, inner): held for inner, held in vars(value).items()})
    return found


def has_changed(before: Globals, after: Globals) -> bool:
    """Whether a name stands for something else; modules that were imported only now do not count."""
    known = [(key, value) for key, value in after.items() if (key[0], "") in before]
    return any(key not in before or differ(before[key], value) for key, value in known)


def differ(one: object, other: object) -> bool:
    """Whether these are two things; numbers and texts may be made anew."""
    return one is not other and not (type(one) in PLAIN and type(one) is type(other) and one == other)
