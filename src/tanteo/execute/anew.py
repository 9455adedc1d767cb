"""An object made of what is in it, instead of by all the calls that have put it there.

`OrderedSet([1, 2])` for an empty set to which this was added, that was updated with, and where something else
was taken out again: shorter to read, and nobody has to guess which of the calls matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tanteo.execute.directly import constructor_of, made_of_attributes
from tanteo.execute.fitting import PLAINEST, wants_of
from tanteo.execute.replay import replay
from tanteo.model import Literal, Run, Sequence, Statement, call, say, sequence
from tanteo.passing import passed_to
from tanteo.session import Session
from tanteo.strategies.drafts import DISPLAYS
from tanteo.types import Slot, is_a

MOST_PARTS = 6  # of a container that is written out
LONGEST = 30  # characters of a part
FEWEST = 3  # calls; one to make the object and one to test it is as short as it gets
PLAIN = frozenset({int, float, bool, str, bytes, type(None)})


def made_anew(run: Run, session: Session) -> Iterator[Sequence]:
    """The sequence with an object that its last call is given made by one call."""
    made = run.sequence
    last = made.statements[-1]
    if last.repeat is not None or not last.inputs or _lines(made, session) < FEWEST:
        return
    before = replay(sequence(made.statements[:-1]), session)
    if before.error is not None:
        return
    takes = passed_to(session.slots[last.operation], last)
    given = {len(made) - 1 + distance: slot for distance, slot in zip(last.inputs, takes, strict=True)}
    for position, slot in given.items():
        value = before.values[position]
        makings = [[_make(constructor, [])] for constructor in _bare(slot, session)]
        for constructor in _constructors(value, session):
            slots = session.slots[constructor]
            contents = [*_contents(value, slots, session), *_plainly(slots)]
            makings += [[*shown, _make(constructor, shown)] for shown in contents]
        detour = _is_detour(made.statements[position], session)
        for making in makings:
            for trusting in (True, False):  # first as if no call had changed what it was given
                new = _with(made, position, making, trusting)
                if _lines(new, session) < _lines(made, session) + detour:
                    yield new


def _is_detour(statement: Statement, session: Session) -> bool:
    """Whether an object came out of another one; one of a fixture is what people want to see."""
    kinds = ("operator", "method", "attribute")
    return statement.operation >= 0 and session.operations[statement.operation].kind in kinds


def _bare(slot: Slot, session: Session) -> Iterator[int]:
    """Constructors that need nothing and make what a parameter declares."""
    if slot.receiver or not slot.declared:
        return
    for operation in session.operations:
        kind = session.calls[operation.index]
        if operation.kind == "constructor" and isinstance(kind, type):
            fits = any(want.kind is not object and is_a(kind, want.kind) for want in slot.wants)
            if fits and not any(s.required for s in session.slots[operation.index]):
                yield operation.index


def _constructors(value: object, session: Session) -> list[int]:
    kind = type(value)
    if kind.__module__ == "builtins":
        return []
    known = [
        o for o in session.operations if o.kind == "constructor" and o.name.endswith(f".{kind.__name__}")
    ]
    return [o.index for o in known if sum(s.required for s in session.slots[o.index]) <= 1]


def _contents(value: Any, slots: tuple[Any, ...], session: Session) -> Iterator[list[Statement]]:
    """Nothing, or what is in it, as statements that make one argument."""
    if not any(slot.required for slot in slots):
        yield []
    try:
        if not len(value) or not slots:
            return
        inside: Any = list(islice(value, MOST_PARTS + 1))
        if hasattr(value, "keys"):
            inside = {key: value[key] for key in inside}
    except Exception:  # not a container after all
        return
    parts = [p for pair in inside.items() for p in pair] if isinstance(inside, dict) else inside
    made: list[Statement] = []
    places: list[int] = []
    for part in parts[: MOST_PARTS + 1]:
        making = _written(part, session)
        if not making or len(places) == MOST_PARTS:
            return
        made += making
        places.append(len(made) - 1)
    yield [*made, call(DISPLAYS[type(inside)], tuple(place - len(made) for place in places))]


def _written(part: object, session: Session) -> list[Statement]:
    """What makes a part: itself, or the constructor of an object that keeps what it was made of."""
    if type(part) in PLAIN:
        return [say(Literal(part, repr(part)))] if len(repr(part)) <= LONGEST else []
    constructor = constructor_of(type(part), session)
    ways = [] if constructor is None else list(made_of_attributes(constructor, part, session))
    return ways[-1] if ways else []


def _plainly(slots: tuple[Slot, ...]) -> Iterator[list[Statement]]:
    """The plainest value for the only parameter that a constructor needs."""
    needed = [slot for slot in slots if slot.required]
    for want in wants_of(needed[0])[:1] if len(needed) == 1 else ():
        for value in PLAINEST.get(want.kind, ())[:1] if want.kind in PLAIN else ():
            yield [say(Literal(value, repr(value)))]


def _make(constructor: int, shown: list[Statement]) -> Statement:
    return call(constructor, (-1,) if shown else ())


def _with(made: Sequence, gone: int, making: list[Statement], trusting: bool) -> Sequence:
    """With this object in place of the one at a position, and without what only that one needed."""
    end = len(made) - 1
    last = made.statements[end]
    kept = _needed(made, {end + d for d in last.inputs} - {gone}, trusting)
    places: dict[int, int] = {}
    found: list[Statement] = []
    for position in sorted(kept):
        places[position] = len(found)
        statement = made.statements[position]
        if statement.literal is None:
            inputs = tuple(places[position + d] - len(found) for d in statement.inputs)
            statement = call(statement.operation, inputs, statement.names, statement.repeat)
        found.append(statement)
    found += making
    places[gone] = len(found) - 1
    inputs = tuple(places[end + d] - len(found) for d in last.inputs)
    return sequence([*found, call(last.operation, inputs, last.names)])


def _needed(made: Sequence, wanted: set[int], trusting: bool) -> set[int]:
    """What the wanted values are made of, and every call on them that may have changed them."""
    needed, grown = wanted, True
    while grown:
        grown = False
        for position, statement in enumerate(made.statements[:-1]):
            uses = {position + d for d in statement.inputs}
            touched = not trusting and any(made.statements[p].literal is None for p in uses & needed)
            if position in needed or touched:
                grown = grown or not {position, *uses} <= needed
                needed = needed | {position, *uses}
    return needed


def _lines(made: Sequence, session: Session) -> int:
    """What a reader sees: literals and displays stand where they are used."""
    used = [s.operation for s in made.statements if s.operation >= 0]
    return sum(session.operations[operation].kind != "display" for operation in used)
