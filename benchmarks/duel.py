"""The same mutants of eight modules, killed by our tests and by Pynguin's.

    python benchmarks/peers.py --tools ours pynguin    # writes the suites
    python benchmarks/duel.py                          # scores those of each seed; then the table
    python benchmarks/duel.py --table

One set of mutants for both; a strict xfail that passes unexpectedly counts as a kill (pytest fails then), and
tests that fail on the module as it is are left out. Size: lines that are not blank, after ruff. Results
go to a file as they come.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bites import MODULES
from peers import HERE, KEPT, environment

TOOLS = ("ours", "pynguin")


def score(tool: str, module: str, seed: int, most: int) -> dict[str, Any]:
    """How many of the mutants a suite kills, and how long it is."""
    with tempfile.TemporaryDirectory() as name:
        folder, out = Path(name) / "tests", Path(name) / "score.json"
        shutil.copytree(KEPT / "suites" / tool / f"{module}-{seed}" / "tests", folder)
        files = [f for f in sorted(folder.rglob("test_*.py")) if not f.stem.endswith("_faults")]
        ruff = Path(sys.executable).parent / "ruff"
        subprocess.run([ruff, "format", "-q", "--isolated", *files], check=False)
        lines = [line for f in files for line in f.read_text().splitlines() if line.strip()]
        command: list[str | Path] = [
            sys.executable,
            HERE / "mutation.py",
            module,
            folder,
            "--most",
            str(most),
        ]
        command += ["--lenient", "--pattern", "test_*.py", "--python", environment("subject"), "--json", out]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not out.exists():
            return {"mutants": 0, "killed": 0, "size": len(lines), "why": (done.stderr or done.stdout)[-200:]}
        found = json.loads(out.read_text())
    return {"mutants": found["mutants"], "killed": found["killed"], "size": len(lines)}


def table(results: dict[str, Any]) -> str:
    """Means over the seeds for each module, then over all."""
    heads = [f"{tool}: {what}" for tool in TOOLS for what in ("killed %", "lines")]
    lines = ["| module | mutants | " + " | ".join(heads) + " |", "|---" * (len(heads) + 2) + "|"]
    totals: dict[str, list[tuple[float, float]]] = {tool: [] for tool in TOOLS}
    for module in MODULES:
        cells, mutants = [], 0
        for tool in TOOLS:
            rows = [row for key, row in results.items() if key.rsplit(" ", 1)[0] == f"{tool} {module}"]
            known = [row for row in rows if row["mutants"]]
            share = statistics.mean(100 * r["killed"] / r["mutants"] for r in known) if known else 0.0
            size = statistics.mean(r["size"] for r in rows) if rows else 0.0
            mutants = max([mutants, *(r["mutants"] for r in known)])
            totals[tool].append((share, size))
            cells += [f"{share:.1f}", f"{size:.0f}"]
        lines.append(f"| {module} | {mutants} | " + " | ".join(cells) + " |")
    means = {
        tool: [statistics.mean(column) for column in zip(*rows, strict=True)] for tool, rows in totals.items()
    }
    cells = [f"{value:.1f}" for tool in TOOLS for value in means[tool]]
    lines.append("| mean | | " + " | ".join(cells) + " |")
    if means["pynguin"][0]:
        ratios = [ours / theirs for ours, theirs in zip(*(means[tool] for tool in TOOLS), strict=True)]
        lines.append(f"\nours / pynguin: {ratios[0]:.2f} of the mutants killed, {ratios[1]:.2f} of the lines")
    return "\n".join(lines)


def main() -> None:
    """Score what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--most", type=int, default=100, help="mutants of a module, by chance")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "duel.json")
    options = parser.parse_args()
    results: dict[str, Any] = json.loads(options.results.read_text()) if options.results.exists() else {}
    items = [(tool, module, seed) for seed in range(options.seeds) for module in MODULES for tool in TOOLS]
    for tool, module, seed in () if options.table else items:
        key = f"{tool} {module} {seed}"
        if key not in results and (KEPT / "suites" / tool / f"{module}-{seed}" / "tests").is_dir():
            results[key] = score(tool, module, seed, options.most)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(key, results[key], flush=True)
    print(table(results))


if __name__ == "__main__":
    main()
