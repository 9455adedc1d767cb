"""Small subjects, written to a folder and imported for the length of one test."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

Write = Callable[[str, str], Path]
Import = Callable[[str, str], ModuleType]


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
