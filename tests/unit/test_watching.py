"""Conditions tell their operands, and what was compared is put where the operand came from."""

from __future__ import annotations

import datetime
from random import Random

import pytest

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.model import Literal, Sequence, call, say, sequence
from tanteo.suggestions import suggest
from tanteo.watching import Seen
from tests.unit.conftest import Write

SOURCE = """
import re

MONTH = re.compile("^(?P<y>[0-9]{4})-(?P<m>[0-9]{2})$")

def number(n: int) -> str:
    if n == 7919:
        return "prime"
    return "other"

def text(s: str) -> int:
    if s.startswith("xyz:"):
        if s.endswith(";"):
            return 2
        return 1
    return 0

def month(s: str) -> bool:
    match = MONTH.match(s)
    if match is None:
        return False
    return True

def parts(s: str) -> int:
    if s.count("-") == 4:
        return 1
    return 0

class Box:
    def __init__(self, kind: str) -> None:
        self.kind = kind
    def is_red(self) -> bool:
        if self.kind == "crimson":
            return True
        return False
"""


def test_magic_values_are_found(write: Write, clean_imports: None) -> None:
    path = write("magic.py", SOURCE.replace("7919", "7900 + 19").replace('"crimson"', '"crim" + "son"'))
    session = open_here(str(path), steps=3000)
    for _ in explore(session):
        pass
    assert session.watcher is not None
    left = {session.watcher._arms[number].line for number in session.watcher.open_arms(session.seen_hits)}
    assert left == set()


def suggested(value: object, *notes: Seen, most: int = 50, largest: float = 10**9) -> set[object]:
    made: Sequence = sequence([say(Literal(value, repr(value))), call(7, (-1,))])
    found = suggest(made, list(notes), most, largest, Random(0))
    return {s.statements[0].literal.value for s in found if s.statements[0].literal is not None}


@pytest.mark.parametrize(
    ("value", "seen", "expected"),
    [
        (5, Seen("==", 5, 99, False), 99),
        (5, Seen("<", 15, 30, True), 20),  # ten were added on the way: an offset
        ("abc", Seen("==", "b", "(", False), "a(c"),
        ("abc", Seen("startswith", "abc", "x-", False), "x-abc"),
        ("abc", Seen("endswith", "abc", ".py", False), "abc.py"),
        ("ab", Seen("==", 2, 5, False), "abaaa"),  # its length
        ("a-b", Seen("==", 1, 3, False), "a-a-a-b"),  # its parts
        ("", Seen("truth", "", None, False), "a"),
        ("q", Seen("match", "q", "^z{3}$", False), "zzz"),
        (b"k", Seen("==", b"k", b"magic", False), b"magic"),
    ],
)
def test_the_wanted_operand_goes_where_the_other_came_from(
    value: object, seen: Seen, expected: object
) -> None:
    assert expected in suggested(value, seen)


def test_large_numbers_are_not_put_where_values_grow() -> None:
    assert suggested(5, Seen("==", 5, 10**6, False), largest=128) == set()


def test_not_more_than_asked_for() -> None:
    notes = [Seen("==", 5, n, False) for n in range(100)]
    assert len(suggested(5, *notes, most=8)) <= 8


def test_nan_is_left_alone() -> None:
    assert suggested(5.0, Seen("<", 5.0, float("nan"), False)) == set()


def test_a_part_of_a_date_is_put_into_the_date() -> None:
    day = datetime.date(2020, 2, 29)
    made = sequence((say(Literal(day, repr(day))), call(7, (-1,))))
    found = suggest(made, [Seen("==", 2020, 1999, False)], 20, 10**9, Random(1))
    literals = [s.statements[0].literal for s in found]
    values = [literal.value for literal in literals if literal is not None]
    assert datetime.date(1999, 2, 28) not in values  # that year has no such day
    made = sequence((say(Literal(datetime.date(2020, 2, 3), "datetime.date(2020, 2, 3)")), call(7, (-1,))))
    found = suggest(made, [Seen("==", 2020, 1999, False)], 20, 10**9, Random(1))
    assert b"=datetime.date(1999, 2, 3)\n7 -1\n" in [s.code for s in found]
