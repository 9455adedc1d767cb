"""The timer ends what does not come back, and nothing else. Signals belong to a process: in a child."""

from __future__ import annotations

from tests.unit.conftest import Isolated

TIMER = """
import signal, time
from tanteo.execute.interpret import Hung, interpret
from tanteo.execute.timer import Timer
from tanteo.model import call, sequence

timer = Timer(0.1)

def spin(seconds=20):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def run(name, action, step):
    timer.step = step
    began = time.monotonic()
    try:
        action()
        found[name] = "done"
    except Hung as error:
        found[name] = str(error)
    timer.step = 0
    found[name + " seconds"] = time.monotonic() - began
"""


def test_a_loop_is_interrupted_and_the_next_run_starts_anew(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.start()
run("loop", spin, 1)
run("short", lambda: spin(0.05), 2)
run("loop again", spin, 3)
timer.stop()
run("stopped", lambda: spin(0.3), 4)
"""
    )
    assert found["loop"] == found["loop again"] == "still running after 0.1 s of processor time"
    assert 0.1 <= found["loop seconds"] < 5
    assert found["short"] == found["stopped"] == "done"


def test_nothing_is_interrupted_between_runs(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.start()
run("between", lambda: spin(0.4), 0)
for step in range(1, 9):
    run("many", lambda: spin(0.06), step)
"""
    )
    assert found["between"] == found["many"] == "done"


def test_what_waits_is_given_more_time_if_it_does_something(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.start()
timer.limit = 0.3
run("nap", lambda: time.sleep(0.05), 1)
run("sleep", lambda: time.sleep(20), 2)
def now_and_then():
    for _ in range(12):
        spin(0.01)
        time.sleep(0.09)
run("now and then", now_and_then, 3)
"""
    )
    assert found["nap"] == found["now and then"] == "done"
    assert found["sleep"] == "still waiting after 0.3 s"
    assert found["sleep seconds"] < 5


def test_a_subject_that_swallows_everything_is_told_again(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
swallowed = []
def stubborn():
    for _ in range(2):
        try:
            spin()
        except BaseException as error:
            swallowed.append(type(error).__name__)
    spin()
timer.start()
run("stubborn", stubborn, 1)
found["swallowed"] = swallowed
"""
    )
    assert found["swallowed"] == ["Hung", "Hung"]
    assert found["stubborn"].startswith("still running")


def test_a_handler_that_was_replaced_is_noticed(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.start()
found["ours"] = timer.is_ticking()
signal.signal(signal.SIGALRM, signal.SIG_IGN)
found["theirs"] = timer.is_ticking()
timer.start()
found["again"] = timer.is_ticking()
run("loop", spin, 1)
"""
    )
    assert (found["ours"], found["theirs"], found["again"]) == (True, False, True)
    assert found["loop"].startswith("still running")


def test_forgiveness_starts_the_count_again(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.limit = 0.2
timer.start()
def slow():
    for _ in range(4):
        spin(0.12)
        timer.forgive()
run("forgiven", slow, 1)
run("not forgiven", lambda: spin(0.6), 2)
"""
    )
    assert found["forgiven"] == "done"
    assert found["not forgiven"].startswith("still running")


def test_an_interrupted_run_has_an_outcome(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
timer.start()
timer.step = 1
outcome = interpret(sequence([call(1, ()), call(0, ())]), [spin, lambda: 7])
timer.step = 0
found["values"], found["error"] = outcome.values, type(outcome.error).__name__
"""
    )
    assert found == {"values": [7], "error": "Hung"}


def test_what_goes_round_in_a_circle_is_told_from_what_takes_long(isolated: Isolated) -> None:
    found = isolated(
        TIMER
        + """
def circle(step=0):
    now = 1
    while now < 5:
        now = now + step

def long():
    total = 0
    for n in range(10**9):
        total += n

def growing():
    items = []
    while True:
        items.append(None)

timer.limit = 0.5
timer.start()
for number, action in enumerate((circle, long, growing), 1):
    timer.step = number
    found[action.__name__] = interpret(sequence([call(0, ())]), [action]).error.repeats
"""
    )
    assert found == {"circle": True, "long": False, "growing": False}
