"""The measuring of written suites: its draw, its table, and that a test which fails later is seen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import suites

ROW: dict[str, Any] = {
    "tests": 12,
    "lines": 345,
    "branches": 61.5,
    "import_branches": 20.0,
    "failing": 0,
    "clock": "moved",
    "elapsed": 60.2,
    "ruff": "ok",
    "exit": 0,
    "traceback": False,
}
SUITE = """
import os
import time


def test_good():
    assert True


def test_hash_seed():
    assert os.environ["PYTHONHASHSEED"] != "12"


def test_folder():
    assert not os.listdir()


def test_sleep():
    time.sleep(0.01)


def test_date():
    assert abs(time.time() - os.stat(__file__).st_mtime) < 100_000
"""


def test_the_draw_is_fixed() -> None:
    names = [package["name"] for package in suites.draw(suites.DRAW, 20)]
    assert len(set(names)) == 20
    assert names[:4] == ["bottle", "ordered-set", "bleach", "anyio"]
    assert names == [package["name"] for package in suites.draw(suites.DRAW, 20)]


def test_the_table_shows_what_is_known() -> None:
    drawn = [{"name": "one"}, {"name": "two"}, {"name": "three"}]
    trouble = {"branches": 0.0, "ruff": "", "clock": "real: no libfaketime", "exit": 1, "traceback": True}
    lines = suites.table(drawn, {"one": ROW, "two": {**ROW, **trouble}}).splitlines()
    assert lines[2] == "| one | 12 | 345 | 61.5 | 20.0 | 0 | 60.2 | ok | 0 |"
    assert lines[3].endswith("| 0.0 | 20.0 | 0 (clock real: no libfaketime) | 60.2 | - | 1, traceback |")
    assert lines[-1] == "mean branch coverage of 2: 30.8 %; import alone: 20.0 %"
    assert len(suites.table(drawn, {}).splitlines()) == 2


def test_a_test_that_fails_later_is_seen(tmp_path: Path) -> None:
    (tmp_path / "test_tanteo_shop.py").write_text(SUITE)
    (tmp_path / "test_tanteo_shop_cart.py").write_text("def test_good():\n    assert True\n")
    (tmp_path / "test_tanteo_shop_faults.py").write_text("def test_fault():\n    assert False\n")
    found = suites.rerun(Path(sys.executable), tmp_path)
    wrong = ["test_tanteo_shop.py::test_date"] if found["clock"].startswith("moved") else []
    unsure = {"test_tanteo_shop.py::test_sleep"} if "may fail" in found["clock"] else set()
    wrong += ["test_tanteo_shop.py::test_hash_seed", "test_tanteo_shop.py::test_folder"]  # it is not empty
    assert {*found["failing_names"]} - unsure == {*wrong}
    assert found["tests"] == 6
    assert found["failing"] == len(found["failing_names"])


def test_a_test_that_was_not_run_has_not_passed(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text('<testsuites><testsuite><testcase file="a.py" name="b"/></testsuite></testsuites>')
    assert suites.read_report(report, 1) == set()
    assert suites.read_report(report, 3) == {"not run: 0", "not run: 1"}
