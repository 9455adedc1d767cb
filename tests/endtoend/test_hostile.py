"""Subjects that hang, crash, leave, eat memory, wreck their directory, and a driver that is killed."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tanteo.store.database import Database
from tests.conftest import EXAMPLES, Tanteo, read_json

HOSTILE = str(EXAMPLES / "hostile")
CULPRITS = {
    "hostile.segfault.peek": "crashed",
    "hostile.leaves.give_up": "crashed",
    "hostile.loop_in_c.has_zero": "hung",
    "hostile.wrecker.start_over": "refused",
    "hostile.socket_user.discard_service_answers": "refused",
}


def snapshot(folder: Path) -> dict[str, str]:
    """Every file below a folder with its content."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """One run over the whole package, in a home directory with something to lose."""
    home = tmp_path_factory.mktemp("home")
    (home / "precious.txt").write_text("do not touch")
    shutil.copytree(HOSTILE, home / "hostile", ignore=shutil.ignore_patterns("__pycache__"))
    before = snapshot(home)
    work = tmp_path_factory.mktemp("work")
    command = [sys.executable, "-m", "tanteo", "generate", str(home / "hostile"), "--time", "40"]
    command += ["--json", "out.json", "--quiet", "--memory", "512"]
    environment = {**os.environ, "HOME": str(home)}
    began = time.monotonic()
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - began < 44
    assert "Traceback" not in done.stdout + done.stderr
    assert snapshot(home) == before
    assert sorted(os.listdir(work)) == [".tanteo", "out.json", "tests"]
    return read_json(work / "out.json"), work


@pytest.mark.parametrize(("name", "column"), sorted(CULPRITS.items()))
def test_each_culprit_is_named(hostile: tuple[dict[str, Any], Path], name: str, column: str) -> None:
    row = next(r for r in hostile[0]["operations"] if r["name"] == name)
    assert row[column] > 0
    assert row["note"]


def test_who_eats_memory_is_named(hostile: tuple[dict[str, Any], Path]) -> None:
    row = next(r for r in hostile[0]["operations"] if r["name"] == "hostile.memory_hog.reserve")
    assert row["note"] or row["hung"]


def test_an_import_that_hangs_is_named(hostile: tuple[dict[str, Any], Path]) -> None:
    reasons = {s["name"]: s["reason"] for s in hostile[0]["skipped"]}
    assert "did not end" in reasons["hostile.import_hangs"]


def test_crashes_are_faults_and_hangs_are_suspicious(hostile: tuple[dict[str, Any], Path]) -> None:
    levels = {f["operation"]: (f["kind"], f["level"]) for f in hostile[0]["faults"]}
    assert levels["hostile.segfault.peek"] == ("crash", "fault")
    assert levels["hostile.loop_in_c.has_zero"] == ("hang", "suspicious")


def test_a_crash_that_does_not_happen_again_alone_is_suspicious(tmp_path: Path, tanteo: Tanteo) -> None:
    wears_out = """
import ctypes

CALLS = []

def turn(n: int) -> int:
    CALLS.append(n)
    if len(CALLS) > 200:
        ctypes.string_at(0)
    return n + 1
"""
    (tmp_path / "wears_out.py").write_text(wears_out)
    command = ("generate", "wears_out.py", "--steps", "1500", "--out", "written", "--json", "out.json")
    assert tanteo(*command).returncode == 0
    (fault,) = (f for f in read_json(tmp_path / "out.json")["faults"] if f["kind"] == "crash")
    assert fault["level"] == "suspicious"
    assert fault["reason"].endswith("did not happen again")
    assert fault["test"] is None


def test_everything_else_is_still_tested(hostile: tuple[dict[str, Any], Path]) -> None:
    report = hostile[0]
    for row in report["operations"]:
        if row["name"] not in CULPRITS and row["name"] != "hostile.memory_hog.reserve":
            assert row["normal"] > 0, row["name"]
    assert report["coverage"]["arms_covered"] > 0.8 * report["coverage"]["arms_total"]


def test_scratch_directory_is_gone(hostile: tuple[dict[str, Any], Path]) -> None:
    assert not (hostile[1] / ".tanteo" / "scratch").exists()


SPOILERS = """
import locale, os, sys, threading, time, signal, warnings

