"""AutoTest: a pool of live objects that calls are made on, one after the other (paper 003).

Each step is one call on objects that earlier steps have left in whatever state. With `p_gen_new` an object is
made for it, with `p_div` the next step only changes some object of the pool, with `p_gen_basic_rand` a basic
value is drawn at random instead of from those that are known to be special. The operation with the fewest
valid calls comes next. Where we differ: Python has no procedures, so objects are changed by methods that
return and are no observers; and objects whose history is too long for a test are let go.
"""

from __future__ import annotations

import math
from collections import Counter

from tanteo.model import NORMAL, Replay, Run, Statement, Step, call, sequence
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.strategies.drafts import DISPLAYS
from tanteo.strategies.live import Made, Objects, history
from tanteo.types import ITERATOR, SCALARS, Want

TRIES = 20
HARD = 30  # invalid calls in a row, after which an operation waits for its turn like the others
DEEPEST = 2  # containers in containers
SPECIAL: dict[type, tuple[object, ...]] = {
    int: (0, 1, -1, 2, 10, 255, 256, 2**31 - 1, -(2**31), 2**63, 2**64),
    float: (0.0, -0.0, 1.0, 0.1, 1e-300, 1e300, math.inf, -math.inf, math.nan),
    bool: (True, False),
    str: ("", " ", "a", "\n", "\0", "\U0001f600", "e\u0301", "12", "%s", "{}", "a" * 300),
    bytes: (b"", b"\0", b"a"),
}
SOURCES = {"inf": "float('inf')", "-inf": "float('-inf')", "nan": "float('nan')"}
LONGEST_TEXT = 20
CHANGING = frozenset({"method", "attribute write"})


