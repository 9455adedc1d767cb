"""Small subjects, written to a folder and imported for the length of one test."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Write = Callable[[str, str], Path]
Import = Callable[[str, str], ModuleType]
Isolated = Callable[[str], dict[str, Any]]


@pytest.fixture
def clean_imports() -> Iterator[None]:
    """What a test imports, it imports alone."""
    modules, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    yield
    for name in set(sys.modules) - set(modules):
        del sys.modules[name]
    sys.modules.update(modules)
    sys.path[:], sys.meta_path[:] = path, finders
    importlib.invalidate_caches()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Puts a source file into the folder of the test."""

    def put(name: str, source: str) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(source))
        return file

    return put


@pytest.fixture
def load_source(write: Write, tmp_path: Path, clean_imports: None) -> Import:
    """Writes a module and imports it as it is."""

    def load(name: str, source: str) -> ModuleType:
        write(name.replace(".", "/") + ".py", source)
        if str(tmp_path) not in sys.path:
            sys.path.insert(0, str(tmp_path))
        importlib.invalidate_caches()
        return importlib.import_module(name)

    return load


@pytest.fixture
def isolated(tmp_path: Path) -> Isolated:
    """Runs a script in an interpreter of its own; its `found` comes back as JSON.

    The folder has `scratch`, which may be written, and `outside`, which may not.
    """
    (tmp_path / "scratch" / "home").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("precious")

    def run(script: str) -> dict[str, Any]:
        head = f"import json, os, sys\nbase = {str(tmp_path)!r}\n"
        head += "scratch, outside = base + '/scratch', base + '/outside'\nfound = {}\n"
        reading, writing = os.pipe()
        tail = f"\nos.write({writing}, json.dumps(found).encode())\nos._exit(0)\n"
        try:
            done = subprocess.run(
                [sys.executable, "-c", head + textwrap.dedent(script) + tail],
                pass_fds=[writing],
                cwd=tmp_path / "scratch" / "home",
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=30,
                check=False,
            )
            os.close(writing)
            assert done.returncode == 0, done.stderr.decode()
            with os.fdopen(reading, "rb") as answer:
                found: dict[str, Any] = json.loads(answer.read())
        finally:
            assert (tmp_path / "outside" / "precious").read_text() == "precious"
        return found

    return run
