"""Classes that only a module itself can name, and whose objects it gives away: people use those all the same.

`lru_cache` returns a wrapper of a private class, and everybody calls `cache_info` of it.
"""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Iterable
from typing import Any

from tanteo.bindings import Bindings
from tanteo.homes import home_of
from tanteo.members import read_members

KNOWN_OTHERWISE = (type, enum.Enum, BaseException)


def read_given_away(
    bindings: Bindings, modules: Iterable[types.ModuleType], public: Iterable[object]
) -> None:
    """What can be done with objects of private classes that a module offers, or that a public function of it
    mentions, if only indirectly.

    What a class has inside is its own: nodes of a tree are nobody's to change.
    """
    known = {id(thing) for thing in public}
    for module in modules:
        if bindings.hides(module.__name__):
            continue
        own = {name: thing for name, thing in vars(module).items() if home_of(thing) == module.__name__}
        public_classes = {
            name for name, thing in own.items() if isinstance(thing, type) and id(thing) in known
        }
        functions = [name for name, thing in own.items() if id(thing) in known and name not in public_classes]
        objects = _kinds_of_objects(module, own) - public_classes
        for name in sorted(_mentioned(own, functions, public_classes) | objects):
            cls = own[name]
            if isinstance(cls, type) and not issubclass(cls, KNOWN_OTHERWISE):
                read_members(bindings, module.__name__, name, cls)


def _kinds_of_objects(module: types.ModuleType, own: dict[str, object]) -> set[str]:
    """The classes of the objects that a module offers ready made: `missing = Symbol("missing")`."""
    listed = getattr(module, "__all__", None)
    offered = listed if isinstance(listed, (list, tuple)) else [n for n in own if not n.startswith("_")]
    kinds = {type(own[name]) for name in offered if isinstance(name, str) and name in own}
    return {kind.__name__ for kind in kinds if own.get(kind.__name__) is kind}


def _mentioned(own: dict[str, object], names: list[str], without: set[str]) -> set[str]:
    """These names, and those that what they stand for mentions."""
    found: set[str] = set()
    while names:
        name = names.pop()
        if name in own and name not in found and name not in without:
            found.add(name)
            names += _names_in(own[name])
    return found


def _names_in(thing: Any) -> list[str]:
    """The names that a function, or any method of a class, looks up."""
    parts = list(vars(thing).values()) if isinstance(thing, type) else [thing]
    todo = [getattr(_function(part), "__code__", None) for part in parts if not isinstance(part, type)]
    found: list[str] = []
    for code in todo:
        if isinstance(code, types.CodeType):
            found += code.co_names
            todo += code.co_consts
    return found


def _function(thing: Any) -> Any:
    """What is behind a property, a class method or a decorator."""
    for name in ("fget", "__func__"):
        thing = getattr(thing, name, thing)
    return inspect.unwrap(thing) if callable(thing) else thing
