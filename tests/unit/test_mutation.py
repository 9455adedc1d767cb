"""Which tests notice which changes of a subject: the code of one function is swapped in a child."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tanteo.disarm import functions_of
from tanteo.execute.guard import Guard
from tanteo.execute.load import Wanted, load
from tanteo.execute.mutation import changes, run_mutation, swap
from tests.unit.conftest import Import, Write

SOURCE = """
import functools

def larger(a, b):
    return a if a > b else b

def until(n):
    while n > 0:
        n -= 1
    return n

class Base:
    def name(self):
        return "base"

class Box(Base):
    __secret = 3

    @functools.lru_cache
    def size(self, more):
        return self.__secret + more

    def name(self):
        return "box of " + super().name()
"""


@pytest.fixture
def file(load_source: Import, write: Write) -> str:
    return str(load_source("swapped", SOURCE).__file__)


def numbers(file: str, before: str, after: str) -> list[int]:
    found = [(c.number, c.site.mutant) for c in changes([file])]
    return [number for number, mutant in found if (mutant.before, mutant.after) == (before, after)]


def do(file: str, before: str, after: str, expression: str) -> object:
    """What an expression gives in a process that has one mutant; the swap is put back."""
    change = next(
        c for c in changes([file]) if (c.site.mutant.before, c.site.mutant.after) == (before, after)
    )
    functions = functions_of([file])
    codes = [f.__code__ for f in functions]
    try:
        assert swap(change, functions)
        import swapped  # type: ignore[import-not-found]

        return eval(expression, vars(swapped))
    finally:
        for function, code in zip(functions, codes, strict=True):
            function.__code__ = code


def test_the_code_of_one_function_is_swapped(file: str) -> None:
    assert do(file, "a > b", "a >= b", "larger(1, 1.0)") == 1
    assert do(file, "a > b", "a <= b", "larger(1, 2)") == 1
    assert do(file, "n > 0", "n <= 0", "until(2)") == 2


def test_decorators_private_names_and_super_are_as_they_were(file: str) -> None:
    assert do(file, "self.__secret + more", "self.__secret - more", "Box().size(1)") == 2
    assert do(file, "'box of '", "'~'", "Box().name()") == "~base"


def test_changes_have_the_same_numbers_each_time(file: str) -> None:
    assert [c.number for c in changes([file])] == [c.number for c in changes([file])]


def test_heads_and_module_level_are_left_alone(file: str) -> None:
    assert not [c for c in changes([file]) if c.site.mutant.before == "3"]


def case(code: str, *observations: list[Any], raises: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"code": code, "observations": observations, "raises": raises}


def told(file: str, items: list[dict[str, Any]], out: Path) -> dict[int, dict[str, list[int]]]:
    loaded = load(Wanted((file,)), with_probes=False)
    guard = Guard(str(out.parent))
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT)
    try:
        run_mutation(items, descriptor, loaded.bindings, [file], guard, [0, 1])
    finally:
        os.close(descriptor)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {where for _, where, _ in lines} <= {file}
    return {number: found for number, _, found in lines}


def operation(file: str, name: str) -> int:
    operations = load(Wanted((file,)), with_probes=False).subject.operations
    return next(o.index for o in operations if o.name == name)


def test_what_notices_a_mutant_is_told(file: str, tmp_path: Path) -> None:
    larger = operation(file, "swapped.larger")
    until = operation(file, "swapped.until")
    items = [
        case(f"=2\n=1\n{larger} -2 -1\n", ["value", 2, -1, "2", [], True]),
        case(f"=1\n=1\n{larger} -2 -1\n", ["value", 2, -1, "1", [], True]),
        case(f"=3\n{until} -1\n", ["type", 1, -1, "int", [], True], ["value", 1, -1, "0", [], True]),
        case(f"=2\n{until} -1\n", ["value", 1, -1, "9", [], True]),  # fails by itself: not counted
        case(f"=0\n{until} -1\n", ["value", 1, -1, "0", [], True]),
        case(f"=5\n{until} -1\n", ["value", 1, -1, "0", [], True]),
    ]
    found = told(file, items, tmp_path / "out")
    assert found[numbers(file, "a > b", "a <= b")[0]] == {"0": [0]}
    assert found[numbers(file, "a > b", "a >= b")[0]] == {}
    assert found[numbers(file, "n > 0", "n <= 0")[0]] == {"2": [1], "4": [0], "5": [0]}
    endless = numbers(file, "n -= 1", "pass")[0]
    assert found[endless] == {"2": [0, 1], "5": [0]}  # and the others are tried all the same


def test_an_exception_that_is_not_raised_any_more_is_noticed(write: Write, tmp_path: Path) -> None:
    file = str(write("strict.py", "def check(n):\n    if n > 3:\n        raise ValueError('much')\n"))
    check = operation(file, "strict.check")
    expected = {"raises": "ValueError", "imports": [], "message": "much"}
    found = told(file, [case(f"=9\n{check} -1\n", raises=expected)], tmp_path / "out")
    assert found[numbers(file, "n > 3", "n <= 3")[0]] == {"0": [0]}
    assert found[numbers(file, "'much'", "'~'")[0]] == {"0": [0]}
    assert found[numbers(file, "n > 3", "n >= 3")[0]] == {}
