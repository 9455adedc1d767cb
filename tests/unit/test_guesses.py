"""What an undeclared parameter may want, and who says so."""

from __future__ import annotations

import ast
import datetime
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tanteo import infer
from tanteo.evidence import read_uses
from tanteo.examples import read_calls
from tanteo.guesses import Knowledge
from tanteo.types import FUNCTION, Guess, Want, fits
from tests.unit.conftest import Import

SOURCE = '''
import datetime

class Token:
    def __init__(self, kind):
        self.kind = kind
    def accept(self): ...

def by_class(x): return isinstance(x, (Token, datetime.date))
def by_attributes(x): return x.accept()
def by_method(x): return x.splitlines()
def passed_on(x): return by_class(x)
def called(x): return x(1, 2)
def compared(x): return x == "open"
def documented(x, y, z):
    """Do it.

    :param int x: a number
    :param y: words
    :type y: str

    Args:
        z (dict): the rest
    """
def numpy_like(x):
    """Do it.

    Parameters
    ----------
    x : list of str
        The words.
    """
def quoted(side, mode, other, rest):
    """Do it.

    Possible sides (`side`) are: "left", "right"
    and None.

    `mode` says how: 'fast' or
        'slow', but no "two words".
    `other` is "one" thing.

    :param rest: one of "a+b", "c"
    """
def pointed(x, cls=Token): ...
def named(filename, callback, width): ...
def shown(x):
    """
    >>> shown("2024-01-01")
    """
def nothing(q): ...
def parsed(x: str, y: bytes): return json.loads(x), json.loads(y)
def looked_up(key): ...
def ordered(items, key=None): ...
def made(cls: type, x: dict, y: int): ...
'''


@pytest.fixture
def guess(load_source: Import) -> Callable[..., tuple[Guess, ...]]:
    module: ModuleType = load_source("guessed", SOURCE)
    tree = ast.parse(textwrap.dedent(SOURCE))

    def ask(name: str, parameter: str = "x", off: frozenset[str] = frozenset()) -> tuple[Guess, ...]:
        known = Knowledge({"guessed": read_uses(tree)}, read_calls([tree]), {module.Token: "Token"}, off)
        function: Any = getattr(module, name)
        slots = infer.slots_of(function, skip_first=False)
        assert slots is not None
        return next(s.guesses for s in known.of(function, name, slots) if s.name == parameter)

    return ask


def kinds(guesses: tuple[Guess, ...], source: str) -> set[str]:
    return {g.want.kind.__name__ for g in guesses if g.source == source}


@pytest.mark.parametrize(
    ("name", "parameter", "source", "expected"),
    [
        ("by_class", "x", "isinstance", {"Token", "date"}),
        ("passed_on", "x", "isinstance", {"Token", "date"}),
        ("by_attributes", "x", "attributes", {"Token"}),
        ("by_method", "x", "attributes", {"str", "bytes"}),
        ("called", "x", "use", {"function"}),
        ("compared", "x", "comparison", {"str"}),
        ("documented", "x", "docstring", {"int"}),
        ("documented", "y", "docstring", {"str"}),
        ("documented", "z", "docstring", {"dict"}),
        ("numpy_like", "x", "docstring", {"list", "str"}),
        ("named", "filename", "name", {"str"}),
        ("named", "callback", "name", {"function"}),
        ("named", "width", "name", {"int"}),
        ("looked_up", "key", "name", {"str"}),
        ("ordered", "key", "name", {"function"}),
        ("shown", "x", "example", {"str"}),
        ("parsed", "x", "language", {"str"}),
        ("made", "x", "record", {"dict"}),
    ],
)
def test_each_source_has_its_say(
    guess: Callable[..., tuple[Guess, ...]], name: str, parameter: str, source: str, expected: set[str]
) -> None:
    assert kinds(guess(name, parameter), source) >= expected - {"number"}


def test_what_is_declared_otherwise_is_no_text_and_no_record(guess: Callable[..., tuple[Guess, ...]]) -> None:
    assert guess("parsed", "y") == ()
    assert guess("made", "y") == ()


