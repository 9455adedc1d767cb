"""Values that a parameter asks for, instead of some that it happens to take.

`natural_list([])` says as much as `natural_list(0)`, and nobody has to wonder what the number is for.
"""

from __future__ import annotations

from collections.abc import Iterator

from tanteo.execute.displays import with_written
from tanteo.model import Literal, Run, Sequence, say, sequence
from tanteo.passing import passed_to
from tanteo.session import Session
from tanteo.types import Slot, Want, fits

MOST_WANTS = 3  # of a parameter; the likeliest come first
PLAINEST: dict[type, tuple[object, ...]] = {
    str: ("a", ""),
    int: (0, 1),
    float: (0, 0.5),
    bool: (False, True),
    list: ([], ["a"]),
    tuple: ((), ("a",)),
    dict: ({}, {"a": 0}),
    type(None): (None,),
}


def with_what_fits(run: Run, session: Session) -> Iterator[Sequence]:
    """With one argument that is what its parameter wants; and text instead of bytes that nobody wants."""
    made, wanted = run.sequence, _wanted(run, session)
    for position, (value, wants) in wanted.items():
        if wants and not fits(value, wants):
            plain = [v for want in wants[:MOST_WANTS] for v in PLAINEST.get(want.kind, ())]
            for other in plain:
                yield from with_written(made, position, other)
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        if (
            type(value) is bytes
            and (value.isalnum() or not value)
            and not fits(value, wanted.get(position, (None, ()))[1])
        ):
            text = value.decode("ascii")
            said = say(Literal(text, repr(text)))
            yield sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def _wanted(run: Run, session: Session) -> dict[int, tuple[object, tuple[Want, ...]]]:
    """What was passed to parameters about which something is known, with what that is."""
    found: dict[int, tuple[object, tuple[Want, ...]]] = {}
    for position, statement in enumerate(run.sequence.statements):
        if statement.operation < 0 or session.operations[statement.operation].kind == "display":
            continue
        slots = passed_to(session.slots[statement.operation], statement)
        for slot, distance in zip(slots, statement.inputs, strict=True):
            place = position + distance
            if not slot.receiver and place < len(run.values):
                found[place] = (run.values[place], _wants(slot))
    return found


def _wants(slot: Slot) -> tuple[Want, ...]:
    if slot.declared:
        return slot.wants
    ordered = sorted(slot.guesses, key=lambda guess: -guess.weight)
    return tuple(guess.want for guess in ordered)
