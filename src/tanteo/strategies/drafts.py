"""A sequence while it is put together: arguments are drawn, their sequences joined (paper 000, `extend`)."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from tanteo.beliefs import Belief
from tanteo.model import Repeat, Sequence, Statement, call, plain_call
from tanteo.pools import Kept
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.types import (
    ANYTHING,
    CONTAINERS,
    FUNCTION,
    ITERATOR,
    NOTHING,
    SCALARS,
    AsyncFunction,
    Slot,
    Want,
    is_a,
)
from tanteo.variants import VARIED, varied

ALIAS = 0.2  # how often a value of the draft itself is used again
NONE = 0.02  # how often None is passed although it was not asked for
OPTIONAL = 0.3  # how often a parameter with a default gets a value
FROM_POOL = 0.25  # how often a scalar or an element comes from an earlier run and not from the literals
WRITTEN_DOWN = 0.6  # how often a value that can be written in one expression is
LONGEST_DISPLAY = 3
LEFT_OUT = 0.1  # how often a key of a record is
DEEPEST = 2
DISPLAYS: dict[type, int] = {list: 0, tuple: 1, dict: 2, set: 3, ITERATOR: 4}  # operation numbers
REPEATABLE = frozenset(SCALARS)
WRITTEN_ONLY = frozenset({FUNCTION, AsyncFunction, type(None), type})
OFFERED = 0.8  # how often a class is one of the subject's, if both would do
WELL_TRIED = 0.4  # how often a text is made from one that led somewhere, if there is any
ONCE_MORE = 0.4
VARIANTS = 0.15  # how often a number or a text is changed a little


class Draft:
    """Statements so far, with the type of each value where it is known."""

    __slots__ = (
        "calls",
        "choices",
        "codes",
        "module",
        "odd",
        "operation",
        "rng",
        "session",
        "statements",
        "types",
        "varying",
    )

    def __init__(self, session: Session, operation: int) -> None:
        self.session = session
        self.rng: Random = session.rng
        self.operation = operation
        self.module = session.homes[operation]
        self.varying = self.module != "" and "impurity" not in session.without
        self.statements: list[Statement] = []
        self.types: list[type] = []
        self.calls = 0
        self.codes: list[bytes] = []
        self.odd = False  # None was passed unasked: worth a try, but nothing to build on
        self.choices: list[tuple[Belief, int, type]] = []  # what was drawn by belief, to learn from

    def arguments(self) -> tuple[list[int], list[str]] | None:
        """A position for every argument of the operation, and the names of those passed by keyword."""
        random = self.rng.random
        positions: list[int] = []
        named: list[tuple[str, int]] = []
        skipped = False
        for slot in self.session.slots[self.operation]:
            if slot.variadic:
                for _ in range(0 if skipped else int(random() * 3)):
                    position = self.argument(slot)
                    if position is not None:
                        positions.append(position)
                skipped = True
                continue
            if not slot.required and (random() >= OPTIONAL or (skipped and slot.positional)):
                skipped = True
                continue
            position = self.argument(slot)
            if position is None:
                if slot.required:
                    return None
                skipped = True
            elif slot.keyword or skipped:
                named.append((slot.name, position))
            else:
                positions.append(position)
        if named:
            return positions + [p for _, p in named], [n for n, _ in named]
        return positions, []

    def argument(self, slot: Slot) -> int | None:
        """The position of a value for a parameter; None if there is none."""
        if slot.receiver:
            want = slot.wants[0] if len(slot.wants) == 1 else self.rng.choice(slot.wants)
            alone = not self.types or want.kind is FUNCTION  # of the subject's making, and none of ours
            return self.pooled(want.kind) if alone else self._value(want, 0)
        random = self.rng.random
        if random() < NONE:
            self.odd = True
            return self.literal(type(None))
        if slot.open or slot.guesses:
            return self._by_belief(slot)
        wants = slot.wants
        want = wants[int(random() * len(wants))] if len(wants) > 1 else wants[0]
        return self._value(want, 0)

    def _by_belief(self, slot: Slot) -> int | None:
        belief = self.session.belief(self.operation, slot)
        place = belief.draw(self.rng)
        position = self._value(belief.candidates[place], 0)
        if position is not None:
            self.choices.append((belief, place, self.types[position]))
        return position

    def _value(self, want: Want, depth: int) -> int | None:
        random = self.rng.random
        kind = want.kind
        if not self.module and (kind is object or kind in REPEATABLE):  # it grows: only small numbers
            return self.literal(int if kind is object else kind)
        if want.offers and (not want.choices or random() < OFFERED):
            return self._offer(want.offers[int(random() * len(want.offers))], kind)
        if want.choices:
            choice = want.choices[int(random() * len(want.choices))]
            if type(choice.value) in DISPLAYS:
                return self._copy(choice.value)
            known = self.session.literals.statement(type(choice.value), choice.value, choice.source)
            return self._push(self._vary(known, type(choice.value)), type(choice.value))
        chance = random()
        if chance < ALIAS and self.types and not want.keys:
            position = self.alias(kind)
            if position is not None:
                return position
        if kind in REPEATABLE:
            position = self.pooled(kind) if chance > 1.0 - FROM_POOL else None
            return position if position is not None else self.literal(kind)
        if kind in DISPLAYS:
            position = self.pooled(kind) if random() < 0.5 and not want.keys else None
            return position if position is not None else self.display(want, depth)
        if kind in WRITTEN_ONLY:
            return self.literal(kind)
        position = self.literal(kind) if chance < WRITTEN_DOWN else None  # dates, decimals, patterns ...
        if position is None:
            position = self.pooled(kind)
        if position is None and kind is object:
            return self.literal(SCALARS[int(random() * len(SCALARS))])
        return position if position is not None else self.literal(kind)

    def _offer(self, operation: int, kind: type) -> int:
        """What a module has ready under a name."""
        self.calls += 1
        return self._push(plain_call(operation, ()), kind)

    def _copy(self, value: Any) -> int:
        """A container like this one, made anew by each run."""
        kind = type(value)
        if kind not in DISPLAYS:
            return self._push(self.session.literals.statement(kind, value), kind)
        parts = [part for pair in value.items() for part in pair] if kind is dict else list(value)
        positions = [self._copy(part) for part in parts]
        here = len(self.statements)
        self.calls += 1
        return self._push(call(DISPLAYS[kind], tuple([p - here for p in positions])), kind)

    def alias(self, kind: type) -> int | None:
        """A value that the draft has already; the paper's reuse within a sequence."""
        fitting = [i for i, t in enumerate(self.types) if is_a(t, kind)]
        return fitting[int(self.rng.random() * len(fitting))] if fitting else None

    def pooled(self, kind: type) -> int | None:
        """A value of an earlier run: its sequence goes behind what is there; the same one may come twice."""
        entry = self.session.pool.pick(kind, self.rng)
        if entry is None:
            return None
        kept, position = entry
        sequence = kept.sequence
        start = len(self.statements)
        if start + len(kept.types) >= MOST_STATEMENTS and start:  # rather again what is there than too long
            alias = self.alias(kind)
            if alias is not None:
                return alias
        self.statements.extend(sequence.statements)
        self.codes.append(sequence.code)
        self.types.extend(kept.types)
        self.calls += sequence.calls
        return start + position

    def literal(self, kind: type) -> int | None:
        known = self.session.corpus.get((self.operation, kind)) if self.varying else None
        if known and self.rng.random() < WELL_TRIED:
            statement = self._vary_well(known[int(self.rng.random() * len(known))], kind)
        else:
            drawn = self.session.literals.draw(kind, self.module, self.rng)
            if drawn is None:
                return None
            statement = self._vary(drawn, kind)
        self.statements.append(statement)
        self.codes.append(statement.code)
        self.types.append(kind)
        return len(self.statements) - 1

    def _vary_well(self, statement: Statement, kind: type) -> Statement:
        """Something like a text that led somewhere, changed once or more often."""
        random = self.rng.random
        while True:
            statement = varied(statement, self.session.literals.draw(kind, self.module, self.rng), self.rng)
            if random() > ONCE_MORE:
                return statement

    def _vary(self, statement: Statement, kind: type) -> Statement:
        """Now and then something like it instead, but not where values grow."""
        if kind not in VARIED or not self.varying or self.rng.random() >= VARIANTS:
            return statement
        return varied(statement, self.session.literals.draw(kind, self.module, self.rng), self.rng)

    def _push(self, statement: Statement, kind: type) -> int:
        self.statements.append(statement)
        self.codes.append(statement.code)
        self.types.append(kind)
        return len(self.statements) - 1

    def display(self, want: Want, depth: int) -> int | None:
        """A list, tuple, dict or set of a few fitting elements."""
        random = self.rng.random
        kind = want.kind
        if want.keys:
            return self._record(want, depth)
        count = int(random() * (LONGEST_DISPLAY + 1)) if depth < DEEPEST else 0
        if want.parts and kind is tuple:
            parts = list(want.parts)
        elif want.parts:
            parts = list(want.parts) * count
        else:
            one = (_any_of(SCALARS[int(random() * 2)]),) if random() < 0.7 else (ANYTHING,)
            parts = [one] * (2 * count if kind is dict else count)
        positions = []
        for alternatives in parts:
            choice = alternatives[int(random() * len(alternatives))] if alternatives else NOTHING
            if choice.kind is object and (
                kind is set or random() >= FROM_POOL
            ):  # a set of objects has no order
                choice = _any_of(SCALARS[int(random() * len(SCALARS))])
            position = self._value(choice, depth + 1)
            if position is None:
                return None
            positions.append(position)
        here = len(self.statements)
        self.calls += 1
        return self._push(call(DISPLAYS[kind], tuple(p - here for p in positions)), kind)

    def _record(self, want: Want, depth: int) -> int | None:
        """A dict with the keys that are asked for, now and then without one."""
        positions = []
        for key, alternatives in zip(want.keys, want.parts, strict=True):
            if self.rng.random() < LEFT_OUT:
                continue
            choice = alternatives[int(self.rng.random() * len(alternatives))] if alternatives else NOTHING
            positions.append(self._push(self.session.literals.statement(str, key), str))
            value = self._value(choice if depth < DEEPEST + 2 else NOTHING, depth + 1)
            if value is None:
                return None
            positions.append(value)
        here = len(self.statements)
        self.calls += 1
        return self._push(call(DISPLAYS[dict], tuple([p - here for p in positions])), dict)

    def go_on(self, kept: Kept) -> None:
        """Begin with all statements of an earlier sequence."""
        self.statements.extend(kept.sequence.statements)
        self.codes.append(kept.sequence.code)
        self.types.extend(kept.types)
        self.calls += kept.sequence.calls

    def finish(self, positions: list[int], names: list[str], repeats: int) -> Sequence:
        """The sequence with its last call, repeated if asked for."""
        here = len(self.statements)
        inputs = tuple([p - here for p in positions])
        if names or repeats:
            repeat = self._repeat(positions, repeats) if repeats else None
            last = call(self.operation, inputs, tuple(names), repeat)
        else:
            last = plain_call(self.operation, inputs)
        self.statements.append(last)
        self.codes.append(last.code)
        return Sequence(tuple(self.statements), b"".join(self.codes), self.calls + (repeats or 1))

    def _repeat(self, positions: list[int], repeats: int) -> Repeat:
        """Primitive arguments are drawn anew for each repeat; with equal ones little would happen."""
        literals, rng = self.session.literals, self.rng
        drawn = [
            (index, literal.value)
            for index, position in enumerate(positions)
            if (literal := self.statements[position].literal) is not None
            and type(literal.value) in REPEATABLE
        ]
        columns = [tuple(literals.repeated(value, self.module, rng, repeats)) for _, value in drawn]
        return Repeat(tuple([index for index, _ in drawn]), repeats, tuple(columns))


@lru_cache(maxsize=4096)
def _any_of(kind: type) -> Want:
    return Want(kind)


assert set(DISPLAYS) == {*CONTAINERS, ITERATOR}
