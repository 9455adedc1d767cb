"""Real pytest runs over files: what passes, what fails, and what stops pytest itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tanteo.emit.validate import Bench, Result, find_tools, has_own_configuration

GOOD = "def test_good():\n    assert 1 + 1 == 2\n"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Bench(sys.executable, scratch, (str(tmp_path),), ("subject",), find_tools(sys.executable))


def run(bench: Bench, source: str, limit: float = 30.0) -> Result:
    file = bench.scratch / "test_tanteo_it.py"
    file.write_text(source)
    return bench.run([file], seed=1, limit=limit)


def test_what_passes_and_what_fails_is_told_by_name(bench: Bench) -> None:
    found = run(bench, GOOD + "\ndef test_bad():\n    assert 1 == 2\n")
    assert found.finished
    assert found.passed == {"test_tanteo_it.py::test_good"}
    assert set(found.failed) == {"test_tanteo_it.py::test_bad"}


def test_one_bad_row_spoils_a_parametrized_test(bench: Bench) -> None:
    head = "import pytest\n@pytest.mark.parametrize('x', [1, 2])\n"
    found = run(bench, head + "def test_rows(x):\n    assert x == 1\n")
    assert found.passed == set()
    assert set(found.failed) == {"test_tanteo_it.py::test_rows"}


def test_a_test_that_stops_pytest_is_named_and_nobody_is_taken_for_failed(bench: Bench) -> None:
    stop = "def test_a_stop():\n    raise KeyboardInterrupt\n"
    found = run(bench, stop + "\n" + GOOD)
    assert not found.finished
    assert found.stuck == "test_tanteo_it.py::test_a_stop"


def test_a_test_that_never_ends_is_named(bench: Bench) -> None:
    ignored = "import signal\ndef test_endless():\n    signal.setitimer(signal.ITIMER_REAL, 0)\n"
    endless = ignored + "    while True: pass\n"
    found = run(bench, GOOD + "\n" + endless, limit=3.0)
    assert not found.finished
    assert found.stuck == "test_tanteo_it.py::test_endless"


def test_a_thread_that_is_left_behind_fails(bench: Bench) -> None:
    left = "from threading import Timer\ndef test_left():\n    Timer(3, print).start()\n"
    found = run(bench, left)
    assert set(found.failed) == {"test_tanteo_it.py::test_left"}
    assert "thread" in next(iter(found.failed.values()))


def test_what_cannot_be_read_is_trouble(bench: Bench) -> None:
    found = run(bench, "import no_such_module_anywhere\n")
    assert not found.finished
    assert found.trouble


def test_another_order_begins_with_those_that_are_named(bench: Bench) -> None:
    file = bench.scratch / "test_tanteo_it.py"
    file.write_text(
        "import pytest\nseen = []\n"
        "@pytest.mark.parametrize('x', range(9))\ndef test_many(x):\n    seen.append(x)\n"
        "@pytest.mark.parametrize('x', 'ab')\ndef test_named(x):\n    seen.append(x)\n"
        "def test_print():\n    print(seen, file=open(f'{__file__}.seen', 'w'))\n"
    )
    first = frozenset({"test_tanteo_it.py::test_named", "test_tanteo_it.py::test_print"})
    orders = []
    for seed in (2, 4, 4):
        assert bench.run([file], seed=seed, limit=30.0, shuffle=True, first=first).finished
        orders.append((bench.scratch / f"{file.name}.seen").read_text().strip())
    assert orders == ["['a', 'b']", "[]", "[]"]  # the second time from the last to the first


def test_another_order_is_the_same_each_time(bench: Bench) -> None:
    file = bench.scratch / "test_tanteo_it.py"
    file.write_text(
        "import pytest\nseen = []\n@pytest.mark.parametrize('x', range(9))\n"
        "def test_many(x):\n    seen.append(x)\n    print(seen, file=open(f'{__file__}.seen', 'w'))\n"
    )
    orders = []
    for shuffle in (False, True, True):
        bench.run([file], seed=2, limit=30.0, shuffle=shuffle)
        orders.append((bench.scratch / f"{file.name}.seen").read_text().strip())
    assert orders[0] == str(list(range(9)))
    assert orders[1] == orders[2] != orders[0]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pytest.ini", "[pytest]\n", True),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", True),
        ("pyproject.toml", "[project]\n", False),
        ("tox.ini", "[pytest]\n", True),
    ],
)
def test_a_configuration_of_ones_own_is_seen(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    (tmp_path / name).write_text(text)
    assert has_own_configuration(tmp_path) is expected


def test_what_leaves_the_subject_changed_is_told(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "subject.py").write_text(
        "import threading\nmode, kept, own = 1, {}, threading.local()\n"
        "def switch(to):\n    global mode\n    mode = to\n"
        "def remember(x):\n    kept[x] = x\n"
        "def note(x):\n    own.last = x\n"
    )
    head = "from subject import note, remember, switch\n"
    calls = {"leaving": "switch('a')", "back": "switch(1)", "cache": "remember(1)", "thread": "note(2)"}
    found = run(bench, head + "".join(f"def test_{n}():\n    {c}\n" for n, c in calls.items()))
    assert found.leaving == {f"test_tanteo_it.py::test_{n}" for n in ("leaving", "back", "thread")}
    assert len(found.passed) == 4


def test_a_file_that_is_left_behind_fails_and_goes(bench: Bench) -> None:
    source = "def test_left():\n    open('b', 'w').close()\n"
    kept = "def test_kept(tmp_path):\n    (tmp_path / 'b').write_text('')\n    assert open\n"
    found = run(bench, source + kept)
    assert set(found.failed) == {"test_tanteo_it.py::test_left"}
    left = {path.name for path in (bench.scratch / "pytest-1" / "work").iterdir()}
    assert left == {"notes.txt", "shelf"}  # somebody works there


def test_what_is_kept_for_the_thread_behind_a_closure_is_seen(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "subject.py").write_text(
        "import threading\ndef make():\n    own = threading.local()\n"
        "    def note(x):\n        own.last = x\n    return note\nnote = make()\n"
        "class State: pass\nstate = State()\n"
    )
    head = "from subject import note, state\n"
    found = run(bench, f"{head}def test_note():\n    note(1)\ndef test_state():\n    state.x = 2\n")
    assert found.leaving == {"test_tanteo_it.py::test_note", "test_tanteo_it.py::test_state"}


def test_what_has_passed_before_the_time_was_over_is_known(bench: Bench) -> None:
    head = "import pytest, signal, time\n" + GOOD + "@pytest.mark.parametrize('x', [0, 90])\n"
    rows = "def test_rows(x):\n    signal.setitimer(signal.ITIMER_REAL, 0)\n    time.sleep(x)\n"
    found = run(bench, head + rows, limit=4.0)
    assert not found.finished
    assert found.passed == {"test_tanteo_it.py::test_good"}
