"""The process in which the subject runs: recovers what its predecessor kept, explores, logs."""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import warnings
from dataclasses import dataclass
from os import getpid
from time import monotonic
from typing import Any

from tanteo.assembly import assemble
from tanteo.engine import attempt, explore
from tanteo.execute.children import give_way
from tanteo.execute.clock import Clock
from tanteo.execute.codec import decode
from tanteo.execute.guard import Guard
from tanteo.execute.load import Loaded
from tanteo.execute.log import COLUMNS, REFUSED, Log
from tanteo.execute.minimiser import run_minimiser
from tanteo.execute.surroundings import Dice, Surroundings
from tanteo.execute.timer import Timer
from tanteo.model import EXPECTED, NORMAL, Fault, Reset, Run, Sequence, Verdict
from tanteo.probes import set_bits
from tanteo.session import Session, stream

DOUBT = 1 << 20  # calls: a sequence that only raises suspicion is longer than any that does not
REPORT_EVERY, REPORT_STEPS = 0.3, 64  # seconds, or steps, between two reports of counts
LOOK_EVERY = 64  # steps between two looks at the clock for that
MOST_KEPT = 2_000  # sequences logged only because they feed the pool
LONGEST_RECOVERY = 0.1  # of the time that is left
REDO = 3  # exit status: start me again, my process is worn out


@dataclass(frozen=True, slots=True)
class Orders:
    """What one explorer is to do; comes from the driver as JSON."""

    job: int
    life: int  # how many explorers this job had before
    seed: int
    strategy: str
    filters: tuple[str, ...]
    contracts: tuple[str, ...]
    first_step: int
    steps: int | None
    seconds: float | None
    call_timeout: float
    memory: int
    recovery: str | None  # file with what the predecessors kept
    culprits: dict[str, int]  # operation number -> hangs and crashes
    without: tuple[str, ...] = ()  # parts that are switched off
    tune: tuple[str, ...] = ()  # KEY=VALUE for the strategy


