"""What the guard refuses and what it lets through. An audit hook stays for good, so: in a child."""

from __future__ import annotations

import pytest

from tests.unit.conftest import Isolated

GUARD = """
from tanteo.execute.guard import Guard, RefusedError
guard = Guard(scratch, frozenset({allow!r}))
guard.install()

def attempt(name, action):
    try:
        action()
        happened = "done"
    except RefusedError:
        happened = "refused"
    except Exception as error:
        happened = type(error).__name__
    found[name] = [happened, guard.look()]
"""

WRITES = """
import pathlib, shutil, sqlite3, tempfile
attempt("open", lambda: open(outside + "/new", "w"))
attempt("append", lambda: open(outside + "/precious", "a"))
attempt("update", lambda: open(outside + "/precious", "r+"))
attempt("os.open", lambda: os.open(outside + "/new", os.O_WRONLY | os.O_CREAT))
attempt("path", lambda: pathlib.Path(outside, "new").write_text("x"))
attempt("bytes", lambda: open((outside + "/new").encode(), "wb"))
attempt("dots", lambda: open(scratch + "/../outside/new", "w"))
attempt("beside", lambda: open(scratch + "-not/new", "w"))
attempt("remove", lambda: os.remove(outside + "/precious"))
attempt("rename", lambda: os.rename(outside + "/precious", scratch + "/mine"))
attempt("rename out", lambda: os.rename(scratch + "/home", outside + "/home"))
attempt("mkdir", lambda: os.mkdir(outside + "/new"))
attempt("rmdir", lambda: os.rmdir(outside))
attempt("rmtree", lambda: shutil.rmtree(outside))
attempt("symlink", lambda: os.symlink("/", outside + "/link"))
attempt("truncate", lambda: os.truncate(outside + "/precious", 0))
attempt("chmod", lambda: os.chmod(outside + "/precious", 0))
attempt("utime", lambda: os.utime(outside + "/precious"))
attempt("copy", lambda: shutil.copyfile("/dev/null", outside + "/new"))
attempt("sqlite", lambda: sqlite3.connect(outside + "/new"))
"""


def test_writing_outside_is_refused(isolated: Isolated) -> None:
    found = isolated(GUARD.format(allow=()) + WRITES)
    assert len(found) == 20
    assert {name: happened for name, (happened, _) in found.items() if happened != "refused"} == {}
    assert all("outside the scratch directory" in reason for _, reason in found.values())


LISTINGS = """
import pathlib
def look(name, action):
    guard.looked_elsewhere = False
    action()
    found[name] = guard.looked_elsewhere
look("root", lambda: os.listdir("/"))
look("walk", lambda: next(os.walk(outside)))
look("bytes", lambda: list(os.scandir(outside.encode())))
look("ours", lambda: os.listdir(scratch))
look("here", lambda: os.listdir())
look("path", lambda: list(pathlib.Path(scratch, "home").iterdir()))
look("python", lambda: os.listdir(os.path.dirname(os.__file__)))
"""


def test_who_lists_folders_of_others_is_noted(isolated: Isolated) -> None:
    found = isolated(GUARD.format(allow=()) + LISTINGS)
    assert {name for name, noted in found.items() if noted} == {"root", "walk", "bytes"}


def test_a_link_out_of_the_scratch_directory_does_not_help(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=())
        + """
os.symlink(outside, scratch + "/link")
attempt("through", lambda: open(scratch + "/link/new", "w"))
"""
    )
    assert found["through"][0] == "refused"


def test_writing_inside_is_allowed_and_noted(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=())
        + """
import sqlite3, tempfile
found["calm"] = guard.disturbed
attempt("memory", lambda: sqlite3.connect(":memory:").close())
attempt("null", lambda: open("/dev/null", "w").close())
attempt("read", lambda: open(outside + "/precious").close())
attempt("list", lambda: os.listdir(outside))
found["still calm"] = guard.disturbed
attempt("open", lambda: open(scratch + "/new", "w").close())
found["disturbed"] = guard.disturbed
attempt("relative", lambda: open("here", "w").close())
attempt("mkdir", lambda: os.mkdir(scratch + "/folder"))
attempt("rename", lambda: os.rename(scratch + "/new", scratch + "/folder/new"))
attempt("remove", lambda: os.remove(scratch + "/folder/new"))
attempt("temporary", lambda: tempfile.TemporaryFile(dir=scratch + "/home").close())
"""
    )
    assert (found.pop("calm"), found.pop("still calm"), found.pop("disturbed")) == (False, False, True)
    assert {name: what for name, what in found.items() if what != ["done", None]} == {}


