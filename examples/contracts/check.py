"""Runs the snippet of every seeded defect against the defective and the repaired classes."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
import traceback
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KINDS = {
    "require": "precondition",
    "ensure": "postcondition",
    "invariant": "invariant",
    "PreContractError": "precondition",
    "PostContractError": "postcondition",
    "InvContractError": "invariant",
}


def condition_at(path: str, line: int) -> tuple[str, str]:
    """The name of the decorator that is written at a line, and its condition."""
    for node in ast.walk(ast.parse(Path(path).read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Lambda):
            condition = node.args[0]
            if line in (node.lineno, condition.lineno) and isinstance(node.func, ast.Attribute):
                return node.func.attr, ast.unparse(condition.body)
    raise LookupError(f"no condition in line {line} of {path}")


def describe(error: Exception) -> tuple[str, str]:
    """The kind of an error and what it is about: a clause or the name of the exception."""
    import deal
    import icontract

    if isinstance(error, icontract.ViolationError):
        path, line = str(error).split("\n", 1)[0].removeprefix("File ").split(", line ")
        decorator, clause = condition_at(path, int(line.split()[0]))
        return KINDS[decorator], clause
    name = type(error).__name__
    if isinstance(error, deal.ContractError) and name in KINDS:
        code = error.validator.__code__
        return KINDS[name], condition_at(code.co_filename, code.co_firstlineno)[1]
    return "exception", name


def run(snippet: str) -> dict[str, Any]:
    """Execute a snippet and tell what came out of it."""
    sys.path.insert(0, str(HERE.parent))
    try:
        exec(compile(snippet, "<snippet>", "exec"), {})
    except Exception as error:
        kind, clause = describe(error)
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if Path(frame.filename).parent.parent == HERE]
        last = [frame.lineno for frame in frames if frame.filename == "<snippet>"][-1]
        return {"kind": kind, "clause": clause, "line": last, "inside": bool(own), "text": str(error)}
    return {"kind": "none"}


def outcome(snippet: str) -> dict[str, Any]:
    """What comes out of a snippet in a fresh interpreter."""
    command = [sys.executable, __file__, "--run"]
    done = subprocess.run(command, input=snippet, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        return {"kind": "crash", "text": done.stderr.strip()}
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def enclosing(path: Path, line: int) -> str:
    """The function or method that a line of a file belongs to, decorators excluded."""
    found = ""
    for node in ast.parse(path.read_text()).body:
        methods = node.body if isinstance(node, ast.ClassDef) else [node]
        for method in methods:
            if isinstance(method, ast.FunctionDef) and method.lineno <= line <= (method.end_lineno or 0):
                found = f"{node.name}.{method.name}" if isinstance(node, ast.ClassDef) else method.name
    return found


def problems(defect: dict[str, Any]) -> list[str]:
    """What is wrong with the entry of one defect."""
    found = []
    snippet = defect["snippet"].strip("\n")
    path = HERE.parent / (defect["module"].replace(".", "/") + ".py")
    if enclosing(path, defect["line"]) != defect["function"]:
        found.append(f"line {defect['line']} is not in {defect['function']}")
    if len(snippet.splitlines()) > 6:
        found.append("the snippet is longer than 6 lines")
    after = outcome(snippet.replace("contracts.defective", "contracts.repaired"))
    if after["kind"] != "none":
        found.append(f"the repaired class fails: {after}")
    seen = outcome(snippet)
    if seen["kind"] in ("none", "crash"):
        return [*found, f"expected a violation, saw {seen}"]
    kind, clause = defect["kind"].removesuffix("-of-callee"), defect["clause"]
    if kind != "exception":
        clause = ast.unparse(ast.parse(clause, mode="eval"))
    if (seen["kind"], seen["clause"]) != (kind, clause):
        found.append(f"expected {kind} {clause!r}, saw {seen['kind']} {seen['clause']!r}")
    if kind == "precondition" and not seen["inside"]:
        found.append("the snippet itself breaks the precondition")
    if seen["line"] != len(snippet.splitlines()):
        found.append(f"the violation is in line {seen['line']} of the snippet, not in the last")
    return found


def main() -> int:
    """Check all defects."""
    if sys.argv[1:] == ["--run"]:
        print(json.dumps(run(sys.stdin.read())))
        return 0
    failed = 0
    defects = tomllib.loads((HERE / "defects.toml").read_text())["defect"]
    for defect in defects:
        found = problems(defect)
        failed += bool(found)
        for problem in found:
            print(f"{defect['module']}:{defect['line']}: {defect['function']}: {problem}")
    print(f"{len(defects) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
