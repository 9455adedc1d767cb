"""Stateful testing against random testing, on classes with defects that need the right objects to meet.

    python benchmarks/stateful.py                       # what has no result yet, then the table
    python benchmarks/stateful.py --seconds 300 --only SortedSet
    python benchmarks/stateful.py --tune off=relation --results benchmarks/results/stateful-relation.json
    python benchmarks/stateful.py --table

All defects of a class in `stateful.toml` are put into one copy of its module. Two runs on one core each, with
the same seed: `random` for `--seconds` and a tenth more; `stateful` the same, its last tenth of another kind.
A fault belongs to a defect if its sequence fails on the copy with that defect alone and not on the original.
Results go to a file as they come; a second run goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import json
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
import venv
from collections import Counter
from pathlib import Path
from typing import Any

from tanteo.stateful.reading import read_clauses
from tanteo.store.database import Database

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".venv" / "stateful"
EXAMPLES = HERE.parent / "examples"
EXTRA = 1.1  # times the random phase
LIMIT = 120.0  # seconds to replay the faults of a class on one copy
REPLAY = """
import json, sys
from tanteo.assembly import open_here
from tanteo.engine import attempt
from tanteo.execute.codec import decode
session = open_here(sys.argv[1])
session.thorough = True
for code in json.loads(sys.stdin.read()):
    run = attempt(decode(code.encode()), session)
    print("\\nfault:", int(run.fault is not None and run.fault.level == "fault"), flush=True)
