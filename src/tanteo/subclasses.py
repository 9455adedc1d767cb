"""Minimal concrete subclasses of abstract classes and protocols, as source: the test file gets them, too.

Every method that must be there takes anything and returns something plain of the declared type.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator
from typing import Any

PREFIX = "Some"
RETURNS: dict[object, str] = {
    int: "1",
    float: "1.5",
    str: "'a'",
    bytes: "b'a'",
    bool: "True",
    list: "[]",
    dict: "{}",
    tuple: "()",
    set: "set()",
}
SPECIAL = {
    "__len__": "0",
    "__iter__": "iter([])",
    "__contains__": "False",
    "__bool__": "True",
    "__hash__": "1",
}
ENDS = {"__next__": "StopIteration", "__anext__": "StopAsyncIteration"}  # what goes on for ever is no use
TEXTS = ("__repr__", "__str__", "__format__")
MOST = 12  # methods; nobody reads a longer class


def is_incomplete(cls: type) -> bool:
    """Whether it cannot be instantiated as it is."""
    return inspect.isabstract(cls) or bool(getattr(cls, "_is_protocol", False))


def define(cls: type, base: str) -> str | None:
    """The source of a subclass, the base as it is written; None if too much is missing."""
    missing = sorted(_missing(cls))
    if len(missing) > MOST or not all(name.isidentifier() for name in missing):
        return None
    lines = [line for name in missing for line in _member(cls, name)]
    return "\n".join([f"class {name_of(cls)}({base}):", *(f"    {line}" for line in lines or ["pass"])])


def name_of(cls: type) -> str:
    """As people name classes, also where the base is written in small letters."""
    name = cls.__name__
    words = name.split("_") if name.islower() else [name]
    return PREFIX + "".join(word[:1].upper() + word[1:] for word in words)


def make(cls: type, source: str) -> type | None:
    """The class that the source defines; None if Python or the base will not have it."""
    names: dict[str, Any] = {cls.__name__: cls, "__name__": cls.__module__}
    try:
        exec(source, names)
        made = names[name_of(cls)]
        return made if isinstance(made, type) and not inspect.isabstract(made) else None
    except Exception:  # a metaclass, `__init_subclass__`
        return None


def _missing(cls: type) -> Iterator[str]:
    yield from getattr(cls, "__abstractmethods__", ())
    if not getattr(cls, "_is_protocol", False):
        return
    for owner in cls.__mro__:
        if getattr(owner, "_is_protocol", False) and owner is not typing.Protocol:
            inside = {*vars(owner), *vars(owner).get("__annotations__", {})}
            yield from (n for n in inside if not n.startswith("_") and n not in cls.__abstractmethods__)  # type: ignore[attr-defined]


def _member(cls: type, name: str) -> list[str]:
    thing = inspect.getattr_static(cls, name, None)
    if thing is None:
        return [f"{name} = None"]
    if isinstance(thing, property):
        return ["@property", f"def {name}(self):", f"    return {_value(thing.fget, name)}"]
    if isinstance(thing, (staticmethod, classmethod)):
        kind = "staticmethod" if isinstance(thing, staticmethod) else "classmethod"
        first = "" if kind == "staticmethod" else "cls, "
        return [
            f"@{kind}",
            f"def {name}({first}*args, **kwargs):",
            f"    return {_value(thing.__func__, name)}",
        ]
    if not inspect.isroutine(thing):
        return [f"{name} = None"]
    word = "async def" if inspect.iscoroutinefunction(thing) else "def"
    end = ENDS.get(name) or _end_of_what_it_feeds(cls, name)
    does = f"raise {end}" if end else f"return {_value(thing, name)}"
    return [f"{word} {name}(self, *args, **kwargs):", f"    {does}"]


def _end_of_what_it_feeds(cls: type, name: str) -> str | None:
    """How an iterator ends whose base class asks this method for the next element."""
    for asks, end in ENDS.items():
        code = getattr(getattr(cls, asks, None), "__code__", None)
        if code is not None and name in code.co_names:
            return end
    return None


def _value(function: Any, name: str) -> str:
    if name in SPECIAL or name in TEXTS:
        return SPECIAL.get(name, "'a'")
    returned: Any = getattr(function, "__annotations__", {}).get("return")
    if isinstance(returned, str):
        try:
            returned = {k.__name__: k for k in RETURNS if isinstance(k, type)}.get(
                ast.unparse(ast.parse(returned))
            )
        except SyntaxError:
            returned = None
    kind = typing.get_origin(returned) or returned
    return RETURNS.get(kind, "None") if isinstance(kind, type) else "None"
