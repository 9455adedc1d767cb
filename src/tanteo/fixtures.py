"""The fixtures of a project's conftest.py as operations without arguments.

A written test takes the fixture as its parameter, as a person would write it; so one test cannot have two
values of one fixture, and sequences that use one twice are not written.
"""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from tanteo.bindings import Bindings

FOLDERS = ("tmp_path", "tmpdir")  # the only built-in fixtures that are given here
OPEN = 64  # fixtures that have yielded and are not finished, so that what they hold stays open


def add_fixtures(bindings: Bindings, files: tuple[str, ...]) -> None:
    """An operation for each fixture; what cannot be called here is skipped with the reason."""
    known: dict[str, Any] = {}
    for number, file in enumerate(files):
        known.update(_fixtures(bindings, Path(file), f"conftest_{number}"))
    for name, function in known.items():
        trouble = _trouble(name, known, ())
        if trouble:
            bindings.skip(f"conftest.{name}", trouble)
        else:
            call = _caller(name, known)
            bindings.add(f"conftest.{name}", "fixture", "conftest", name, call, (), function, helper=True)


def _fixtures(bindings: Bindings, file: Path, module: str) -> dict[str, Any]:
    """The functions behind the fixtures of one file, by the name that tests use."""
    spec = importlib.util.spec_from_file_location(module, file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[module] = made
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(made)
    except (Exception, SystemExit) as error:
        bindings.skip(str(file), f"cannot be imported: {type(error).__name__}: {error}")
        return {}
    found = {}
    for name, thing in vars(made).items():
        marker = getattr(thing, "_fixture_function_marker", getattr(thing, "_pytestfixturefunction", None))
        function = _behind(thing)
        if marker is not None and function is not None:
            if getattr(marker, "params", None):
                bindings.skip(f"conftest.{name}", "a fixture with several values")
                continue
            found[getattr(marker, "name", None) or name] = function
    return found


def _behind(thing: Any) -> Any:
    """The function that was decorated; pytest has kept it in two ways."""
    if hasattr(thing, "_get_wrapped_function"):
        return thing._get_wrapped_function()
    return getattr(getattr(thing, "__pytest_wrapped__", None), "obj", None)


def _trouble(name: str, known: dict[str, Any], way: tuple[str, ...]) -> str:
    """Why a fixture cannot be called here; empty if it can."""
    if name in FOLDERS:
        return ""
    if name not in known:
        return f"needs the fixture {name}, which is not in conftest.py"
    if name in way:
        return "needs itself"
    function = known[name]
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "an asynchronous fixture"
    troubles = (_trouble(needed, known, (*way, name)) for needed in inspect.signature(function).parameters)
    return next((trouble for trouble in troubles if trouble), "")


def _caller(name: str, known: dict[str, Any]) -> Callable[[], object]:
    opened: deque[Generator[object, None, None]] = deque(maxlen=OPEN)

    def make(wanted: str) -> object:
        if wanted in FOLDERS:
            return Path(tempfile.mkdtemp(dir=os.getcwd()))
        function = known[wanted]
        made = function(*map(make, inspect.signature(function).parameters))
        if inspect.isgeneratorfunction(function):
            opened.append(made)
            return next(made)
        return made

    return lambda: make(name)
