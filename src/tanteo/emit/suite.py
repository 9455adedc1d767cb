"""From kept sequences to test files on disk: choose, shorten, record, write, validate; again and again.

Every round starts from all rows and gives the same files for the same rows; what earlier rounds learned
about single sequences is remembered, so that a round costs little more than its validation.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tanteo.emit import files
from tanteo.emit.cases import Candidate, Case, agree, choose
from tanteo.emit.clerks import Clerk
from tanteo.emit.faults import add_faults
from tanteo.emit.modules import Module, Test
from tanteo.emit.validate import Bench, Coverage, interpreter, shuffled
from tanteo.errors import UserError
from tanteo.execute.explorer import Orders
from tanteo.execute.nest import import_roots
from tanteo.settings import Settings
from tanteo.store.database import KeptRow
from tanteo.subject import Subject

BATCH = 200  # sequences that are worked through between two looks at the clock


@dataclass(slots=True)
class Suite:
    """The written tests of one run."""

    settings: Settings
    subject: Subject
    folder: Path
    written: list[str] = field(default_factory=list)  # files
    tests: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    coverage: Coverage | None = None
    fault_tests: dict[str, str] = field(default_factory=dict)  # fault id -> file::name
    seconds: float = 0.0  # what the last validation took
    _clerks: list[Clerk] = field(default_factory=list)
    _short: dict[bytes, bytes | None] = field(default_factory=dict)
    _cases: dict[bytes, Case | None] = field(default_factory=dict)
    _failing: set[bytes] = field(default_factory=set)

    def start(self) -> None:
        """Let three interpreters load the subject: one with probes, two clean ones on different days."""
        self._clerks = [
            Clerk(self.settings, self.folder / "short", clean=False),
            Clerk(self.settings, self.folder / "today", clean=True),
            Clerk(self.settings, self.folder / "later", clean=True, later=True),
        ]

    def close(self) -> None:
        """End them."""
        for clerk in self._clerks:
            clerk.close()
        self._clerks.clear()

    def round(self, rows: list[KeptRow], faults: dict[str, dict[str, Any]], late: Callable[[], bool]) -> None:
        """Write what the rows give; nothing on disk changes if time runs out on the way."""
        self._check_alike()
        candidates = choose(rows)
        self._shorten(candidates, late)
        codes = list(dict.fromkeys(s for c in candidates if (s := self._short.get(c.code)) is not None))
        self._record(codes, late)
        cases = [case for code in codes if (case := self._cases.get(code)) is not None]
        modules = self._modules(cases)
        known = add_faults(faults, self._short_faults(faults, late), self.subject, self.settings.faults)
        self._validate_and_write(modules, known, late)

    def _check_alike(self) -> None:
        """The numbers of the operations must mean the same in all interpreters."""
        ours = [o.name for o in self.subject.operations]
        for clerk in self._clerks:
            if [o.name for o in clerk.subject().operations] != ours:
                raise UserError("the subject is different each time it is imported", "unstable-subject")

    def _orders(self) -> dict[str, Any]:
        settings = self.settings
        return asdict(
            Orders(
                job=0,
                life=0,
                seed=settings.seed,
                strategy=settings.strategy,
                filters=settings.filters,
                contracts=settings.contract,
                first_step=0,
                steps=None,
                seconds=None,
                call_timeout=settings.call_timeout,
                memory=settings.memory,
                recovery=None,
                culprits={},
            )
        )

    def _shorten(self, candidates: list[Candidate], late: Callable[[], bool]) -> None:
        new = [c for c in candidates if c.code not in self._short]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            items = [{"code": c.code.decode(), "outcome": c.outcome, "arms": c.arms} for c in batch]
            found = self._clerks[0].work_through("minimise", items, late, orders=self._orders())
            if late():
                return
            for number, candidate in enumerate(batch):
                short = found.get(number)
                self._short[candidate.code] = None if short is None else short[0].encode()
                self.dropped["not the same again"] += short is None

    def _short_faults(
        self, faults: dict[str, dict[str, Any]], late: Callable[[], bool]
    ) -> dict[str, tuple[str, list[int]]]:
        """The shortest sequence for each fault; a hang or a crash stays as it was found."""
        names = [n for n, f in faults.items() if f["kind"] not in ("hang", "crash")]
        keys = ("kind", "contract", "exception", "function", "operation")
        items = [
            {"code": faults[n]["code"], "outcome": "", "arms": (), "fault": [faults[n][k] for k in keys]}
            for n in names
        ]
        found = self._clerks[0].work_through("minimise", items, late, orders=self._orders()) if items else {}
        return {name: found[number] for number, name in enumerate(names) if number in found}

    def _record(self, codes: list[bytes], late: Callable[[], bool]) -> None:
        new = [c for c in codes if c not in self._cases]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            items = [c.decode() for c in batch]
            one, other = (clerk.work_through("record", items, late) for clerk in self._clerks[1:])
            if late():
                return
            for number, code in enumerate(batch):
                case = agree(code, one.get(number), other.get(number))
                self._cases[code] = case
                self.dropped["not the same in a clean process"] += case is None

    def _modules(self, cases: list[Case]) -> list[Module]:
        """A file for each module of the subject, in its order."""
        found: dict[str, list[Case]] = {}
        for case in cases:
            found.setdefault(self.subject.operations[case.operation].module, []).append(case)
        made = []
        for name in self.subject.modules:
            if name in found:
                module = Module(name, self.subject.operations)
                module.add_cases(found[name])
                made.append(module)
        return made

    def _validate_and_write(
        self, modules: list[Module], faults: dict[Module, dict[str, str]], late: Callable[[], bool]
    ) -> None:
        began = time.monotonic()
        stage = self.folder / "stage"
        bench = Bench(
            interpreter(self.settings.python),
            self.folder,
            tuple(import_roots(self.settings)),
            self.subject.modules,
            frozenset(self.settings.allow),
        )
        kept = {files.name_of(m.subject): (m, list(m.tests)) for m in modules}
        coverage = None
        for attempt in range(4):
            paths = files.stage(stage, {name: m.text(tests) for name, (m, tests) in kept.items() if tests})
            order = None
            if attempt:
                names = [f"{stage / n}::{t.name}" for n, (_, tests) in kept.items() for t in tests]
                order = shuffled(names, attempt)
            result = bench.run(paths, seed=attempt + 1, limit=120.0, names=order, measure=attempt == 0)
            if late() or not result.finished:
                self.dropped["no time to validate"] += 1
                return
            coverage = result.coverage or coverage
            if not self._drop(kept, result.passed, attempt) and attempt:
                break
        fault_files = self._failing_files(faults, stage, bench)
        self.tests = sum(len(tests) for _, tests in kept.values())
        self.coverage = coverage
        texts = {n: (stage / n).read_text() for n, (_, tests) in kept.items() if tests}
        self.written = files.publish(Path(self.settings.out), {**texts, **fault_files}, self.subject, bench)
        self.seconds = time.monotonic() - began

    def _drop(self, kept: dict[str, tuple[Module, list[Test]]], passed: set[str], attempt: int) -> bool:
        """Take out what did not pass; whether there was any."""
        cause = "fails under pytest" if attempt == 0 else "depends on order or hash seed"
        any_dropped = False
        for name, (module, tests) in kept.items():
            good = [t for t in tests if f"{name}::{t.name}" in passed]
            self.dropped[cause] += len(tests) - len(good)
            any_dropped = any_dropped or len(good) < len(tests)
            kept[name] = (module, good)
        return any_dropped

    def _failing_files(
        self, faults: dict[Module, dict[str, str]], stage: Path, bench: Bench
    ) -> dict[str, str]:
        """The tests of faults that were seen to fail, as files."""
        texts = {files.name_of(m.subject, "_faults"): m for m in faults}
        if not texts:
            return {}
        paths = files.stage(stage, {name: m.text() for name, m in texts.items()}, keep=True)
        plain = self.settings.faults == "fail"
        result = bench.run(paths, seed=1, limit=120.0) if plain else None
        found: dict[str, str] = {}
        self.fault_tests.clear()
        for name, module in texts.items():
            ids = faults[module]
            seen = [t for t in module.tests if result is None or f"{name}::{t.name}" in result.failed]
            self.dropped["fault not seen again"] += len(module.tests) - len(seen)
            if seen:
                found[name] = files.formatted(stage, name, module.text(seen))
                self.fault_tests.update({ids[t.name]: f"{name}::{t.name}" for t in seen})
        return found
