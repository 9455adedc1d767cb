"""Twenty whole packages drawn by a fixed seed, a written suite each: its coverage, and does it stay green?

Everything is measured from outside: coverage.py counts the branches, and plain pytest runs the suite three
times more, shuffled, from another folder, with another hash seed, time zone, terminal, date and time of day
(the last two need libfaketime, Debian's package `faketime`; the table says where it was missing).

    python benchmarks/suites.py --prepare   # environments only
    python benchmarks/suites.py             # measure
    python benchmarks/suites.py --table     # the table again

Results go to a file as they come; a second run goes on where the first was stopped. The environments and the
last suites stay in `.venv/suites`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from packages import HERE, read

DRAW = 2027
KEPT = HERE.parent / ".venv" / "suites"
TOOLS = ("pytest>=9,<10", "coverage>=7.6,<8")
LIMIT = 900.0  # seconds for anything that should take one or two minutes at most
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
IMPORT_ALL = """\
import importlib, pkgutil, sys

def visit(name):
    try:
        module = importlib.import_module(name)
    except BaseException as error:
        print(name, repr(error))
        return
    for inner in pkgutil.iter_modules(getattr(module, "__path__", ())):
        if inner.name != "__main__":
            visit(f"{name}.{inner.name}")

visit(sys.argv[1])
"""
TERMINALS = (
    {"TERM": "dumb", "COLUMNS": "40", "CI": "true"},
    {"TERM": "xterm-kitty", "COLUMNS": "200", "NO_COLOR": "1"},
    {"TERM": "alacritty", "USER": "other", "LOGNAME": "other"},
)
LATER = (  # FAKETIME counts only where the library is
    {"PYTHONHASHSEED": "11", "TZ": "Asia/Kolkata", "FAKETIME": "@2028-02-29 23:58:30"},  # a Tuesday
    {"PYTHONHASHSEED": "12", "TZ": "America/New_York", "FAKETIME": "@2031-06-07 05:06:07"},  # a Saturday
    {"PYTHONHASHSEED": "13", "TZ": "Pacific/Auckland", "FAKETIME": "@2034-12-31 12:00:00"},  # a Sunday
)
SLEEP = """\
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{ return syscall(SYS_clock_nanosleep, clock, flags, until, left) ? errno : 0; }
"""


def draw(seed: int, count: int) -> list[dict[str, Any]]:
    """The same packages for the same seed."""
    packages = tomllib.loads((HERE / "packages.toml").read_text())["package"]
    return random.Random(seed).sample(packages, count)


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> tuple[int | str, str]:
    """Exit status and output; through a file, because an orphan may keep a pipe open for ever."""
    with tempfile.TemporaryFile() as output:
        try:
            done: int | str = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=LIMIT,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            done = "never ended"
        output.seek(0)
        return done, output.read().decode(errors="replace")


def environment_of(package: dict[str, Any]) -> Path:
    """The interpreter of the package's environment, made if it is missing or meant for something else."""
    folder = KEPT / str(package["name"]) / "env"
    wanted = [f"{package['name']}=={package['version']}", *package.get("requires", []), *TOOLS]
    python, ready = folder / "bin" / "python", folder / "ready"
    state = "\n".join([sys.version, *wanted])
    if not ready.exists() or ready.read_text() != state:
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
        ready.write_text(state)
    return python


def passing_files(suite: Path) -> list[Path]:
    """The files whose tests must pass; those that show faults fail on purpose."""
    return [file for file in sorted(suite.rglob("test_*.py")) if not file.stem.endswith("_faults")]


def branches(python: Path, module: str, script: Sequence[str | Path]) -> tuple[float | None, int | str]:
    """Per cent of the package's branches that coverage.py sees a script take (None: has none); its exit."""
    with tempfile.TemporaryDirectory(prefix="tanteo-bench-") as name:
        folder, report = Path(name), Path(name) / "coverage.json"
        (folder / "import_all.py").write_text(IMPORT_ALL)
        coverage = (python, "-m", "coverage")
        status, output = run([*coverage, "run", "--branch", f"--source={module}", *script], folder)
        run([*coverage, "json", "-q", "-i", "-o", report], folder)
        if not report.exists():
            print(f"no coverage of {module}, exit {status}: {output[-2000:]}", file=sys.stderr)
            return 0.0, status
        totals = json.loads(report.read_text())["totals"]
    share = totals["covered_branches"] / totals["num_branches"] if totals["num_branches"] else None
    return share and round(100 * share, 1), status


