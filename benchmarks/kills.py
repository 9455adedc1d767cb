"""Kill the command at random moments after the fifth second: what is on disk must pass.

    python benchmarks/kills.py sortedcontainers --times 20 --seconds 40

The driver is killed with SIGKILL, as a power failure would do it; then plain pytest runs what is there,
with another hash seed and from another folder. `pip install sortedcontainers` first.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIRST = 5.0  # seconds


def strike(package: str, moment: float, seconds: float, folder: Path) -> None:
    """Start the command, and end it at this moment."""
    command = [sys.executable, "-m", "tanteo", "generate", package, "--time", f"{seconds:g}", "--quiet"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def judge(folder: Path) -> tuple[int, str]:
    """How many test files there are, and the last line of pytest."""
    tests = sorted((folder / "tests" / "tanteo").glob("test_tanteo_*.py"))
    passing = [str(t) for t in tests if not t.name.endswith("_faults.py")]
    if not passing:
        return 0, "nothing on disk yet"
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "--rootdir",
                elsewhere,
                *passing,
            ],
            cwd=elsewhere,
            env={**os.environ, "PYTHONHASHSEED": "77"},
            capture_output=True,
            text=True,
            check=False,
        )
    return len(passing), f"exit {done.returncode}: {(done.stdout.strip().splitlines() or ['?'])[-1]}"


def main() -> None:
    """Strike and judge, so many times; exit 1 if anything on disk does not pass."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    bad = 0
    for _ in range(options.times):
        moment = rng.uniform(FIRST, options.seconds)
        # A pytest that the command had started may live a little longer, and write.
        with tempfile.TemporaryDirectory(prefix="tanteo-bench-", ignore_cleanup_errors=True) as name:
            strike(options.package, moment, options.seconds, Path(name))
            files, verdict = judge(Path(name))
        print(f"killed after {moment:4.1f} s: {files} files; {verdict}", flush=True)
        bad += not verdict.startswith(("exit 0", "nothing"))
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
