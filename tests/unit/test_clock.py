"""The same time in every run; it changes the process: in a child."""

from __future__ import annotations

from tests.unit.conftest import Isolated

CLOCK = """
import asyncio, threading, time
real, sleep = time.monotonic, time.sleep
from tanteo.execute.clock import Clock
clock = Clock()
"""


def test_outside_of_runs_it_is_the_real_one(isolated: Isolated) -> None:
    found = isolated(CLOCK + 'found["off"] = abs(time.monotonic() - real())\nfound["day"] = time.time()')
    assert found["off"] < 1
    assert found["day"] > 1_600_000_000


def test_every_run_sees_the_same_moments(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
clock.running = True
for name in ("one", "two"):
    clock.start()
    found[name] = [time.time(), time.monotonic(), time.perf_counter_ns(), time.time_ns()]
"""
    )
    assert found["one"] == found["two"]
    assert found["one"][0] == 1_000_000_000.001
    assert found["one"][3] - found["one"][2] == 1_000_000


def test_sleeping_is_counted_but_takes_no_time(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
clock.running = True
clock.start()
began = real()
first = time.time()
time.sleep(60)
found["shown"], found["took"] = time.time() - first, real() - began
"""
    )
    assert 60 <= found["shown"] < 60.1
    assert found["took"] < 5


def test_other_threads_and_event_loops_wait_for_real(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
clock.running = True
clock.start()
def ask():
    found["thread"] = abs(time.monotonic() - real())
thread = threading.Thread(target=ask)
thread.start()
thread.join()
began = real()
asyncio.run(asyncio.sleep(0.05))
found["took"] = real() - began
"""
    )
    assert found["thread"] < 1
    assert 0.04 < found["took"] < 5


def test_chance_from_the_system_is_the_same_each_time(isolated: Isolated) -> None:
    found = isolated(
        """
import random, secrets, uuid
from tanteo.execute.surroundings import SEED, replace_random
dice = replace_random()
for name in ("one", "two"):
    dice.seed(SEED)
    dice.thrown = False
    drawn = [str(uuid.uuid4()), secrets.token_hex(4), random.SystemRandom().random(), os.urandom(3).hex()]
    found[name] = drawn
    found[name + " thrown"] = dice.thrown
"""
    )
    assert found["one"] == found["two"]
    assert found["one thrown"] is True
