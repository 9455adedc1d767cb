"""Objects that live from one step to the next, each with the calls that made it what it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tanteo.model import LITERAL, Statement
from tanteo.types import is_a

MOST_PER_TYPE = 50
LARGEST = 60  # elements: more make every call slower


@dataclass(slots=True, eq=False)
class Made:
    """One call or literal, its value, and the later calls that may have changed it."""

    order: int
    operation: int
    inputs: tuple[Made, ...] = ()
    literal: Statement | None = None
    value: object = None
    later: list[Made] = field(default_factory=list)


def history(made: Made) -> list[Made]:
    """What has to run before a call, so that its inputs are as they are now; in order."""
    found: dict[int, Made] = {}
    waiting = list(made.inputs)
    while waiting:
        one = waiting.pop()
        if id(one) not in found:
            found[id(one)] = one
            waiting.extend(one.inputs)
            waiting.extend(one.later)
    return sorted(found.values(), key=lambda one: one.order)


class Objects:
    """The pool: live objects by class; when a class is full, a random one gives way."""

    def __init__(self) -> None:
        self._by_type: dict[type, list[Made]] = {}
        self._count = 0

    def make(self, operation: int, inputs: tuple[Made, ...]) -> Made:
        """A call that is about to run."""
        self._count += 1
        return Made(self._count, operation, inputs)

    def written(self, statement: Statement) -> Made:
        """A value that is written down."""
        self._count += 1
        assert statement.literal is not None
        return Made(self._count, LITERAL, literal=statement, value=statement.literal.value)

    def add(self, made: Made, rng: Random) -> None:
        """An object to call things on; None is none, and giants are too slow."""
        value = made.value
        if value is None or _is_giant(value):
            return
        known = self._by_type.setdefault(type(value), [])
        if len(known) < MOST_PER_TYPE:
            known.append(made)
        else:
            known[int(rng.random() * MOST_PER_TYPE)] = made

    def retire(self, gone: Iterable[Made]) -> None:
        """These are not called any more: a call on them failed, or took too much to get there."""
        dead = {id(made) for made in gone}
        kinds = {type(made.value) for made in gone}
        for kind in kinds & self._by_type.keys():
            self._by_type[kind] = [made for made in self._by_type[kind] if id(made) not in dead]

    def has(self, kind: type) -> bool:
        """Whether there is one of this class."""
        return any(known and is_a(other, kind) for other, known in self._by_type.items())

    def pick(self, kind: type, rng: Random) -> Made | None:
        """One of this class."""
        fitting = [known for other, known in self._by_type.items() if known and is_a(other, kind)]
        if not fitting:
            return None
        known = fitting[int(rng.random() * len(fitting))]
        return known[int(rng.random() * len(known))]

    def any(self, rng: Random) -> Made | None:
        """One of whatever class."""
        return self.pick(object, rng)


def _is_giant(value: object) -> bool:
    try:
        return len(value) > LARGEST  # type: ignore[arg-type]
    except Exception:  # most have no length, and some do not want to tell
        return False
