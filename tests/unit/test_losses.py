"""Tables at module level lose their entries one by one."""

from __future__ import annotations

from types import ModuleType

import pytest

from tanteo.execute.losses import MOST, losses, take_out
from tests.unit.conftest import Import

SOURCE = """
RULES = [("a", 1), ("b", 2), ("c", 3)]
NAMES: dict[str, int] = {"x": 1, "y": 2}
PAIR = (1, 2)
WORDS = {"p", "q"}
UNUSED = [1, 2, 3]
SINGLE = [1]
MADE = list("ab")
MANY = [many]
__all__ = ["find", "other"]


def find(word):
    for rule, value in RULES:
        if word == rule:
            return value
    return NAMES.get(word)


def other(word):
    return word in WORDS or word in PAIR or SINGLE or MADE or word in MANY
""".replace("many", ", ".join(map(str, range(1000))))


@pytest.fixture
def module(load_source: Import) -> ModuleType:
    return load_source("tabled", SOURCE)


def test_tables_that_functions_use_lose_each_entry(module: ModuleType) -> None:
    found = list(losses([str(module.__file__)]))
    names = [loss.name for loss in found]
    assert {name: names.count(name) for name in names} == {
        "RULES": 3,
        "NAMES": 2,
        "PAIR": 2,
        "WORDS": 2,
        "MANY": MOST,
    }
    assert len({loss.number for loss in found}) == len(found)


def test_only_statements_that_mention_the_table_are_concerned(module: ModuleType) -> None:
    lines = SOURCE.splitlines()
    for loss in losses([str(module.__file__)]):
        assert loss.lines
        assert all(loss.name in lines[line - 1] for line in loss.lines)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("RULES", [("a", 1), ("c", 3)]),
        ("NAMES", {"x": 1}),
        ("PAIR", (1,)),
        ("WORDS", {"p"}),
    ],
)
def test_an_entry_is_taken_out(module: ModuleType, name: str, left: object) -> None:
    second = [loss for loss in losses([str(module.__file__)]) if loss.name == name][1]
    assert take_out(second)
    assert vars(module)[name] == left


def test_what_is_not_there_cannot_be_taken_out(module: ModuleType) -> None:
    loss = next(losses([str(module.__file__)]))
    assert not take_out(loss._replace(place=99))
    assert not take_out(loss._replace(name="nothing"))
    assert not take_out(loss._replace(file="nowhere.py"))