class Autotest:
    """The strategy of paper 003."""

    tunable = ("p_gen_new", "p_div", "p_gen_basic_rand")
    repetition = 0.0
    filtering = False
    p_gen_new = 0.25
    p_div = 0.5
    p_gen_basic_rand = 0.25

    def __init__(self) -> None:
        self.objects = Objects()
        self._session: Session | None = None
        self._valid: Counter[int] = Counter()
        self._invalid: Counter[int] = Counter()  # since the last valid call
        self._makers: list[int] = []
        self._goal: int | None = None  # the operation for which an object is being made
        self._call: Made | None = None  # that runs now
        self._tested = False

    def propose(self, session: Session) -> Step | None:
        """The next call, on objects that are alive."""
        if self._session is None:
            self._session = session
            self._makers = [n for n in session.testable if session.operations[n].kind == "constructor"]
        for _ in range(TRIES):
            made = self._next(session)
            if made is None:
                session.discard("no value for a parameter")
                continue
            before = history(made)
            if len(before) >= MOST_STATEMENTS:
                self.objects.retire(before)
                session.discard("too long")
                continue
            self._call = made
            return Replay(sequence(_statements([*before, made])), [m.value for m in before])
        return None

    def learn(self, run: Run) -> None:
        """A result is an object like any other; what a failing call was given is not used again."""
        made, session = self._call, self._session
        if made is None or session is None:
            return
        operation = made.operation
        if run.verdict is not NORMAL or len(run.values) < len(run.sequence):
            self._invalid[operation] += 1
            self.objects.retire(made.inputs)
            return
        self._valid[operation] += 1
        self._invalid[operation] = 0
        made.value = run.values[-1]
        if not session.operations[operation].observer:
            for given in made.inputs:
                given.later.append(made)
        self.objects.add(made, session.rng)

    def state(self) -> object:
        """Live objects die with their process."""
        return None

    def _next(self, session: Session) -> Made | None:
        goal, self._goal = self._goal, None
        if goal is not None:
            return self._drafted(goal, session, self._call)
        if self._tested and session.rng.random() < self.p_div:
            self._tested = False
            return self._diversified(session)
        self._tested = True
        operation = self._least_tested(session)
        if session.rng.random() < self.p_gen_new or not self._has_all(operation, session):
            maker = self._maker_for(operation, session)
            if maker is not None:
                self._goal = operation
                return self._drafted(maker, session)
        return self._drafted(operation, session)

    def _least_tested(self, session: Session) -> int:
        """By valid calls; one that seems to refuse everything waits for its turn by attempts."""
        worth = [self._valid[n] + max(0, self._invalid[n] - HARD) for n in session.testable]
        least = min(worth)
        equal = [n for n, tests in zip(session.testable, worth, strict=True) if tests == least]
        return equal[int(session.rng.random() * len(equal))]

    def _diversified(self, session: Session) -> Made | None:
        """A call whose only purpose is to change an object of the pool."""
        target = self.objects.any(session.rng)
        if target is None:
            return None
        changing = [
            n
            for n in session.testable
            if session.operations[n].kind in CHANGING
            and not session.operations[n].observer
            and session.slots[n]
            and session.slots[n][0].receiver
            and isinstance(target.value, session.slots[n][0].wants[0].kind)
        ]
        if not changing:
            return None
        return self._drafted(changing[int(session.rng.random() * len(changing))], session, target)

    def _has_all(self, operation: int, session: Session) -> bool:
        return all(self.objects.has(s.wants[0].kind) for s in session.slots[operation] if s.receiver)

    def _maker_for(self, operation: int, session: Session) -> int | None:
        """A constructor of a class that the operation takes."""
        wanted = [w.kind for s in session.slots[operation] if s.required for w in s.wants]
        owners = {kind.__qualname__ for kind in wanted if kind is not object}
        fitting = [
            n
            for n in self._makers
            if session.operations[n].name.rpartition(".")[2] in owners and n != operation
        ]
        return fitting[int(session.rng.random() * len(fitting))] if fitting else None

    def _drafted(self, operation: int, session: Session, prefer: Made | None = None) -> Made | None:
        """A call with a value for each parameter; the preferred object goes where it fits first."""
        inputs: list[Made] = []
        for slot in session.slots[operation]:
            if not slot.required or slot.variadic:
                continue
            if slot.keyword:
                return None
            want = session.wanted(operation, slot)
            if prefer is not None and want.kind is not object and isinstance(prefer.value, want.kind):
                inputs.append(prefer)
                prefer = None
                continue
            found = self._value(want, session)
            if found is None:
                return None
            inputs.append(found)
        return self.objects.make(operation, tuple(inputs))

    def _value(self, want: Want, session: Session, depth: int = 0) -> Made | None:
        kind = want.kind
        random = session.rng.random
        if kind in SPECIAL:
            return self._basic(kind, session)
        if kind in DISPLAYS and kind is not ITERATOR and depth <= DEEPEST:
            return self._container(want, session, depth)
        if kind is object and (random() < 0.5 or not self.objects.has(object)):
            return self._basic(SCALARS[int(random() * len(SCALARS))], session)
        found = self.objects.pick(kind, session.rng)
        return found if found is not None else self._basic(kind, session)

    def _basic(self, kind: type, session: Session) -> Made | None:
        """A special value, or with `p_gen_basic_rand` any."""
        rng = session.rng
        known = SPECIAL.get(kind)
        if known is None or rng.random() < self.p_gen_basic_rand:
            if kind is int:
                value: object = rng.randint(-1000, 1000)
            elif kind is str:
                value = "".join(chr(rng.randint(32, 126)) for _ in range(int(rng.random() * LONGEST_TEXT)))
            elif kind is float:
                value = round(rng.uniform(-1000, 1000), 3)
            else:
                drawn = session.literals.draw(kind, "", rng)
                return None if drawn is None or drawn.literal is None else self.objects.written(drawn)
        else:
            value = known[int(rng.random() * len(known))]
        return self.objects.written(session.literals.statement(kind, value, SOURCES.get(repr(value))))

    def _container(self, want: Want, session: Session, depth: int) -> Made | None:
        """A list, tuple, dict or set of a few values."""
        rng = session.rng
        count = int(rng.random() * 3)
        if want.parts and want.kind is tuple:
            wants = [alternatives[0] for alternatives in want.parts if alternatives]
        else:
            wants = [alternatives[0] for alternatives in want.parts if alternatives] * count
        if not want.parts:
            wants = [Want(SCALARS[int(rng.random() * 2)])] * (2 * count if want.kind is dict else count)
        parts = [self._value(part, session, depth + 1) for part in wants]
        if any(part is None for part in parts):
            return None
        made = self.objects.make(DISPLAYS[want.kind], tuple(part for part in parts if part is not None))
        made.value = session.calls[made.operation](*[part.value for part in made.inputs])
        return made


def _statements(calls: list[Made]) -> list[Statement]:
    """The calls as a sequence: each refers to earlier ones by distance."""
    places = {id(made): place for place, made in enumerate(calls)}
    found = []
    for place, made in enumerate(calls):
        distances = tuple(places[id(given)] - place for given in made.inputs)
        found.append(made.literal if made.literal is not None else call(made.operation, distances))
    return found
