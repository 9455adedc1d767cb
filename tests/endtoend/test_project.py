"""A project as people have them: pytest settings, a plug-in, a src folder, relative imports, own tests."""

from __future__ import annotations

import os
import subprocess
import sys
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    import textwrap

    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
    return tmp_path


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
