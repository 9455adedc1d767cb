"""Real bugs of released packages: does a written failing test show them, and pass where they are mended?

    python benchmarks/bugs.py                        # seed 0, what has no result yet, then the table
    python benchmarks/bugs.py --seeds 3 --only boltons-omd-copy
    python benchmarks/bugs.py --prepare              # only the environments
    python benchmarks/bugs.py --table

`bugs.toml` names for each bug the package, the release that has it and the one that does not, and a snippet
that shows it. The command is `tanteo generate MODULE --time 60 --seed N`. A bug counts as found if a written
failing test fails on the release that has it, passes on the one that does not, and has the same cause: it
calls, or is named after, what the snippet calls, and dies in the same function if that dies of an exception.
Results go to a file as they come; a second run goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tanteo.emit.words import snake

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".venv" / "bugs"
NEEDED = ("pytest>=9,<10",)
SECONDS = 60
LIMIT = 120.0  # seconds for a test file
MARK = "innermost: "
TELL = f"""
import sys, traceback
try:
    exec(compile(sys.stdin.read(), "<snippet>", "exec"), {{}})
except BaseException as error:
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if f.filename.startswith(sys.argv[1])]
    print({MARK!r} + type(error).__name__ + " " + (inside[-1].name if inside else ""))
"""


def plan() -> list[dict[str, Any]]:
    """The bugs."""
    bugs: list[dict[str, Any]] = tomllib.loads((HERE / "bugs.toml").read_text())["bug"]
    return bugs


def environment(bug: dict[str, Any], release: str) -> Path:
    """The interpreter of an environment with one release of the package."""
    folder = KEPT / f"{bug['package']}-{release}"
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        venv.create(folder, with_pip=False, clear=True)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
        wanted = [f"{bug['package']}=={release}", *bug["requires"]]
        for words in (["--no-deps", *wanted], [*NEEDED]):
            subprocess.run([*pip, "--disable-pip-version-check", *words], check=True)
        ready.touch()
    return python


def innermost(bug: dict[str, Any]) -> tuple[str, str]:
    """The exception that the snippet dies of, and the function of the package that raises it, if one does."""
    python = environment(bug, bug["buggy"])
    done = subprocess.run(
        [python, "-c", TELL, str(python.parents[1] / "lib")],
        input=bug["snippet"],
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            exception, _, function = line.removeprefix(MARK).partition(" ")
            return exception, function
    return "", ""


def outcomes(python: Path, files: list[Path], folder: Path) -> dict[str, str]:
    """What plain pytest says about each test: nothing if it passes, else the text of the failure."""
    told = folder / "told.xml"
    words = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={told}"]
    subprocess.run(
        [*words, "--rootdir", str(folder), *map(str, files)],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
        timeout=LIMIT * 4,
    )
    found = {}
    for case in ElementTree.parse(told).iter("testcase"):
        bad = [child for child in case if child.tag in ("failure", "error")]
        found[case.get("name", "")] = "\n".join([c.get("message", "") + (c.text or "") for c in bad])
    return found


def names(source: str) -> set[str]:
    """The names and attributes that a piece of code speaks of."""
    tree = ast.parse(source)
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    found |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    operators = {type(n).__name__ for n in ast.walk(tree) if isinstance(n, (ast.operator, ast.cmpop))}
    return found | operators


def imported(source: str) -> set[str]:
    """What a snippet imports from the package, and the methods that it calls."""
    tree = ast.parse(source)
    found = {a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    calls = [n.func for n in ast.walk(tree) if isinstance(n, ast.Call)]
    return found | {c.attr for c in calls if isinstance(c, ast.Attribute)}


def run(bug: dict[str, Any], seed: int) -> dict[str, Any]:
    """Generate on the buggy release, and see which failing tests pass on the other."""
    buggy, fixed = environment(bug, bug["buggy"]), environment(bug, bug["fixed"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ["generate", bug["module"], "--time", str(SECONDS), "--seed", str(seed), "--quiet"]
        words += ["--python", str(buggy), "--session", f"{name}/session", "--out", f"{name}/tests"]
        words += ["--json", f"{name}/told.json"]
        done = subprocess.run(
            [sys.executable, "-m", "tanteo", *words], cwd=folder, capture_output=True, text=True, check=False
        )
        files = sorted((folder / "tests").glob("*_faults.py"))
        result: dict[str, Any] = {"exit": done.returncode, "tests": 0, "mended": [], "found": False}
        if done.returncode != 0:
            result["output"] = (done.stdout + done.stderr)[-500:]
        if not files:
            return result
        before, after = outcomes(buggy, files, folder), outcomes(fixed, files, folder)
        sources = {
            node.name: ast.unparse(node)
            for file in files
            for node in ast.parse(file.read_text()).body
            if isinstance(node, ast.FunctionDef)
        }
    exception, function = innermost(bug)
    wanted = imported(bug["snippet"])
    result["tests"] = len(before)
    for test, failure in sorted(before.items()):
        if not failure or after.get(test, "missing"):
            continue
        source = sources.get(test.partition("[")[0], "")
        named = any(snake(name) in test for name in wanted)  # the class, whatever alias it was made by
        same = (named or bool(wanted & names(source))) and (not function or function in failure)
        result["mended"].append({"test": source, "same": same, "failure": failure[-300:]})
        result["found"] = result["found"] or same
    result["exception"] = exception
    return result


def table(results: dict[str, Any], seeds: int) -> str:
    """One line for each bug, then the shares."""
    lines = ["| bug | kind | found with seed | failing tests |", "|---|---|---|---|"]
    found = [0] * (seeds + 1)
    bugs = [bug for bug in plan() if any(f"{bug['id']}/{seed}" in results for seed in range(seeds))]
    for bug in bugs:
        rows = {seed: results.get(f"{bug['id']}/{seed}") for seed in range(seeds)}
        hits = [seed for seed, row in rows.items() if row and row["found"]]
        for seed in hits:
            found[seed] += 1
        found[-1] += bool(hits)
        tests = max((row["tests"] for row in rows.values() if row), default=0)
        lines.append(f"| {bug['id']} | {bug['kind']} | {' '.join(map(str, hits)) or '-'} | {tests} |")
    for seed in range(seeds):
        lines.append(
            f"seed {seed}: {found[seed]} of {len(bugs)} ({100 * found[seed] / max(1, len(bugs)):.0f} %)"
        )
    lines.append(f"any seed: {found[-1]} of {len(bugs)} ({100 * found[-1] / max(1, len(bugs)):.0f} %)")
    return "\n".join(lines)


def main() -> None:
    """Run what has no result yet, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", type=Path, default=HERE / "results" / "bugs.json")
    options = parser.parse_args()
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    bugs = [bug for bug in plan() if not options.only or bug["id"] in options.only]
    if not options.table:
        for bug in bugs:
            environment(bug, bug["buggy"])
            environment(bug, bug["fixed"])
    todo = [
        (bug, seed) for seed in range(options.seeds) for bug in bugs if f"{bug['id']}/{seed}" not in results
    ]
    todo = [] if options.prepare or options.table else todo
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(run, bug, seed): f"{bug['id']}/{seed}" for bug, seed in todo}
        for done in concurrent.futures.as_completed(waiting):
            results[waiting[done]] = done.result()
            row = {k: v for k, v in done.result().items() if k != "mended"}
            print(waiting[done], row, flush=True)
            options.results.parent.mkdir(exist_ok=True)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
    print(table(results, options.seeds))


if __name__ == "__main__":
    main()
