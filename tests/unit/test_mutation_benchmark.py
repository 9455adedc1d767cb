"""The mutation tester: its mutants are data, a good test kills all of them, an empty one none."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tanteo import mutants
from tests.conftest import ROOT

FILE = ROOT / "benchmarks" / "mutation.py"
SOURCE = "def larger(a, b):\n    return a + 1 if a > b else b\n"
GOOD = """
from tiny.sizes import larger

def test_larger():
    assert [larger(2, 1), larger(1, 2), larger(2, 2)] == [3, 2, 2]
"""
EMPTY = """
from tiny.sizes import larger

def test_larger():
    larger(1, 2)
"""


def load() -> Any:
    """Benchmarks are no package, and one of them is named like an example."""
    spec = importlib.util.spec_from_file_location("mutation", FILE)
    assert spec is not None and spec.loader is not None
    sys.modules["mutation"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mutation = load()


def changes(source: str) -> list[tuple[str, str, str]]:
    return [(m.kind, m.before, m.after) for m in mutants.mutants(textwrap.dedent(source))]


def subject(folder: Path, test: str) -> Path:
    """A package with one module, and tests beside it."""
    for name, text in {
        "src/tiny/sizes.py": SOURCE,
        "src/tiny/__init__.py": "",
        "t/test_tanteo_it.py": test,
    }.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / "src" / "tiny" / "sizes.py"


def test_mutants_are_data() -> None:
    whole = "a + 1 if a > b else b"
    assert mutants.mutants(SOURCE) == [
        mutants.Mutant(2, 11, "return", whole, "None"),
        mutants.Mutant(2, 20, "comparison", "a > b", "a >= b"),
        mutants.Mutant(2, 20, "comparison", "a > b", "a <= b"),
        mutants.Mutant(2, 11, "arithmetic", "a + 1", "a - 1"),
        mutants.Mutant(2, 15, "constant", "1", "2"),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a and b", [("boolean", "a and b", "a or b")]),
        ("x = not a", [("not", "not a", "a")]),
        ("x = 'a'", [("constant", "'a'", "'~'")]),
        ("x = 'a' % b", [("constant", "'a'", "'~'")]),
        ("x = True", [("constant", "True", "False")]),
        ("if a: b = c", [("condition", "a", "not a")]),
        ("if not a: b = c", [("not", "not a", "a")]),
        ("if a is b: c = d", [("comparison", "a is b", "a is not b")]),
        ("x = [a for a in b if a]", [("condition", "a", "not a")]),
        ("f(x)", [("statement", "f(x)", "pass")]),
        ("a.b = c", [("statement", "a.b = c", "pass")]),
        ("a += b", [("statement", "a += b", "pass"), ("arithmetic", "a += b", "a -= b")]),
        ("while a:\n    break", [("jump", "break", "continue")]),
        ("x = a[i]", [("index", "i", "i + 1")]),
        ("x = a[i:]", [("index", "i", "i + 1")]),
    ],
)
def test_each_kind_of_change(source: str, expected: list[tuple[str, str, str]]) -> None:
    assert changes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""Text."""',
        "__all__ = ['a']",
        "if TYPE_CHECKING:\n    a = 1",
        "if __name__ == '__main__':\n    main()",
        "a: list['B']",
        "def f(a: 'B' = b) -> 'C':\n    return",
        "log.debug('a')",
        "x = f'{a + 1}'",
        "T = TypeVar('T')",
        "x = list[int]",
    ],
)
def test_what_nobody_would_see_is_left_alone(source: str) -> None:
    assert changes(source) == []


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("result", "assert f(x) == 1", "f(x)"),
        ("result", "assert x == pytest.approx(1.5)", "x"),
        ("result", "assert x is None", "x"),
        ("result", "assert math.sqrt(x) == 1", "math.sqrt(x)"),
        ("result", "assert x.size == 1", "assert x.size == 1"),
        ("result", "assert len(x) == 1", "assert len(x) == 1"),
        ("state", "assert x.size == 1", "x.size"),
        ("state", "assert x.size() == 1", "x.size()"),
        ("state", "assert x['a'] == 1", "x['a']"),
        ("state", "assert x == 1", "assert x == 1"),
        ("type", "assert isinstance(x, int)", "x"),
        ("type", "assert type(x) is int", "x"),
        ("type", "assert len(x) == 1", "x"),
        ("type", "assert 1 in x", "assert 1 in x"),
        (
            "raises",
            "with pytest.raises(E, match='a'):\n    f()",
            "with contextlib.suppress(Exception, E):\n    f()",
        ),
        (
            "raises",
            "with pytest.raises(E) as e:\n    f()\nassert e.value.args == ()",
            "with contextlib.suppress(Exception, E):\n    f()\npass",
        ),
    ],
)
def test_assertions_are_taken_out(kind: str, before: str, after: str) -> None:
    found = mutation.ablate(f"import math\n{before}", [kind])
    assert found == f"import math\n{after}\nimport contextlib\n"


@pytest.mark.parametrize(("test", "verdict"), [(GOOD, "killed"), (EMPTY, "survived")])
def test_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str, verdict: str) -> None:
    file = subject(tmp_path, test)
    monkeypatch.syspath_prepend(str(tmp_path / "src"))
    suite = mutation.Suite("tiny.sizes", file, ast.parse(SOURCE), tmp_path / "t")
    tries = [None, *mutation.sites(suite.tree)]
    expected = ["survived"] + [verdict] * 5
    assert mutation.judge(suite, tries, 60.0, 2) == expected


def test_the_command(tmp_path: Path) -> None:
    subject(tmp_path, GOOD)
    command = [sys.executable, str(FILE), "tiny.sizes", "t", "--path", "src", "--most", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tiny.sizes: 1 mutants, 1 in covered lines, 1 killed, 100.0 %, ")
