"""Every fault that is reported about mature packages, for a person to judge.

    python benchmarks/study.py                      # 60 s each, what has no result yet
    python benchmarks/study.py --only bidict
    python benchmarks/study.py --print              # all faults as they are reported

The newest releases of packages that nobody here wrote, none of them in `bugs.toml`. What was reported and
how it was judged stands in `docs/faults-study.md`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".venv" / "study"
PACKAGES = {  # by the name to install
    "bidict": "bidict",
    "pygtrie": "pygtrie",
    "intervaltree": "intervaltree",
    "sortedcollections": "sortedcollections",
    "pyrsistent": "pyrsistent",
    "treelib": "treelib",
    "prettytable": "prettytable",
    "webcolors": "webcolors",
    "semantic-version": "semantic_version",
    "bitstring": "bitstring",
    "textdistance": "textdistance",
    "arrow": "arrow",
}
SECONDS = 60


def environment(package: str) -> Path:
    """The interpreter of an environment with the newest release."""
    folder = KEPT / package
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        venv.create(folder, with_pip=False, clear=True)
        pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
        subprocess.run([*pip, "--disable-pip-version-check", package, "pytest>=9,<10"], check=True)
        ready.touch()
    return python


def release(package: str) -> str:
    """Which one it is."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    done = subprocess.run([environment(package), "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def run(package: str, seed: int) -> dict[str, Any]:
    """The faults that a run reports, with the failing tests that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")
        words = ["generate", PACKAGES[package], "--time", str(SECONDS), "--seed", str(seed), "--quiet"]
        words += ["--python", str(environment(package)), "--json", str(told)]
        words += ["--session", f"{folder}/session", "--out", f"{folder}/tests"]
        done = subprocess.run(
            [sys.executable, "-m", "tanteo", *words], cwd=folder, check=False, stdout=subprocess.DEVNULL
        )
        summary = json.loads(told.read_text()) if told.exists() else {"faults": []}
        tests = [file.read_text() for file in sorted(Path(folder, "tests").glob("*_faults.py"))]
    keys = ("id", "kind", "contract", "exception", "message", "function", "operation", "reason", "source")
    faults = [
        {k: f[k] for k in keys} | {"test": bool(f["test"])}
        for f in summary["faults"]
        if f["level"] == "fault"
    ]
    return {"release": release(package), "exit": done.returncode, "faults": faults, "tests": tests}


def main() -> None:
    """Run what has no result yet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--print", action="store_true", dest="show")
    parser.add_argument("--results", type=Path, default=HERE / "results" / "faults.json")
    options = parser.parse_args()
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    for package in PACKAGES:
        if options.show or package in results or (options.only and package not in options.only):
            continue
        results[package] = run(package, options.seed)
        print(package, results[package]["release"], len(results[package]["faults"]), flush=True)
        options.results.parent.mkdir(exist_ok=True)
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    for package, row in results.items() if options.show else ():
        for fault in row["faults"]:
            what = fault["contract"] or fault["exception"] or fault["kind"]
            print(f"\n## {package} {row['release']}: {fault['operation']}: {what}\n{fault['reason']}")
            print(f"{fault['message']}\n{fault['source']}")
    print(f"{sum(len(row['faults']) for row in results.values())} faults in {len(results)} packages")


if __name__ == "__main__":
    main()
