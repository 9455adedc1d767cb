"""Loops with fewer rounds, or none: what a sequence repeats is often needed once, or the same each time."""

from __future__ import annotations

from collections.abc import Iterator

from tanteo.model import Literal, Repeat, Sequence, Statement, call, say, sequence

MOST_ROWS = 20
FEW_ROWS = 12  # of a loop: each of them is left out once


def less_often(made: Sequence) -> Iterator[Sequence]:
    """With fewer rounds of a loop, or none."""
    for position, statement in enumerate(made.statements):
        if statement.repeat is not None:
            yield from once(made, position, statement.repeat)
            yield from _alike(made, position, statement.repeat)
            for fewer in _fewer(statement):
                yield sequence((*made.statements[:position], fewer, *made.statements[position + 1 :]))


def once(made: Sequence, position: int, repeat: Repeat, most: int = MOST_ROWS) -> Iterator[Sequence]:
    """One call instead of many, with the arguments of one of them."""
    statement = made.statements[position]
    single = call(statement.operation, statement.inputs, statement.names)
    rows = list(zip(*repeat.columns, strict=True))
    for row in (rows[-1:] + rows[:-1])[:most]:  # the last one has the last word
        changed = [*made.statements]
        changed[position] = single
        for index, value in zip(repeat.positions, row, strict=True):
            changed[position + statement.inputs[index]] = say(Literal(value, repr(value)))
        yield sequence(changed)


def with_rows(made: Sequence, rows: list[int]) -> Sequence:
    """A loop at the end with some of its rounds; only one, and it is a call."""
    last = made.statements[-1]
    repeat = last.repeat
    assert repeat is not None
    columns = tuple(tuple(column[n] for n in rows) for column in repeat.columns)
    fewer = Repeat(repeat.positions, len(rows), columns)
    if len(rows) == 1 and repeat.columns:
        return next(once(made, len(made) - 1, fewer))
    if len(rows) == 1:
        return sequence((*made.statements[:-1], call(last.operation, last.inputs, last.names)))
    return sequence((*made.statements[:-1], call(last.operation, last.inputs, last.names, fewer)))


def _fewer(statement: Statement) -> Iterator[Statement]:
    """The same call less often: the first times, the last times, and without one of a few."""
    repeat = statement.repeat
    assert repeat is not None
    yield call(statement.operation, statement.inputs, statement.names)
    half, count = repeat.count // 2, repeat.count
    shares = [
        (0, 2),
        (0, 3),
        (0, half),
        (half, count),
        (0, 3 * count // 4),
        (0, 7 * count // 8),
        (0, count - 1),
    ]
    kept = [list(range(start, stop)) for start, stop in shares]
    if count <= FEW_ROWS:
        kept += [[n for n in range(count) if n != gone] for gone in range(count)]
    for rows in kept:
        if 1 < len(rows) < count:
            columns = tuple(tuple(column[n] for n in rows) for column in repeat.columns)
            fewer = Repeat(repeat.positions, len(rows), columns)
            yield call(statement.operation, statement.inputs, statement.names, fewer)


def _alike(made: Sequence, position: int, repeat: Repeat) -> Iterator[Sequence]:
    """As often, but the same each time: the round of which most is written, or the last one."""
    rows = list(zip(*repeat.columns, strict=True))
    if len(set(map(repr, rows))) < 2:
        return
    statement = made.statements[position]
    longest = max(range(len(rows)), key=lambda n: len(repr(rows[n])))
    for row in dict.fromkeys((longest, len(rows) - 1)):
        changed = [*made.statements]
        changed[position] = call(
            statement.operation, statement.inputs, statement.names, Repeat((), repeat.count, ())
        )
        for index, value in zip(repeat.positions, rows[row], strict=True):
            changed[position + statement.inputs[index]] = say(Literal(value, repr(value)))
        yield sequence(changed)
