"""Looks at kept sequences again: makes them short, and notes in clean processes what can be asserted.

Three interpreters do it: the one with probes from which explorers are forked, which knows whether a shorter
sequence still reaches what it was kept for, and two clean ones on different days, whose notes must agree.
What was learned about a sequence is remembered for the next round.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tanteo.emit.cases import Candidate, Case, agree, choose
from tanteo.emit.clerks import Clerk
from tanteo.emit.faults import Short
from tanteo.emit.reading import (
    compares_with_itself,
    is_a_list,
    is_long,
    is_not_reflected,
    is_unreadable,
    overriding,
)
from tanteo.emit.select import select
from tanteo.emit.trimming import Kills
from tanteo.emit.worth import Homes
from tanteo.errors import UserError
from tanteo.execute.codec import decode
from tanteo.execute.explorer import Orders
from tanteo.execute.nest import Nest
from tanteo.settings import Settings
from tanteo.store.database import KeptRow
from tanteo.subject import Operation, Subject

BATCH = 40  # sequences that both clean interpreters work through before the next ones
SHORTENING = 0.4  # of the time that there is
RECORDING = 0.7  # by then; the rest is for mutants
FOR_MUTANTS = 2.5  # seconds; with less there is no time for them
ENOUGH = 100  # mutants, if there was no time for all: from so many one can tell which assertions bite
FAULT = ("kind", "contract", "exception", "function", "operation", "level")

Late = Callable[[], bool]


class Shortened(NamedTuple):
    """A short sequence and what its last call does."""

    code: bytes
    effect: str
    arms: list[int]  # all that it reaches
    outcome: str
    finished: bool = True  # nothing simpler does the same


@dataclass(slots=True)
class Study:
    """Three interpreters and what they have found out."""

    settings: Settings
    subject: Subject
    folder: Path
    explorers: Nest
    strict: bool = False  # the project takes warnings for errors
    hanging: frozenset[str] = frozenset()  # operations that did not come back: no observers
    dropped: Counter[str] = field(default_factory=Counter)  # sequences that give no test, by cause
    _clerks: list[Clerk] = field(default_factory=list)
    _short: dict[bytes, list[Shortened]] = field(default_factory=dict)  # several if a loop was split
    _partial: dict[bytes, bytes] = field(default_factory=dict)  # where shortening stopped for lack of time
    _reached: dict[bytes, Shortened] = field(default_factory=dict)  # by the short code
    _mutated: dict[int, str] = field(default_factory=dict)  # the module of each mutant
    _kills: dict[bytes, Kills] = field(default_factory=dict)  # of those that were tried on mutants
    _cases: dict[bytes, Case | None] = field(default_factory=dict)
    _tried: Counter[bytes] = field(default_factory=Counter)  # rounds in which there was no time for it
    _faults: dict[str, Short] = field(default_factory=dict)  # by the code that was found

    def start(self) -> None:
        """Let the clean interpreters load the subject, both at the same time."""
        self._clerks = [Clerk(self.explorers, self.folder / "short")]
        settings, folder = self.settings, self.folder
        avoid = {s.name: s.reason for s in self.subject.skipped if "import" in s.reason}
        for name, later in (("today", False), ("later", True)):
            scratch = folder / name
            scratch.mkdir(parents=True, exist_ok=True)
            nest = Nest(settings, scratch, [], clean=True, later=later, avoid=avoid)
            self._clerks.append(Clerk(nest, scratch))

    def started(self) -> bool:
        """Whether the interpreters have been started."""
        return bool(self._clerks)

    def close(self) -> None:
        """End the clean ones."""
        for clerk in self._clerks[1:]:
            clerk.close()
        self._clerks.clear()

    def check_alike(self) -> None:
        """The numbers of the operations must mean the same in all interpreters."""
        ours = [o.name for o in self.subject.operations]
        for clerk in self._clerks[1:]:
            if [o.name for o in clerk.subject().operations] != ours:
                raise UserError("the subject is different each time it is imported", "unstable-subject")

    def cases(self, rows: list[KeptRow], seconds: float, left: Callable[[], float]) -> list[Case]:
        """What the rows give; those for which the time was too short are left for another round."""
        began = time.monotonic()
        tested = [r for r in rows if not self._operation(r.code).helper and not self._asks_twice(r.code)]
        candidates = choose(tested)
        self._shorten(candidates, _after(began + SHORTENING * seconds, left))
        codes = self._different(candidates)
        hasty = seconds < FOR_MUTANTS
        self._record(codes, _after(began + (1.0 if hasty else RECORDING) * seconds, left))
        cases = [case for code in codes if (case := self._cases.get(code)) is not None]
        if not hasty:
            self._try_mutants(cases, _after(began + seconds, left))
        subject = self.subject
        entries = frozenset(
            n for n, arm in zip(subject.arm_numbers, subject.arms, strict=True) if arm.kind == "function"
        )
        homes = {n: arm.module for n, arm in zip(subject.arm_numbers, subject.arms, strict=True)}
        return select(cases, self._kills, subject.operations, entries, Homes(homes, self._mutated))

    def _operation(self, code: bytes) -> Operation:
        """What a sequence tests: its last call."""
        return self.subject.operations[int(code.rstrip(b"\n").rpartition(b"\n")[2].split()[0])]

    def _asks_twice(self, code: bytes) -> bool:
        """Whether it has two values of one fixture; a test gets only one."""
        if not self.settings.fixtures:
            return False
        used = [s.operation for s in decode(code).statements if s.operation >= 0]
        asked = [o for o in used if self.subject.operations[o].kind == "fixture"]
        return len(asked) > len(set(asked))

    def _different(self, candidates: list[Candidate]) -> list[bytes]:
        """Short sequences that reach something first, or whose effect no earlier one has."""
        found: dict[bytes, None] = {}
        effects: set[tuple[int, str, str]] = set()
        for candidate in candidates:
            for short in self._short.get(candidate.code, ()):
                effect = (self._operation(short.code).index, short.outcome, short.effect)
                sequence = decode(short.code)
                if candidate.extra and (effect in effects or is_long(sequence)):
                    continue
                if is_a_list(sequence) or (not short.finished and is_unreadable(sequence)):
                    continue  # for another round, or for nobody
                if not compares_with_itself(sequence, self.subject.operations):
                    effects.add(effect)
                    found[short.code] = None
                    self._reached[short.code] = short
        return list(found)

    def _try_mutants(self, cases: list[Case], late: Late) -> None:
        """Find out which changes of the subject the new cases would notice; both clean interpreters help."""
        new = [case for case in cases if case.sequence.code not in self._kills]
        if not new or late():
            return
        items = [
            {
                "code": case.sequence.code.decode(),
                "observations": case.observations,
                "raises": case.expected_exception,
            }
            for case in new
        ]
        halves = [[0, 2], [1, 2]]
        with ThreadPoolExecutor(2) as both:
            answers = both.map(
                lambda clerk, part: clerk.ask("mutate", items, late, part=part), self._clerks[1:], halves
            )
            told = [pair for part in answers for pair in part]
        if late() and len(told) < ENOUGH:
            return
        self._kills.update({case.sequence.code: {} for case in new})
        modules = {file: module for module, file in self.subject.files.items()}
        for mutant, file, noticed in told:
            self._mutated[mutant] = modules.get(file, "")
            for number, which in noticed.items():
                self._kills[new[int(number)].sequence.code][mutant] = which

    def short_faults(
        self, faults: dict[str, dict[str, Any]], seconds: float, left: Callable[[], float]
    ) -> dict[str, Short]:
        """The shortest sequence for each fault; crashes, and what perhaps hangs, stay as they are."""
        late = _after(time.monotonic() + seconds, left)
        found = {n: f for n, f in faults.items() if _can_be_shown_again(f)}
        new = [f for f in found.values() if f["code"] not in self._faults]
        items = [
            {"code": f["code"], "outcome": "", "arms": (), "fault": [f[key] for key in FAULT]} for f in new
        ]
        for number, (code, about, _, _, words) in self._minimise(items, late).items():
            self._faults[new[number]["code"]] = (code, about, words)
        return {n: self._faults[f["code"]] for n, f in found.items() if f["code"] in self._faults}

    def _shorten(self, candidates: list[Candidate], late: Late) -> None:
        new = [c for c in candidates if c.code not in self._short]
        new.sort(key=lambda c: self._tried[c.code])  # what took too long comes last
        begun = [c for c in candidates if c.code in self._partial]  # and what was not finished after that
        for start in range(0, len(new) + len(begun), BATCH):
            batch = [*new, *begun][start : start + BATCH]
            items = [
                {
                    "code": self._partial.get(c.code, c.code).decode(),
                    "outcome": c.outcome,
                    "arms": c.arms,
                    "exact": c.extra,
                }
                for c in batch
            ]
            found = self._minimise(items, late)
            in_time = not late()
            for number, candidate in enumerate(batch):
                if number in found:
                    code, _, parts, finished, _ = found[number]
                    shorter = [
                        Shortened(c.encode(), effect, arms, told, finished) for c, effect, arms, told in parts
                    ]
                    self._short[candidate.code] = shorter
                    self._partial.pop(candidate.code, None)
                    if not finished:
                        self._partial[candidate.code] = code.encode()
                elif candidate.code in self._partial:
                    self._partial.pop(candidate.code)  # it was good enough before
                elif in_time:
                    self._short[candidate.code] = []
                    self.dropped["not the same again"] += 1
                else:
                    self._tried[candidate.code] += 1
            if not in_time:
                return

    def _minimise(self, items: list[dict[str, Any]], late: Late) -> dict[int, Any]:
        return self._clerks[0].work_through("minimise", items, late, orders=self._orders())

    def _record(self, codes: list[bytes], late: Late) -> None:
        new = [c for c in codes if c not in self._cases]
        new.sort(key=self._tried.__getitem__)
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            items = [c.decode() for c in batch]
            one, other = self._note(items, late)
            in_time = not late()
            for number, code in enumerate(batch):
                if in_time or (number in one and number in other):
                    notes = (one.get(number) or {}, other.get(number) or {})
                    mishap = next((n["mishap"] for n in notes if "mishap" in n), "")
                    case = None if mishap else agree(code, *notes)
                    warns = self.strict and any(n.get("warns") for n in notes)
                    case = None if warns else case
                    self._cases[code] = case = None if case is None else self._completed(case)
                    cause = f"mishap: {mishap}" if mishap else "not the same in a clean process"
                    cause = "depends on chance" if any("chance" in n for n in notes) else cause
                    cause = "depends on other folders" if any("elsewhere" in n for n in notes) else cause
                    cause = "warns, which the project's configuration forbids" if warns else cause
                    self.dropped[cause] += case is None
                else:
                    self._tried[code] += 1
            if not in_time:
                return

    def _completed(self, case: Case) -> Case | None:
        """With what is known from the interpreter with probes; none that is not what it looks like."""
        operations, known = self.subject.operations, self._reached[case.sequence.code]
        if is_not_reflected(case, operations):
            return None
        return replace(
            case,
            outcome=known.outcome,
            arms=frozenset(known.arms),
            overriding=overriding(case, operations),
            rough=not known.finished,
        )

    def _note(self, items: list[str], late: Late) -> list[dict[int, Any]]:
        """Both clean interpreters at the same time, the second one from the end to the beginning."""
        orders = (items, items[::-1])
        mute = [o.index for o in self.subject.operations if o.name in self.hanging]
        with ThreadPoolExecutor(2) as both:
            one, other = both.map(
                lambda clerk, order: clerk.work_through("record", order, late, mute=mute),
                self._clerks[1:],
                orders,
            )
        return [one, {len(items) - 1 - number: note for number, note in other.items()}]

    def _orders(self) -> dict[str, Any]:
        settings = self.settings
        orders = Orders(
            job=0,
            life=0,
            seed=settings.seed,
            strategy=settings.strategy,
            filters=settings.filters,
            contracts=settings.contract,
            first_step=0,
            steps=None,
            seconds=settings.seconds,
            call_timeout=settings.patience,
            memory=settings.memory,
            recovery=None,
            culprits={},
            without=settings.without,
            tune=settings.tune,
        )
        return asdict(orders)


def _after(moment: float, left: Callable[[], float]) -> Late:
    return lambda: time.monotonic() > moment or left() <= 0


def _can_be_shown_again(fault: dict[str, Any]) -> bool:
    """Whether running it again is cheap and safe, and worth it."""
    stuck = fault["kind"] == "crash" or (fault["kind"] == "hang" and fault["level"] != "fault")
    return not stuck and fault["level"] != "suggestion"