def test_sockets_programs_signals_and_the_keyboard_are_refused(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=())
        + """
import multiprocessing, signal, socket, subprocess, urllib.request
attempt("connect", lambda: socket.create_connection(("127.0.0.1", 9)))
attempt("connect_ex", lambda: socket.socket().connect_ex(("127.0.0.1", 9)))
attempt("bind", lambda: socket.socket().bind(("127.0.0.1", 0)))
attempt("lookup", lambda: socket.getaddrinfo("localhost", 80))
attempt("datagram", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)))
attempt("url", lambda: urllib.request.urlopen("http://127.0.0.1:9/"))
attempt("run", lambda: subprocess.run(["true"]))
attempt("system", lambda: os.system("true"))
attempt("exec", lambda: os.execv("/bin/true", ["true"]))
attempt("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("fork", lambda: os.fork())
attempt("kill", lambda: os.kill(os.getpid(), signal.SIGKILL))
attempt("killpg", lambda: os.killpg(0, signal.SIGKILL))
attempt("input", lambda: input())
attempt("stream", lambda: open(1, "w", closefd=False))
"""
    )
    assert {name: happened for name, (happened, _) in found.items() if happened != "refused"} == {}
    for names, words in (
        (("connect", "bind", "lookup", "datagram", "url"), "use the network"),
        (("run", "system", "exec", "spawn", "fork"), "start a program"),
        (("kill", "killpg"), "send a signal"),
        (("input",), "read from the keyboard"),
        (("stream",), "open a standard stream"),
    ):
        assert all(words in found[name][1] for name in names)


def test_what_was_allowed_is_not_refused(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=("write", "network", "subprocess"))
        + """
import signal, socket, subprocess
attempt("write", lambda: open(outside + "/new", "w").close())
attempt("bind", lambda: socket.socket().bind(("127.0.0.1", 0)))
attempt("run", lambda: subprocess.run(["true"]))
attempt("kill", lambda: os.kill(os.getpid(), signal.SIGKILL))
attempt("input", lambda: input())
"""
    )
    assert {name: happened for name, (happened, _) in found.items()} == {
        "write": "done",
        "bind": "done",
        "run": "done",
        "kill": "refused",
        "input": "refused",
    }


def test_a_look_forgets_and_an_inactive_guard_sleeps(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=())
        + """
attempt("first", lambda: os.mkdir(outside + "/new"))
found["again"] = guard.look()
guard.active = False
attempt("asleep", lambda: os.mkdir(outside + "/new"))
guard.active = True
attempt("awake", lambda: os.rmdir(outside + "/new"))
found["exists"] = os.path.isdir(outside + "/new")
os.chdir(scratch)
found["moved"] = guard.disturbed
guard.disturbed = False
os.environ["TANTEO_TEST"] = "1"
found["environment"] = guard.disturbed
guard.disturbed = False
del os.environ["TANTEO_TEST"]
found["unset"] = guard.disturbed
"""
    )
    assert found["first"][0] == "refused"
    assert found["again"] is None
    assert found["asleep"] == ["done", None]
    assert found["awake"][0] == "refused"
    assert found["exists"]
    assert (found["moved"], found["environment"], found["unset"]) == (True, True, True)


def test_the_subject_cannot_swallow_a_refusal(isolated: Isolated) -> None:
    found = isolated(
        GUARD.format(allow=())
        + """
def quiet():
    try:
        open(outside + "/new", "w")
    except OSError:
        pass
attempt("quiet", quiet)
"""
    )
    happened, reason = found["quiet"]
    assert happened == "done"
    assert reason.endswith("write outside the scratch directory")


LANDLOCK = """
import socket
from tanteo.execute.guard import restrict

def attempt(name, action):
    try:
        action()
        found[name] = "done"
    except OSError as error:
        found[name] = type(error).__name__

found["available"] = restrict(scratch, frozenset({allow!r}))
attempt("inside", lambda: os.close(os.open(scratch + "/new", os.O_WRONLY | os.O_CREAT)))
attempt("null", lambda: os.close(os.open("/dev/null", os.O_WRONLY)))
attempt("read", lambda: os.close(os.open(outside + "/precious", os.O_RDONLY)))
attempt("write", lambda: os.close(os.open(outside + "/precious", os.O_WRONLY)))
attempt("create", lambda: os.close(os.open(outside + "/new", os.O_WRONLY | os.O_CREAT)))
attempt("remove", lambda: os.remove(outside + "/kept"))
child = os.fork()
if child == 0:
    try:
        os.mkdir(outside + "/from_child")
        os._exit(0)
    except OSError:
        os._exit(1)
found["child"] = os.waitpid(child, 0)[1] == 0
"""


def test_the_kernel_refuses_writes_outside(isolated: Isolated) -> None:
    found = isolated("open(outside + '/kept', 'w').close()\n" + LANDLOCK.format(allow=()))
    if not found.pop("available"):
        pytest.skip("no Landlock in this kernel")
    assert found == {
        "inside": "done",
        "null": "done",
        "read": "done",
        "write": "PermissionError",
        "create": "PermissionError",
        "remove": "PermissionError",
        "child": False,
    }


def test_the_kernel_lets_through_what_was_allowed(isolated: Isolated) -> None:
    found = isolated("open(outside + '/kept', 'w').close()\n" + LANDLOCK.format(allow=("write",)))
    found.pop("available")
    assert {name: what for name, what in found.items() if what not in ("done", True)} == {}
