"""A plug-in for the pytest that validates written tests; copied to where it runs, so it stands alone.

Notes which test is under way, which have passed and which leave the subject changed behind them, and ends
those that do not come back.
"""

from __future__ import annotations

import gc
import os
import random
import re
import shutil
import signal
import sys
import threading
from collections import Counter
from types import FrameType
from typing import Any

UNDER_WAY, LEAVING, PASSED = "under_way.txt", "leaving.txt", "passed.txt"
WORK = "work"  # a folder beside this file, in which the tests run unless they run in the project
SUBJECT = "TANTEO_SUBJECT"  # its packages, in the environment
ORDER = "TANTEO_ORDER"  # the seed of another order than that in the files
FIRST = "first.txt"  # tests that come first in that order, as file::name without parameters
PATIENCE = 5.0  # seconds for one test; those that were recorded took less than one
CACHE = re.compile("cache|memo", re.IGNORECASE)  # what is in there makes no difference
CONTAINERS: tuple[Any, ...] = (list, dict, set)
PLAIN = (type(None), bool, int, float, str, bytes)
HERE = os.path.dirname(__file__)
PACKAGES = frozenset(os.environ.get(SUBJECT, "").split())

LOCALS: list[threading.local] = []
ROWS: Counter[str] = Counter()  # of each test, that have not passed yet
FAILED: set[str] = set()

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
    item.globals_before, item.files_before = globals_of_the_subject(), files()
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
    left = [os.path.join(HERE, WORK, name) for name in files() - item.files_before]
    for path in left:
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
    if left:
        raise RuntimeError("left files behind")
    if threading.active_count() > item.threads_before:
        raise RuntimeError("left a thread running, which disturbs others")


# As `pytest.hookimpl` does it: fixtures are torn down first, or the next test would find them. Without the
# import, because our own side reads this file, too, and pytest takes long to load.
pytest_runtest_teardown.pytest_impl = {"trylast": True}  # type: ignore[attr-defined]


def pytest_runtest_logfinish(nodeid: str, location: Any) -> None:
    """A test is over."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_runtest_logreport(report: Any) -> None:
    """A test has passed if all of its rows have; nobody knows how much time there is for the others."""
    path, _, row = report.location  # what stands outside of its root has ids without files
    plain = f"{os.path.basename(path)}::{row.partition('[')[0]}"
    if report.when == "teardown" and report.passed and plain not in FAILED:
        ROWS[plain] -= 1
        if not ROWS[plain]:
            with open(os.path.join(HERE, PASSED), "a") as notes:
                notes.write(f"{plain}\n")
    elif report.failed:
        FAILED.add(plain)


def files() -> set[str]:
    """What is in the folder that the tests run in, if it is ours."""
    return set(os.listdir(os.path.join(HERE, WORK)))


def late(number: int, frame: FrameType | None) -> None:
    """The signal that a test takes too long."""
    raise TimeoutError("did not come back")


def pytest_collection_finish(session: Any) -> None:
    """What is kept for the thread may hide where no name leads to."""
    ROWS.update(plain_name(item) for item in session.items)
    LOCALS.extend(thing for thing in gc.get_objects() if isinstance(thing, threading.local))


def globals_of_the_subject() -> Globals:
    """What the names of its modules stand for, what its classes and global objects hold, and what is kept for
    the thread; of containers that these hold, how much is in them."""
    found: Globals = {("thread", ""): None}
    for number, local in enumerate(LOCALS):
        note(found, ("thread", str(number)), vars(local))
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            found[name, ""] = module
            inside = getattr(module, "__dict__", {})
            note(found, (name,), inside)
            for key, value in list(inside.items()):
                home = getattr(value, "__module__", None) if isinstance(value, type) else None
                if home == name or (home is None and is_ours(value)):
                    note(found, (name, key), getattr(value, "__dict__", {}))
                    kind = next((k for k in CONTAINERS if issubclass(type(value), k)), None)
                    if kind is not None:  # a stack of applications that is a list itself
                        found[name, key, "length"] = kind.__len__(value)
    return found


def is_ours(value: object) -> bool:
    """Whether it is an object of a class of the subject."""
    return str(type(value).__module__).partition(".")[0] in PACKAGES


def note(found: Globals, place: tuple[str, ...], inside: Any) -> None:
    """What the names of a module, a class or an object stand for; what fills up in a module is a cache."""
    for key, value in list(inside.items()):
        found[*place, str(key)] = value
        if len(place) > 1 and type(value) in CONTAINERS and not CACHE.search(str(key)):
            found[*place, str(key), "length"] = len(value)


def has_changed(before: Globals, after: Globals) -> bool:
    """Whether a name stands for something else; modules that were imported only now do not count."""
    known = [(key, value) for key, value in after.items() if (key[0], "") in before]
    return any(key not in before or differ(before[key], value) for key, value in known)


def differ(one: object, other: object) -> bool:
    """Whether these are two things; numbers and texts may be made anew."""
    return one is not other and not (type(one) in PLAIN and type(one) is type(other) and one == other)
