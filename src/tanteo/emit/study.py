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
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tanteo.emit.cases import Candidate, Case, agree, choose
from tanteo.emit.clerks import Clerk
from tanteo.errors import UserError
from tanteo.execute.codec import decode
from tanteo.execute.explorer import Orders
from tanteo.execute.nest import Nest
from tanteo.settings import Settings
from tanteo.store.database import KeptRow
from tanteo.subject import Subject

BATCH = 40  # sequences that both clean interpreters work through before the next ones
SHORTENING = 0.3  # of the time that there is; the rest is for recording
FAULT = ("kind", "contract", "exception", "function", "operation")

Late = Callable[[], bool]
Short = tuple[str, list[int]]  # the code, and the values that a broken contract is about


@dataclass(slots=True)
class Study:
    """Three interpreters and what they have found out."""

    settings: Settings
    subject: Subject
    folder: Path
    explorers: Nest
    dropped: Counter[str] = field(default_factory=Counter)  # sequences that give no test, by cause
    _clerks: list[Clerk] = field(default_factory=list)
    _short: dict[bytes, bytes | None] = field(default_factory=dict)
    _effects: dict[bytes, str] = field(default_factory=dict)  # of short sequences
    _cases: dict[bytes, Case | None] = field(default_factory=dict)
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
        candidates = choose(rows)
        self._shorten(candidates, _after(began + SHORTENING * seconds, left))
        codes = list(dict.fromkeys(s for c in candidates if (s := self._short.get(c.code)) is not None))
        needed = self._needed(candidates)
        codes = [c for c in codes if c in needed or self._is_plain(c)]
        self._record(codes, _after(began + seconds, left))
        cases = [(code, case) for code in codes if (case := self._cases.get(code)) is not None]
        return [case for code, case in cases if code in needed or case.is_example]

    def _is_plain(self, code: bytes) -> bool:
        """One call with literals: a row of a parametrized test."""
        return all(line.startswith(b"=") for line in code.rstrip(b"\n").split(b"\n")[:-1])

    def _needed(self, candidates: list[Candidate]) -> set[bytes]:
        """Short sequences that reach something first, or whose effect no earlier one has."""
        found: set[bytes] = set()
        effects: set[tuple[int, str, str]] = set()
        for candidate in candidates:
            code = self._short.get(candidate.code)
            if code is None:
                continue
            operation = decode(code).statements[-1].operation
            effect = (operation, candidate.outcome, self._effects.get(code, ""))
            if not candidate.extra or effect not in effects:
                effects.add(effect)
                found.add(code)
        return found

    def short_faults(self, faults: dict[str, dict[str, Any]], seconds: float) -> dict[str, Short]:
        """The shortest sequence for each fault; a hang or a crash stays as it was found."""
        late = _after(time.monotonic() + seconds, lambda: 1.0)
        found = {n: f for n, f in faults.items() if f["kind"] not in ("hang", "crash")}
        new = [f for f in found.values() if f["code"] not in self._faults]
        items = [
            {"code": f["code"], "outcome": "", "arms": (), "fault": [f[key] for key in FAULT]} for f in new
        ]
        for number, short in self._minimise(items, late).items():
            self._faults[new[number]["code"]] = (short[0], short[1])
        return {n: self._faults[f["code"]] for n, f in found.items() if f["code"] in self._faults}

    def _shorten(self, candidates: list[Candidate], late: Late) -> None:
        new = [c for c in candidates if c.code not in self._short]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            items = [{"code": c.code.decode(), "outcome": c.outcome, "arms": c.arms} for c in batch]
            found = self._minimise(items, late)
            in_time = not late()
            for number, candidate in enumerate(batch):
                if number in found:
                    short, _, effect = found[number]
                    self._short[candidate.code] = short.encode()
                    self._effects[short.encode()] = effect
                elif in_time:
                    self._short[candidate.code] = None
                    self.dropped["not the same again"] += 1

    def _minimise(self, items: list[dict[str, Any]], late: Late) -> dict[int, Any]:
        return self._clerks[0].work_through("minimise", items, late, orders=self._orders())

    def _record(self, codes: list[bytes], late: Late) -> None:
        new = [c for c in codes if c not in self._cases]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            items = [c.decode() for c in batch]
            one, other = self._note(items, late)
            in_time = not late()
            for number, code in enumerate(batch):
                if in_time or (number in one and number in other):
                    case = agree(code, one.get(number), other.get(number))
                    self._cases[code] = case
                    self.dropped["not the same in a clean process"] += case is None

    def _note(self, items: list[str], late: Late) -> list[dict[int, Any]]:
        """Both clean interpreters at the same time, the second one from the end to the beginning."""
        orders = (items, items[::-1])
        with ThreadPoolExecutor(2) as both:
            one, other = both.map(
                lambda clerk, order: clerk.work_through("record", order, late), self._clerks[1:], orders
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
            seconds=None,
            call_timeout=settings.call_timeout,
            memory=settings.memory,
            recovery=None,
            culprits={},
        )
        return asdict(orders)


def _after(moment: float, left: Callable[[], float]) -> Late:
    return lambda: time.monotonic() > moment or left() <= 0
