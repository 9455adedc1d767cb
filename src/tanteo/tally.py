"""What the driver knows while explorers run: their records added up, ready for disk and report."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from tanteo.errors import UserError
from tanteo.execute.log import COLUMNS
from tanteo.store.database import KeptRow


@dataclass(slots=True)
class Job:
    """One explorer and its successors."""

    number: int
    step: int = 0
    life: int = 0
    calls: int = 0
    discarded: dict[str, int] = field(default_factory=dict)
    culprits: dict[str, int] = field(default_factory=dict)
    stopped_by: str = ""
    reset: int = -1  # the step after which it began again with empty pools
    # of the explorer that runs now; moved into the above when it ends
    calls_now: int = 0
    discarded_now: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """All counts of a run; `as_json` and back is what a session remembers."""

    operations: int
    jobs: list[Job]
    counts: list[int] = field(default_factory=list)  # of ended explorers: operation x verdict
    kept: int = 0
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)  # by id
    runs: dict[str, dict[str, int]] = field(default_factory=dict)  # fault id -> "job/life" -> runs
    notes: dict[str, str] = field(default_factory=dict)  # operation number -> what to know
    moments: list[list[Any]] = field(default_factory=list)  # [seconds, job, step, probes]
    found: list[list[Any]] = field(default_factory=list)  # [seconds, job, step, fault id], once per job
    restarts: int = 0
    resets: int = 0
    hung: int = 0
    crashed: int = 0
    mishaps: list[str] = field(default_factory=list)  # tracebacks of our own, which should not be
    elapsed: float = 0.0  # of earlier runs of this session

    def __post_init__(self) -> None:
        if not self.counts:
            self.counts = [0] * (self.operations * COLUMNS)

    def record(self, job: Job, data: bytes, started: float) -> KeptRow | None:
        """Take one record of an explorer's log; a row for the disk if it is a sequence."""
        mark, body = data[:1], data[1:]
        if mark in (b"K", b"A"):
            return self._sequence(job, body, started, mark == b"K")
        if mark == b"F":
            self.fault(job, json.loads(body), started)
        elif mark == b"N":
            number, _, text = body.decode().partition("\t")
            self.notes.setdefault(number, text)
        elif mark == b"R":
            job.reset = int(body)
        elif mark == b"C":
            self._count(job, json.loads(body))
        elif mark == b"M":
            raise UserError(*json.loads(body))
        elif mark == b"X":
            self.mishaps.append(body.decode(errors="replace"))
        return None

    def _sequence(self, job: Job, body: bytes, started: float, kept: bool) -> KeptRow | None:
        head, _, code = body.partition(b"\n")
        step, seconds, verdict, values, probes, outcome = head.decode().split("\t", 5)
        when = started + float(seconds)
        if probes:
            self.moments.append([round(when, 3), job.number, int(step), probes])
        if not kept:
            return None
        self.kept += 1
        return KeptRow(job.number, int(step), when, verdict, outcome, values, probes, code)

    def fault(self, job: Job, found: dict[str, Any], now: float) -> None:
        """Remember a fault, by the shortest sequence that shows it."""
        name = fault_id(found)
        found["job"] = job.number
        known = self.faults.get(name)
        if not any(moment[1] == job.number and moment[3] == name for moment in self.found):
            self.found.append([round(now, 3), job.number, found["step"], name])
        if known is None or _weight(found) < _weight(known):
            self.faults[name] = found

    def _count(self, job: Job, counts: dict[str, Any]) -> None:
        job.step = max(job.step, counts["step"])
        job.calls_now, job.discarded_now = counts["calls"], counts["discarded"]
        job.stopped_by = counts["stopped_by"]
        job.culprits.update(counts["culprits"])
        names = ("kind", "contract", "exception", "function", "operation")
        life = f"{job.number}/{job.life}"
        total: dict[str, int] = {}
        for *key, runs in counts["faults"]:
            name = fault_id(dict(zip(names, key, strict=True)))
            total[name] = total.get(name, 0) + runs
        for name, runs in total.items():
            self.runs.setdefault(name, {})[life] = runs

    def end_life(self, job: Job, counts: list[int]) -> None:
        """An explorer has ended: its counts are final."""
        for index, value in enumerate(counts):
            self.counts[index] += value
        job.calls += job.calls_now
        for reason, number in job.discarded_now.items():
            job.discarded[reason] = job.discarded.get(reason, 0) + number
        job.calls_now, job.discarded_now = 0, {}
        job.life += 1

    def steps(self) -> int:
        """Sequences executed so far."""
        return sum(job.step for job in self.jobs)

    def as_json(self) -> dict[str, Any]:
        """For the session."""
        return asdict(self)


def tally_from_json(data: dict[str, Any]) -> Tally:
    """The way back."""
    return Tally(**{**data, "jobs": [Job(**job) for job in data["jobs"]]})


def fault_id(fault: dict[str, Any]) -> str:
    """One for each clause or exception in a place, whatever call led there (paper 003's key).

    Stable over lines and messages, because people accept faults by it. A call that hangs is interrupted
    anywhere, so its place is the call. An exception is the same one whichever contract asked for it; that of
    a contract library says nothing, but its clause does.
    """
    declared = ": " in (fault["contract"] or "")
    what = fault["contract"] if declared or not fault["exception"] else fault["exception"]
    stuck = fault["kind"] in ("hang", "crash")
    parts = (what or fault["kind"], fault["operation"] if stuck else fault["function"])
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def _weight(fault: dict[str, Any]) -> tuple[bool, int, int, str]:
    """How far it convinces: a fault more than a suspicion, then a short sequence more than a long one."""
    code: str = fault["code"]
    return fault["level"] != "fault", code.count("\n"), len(code), code
