"""What the full loop costs over the bare calls, and how it compares with Pynguin; all in one run.

The full loop is the explorer's: propose, probes, contracts, filters, verdicts, pools, duplicate table,
in-flight slot, journal, guard and timer. The bare loop makes the same calls, in the same order, on the
uninstrumented subject: it interprets the sequences of the full one and does nothing else. The two take
turns, so that the noise of the machine falls on both.

The third subject, rich, has over 38,000 lines. `pip install sortedcontainers rich` first.

    python benchmarks/throughput.py            # ours: three subjects, several rounds
    python benchmarks/throughput.py --pynguin  # and Pynguin on the first two (its own environment)
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
sys.path[:0] = [str(HERE.parent / "src"), str(EXAMPLES)]

from tanteo.assembly import assemble  # noqa: E402
from tanteo.engine import explore  # noqa: E402
from tanteo.execute.codec import decode  # noqa: E402
from tanteo.execute.explorer import Journal, limit_memory, settle_memory  # noqa: E402
from tanteo.execute.guard import Guard  # noqa: E402
from tanteo.execute.interpret import Hung, interpret  # noqa: E402
from tanteo.execute.load import Wanted, load  # noqa: E402
from tanteo.execute.log import Log  # noqa: E402
from tanteo.execute.surroundings import Surroundings, replace_random  # noqa: E402
from tanteo.execute.timer import Timer  # noqa: E402
from tanteo.model import Run, Sequence, Verdict  # noqa: E402
from tanteo.session import Session, stream  # noqa: E402

SUBJECTS = ("containers.tree_map", "sortedcontainers.sortedlist:SortedList", "rich")
PACKAGES = ("sortedcontainers",)
LIMIT = 1.0
STRETCH = 250  # sequences between two turns of the bare loop


class Explorer(NamedTuple):
    """What an explorer's process has, put together in this one."""

    session: Session
    journal: Journal
    timer: Timer
    guard: Guard
    arms: tuple[int, ...]


def prepare(target: str, steps: int, seed: int) -> Explorer:
    """All of the explorer but its process."""
    dice = replace_random()
    loaded = load(Wanted((target,)))
    limit_memory(2048)
    scratch = tempfile.mkdtemp(prefix="tanteo-")
    home = os.path.join(scratch, "work")
    os.makedirs(home)
    os.chdir(home)
    guard = Guard(scratch)
    guard.install()
    subject = loaded.subject
    log = Log(os.memfd_create("log"), len(subject.operations), len(subject.blocks))
    timer = Timer(LIMIT)
    world = Surroundings(home, guard, timer, dice, lambda s, q: log.announce(s, q.code))
    rng = stream(seed, "job", 0, "life", 0)
    session = assemble(loaded, rng, steps=steps, world=world, scratch=scratch)
    return Explorer(session, Journal(log, session, time.monotonic()), timer, guard, subject.arm_numbers)


def full(target: str, steps: int, seed: int) -> dict[str, float]:
    """Run the explorer's loop in this process; after each stretch the bare loop runs the same sequences.

    In turns of some 30 ms, because other users of a shared machine slow it down for seconds at a time.
    """
    other, out = Other(target), sys.stdout
    session, journal, timer, guard, arms = prepare(target, steps, seed)
    stretch: list[Sequence] = []
    statements = calls = hung = 0
    settle_memory()
    timer.start()
    seconds = bare = 0.0
    began = time.thread_time()
    for run in explore(session):
        assert isinstance(run, Run)
        journal.write(run)
        stretch.append(run.sequence)
        hung += run.verdict is Verdict.HUNG
        del run
        if len(stretch) == STRETCH:
            seconds += time.thread_time() - began
            timer.stop()
            for _ in journal.log.drain():  # the driver's work, on the other core
                pass
            statements += sum(map(len, stretch))
            calls += sum(s.calls for s in stretch)
            bare += other.run([s.code for s in stretch])
            stretch.clear()
            timer.start()
            began = time.thread_time()
    timer.stop()
    sys.stdout = sys.stderr = out
    guard.active = False
    done = session.step - len(stretch)
    return {
        "seconds": seconds,
        "bare": bare,
        "ratio": seconds / bare,
        "sequences": done,
        "statements": statements / done,
        "calls": calls / done,
        "arms": sum(session.seen_hits[a] for a in arms),
        "hung": hung,
    }


