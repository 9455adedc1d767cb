"""The same command twice, the second time under other conditions: the same findings?

The second run has another PYTHONHASHSEED, starts in another directory and shares the machine with two busy
processes. Everything in the JSON file must be equal but for times, and the written files to the byte.
`pip install sortedcontainers toolz tabulate` first.

    python benchmarks/repeatable.py sortedcontainers toolz tabulate --steps 5000 --seed 7
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"  # ends with us, however we end


def run(package: str, steps: int, seed: int, jobs: int, folder: Path, hash_seed: str) -> dict[str, Any]:
    """One command; its JSON file without times."""
    command = [sys.executable, "-m", "tanteo", "generate", package, "--steps", str(steps)]
    command += [
        "--seed",
        str(seed),
        "--jobs",
        str(jobs),
        "--json",
        "out.json",
        "--quiet",
        "--fresh",
    ]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    found: dict[str, Any] = json.loads((folder / "out.json").read_text())
    del found["elapsed_seconds"]
    for row in found["coverage"]["timeline"]:
        row[0] = 0
    for file in sorted((folder / "tests" / "tanteo").glob("*.py")):
        found[file.name] = file.read_bytes()
    return found


def compare(package: str, steps: int, seed: int, jobs: int) -> bool:
    """Whether two runs agree."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        deeper = Path(other) / "some" / "where" / "else"
        deeper.mkdir(parents=True)
        first = run(package, steps, seed, jobs, Path(one), "0")
        busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(2)]
        try:
            second = run(package, steps, seed, jobs, deeper, "12345")
        finally:
            for process in busy:
                process.kill()
                process.wait()
    differing = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    sequences = first["sequences"]
    print(
        f"{package:20} jobs {jobs}: {'same' if not differing else 'DIFFERENT: ' + ', '.join(differing)}; "
        f"{sequences['executed']} executed, {sequences['kept']} kept "
        f"({sequences['kept_digest'][:12]} / {second['sequences']['kept_digest'][:12]}), "
        f"{first['calls']} calls, {len(first['faults'])} faults, {first['coverage']['arms_covered']} arms, "
        f"{first['tests']['written']} tests in {len(first['tests']['files'])} files",
        flush=True,
    )
    return not differing


def main() -> None:
    """Parse, compare, exit 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    same = [
        compare(package, options.steps, options.seed, jobs) for package in options.packages for jobs in (1, 2)
    ]
    sys.exit(not all(same))


if __name__ == "__main__":
    main()
