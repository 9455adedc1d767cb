"""The tests that a run writes: they pass, or fail, anywhere and again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import EXAMPLES, read_json

SHOP = str(EXAMPLES / "shop")
MINE = "# mine\n\n\ndef test_of_my_own():\n    assert True\n"


def run(*command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=cwd,
        env={**settings, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def generate(folder: Path, *options: str, seed: str) -> dict[str, Any]:
    """The JSON file of a run whose tests are in the folder's `out`."""
    folder.mkdir(exist_ok=True)
    place = ("--out", str(folder / "out"), "--session", str(folder / "session"))
    options = (*options, *place, "--json", str(folder / "out.json"), "--quiet")
    done = run("tanteo", "generate", SHOP, *options, cwd=folder, PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stderr
    return read_json(folder / "out.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@pytest.fixture(scope="module")
def report(folder: Path) -> dict[str, Any]:
    """One run for all tests that only look."""
    return generate(folder / "one", "--steps", "5000", seed="1")


@pytest.fixture(scope="module")
def out(folder: Path, report: dict[str, Any]) -> Path:
    return folder / "one" / "out"


def outcomes(folder: Path, *words: str, **environment: str) -> Counter[str]:
    """What a plain run of pytest says, from another directory."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    file = elsewhere / "report.xml"
    file.unlink(missing_ok=True)
    command = ("pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={file}")
    run(*command, *words, cwd=elsewhere, **environment)
    found: Counter[str] = Counter()
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        children = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        found[children[0] if children else "passed"] += 1
    return found


def passing(out: Path) -> list[str]:
    return sorted(str(p) for p in out.glob("test_*.py") if not p.stem.endswith("_faults"))


def test_there_is_a_file_for_each_module_and_one_for_its_faults(report: dict[str, Any], out: Path) -> None:
    modules = {f"test_tanteo_shop_{name}.py" for name in ("cart", "money", "orders")}
    names = {p.name for p in out.iterdir() if p.suffix == ".py"}
    assert modules < names
    assert "conftest.py" in names
    assert {Path(f).name for f in report["tests"]["files"]} == names - {"conftest.py"}
    assert all(Path(f).is_file() for f in report["tests"]["files"])
    assert not [p for p in out.iterdir() if p.suffix not in (".py", "")]


def test_the_json_file_tells_how_many_and_what_they_cover(report: dict[str, Any], out: Path) -> None:
    tests = report["tests"]
    functions = [name for p in passing(out) for name in re.findall(r"^def test_", Path(p).read_text(), re.M)]
    assert tests["written"] == len(functions) > 30
    assert tests["coverage"]["measured_by"] == "coverage.py"
    assert 90 <= tests["coverage"]["lines_pct"] <= 100
    assert 80 <= tests["coverage"]["branches_pct"] <= 100


def test_they_pass_elsewhere_under_another_hash_seed(folder: Path, out: Path) -> None:
    for seed in ("0", "77"):
        found = outcomes(folder, *passing(out), PYTHONHASHSEED=seed)
        assert set(found) == {"passed"}
        assert found["passed"] > 30


def test_every_test_of_a_fault_fails(folder: Path, report: dict[str, Any], out: Path) -> None:
    tests = [f["test"] for f in report["faults"] if f["level"] == "fault"]
    assert len(tests) >= 2
    assert all(tests)
    assert outcomes(folder, *tests, PYTHONHASHSEED="77") == {"failure": len(tests)}
    written = list(out.glob("test_*_faults.py"))
    assert sum(p.read_text().count("\ndef test_") for p in written) == len(tests)
    shown = {f["id"] for f in report["faults"] if f["test"]}
    assert shown == {name for p in written for name in re.findall(r"--fault (\w+)", p.read_text())}


def test_ruff_is_content(folder: Path, out: Path) -> None:
    for words in (("format", "--check"), ("check",)):
        done = run("ruff", *words, "--isolated", "--no-cache", str(out), cwd=folder)
        assert done.returncode == 0, done.stdout


def test_the_same_run_writes_the_same_bytes(folder: Path, out: Path) -> None:
    generate(folder / "two", "--steps", "5000", seed="2")
    first = {p.name: p.read_bytes() for p in out.glob("*.py")}
    second = {p.name: p.read_bytes() for p in (folder / "two" / "out").glob("*.py")}
    assert list(first) != []
    assert {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)} == set()


def test_known_faults_can_be_expected_and_what_is_the_users_stays(folder: Path) -> None:
    out = folder / "three" / "out"
    out.mkdir(parents=True)
    (out / "test_tanteo_shop_money.py").write_text(MINE)
    report = generate(folder / "three", "--steps", "1000", "--faults", "xfail", seed="3")
    assert (out / "test_tanteo_shop_money.py").read_text() == MINE
    assert str(out / "test_tanteo_shop_money.py") not in report["tests"]["files"]
    found = outcomes(folder, str(out))
    assert set(found) == {"passed", "skipped"}
    assert found["skipped"] == sum(f["level"] == "fault" for f in report["faults"]) > 0


def test_what_disturbs_others_is_left_out_and_not_the_others(tmp_path: Path) -> None:
    package = tmp_path / "greeting"
    package.mkdir()
    (package / "__init__.py").write_text(
        "language = 'en'\n\n\n"
        "def speak(name: str):\n"
        "    global language\n"
        "    if name not in ('en', 'de'):\n        raise ValueError(f'unknown language {name}')\n"
        "    language = name\n    return name\n\n\n"
        "def greet(name: str):\n"
        "    return f'Hallo {name}' if language == 'de' else f'Hello {name}'\n\n\n"
        "def part(name: str):\n"
        "    return f'Adieu {name}' if language == 'de' else f'Farewell {name}'\n"
    )
    place = ("--out", "out", "--session", "session", "--json", "out.json")
    done = run("tanteo", "generate", str(package), "--steps", "3000", "--quiet", *place, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "test_tanteo_greeting.py").read_text()
    assert "Hello" in text
    assert "Farewell" in text
    assert "unknown language" in text
    assert "speak(name)" not in text
    assert 'speak("de")' not in text