def exits(n: int) -> int:
    sys.exit(n)

def recursion(n: int) -> int:
    sys.setrecursionlimit(100_000 + n)
    return n

def path(n: int) -> int:
    sys.path.clear()
    return n

def place(n: int) -> int:
    os.chdir("/")
    os.environ["LEFT_BEHIND"] = "1"
    return n

def thread(n: int) -> int:
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return n

def deaf(n: int) -> int:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    return n

def silent(n: int) -> int:
    sys.stdout = sys.stderr = None
    return n

def sleepy(n: int) -> int:
    threading.Event().wait(3600)
    return n

def napping(n: int) -> int:
    time.sleep(3600)
    return n

def stubborn(n: int) -> int:
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass

def witness(n: int) -> str:
    assert len(sys.path) > 0
    return f"{os.getcwd() != '/'} {sys.getrecursionlimit() < 90_000} {'LEFT_BEHIND' in os.environ}"

def greet(n: int) -> None:
    print("hello", n)
    os.write(1, b"raw hello")
"""


def test_what_a_run_leaves_behind_is_put_back(tanteo: Tanteo, tmp_path: Path) -> None:
    (tmp_path / "spoilers.py").write_text(SPOILERS)
    options = ("--time", "25", "--call-timeout", "0.3", "--json", "out.json")
    done = tanteo("generate", "spoilers.py", *options)
    assert done.returncode == 0, done.stderr
    assert "hello" not in done.stdout
    report = read_json(tmp_path / "out.json")
    rows = {r["name"].rpartition(".")[2]: r for r in report["operations"]}
    assert rows["exits"]["invalid"] > 0 and "SystemExit" in rows["exits"]["note"]
    assert rows["sleepy"]["hung"] > 0
    assert rows["napping"]["hung"] == 0 and rows["napping"]["normal"] > 0  # nobody waits while exploring
    assert rows["stubborn"]["hung"] > 0
    assert rows["thread"]["invalid"] > 0
    assert rows["greet"]["normal"] > 50
    assert rows["witness"]["normal"] > 50
    database = Database(tmp_path / ".tanteo")
    failed = [row for row in database.kept() if row.outcome.startswith("AssertionError")]
    database.close()
    assert all(row.code.count(b"\n") > 2 for row in failed)  # only where the same sequence spoiled it


def saved(folder: Path) -> tuple[int, int, float]:
    """Sequences kept, steps made, and when that was written."""
    database = Database(folder / ".tanteo")
    try:
        tally = database.fact("tally")
        return len(database.kept()), sum(job["step"] for job in tally["jobs"]), database.fact("saved_at")
    finally:
        database.close()


def test_kill_of_the_driver_loses_less_than_a_second_and_can_be_resumed(
    tanteo: Tanteo, tmp_path: Path
) -> None:
    """Twenty kills at random moments: work only grows, nobody survives the driver, a resume goes on."""
    rng = random.Random(1)
    options = ["generate", str(EXAMPLES / "shop"), "--steps", "10000000", "--quiet"]
    kept = steps = 0
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-m", "tanteo", *options], cwd=tmp_path)
        time.sleep(4 + rng.random())
        process.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        process.wait()
        kept_now, steps_now, written = saved(tmp_path)
        assert killed - written < 1
        assert kept_now >= kept and steps_now > steps
        kept, steps = kept_now, steps_now
    time.sleep(0.3)
    assert not explorers_of(tmp_path)
    done = tanteo(*options[:-1], "--time", "3", "--json", "out.json", "--resume")
    assert done.returncode == 0, done.stderr
    assert "going on with an unfinished session" in done.stdout
    report = read_json(tmp_path / "out.json")
    assert report["sequences"]["kept"] >= kept
    assert report["sequences"]["executed"] > steps


def explorers_of(folder: Path) -> list[str]:
    """Processes whose command line names the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = process.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(folder) in line:
            found.append(line)
    return found
