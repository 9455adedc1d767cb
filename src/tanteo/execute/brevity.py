"""Values with less in them: what a long text is needed for is often a few letters of it."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from typing import Any

from tanteo.model import Literal, Sequence, Statement, say, sequence

LONG = 4  # characters; what is shorter need not be
LONG_NUMBER = 5  # characters
MANY_DIGITS = 9  # of a whole number: a power of ten is as good, and nobody counts them


class Text:
    """A text in a sequence from which pieces are cut out, large ones first (as ddmin does).

    What is gone stays gone and the next piece is tried, so that n letters cost two n tries at the most.
    """

    def __init__(self, position: int, text: Any) -> None:
        self.position, self.text = position, text
        self._size, self._start = len(text) // 2, 0
        self.most = 2 * len(text)  # tries

    def shorter(self, made: Sequence) -> Sequence | None:
        """The sequence without the next piece; None if there are no more."""
        if self._start >= len(self.text):
            self._size, self._start = min(self._size, len(self.text)) // 2, 0
        if not self._size or not self.text:
            return None
        kept = self._rest()
        return _with(made, self.position, say(Literal(kept, repr(kept))))

    def go_on(self, cut: bool) -> None:
        """The piece was not needed, or it was."""
        if cut:
            self.text = self._rest()
        else:
            self._start += self._size

    def _rest(self) -> Any:
        return self.text[: self._start] + self.text[self._start + self._size :]


def texts_in(made: Sequence) -> list[Text]:
    """Those that are so long that there may be less in them."""
    values = [(p, s.literal.value) for p, s in enumerate(made.statements) if s.literal is not None]
    return [Text(p, v) for p, v in values if isinstance(v, (str, bytes)) and len(v) > LONG]


def with_rounder_values(made: Sequence) -> Iterator[Sequence]:
    """The sequence with a number, or a span of time, that has less behind the point."""
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        for rounder in _rounder(value):
            if rounder != value:
                yield _with(made, position, say(Literal(rounder, repr(rounder))))
        if type(value) is int and value > 10**MANY_DIGITS:
            power = math.floor(math.log10(value))
            said = say(Literal(10**power, f"10**{power}"))
            yield from () if said.code == statement.code else (_with(made, position, said),)


def with_less_inside(made: Sequence) -> Iterator[Sequence]:
    """The sequence with one element less in a container that is a literal as a whole, as of an example."""
    for position, statement in enumerate(made.statements):
        for less in _less(statement.literal.value) if statement.literal is not None else ():
            yield _with(made, position, say(Literal(less, repr(less))))


def _less(value: Any) -> Iterator[Any]:
    """With one of its members left out, also of what is in it; something stays."""
    if type(value) in (list, tuple):
        for n in range(len(value)):
            if len(value) > 1:
                yield value[:n] + value[n + 1 :]
            yield from (value[:n] + type(value)([less]) + value[n + 1 :] for less in _less(value[n]))
    elif type(value) is dict:
        for key, member in value.items():
            if len(value) > 1:
                yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: less} for less in _less(member))


def _with(made: Sequence, position: int, said: Statement) -> Sequence:
    return sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def _rounder(value: object) -> Iterator[object]:
    if type(value) is float and math.isfinite(value) and len(repr(value)) > LONG_NUMBER:
        yield from (float(round(value)), round(value, 1), round(value, 2))
    elif type(value) is datetime.timedelta:
        yield datetime.timedelta(days=value.days)
        yield datetime.timedelta(days=value.days, seconds=value.seconds)
    elif type(value) is datetime.datetime:
        yield datetime.datetime.combine(value.date(), datetime.time(), value.tzinfo)
        yield value.replace(second=0, microsecond=0)
