"""How many mutants the written suites of eight modules kill, and what each kind of assertion adds.

    python benchmarks/bites.py                 # generate, mutate, ablate; then the table
    python benchmarks/bites.py --table

The modules and their environment are those of `peers.py`. Results go to a file as they come.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from peers import HERE, environment

MODULES = (
    "humanize.number",
    "inflection",
    "ordered_set",
    "semver.version",
    "jmespath.lexer",
    "toolz.dicttoolz",
    "isodate.isodates",
    "boltons.dictutils",
)
KINDS = ("result", "state", "raises", "type")


def score(module: str, tests: Path, most: int, *without: str) -> dict[str, Any]:
    """What the mutation tester says."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "score.json"
        command = [sys.executable, str(HERE / "mutation.py"), module, str(tests), "--most", str(most)]
        command += ["--python", str(environment("subject")), "--json", str(file)]
        for kind in without:
            command += ["--without", kind]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found: dict[str, Any] = json.loads(file.read_text())
    return {key: found[key] for key in ("mutants", "covered", "killed", "percent")}


def measure(module: str, seconds: float, most: int) -> dict[str, Any]:
    """A suite and its scores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "-m", "tanteo", "generate", module, "--time", f"{seconds:g}", "--quiet"]
        command += ["--python", str(environment("subject")), "--json", "out.json"]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        told = json.loads((folder / "out.json").read_text())["tests"]
        tests = folder / "tests" / "tanteo"
        row = {"tests": told["written"], "branches": told.get("coverage", {}).get("branches_pct")}
        row |= score(module, tests, most)
        row["without"] = {kind: score(module, tests, most, kind)["percent"] for kind in KINDS}
    return row


def table(results: dict[str, Any]) -> str:
    """All modules, and the sum."""
    heads = ["module", "tests", "branches %", "mutants in covered lines", "killed", "%"]
    heads += [f"% without {kind}" for kind in KINDS]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for module, row in results.items():
        cells = [module, row["tests"], row["branches"], row["covered"], row["killed"], row["percent"]]
        cells += [row["without"][kind] for kind in KINDS]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    covered = sum(row["covered"] for row in results.values())
    killed = sum(row["killed"] for row in results.values())
    share = 100 * killed / max(1, covered)
    lines.append(f"\nall: {killed} of {covered} mutants in covered lines killed, {share:.1f} %")
    return "\n".join(lines)


def main() -> None:
    """Measure what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--most", type=int, default=100, help="mutants a module")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "bites.json")
    options = parser.parse_args()
    results: dict[str, Any] = json.loads(options.results.read_text()) if options.results.exists() else {}
    for module in () if options.table else MODULES:
        if module not in results:
            results[module] = measure(module, options.seconds, options.most)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(module, results[module], flush=True)
    print(table(results))


if __name__ == "__main__":
    main()
