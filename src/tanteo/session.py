"""All that one exploration knows: the one mutable object, handed to strategy and engine."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from tanteo.beliefs import Belief
from tanteo.classify import Rules
from tanteo.contracts import Contract
from tanteo.contracts.catalogue import Schedule
from tanteo.disarm import Probes
from tanteo.filters import Filter
from tanteo.literals import Literals
from tanteo.model import HUNG, Run, Sequence, Statement, Step
from tanteo.pools import Entry, Kept, Pool
from tanteo.probes import Hits
from tanteo.reach import Reach
from tanteo.roundtrips import RoundTrip
from tanteo.safety import Safety
from tanteo.subject import Operation
from tanteo.types import Slot, Want
from tanteo.watching import Watcher

MOST_SEEN = 1_000_000
GIVE_UP = 2000  # proposals in a row that were nothing new
TOO_OFTEN = 3  # an operation that hangs, kills or eats all memory this often is not called any more
MOST_STATEMENTS = 35  # a block of repeated calls is one
ROOM = 6  # statements that must still fit behind a sequence that others are to build on
LEFT_A_THREAD = "left a thread running"
MOST_TEXTS = 64  # that are remembered for one operation
ADDRESS = re.compile(r"at 0x[0-9a-f]{6}")
GROWS = re.compile(r"\} (\*|\*\*|<<)=? \{")  # `a * 132096` makes a giant: no numbers of the source there
STEPS_PER_SECOND = 500  # where there is no clock
TOO_SLOW = 0.05  # seconds; whatever is built on such a run is as slow


class Strategy(Protocol):
    """Decides what to try next and learns from what happened."""

    repetition: float
    filtering: bool

    def propose(self, session: Session) -> Step | None: ...
    def learn(self, run: Run) -> None: ...
    def state(self) -> object: ...


class World(Protocol):
    """What the surroundings of a run must do; the explorer's does it, a unit test's need not."""

    def begin(self, step: int, sequence: Sequence) -> None: ...
    def end(self) -> None: ...
    def grant_second_try(self) -> bool: ...  # for a run that hung
    def restore(self) -> str | None: ...  # why the run does not count, if something was refused


class Remembering(Protocol):
    """What the subject keeps from one run to the next."""

    def restore(self) -> None: ...


class StillWorld:
    """Surroundings that nobody disturbs."""

    def begin(self, step: int, sequence: Sequence) -> None:
        """Nothing to note."""

    def end(self) -> None:
        """Nothing to note."""

    def grant_second_try(self) -> bool:
        """There is no timer either."""
        return False

    def restore(self) -> str | None:
        """Nothing to put back."""
        return None


def stream(seed: int, *labels: object) -> Random:
    """Randomness derived by name; text seeds do not depend on the hash seed."""
    return Random("/".join(map(str, (seed, *labels))))


@dataclass(slots=True)
class Session:
    """Pools, counters, arms and one Random."""

    operations: list[Operation]
    calls: list[Callable[..., object]]
    slots: list[tuple[Slot, ...]]
    literals: Literals
    rules: Rules
    strategy: Strategy
    contracts: list[Contract]
    filters: list[Filter]
    hits: Hits
    rng: Random
    probes: Probes
    watcher: Watcher | None = None
    trips: dict[int, RoundTrip] = field(default_factory=dict)  # operations that others should undo
    promises: dict[int, Contract] = field(default_factory=dict)  # what operations declare to return
    declared: dict[int, type] = field(default_factory=dict)  # classes that stand for those that values have
    implied: dict[int, int] = field(default_factory=dict)  # arm -> entry of its function
    reach: list[Reach] = field(default_factory=list)  # arms that an operation may lead to
    without: frozenset[str] = frozenset()  # parts that are switched off
    thorough: bool = False  # every contract is asked about every value
    safety: Safety = field(default_factory=Safety)
    counting: bool = False  # whether to note which probes each run reached, and not only new ones
    footprint: bytes = b""  # the probes that the last run reached
    steps: int | None = None
    deadline: float | None = None
    world: World = field(default_factory=StillWorld)
    memory: Remembering | None = None  # what the subject remembers, where runs are compared
    clock: Callable[[], float] = time.monotonic
    # what it learns
    step: int = 0
    seen_hits: bytearray = field(default_factory=bytearray)
    glimpsed: set[int] = field(default_factory=set)  # probes that only runs which make no test have reached
    pool: Pool = field(default_factory=Pool)
    corpus: dict[tuple[int, type], list[Statement]] = field(default_factory=dict)  # texts that led somewhere
    beliefs: list[dict[str, Belief]] = field(default_factory=list)  # by operation and parameter
    roots: frozenset[str] = frozenset()  # packages under test
    testable: list[int] = field(default_factory=list)
    homes: list[str] = field(default_factory=list)  # whose literals an operation is given
    discarded: dict[str, int] = field(default_factory=dict)
    checks: dict[type, Schedule] = field(default_factory=dict)  # that a class can break
    sieves: dict[type, tuple[Filter, ...]] = field(default_factory=dict)  # that mind its values
    culprits: dict[int, int] = field(default_factory=dict)
    strict: bool = False  # no value of a run that raised is used again
    strikes: int = 0
    unwanted: bool = False  # the strategy was only asking: nothing of this run goes into the pool
    stopped_by: str = ""
    seen: set[int] = field(default_factory=set)
    _vain: int = 0
    _began: float = 0.0

    def __post_init__(self) -> None:
        self.homes = ["" if GROWS.search(o.form) else o.module for o in self.operations]
        self.roots = frozenset(o.module.partition(".")[0] for o in self.operations if not o.helper)
        self.testable = [o.index for o in self.operations if o.kind != "display"]
        self.reach = self.reach or [{} for _ in self.operations]
        self.pool = Pool(thrifty="orienteering" not in self.without)
        self.thorough = self.thorough or "sampling" in self.without
        self.strict = any(getattr(f, "strict", False) for f in self.filters)
        self.beliefs = self.rules.passing.beliefs
        self.beliefs.extend({} for _ in self.operations[len(self.beliefs) :])
        self.seen_hits = bytearray(self.hits)

    def over(self) -> bool:
        """Whether to stop, and by what."""
        if self.steps is not None and self.step >= self.steps:
            self.stopped_by = "steps"
        elif self.deadline is not None and self.clock() >= self.deadline:
            self.stopped_by = "time"
        elif self._vain >= GIVE_UP or not self.testable:
            self.stopped_by = "exhausted"
        return self.stopped_by != ""

    def is_new(self, sequence: Sequence) -> bool:
        """Whether this sequence was never run; remembers it. The table is bounded: it forgets all."""
        key = hash(sequence.code)
        if key in self.seen:
            return False
        if len(self.seen) >= MOST_SEEN:
            self.seen.clear()
        self.seen.add(key)
        return True

    def forget(self, sequence: Sequence) -> None:
        """It may run once more: a constructor without parameters would never be called again."""
        self.seen.discard(hash(sequence.code))

    def discard(self, reason: str) -> None:
        """Count a proposal that was not run."""
        self.discarded[reason] = self.discarded.get(reason, 0) + 1
        self._vain += 1

    def belief(self, operation: int, slot: Slot) -> Belief:
        """What was learned about one parameter."""
        known = self.beliefs[operation]
        found = known.get(slot.name)
        if found is None:
            found = known[slot.name] = Belief(slot)
        return found

    def wanted(self, operation: int, slot: Slot) -> Want:
        """What to pass to a parameter this time: by belief where nothing is declared."""
        if slot.open or slot.guesses:
            belief = self.belief(operation, slot)
            return belief.candidates[belief.draw(self.rng)]
        return slot.wants[int(self.rng.random() * len(slot.wants))]

    def cherish(self, sequence: Sequence) -> None:
        """A sequence came to something new: the texts in it are worth changing a little."""
        statements = sequence.statements
        for position, statement in enumerate(statements):
            for distance in statement.inputs:
                literal = statements[position + distance].literal
                if literal is not None and _is_text(literal.value):
                    kept = self.corpus.setdefault((statement.operation, type(literal.value)), [])
                    if len(kept) < MOST_TEXTS:
                        kept.append(statements[position + distance])
                    else:
                        kept[int(self.rng.random() * MOST_TEXTS)] = statements[position + distance]

    def begin(self, sequence: Sequence) -> None:
        """A sequence is about to run."""
        self.step += 1
        self._vain = 0
        self._began = self.clock()
        if self.counting:
            self.hits[:] = bytes(len(self.hits))
        self.world.begin(self.step, sequence)

    def note_footprint(self) -> None:
        """What this run reached; then the hits are again what all runs have reached."""
        self.footprint = bytes(self.hits)
        both = int.from_bytes(self.hits, "little") | int.from_bytes(self.seen_hits, "little")
        self.hits[:] = both.to_bytes(len(self.hits), "little")

    def seconds(self) -> float:
        """Time as a strategy sees it: steps stand for it where steps decide, so that runs can be repeated."""
        return self.step / STEPS_PER_SECOND if self.deadline is None else self.clock()

    def keep(self, run: Run) -> None:
        """Put what may be used again into the pool; stop calling what hangs all the time."""
        room = len(run.values) <= MOST_STATEMENTS - ROOM and not self.unwanted
        self.unwanted = False
        if run.extensible and room and (self.deadline is None or self.clock() - self._began < TOO_SLOW):
            cost = len(run.values) + run.sequence.calls
            kept = Kept(run.sequence, self.kinds(run), cost)
            for position in run.extensible:
                self.pool.add(kept.types[position], Entry(kept, position), self.rng)
        elif run.verdict is HUNG or run.outcome == "MemoryError" or run.reason == LEFT_A_THREAD:
            culprit = self._culprit(run)
            self.strike(culprit)
            if culprit != run.sequence.statements[-1].operation and culprit not in self.testable:
                self.pool.forget(culprit)

    def kinds(self, run: Run) -> tuple[type, ...]:
        """The classes that values have (GRT's Elephant brain), or those that were declared."""
        kinds = tuple(map(type, run.values))
        if not self.declared:
            return kinds
        pairs = zip(run.sequence.statements, kinds, strict=False)
        return tuple([self.declared.get(statement.operation, kind) for statement, kind in pairs])

    def _culprit(self, run: Run) -> int:
        """The operation that was called, or, if that works otherwise, who made an iterator without an end."""
        last, end = run.sequence.statements[-1], len(run.sequence) - 1
        if last.operation in self.rules.passing.worked:
            for position in (end + distance for distance in last.inputs):
                value = run.values[position] if position < len(run.values) else None
                maker = run.sequence.statements[position].operation
                if maker >= 0 and (hasattr(type(value), "__next__") or hasattr(type(value), "__anext__")):
                    return maker
        return last.operation

    def strike(self, operation: int, times: int = 1) -> None:
        """Count hangs and crashes against an operation; too often, and it is not called any more."""
        self.strikes += times
        self.culprits[operation] = self.culprits.get(operation, 0) + times
        if self.culprits[operation] >= TOO_OFTEN and operation in self.testable:
            self.testable.remove(operation)


def _is_text(value: object) -> bool:
    """Whether it is one to build on: neither a single letter nor the name of an address."""
    return isinstance(value, (str, bytes)) and len(value) > 1 and not ADDRESS.search(repr(value))
