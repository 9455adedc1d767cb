"""What a run leaves behind is put back before the next one. It changes the process: in a child."""

from __future__ import annotations

import random

from tests.unit.conftest import Isolated

WORLD = """
import locale, random, shutil, threading, time, warnings
from tanteo.execute.guard import Guard
from tanteo.execute.surroundings import Surroundings, replace_random
from tanteo.execute.timer import Timer
from tanteo.model import Literal, say, sequence

os.environ["KEPT"] = "kept"
home = scratch + "/home"
announced = []
dice = replace_random()
guard, timer = Guard(scratch), Timer(1.0)
guard.install()
world = Surroundings(home, guard, timer, dice, lambda step, s: announced.append([step, s.code.decode()]),
                     second_tries={second_tries})
timer.start()
ONE = sequence([say(Literal(1, "1"))])
"""


def world(script: str, second_tries: bool = False) -> str:
    return WORLD.format(second_tries=second_tries) + script


def test_a_run_that_changes_nothing_is_left_alone(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
before = sys.stdout
found["reason"] = world.restore()
found["same"] = sys.stdout is before
"""
        )
    )
    assert found == {"reason": None, "same": True}


def test_directory_and_environment_are_put_back(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
os.mkdir("folder")
open("folder/file", "w").close()
open("file", "w").close()
os.symlink("/", "link")
os.environ["ADDED"] = "added"
del os.environ["KEPT"]
os.chdir("/")
found["reason"] = world.restore()
found["place"] = os.getcwd() == os.path.realpath(home)
found["files"] = os.listdir()
found["kept"], found["added"] = os.environ.get("KEPT"), os.environ.get("ADDED")
found["disturbed"], found["active"] = guard.disturbed, guard.active
found["root"] = bool(os.listdir("/"))
"""
        )
    )
    assert found == {
        "reason": None,
        "place": True,
        "files": [],
        "kept": "kept",
        "added": None,
        "disturbed": False,
        "active": True,
        "root": True,
    }


def test_a_deleted_working_directory_is_made_again(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
os.chdir(scratch)
shutil.rmtree(home)
found["reason"] = world.restore()
found["place"] = os.getcwd() == os.path.realpath(home)
open("works", "w").close()
found["again"] = world.restore()
"""
        )
    )
    assert found == {"reason": "deleted its working directory", "place": True, "again": None}


def test_what_was_refused_is_told_once(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
try:
    open(outside + "/new", "w")
except PermissionError:
    pass
found["first"], found["second"] = world.restore(), world.restore()
"""
        )
    )
    assert found["first"].endswith("write outside the scratch directory")
    assert found["second"] is None


def test_interpreter_settings_are_put_back(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
limit, path, original = sys.getrecursionlimit(), list(sys.path), sys.path
sys.setrecursionlimit(5000)
sys.path.append("/nowhere")
world.restore()
found["limit"] = sys.getrecursionlimit() == limit
found["path"] = sys.path == path
sys.path = ["/elsewhere"]
world.restore()
found["object"] = sys.path is original and sys.path == path
import signal
signal.signal(signal.SIGALRM, signal.SIG_IGN)
world.restore()
found["timer"] = timer.is_ticking()
locale.setlocale(locale.LC_ALL, "C")
world.restore()
found["locale"] = locale.setlocale(locale.LC_CTYPE)
"""
        )
    )
    assert found == {"limit": True, "path": True, "object": True, "timer": True, "locale": "C.UTF-8"}


def test_filters_of_warnings_are_put_back(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
warnings.warn("quiet enough")
warnings.simplefilter("error")
world.restore()
try:
    warnings.warn("as before")
    found["raised"] = False
except UserWarning:
    found["raised"] = True
"""
        )
    )
    assert found == {"raised": False}


def test_the_standard_streams_take_everything_and_stay_open(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
first = sys.stdout
print("words \\ud800")
world.restore()
found["emptied"] = sys.stdout is not first
sys.stdout.close()
world.restore()
found["reopened"] = not sys.stdout.closed
sys.stderr = None
world.restore()
found["back"] = sys.stderr is sys.stdout
sys.stdout.buffer.write(b"bytes")
world.restore()
print("still here")
"""
        )
    )
    assert found == {"emptied": True, "reopened": True, "back": True}


def test_random_starts_anew_for_every_run_that_follows_a_throw(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
def throw(step):
    world.begin(step, ONE)
    thrown = [random.random(), random.randint(1, 1000), random.choice("abc"), random.gauss(0, 1)]
    items = list(range(20))
    random.shuffle(items)
    world.end()
    world.restore()
    return [*thrown, items, random.Random(3).random()]
found["first"], found["second"] = throw(1), throw(2)
found["bytes"] = []
for step in (3, 4):
    world.begin(step, ONE)
    found["bytes"].append([random.randbytes(4).hex(), random.sample(range(100), 3)])
"""
        )
    )
    assert found["first"] == found["second"]
    assert found["bytes"][0] == found["bytes"][1]


def test_a_run_that_only_sets_the_seed_leaves_nothing_behind(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
results = []
for step, seed in ((1, None), (2, 99), (3, None)):
    world.begin(step, ONE)
    if seed is not None:
        random.seed(seed)  # and throws nothing
    else:
        results.append(random.random())
    world.end()
    world.restore()
found["equal"] = results[0] == results[1]
world.begin(4, ONE)
random.setstate(random.Random(5).getstate())
world.begin(5, ONE)
found["after state"] = random.random() == results[0]
"""
        )
    )
    assert found == {"equal": True, "after state": True}


def test_who_is_in_flight_is_announced_and_timed(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
world.begin(7, ONE)
found["step"] = timer.step
world.end()
found["after"] = timer.step
found["announced"] = announced
"""
        )
    )
    assert found == {"step": 7, "after": 0, "announced": [[7, "=1\n"]]}


def test_a_second_try_is_granted_once_and_only_to_repeatable_runs(isolated: Isolated) -> None:
    script = """
world.begin(1, ONE)
found["tries"] = [world.grant_second_try(), timer.limit, world.grant_second_try()]
world.begin(2, ONE)
found["limit"] = timer.limit
"""
    assert isolated(world(script, True)) == {"tries": [True, 10.0, False], "limit": 1.0}
    assert isolated(world(script, False)) == {"tries": [False, 1.0, False], "limit": 1.0}


def test_threads(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
threading.Thread(target=time.sleep, args=(0.01,)).start()
found["ends soon"] = world.restore()
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
found["stays"] = world.restore()
found["known now"] = world.restore()
found["few"] = world.too_many_threads
for _ in range(9):
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
found["more"] = world.restore()
found["many"] = world.too_many_threads
"""
        )
    )
    assert found == {
        "ends soon": None,
        "stays": "left a thread running",
        "known now": None,
        "few": False,
        "more": "left a thread running",
        "many": True,
    }


def test_dice_that_nobody_has_seeded_fall_the_same_each_time(isolated: Isolated) -> None:
    found = isolated(
        world(
            """
import random

def throw():
    world.begin(1, ONE)
    thrown = [random.Random().random(), random.Random(5).random(), random.random()]
    world.end()
    world.restore()
    return thrown

found["first"], found["again"] = throw(), throw()
"""
        )
    )
    assert found["first"] == found["again"]
    assert found["first"][1] == random.Random(5).random()
    assert len(set(found["first"])) == 3
