"""Does the SARIF file hold to its published schema? Of the example, and of real packages.

    python benchmarks/sarif.py                        # the example of `make demo`
    python benchmarks/sarif.py sortedcontainers --seconds 20

The schema comes with an npm package, and the validator from PyPI; both are kept in `.venv/sarif`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".venv" / "sarif"
PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SCHEMA = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
EXAMPLE = HERE.parent / "examples" / "figure_one"
CHECK = """
import json, sys, jsonschema
schema, file = (json.load(open(name)) for name in sys.argv[1:])
kind = jsonschema.validators.validator_for(schema)
found = [f"{list(e.absolute_path)}: {e.message}" for e in kind(schema).iter_errors(file)]
print("\\n".join(found[:20]))
sys.exit(bool(found))
"""


def schema() -> Path:
    """The published schema, fetched once."""
    file = KEPT / SCHEMA
    if not file.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", PACKAGE], cwd=KEPT, check=True, capture_output=True)
        with tarfile.open(next(KEPT.glob("*.tgz"))) as archive:
            archive.extractall(KEPT, filter="data")
    return file


def validator() -> Path:
    """An interpreter that has `jsonschema`."""
    python = KEPT / "env" / "bin" / "python"
    if not python.exists():
        venv.create(KEPT / "env", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "jsonschema"], check=True)
    return python


def main() -> None:
    """Write one file for each target, and validate it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("targets", nargs="*", default=[str(EXAMPLE)])
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    work = KEPT / "work"
    work.mkdir(parents=True, exist_ok=True)
    bad = 0
    for target in options.targets:
        words = ["--time", str(options.seconds), "--seed", "0", "--quiet", "--out", "tests"]
        command = [sys.executable, "-m", "tanteo", "generate", target, *words, "--sarif", "out.sarif"]
        subprocess.run(command, cwd=work, capture_output=True, check=False)  # faults are no failure here
        file = work / "out.sarif"
        check: list[str | Path] = [validator(), "-c", CHECK, schema(), file]
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        bad += done.returncode
        results = json.loads(file.read_text())["runs"][0]["results"]
        print(f"{Path(target).name}: {len(results)} results, {done.stdout.strip() or 'valid'}")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
