"""Objects of private classes that a module gives away."""

from __future__ import annotations

from tanteo.guesses import Knowledge
from tanteo.operations import guess, read_modules
from tests.unit.conftest import Import

SOURCE = """
import enum

class _Wrapper:
    def __init__(self, function):
        self.function = function
    def info(self):
        return 1
    def _inner(self):
        return 2
    def __call__(self, x):
        return self.function(x)

class _Unused:
    def info(self):
        return 1

class _Kind(enum.Enum):
    ONE = 1

class _Node:
    def cut(self):
        return 1

class Tree:
    def root(self):
        return _Node()

def _make(function):
    def wrap():
        return _Wrapper(function), _Kind.ONE
    return wrap()[0]

def cached(function):
    return _make(function)
"""


def test_what_is_private_and_given_away_can_be_used_but_not_made(load_source: Import) -> None:
    module = load_source("giving", SOURCE)
    bindings = read_modules([module], frozenset({"giving"}), {}, False)
    found = {o.name.removeprefix("giving.") for o in bindings.operations if o.module == "giving"}
    assert found == {"cached", "Tree", "Tree.root", "_Wrapper.info", "_Wrapper.__call__"}
    assert [bindings.class_name(kind) for kind in (module._Wrapper, module.Tree, int)] == [
        "_Wrapper",
        "Tree",
        "",
    ]
    guess(bindings, Knowledge())  # which fetches what parameters want, and no object for a method
    assert "giving._Wrapper" not in {o.name for o in bindings.operations}
    assert ("giving._Wrapper", "private") in [(s.name, s.reason) for s in bindings.skipped]


def test_who_names_one_thing_means_that_alone(load_source: Import) -> None:
    module = load_source("giving", SOURCE)
    bindings = read_modules([module], frozenset({"giving"}), {"giving": ["cached"]}, False)
    assert {o.name for o in bindings.operations if o.module == "giving"} == {"giving.cached"}


def test_objects_that_a_module_offers_can_be_used_whatever_their_class(load_source: Import) -> None:
    source = """
__all__ = ["missing"]
class Symbol:
    def show(self):
        return 1
class Other:
    def hide(self):
        return 1
missing = Symbol()
hidden = Other()
"""
    bindings = read_modules([load_source("offering", source)], frozenset({"offering"}), {}, False)
    assert {o.name for o in bindings.operations if o.module == "offering"} == {"offering.Symbol.show"}