@pytest.mark.parametrize(
    ("parameter", "choices"),
    [("side", ["left", "right"]), ("mode", ["fast", "slow"]), ("other", []), ("rest", ["a+b", "c"])],
)
def test_a_docstring_says_what_there_is_to_choose(
    guess: Callable[..., tuple[Guess, ...]], parameter: str, choices: list[str]
) -> None:
    found = [g.want for g in guess("quoted", parameter) if g.source == "docstring"]
    assert [c.value for want in found for c in want.choices] == choices


def test_values_come_along(guess: Callable[..., tuple[Guess, ...]]) -> None:
    (one,) = [g for g in guess("compared") if g.source == "comparison"]
    assert [c.value for c in one.want.choices] == ["open"]
    written = [c.value for g in guess("shown") for c in g.want.choices]
    assert written == ["2024-01-01"]


def test_functions_have_the_right_number_of_parameters(guess: Callable[..., tuple[Guess, ...]]) -> None:
    (one,) = [g for g in guess("called") if g.want.kind is FUNCTION and g.source == "use"]
    assert all(c.value(1, 1) is not None for c in one.want.choices)  # type: ignore[operator]


def test_nobody_guesses_about_a_parameter_that_says_nothing(guess: Callable[..., tuple[Guess, ...]]) -> None:
    assert guess("nothing", "q") == ()


def test_a_source_can_be_switched_off(guess: Callable[..., tuple[Guess, ...]]) -> None:
    assert kinds(guess("by_class", off=frozenset({"isinstance"})), "isinstance") == set()


def test_dates_can_be_written_down() -> None:
    from tanteo.values import SOURCES, evaluate

    for kind, sources in SOURCES.items():
        for source in sources:
            value = evaluate(source)
            assert value is not None
            assert kind is type or fits(value, (Want(kind),))
    assert evaluate("datetime.date(2020, 2, 29)") == datetime.date(2020, 2, 29)


RECORDS = """
class Visitor:
    def visit(self, node):
        return getattr(self, "visit_%s" % node["type"])(node)
    def visit_leaf(self, node):
        return node["value"] + 1
    def visit_tree(self, node):
        return [self.visit(child) for child in node["children"]]

def first(rows):
    row = rows[0]
    return row["name"].upper()
"""


def test_dicts_that_are_records_have_their_keys(load_source: Import) -> None:
    module = load_source("records", RECORDS)
    known = Knowledge({"records": read_uses(ast.parse(RECORDS))})
    (slot,) = known.of(module.Visitor.visit, "visit", infer.slots_of(module.Visitor.visit, True) or ())
    record = next(g.want for g in slot.guesses if g.want.keys)
    assert record.keys == ("children", "type", "value")  # of all methods that call it the same
    kinds = dict(zip(record.keys, record.parts, strict=True))
    assert [c.value for c in kinds["type"][0].choices] == ["leaf", "tree"]
    assert {w.kind for w in kinds["value"]} == {int, float}
    assert kinds["children"][0].kind is list
    assert kinds["children"][0].parts[0][0].keys == record.keys


def test_what_is_in_a_list_is_followed(load_source: Import) -> None:
    module = load_source("records", RECORDS)
    known = Knowledge({"records": read_uses(ast.parse(RECORDS))})
    (slot,) = known.of(module.first, "first", infer.slots_of(module.first, False) or ())
    rows = next(g.want for g in slot.guesses if g.want.kind is list)
    (row,) = rows.parts[0][:1]
    assert row.keys == ("name",)
    assert str in {w.kind for w in row.parts[0]}


def test_a_class_by_default_wants_one_that_was_derived_from_it(
    guess: Callable[..., tuple[Guess, ...]],
) -> None:
    (found,) = [g.want for g in guess("pointed", "cls") if g.source == "default"]
    assert (found.kind, found.parts[0][0].kind.__name__) == (type, "Token")
    assert not fits(str, (found,))
    assert [g for g in guess("pointed", "cls", frozenset({"default"})) if g.source == "default"] == []