def orders_from_json(data: dict[str, Any]) -> Orders:
    """The way back from the pipe."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return Orders(**fields)


class Journal:
    """Writes what matters about runs into the log; repeated faults are only counted."""

    def __init__(self, log: Log, session: Session, started: float) -> None:
        self.log, self.session, self.started = log, session, started
        self.calls = 0
        self._outcomes: list[set[str]] = [set() for _ in session.operations]
        self._times = [0] * len(session.operations)  # good runs; the 1st, 2nd, 4th, 8th ... are examples
        self._noted: set[int] = set()
        self._faults: dict[tuple[object, ...], list[int]] = {}  # runs so far, shortest sequence
        self._fed = 0
        self._next = 0.0
        self._strikes = 0

    def write(self, run: Run) -> None:
        """Count the run; log it if a later reader wants to know about it."""
        sequence, verdict, session = run.sequence, run.verdict, self.session
        operation = sequence.statements[-1].operation
        self.log.counts[operation * COLUMNS + verdict.number] += 1
        self.calls += sequence.calls
        for probe in run.probes:
            self.log.reached[probe] = 1
        if verdict is NORMAL or verdict is EXPECTED:
            outcomes = self._outcomes[operation]
            times = self._times[operation] = self._times[operation] + 1
            if run.probes or run.outcome not in outcomes or not times & (times - 1):
                outcomes.add(run.outcome)
                self._keep(run)
            elif run.extensible and self._fed < MOST_KEPT:
                self._fed += 1
                self._keep(run)
        else:
            if run.probes:
                self._keep(run, "A")
            if verdict is Verdict.INVALID:
                self._note(operation, run)
        if run.fault is not None:
            self._find(run.fault, run)
        if session.strikes != self._strikes or run.step % LOOK_EVERY == 0:
            self.report(session.strikes != self._strikes)  # a successor must know who is not to be called
            self._strikes = session.strikes

    def _keep(self, run: Run, mark: str = "K") -> None:
        """K: worth keeping. A: reached something new, but is not a sequence to use again."""
        positions = ",".join(map(str, run.extensible))
        probes = ",".join(map(str, run.probes))
        seconds = monotonic() - self.started
        fields = (run.step, f"{seconds:.3f}", run.verdict.value, positions, probes, run.outcome)
        head = mark + "\t".join(map(str, fields)) + "\n"
        self.log.append(head.encode(errors="backslashreplace") + run.sequence.code)

    def _note(self, operation: int, run: Run) -> None:
        """Once per operation, say what made a run invalid if it is news to the user."""
        if run.outcome == "refused":
            self.log.counts[operation * COLUMNS + REFUSED] += 1
        elif not run.reason.startswith(("asked", "ran out")):
            return
        if operation not in self._noted:
            self._noted.add(operation)
            self.log.append(f"N{operation}\t{run.reason}".encode(errors="backslashreplace"))

    def _find(self, fault: Fault, run: Run) -> None:
        key = (fault.kind, fault.contract, fault.exception, fault.function, fault.operation)
        known = self._faults.setdefault(key, [0, 1 << 30])
        known[0] += 1
        length = run.sequence.calls + len(run.sequence) + (DOUBT if fault.level != "fault" else 0)
        if length < known[1]:
            known[1] = length
            record = {**fault._asdict(), "step": run.step, "code": run.sequence.code.decode()}
            self.log.append(b"F" + json.dumps(record).encode())

    def report(self, final: bool) -> None:
        """Counts that are too many to log one by one.

        Where steps decide they are told by steps, too: what is lost with a process that dies between two
        reports is the same in each run.
        """
        session = self.session
        now, every = (session.step, REPORT_STEPS) if session.deadline is None else (monotonic(), REPORT_EVERY)
        if now < self._next and not final:
            return
        self._next = now + every
        counts = {
            "step": session.step,
            "calls": self.calls,
            "discarded": session.discarded,
            "culprits": session.culprits,
            "faults": [[*key, known[0]] for key, known in self._faults.items()],
            "stopped_by": session.stopped_by,
        }
        self.log.append(b"C" + json.dumps(counts).encode())


def run_explorer(
    orders: Orders, loaded: Loaded, log: Log, guard: Guard, dice: Dice, clock: Clock, scratch: str
) -> int:
    """Explore until the budget is used up; the exit status of the process."""
    started = monotonic()
    give_way()
    home = os.path.join(scratch, f"work-{orders.job}")
    guard.active = False
    os.makedirs(home, exist_ok=True)
    os.chdir(home)
    os.environ["TMPDIR"] = os.environ["HOME"] = home
    limit_memory(orders.memory)
    warnings.simplefilter("ignore")
    timer = Timer(orders.call_timeout)
    world = Surroundings(
        home,
        guard,
        timer,
        dice,
        lambda step, sequence: log.announce(step, sequence.code),
        second_tries=orders.seconds is None,
        clock=clock,
    )
    session = _session(orders, loaded, world, scratch, started)
    guard.active = True
    timer.start()
    journal = Journal(log, session, started)
    for probe in set_bits(loaded.hits):  # by the import alone
        log.reached[probe] = 1
    _recover(orders, session, log)
    settle_memory()
    try:
        for run in explore(session):
            if isinstance(run, Reset):
                log.append(f"R{session.step}".encode())
                return REDO
            journal.write(run)
            if world.too_many_threads:
                return REDO
            del run
    except MemoryError:
        return REDO  # used up by what earlier runs left behind
    finally:
        timer.stop()
        journal.report(True)
        log.leave()
    return 0


def shorten(
    items: list[dict[str, Any]],
    out: int,
    orders: Orders,
    loaded: Loaded,
    guard: Guard,
    dice: Dice,
    clock: Clock,
    scratch: str,
) -> None:
    """Minimise kept sequences instead of exploring; the same surroundings, another task."""
    home = os.path.join(scratch, f"short-{getpid()}")
    guard.active = False
    os.makedirs(home)
    os.chdir(home)
    limit_memory(orders.memory)
    warnings.simplefilter("ignore")
    timer = Timer(orders.call_timeout)
    world = Surroundings(home, guard, timer, dice, lambda step, sequence: None, clock=clock)
    session = _session(orders, loaded, world, scratch, monotonic())
    session.thorough = True
    guard.active = True
    timer.start()
    run_minimiser(items, out, session)
    timer.stop()


def _session(orders: Orders, loaded: Loaded, world: Surroundings, scratch: str, started: float) -> Session:
    session = assemble(
        loaded,
        stream(orders.seed, "job", orders.job, "life", orders.life),
        strategy=orders.strategy,
        filters=orders.filters,
        contracts=orders.contracts,
        steps=orders.steps,
        deadline=None if orders.seconds is None else started + orders.seconds,
        world=world,
        scratch=scratch,
        without=orders.without,
        tune=orders.tune,
    )
    session.step = orders.first_step
    for operation, times in orders.culprits.items():
        session.strike(int(operation), times)
    return session


def _recover(orders: Orders, session: Session, log: Log) -> None:
    """Replay what the predecessors kept, so that pools and filters know it again."""
    session.hits[:] = bytes(a | b for a, b in zip(session.hits, log.reached, strict=True))
    session.seen_hits = bytearray(session.hits)
    if orders.recovery is None:
        return
    with open(orders.recovery, "rb") as stream_:
        recipes = stream_.read().split(b"\0")
    began = monotonic()
    for recipe in recipes:
        if orders.seconds is not None and monotonic() - began > LONGEST_RECOVERY * orders.seconds:
            return
        if recipe and not session.over():
            log.beat()
            _replay(decode(recipe), session)


def _replay(sequence: Sequence, session: Session) -> None:
    session.is_new(sequence)
    session.step -= 1  # a replay is not a step
    session.keep(attempt(sequence, session))


def settle_memory() -> None:
    """What lives now lives on: the collector need not walk the subject and us again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def limit_memory(megabytes: int) -> None:
    """No more address space than now plus this."""
    with open("/proc/self/statm") as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize()
    limit = used + megabytes * (1 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def leave(status: int) -> None:
    """End the process without running anything of the subject's."""
    sys.stdout = sys.stderr = None
    os._exit(status)