def moved_clock(folder: Path) -> tuple[str, dict[str, str]]:
    """The state of the clock and the variables for it; timeouts and file times stay real.

    libfaketime 0.9.10 makes every `time.sleep` of Python 3.11 an OSError, which would be blamed on the tests;
    a `clock_nanosleep` that stands before its own mends that.
    """
    places = (f"{place}/faketime/libfaketime.so.1" for place in ("lib*/*", "lib*", "local/lib*"))
    faketime = next((file for place in places for file in sorted(Path("/usr").glob(place))), None)
    mended = folder / "sleep.so"
    if faketime is None:
        return "real: no libfaketime", {}
    (folder / "sleep.c").write_text(SLEEP)
    if shutil.which("cc"):
        run(["cc", "-shared", "-fPIC", "-o", mended, "sleep.c"], folder)
    preload = f"{mended}:{faketime}" if mended.exists() else str(faketime)
    state = "moved" if mended.exists() else "moved, sleeping may fail: no cc"
    return state, {"LD_PRELOAD": preload, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}


def collect(python: Path, files: list[Path], suite: Path) -> tuple[list[str], list[str]]:
    """The absolute names of all tests, and what went wrong on the way."""
    status, output = run([python, *PYTEST, "--collect-only", "--rootdir", suite, *files], suite)
    listed = output.partition("\n\n")[0].split("\n")  # warnings may follow
    return [f"{suite}/{line}" for line in listed if ".py::" in line], [] if status in (0, 5) else [
        f"collecting: {status}"
    ]


def run_again(python: Path, names: list[str], changed: dict[str, str]) -> set[str]:
    """Tests that fail, err or do not come back from one later run."""
    shuffled = list(names)
    random.Random(changed["PYTHONHASHSEED"]).shuffle(shuffled)
    with (
        tempfile.TemporaryDirectory(prefix="tanteo-bench-") as base,
        tempfile.TemporaryDirectory() as elsewhere,
    ):
        arguments, report = Path(base) / "names.txt", Path(base) / "report.xml"
        (Path(elsewhere) / "mine.txt").write_text("somebody works here\n")
        arguments.write_text("\n".join(shuffled) + "\n")
        command: list[str | Path] = [python, *PYTEST, "--rootdir", elsewhere]
        # The older format names the file of a test even where, as here, it is outside of the root.
        command += ["-o", "junit_family=xunit1", f"--junitxml={report}", f"@{arguments}"]
        status, output = run(command, Path(elsewhere), **changed)
        if not report.exists():
            print(f"no report, exit {status}: {output[-2000:]}", file=sys.stderr)
            return {f"{name} (no report, exit {status})" for name in names}
        return read_report(report, len(names))


def read_report(report: Path, expected: int) -> set[str]:
    """The failing tests of a JUnit file; one that is not in it has not passed either."""
    ran, failing = set(), set()
    for case in ElementTree.parse(report).iter("testcase"):
        outer = case.get("classname", "").rpartition(".")[2]
        name = "::".join(filter(None, (Path(case.get("file", "")).name, outer, case.get("name"))))
        ran.add(name)
        if {part.tag for part in case} & {"failure", "error"}:
            failing.add(name)
    return failing | {f"not run: {number}" for number in range(expected - len(ran))}


def rerun(python: Path, suite: Path) -> dict[str, Any]:
    """The three later runs of a suite."""
    files = passing_files(suite)
    names, problems = collect(python, files, suite) if files else ([], [])
    failing = set(problems)
    with tempfile.TemporaryDirectory(prefix="tanteo-bench-") as folder:
        clock, variables = moved_clock(Path(folder))
        for later, terminal in zip(LATER, TERMINALS, strict=True) if names else ():
            failing |= run_again(python, names, {**later, **terminal, **variables})
    shown = sorted(failing)[:50]
    return {"tests": len(names), "failing": len(failing), "failing_names": shown, "clock": clock}


def style(suite: Path) -> str:
    """What ruff has against the files, with its own defaults."""
    ruff, defaults = Path(sys.executable).parent / "ruff", ("--isolated", "--no-cache")
    checks = {"format": ("format", "--check"), "check": ("check",)}
    bad = [name for name, words in checks.items() if run([ruff, *words, *defaults, suite], suite)[0] != 0]
    return " and ".join(bad) or "ok"


