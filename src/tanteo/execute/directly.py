"""Objects made the way people make them: in one call, and of the class that has what is tested."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from tanteo.execute.displays import is_short, parts_of, with_statements
from tanteo.execute.pruning import needed, pruned
from tanteo.model import Literal, Run, Sequence, Statement, call, say, sequence
from tanteo.passing import passed_to
from tanteo.session import Session

MOST_MAKERS = 4  # ways to make an object that are tried


def made_directly(run: Run, session: Session) -> Iterator[Sequence]:
    """With one call for an object that came out of another one, and without what it need not be made of."""
    made, wanted = run.sequence, needed(run.sequence)
    fixtures = [o.index for o in session.operations if o.kind == "fixture"][:MOST_MAKERS]
    for position in range(min(len(run.values), len(made) - 1) - 1, -1, -1):
        statement, kind = made.statements[position], type(run.values[position])
        if statement.operation >= 0 and session.operations[statement.operation].kind == "constructor":
            for fixture in fixtures:  # what the user has made ready
                yield _with(made, position, call(fixture, ()), wanted)
        if statement.operation < 0 or kind.__module__ == "builtins" or not statement.inputs:
            continue
        member = _member(run.values[position], session)
        if member is not None:
            yield _with(made, position, call(member, ()), wanted)
        constructor = constructor_of(kind, session)
        if constructor is not None and not any(slot.required for slot in session.slots[constructor]):
            yield _with(made, position, call(constructor, ()), wanted)
        if made.statements[position + statement.inputs[0]].operation < 0:
            continue
        if constructor is not None and constructor != statement.operation:
            yield from _given_to(constructor, made, position, session)
            yield from _of_its_attributes(constructor, run, position, session)
        plain = [p for p in sorted(parts_of(made, position)) if made.statements[p].literal is not None]
        for maker in _makers(kind, session)[:MOST_MAKERS]:
            for place in plain:
                yield _with(made, position, call(maker, (place - position,)), wanted)


def _member(value: object, session: Session) -> int | None:
    """The operation that names a member of an enum."""
    if not isinstance(value, enum.Enum):
        return None
    name = f".{type(value).__name__}.{value.name}"
    constants = (o.index for o in session.operations if o.kind == "constant" and o.name.endswith(name))
    return next((number for number in constants if session.calls[number]() is value), None)


def _given_to(constructor: int, made: Sequence, position: int, session: Session) -> Iterator[Sequence]:
    """With what a method was given by name given to the constructor: `Job(n=2)`, not `Job().copy(n=2)`."""
    statement, taken = made.statements[position], {slot.name for slot in session.slots[constructor]}
    named = statement.inputs[len(statement.inputs) - len(statement.names) :]
    if statement.names and taken.issuperset(statement.names):
        yield _with(made, position, call(constructor, named, statement.names), needed(made))


def _of_its_attributes(constructor: int, run: Run, position: int, session: Session) -> Iterator[Sequence]:
    """Made of what it keeps under the names of its parameters, where that can be written down."""
    made = run.sequence
    for shown in made_of_attributes(constructor, run.values[position], session):
        yield pruned(with_statements(made, position, shown), parts_of(made, position))


def made_of_attributes(constructor: int, value: object, session: Session) -> Iterator[list[Statement]]:
    """The calls that make an object of what it keeps.

    First of what it needs alone; an option that is None is mostly one that nobody has given.
    """
    slots = session.slots[constructor]
    if any(slot.positional or slot.variadic for slot in slots if slot.required) or not slots:
        return
    kept = {slot.name: _attribute(value, slot.name) for slot in slots if not slot.variadic}
    given = {name: value for name, value in kept.items() if is_short(value)}
    needs = {slot.name: given.get(slot.name) for slot in slots if slot.required}
    full = {name: value for name, value in given.items() if name in needs or value is not None}
    first = sum(1 for _ in takewhile(lambda slot: slot.required and not slot.keyword, slots))
    for shown in (needs, full) if needs.keys() <= given.keys() else ():
        said = [say(Literal(value, repr(value))) for value in shown.values()]
        yield [*said, call(constructor, tuple(range(-len(said), 0)), tuple(shown)[first:])]


def _attribute(thing: object, name: str) -> object:
    """What it keeps under a name; something that cannot be written down if there is nothing, or it raises."""
    try:
        return getattr(thing, name, thing)
    except Exception:
        return thing


def in_its_own_class(run: Run, session: Session) -> Iterator[Sequence]:
    """What is only inherited is called on an object of the class that has it."""
    made, last = run.sequence, run.sequence.statements[-1]
    operation = session.operations[last.operation] if last.operation >= 0 else None
    if operation is None or not last.inputs or "{0}" not in operation.form:
        return
    position = len(made) - 1 + last.inputs[0]
    maker = made.statements[position]
    if maker.operation < 0 or session.operations[maker.operation].kind != "constructor":
        return
    owner = operation.name.rpartition(".")[0]
    slots = passed_to(session.slots[maker.operation], maker)
    names, takes_any = [slot.name for slot in slots], any(slot.variadic for slot in slots)
    for other in session.operations:
        if other.name == owner and other.kind == "constructor" and other.index != maker.operation:
            changed = call(other.index, maker.inputs, maker.names, maker.repeat)
            if takes_any or [slot.name for slot in session.slots[other.index]][: len(names)] == names:
                yield sequence((*made.statements[:position], changed, *made.statements[position + 1 :]))


def with_another(run: Run, session: Session) -> Iterator[Sequence]:
    """With another object like it where one is given to its own method: who answers `self` is found out."""
    made, last = run.sequence, run.sequence.statements[-1]
    end = len(made) - 1
    if "{0}" not in (session.operations[last.operation].form if last.operation >= 0 else ""):
        return
    itself = end + last.inputs[0]
    again = [index for index, distance in enumerate(last.inputs) if index and end + distance == itself]
    parts = sorted({itself, *parts_of(made, itself)})
    calls = [p for p in parts if made.statements[p].operation >= 0]
    if not again or last.repeat is not None or len(calls) > 1:
        return
    places = {part: end + number for number, part in enumerate(parts)}
    copied = list[Statement]()
    for part in parts:
        copied.append(
            _moved(
                made.statements[part], [places[part + d] - places[part] for d in made.statements[part].inputs]
            )
        )
    more = len(parts)
    inputs = [places[itself] - (end + more) if n in again else d - more for n, d in enumerate(last.inputs)]
    yield sequence((*made.statements[:end], *copied, _moved(last, inputs)))


def _moved(statement: Statement, inputs: list[int]) -> Statement:
    if statement.literal is not None:
        return statement
    return call(statement.operation, tuple(inputs), statement.names, statement.repeat)


def gives_itself(made: Sequence, session: Session) -> bool:
    """Whether the last call gives an object to its own method."""
    last = made.statements[-1]
    receives = last.operation >= 0 and "{0}" in session.operations[last.operation].form
    return receives and last.inputs[:1] != () and last.inputs.count(last.inputs[0]) > 1


def constructor_of(kind: type, session: Session) -> int | None:
    """The operation that makes an object of a class; a class that does not exist has none that people use."""
    constructors = (o.index for o in session.operations if o.kind == "constructor" and not o.helper)
    return next((number for number in constructors if session.calls[number] is kind), None)


def _makers(kind: type, session: Session) -> list[int]:
    """Class methods and functions that need one argument and say that they make such an object."""
    found = []
    for operation in session.operations:
        slots = session.slots[operation.index]
        if operation.helper or operation.kind not in ("class method", "function", "constructor"):
            continue
        if sum(slot.required for slot in slots) != 1 or not slots[0].required:
            continue
        maker: Any = session.calls[operation.index]
        told = getattr(maker, "__annotations__", {}).get("return")
        if maker is kind or getattr(maker, "__self__", None) is kind or told in (kind, kind.__name__):
            found.append(operation.index)
    return found


def _with(made: Sequence, position: int, statement: Statement, wanted: set[int]) -> Sequence:
    changed = sequence((*made.statements[:position], statement, *made.statements[position + 1 :]))
    return pruned(changed, wanted)
