"""Test files from cases: written, run by real pytest until all pass, then put in place.

Every round starts from all rows and gives the same files for the same rows.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tanteo.emit import files
from tanteo.emit.cases import Case
from tanteo.emit.faults import add_faults
from tanteo.emit.modules import Module, Test
from tanteo.emit.study import Short, Study
from tanteo.emit.validate import Bench, Coverage, find_tools, interpreter, shuffled
from tanteo.execute.nest import import_roots
from tanteo.store.database import KeptRow

ATTEMPTS = 4  # pytest runs at most; two if nothing fails
STUDY = 0.7  # of the time of a round; the rest is for pytest

Left = Callable[[], float]
Kept = dict[str, tuple[Module, list[Test]]]  # by file


@dataclass(slots=True)
class Suite:
    """The written tests of one run."""

    study: Study
    written: list[str] = field(default_factory=list)  # files
    tests: int = 0
    unstable: Counter[str] = field(default_factory=Counter)  # tests that did not last, by cause
    coverage: Coverage | None = None
    fault_tests: dict[str, str] = field(default_factory=dict)  # fault id -> file::name
    short: dict[str, Short] = field(default_factory=dict)  # the sequences of the faults
    seconds: float = 0.0  # what the last validation took
    _bench: Bench | None = None

    def round(
        self, rows: list[KeptRow], faults: dict[str, dict[str, Any]], seconds: float, left: Left
    ) -> None:
        """Write what the rows give, in about so many seconds; nothing on disk changes if time runs out."""
        study = self.study
        study.check_alike()
        cases = study.cases(rows, STUDY * seconds)
        self.short = short = study.short_faults(faults, max(1.0, 0.1 * seconds))
        if left() <= 0:
            return
        modules = self._modules(cases)
        known = add_faults(faults, short, study.subject, study.settings.faults)
        self._validate_and_write(modules, known, left)

    def _modules(self, cases: list[Case]) -> list[Module]:
        """A file for each module of the subject, in its order."""
        subject = self.study.subject
        found: dict[str, list[Case]] = {}
        for case in cases[: self.study.settings.max_tests]:
            found.setdefault(subject.operations[case.operation].module, []).append(case)
        made = []
        for name in subject.modules:
            if name in found:
                module = Module(name, subject.operations)
                module.add_cases(found[name])
                made.append(module)
        return made

    def bench(self) -> Bench:
        """Where pytest runs."""
        if self._bench is None:
            settings, subject = self.study.settings, self.study.subject
            python = interpreter(settings.python)
            roots, allow = tuple(import_roots(settings)), frozenset(settings.allow)
            self._bench = Bench(python, self.study.folder, roots, subject.modules, find_tools(python), allow)
        return self._bench

    def _validate_and_write(
        self, modules: list[Module], faults: dict[Module, dict[str, str]], left: Left
    ) -> None:
        began = time.monotonic()
        stage = self.study.folder / "stage"
        kept = {files.name_of(m.subject): (m, list(m.tests)) for m in modules}
        dropped: Counter[str] = Counter()
        untidy = files.untidy(files.stage(stage, {n: m.text(tests) for n, (m, tests) in kept.items()}))
        tidy = {f"{n}::{t.name}" for n, (_, tests) in kept.items() for t in tests} - untidy
        _drop(kept, tidy, "cannot be written tidily", dropped)
        coverage = None
        for attempt in range(ATTEMPTS):
            paths = files.stage(stage, {name: m.text(tests) for name, (m, tests) in kept.items() if tests})
            if not paths or "pytest" not in self.bench().tools:
                break
            order = shuffled(_node_names(kept, stage), attempt) if attempt else None
            result = self.bench().run(
                paths, seed=attempt + 1, limit=left(), names=order, measure=attempt == 0
            )
            if not result.finished:
                return
            coverage = result.coverage or coverage
            cause = "depends on order or hash seed" if attempt else "fails under pytest"
            if not _drop(kept, result.passed, cause, dropped) and attempt:
                break
        texts = {n: (stage / n).read_text() for n, (_, tests) in kept.items() if tests}
        texts |= self._failing(faults, stage, left)
        if left() > 0:
            self.unstable, self.coverage = dropped, coverage
            self.tests = sum(len(tests) for _, tests in kept.values())
            out = Path(self.study.settings.out)
            self.written = files.publish(out, texts, self.study.subject, self.bench())
        self.seconds = time.monotonic() - began

    def _failing(self, faults: dict[Module, dict[str, str]], stage: Path, left: Left) -> dict[str, str]:
        """The tests of faults that were seen to fail, as files."""
        texts = {files.name_of(m.subject, "_faults"): m for m in faults}
        paths = files.stage(stage, {name: m.text() for name, m in texts.items()}, keep=True)
        result = None
        if paths and self.study.settings.faults == "fail" and "pytest" in self.bench().tools:
            result = self.bench().run(paths, seed=1, limit=left())
        found: dict[str, str] = {}
        self.fault_tests.clear()
        for name, module in texts.items():
            seen = [t for t in module.tests if result is None or f"{name}::{t.name}" in result.failed]
            if seen:
                found[name] = files.formatted(stage, name, module.text(seen))
                path = Path(self.study.settings.out) / name
                self.fault_tests.update({faults[module][t.name]: f"{path}::{t.name}" for t in seen})
        return found


def _node_names(kept: Kept, stage: Path) -> list[str]:
    return [f"{stage / name}::{test.name}" for name, (_, tests) in kept.items() for test in tests]


def _drop(kept: Kept, passed: set[str], cause: str, dropped: Counter[str]) -> bool:
    """Take out what did not pass; whether there was any."""
    before = sum(dropped.values())
    for name, (module, tests) in kept.items():
        good = [t for t in tests if f"{name}::{t.name}" in passed]
        dropped[cause] += len(tests) - len(good)
        kept[name] = (module, good)
    return sum(dropped.values()) > before
