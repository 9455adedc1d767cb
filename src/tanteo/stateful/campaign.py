"""The strategy `stateful`: random testing first, then what it has never tried, and again (paper 001).

The first part of the time belongs to another strategy. Then its calls are looked at, contracts inferred, and
for each clause calls are proposed that break it; they run and are judged like any others, and whatever they
show is added to what is known. Rounds follow each other until two have changed nothing; the rest of the time
is random again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from tanteo.execute.codec import decode
from tanteo.model import EXPECTED, FAULT, NORMAL, Replay, Run, Sequence, Step, Verdict
from tanteo.session import Session, Strategy
from tanteo.stateful.atoms import in_words, members
from tanteo.stateful.books import Books
from tanteo.stateful.conditions import numbers_of
from tanteo.stateful.database import Clause, ObjectBase
from tanteo.stateful.inference import NORMAL as RETURNED
from tanteo.stateful.questions import Questions
from tanteo.stateful.search import Goal, Search
from tanteo.strategies.adaptive import Adaptive
from tanteo.strategies.autotest import Autotest
from tanteo.strategies.controlled import Controlled
from tanteo.strategies.directed import Directed
from tanteo.strategies.resetting import Resetting
from tanteo.strategies.reuse import Reuse
from tanteo.strategies.undirected import Undirected

MOST_TESTS = 400  # of one operation that are looked at
FEW_REFUSED = 100  # of those that raised
MOST_MODELS = 6  # passing calls of an operation whose arguments others may take over
ENOUGH = 3  # calls that were refused alike: then a precondition is confirmed
MOST_VARIATIONS = 120  # of the calls of an operation that has hardly ever passed
CALM = 2  # rounds without news before it ends
AND = " & "  # between what is kept and what is broken
RANDOM: dict[str, type[Strategy]] = {
    "adaptive": Adaptive,
    "autotest": Autotest,
    "controlled": Controlled,
    "directed": Directed,
    "reset": Resetting,
    "reuse": Reuse,
    "undirected": Undirected,
}
FEW_CAUSES = 3  # preconditions that are broken for the sake of one implication


@dataclass(slots=True)
class Trial:
    """What became of the calls that were made for one clause."""

    tried: int = 0
    refusals: dict[str, int] | None = None
    status: str = "open"
    words: str = ""
    witness: bytes | None = None


class Stateful:
    """The strategy `stateful`."""

    tunable = ("random", "random_share", "random_steps", "iterate", "transitions", "off", "file", "suite")
    repetition = Directed.repetition
    filtering = True
    random = "directed"  # the strategy that goes first
    random_share = 0.7  # of the time
    random_steps = 0  # instead, if it is not 0
    iterate = 1  # 0: one round only
    transitions = 1
    off = ""  # families of atoms, joined by +
    file = ""  # where the database is written
    suite = ""  # a file with the calls of a test suite, which are made first

    def __init__(self) -> None:
        self._random: Strategy | None = None
        self._tests: dict[tuple[int, bool], list[Sequence]] = {}  # by operation and whether it returned
        self._firsts: list[Sequence] = []  # that reached something first: no sample may lose them
        self._seen: dict[tuple[int, bool], int] = {}
        self._rng: Random | None = None
        self._entered: set[bytes] = set()
        self._plan: Iterator[Step | None] | None = None
        self._began: float | None = None
        self._run: Run | None = None
        self._trials: dict[tuple[int, str], Trial] = {}
        self._over = False
        self._heard: Iterator[bytes] | None = None
        self._listening = False

    def propose(self, session: Session) -> Step | None:
        """What a suite does, if there is one, then random; then what the plan says."""
        if self._began is None:
            self._began, self._rng = session.seconds(), session.rng
        if self._heard is None:
            self._heard = _heard_in(self.suite) if self.suite else iter(())
        heard = next(self._heard, None)
        self._listening = heard is not None
        if heard is not None:
            return Replay(decode(heard))
        if not self._over and self._plan is None and self._is_time(session):
            self._plan = self._campaign(session)
        if self._plan is not None:
            try:
                return next(self._plan)
            except StopIteration:
                self._plan, self._over = None, True
        return self._first().propose(session)

    def _first(self) -> Strategy:
        """The strategy whose calls are looked at later; its name is known only after it was tuned."""
        if self._random is None:
            self._random = RANDOM.get(self.random, Directed)()
        return self._random

    def _is_time(self, session: Session) -> bool:
        if self.random_steps:
            return session.step >= self.random_steps
        if session.deadline is None:
            return session.steps is not None and session.step >= self.random_share * session.steps
        assert self._began is not None
        return session.clock() >= self._began + self.random_share * (session.deadline - self._began)

    def learn(self, run: Run) -> None:
        """Keep some calls of each operation; what the plan asked for is handed to it."""
        if self._plan is not None:
            self._run = run
            return
        if not self._listening:
            self._first().learn(run)
        if run.verdict is NORMAL or run.verdict is EXPECTED:
            if run.probes:
                self._firsts.append(run.sequence)
            else:
                self._keep(run.sequence, run.verdict is NORMAL)

    def _keep(self, made: Sequence, returned: bool) -> None:
        """A sample of the calls of an operation in which each of them is as likely as any other."""
        key = made.statements[-1].operation, returned
        seen = self._seen[key] = self._seen.get(key, 0) + 1
        kept = self._tests.setdefault(key, [])
        most = MOST_TESTS if returned else FEW_REFUSED
        assert self._rng is not None
        if len(kept) < most:
            kept.append(made)
        elif (place := int(self._rng.random() * seen)) < most:
            kept[place] = made

    def state(self) -> object:
        """Nothing that could not be found again."""
        return None

    def _campaign(self, session: Session) -> Iterator[Step | None]:
        session.thorough = True  # few calls, each made for a reason: every contract is asked
        session.checks.clear()
        base = ObjectBase(self._file(session))
        off = frozenset(filter(None, self.off.split("+")))
        questions = Questions(session, off, _thresholds(session))
        books = Books(session, questions, base)
        search = Search(books, transitions=bool(self.transitions))
        tests = [*self._firsts, *(made for group in self._tests.values() for made in group)]
        for made in tests:
            books.survey(made)
        yield None
        for number, made in enumerate(tests):
            self._enter(made, books, search)
            if number % 64 == 0:
                yield None
        base.save(self._clauses(books))  # what is said by then is there, even if the time is over
        calm = 0
        while calm < (CALM if self.iterate else 1):
            before = self._standing()
            for operation in sorted(books.books):
                yield from self._reduce(operation, books, search)
                base.save(self._clauses_of(operation, books), session.operations[operation].name)
            base.save(self._clauses(books))
            calm = 0 if self._standing() != before else calm + 1
        base.save(self._clauses(books))
        base.close()

    def _file(self, session: Session) -> str:
        if self.file or not session.rules.scratch:
            return self.file or ":memory:"
        _, _, job = os.getcwd().rpartition("work-")  # of several explorers the first one's counts
        name = f"stateful-{job}.db" if job.isdigit() and job != "0" else "stateful.db"
        return os.path.join(session.rules.scratch, name)

    def _standing(self) -> dict[tuple[int, str], str]:
        return {key: trial.status for key, trial in self._trials.items()}

    def _enter(self, made: Sequence, books: Books, search: Search) -> None:
        found = books.enter(made)
        self._entered.add(made.code)
        if found is not None:
            kept = search.models if found[2] == RETURNED else search.refused
            models = kept.setdefault(made.statements[-1].operation, [])
            if len(models) < MOST_MODELS or made.calls < models[-1].calls:
                models.append(made)
                models.sort(key=lambda m: m.calls)
                del models[MOST_MODELS:]

    def _reduce(self, operation: int, books: Books, search: Search) -> Iterator[Step | None]:
        """Calls that break the preconditions of an operation, and those of its implications."""
        summary = books.summary(operation)
        if summary is None:
            return
        if not summary.passing.calls:  # what was so before all calls that were refused may be why
            for literal in sorted({n for given in summary.raising.values() for n in members(given.before)}):
                yield from self._try(Goal(operation, literal), Trial(refusals={}), books, search)
        if not summary.passing.supported:
            for made in islice(search.variations(operation), MOST_VARIATIONS):
                yield from self._attempt(made, Trial(refusals={}), 0, books, search)
        if not summary.passing.supported:
            return
        same, always = summary.alike(), books.always(operation)
        for literal in [n for n in summary.preconditions() if same[n] == n and n not in always]:
            text = in_words(literal, summary.before)
            trial = self._trials.setdefault((operation, text), Trial(refusals={}))
            if trial.status in ("open", "") and summary.passing.before >> literal & 1:
                yield from self._try(Goal(operation, literal), trial, books, search)
        for kept, causes in summary.coincidences():
            keys = {c: AND.join(in_words(n, summary.before) for n in (*kept, c)) for c in causes}
            new = [cause for cause in causes if (operation, keys[cause]) not in self._trials]
            for cause in new[:FEW_CAUSES]:
                trial = self._trials[operation, keys[cause]] = Trial(refusals={})
                yield from self._try(Goal(operation, cause, frozenset(kept)), trial, books, search)

    def _try(self, goal: Goal, trial: Trial, books: Books, search: Search) -> Iterator[Step | None]:
        for missing, made in search.candidates(goal):
            yield from self._attempt(made, trial, missing, books, search)
            if trial.status in ("refuted", "fault"):
                return
        yield None

    def _attempt(
        self, made: Sequence, trial: Trial, missing: int, books: Books, search: Search
    ) -> Iterator[Step | None]:
        """Have a call made, and see what it says."""
        session = books.session
        last = made.statements[-1].operation
        if made.code in self._entered or session.over() or last not in session.testable:
            return
        self._run = None
        yield Replay(made)
        if self._run is not None:
            trial.tried += 1
            if self._run.verdict is NORMAL or self._run.verdict is EXPECTED:
                self._enter(made, books, search)
            self._judge(self._run, trial, missing)

    def _judge(self, run: Run, trial: Trial, missing: int) -> None:
        """What one call that breaks a clause says about it."""
        assert trial.refusals is not None
        if run.verdict is NORMAL:
            trial.status, trial.words = "refuted", "a call that breaks it passed"
            trial.witness = run.sequence.code
        elif run.verdict is FAULT and run.fault is not None and run.fault.level == "fault":
            trial.status, trial.words = "fault", run.reason
            trial.witness = run.sequence.code
        elif not missing and run.fault is None and run.verdict in (EXPECTED, Verdict.INVALID):
            name = run.outcome.partition(" ")[0]
            times = trial.refusals[name] = trial.refusals.get(name, 0) + 1
            if times >= ENOUGH and len(trial.refusals) == 1:
                trial.status, trial.words = "confirmed", f"{times} calls that break it were refused: {name}"
                trial.witness = run.sequence.code

    def _clauses(self, books: Books) -> Iterator[Clause]:
        """All clauses of all operations and classes, with what is known about them."""
        for kind, text, states in books.invariants():
            yield Clause(kind, "invariant", text, 0, states, "retained")
        for operation in sorted(books.books):
            yield from self._clauses_of(operation, books)

    def _clauses_of(self, operation: int, books: Books) -> Iterator[Clause]:
        summary = books.summary(operation)
        name = books.session.operations[operation].name
        if summary is None:
            return
        held = {in_words(n, summary.before) for n in summary.preconditions()}
        for clause in summary.clauses(name, books.always(operation)):
            trial = self._trials.get((operation, clause.text)) if clause.sort == "precondition" else None
            yield _judged(clause, trial)
        for (number, text), trial in self._trials.items():
            broken = trial.status in ("refuted", "fault") and text not in held
            if number == operation and broken and AND not in text:
                yield _judged(Clause(name, "precondition", text, 0, 0), trial)


def _heard_in(file: str) -> Iterator[bytes]:
    """The codes of the calls that a suite has made, as `listener.py` writes them."""
    for line in Path(file).read_text().splitlines():
        yield json.loads(line).encode()


def _thresholds(session: Session) -> tuple[int, ...]:
    """Numbers that the subject's functions mention, the commonest first; 0 and 1 are asked for anyway."""
    counted = Counter(n for function in session.rules.passing.functions for n in numbers_of(function))
    return tuple(number for number, _ in counted.most_common() if number > 1)


def _judged(clause: Clause, trial: Trial | None) -> Clause:
    if trial is None:
        return clause._replace(status="retained") if clause.sort != "precondition" else clause
    words = trial.words or f"never tried: no call that breaks it was found in {trial.tried} tries"
    if not trial.words and trial.refusals:
        words = f"calls that break it were refused, but not alike: {', '.join(sorted(trial.refusals))}"
    return clause._replace(status=trial.status, words=words, witness=trial.witness)
