"""Tools side by side: same modules, same time, one core each; their tests are measured by coverage.py.

    python benchmarks/peers.py                      # everything that has no result yet, then the table
    python benchmarks/peers.py --tools ours pynguin --seeds 1 --only semver.version
    python benchmarks/peers.py --table

The modules are in `peers.toml`, with what makes them hard. Ours: `--time 30` for the whole command. Pynguin:
30 s of search, its overtime granted and reported, its mutation phase capped at 30 s. Each suite then runs in
an environment without any of the tools: three times, with three hash seeds, once under coverage.py. Results
go to a file as they come; a second run goes on where the first was stopped. Two runs share the machine.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import queue
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".venv" / "peers"
TOOLS = ("ours", "ours-5", "pynguin", "pynguin-random", "ghostwriter")
NEEDED = {
    "subject": ("pytest>=9,<10", "coverage>=7.6,<8", "hypothesis"),
    "pynguin": ("pynguin",),
    "ghostwriter": ("hypothesis[cli,ghostwriter]", "pytest"),
}
LIMIT = 400.0  # seconds: whoever is not back by then has nothing
CORES: queue.Queue[int] = queue.Queue()


def plan() -> dict[str, Any]:
    """The modules by group, and the packages that they are in."""
    return tomllib.loads((HERE / "peers.toml").read_text())


def environment(name: str) -> Path:
    """The interpreter of an environment with all packages and what this tool needs."""
    folder = KEPT / name
    python, ready = folder / "bin" / "python", folder / "ready"
    wanted = [*plan()["packages"].values(), *NEEDED[name]]
    if not ready.exists() or ready.read_text() != "\n".join(wanted):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
        ready.write_text("\n".join(wanted))
    return python


def file_of(module: str) -> Path:
    """Where its source is."""
    code = f"import importlib.util as u; print(u.find_spec({module!r}).origin)"
    done = subprocess.run([environment("subject"), "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def command(tool: str, module: str, seed: int, out: Path) -> list[str]:
    """What writes the tests of a module into a folder."""
    if tool.startswith("ours"):
        file = file_of(module)
        target = str(file) if file.name == "__init__.py" else module
        seconds = "5" if tool == "ours-5" else "30"
        words = ["--time", seconds, "--seed", str(seed), "--jobs", "1", "--out", str(out / "tests")]
        words += ["--session", str(out / "session"), "--python", str(environment("subject")), "--quiet"]
        return [sys.executable, "-m", "tanteo", "generate", target, *words]
    if tool == "ghostwriter":
        return [str(environment(tool).parent / "hypothesis"), "write", module]
    python = environment("pynguin")
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    words = ["--project-path", site, "--module-name", module, "--output-path", str(out / "tests")]
    words += ["--maximum-search-time", "30", "--maximum-mutation-time", "30", "--seed", str(seed)]
    words += ["--algorithm", "RANDOM"] if tool == "pynguin-random" else []
    return [str(python.parent / "pynguin"), *words]


def write(tool: str, module: str, seed: int, out: Path, core: int) -> dict[str, Any]:
    """Run a tool on one core; how long it took and how much memory it needed."""
    (out / "tests").mkdir(parents=True)
    words = command(tool, module, seed, out)
    began = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    with (out / "output.txt").open("wb") as output:
        try:
            status: int | str = subprocess.run(
                ["taskset", "-c", str(core), *words],
                cwd=out,
                env={**os.environ, "PYNGUIN_DANGER_AWARE": "1", "PYTHONHASHSEED": str(seed)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT if tool != "ghostwriter" else subprocess.DEVNULL,
                timeout=LIMIT,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            status = "never ended"
    if tool == "ghostwriter" and status == 0:
        (out / "tests" / "test_ghost.py").write_bytes((out / "output.txt").read_bytes())
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    memory = round(after / 1024) if after > before else None  # only the largest child so far is known
    return {"exit": status, "seconds": round(time.monotonic() - began, 1), "megabytes": memory}


def tests_of(out: Path) -> list[str]:
    """The files that must pass; ours that show faults fail on purpose."""
    found = sorted((out / "tests").rglob("test_*.py"))
    return [str(f) for f in found if not f.stem.endswith("_faults")]


def run_suite(files: list[str], folder: Path, hash_seed: int, *prefix: str) -> dict[str, str]:
    """What became of each test."""
    report = folder / f"report-{hash_seed}.xml"
    words = [*prefix, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *files]
    setting = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    try:
        subprocess.run(
            [str(environment("subject")), *words],
            cwd=folder,
            env=setting,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        cases = ElementTree.parse(report).iter("testcase")
    except (subprocess.TimeoutExpired, OSError, ElementTree.ParseError):
        return {"suite": "failed"}
    told = {}
    for case in cases:
        bad = {part.tag for part in case} & {"failure", "error"}
        told[f"{case.get('classname')}::{case.get('name')}"] = "failed" if bad else "passed"
    return told


def measure(module: str, out: Path) -> dict[str, Any]:
    """Lines and branches that the suite covers, tests that fail, tests that change their mind."""
    files = tests_of(out)
    row: dict[str, Any] = {"lines": 0.0, "branches": 0.0, "tests": 0, "failing": 0, "flaky": 0, "size": 0}
    if not files:
        return row
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        include = ("-m", "coverage", "run", "--branch", f"--include={file_of(module)}")
        told = [run_suite(files, folder, 1, *include), *(run_suite(files, folder, n) for n in (2, 3))]
        words = [str(environment("subject")), "-m", "coverage", "json", "-q", "-o", "c.json"]
        subprocess.run(words, cwd=folder, capture_output=True, check=False)
        if (folder / "c.json").exists():
            totals = json.loads((folder / "c.json").read_text())["totals"]
            branches = totals["num_branches"]
            row["branches"] = round(100 * totals["covered_branches"] / branches, 1) if branches else 100.0
            row["lines"] = round(100 * totals["covered_lines"] / max(1, totals["num_statements"]), 1)
    names = {name for run in told for name in run}
    results = {name: {run.get(name, "missing") for run in told} for name in names}
    row["tests"] = len(names)
    row["failing"] = sum(found == {"failed"} for found in results.values())
    row["flaky"] = sum(len(found) > 1 for found in results.values())
    row["size"] = sum(bool(line.strip()) for f in files for line in Path(f).read_text().splitlines())
    return row


def one(item: tuple[str, str, int]) -> tuple[str, dict[str, Any]]:
    """One tool on one module with one seed."""
    tool, module, seed = item
    core = CORES.get()
    try:
        out = KEPT / "suites" / tool / f"{module}-{seed}"
        subprocess.run(["rm", "-rf", out], check=True)
        row = write(tool, module, seed, out, core)
        return f"{tool} {module} {seed}", {**row, **measure(module, out)}
    finally:
        CORES.put(core)


def table(results: dict[str, Any], tools: list[str]) -> str:
    """Means over the seeds for each module, and over all modules."""
    lines = ["| module | " + " | ".join(f"{t}: branches %" for t in tools) + " | failing, flaky |"]
    lines.append("|---" * (len(tools) + 2) + "|")
    means: dict[str, list[float]] = {t: [] for t in tools}
    for group in plan()["group"]:
        lines.append(f"| **{group['name']}** |" + " |" * (len(tools) + 1))
        for module in group["modules"]:
            cells = []
            for tool in tools:
                rows = [r for key, r in results.items() if key.rsplit(" ", 1)[0] == f"{tool} {module}"]
                cells.append(f"{statistics.mean(r['branches'] for r in rows):.1f}" if rows else "-")
                if rows:
                    means[tool].append(statistics.mean(r["branches"] for r in rows))
            ours = [r for key, r in results.items() if key.rsplit(" ", 1)[0] == f"ours {module}"]
            bad = f"{sum(r['failing'] for r in ours)}, {sum(r['flaky'] for r in ours)}"
            lines.append(f"| {module} | " + " | ".join(cells) + f" | {bad} |")
    cells = [f"{statistics.mean(means[t]):.1f}" if means[t] else "-" for t in tools]
    lines.append("| mean | " + " | ".join(cells) + " | |")
    return "\n".join(lines)


def main() -> None:
    """Run what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), choices=TOOLS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", help="modules")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side, a core each")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "peers.json")
    options = parser.parse_args()
    results: dict[str, Any] = json.loads(options.results.read_text()) if options.results.exists() else {}
    modules = [m for g in plan()["group"] for m in g["modules"] if options.only is None or m in options.only]
    items = [(t, m, s) for s in range(options.seeds) for m in modules for t in options.tools]
    todo = [i for i in items if " ".join(map(str, i)) not in results and not options.table]
    for name in {"subject", *(t.split("-")[0] for t in options.tools)} - {"ours"} if todo else ():
        environment(name)
    for core in range(options.jobs):
        CORES.put(core)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for key, row in pool.map(one, todo):
            results[key] = row
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(key, row, flush=True)
    print(table(results, options.tools))


if __name__ == "__main__":
    main()
