"""What a test leaves changed in the subject shows."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tanteo.emit import pytest_watch
from tests.unit.conftest import Import

SOURCE = """
count = 0
names = {"a": 1}

class Register:
    known = ["one"]
    default = None

class Settings:
    def __init__(self):
        self.level = 1
        self.seen = set()

settings = Settings()

class Stack(list):
    def __len__(self):
        raise RuntimeError("do not ask")

stack = Stack()

def nothing():
    return 3
"""


def count(module: Any) -> None:
    module.count += 1


def register(module: Any) -> None:
    module.Register.known.append("two")


def choose(module: Any) -> None:
    module.Register.default = "two"


def look(module: Any) -> None:
    module.settings.seen.add(1)


def push(module: Any) -> None:
    module.stack.append(1)


@pytest.fixture
def subject(load_source: Import, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = load_source("leaving_things", SOURCE)
    monkeypatch.setattr(pytest_watch, "PACKAGES", frozenset({"leaving_things"}))
    return module


@pytest.mark.parametrize("change", [count, register, choose, look, push])
def test_every_change_of_what_is_global_shows(subject: ModuleType, change: Callable[[Any], None]) -> None:
    before = pytest_watch.globals_of_the_subject()
    change(subject)
    assert pytest_watch.has_changed(before, pytest_watch.globals_of_the_subject())


def test_what_changes_nothing_or_fills_a_cache_shows_nothing(subject: Any) -> None:
    before = pytest_watch.globals_of_the_subject()
    subject.nothing()
    subject.names["b"] = 2
    subject.Settings()
    assert not pytest_watch.has_changed(before, pytest_watch.globals_of_the_subject())
