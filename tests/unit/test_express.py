"""Values as source: what is written and how, and what is better left alone."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import re
import textwrap
import uuid
import zoneinfo
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from tanteo.express import LONGEST, MOST_ELEMENTS, WRITERS, Expression, evaluate, express, name_of

HERE = __name__
DECIMAL, DATETIME = ("decimal", "Decimal"), ("datetime", "")


class Colour(enum.Enum):
    RED = 1
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: object = 0


@dataclass
class Amount:
    cents: int
    currency: str = "EUR"
    tags: list[str] = field(default_factory=list)
    checked: bool = field(default=False, init=False)


@dataclass(frozen=True)
class Line:
    start: Point
    amount: Amount


@dataclass(eq=False)
class Unequal:
    x: int


@dataclass
class Refuses:  # noqa: PLW1641
    x: int

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")


@dataclass
class Vague:  # noqa: PLW1641
    x: int

    def __eq__(self, other: object) -> Any:
        return []


@dataclass
class Forgetful:
    x: int

    def __post_init__(self) -> None:
        self.x += 1


class Name(str):
    pass


class Count(int):
    pass


class OwnPath(pathlib.PosixPath):
    pass


class Plain:
    class Inner(enum.Enum):
        A = 1


def public(x: object) -> object:
    return x


EXPRESSED: list[tuple[object, str]] = [
    (None, "None"),
    (..., "..."),
    (NotImplemented, "NotImplemented"),
    (True, "True"),
    (0, "0"),
    (-12, "-12"),
    ("", "''"),
    ('a "b"\n{}', "'a \"b\"\\n{}'"),
    ("\ud800", "'\\ud800'"),
    (b"\x00a", "b'\\x00a'"),
    (bytearray(b"a"), "bytearray(b'a')"),
    (range(1, 9, 2), "range(1, 9, 2)"),
    (0.1, "0.1"),
    (-0.0, "-0.0"),
    (math.inf, 'float("inf")'),
    (-math.inf, 'float("-inf")'),
    (1 + 2j, "(1+2j)"),
    ([], "[]"),
    ([1, ["{}"]], "[1, ['{}']]"),
    ((), "()"),
    ((1,), "(1,)"),
    ((1, 2), "(1, 2)"),
    (set(), "set()"),
    ({"b", "a", "c"}, "{'a', 'b', 'c'}"),
    (frozenset(), "frozenset()"),
    (frozenset({2, 1}), "frozenset({1, 2})"),
    ({}, "{}"),
    ({"b": [1], "a": None}, "{'b': [1], 'a': None}"),
    (decimal.Decimal("-1.50"), 'Decimal("-1.50")'),
    (decimal.Decimal("Infinity"), 'Decimal("Infinity")'),
    (fractions.Fraction(2, 6), "Fraction(1, 3)"),
    (uuid.UUID(int=1), "UUID('00000000-0000-0000-0000-000000000001')"),
    (re.compile("a.", re.IGNORECASE), "re.compile('a.', re.IGNORECASE)"),
    (re.compile(b"a"), "re.compile(b'a')"),
    (collections.deque([1, 2]), "deque([1, 2])"),
    (collections.Counter("aab"), "Counter({'a': 2, 'b': 1})"),
    (collections.OrderedDict(a=1), "OrderedDict({'a': 1})"),
    (datetime.date(2020, 2, 29), "datetime.date(2020, 2, 29)"),
    (datetime.datetime(2020, 1, 2, 3), "datetime.datetime(2020, 1, 2, 3, 0)"),
    (datetime.time(1, 2), "datetime.time(1, 2)"),
    (datetime.timedelta(days=1), "datetime.timedelta(days=1)"),
    (datetime.UTC, "datetime.timezone.utc"),
    (
        datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC),
        "datetime.datetime(2020, 1, 2, 0, 0, tzinfo=datetime.timezone.utc)",
    ),
    (Colour.RED, "Colour.RED"),
    (Level.LOW, "Level.LOW"),
    (Access.WRITE, "Access.WRITE"),
    (Point(1), "Point(x=1, y=0)"),
    (Amount(5), "Amount(cents=5, tags=[])"),
    (Amount(5, "USD", ["a"]), "Amount(cents=5, currency='USD', tags=['a'])"),
    (Line(Point(1, 2), Amount(3)), "Line(start=Point(x=1, y=2), amount=Amount(cents=3, tags=[]))"),
    (pathlib.Path("a/b"), "Path('a/b')"),
    (pathlib.PurePosixPath("a"), "PurePosixPath('a')"),
    (int, "int"),
    (Amount, "Amount"),
    (len, "len"),
    (math.floor, "math.floor"),
    (public, "public"),
    (textwrap.dedent, "dedent"),
]


@pytest.mark.parametrize(("value", "source"), EXPRESSED, ids=[source for _, source in EXPRESSED])
def test_what_is_expressed_evaluates_to_an_equal_value_of_the_same_type(value: object, source: str) -> None:
    found = express(value)
    assert found is not None
    assert found.source == source
    again = evaluate(found)
    assert type(again) is type(value)
    assert again == value


def test_every_kind_that_has_a_writer_is_tried_above() -> None:
    assert set(WRITERS) <= {type(value) for value, _ in EXPRESSED}


@pytest.mark.parametrize(
    "value",
    [
        object(),
        Plain(),
        math.nan,
        complex(math.nan, 1),
        complex(math.inf, 1),
        [math.nan],
        decimal.Decimal("NaN"),
        decimal.Decimal("sNaN"),
        10**40,
        "x" * LONGEST,
        [*range(MOST_ELEMENTS + 1)],
        ["a" * 50] * 10,
        [[[[[[[[]]]]]]]],
        "<object at 0x7f00aa11>",
        Count(1),
        [Name("a")],
        {1 / 3},
        OwnPath("a"),
        Unequal(1),
        Forgetful(1),
        Access.READ | Access.WRITE,
        Plain.Inner.A,
        lambda: 0,
        [].append,
        collections.defaultdict(list),
        datetime.datetime(2020, 1, 1, tzinfo=zoneinfo.ZoneInfo("UTC")),
        iter([1]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_written_for_sure_is_refused(value: object) -> None:
    assert express(value) is None


def test_twelve_elements_are_not_too_many() -> None:
    assert express([*range(MOST_ELEMENTS)]) is not None


def test_a_list_inside_itself_is_refused() -> None:
    items: list[object] = []
    items.append(items)
    assert express(items) is None


def test_a_local_class_and_its_members_are_refused() -> None:
    class Local(enum.Enum):
        A = 1

    assert express(Local) is None
    assert express(Local.A) is None


def test_a_value_whose_equality_raises_or_says_no_is_refused() -> None:
    assert express(Refuses(1)) is None
    assert express(Vague(1)) is None


def test_a_value_that_pretends_to_another_class_is_refused() -> None:
    class Liar:
        @property  # type: ignore[misc]
        def __class__(self) -> Any:
            raise RuntimeError("do not look")

    assert express(Liar()) is None


def test_imports_are_told_once_and_in_order() -> None:
    found = express([Point(1), decimal.Decimal(1), Point(2), datetime.date(2020, 1, 1)])
    assert found is not None
    assert found.imports == ((HERE, "Point"), DECIMAL, DATETIME)
    assert express([1, "a", len, int]) == Expression("[1, 'a', len, int]")


def test_floats_are_told_apart_wherever_they_are() -> None:
    third = 1 / 3
    floats: list[object] = [third, [third], {"a": (third,)}, Point(1, third), 1j]
    others: list[object] = [1, 0.5, math.inf, [decimal.Decimal("0.5")]]
    found = [express(value) for value in (*floats, *others)]
    assert [f and f.exact for f in found] == [False] * len(floats) + [True] * len(others)


def test_a_name_is_given_only_if_it_leads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    assert name_of(Point) == Expression("Point", ((HERE, "Point"),))
    assert name_of(ValueError) == Expression("ValueError")
    monkeypatch.setattr(f"{HERE}.Point", Amount)
    other = type("Point", (), {"__module__": HERE})
    assert name_of(other) is None
    assert name_of(type("int", (), {"__module__": "builtins"})) is None
    assert name_of(type("A", (), {"__module__": "__main__"})) is None
    assert name_of(type("A", (), {"__module__": "nowhere"})) is None


def test_private_names_are_nobody_elses_to_import() -> None:
    assert name_of(re._compile) is None  # type: ignore[attr-defined]
    assert name_of(re.compile) is not None


def test_text_of_a_class_of_its_own_is_compared_as_text() -> None:
    assert express(Name("a")) == Expression("'a'")
