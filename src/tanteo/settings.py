"""What the user asked for: defaults, then `[tool.tanteo]` of pyproject.toml, then the command line."""

from __future__ import annotations

import dataclasses
import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tanteo.errors import UserError
from tanteo.parts import PARTS

EFFECTS = ("write", "network", "subprocess")
SHORTEST, LONGEST = 0.2, 1.0  # seconds for one run
BUILT_IN_FILTERS = ("exceptions", "none", "size", "equality")


@dataclass(frozen=True, slots=True)
class Settings:
    """One run of `generate`. Those marked with * must be equal for a session to go on."""

    targets: tuple[str, ...] = ()  # *
    time: float | None = None  # seconds for the whole command; 60 if there are no steps
    steps: int | None = None  # *
    seed: int = 0  # *
    jobs: int = 1  # *
    strategy: str = "directed"  # *
    filters: tuple[str, ...] = BUILT_IN_FILTERS  # *
    contract: tuple[str, ...] = ()  # *
    maker: tuple[str, ...] = ()  # *
    fixtures: bool = False  # *
    without: tuple[str, ...] = ()  # * parts that are switched off
    tune: tuple[str, ...] = ()  # * KEY=VALUE for the strategy
    path: tuple[str, ...] = ()
    python: str | None = None
    session: str = ".tanteo"
    json: str | None = None
    sarif: str | None = None
    out: str = "tests/tanteo"
    accept: tuple[str, ...] = ()  # ids of faults that are not to be reported any more
    faults: str = "fail"  # how known faults appear in the suite: fail, xfail or skip
    max_tests: int | None = None
    explore_only: bool = False  # * no tests are written: all the time is for exploring
    private: bool = False  # *
    include: tuple[str, ...] = ()  # *
    exclude: tuple[str, ...] = ()  # *
    allow: tuple[str, ...] = ()  # *
    call_timeout: float | None = None  # * see `patience`
    memory: int = 2048  # *
    check: bool = False
    quiet: bool = False

    @property
    def seconds(self) -> float | None:
        """The budget on the clock; None if steps alone decide."""
        if self.time is None and self.steps is None:
            return 60.0
        return self.time

    @property
    def patience(self) -> float:
        """Seconds of processor time for one run: fewer if there are few, or two hangs take them all."""
        if self.call_timeout is not None:
            return self.call_timeout
        return LONGEST if self.seconds is None else min(LONGEST, max(SHORTEST, self.seconds / 60))

    def identity(self) -> dict[str, Any]:
        """What two runs must share for one to continue the other."""
        ours = ("time", "path", "python", "session", "json", "sarif", "out", "faults", "max_tests", "check")
        fields = [f.name for f in dataclasses.fields(self) if f.name not in (*ours, "quiet", "accept")]
        return {name: _plain(getattr(self, name)) for name in fields}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def read_project(folder: Path) -> dict[str, Any]:
    """`[tool.tanteo]` of the nearest pyproject.toml, this folder or above."""
    for parent in (folder, *folder.parents):
        file = parent / "pyproject.toml"
        if file.is_file():
            try:
                tools = tomllib.loads(file.read_text()).get("tool", {})
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise UserError(f"cannot read {file}: {error}", "bad-project-file") from error
            table = tools.get("tanteo", {}) if isinstance(tools, dict) else {}
            if not isinstance(table, dict) or not isinstance(tools, dict):
                raise UserError(f"{file}: [tool.tanteo] is not a table", "bad-project-file")
            return _known(table, file)
    return {}


def _known(table: Mapping[str, Any], file: Path) -> dict[str, Any]:
    fields = {f.name: f for f in dataclasses.fields(Settings)}
    found = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in fields or name == "targets":
            raise UserError(f"{file} has an option that tanteo does not know: {key}", "bad-option")
        kind = str(fields[name].type)
        if kind.startswith("tuple") and isinstance(value, str):
            value = [value]  # noqa: PLW2901 - one value may stand without brackets
        if not _right_type(value, kind):
            raise UserError(f"{file}: {key} = {value!r} should be {kind}", "bad-value")
        found[name] = tuple(value) if isinstance(value, list) else value
    return found


def _right_type(value: object, kind: str) -> bool:
    if kind.startswith("tuple"):
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if isinstance(value, bool) or kind == "bool":
        return isinstance(value, bool) and kind == "bool"
    if "float" in kind:
        return isinstance(value, (int, float))
    return isinstance(value, int) if kind.startswith("int") else isinstance(value, str)


def make_settings(project: Mapping[str, Any], given: Mapping[str, Any]) -> Settings:
    """Overlay what was given over what the project says, and see that it makes sense."""
    stated = {k: v for k, v in given.items() if v is not None and v != ()}
    settings = Settings(**{**project, **stated})
    if settings.python is not None and os.sep in settings.python:  # other processes start in other folders
        settings = dataclasses.replace(settings, python=os.path.abspath(settings.python))
    _require(settings.seconds is None or 0 < settings.seconds < math.inf, "time", "more than 0")
    _require(settings.steps is None or settings.steps > 0, "steps", "more than 0")
    _require(1 <= settings.jobs <= 64, "jobs", "from 1 to 64")
    _require(0 < settings.patience < math.inf, "call-timeout", "more than 0")
    _require(settings.memory >= 64, "memory", "at least 64 (megabytes)")
    _require(settings.faults in ("fail", "xfail", "skip"), "faults", "fail, xfail or skip")
    _require(settings.max_tests is None or settings.max_tests > 0, "max-tests", "more than 0")
    for part in settings.without:
        _require(part in PARTS, "without", f"one of {', '.join(PARTS)}, not {part}")
    for effect in settings.allow:
        _require(effect in EFFECTS, "allow", f"of {', '.join(EFFECTS)}, not {effect}")
    return settings


def _require(held: bool, option: str, what: str) -> None:
    if not held:
        raise UserError(f"--{option} must be {what}", "bad-value")
