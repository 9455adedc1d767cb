"""A number or a text changed a little (Impurity of GRT): what is nearly right gets past the first checks."""

from __future__ import annotations

import datetime
import decimal
from random import Random
from typing import Any

from tanteo.model import Literal, Statement, say

SIGNS = (*" -_.,:;/\\|()[]{}<>'\"#@!?*+=&%^~$0123456789aZ\n\té", "\n    ", "\n\n", ": ", "(a)", "::", "--")
LONGEST = 200  # characters
LARGEST = 10**9
YEARS = range(1960, 2040)
VARIED = frozenset(
    {int, float, str, bytes, datetime.date, datetime.datetime, datetime.timedelta, decimal.Decimal}
)


def varied(statement: Statement, other: Statement | None, rng: Random) -> Statement:
    """A literal like another one; the same if there is nothing to change."""
    assert statement.literal is not None
    value: Any = statement.literal.value
    more: Any = other.literal.value if other is not None and other.literal is not None else value
    kind = type(value)
    made = value
    if kind is int:
        made = _number(value, rng)
    elif kind is float:
        made = value + rng.gauss(0.0, abs(value) / 4 + 1.0)
    elif kind is str:
        made = _text(value, more if type(more) is str else "", rng)
    elif kind is bytes:
        more = more.decode("latin-1") if type(more) is bytes else ""
        made = _text(value.decode("latin-1"), more, rng).encode("latin-1", "ignore")
    elif isinstance(value, (datetime.date, datetime.timedelta)):
        made = _moment(value, rng)
    elif kind is decimal.Decimal:
        made = value * rng.choice((-1, 10)) + rng.choice((0, 1))
    if made == value:
        return statement
    return say(Literal(made, f"decimal.{made!r}" if kind is decimal.Decimal else repr(made)))


def _moment(value: Any, rng: Random) -> Any:
    """Another date, time or span: any year that somebody may have thought of."""
    if isinstance(value, datetime.timedelta):
        unit = rng.choice(("days", "hours", "seconds", "microseconds", "weeks"))
        return value + datetime.timedelta(**{unit: int(rng.gauss(0, 40))})
    parts = {"year": YEARS[int(rng.random() * len(YEARS))], "month": 1 + int(rng.random() * 12)}
    parts["day"] = 1 + int(rng.random() * 28)
    if isinstance(value, datetime.datetime):
        parts |= {"hour": int(rng.random() * 24), "minute": int(rng.random() * 60)}
    kept = rng.choice(("year", "month", ""))
    return value.replace(**{name: part for name, part in parts.items() if name != kept})


def _number(value: Any, rng: Random) -> int:
    chance = rng.random()
    if chance < 0.5:
        return int(value + rng.choice((-2, -1, 1, 2)))
    if chance < 0.7:
        return int(-value)
    return int(value * rng.choice((2, 10))) if abs(value) < LARGEST else int(value // 2)


def _text(value: str, other: str, rng: Random) -> str:
    """Inserted, left out, doubled, replaced, or joined with another one."""
    at = int(rng.random() * (len(value) + 1))
    upto = at + int(rng.random() * (len(value) - at + 1))
    sign = SIGNS[int(rng.random() * len(SIGNS))]
    chance = rng.random()
    if chance < 0.3:
        made = value[:at] + sign + value[at:]
    elif chance < 0.45:
        made = value[:at] + value[upto:]
    elif chance < 0.6:
        made = value[:upto] + value[at:]
    elif chance < 0.7:
        made = value[:at] + sign + value[at + 1 :]
    elif chance < 0.9:
        made = value[:at] + other + value[at:]
    else:
        made = value + sign + other
    return made if len(made) <= LONGEST else value
