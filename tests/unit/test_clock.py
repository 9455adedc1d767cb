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


def test_event_loops_do_not_wait_for_a_moment_to_come(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
clock.running = True
clock.start()
async def wait():
    before = asyncio.get_running_loop().time(), time.time()
    result = await asyncio.wait_for(asyncio.sleep(60, "woken"), 90)
    return result, asyncio.get_running_loop().time() - before[0], time.time() - before[1]
began = real()
found["result"], found["loop"], found["shown"] = asyncio.run(wait())
found["thread"] = asyncio.run(asyncio.to_thread(lambda: "done"))
found["took"] = real() - began
"""
    )
    assert found["result"] == "woken"
    assert found["thread"] == "done"
    assert 60 <= found["loop"] < 65
    assert 60 <= found["shown"] < 65
    assert found["took"] < 5


def test_who_sleeps_again_and_again_hangs(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
from tanteo.execute.interpret import Hung
clock.running = True
for run in ("short", "long"):
    clock.start()
    try:
        for _ in range(50 if run == "short" else 5000):
            time.sleep(1)
        found[run] = "came back"
    except Hung as error:
        found[run] = str(error)
"""
    )
    assert found == {"short": "came back", "long": "still waiting after it has slept 100 times"}


def test_an_event_loop_that_nobody_can_wake_is_stuck(isolated: Isolated) -> None:
    found = isolated(
        CLOCK
        + """
from tanteo.execute.interpret import Hung
from tanteo.operators import run_coroutine
clock.running = True
clock.start()
async def never():
    await asyncio.Event().wait()
async def sooner_or_later():
    event = asyncio.Event()
    loop = asyncio.get_running_loop()
    thread = threading.Thread(target=lambda: (sleep(0.1), loop.call_soon_threadsafe(event.set)))
    thread.start()
    await event.wait()
    thread.join()
    return "woken"
began = real()
try:
    run_coroutine(never())
except Hung as error:
    found["never"] = str(error)
found["took"] = real() - began
found["woken"] = run_coroutine(sooner_or_later())
"""
    )
    assert found["never"] == "waits for something that never comes"
    assert found["took"] < 1
    assert found["woken"] == "woken"


def test_other_threads_wait_for_real(isolated: Isolated) -> None:
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
"""
    )
    assert found["thread"] < 1


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