def generate(python: Path, module: str, seconds: float, base: Path) -> dict[str, Any]:
    """One command of ours, in a working directory and with a home of its own."""
    for name in ("home", "work", "suite"):
        (base / name).mkdir()
    command: list[str | Path] = [sys.executable, "-m", "tanteo", "generate", module, "--time", f"{seconds:g}"]
    command += ["--out", base / "suite", "--json", base / "out.json", "--session", base / "session"]
    began = time.monotonic()
    usual = {"HOME": str(base / "home"), "PYTHONDONTWRITEBYTECODE": ""}
    status, output = run([*command, "--python", python, "--quiet"], base / "work", **usual)
    row: dict[str, Any] = {"exit": status, "elapsed": round(time.monotonic() - began, 1), "budget": seconds}
    row["traceback"] = "Traceback (most recent call last)" in output
    if status != 0 or row["traceback"]:
        row["output"] = output[-1500:]
    if (base / "out.json").exists():
        report = json.loads((base / "out.json").read_text())
        told = report.get("tests", {})
        row.update(read(report), written=told.get("written"), dropped=told.get("dropped"))
        row["told_branches"] = told.get("coverage", {}).get("branches_pct")
    return row


def measure(package: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Everything about one package."""
    python, module = environment_of(package), package["module"]
    with tempfile.TemporaryDirectory(prefix="tanteo-bench-") as name:
        base = Path(name)
        row = generate(python, module, seconds, base)
        suite = base / "suite"
        files = sorted(suite.rglob("*.py"))
        row["lines"] = sum(len(file.read_text().splitlines()) for file in files)
        row["ruff"] = style(suite) if files else ""
        row["branches"], row["suite_exit"] = 0.0, None
        if passing_files(suite):
            row["branches"], row["suite_exit"] = branches(python, module, [*PYTEST, *passing_files(suite)])
        row["import_branches"] = branches(python, module, ["import_all.py", module])[0]
        row.update(rerun(python, suite))
        kept = KEPT / package["name"] / "suite"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(suite, kept, ignore=shutil.ignore_patterns("__pycache__"))
    return row


def table(drawn: list[dict[str, Any]], results: dict[str, Any]) -> str:
    """What is measured so far, and the means."""
    titles = ["package", "tests", "lines", "branches %", "import alone %", "failing later", "seconds", "ruff"]
    lines = ["| " + " | ".join([*titles, "exit"]) + " |", "|---" * (len(titles) + 1) + "|"]
    rows = {p["name"]: results[p["name"]] for p in drawn if p["name"] in results}
    for name, row in rows.items():
        later = f"{row['failing']}" if row["clock"] == "moved" else f"{row['failing']} (clock {row['clock']})"
        cells = [name, row["tests"], row["lines"], row["branches"], row["import_branches"], later]
        cells += [row["elapsed"], row["ruff"], f"{row['exit']}{', traceback' * row['traceback']}"]
        lines.append("| " + " | ".join("-" if cell in (None, "") else str(cell) for cell in cells) + " |")
    known = [row for row in rows.values() if row["branches"] is not None]
    if known:
        mean = statistics.mean(row["branches"] for row in known)
        alone = statistics.mean(row["import_branches"] or 0.0 for row in known)
        lines.append(f"\nmean branch coverage of {len(known)}: {mean:.1f} %; import alone: {alone:.1f} %")
    return "\n".join(lines)


def main() -> None:
    """Draw, measure what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--draw", type=int, default=DRAW, help="seed of the draw")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", metavar="NAME", help="one of the drawn packages")
    parser.add_argument("--prepare", action="store_true", help="make the environments, measure nothing")
    parser.add_argument("--table", action="store_true", help="measure nothing, print what is known")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "suites.json")
    options = parser.parse_args()
    drawn = [p for p in draw(options.draw, options.count) if options.only in (None, p["name"])]
    if not drawn:
        parser.error(f"--only {options.only}: not among the drawn packages")
    results: dict[str, Any] = json.loads(options.results.read_text()) if options.results.exists() else {}
    for package in () if options.table else drawn:
        name = package["name"]
        if options.prepare:
            print(name, environment_of(package).parent.parent, flush=True)
        elif name not in results:
            results[name] = measure(package, options.seconds)
            options.results.parent.mkdir(exist_ok=True)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(name, results[name], flush=True)
    print(table(drawn, results))


if __name__ == "__main__":
    main()
