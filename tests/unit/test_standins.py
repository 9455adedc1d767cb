"""Objects that take notes, and what comes of the notes."""

from __future__ import annotations

from typing import Any

import pytest

from tanteo.execute.guard import Guard
from tanteo.execute.inquiry import inquire
from tanteo.execute.load import Loaded, Wanted, load
from tanteo.standins import MOST_QUESTIONS, Enough, StandIn
from tanteo.uses import Use
from tests.unit.conftest import Write


def asked(question: Any) -> Use:
    use = Use()
    question(StandIn(use, [MOST_QUESTIONS]))
    return use


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        (lambda x: x["a"], "dict"),
        (lambda x: x[0], "list"),
        (list, "list"),
        (lambda x: x + 1, "int"),
        (lambda x: "a" + x, "str"),
        (lambda x: x(1), "function"),
        (lambda x: x == "b", "str"),
        (lambda x: x < 5, "int"),
        (len, "list"),
        (lambda x: "a" in x, "str"),
        (range, "int"),
        (float, "float"),
        (lambda x: x | {1}, "set"),
    ],
)
def test_questions_tell_types(question: Any, kind: str) -> None:
    assert kind in asked(question).types


def test_attributes_constants_and_arity_are_noted() -> None:
    assert asked(lambda x: x.name.upper()).attributes == {"name"}
    assert asked(lambda x: x == 3).constants == [3]
    assert asked(lambda x: x(1, 2)).arity == 2
    assert asked(lambda x: x == None).may_be_none  # noqa: E711 - that is the question


def test_it_ends() -> None:
    with pytest.raises(Enough):
        asked(lambda x: [x.a for _ in iter(x.next, None)])


SOURCE = """
import os

TABLE = {"shout": lambda text: text.upper() + "!", "add": lambda text: text + 1}

class Note:
    def __init__(self, text: str) -> None:
        self.text = text
    def mark(self) -> str:
        return self.text

def through_a_table(q):
    return TABLE["shout"](q)

def by_reflection(q):
    return getattr(q, "mark")()

def never_ends(q):
    while True:
        pass

def dies(q):
    os._exit(3)

def after_them(q):
    return (lambda z: z["key"])(q)
"""


@pytest.fixture
def loaded(write: Write, clean_imports: None, tmp_path: Any) -> Loaded:
    guard = Guard(str(tmp_path), frozenset())
    target = str(write("asking.py", SOURCE))
    return load(Wanted((target,)), inquiry=lambda bindings: inquire(bindings, guard))


def guesses(loaded: Loaded, name: str) -> dict[str, str]:
    number = next(o.index for o in loaded.subject.operations if o.name.endswith(name))
    return {str(g.want): g.source for g in loaded.bindings.slots[number][0].guesses}


def test_what_the_source_does_not_tell_is_asked(loaded: Loaded) -> None:
    assert guesses(loaded, "through_a_table")["str"] == "stand-in"
    assert guesses(loaded, "by_reflection")["Note"] == "stand-in"


def test_what_hangs_or_dies_costs_only_itself(loaded: Loaded) -> None:
    assert guesses(loaded, "after_them")["dict"] == "stand-in"
    assert "stand-in" not in guesses(loaded, "never_ends").values()


def test_no_stand_in_is_left_anywhere(loaded: Loaded) -> None:
    values = [g.want.choices for slots in loaded.bindings.slots for s in slots for g in s.guesses]
    assert not any(isinstance(choice.value, StandIn) for choices in values for choice in choices)
