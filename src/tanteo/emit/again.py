"""Tests of an earlier run: which still pass, which tell that behaviour has changed."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

from tanteo.emit.bodies import Imports
from tanteo.emit.files import is_ours
from tanteo.emit.modules import Module, Test

NUMBERED = re.compile(r"_\d+$")


class Earlier(NamedTuple):
    """A file that an earlier run has written."""

    path: Path
    tests: tuple[Test, ...]
    imports: Imports


def read_earlier(folder: Path) -> list[Earlier]:
    """Our files in a folder, faults aside; what cannot be read is not ours any more."""
    found = []
    for path in sorted(folder.glob("test_tanteo_*.py")):
        if path.name.endswith("_faults.py") or not is_ours(path):
            continue
        try:
            text = path.read_text()
            tree = ast.parse(text)
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        tests = [_test(node, text) for node in tree.body if isinstance(node, ast.FunctionDef)]
        found.append(Earlier(path, tuple(tests), _imports(tree)))
    return found


def _test(node: ast.FunctionDef, text: str) -> Test:
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    return Test(node.name, "\n".join(lines))


def _imports(tree: ast.Module) -> Imports:
    found: Imports = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({(node.module, a.name): a.asname or a.name for a in node.names})
        elif isinstance(node, ast.Import):
            found.update({(a.name, ""): a.name for a in node.names if a.name != "pytest"})
    return found


def keep_needed(module: Module, earlier: Earlier, passed: set[str]) -> None:
    """Add the tests that still pass and whose operation and outcome no new test has."""
    known = {NUMBERED.sub("", test.name) for test in module.tests}
    clash = any(module.imports.get(key, name) != name for key, name in earlier.imports.items())
    taken = {v for k, v in module.imports.items() if k not in earlier.imports}
    if clash or taken & set(earlier.imports.values()):
        return  # the same name would mean two things in one file
    for test in earlier.tests:
        if f"{earlier.path.name}::{test.name}" in passed and NUMBERED.sub("", test.name) not in known:
            module.imports.update(earlier.imports)
            module.keep(test)
