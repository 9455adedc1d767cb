"""Values with less in them: what a long text is needed for is often a few letters of it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator

from tanteo.model import Literal, Sequence, say, sequence

LONG = 4  # characters; what is shorter need not be
LONG_NUMBER = 5  # characters
MOST_CUTS = 8  # of one text in one step


def with_shorter_texts(made: Sequence) -> Iterator[Sequence]:
    """The sequence with a piece of a text left out, large pieces first."""
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        if not isinstance(value, (str, bytes)) or len(value) <= LONG:
            continue
        for shorter in _cut(value):
            said = say(Literal(shorter, repr(shorter)))
            yield sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def with_rounder_values(made: Sequence) -> Iterator[Sequence]:
    """The sequence with a number, or a span of time, that has less behind the point."""
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        for rounder in _rounder(value):
            if rounder != value:
                said = say(Literal(rounder, repr(rounder)))
                yield sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def _rounder(value: object) -> Iterator[object]:
    if type(value) is float and math.isfinite(value) and len(repr(value)) > LONG_NUMBER:
        yield from (float(round(value)), round(value, 1), round(value, 2))
    elif type(value) is datetime.timedelta:
        yield datetime.timedelta(days=value.days)
        yield datetime.timedelta(days=value.days, seconds=value.seconds)
    elif type(value) is datetime.datetime:
        yield datetime.datetime.combine(value.date(), datetime.time(), value.tzinfo)
        yield value.replace(second=0, microsecond=0)


def _cut(text: str | bytes) -> Iterator[str | bytes]:
    """Without a half, a quarter, an eighth ... of it."""
    size, cuts = len(text) // 2, 0
    while size and cuts < MOST_CUTS:
        for start in range(0, len(text), size):
            kept = [*text[:start], *text[start + size :]]
            yield "".join(map(str, kept)) if isinstance(text, str) else bytes(map(int, kept))
            cuts += 1
        size //= 2
