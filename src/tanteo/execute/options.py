"""What is assigned to an attribute of a new object, or put in by a method, given to its constructor instead.

`Config(strict=True)` is what people write; a generator finds `config = Config()` and `config.strict = True`,
or `path = Path()` and `path.load("a")`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tanteo.execute.pruning import instead, needed
from tanteo.model import Run, Sequence, Statement, call, sequence
from tanteo.passing import passed_to
from tanteo.session import Session


def given_at_once(run: Run, session: Session) -> Iterator[Sequence]:
    """The sequence with one assignment less, and one argument more where the object is made."""
    made = run.sequence
    for position, statement in enumerate(made.statements[:-1]):
        if statement.operation < 0 or session.operations[statement.operation].kind != "attribute write":
            continue
        target, value = (position + distance for distance in statement.inputs)
        name = session.operations[statement.operation].name.removesuffix(" =").rpartition(".")[2]
        earlier = _written(made, value, target, session)
        if position in needed(made):
            continue  # what an assignment leaves behind is passed on
        if earlier is not None and _takes(made.statements[target], name, session):
            yield _with_argument(made, position, target, value, name, earlier)


def filled_at_once(run: Run, session: Session) -> Iterator[Sequence]:
    """The sequence with one call less on an object, and what that was given given to its constructor."""
    made = run.sequence
    for position, statement in enumerate(made.statements[: min(len(run.values), len(made) - 1)]):
        target = _filled(run, position, session)
        if target is None:
            continue
        making, slots = made.statements[target], session.slots[made.statements[target].operation]
        plain = [slot for slot in slots if not (slot.keyword or slot.variadic)]
        for distance in statement.inputs[1:] if not making.names else ():
            earlier = _written(made, position + distance, target, session)
            if earlier is None:
                continue
            direct = instead(made, position, target)
            kept = making.inputs[:-1] if len(making.inputs) == len(plain) else making.inputs
            if plain:
                yield _with_argument(direct, position, target, position + distance, "", earlier, kept)


def _filled(run: Run, position: int, session: Session) -> int | None:
    """Where the object was made that a call puts something into, and that it gives back if anything."""
    made, statement = run.sequence, run.sequence.statements[position]
    operation = session.operations[statement.operation] if statement.operation >= 0 else None
    if operation is None or operation.kind not in ("method", "operator") or "{0}" not in operation.form:
        return None
    if statement.repeat is not None or len(statement.inputs) < 2 or statement.names:
        return None
    thing = run.values[position + statement.inputs[0]]
    target = next(p for p, value in enumerate(run.values) if value is thing)
    maker = made.statements[target].operation
    if maker < 0 or session.operations[maker].kind != "constructor":
        return None
    gives_itself = run.values[position] is thing
    return target if gives_itself or position not in needed(made) else None


def _takes(making: Statement, name: str, session: Session) -> bool:
    """Whether it is a constructor with such a parameter that was given nothing."""
    if making.operation < 0 or session.operations[making.operation].kind != "constructor":
        return False
    slots = session.slots[making.operation]
    free = {slot.name for slot in slots if not (slot.positional or slot.variadic)}
    return name in free - {slot.name for slot in passed_to(slots, making)}


def _written(made: Sequence, value: int, target: int, session: Session) -> list[int] | None:
    """What has to be written before the object is made; None if the value is computed after that."""
    waiting, found = [value], set()
    while waiting:
        position = waiting.pop()
        if position == target:
            return None  # the object itself is in it
        if position > target and position not in found:
            statement = made.statements[position]
            if statement.operation >= 0 and session.operations[statement.operation].kind != "display":
                return None
            found.add(position)
            waiting += [position + distance for distance in statement.inputs]
    return sorted(found)


def _with_argument(
    made: Sequence,
    gone: int,
    target: int,
    value: int,
    name: str,
    earlier: list[int],
    kept: tuple[int, ...] | None = None,
) -> Sequence:
    """In the new order, without the assignment; with these of the arguments so far, if not with all."""
    later = [p for p in range(target, len(made)) if p not in earlier and p != gone]
    places: dict[int, int] = {}
    found: list[Statement] = []
    for position in (*range(target), *earlier, *later):
        statement = made.statements[position]
        if statement.literal is None:
            given = statement.inputs if position != target or kept is None else kept
            inputs = tuple(places[position + d] - len(found) for d in given)
            names = statement.names
            if position == target:
                inputs, names = (*inputs, places[value] - len(found)), (*names, *filter(None, [name]))
            statement = call(statement.operation, inputs, names, statement.repeat)
        places[position] = len(found)
        found.append(statement)
    return sequence(found)
