"""The driver's loop: starts explorers, takes what they log, replaces those that die, keeps the time."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tanteo.events import Event, Progress, Restarted, Started
from tanteo.execute.children import yield_to_others
from tanteo.execute.codec import decode
from tanteo.execute.explorer import Orders
from tanteo.execute.log import COLUMNS, VERDICTS, Log
from tanteo.execute.nest import Nest
from tanteo.execute.watch import Watch
from tanteo.model import UNSURE_ENDS, Fault, Verdict
from tanteo.settings import Settings
from tanteo.store.database import Database, KeptRow
from tanteo.subject import Subject
from tanteo.tally import Job, Tally, fault_id

POLL = 0.05
TWO_TRIES = 20  # times the limit: without a budget in seconds the second try has ten times the limit itself
SAVE_EVERY = 0.5
MOST_RECIPES = 1000  # replaying one costs about half a millisecond
FUTILE = 5  # lives in a row that made no step: the job is given up
GRACE = 0.5


@dataclass(slots=True)
class Supervisor:
    """One run: its explorers, its clock, its session."""

    settings: Settings
    database: Database
    started: float  # on the monotonic clock: when the command began
    tally: Tally = field(default_factory=lambda: Tally(0, []))
    subject: Subject | None = None
    stopped_by: str = ""
    spent: float = 0.0  # of the budget, by earlier runs of this session
    reserve: float = 0.0  # of the budget, for what comes after exploring
    reached: bytearray = field(default_factory=bytearray)
    _nests: dict[int, Nest] = field(default_factory=dict)  # by job; without threads one serves all
    _descriptors: list[int] = field(default_factory=list)
    _logs: list[Log] = field(default_factory=list)
    _watches: dict[int, Watch] = field(default_factory=dict)
    _rows: list[KeptRow] = field(default_factory=list)
    _poison: set[bytes] = field(default_factory=set)
    _futile: dict[int, int] = field(default_factory=dict)
    _saved: float = 0.0

    @property
    def scratch(self) -> Path:
        """Where the subject may write."""
        return self.database.folder.resolve() / "scratch"

    def load(self) -> Subject:
        """Start the zygote and let it load the subject."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self._descriptors = [os.memfd_create(f"tanteo-{j}") for j in range(self.settings.jobs)]
        nest = Nest(self.settings, self.scratch, self._descriptors)
        self._nests[0] = nest
        self.subject = nest.subject()
        return self.subject

    def nest(self) -> Nest:
        """The zygote that has loaded the subject."""
        return self._nests[0]

    def explore(self, tally: Tally, resumed: bool) -> Iterator[Event]:
        """Run all jobs to their end; yields what happens."""
        assert self.subject is not None
        self.tally = tally
        subject = self.subject
        sizes = len(subject.operations), len(subject.blocks)
        self._logs = [Log(d, *sizes) for d in self._descriptors]
        self.reached = bytearray(len(subject.blocks))
        for _, _, _, probes in tally.moments:
            for probe in probes.split(","):
                for log in self._logs:
                    log.reached[int(probe)] = 1
        if resumed:  # the explorers that were killed with their driver have had their life
            for job in tally.jobs:
                tally.end_life(job, [])
        yield Started(subject, resumed)
        try:
            for job in tally.jobs:
                self._start(job)
            while self._watches and self.stopped_by != "interrupt":
                yield from self._poll()
        except KeyboardInterrupt:
            self.stopped_by = "interrupt"
        finally:
            self._finish()
        self.stopped_by = self.stopped_by or next((j.stopped_by for j in tally.jobs if j.stopped_by), "time")

    def interrupt(self) -> None:
        """Stop exploring at the next look, in order."""
        self.stopped_by = "interrupt"

    def close(self) -> None:
        """End every process and take away the scratch directory."""
        for nest in self._nests.values():
            nest.close()
        self._nests.clear()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def elapsed(self) -> float:
        """Seconds since the command began."""
        return time.monotonic() - self.started

    def left(self) -> float | None:
        """Seconds until exploring must end; None if steps alone decide."""
        budget = self.settings.seconds
        if budget is None:
            return None
        return budget - self.spent - self.elapsed() - min(GRACE, budget * 0.02) - self.reserve

    def _start(self, job: Job) -> None:
        left = self.left()
        share = self._share(job.number)
        if (left is not None and left <= 0) or (share is not None and job.step >= share):
            job.stopped_by = job.stopped_by or ("time" if left is not None else "steps")
            return
        if self._futile.get(job.number, 0) >= FUTILE:
            job.stopped_by = "exhausted"
            return
        orders = Orders(
            job=job.number,
            life=job.life,
            seed=self.settings.seed,
            strategy=self.settings.strategy,
            filters=self.settings.filters,
            contracts=self.settings.contract,
            first_step=job.step,
            steps=share,
            seconds=left,
            call_timeout=self.settings.patience,
            memory=self.settings.memory,
            recovery=self._write_recovery(job),
            culprits=job.culprits,
            without=self.settings.without,
            tune=self.settings.tune,
        )
        nest = self._nest_for(job.number)
        assert self.subject is not None
        nest.command(orders=asdict(orders), fork=not self.subject.threads)
        self._watches[job.number] = Watch(0, self.elapsed() + self.tally.elapsed, job.step)
        self._watches[job.number].clock = time.monotonic()

    def _nest_for(self, job: int) -> Nest:
        """The zygote to fork from; a fresh one for each explorer if the import left threads running."""
        assert self.subject is not None
        if not self.subject.threads:
            return self._nests[0]
        nest = self._nests.pop(job, None)
        if nest is not None and nest.process.poll() is None and job not in self._watches:
            self._nests[job] = nest
            if job == 0 and self.tally.jobs[0].life == 0:
                return nest
            nest.close()
        nest = Nest(self.settings, self.scratch, self._descriptors)
        nest.subject()
        self._nests[job] = nest
        return nest

    def _share(self, job: int) -> int | None:
        """How many steps a job makes: without exchange, so that the number of jobs is the promise."""
        steps, jobs = self.settings.steps, self.settings.jobs
        return None if steps is None else steps // jobs + (job < steps % jobs)

    def _write_recovery(self, job: Job) -> str | None:
        self._save()
        recipes = self.database.recipes(job.number, MOST_RECIPES, job.reset)
        recipes = [r for r in recipes if r not in self._poison]
        if not recipes:
            return None
        file = self.scratch.parent / f"recovery-{job.number}"
        file.write_bytes(b"\0".join(recipes))
        return str(file)

    def _poll(self) -> Iterator[Event]:
        nests = list(self._nests.values())
        for nest in nests:
            for message in nest.messages(POLL / len(nests)):
                yield from self._hear(message)
        for job in self.tally.jobs:
            self._drain(job)
        for number, watch in list(self._watches.items()):
            yield from self._look_after(self.tally.jobs[number], watch)
        if time.monotonic() - self._saved > SAVE_EVERY:
            self._save()
            yield self.progress()

    def _hear(self, message: dict[str, Any]) -> Iterator[Event]:
        if "started" in message:
            self._watches[message["started"]].process = message["process"]
        elif "ended" in message:
            yield from self._bury(self.tally.jobs[message["ended"]], message["how"])

    def _look_after(self, job: Job, watch: Watch) -> Iterator[Event]:
        """Kill what hangs; notice a process of its own that is gone."""
        nest = self._nests[job.number if job.number in self._nests else 0]
        if nest.process.poll() is not None:
            if not (self.subject and self.subject.threads):
                raise nest.failure()
            code = nest.process.returncode
            how = f"signal {-code}, {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
            yield from self._bury(job, how)
            return
        if watch.process and not watch.modest and self._logs[job.number].step > watch.first:
            watch.modest = True
            yield_to_others(watch.process)
        left = self.left()
        late = left is not None and left < -GRACE
        limit = self.settings.patience * (1 if self.settings.seconds is not None else TWO_TRIES)
        if (
            watch.process
            and not watch.killed
            and (late or watch.is_hung(self._logs[job.number].pulse, limit))
        ):
            watch.killed = "late" if late else f"no sign of life in {limit:g} s of processor time"
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself, and we have not heard
                os.kill(watch.process, signal.SIGKILL)

    def _drain(self, job: Job) -> None:
        watch = self._watches.get(job.number)
        if watch is None:
            return
        log = self._logs[job.number]
        job.step = max(job.step, log.step)
        for record in log.drain():
            row = self.tally.record(job, record, watch.began)
            if row is not None:
                self._rows.append(row)

    def _bury(self, job: Job, how: str) -> Iterator[Event]:
        """An explorer has ended: was it the subject's doing, and does the job go on?"""
        self._drain(job)
        watch = self._watches.pop(job.number)
        log = self._logs[job.number]
        progress = log.step > watch.first
        by_itself = log.left()
        job.step = max(job.step, log.step)
        if not by_itself and watch.killed != "late":
            self._blame(job, log, how, watch)
        self.tally.end_life(job, _take_counts(log))
        self._futile[job.number] = 0 if progress else self._futile.get(job.number, 0) + 1
        if job.stopped_by and by_itself:
            return
        if watch.killed == "late":
            job.stopped_by = "time"
            return
        if by_itself and job.reset == job.step:  # on purpose, and with empty pools (paper 004)
            self.tally.resets += 1
        else:
            self.tally.restarts += 1
            yield Restarted(job.number, watch.killed or how)
        self._start(job)

    def _blame(self, job: Job, log: Log, how: str, watch: Watch) -> None:
        """Name the sequence that was in flight when the process went away."""
        code = log.in_flight()
        if not code:
            return
        self._poison.add(code)
        assert self.subject is not None
        last = decode(code).statements[-1].operation
        verdict = Verdict.HUNG if watch.killed else Verdict.CRASHED
        log.counts[last * COLUMNS + VERDICTS.index(verdict)] += 1
        job.culprits[str(last)] = job.culprits.get(str(last), 0) + 1
        if watch.killed:
            self.tally.hung += 1
            reason = f"did not come back and could not be interrupted: {watch.killed}"
        else:
            self.tally.crashed += 1
            reason = f"the interpreter ended while it ran: {how}"
        operation = self.subject.operations[last]
        self.tally.notes.setdefault(str(last), reason)
        fault = Fault(
            kind="hang" if watch.killed else "crash",
            message="" if watch.killed else how,
            function=operation.name,
            operation=operation.name,
            level="suspicious" if watch.killed or how in UNSURE_ENDS else "fault",
            reason=reason,
        )
        found = {**fault._asdict(), "step": log.step, "code": code.decode()}
        self.tally.fault(job, found, self.elapsed() + self.tally.elapsed)
        runs = self.tally.runs.setdefault(fault_id(found), {})
        runs[f"{job.number}/{job.life}"] = runs.get(f"{job.number}/{job.life}", 0) + 1

    def progress(self) -> Progress:
        """How far we are."""
        for index in range(len(self.reached)):
            if any(log.reached[index] for log in self._logs):
                self.reached[index] = 1
        arms = self.subject.arm_numbers if self.subject else ()
        return Progress(
            elapsed=self.elapsed(),
            left=self.left(),
            steps=sum(max(j.step, log.step) for j, log in zip(self.tally.jobs, self._logs, strict=True)),
            steps_total=self.settings.steps,
            arms=sum(self.reached[a] for a in arms),
            faults=sum(f["level"] == "fault" for f in self.tally.faults.values()),
        )

    def _save(self) -> None:
        self._saved = time.monotonic()
        state = self.tally.as_json()
        counts = list(self.tally.counts)
        for log in self._logs:
            counts = [a + b for a, b in zip(counts, log.counts, strict=True)]
        state["counts"] = counts
        state["elapsed"] = self.tally.elapsed + self.elapsed()
        self.database.save(self._rows, tally=state, saved_at=self._saved)
        self._rows.clear()

    def _finish(self) -> None:
        for number in list(self._watches):
            job = self.tally.jobs[number]
            self._drain(job)
            log = self._logs[number]
            job.step = max(job.step, log.step)
            self.tally.end_life(job, _take_counts(log))
            del self._watches[number]
        self.progress()
        self._save()


def _take_counts(log: Log) -> list[int]:
    """The counters of an ended explorer, which start at nought for its successor."""
    counts = list(log.counts)
    for index in range(len(counts)):
        log.counts[index] = 0
    return counts
