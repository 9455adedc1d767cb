"""Test files on disk: staged, formatted, and put in place without touching what is the user's."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tanteo.emit.modules import MARKER
from tanteo.emit.validate import Bench
from tanteo.errors import UserError
from tanteo.subject import Subject

CONFTEST = "conftest.py"
ALIASES = "UP006,UP007,UP035,UP045"  # `typing.Optional[int]` is not the value that `int | None` is


def name_of(module: str, ending: str = "") -> str:
    """The file for the tests of a module."""
    return f"test_tanteo_{module.replace('.', '_')}{ending}.py"


def stage(folder: Path, texts: dict[str, str], keep: bool = False) -> list[Path]:
    """Formatted files in a folder of their own."""
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in texts.items():
        (folder / name).write_text(text)
        paths.append(folder / name)
    if paths:
        ruff("check", "--fix", "--unfixable", ALIASES, *map(str, paths))
        ruff("format", *map(str, paths))
        if any("typing." in text for text in texts.values()):
            hush(paths, "--select", ALIASES)
    return paths


def hush(paths: list[Path], *which: str) -> list[Path]:
    """What ruff has against tests of faults is noted in them: a value compared with itself is the point."""
    if paths:
        ruff("check", "--add-noqa", *which, *map(str, paths))
        ruff("format", *map(str, paths))
    return paths


def untidy(paths: list[Path]) -> set[str]:
    """Tests that ruff is not content with, as file::name; `x == None` is what it means to say."""
    if not paths:
        return set()
    found = set()
    for complaint in json.loads(ruff("check", "--output-format", "json", *map(str, paths)) or "[]"):
        path = Path(complaint["filename"])
        name = _function_at(path, complaint["location"]["row"])
        found.add(f"{path.name}::{name}")
    return found


def _function_at(path: Path, row: int) -> str:
    try:
        tree = ast.parse(path.read_text())
    except SyntaxError:
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first <= row <= node.end_lineno:
                return node.name
    return ""


def formatted(folder: Path, name: str, text: str) -> str:
    """One text as it is written."""
    (path,) = stage(folder, {name: text}, keep=True)
    return path.read_text()


def ruff(*arguments: str) -> str:
    """Our own ruff, with its defaults; what it says."""
    first, *rest = arguments
    command = [sys.executable, "-m", "ruff", first, "--isolated", "--no-cache", "--quiet", *rest]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def check_out(folder: Path) -> None:
    """Before the work, not after it: the folder can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".tanteo-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(f"cannot write tests to {folder}: {error.strerror}", "unwritable-output") from error


def is_ours(path: Path) -> bool:
    """Whether the first line says that we may write it again."""
    try:
        with path.open() as file:
            return file.readline().rstrip("\n") == MARKER
    except (OSError, UnicodeDecodeError):
        return False


def publish(out: Path, texts: dict[str, str], subject: Subject, bench: Bench) -> list[str]:
    """Put the files in place, each at once; ours that are no longer made go away."""
    out.mkdir(parents=True, exist_ok=True)
    texts = dict(texts)
    root = root_of(subject)
    if root is not None and not _importable(subject, bench):
        text = _conftest(os.path.relpath(root, out.resolve()))
        texts[CONFTEST] = formatted(bench.scratch / "stage", CONFTEST, text)
    ours = {name_of(m, e) for m in subject.modules for e in ("", "_faults")}
    for old in out.glob("test_tanteo_*.py"):
        if old.name in ours and old.name not in texts and is_ours(old):
            old.unlink()
    written = []
    for name, text in sorted(texts.items()):
        path = out / name
        if path.exists() and not is_ours(path):
            continue  # the user has made it their own
        if not path.exists() or path.read_text() != text:
            new = path.with_suffix(".new")
            new.write_text(text)
            new.replace(path)
        if name != CONFTEST:
            written.append(str(path))
    return written


def root_of(subject: Subject) -> Path | None:
    """The folder from which the subject is imported."""
    for module, file in subject.files.items():
        path = Path(file)
        depth = module.count(".") + (path.name == "__init__.py")
        return path.parents[depth]
    return None


def _importable(subject: Subject, bench: Bench) -> bool:
    """Whether plain Python finds the subject without us, from anywhere."""
    top = subject.modules[0].partition(".")[0]
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({top!r}) is None)"
    done = subprocess.run([bench.python, "-P", "-c", code], cwd="/", capture_output=True, check=False)
    return done.returncode == 0


def _conftest(root: str) -> str:
    return f'''{MARKER}
"""Lets the tests beside it import the code under test."""

import sys
from pathlib import Path

sys.path.insert(0, str((Path(__file__).parent / "{root}").resolve()))
'''
