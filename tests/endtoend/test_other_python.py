"""The subject in an environment of its own, with nothing of ours in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tanteo, read_json

# Syntax of each version; the newest construct that the version brought.
SYNTAX = {
    (
        3,
        11,
    ): "def f(x: int) -> None:\n    try:\n        1 // x\n    except* OSError:\n        pass\n",
    (3, 12): "type Number = int\ndef f[T: int](x: T) -> T:\n    return x\n",
    (3, 13): "class Box[T = int]:\n    def put(self, x: T) -> T:\n        return x if x else x\n",
}


def interpreter(version: tuple[int, int]) -> str | None:
    """A Python of this version, asked of the ones that are installed."""
    if sys.version_info[:2] == version:
        return sys.executable
    for name in (f"python{version[0]}.{version[1]}", *map(str, installed(version))):
        try:
            out = subprocess.run(
                [name, "-c", "import sys; print(sys.version_info[:2])"],
                capture_output=True,
                text=True,
                check=False,
            ).stdout
        except OSError:
            continue
        if out.strip() == str(version):
            return name
    return None


def installed(version: tuple[int, int]) -> list[Path]:
    """Where pyenv puts its versions."""
    found = Path.home().glob(f".pyenv/versions/{version[0]}.{version[1]}.*/bin/python")
    return sorted(found)


@pytest.mark.parametrize("version", sorted(SYNTAX))
def test_subject_runs_under_its_own_interpreter(
    tanteo: Tanteo, tmp_path: Path, version: tuple[int, int]
) -> None:
    base = interpreter(version)
    if base is None:
        pytest.skip(f"no Python {version[0]}.{version[1]} here")
    subprocess.run([base, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    site = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    (site / "modern.py").write_text(SYNTAX[version])
    before = sorted(str(p) for p in (tmp_path / "env").rglob("*"))
    python = str(tmp_path / "env" / "bin" / "python")
    options = ("--python", python, "--steps", "100", "--json", "out.json", "--quiet")
    done = tanteo("generate", "modern", *options)
    assert done.returncode == 0, done.stderr
    report = read_json(tmp_path / "out.json")
    assert report["python"].startswith(f"{version[0]}.{version[1]}.")
    assert report["coverage"]["arms_covered"] > 0
    assert sorted(str(p) for p in (tmp_path / "env").rglob("*")) == before


def test_our_packages_are_not_seen_by_the_subject(tanteo: Tanteo, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (tmp_path / "nosy.py").write_text(
        "try:\n    import click\n    SEEN = True\nexcept ImportError:\n    SEEN = False\n\n"
        "def seen() -> bool:\n    if SEEN:\n        raise ValueError\n    return SEEN\n"
    )
    python = str(tmp_path / "env" / "bin" / "python")
    options = ("--python", python, "--steps", "5", "--json", "out.json", "--quiet")
    assert tanteo("generate", "nosy.py", *options).returncode == 0
    assert read_json(tmp_path / "out.json")["operations"][0]["expected"] == 0
