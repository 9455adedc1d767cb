"""Defaults, then the project's table, then the command line; mistakes are told."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tanteo.errors import UserError
from tanteo.settings import BUILT_IN_FILTERS, Settings, make_settings, read_project


def project(folder: Path, table: str) -> Path:
    (folder / "pyproject.toml").write_text(table)
    return folder


def test_the_table_is_read_with_the_types_of_the_options(tmp_path: Path) -> None:
    table = """
    [tool.other]
    key = 1
    [tool.tanteo]
    time = 5
    call-timeout = 0.5
    jobs = 3
    check = true
    strategy = "undirected"
    exclude = ["a.*", "b"]
    allow = "write"
    """
    found = read_project(project(tmp_path, table))
    assert found == {
        "time": 5,
        "call_timeout": 0.5,
        "jobs": 3,
        "check": True,
        "strategy": "undirected",
        "exclude": ("a.*", "b"),
        "allow": ("write",),
    }
    settings = make_settings(found, {})
    assert (settings.jobs, settings.exclude, settings.check) == (3, ("a.*", "b"), True)


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    project(tmp_path, "[tool.tanteo]\nseed = 1\n")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert read_project(below) == {"seed": 1}
    project(tmp_path / "a", "[project]\nname = 'x'\n")
    assert read_project(below) == {}


@pytest.mark.parametrize("key", ["tiem", "targets", "call_timeoutt"])
def test_an_unknown_option_is_a_mistake(tmp_path: Path, key: str) -> None:
    with pytest.raises(UserError, match=rf"pyproject\.toml has an option .* not know: {key}") as caught:
        read_project(project(tmp_path, f"[tool.tanteo]\n{key} = 1\n"))
    assert caught.value.slug == "bad-option"


@pytest.mark.parametrize(
    "line",
    [
        "time = '5'",
        "time = true",
        "jobs = 1.5",
        "jobs = '2'",
        "seed = false",
        "steps = 2.0",
        "check = 1",
        "check = 'yes'",
        "private = 'false'",
        "strategy = 3",
        "strategy = ['directed']",
        "exclude = [1]",
        "exclude = 3",
        "json = true",
    ],
)
def test_a_value_of_the_wrong_type_is_a_mistake(tmp_path: Path, line: str) -> None:
    with pytest.raises(UserError, match=line.split(maxsplit=1)[0]) as caught:
        read_project(project(tmp_path, f"[tool.tanteo]\n{line}\n"))
    assert caught.value.slug == "bad-value"


@pytest.mark.parametrize(
    "text", ["[tool.tanteo\n", "tool = 3\n", "[tool]\ntanteo = 3\n", "[tool]\ntanteo = 'x'\n"]
)
def test_a_file_that_cannot_be_read_is_a_mistake(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"pyproject\.toml"):
        read_project(project(tmp_path, text))


def test_a_file_that_is_no_text_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="cannot read") as caught:
        read_project(tmp_path)
    assert caught.value.slug == "bad-project-file"


def test_what_is_given_goes_over_what_the_project_says() -> None:
    said: dict[str, Any] = {"seed": 1, "jobs": 2, "exclude": ("a",), "check": True}
    settings = make_settings(
        said, {"seed": 0, "jobs": None, "exclude": (), "include": ("b",), "check": False}
    )
    assert settings == Settings(seed=0, jobs=2, exclude=("a",), include=("b",), check=False)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("time", 0),
        ("time", -1.0),
        ("time", math.inf),
        ("time", math.nan),
        ("steps", 0),
        ("steps", -5),
        ("jobs", 0),
        ("jobs", 65),
        ("call_timeout", 0.0),
        ("call_timeout", math.nan),
        ("call_timeout", math.inf),
        ("memory", 63),
        ("allow", ("write", "everything")),
    ],
)
def test_a_value_out_of_range_is_a_mistake(option: str, value: object) -> None:
    for said, given in (({option: value}, {}), ({}, {option: value})):
        with pytest.raises(UserError, match=f"--{option.replace('_', '-')} must be") as caught:
            make_settings(said, given)
        assert caught.value.slug == "bad-value"


def test_the_budget() -> None:
    assert make_settings({}, {}).seconds == 60.0
    assert make_settings({}, {"time": 5.0}).seconds == 5.0
    assert make_settings({}, {"steps": 10}).seconds is None
    assert make_settings({}, {"steps": 10, "time": 5.0}).seconds == 5.0


def test_what_two_runs_must_share() -> None:
    base = make_settings({}, {"targets": ("a",), "steps": 10})
    same = make_settings({}, {"targets": ("a",), "steps": 10, "quiet": True, "json": "x", "time": 3.0})
    assert base.identity() == same.identity()
    assert base.identity()["filters"] == list(BUILT_IN_FILTERS)
    for change in (
        {"seed": 1},
        {"jobs": 2},
        {"strategy": "undirected"},
        {"private": True},
        {"allow": ("write",)},
        {"call_timeout": 2.0},
        {"memory": 100},
        {"contract": ("m:c",)},
        {"exclude": ("b",)},
    ):
        other = make_settings({}, {"targets": ("a",), "steps": 10, **change})
        assert other.identity() != base.identity(), change


@pytest.mark.parametrize(
    ("given", "seconds"),
    [({}, 1.0), ({"time": 600.0}, 1.0), ({"time": 30.0}, 0.5), ({"time": 3.0}, 0.2), ({"steps": 10}, 1.0)],
)
def test_a_short_budget_waits_less_for_one_run(given: dict[str, Any], seconds: float) -> None:
    assert make_settings({}, given).patience == seconds
    assert make_settings({}, {**given, "call_timeout": 2.5}).patience == 2.5