"""


def plan() -> dict[str, Any]:
    """The packages and the classes."""
    return tomllib.loads((HERE / "stateful.toml").read_text())


def environment() -> Path:
    """The interpreter of an environment with the packages and what tanteo needs in it: nothing."""
    wanted = plan()["packages"]
    python, ready = KEPT / "bin" / "python", KEPT / "ready"
    if not ready.exists() or ready.read_text() != "\n".join(wanted):
        venv.create(KEPT, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
        ready.write_text("\n".join(wanted))
    return python


def source_of(subject: dict[str, Any]) -> tuple[Path | None, str]:
    """The folder or file to copy, or the text of a module that is made of one class."""
    if subject.get("source"):
        module, _, name = subject["source"].rpartition(".")
        code = f"import inspect, {module} as m; print(inspect.getsource(m.{name}))"
        done = subprocess.run([environment(), "-c", code], capture_output=True, text=True, check=True)
        return None, f"{subject['prelude']}\n\n{done.stdout}"
    package = subject["package"]
    if (EXAMPLES / package).exists():
        return EXAMPLES / package, ""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([environment(), "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip()) / package, ""


def seed(subject: dict[str, Any], defects: list[dict[str, Any]], folder: Path) -> Path:
    """A copy of the module with these defects; its file."""
    origin, text = source_of(subject)
    file = folder / Path(*subject["module"].split(".")).with_suffix(".py")
    if origin is None:
        file.write_text(text)
    elif origin.is_dir():
        shutil.copytree(origin, folder / origin.name)
        file = file if file.exists() else file.with_suffix("") / "__init__.py"
    else:
        shutil.copy(origin, file)
    text = file.read_text()
    if "prelude_check" in subject:
        text = with_method(text, subject["name"], subject["prelude_check"])
    for defect in defects:
        if text.count(defect["old"]) != 1:
            raise SystemExit(
                f"{defect['id']}: what is to be replaced is there {text.count(defect['old'])} times"
            )
        text = text.replace(defect["old"], defect["new"])
    file.write_text(text)
    return file


def with_method(text: str, name: str, method: str) -> str:
    """The source with one more method at the end of a class."""
    (node,) = [n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == name]
    lines = text.splitlines(keepends=True)
    return "".join(
        [*lines[: node.end_lineno], "\n", textwrap.indent(method, "    "), *lines[node.end_lineno :]]
    )


def hunt(subject: dict[str, Any], mode: str, seconds: float, number: int, tune: list[str]) -> dict[str, Any]:
    """Run on the copy with all defects; the faults with the moments at which they were found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = seed(subject, subject["defect"], folder)
        words = ["--time", f"{EXTRA * seconds:g}", "--seed", str(number), "--jobs", "1", "--quiet"]
        words += ["--explore-only", "--session", f"{name}/session", "--python", str(environment())]
        how = ["generate"] if mode == "random" else ["stateful", "--tune", f"random_share={1 / EXTRA:.4f}"]
        for setting in tune if mode != "random" else ():
            how += ["--tune", setting]
        command = [sys.executable, "-m", "tanteo", *how, str(file), *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        database = Database(folder / "session")
        tally = database.fact("tally")
        database.close()
        first: dict[str, float] = {}
        for moment, _, _, fault in tally["found"]:
            first[fault] = min(moment, first.get(fault, moment))
        sure = {n: f for n, f in tally["faults"].items() if f["level"] == "fault"}
        told = {"exit": done.returncode, "steps": sum(job["step"] for job in tally["jobs"])}
        told["found"] = [
            {"seconds": first[n], "code": f["code"], "what": f["contract"] or f["exception"]}
            for n, f in sorted(sure.items(), key=lambda pair: first[pair[0]])
        ]
        if mode != "random":
            counted = Counter((row.sort, row.status) for row in read_clauses(f"{name}/session"))
            told["clauses"] = {f"{sort} {status}": count for (sort, status), count in sorted(counted.items())}
    blame(subject, told["found"])
    return told


def blame(subject: dict[str, Any], found: list[dict[str, Any]]) -> None:
    """Say of each fault which defects explain it: none if the original fails, too."""
    codes = [fault["code"] for fault in found]
    for fault in found:
        fault["defects"] = []
    if not codes:
        return
    with tempfile.TemporaryDirectory() as name:
        at_home = replay(seed(subject, [], Path(name)), codes)
    for defect in subject["defect"]:
        with tempfile.TemporaryDirectory() as name:
            fails = replay(seed(subject, [defect], Path(name)), codes)
        for fault, here, there in zip(found, fails, at_home, strict=True):
            if here and not there:
                fault["defects"].append(defect["id"])


def replay(file: Path, codes: list[str]) -> list[bool]:
    """Which sequences show a fault; what hangs or crashes does, and ends it."""
    paths = [str(HERE.parent / "src")]
    command = [str(environment()), "-c", REPLAY, str(file)]
    told: list[bool] = []
    while len(told) < len(codes):
        try:
            done = subprocess.run(
                command,
                input=json.dumps(codes[len(told) :]),
                env={"PYTHONPATH": ":".join(paths)},
                cwd=file.parent,
                capture_output=True,
                text=True,
                check=False,
                timeout=LIMIT,
            )
            answers = done.stdout.splitlines()
        except subprocess.TimeoutExpired as late:
            answers = (late.stdout or b"").decode().splitlines()
        told += [line.endswith("1") for line in answers if line.startswith("fault: ")]
        told += [True] * (len(told) < len(codes))  # the one that it did not come back from
    return told[: len(codes)]


def defects_of(result: dict[str, Any], begin: float, end: float) -> set[str]:
    """Defects that were found between two moments for the first time."""
    before = {d for f in result["found"] if f["seconds"] <= begin for d in f["defects"]}
    return {d for f in result["found"] if begin < f["seconds"] <= end for d in f["defects"]} - before


def table(results: dict[str, Any], seconds: float) -> str:
    """Paper 001's Table I, with what the paper left out: random testing with the same extra time."""
    heads = ["class", "defects", "random", "late", "new: stateful", "new: random, same extra time"]
    heads += ["pre: inferred", "refuted", "post: inferred"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    totals = [0] * 5
    for subject in plan()["class"]:
        both = [results.get(f"{subject['name']}/{mode}") for mode in ("stateful", "random")]
        if any(row is None for row in both):
            continue
        smart, plain = both
        assert smart is not None
        assert plain is not None
        known = defects_of(smart, -1.0, seconds)
        late = defects_of(smart, seconds / 2, seconds)
        new = defects_of(smart, seconds, 10 * seconds) - known
        more = defects_of(plain, seconds, 10 * seconds)
        clauses = smart["clauses"]
        pre = {k.split()[1]: n for k, n in clauses.items() if k.startswith("precondition")}
        post = sum(n for k, n in clauses.items() if k.split()[0] in ("postcondition", "implication"))
        counts = [len(subject["defect"]), len(known), len(late), len(new), len(more)]
        totals = [a + b for a, b in zip(totals, counts, strict=True)]
        cells = [
            subject["name"],
            *counts,
            sum(pre.values()),
            pre.get("refuted", 0) + pre.get("fault", 0),
            post,
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines.append(f"| all | {' | '.join(map(str, totals))} | | | |")
    share = 100 * totals[3] / max(1, totals[1])
    lines += [
        "",
        f"new by stateful testing: +{share:.0f} % with a tenth more time; by random testing: {totals[4]}",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run what has no result yet, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300.0, help="of the random phase")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--tune", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "stateful.json")
    options = parser.parse_args()
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    environment()
    todo = [
        (subject, mode)
        for subject in plan()["class"]
        for mode in ("stateful", "random")
        if f"{subject['name']}/{mode}" not in results
        and not options.table
        and (not options.only or subject["name"] in options.only)
    ]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {
            pool.submit(hunt, subject, mode, options.seconds, options.seed, options.tune): (
                f"{subject['name']}/{mode}"
            )
            for subject, mode in todo
        }
        for done in concurrent.futures.as_completed(waiting):
            results[waiting[done]] = done.result()
            print(waiting[done], [(f["seconds"], f["defects"]) for f in done.result()["found"]], flush=True)
            options.results.parent.mkdir(exist_ok=True)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
    print(table(results, options.seconds))


if __name__ == "__main__":
    main()
