"""Packages drawn by a fixed seed from packages.toml, one `tanteo generate` each; a table of what happened.

Each package gets an environment of its own; tanteo runs outside of it (`--python`). Before and after each
run the environment, a home directory and the working directory are compared file by file.

    python benchmarks/packages.py --count 10 --draw 2026 --seconds 60

Results go to a file as they come; a second run goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def snapshot(*folders: Path) -> str:
    """One digest of all files below some folders."""
    total = hashlib.sha256()
    for folder in folders:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            total.update(str(file).encode() + file.read_bytes())
    return total.hexdigest()


def measure(package: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Install, run, compare."""
    with tempfile.TemporaryDirectory(prefix="tanteo-bench-") as name:
        base = Path(name)
        environment, home, work = base / "env", base / "home", base / "work"
        venv.create(environment, with_pip=True)
        wanted = [f"{package['name']}=={package['version']}", *package.get("requires", [])]
        python = environment / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True)
        for folder in (home, work):
            folder.mkdir()
        (home / "precious.txt").write_text("do not touch")
        before = snapshot(environment, home)
        command = [sys.executable, "-m", "tanteo", "generate", package["module"], "--time", str(seconds)]
        command += ["--python", str(python), "--json", "out.json", "--quiet"]
        began = time.monotonic()
        done = subprocess.run(
            command,
            cwd=work,
            env={**os.environ, "HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
        elapsed = time.monotonic() - began
        after = snapshot(environment, home)
        clean = set(os.listdir(work)) <= {".tanteo", "out.json", "tests"} and before == after
        row: dict[str, Any] = {"exit": done.returncode, "elapsed": round(elapsed, 1), "unchanged": clean}
        row["traceback"] = "Traceback" in done.stdout + done.stderr
        if done.returncode == 0:
            row.update(read(json.loads((work / "out.json").read_text())))
        else:
            row["stderr"] = done.stderr[-500:]
        return row


def read(report: dict[str, Any]) -> dict[str, Any]:
    """What the table shows."""
    reasons = collections.Counter(s["reason"].partition(":")[0] for s in report["skipped"])
    coverage = report["coverage"]
    return {
        "operations": len(report["operations"]),
        "skipped": sum(reasons.values()),
        "why": "; ".join(f"{reason} {n}" for reason, n in reasons.most_common(4)),
        "sequences": report["sequences"]["executed"],
        "arms": f"{coverage['arms_covered']}/{coverage['arms_total']}",
        "restarts": report["explorers"]["restarts"],
        "mishaps": len(report["mishaps"]),
        "faults": sum(f["level"] == "fault" for f in report["faults"]),
        "suspicious": sum(f["level"] == "suspicious" for f in report["faults"]),
    }


def main() -> None:
    """Draw, measure what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--draw", type=int, default=2026, help="seed of the draw")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--results", type=Path, default=HERE / "results" / "packages.json")
    options = parser.parse_args()
    packages = tomllib.loads((HERE / "packages.toml").read_text())["package"]
    drawn = random.Random(options.draw).sample(packages, options.count)
    options.results.parent.mkdir(exist_ok=True)
    results: dict[str, Any] = {}
    if options.results.exists():
        results = json.loads(options.results.read_text())
    for package in drawn:
        if package["name"] not in results:
            results[package["name"]] = measure(package, options.seconds)
            options.results.write_text(json.dumps(results, indent=1) + "\n")
            print(package["name"], results[package["name"]], flush=True)
    columns = ["operations", "skipped", "why", "sequences", "arms", "restarts", "faults", "suspicious"]
    columns += ["exit", "elapsed", "traceback", "mishaps", "unchanged"]
    print("| package | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for package in drawn:
        row = results[package["name"]]
        print(f"| {package['name']} | " + " | ".join(str(row.get(c, "")) for c in columns) + " |")


if __name__ == "__main__":
    main()
