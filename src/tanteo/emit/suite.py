"""Test files from cases: written, run by real pytest until all pass, then put in place.

Every round starts from all rows and gives the same files for the same rows.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tanteo.emit import files
from tanteo.emit.again import Earlier, keep_needed, read_earlier
from tanteo.emit.cases import Case
from tanteo.emit.faults import Short, add_faults, without_faults
from tanteo.emit.modules import Module, Test, renumber
from tanteo.emit.study import Study
from tanteo.emit.validate import (
    Bench,
    Coverage,
    Result,
    find_tools,
    has_own_configuration,
    interpreter,
)
from tanteo.execute.children import has_one_core
from tanteo.execute.nest import conftests, import_roots
from tanteo.store.database import KeptRow

ATTEMPTS = 4  # times two pytest runs
MOST_ATTEMPTS = 12  # if some of them stop pytest itself
MANY = 3  # tests that fail in every order: rather one that comes first has changed something
FOR_ONE = 0.7  # of the time that is left: the longest that two runs side by side may take
LEAST = 1.0  # seconds; no pytest ends sooner
FOR_FAULTS = 0.1  # of the time to look at sequences: for those of faults
HASTE = 3.0  # seconds in which there is one run only; twice as many if two would share a core
MEASURABLE = 2.0  # seconds; in fewer coverage would cost the tests
GRACE, MOST_GRACE = 0.08, 1.0  # of the budget, in seconds: better a little late than nothing at all

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
    passing: set[str] = field(default_factory=set)  # faults whose test does not fail
    validating: bool = False  # the round has seen enough and is about to write
    trouble: str = ""  # why the last validation came to nothing
    seconds: float = 0.0  # what the last validation took
    changed: dict[str, str] = field(default_factory=dict)  # earlier tests that fail now -> why
    _earlier: list[Earlier] | None = None
    _still: set[str] = field(default_factory=set)  # earlier tests that still pass
    _leaving: set[str] = field(default_factory=set)  # tests that leave the subject changed behind them
    _bad: set[str] = field(default_factory=set)  # texts of tests that did not last
    _fails: dict[str, bool] = field(default_factory=dict)  # whether the test of a fault fails, by its text
    _bench: Bench | None = None

    def round(
        self,
        rows: list[KeptRow],
        faults: dict[str, dict[str, Any]],
        seconds: float,
        left: Left,
        last: bool,
    ) -> None:
        """Look at the rows for so many seconds, then write; nothing on disk changes if time runs out."""
        study = self.study
        self.validating = False
        study.check_alike()
        stopping = [f["operation"] for f in faults.values() if f["kind"] in ("hang", "crash")]
        study.hanging = frozenset(stopping)
        cases = without_faults(study.cases(rows, (1 - FOR_FAULTS) * seconds, left), faults.values())
        self.short = short = study.short_faults(faults, max(1.0, FOR_FAULTS * seconds), left)
        if left() < LEAST:
            return
        self.validating = True
        modules = self._modules(cases)
        self._keep_earlier(modules, left)
        known = add_faults(faults, short, study.subject, study.settings.faults)
        self._validate_and_write(modules, known, left, last)

    def _modules(self, cases: list[Case]) -> list[Module]:
        """A file for each module of the subject, in its order."""
        subject = self.study.subject
        found: dict[str, list[Case]] = {}
        for case in cases[: self.study.settings.max_tests]:
            found.setdefault(self._home(case), []).append(case)
        made = []
        for name in subject.modules:
            if name in found:
                module = Module(name, subject.operations)
                module.add_cases(found[name])
                made.append(module)
        return made

    def _home(self, case: Case) -> str:
        """The module of what is tested: that of the object's class, which may have inherited the method."""
        operations = self.study.subject.operations
        operation, inputs = operations[case.operation], case.sequence.statements[-1].inputs
        kind = case.types[len(case.sequence) - 1 + inputs[0]] if inputs and "{0}" in operation.form else ""
        if not kind or f".{kind}." in operation.name:
            return operation.module
        makers = [o.module for o in operations if o.kind == "constructor" and o.name.endswith(f".{kind}")]
        return makers[0] if len(makers) == 1 else operation.module

    def _keep_earlier(self, modules: list[Module], left: Left) -> None:
        """What an earlier run has written stays if it still passes and nothing new stands for it."""
        if self._earlier is None:
            self._earlier = read_earlier(Path(self.study.settings.out))
            paths = [e.path for e in self._earlier]
            if paths and "pytest" in self.bench().tools:
                result = self.bench().run(paths, seed=1, limit=left())
                self._still = result.passed
                self.changed = dict(sorted(result.failed.items()))
        by_file = {files.name_of(m.subject): m for m in modules}
        for earlier in self._earlier:
            if earlier.path.name in by_file:
                keep_needed(by_file[earlier.path.name], earlier, self._still)

    def bench(self) -> Bench:
        """Where pytest runs."""
        if self._bench is None:
            settings, subject = self.study.settings, self.study.subject
            python = interpreter(settings.python)
            own = files.root_of(subject)
            roots = (*([str(own)] if own else []), *import_roots(settings))
            allow = frozenset(settings.allow)
            above = tuple(conftests(settings))
            tools = find_tools(python)
            self._bench = Bench(python, self.study.folder, roots, subject.modules, tools, allow, above)
            self._bench.offer_fixtures()
        return self._bench

    def _validate_and_write(
        self, modules: list[Module], faults: dict[Module, dict[str, str]], left: Left, last: bool
    ) -> None:
        began = time.monotonic()
        stage = self.study.folder / "stage"
        kept = {files.name_of(m.subject): (m, self._good(m.tests)) for m in modules}
        untidy = files.untidy(files.stage(stage, {n: m.text(tests) for n, (m, tests) in kept.items()}))
        self._drop(kept, _names(kept) - untidy, "cannot be written tidily")
        if not self._run_until_green(kept, stage, left, last):
            return
        kept = {name: (module, renumber(tests)) for name, (module, tests) in kept.items()}
        paths = files.stage(stage, {name: m.text(tests) for name, (m, tests) in kept.items() if tests})
        texts = {path.name: path.read_text() for path in paths}
        failing, places = self._failing(faults, stage, left)
        if left() > -self._grace():
            texts |= failing
            self.fault_tests = places
            self.tests = sum(len(tests) for _, tests in kept.values())
            out = Path(self.study.settings.out)
            self.written = files.publish(out, texts, self.study.subject, self.bench())
        self.seconds = time.monotonic() - began
        if last:
            self._run_in_the_project(kept, texts, left)

    def _grace(self) -> float:
        budget = self.study.settings.seconds
        return MOST_GRACE if budget is None else min(MOST_GRACE, GRACE * budget)

    def _good(self, tests: list[Test]) -> list[Test]:
        """Without those that did not last; what stands for such a one is good as long as it does."""
        weaker = [Test(*t.instead) for t in tests if t.text in self._bad and t.instead is not None]
        return [t for t in [*tests, *weaker] if t.text not in self._bad]

    def _run_in_the_project(self, kept: Kept, texts: dict[str, str], left: Left) -> None:
        """Once more where the tests will live, under the project's own pytest configuration if it has one."""
        project, out = Path.cwd(), Path(self.study.settings.out)
        if "pytest" not in self.bench().tools or not has_own_configuration(project) or left() < 1:
            return
        paths = [out / name for name, (_, tests) in kept.items() if tests and (out / name).exists()]
        result = self.bench().run(paths, seed=9, limit=left(), project=project)
        if not result.finished or not result.passed:
            self.trouble = (
                f"not run under the project's own configuration: {result.trouble or 'nothing passed'}"
            )
            return
        if self._drop(kept, result.passed, "fails under the project's own configuration"):
            stage = self.study.folder / "stage"
            for name, (module, tests) in kept.items():
                if tests:
                    texts[name] = files.formatted(stage, name, module.text(tests))
                else:
                    texts.pop(name, None)
            self.tests = sum(len(tests) for _, tests in kept.values())
            self.written = files.publish(out, texts, self.study.subject, self.bench())

    def _run_until_green(self, kept: Kept, stage: Path, left: Left, last: bool) -> bool:
        """Take out what fails until nothing does; False if time ran out.

        The last round shuffles again as long as there is time: some tests fail only after certain others. All
        of them measure, for any may turn out to have been the last with time to do so.
        """
        green = slow = False
        for attempt in range(MOST_ATTEMPTS):
            paths = files.stage(stage, {name: m.text(tests) for name, (m, tests) in kept.items() if tests})
            if not paths or "pytest" not in self.bench().tools:
                return True
            began = time.monotonic()
            hasty = slow or left() < HASTE * (1 + has_one_core())
            result, other = self._run_both(kept, paths, attempt, left, hasty, measure=attempt == 0 or slow)
            green = result.finished and other.finished
            if not green:
                self.trouble = result.trouble or other.trouble
                stuck = {result.stuck, other.stuck} - {""}
                if not self._drop(kept, _names(kept) - stuck, "does not come back, or stops pytest"):
                    if slow or left() < LEAST:
                        _keep_only(kept, result.passed & other.passed)  # so many were seen before it ended
                        return bool(_names(kept))
                    slow = True  # no test is to blame: two runs at once may have been too much
                continue
            self.trouble = ""
            self.coverage = result.coverage or self.coverage
            self._leaving |= result.leaving | other.leaving
            failed = self._drop_failing(kept, result, other)
            took = time.monotonic() - began
            if left() < 2 * took or (not failed and not last) or attempt >= ATTEMPTS:
                _keep_only(kept, result.passed & other.passed)
                break
        return green

    def _drop_failing(self, kept: Kept, one: Result, other: Result) -> bool:
        """Take out what failed, or rather what others failed of: tests that leave the subject changed."""
        names = _names(kept)
        failed = names - (one.passed & other.passed)
        moody = failed & (one.passed | other.passed) or len(failed) >= MANY
        if moody and self._leaving & names - failed:
            return self._drop(kept, names - self._leaving, "leaves the subject changed for others")
        dropped = self._drop(kept, one.passed, "fails under pytest")
        new = _names(kept) - names  # which assert less, and have not run yet
        return self._drop(kept, other.passed | new, "depends on order or hash seed") or dropped

    def _drop(self, kept: Kept, passed: set[str], cause: str) -> bool:
        """Take out what did not pass, for good; whether there was any."""
        found = False
        for name, (module, tests) in kept.items():
            bad = [t for t in tests if f"{name}::{t.name}" not in passed]
            self._bad.update(t.text for t in bad)
            self.unstable[cause] += len(bad)
            kept[name] = (module, self._good(tests))
            found = found or bool(bad)
        return found

    def _run_both(
        self, kept: Kept, paths: list[Path], attempt: int, left: Left, hasty: bool, *, measure: bool
    ) -> list[Result]:
        """Two hash seeds at the same time: one in order, one shuffled, in different folders.

        Only the second one in haste: the sequences have been recorded under two already.
        """
        bench, seed = self.bench(), 2 * attempt + 1
        leaving = frozenset(self._leaving & _names(kept))
        if hasty:
            measure, limit = measure and left() > MEASURABLE, left() + self._grace() / 2
            only = bench.run(paths, seed=seed + 1, limit=limit, shuffle=True, first=leaving, measure=measure)
            return [only, only]
        with ThreadPoolExecutor(2) as both:
            limit = FOR_ONE * left()
            one = both.submit(bench.run, paths, seed=seed, limit=limit, measure=measure)
            other = both.submit(bench.run, paths, seed=seed + 1, limit=limit, shuffle=True, first=leaving)
            return [one.result(), other.result()]

    def _failing(
        self, faults: dict[Module, dict[str, str]], stage: Path, left: Left
    ) -> tuple[dict[str, str], dict[str, str]]:
        """The tests of faults that were seen to fail, as files, and where the test of each fault stands.

        What was seen in an earlier round is not run again. If there is no time to see a test fail it is
        written all the same: its sequence has been replayed when it was made short.
        """
        modules = {files.name_of(m.subject, "_faults"): m for m in faults}
        fails = self._see_failing(modules, stage, left)
        places: dict[str, str] = {}
        seen: dict[str, str] = {}
        self.passing = set()
        for name, module in modules.items():
            failed = [t for t in module.tests if fails.get(t.text, True)]
            self.passing.update(faults[module][t.name] for t in module.tests if t not in failed)
            if failed:
                seen[name] = module.text(failed)
                path = Path(self.study.settings.out) / name
                places.update({faults[module][t.name]: f"{path}::{t.name}" for t in failed})
        paths = files.hush(files.stage(stage, seen, keep=True))
        return {path.name: path.read_text() for path in paths}, places

    def _see_failing(self, modules: dict[str, Module], stage: Path, left: Left) -> dict[str, bool]:
        """Whether each test fails in two new interpreters, by its text, as far as it is known."""
        if self.study.settings.faults != "fail" or "pytest" not in self.bench().tools:
            return {}
        new = {
            name: (module, [t for t in module.tests if t.text not in self._fails])
            for name, module in modules.items()
        }
        paths = files.stage(
            stage, {name: module.text(tests) for name, (module, tests) in new.items() if tests}, keep=True
        )
        for seed in (1, 2) if paths and left() > 0 else ():
            result = self.bench().run(paths, seed=seed, limit=left())
            for name, (_, tests) in new.items():
                known = {f"{name}::{t.name}": t.text for t in tests}
                self._fails |= {text: False for test, text in known.items() if test in result.passed}
                failed = [text for test, text in known.items() if test in result.failed]
                self._fails |= {text: self._fails.get(text, True) for text in failed}
        return self._fails


def _keep_only(kept: Kept, passed: set[str]) -> None:
    """What failed because of others is not written now; another round may see it pass."""
    for name, (module, tests) in kept.items():
        kept[name] = (module, [t for t in tests if f"{name}::{t.name}" in passed])


def _names(kept: Kept) -> set[str]:
    return {f"{name}::{test.name}" for name, (_, tests) in kept.items() for test in tests}
