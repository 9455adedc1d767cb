"""New sequences from what the subject compared: the wanted operand goes where the other one came from."""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Iterator
from typing import Any

from tanteo.matching import example_of
from tanteo.model import Literal, Sequence, Statement, call, say, sequence
from tanteo.watching import Seen

NUMBERS = frozenset({int, float})
TEXTS = frozenset({str, bytes})
TRUE: dict[type, Any] = {str: "a", bytes: b"a", int: 1, float: 1.5, bool: True}
DATES = frozenset({datetime.date, datetime.datetime})
DISPLAYS = (0, 1)  # lists and tuples
SEPARATORS = "-.,:/_ ;|="
LONGEST = 400
MOST_ELEMENTS = 20


Edit = tuple[int, Statement]  # what is to stand at a position


def suggest(
    made: Sequence, notes: list[Seen], most: int, largest: float, rng: random.Random
) -> list[Sequence]:
    """Sequences that might answer the questions the other way; no number above the largest is put in."""
    found: dict[tuple[int, bytes], Statement] = {}
    for seen in dict.fromkeys(n for n in notes if _comparable(n)):
        for old, new in _replacements(seen, rng):
            for position, statement in _edits(made, old, new):
                value = statement.literal and statement.literal.value
                if type(value) not in NUMBERS or abs(value) <= largest:  # type: ignore[arg-type]
                    found[position, statement.code] = statement
    edits = [(position, statement) for (position, _), statement in found.items()]
    return [_with(made, *edit) for edit in (edits if len(edits) <= most else rng.sample(edits, most))]


def _comparable(seen: Seen) -> bool:
    return bool(seen.left == seen.left and seen.right == seen.right)


def _replacements(seen: Seen, rng: random.Random) -> Iterator[tuple[Any, Any]]:
    """Pairs of a value that was seen and one that should be there instead."""
    sign, left, right, answer = seen
    if sign == "truth":
        yield left, TRUE.get(type(left), 1) if not left else type(left)()
    elif sign == "match":
        example = example_of(right, rng)
        if example is not None:
            yield left, example
    elif sign in ("startswith", "endswith"):
        if not answer and type(right) is type(left):
            yield left, right + left if sign == "startswith" else left + right
    elif type(left) in NUMBERS and type(right) in NUMBERS:
        for wanted in (right, right + 1, right - 1):
            yield left, wanted
            yield right, left + (wanted - right)
    elif sign in ("in", "not in"):
        if type(left) is type(right) and not (answer if sign == "in" else not answer):
            yield right, right + left
            yield left, right[: len(left)] if left else right
    else:
        yield left, right
        yield right, left


def _edits(made: Sequence, old: Any, new: Any) -> Iterator[Edit]:
    statements = made.statements
    matched = False
    for position, statement in enumerate(statements):
        if statement.literal is not None:
            for value in _instead(statement.literal.value, old, new):
                matched = True
                yield position, say(Literal(value, repr(value)))
        elif (
            type(old) is int
            and type(new) is int
            and statement.operation in (0, 1)
            and len(statement.inputs) == old
        ):
            longer = _resized(statement, new)
            if longer is not None:
                matched = True
                yield position, longer
    if not matched and type(new) in NUMBERS | TEXTS:
        last = len(statements) - 1
        for distance in statements[-1].inputs:
            literal = statements[last + distance].literal
            if literal is not None and type(literal.value) is type(new):
                yield last + distance, say(Literal(new, repr(new)))


def _instead(value: Any, old: Any, new: Any) -> Iterator[Any]:
    kind = type(value)
    if kind is type(old) and value == old:
        yield new
    elif kind in NUMBERS and type(old) in NUMBERS and type(new) in NUMBERS:
        if abs(value) < 10**9 and abs(new - old) < 10**9:
            yield kind(value + (new - old))
    elif kind in DATES and type(old) is type(new) is int:
        yield from _moved(value, old, new)
    elif kind in TEXTS and kind is type(old) and kind is type(new):
        if old and old in value and len(value) + len(new) < LONGEST:
            yield value.replace(old, new, 1)
    elif kind in TEXTS and type(old) is type(new) is int and 0 <= new < LONGEST:
        if len(value) == old:
            yield value[:new] + (b"a" if kind is bytes else "a") * (new - old)
        if kind is str and 0 < new - old < MOST_ELEMENTS:  # as many parts as are wanted
            for mark in SEPARATORS:
                if old and value.count(mark) == old:
                    yield value.replace(mark, f"{mark}a" * (new - old) + mark, 1)
                elif not old and mark not in value:
                    yield f"a{mark}" * new + value


def _moved(value: Any, old: int, new: int) -> Iterator[Any]:
    """A date with another year where the year was asked for, and so on."""
    for part in ("year", "month", "day", "hour", "minute", "second"):
        if getattr(value, part, None) == old:
            with contextlib.suppress(ValueError, OverflowError):
                yield value.replace(**{part: new})


def _resized(statement: Statement, size: int) -> Statement | None:
    inputs = statement.inputs
    if not 0 <= size <= MOST_ELEMENTS or (size > len(inputs) and not inputs):
        return None
    return call(statement.operation, (inputs + inputs[-1:] * (size - len(inputs)))[:size])


def _with(made: Sequence, position: int, statement: Statement) -> Sequence:
    return sequence((*made.statements[:position], statement, *made.statements[position + 1 :]))
