"""Sequences without statements that nobody needs."""

from __future__ import annotations

from tanteo.model import Sequence, call, sequence


def needed(made: Sequence) -> set[int]:
    """Positions whose values are used."""
    return {p + d for p, s in enumerate(made.statements) for d in s.inputs}


def pruned(made: Sequence, were: set[int]) -> Sequence:
    """Without the values that were needed and are no more; calls whose value nobody wanted stay."""
    for position in range(len(made) - 2, -1, -1):
        if position in were and position not in needed(made):
            made = without(made, position)
    return made


def without(made: Sequence, gone: int) -> Sequence:
    """The sequence without a statement that nobody needs; later distances over the gap are one less."""
    kept = list(made.statements[:gone])
    for position in range(gone + 1, len(made.statements)):
        statement = made.statements[position]
        if statement.literal is None:
            inputs = tuple(d + 1 if position + d < gone else d for d in statement.inputs)
            if inputs != statement.inputs:
                statement = call(statement.operation, inputs, statement.names, statement.repeat)
        kept.append(statement)
    return sequence(kept)


def instead(made: Sequence, used: int, other: int) -> Sequence:
    """With an earlier value wherever this one is used."""
    found = [*made.statements[: used + 1]]
    for position in range(used + 1, len(made)):
        statement = made.statements[position]
        if statement.literal is None and used - position in statement.inputs:
            inputs = tuple(other - position if position + d == used else d for d in statement.inputs)
            statement = call(statement.operation, inputs, statement.names, statement.repeat)
        found.append(statement)
    return sequence(found)
