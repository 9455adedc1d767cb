"""Seeded defects in classes with contracts: how many are found, and what is said of the repaired classes.

    python benchmarks/defects.py                    # 10 s for each class, defective and repaired
    python benchmarks/defects.py --only account fraction --seconds 5

`examples/contracts/defects.toml` names the line, the kind and the clause of each defect. One counts as found
if a fault of that kind is reported about that clause (or exception) with a test that runs that line.
No fault may be reported about a repaired class.
"""

from __future__ import annotations

import argparse
import ast
import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
NEEDED = ("icontract", "deal")
NESTED = "precondition-of-callee"
KINDS = {"precondition of what it calls": NESTED}
TRACE = """
import sys
seen = set()
def look(frame, event, argument):
    if frame.f_code.co_filename == sys.argv[1]:
        seen.add(frame.f_lineno)
        return look
sys.path.insert(0, ".")
code = compile(sys.stdin.read(), "<source>", "exec")
sys.settrace(look)
try:
    exec(code, {})
except BaseException:
    pass
sys.settrace(None)
print(*seen)
"""


def interpreter() -> Path:
    """One that has the contract libraries."""
    folder = ROOT / ".venv" / "contracts"
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *NEEDED], check=True)
        (folder / "ready").touch()
    return python


def faults_of(module: str, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Everything at level fault that a run reports about a module."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")
        path = Path(*module.split(".")).with_suffix(".py")
        words = ["generate", str(path), "--time", f"{seconds:g}", "--seed", str(seed), "--quiet"]
        words += ["--python", str(interpreter()), "--json", str(told)]
        words += ["--session", f"{folder}/session", "--out", f"{folder}/tests"]
        command = [sys.executable, "-m", "tanteo", *words]
        subprocess.run(command, cwd=EXAMPLES, check=False, stdout=subprocess.DEVNULL)
        faults: list[dict[str, Any]] = json.loads(told.read_text())["faults"]
    return [fault for fault in faults if fault["level"] == "fault"]


def normal(clause: str) -> str:
    """A condition without differences of layout."""
    try:
        return ast.unparse(ast.parse(clause, mode="eval"))
    except SyntaxError:
        return clause


def lines_run(fault: dict[str, Any], module: str) -> set[int]:
    """The lines of the module that the source of a fault runs."""
    path = str(EXAMPLES / Path(*module.split(".")).with_suffix(".py"))
    done = subprocess.run(
        [interpreter(), "-c", TRACE, path],
        input=fault["source"],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return set(map(int, done.stdout.split()))


def is_found(defect: dict[str, Any], faults: list[dict[str, Any]]) -> bool:
    """Whether one of the faults is this defect: its kind, its clause, and a test that runs its line."""
    for fault in faults:
        if defect["kind"] == "exception":
            same = (fault["exception"] or "").rpartition(".")[2] == defect["clause"]
        else:
            kind, _, clause = (fault["contract"] or "").partition(": ")
            same = KINDS.get(kind, kind) == defect["kind"] and normal(clause) == normal(defect["clause"])
        if same and defect["line"] in fault["lines"]:
            return True
    return False


def main() -> None:
    """Run all classes and print the table; a line for each defect that was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    defects = tomllib.loads((EXAMPLES / "contracts" / "defects.toml").read_text())["defect"]
    modules = sorted({d["module"] for d in defects})
    modules = [m for m in modules if not options.only or m.rpartition(".")[2] in options.only]
    print("| class | defects | found | faults of the repaired one |\n|---|---|---|---|", flush=True)
    found, total, alarms = Counter[str](), Counter[str](), 0
    for module in modules:
        name = module.rpartition(".")[2]
        own = [d for d in defects if d["module"] == module]
        faults = faults_of(module, options.seconds, options.seed)
        for fault in faults:
            fault["lines"] = lines_run(fault, module)
        seen = [d for d in own if is_found(d, faults)]
        false = faults_of(module.replace("defective", "repaired"), options.seconds, options.seed)
        print(f"| {name} | {len(own)} | {len(seen)} | {len(false)} |", flush=True)
        for defect in own:
            total[defect["kind"]] += 1
            found[defect["kind"]] += defect in seen
            if defect not in seen:
                print(f"missed: {module}:{defect['line']} {defect['function']} {defect['kind']}", flush=True)
                print(f"        {defect['clause']}: {defect['summary']}", flush=True)
        for fault in false:
            print(f"false: {fault['operation']}: {fault['contract'] or fault['exception']}", flush=True)
        alarms += len(false)
    for kind in sorted(total):
        print(f"{kind}: {found[kind]} of {total[kind]}")
    share = 100 * found.total() / max(1, total.total())
    print(f"found {found.total()} of {total.total()} ({share:.1f} %), {alarms} false alarms")


if __name__ == "__main__":
    main()
