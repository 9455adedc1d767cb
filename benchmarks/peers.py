"""Tools side by side: same modules, same time, one core each; their tests are measured by coverage.py.

    python benchmarks/peers.py                      # everything that has no result yet, then the table
    python benchmarks/peers.py --tools ours pynguin --seeds 1 --only semver.version
    python benchmarks/peers.py --table
    python benchmarks/peers.py --ablation 10 --seeds 1 --results benchmarks/results/parts.json

The modules are in `peers.toml`, with what makes them hard. Ours: `--time 30` for the whole command. Pynguin:
30 s of search, its overtime granted and reported, its mutation phase capped at 30 s. Each suite then runs in
an environment without any of the tools: three times, with three hash seeds, once under coverage.py. Results
go to a file as they come; a second run goes on where the first was stopped. Two runs share the machine.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import functools
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import venv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tanteo.parts import PARTS

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


@functools.cache
def is_typed(module: str) -> bool:
    """Whether most parameters are annotated."""
    nodes = ast.walk(ast.parse(file_of(module).read_bytes()))
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    arguments = [a for f in functions for a in (*f.args.args, *f.args.kwonlyargs)]
    known = [a.annotation is not None for a in arguments if a.arg not in ("self", "cls")]
    return 2 * sum(known) > len(known)


def command(tool: str, module: str, seed: int, out: Path) -> list[str]:
    """What writes the tests of a module into a folder."""
    if tool.startswith("ours"):
        file = file_of(module)
        target = str(file) if file.name == "__init__.py" else module
        seconds = tool.partition("-")[2] or "30"
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


def write(tool: str, module: str, seed: int, out: Path, core: int, without: str = "") -> dict[str, Any]:
    """Run a tool on one core; how long it took and how much memory its largest process needed."""
    (out / "tests").mkdir(parents=True)
    words = command(tool, module, seed, out)
    words += ["--without", without] if without else []
    began = time.monotonic()
    with (out / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            ["taskset", "-c", str(core), *words],
            cwd=out,
            env={**os.environ, "PYNGUIN_DANGER_AWARE": "1", "PYTHONHASHSEED": str(seed)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if tool != "ghostwriter" else subprocess.DEVNULL,
        )
        end = threading.Timer(LIMIT, process.kill)
        end.start()
        _, status, used = os.wait4(process.pid, 0)
        end.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = round(time.monotonic() - began, 1)
    if tool == "ghostwriter" and process.returncode == 0:
        (out / "tests" / "test_ghost.py").write_bytes((out / "output.txt").read_bytes())
    ended = "never ended" if seconds >= LIMIT else process.returncode
    return {"exit": ended, "seconds": seconds, "megabytes": round(used.ru_maxrss / 1024)}


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


def measure(module: str, out: Path, again: tuple[int, ...] = (2, 3)) -> dict[str, Any]:
    """Lines and branches that the suite covers, tests that fail, tests that change their mind."""
    files = tests_of(out)
    row: dict[str, Any] = {"lines": 0.0, "branches": 0.0, "tests": 0, "failing": 0, "flaky": 0, "size": 0}
    if not files:
        return row
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        include = ("-m", "coverage", "run", "--branch", f"--include={file_of(module)}")
        told = [run_suite(files, folder, 1, *include), *(run_suite(files, folder, n) for n in again)]
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


def of(results: dict[str, Any], tool: str, module: str) -> list[dict[str, Any]]:
    """The rows of all seeds."""
    return [row for key, row in results.items() if key.rsplit(" ", 1)[0] == f"{tool} {module}"]


def mean(rows: list[dict[str, Any]], what: str) -> float | None:
    """Over the seeds; None if there is nothing yet."""
    return statistics.mean(row[what] for row in rows) if rows else None


def table(results: dict[str, Any], tools: list[str]) -> str:
    """Means over the seeds for each module; then means over all modules, and what they are measured by."""
    lines = ["| module | " + " | ".join(f"{t}: branches %" for t in tools) + " | ours - pynguin |"]
    lines.append("|---" * (len(tools) + 2) + "|")
    for group in plan()["group"]:
        lines.append(f"| **{group['name']}** |" + " |" * (len(tools) + 1))
        for module in group["modules"]:
            found = [mean(of(results, tool, module), "branches") for tool in tools]
            cells = ["-" if value is None else f"{value:.1f}" for value in found]
            ours, theirs = (mean(of(results, tool, module), "branches") for tool in ("ours", "pynguin"))
            more = f"{ours - theirs:+.1f}" if ours is not None and theirs is not None else "-"
            lines.append(f"| {module} | " + " | ".join(cells) + f" | {more} |")
    return "\n".join([*lines, "", *_totals(results, tools), "", *_judgement(results)])


def _totals(results: dict[str, Any], tools: list[str]) -> list[str]:
    heads = ("branches", "lines", "tests", "size", "seconds", "megabytes")
    lines = ["| tool | runs | " + " | ".join(heads) + " | failing | flaky | no tests |", "|---" * 11 + "|"]
    for tool in tools:
        rows = [row for key, row in results.items() if key.split(" ")[0] == tool]
        if rows:
            cells = [f"{mean(rows, what):.1f}" for what in heads]
            bad = [str(sum(row[what] for row in rows)) for what in ("failing", "flaky")]
            none = str(sum(not row["tests"] for row in rows))
            lines.append(f"| {tool} | {len(rows)} | " + " | ".join([*cells, *bad, none]) + " |")
    return lines


def _judgement(results: dict[str, Any]) -> list[str]:
    """What is asked of ours, on the modules that both have run."""
    pairs, early = {}, []
    for group in plan()["group"]:
        for module in group["modules"]:
            rows = [mean(of(results, tool, module), "branches") for tool in ("ours", "pynguin", "ours-5")]
            if rows[0] is not None and rows[1] is not None:
                pairs[module] = (rows[0], rows[1])
                early += [rows[2] - rows[1]] if rows[2] is not None else []
    if not pairs:
        return []
    typed = {m: pair for m, pair in pairs.items() if is_typed(m)}
    lines = [f"ours / pynguin: {_ratio(pairs):.2f} on {len(pairs)} modules"]
    lines += [f"ours / pynguin: {_ratio(typed):.2f} on {len(typed)} typed modules"] if typed else []
    worst = min(pairs, key=lambda m: pairs[m][0] - pairs[m][1])
    lines.append(f"worst: {worst}, {pairs[worst][0] - pairs[worst][1]:+.1f} points")
    if early:
        lines.append(f"--time 5 against pynguin's end, median module: {statistics.median(early):+.1f} points")
    return lines


def _ratio(pairs: dict[str, tuple[float, float]]) -> float:
    ours, theirs = (statistics.mean(pair[n] for pair in pairs.values()) for n in (0, 1))
    return ours / theirs if theirs else float("inf")


def chart(results: dict[str, Any], file: Path) -> None:
    """Bars of ours and Pynguin's branch coverage, a pair for each module, as SVG."""
    names = [m for g in plan()["group"] for m in g["modules"] if of(results, "ours", m)]
    rows = []
    for number, name in enumerate(names):
        top = 30 + 26 * number
        rows.append(f'<text x="190" y="{top + 14}" text-anchor="end">{name}</text>')
        for place, (tool, colour) in enumerate((("ours", "#1b6ca8"), ("pynguin", "#c9ccd1"))):
            value = mean(of(results, tool, name), "branches") or 0.0
            y = top + 10 * place
            rows.append(f'<rect x="200" y="{y}" width="{4 * value:.0f}" height="9" fill="{colour}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{50 + 26 * len(names)}"'
    title = '<text x="200" y="18">branches %, blue: ours, grey: Pynguin (30 s, mean of the seeds)</text>'
    file.write_text(
        "\n".join([f'{head} font-family="sans-serif" font-size="11">', title, *rows, "</svg>"]) + "\n"
    )


def ablation(results: dict[str, Any], modules: list[str], seconds: int, seeds: int, file: Path) -> str:
    """Ours with each part switched off, one after the other, at a smaller budget."""
    parts = ["", *PARTS]
    turns = {m: turn for g in plan()["group"] for turn, m in enumerate(g["modules"])}
    ordered = sorted(modules, key=turns.__getitem__)  # one of each group first: it may be stopped early
    items = [(part, module, seed) for seed in range(seeds) for module in ordered for part in parts]
    todo = [item for item in items if _named(*item) not in results]
    with concurrent.futures.ThreadPoolExecutor(CORES.qsize()) as pool:
        for key, row in pool.map(_ablated, todo, [seconds] * len(todo)):
            results[key] = row
            file.write_text(json.dumps(results, indent=1) + "\n")
            print(key, row["branches"], flush=True)
    means = {part: [] for part in parts}  # type: dict[str, list[float]]
    for part, module, seed in items:
        means[part].append(results[_named(part, module, seed)]["branches"])
    full = statistics.mean(means[""])
    lines = [f"| without | branches % after {seconds} s | less |", "|---|---|---|"]
    for part in sorted(parts, key=lambda part: statistics.mean(means[part])):
        mean_of = statistics.mean(means[part])
        lines.append(f"| {part or '(nothing)'} | {mean_of:.1f} | {full - mean_of:+.1f} |")
    return "\n".join(lines)


def _named(part: str, module: str, seed: int) -> str:
    return f"without-{part or 'nothing'} {module} {seed}"


def _ablated(item: tuple[str, str, int], seconds: int) -> tuple[str, dict[str, Any]]:
    part, module, seed = item
    core = CORES.get()
    try:
        out = KEPT / "suites" / f"without-{part or 'nothing'}" / f"{module}-{seed}"
        subprocess.run(["rm", "-rf", out], check=True)
        row = write(f"ours-{seconds}", module, seed, out, core, part)
        return _named(part, module, seed), {**row, **measure(module, out, again=())}
    finally:
        CORES.put(core)


def main() -> None:
    """Run what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), choices=TOOLS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", nargs="*", help="modules")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side, a core each")
    parser.add_argument("--ablation", type=int, metavar="SECONDS", help="ours without each part instead")
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
    if options.ablation:
        environment("subject")
        print(ablation(results, modules, options.ablation, options.seeds, options.results))
        return
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for key, row in pool.map(one, todo):
            results[key] = row
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(key, row, flush=True)
    print(table(results, options.tools))
    chart(results, options.results.with_suffix(".svg"))


if __name__ == "__main__":
    main()