class Other:
    """The bare loop, in an interpreter of its own."""

    def __init__(self, target: str) -> None:
        command = [sys.executable, __file__, "--role", "bare", "--target", target]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, codes: list[bytes]) -> float:
        """Let it run these sequences; the seconds that it took."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump(codes, self._process.stdin)
        self._process.stdin.flush()
        seconds: float = pickle.load(self._process.stdout)
        return seconds


def bare(target: str) -> None:
    """Make the same calls on the uninstrumented subject; the guard stays on, it costs a call nothing."""
    orders, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):  # as an explorer has them: the subject may read and write
        os.dup2(nothing, descriptor)
    sys.stdin = open(0)  # noqa: SIM115 - until the process ends
    calls = load(Wanted((target,)), with_probes=False).bindings.calls
    limit_memory(2048)
    scratch = tempfile.mkdtemp(prefix="tanteo-")
    os.chdir(scratch)
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
    guard = Guard(scratch)
    guard.install()
    timer = Timer(LIMIT)
    settle_memory()
    with contextlib.suppress(EOFError):
        while True:
            sequences = [decode(code) for code in pickle.load(orders)]
            timer.start()
            began = time.thread_time()
            for number, sequence in enumerate(sequences, 1):
                timer.step = number
                with contextlib.suppress(Hung):  # the tick may fall just behind the calls
                    interpret(sequence, calls)
                timer.step = 0
            seconds = time.thread_time() - began
            timer.stop()
            pickle.dump(seconds, answers)
            answers.flush()
    os._exit(0)


def compare(target: str, steps: int, rounds: int) -> dict[str, float]:
    """Several seeds, each in a fresh interpreter with a fixed hash seed; the median."""
    record = Path(tempfile.mkdtemp()) / "answer.json"
    rows: list[dict[str, float]] = []
    for seed in range(rounds):
        command = [sys.executable, __file__, "--role", "full", "--target", target, "--steps", str(steps)]
        command += ["--seed", str(seed), "--record", str(record)]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        if done.returncode:
            raise SystemExit(f"{target}: exit status {done.returncode} {done.stderr}")
        rows.append(json.loads(record.read_text()))
    middle = {key: statistics.median(row[key] for row in rows) for key in rows[0]}
    print(
        f"{target:40} full {middle['seconds']:6.2f} s  bare {middle['bare']:6.2f} s  "
        f"ratio {middle['ratio']:.2f} ({min(r['ratio'] for r in rows):.2f} to "
        f"{max(r['ratio'] for r in rows):.2f})  mean length {middle['statements']:.1f} statements, "
        f"{middle['calls']:.1f} calls, {middle['hung']:.0f} hung  "
        f"{middle['sequences'] / middle['seconds']:,.0f} sequences/s",
        flush=True,
    )
    return middle


def pynguin(target: str, ours: dict[str, float], seconds: int, folder: Path) -> None:
    """Pynguin on the same module, by its own statistics: tests by a search of so many seconds (the median of
    three), statements (of which calls are a part) by how long it takes for its limit of them."""
    module = target.partition(":")[0]
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "pynguin", *PACKAGES], check=True)
    root = EXAMPLES if module.startswith("containers") else _home_of(python, module)
    searches = [_search(python, root, module, ["--maximum-search-time", str(seconds)], n) for n in (1, 2, 3)]
    limit = 5000
    by_count = _search(
        python,
        root,
        module,
        ["--maximum-search-time", "120", "--maximum-statement-executions", str(limit)],
    )
    tests = statistics.median(int(s["Executed"]) / (int(s["SearchTime"]) / 1e9) for s in searches)
    statements = limit / (int(by_count["SearchTime"]) / 1e9)
    our_tests = ours["sequences"] / ours["seconds"]
    our_calls = our_tests * ours["calls"]
    print(
        f"  Pynguin {by_count['version']}: {tests:,.0f} tests/s, {statements:,.0f} statements/s; "
        f"ours: {our_tests:,.0f} tests/s ({our_tests / tests:.0f} times), "
        f"{our_calls:,.0f} calls/s ({our_calls / statements:.0f} times)",
        flush=True,
    )


def _search(python: Path, root: Path, module: str, limits: list[str], seed: int = 1) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as out:
        command = [str(python), "-m", "pynguin", "--project-path", str(root), "--module-name", module]
        command += ["--output-path", out, "--report-dir", out, "--assertion-generation", "NONE"]
        command += ["--seed", str(seed), "--statistics-backend", "CSV", *limits]
        command += ["--output-variables", "TargetModule,Executed,SearchTime"]
        environment = {**os.environ, "PYNGUIN_DANGER_AWARE": "1"}
        subprocess.run(command, env=environment, capture_output=True, timeout=900, check=False)
        with (Path(out) / "statistics.csv").open() as file:
            (row,) = csv.DictReader(file)
    code = "import importlib.metadata as m; print(m.version('pynguin'))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return {**row, "version": done.stdout.strip()}


def _home_of(python: Path, module: str) -> Path:
    top = module.partition(".")[0]
    code = f"import {top}, os; print(os.path.dirname(os.path.dirname({top}.__file__)))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pynguin", action="store_true")
    parser.add_argument("--pynguin-seconds", type=int, default=30)
    parser.add_argument("--pynguin-venv", type=Path, default=Path(tempfile.gettempdir()) / "tanteo-pynguin")
    parser.add_argument("--subjects", nargs="*", default=SUBJECTS)
    parser.add_argument("--role", help=argparse.SUPPRESS)
    parser.add_argument("--target", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role == "full":
        answer = full(options.target, options.steps, options.seed)
        options.record.write_text(json.dumps(answer))
        os._exit(0)  # the subject may have closed our standard streams
    elif options.role == "bare":
        bare(options.target)
    else:
        for number, target in enumerate(options.subjects):
            ours = compare(target, options.steps, options.rounds)
            if options.pynguin and number < 2:
                pynguin(target, ours, options.pynguin_seconds, options.pynguin_venv)


if __name__ == "__main__":
    main()
