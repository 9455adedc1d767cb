"""A project as people have them: pytest settings, a plug-in, a src folder, relative imports, own tests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import read_json

FILES = {
    "pyproject.toml": """
        [tool.pytest.ini_options]
        filterwarnings = ["error"]
        pythonpath = ["src"]
        addopts = "-q -p house_plugin --strict-markers"
        testpaths = ["tests"]
    """,
    "src/house_plugin.py": """
        import pytest

        @pytest.fixture(autouse=True)
        def clean_house():
            yield

        def pytest_collection_modifyitems(items):
            items.reverse()
    """,
    "src/house/__init__.py": "from .rooms import Room\n",
    "src/house/rooms.py": """
        import warnings

        from . import paint

        class Room:
            def __init__(self, name: str, doors: int = 1) -> None:
                if doors < 0:
                    raise ValueError("no room has fewer than no doors")
                self.name, self.doors = name, doors

            def add_door(self) -> int:
                self.doors += 1
                return self.doors

            def colour(self, number: int) -> str:
                return paint.colour(number)

            def old_name(self) -> str:
                warnings.warn("use name", DeprecationWarning, stacklevel=2)
                return self.name
    """,
    "src/house/paint.py": """
        def colour(number: int) -> str:
            return "white" if number % 2 == 0 else "green"
    """,
    "tests/conftest.py": """
        import pytest

        @pytest.fixture
        def number():
            return 3
    """,
    "tests/test_house.py": """
        from house import Room

        def test_doors(number):
            assert Room("hall", number).add_door() == 4
    """,
}


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return put(tmp_path, FILES)


def run(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=project,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_written_tests_run_green_beside_the_users(project: Path) -> None:
    done = run(project, "tanteo", "generate", "src/house", "--time", "15", "--json", "out.json", "--quiet")
    assert done.returncode == 0, done.stderr
    report = read_json(project / "out.json")
    assert report["tests"]["written"] >= 4
    both = run(project, "pytest", "-o", "addopts=-p house_plugin --strict-markers")
    assert both.returncode == 0, both.stdout
    passed = int(both.stdout.strip().splitlines()[-1].split(" passed")[0].split()[-1])
    assert passed > report["tests"]["written"]  # the user's own one, too
    written = "".join(f.read_text() for f in (project / "tests" / "tanteo").glob("test_*.py"))
    assert "old_name" not in written  # it warns, which is an error here
    assert (project / "tests" / "test_house.py").exists()


LEDGER = {
    "src/bank.py": """
        class Ledger:
            def __init__(self, key):
                if not isinstance(key, str) or len(key) != 12 or key[::2] != "b" * 6:
                    raise ValueError("bad key")
                self._accounts = {}

            def open(self, name: str) -> int:
                if name in self._accounts:
                    raise KeyError(name)
                self._accounts[name] = 0
                return len(self._accounts)
    """,
    "src/mint.py": """
        from bank import Ledger

        def a_ledger() -> Ledger:
            return Ledger("b-b-b-b-b-b-")
    """,
    "tests/conftest.py": """
        import pytest
        from bank import Ledger

        @pytest.fixture
        def key():
            return "bXbXbXbXbXbX"

        @pytest.fixture
        def ledger(key, tmp_path):
            (tmp_path / "log").write_text("opened")
            yield Ledger(key)
    """,
    "pytest.ini": """
        [pytest]
        pythonpath = src
    """,
}


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    return put(tmp_path, LEDGER)


def test_fixtures_make_values_and_tests_ask_for_them(bank: Path) -> None:
    done = run(bank, "tanteo", "generate", "bank", "--steps", "400", "--fixtures", "--quiet")
    assert done.returncode == 0, done.stderr
    text = (bank / "tests" / "tanteo" / "test_tanteo_bank.py").read_text()
    assert re.search(r"def test_ledger_open\w+\(ledger\):", text)
    assert run(bank, "pytest", "-q").returncode == 0


def test_a_maker_is_called_in_the_test(bank: Path) -> None:
    done = run(bank, "tanteo", "generate", "bank", "--steps", "400", "--maker", "mint:a_ledger", "--quiet")
    assert done.returncode == 0, done.stderr
    text = (bank / "tests" / "tanteo" / "test_tanteo_bank.py").read_text()
    assert "from mint import a_ledger" in text
    assert "a_ledger().open(" in text or "ledger = a_ledger()" in text
    assert run(bank, "pytest", "-q").returncode == 0
