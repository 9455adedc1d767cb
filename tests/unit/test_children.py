"""Nobody is left behind."""

from __future__ import annotations

from tests.unit.conftest import Isolated


def test_a_child_that_waits_ends_with_its_parent(isolated: Isolated) -> None:
    found = isolated(
        """
import os, signal, time
from tanteo.execute.children import fork

reading, writing = os.pipe()
parent = os.fork()
if parent == 0:
    if fork() == 0:
        os.write(writing, b"up")
        time.sleep(60)
        os._exit(0)
    time.sleep(60)
    os._exit(0)
os.close(writing)
found["up"] = os.read(reading, 2).decode()
os.kill(parent, signal.SIGKILL)
os.waitpid(parent, 0)
began = time.monotonic()
found["rest"] = os.read(reading, 2).decode()  # until nobody has the other end
found["seconds"] = time.monotonic() - began
"""
    )
    assert (found["up"], found["rest"]) == ("up", "")
    assert found["seconds"] < 10


def test_on_one_core_an_explorer_gives_way(isolated: Isolated) -> None:
    found = isolated("""
        from tanteo.execute.children import MODEST, give_way, has_one_core
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[:1])
        found["one"] = has_one_core()
        before = os.nice(0)
        give_way()
        found["nicer"] = os.nice(0) - before == MODEST
        found["leads"] = os.getsid(0) == os.getpid()
    """)
    assert found == {"one": True, "nicer": True, "leads": True}
