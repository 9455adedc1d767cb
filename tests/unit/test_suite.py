"""Which tests stay after pytest has run them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tanteo.emit import files
from tanteo.emit.cases import Case
from tanteo.emit.faults import without_faults
from tanteo.emit.modules import Module
from tanteo.emit.modules import Test as Written
from tanteo.emit.suite import Suite
from tanteo.emit.validate import Result
from tanteo.model import Literal, say, sequence

FILE = "test_tanteo_shop.py"


def names(*numbers: int) -> set[str]:
    return {f"{FILE}::test_{n}" for n in numbers}


def stay(monkeypatch: pytest.MonkeyPatch, seconds: float, *results: Result) -> set[str]:
    """The tests that are left of five; each pair of runs gives the next result."""
    told = iter(results)

    def run_both(suite: Suite, *_: object, measure: bool) -> list[Result]:
        result = next(told)
        return [result, result]

    monkeypatch.setattr(Suite, "_run_both", run_both)
    monkeypatch.setattr(Suite, "bench", lambda suite: SimpleNamespace(tools=("pytest",)))
    monkeypatch.setattr(files, "stage", lambda folder, texts: [Path(name) for name in texts])
    study: Any = SimpleNamespace()
    kept = {FILE: (Module("shop", []), [Written(f"test_{n}", f"def test_{n}(): ...") for n in range(5)])}
    assert Suite(study)._run_until_green(kept, Path(), lambda: seconds, last=True)
    return {f"{FILE}::{test.name}" for test in kept[FILE][1]}


def test_many_that_fail_after_one_that_leaves_something_get_another_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = Result(names(0, 1), leaving=names(0))
    green = Result(names(1, 2, 3, 4))
    assert stay(monkeypatch, 100.0, first, *[green] * 5) == names(1, 2, 3, 4)


def test_what_failed_when_it_was_last_seen_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Result(names(0, 1), leaving=names(0))
    assert stay(monkeypatch, -1.0, first) == names(1)


def test_few_that_fail_are_bad_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    result = Result(names(0, 1, 2), leaving=names(0))
    green = Result(names(0, 1, 2))
    assert stay(monkeypatch, 100.0, result, *[green] * 5) == names(0, 1, 2)


def test_two_runs_that_took_too_long_are_followed_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Result(finished=False, trouble="pytest took too long")
    assert stay(monkeypatch, 2.5, late, *[Result(names(0, 1, 2, 3, 4))] * 5) == names(0, 1, 2, 3, 4)
    with pytest.raises(AssertionError):  # and that is all
        stay(monkeypatch, 2.5, late, late)


@pytest.mark.parametrize(
    ("level", "function", "left"),
    [("fault", "Box.get", 1), ("suspicious", "Box.get", 2), ("fault", "Box.ge", 2)],
)
def test_what_is_reported_as_a_fault_is_not_taken_for_granted(level: str, function: str, left: int) -> None:
    made = sequence([say(Literal(1, "1"))])
    raising = Case(made, raises="IndexError", outcome="IndexError at Box.get:7")
    other = Case(made, outcome="int")
    fault = {"level": level, "exception": "IndexError", "function": function}
    assert len(without_faults([raising, other], [fault])) == left
