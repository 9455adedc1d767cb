"""What a function declares to return, where that can be said with Python's own classes."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

from tanteo.bindings import Bindings
from tanteo.contracts import Contract
from tanteo.declared.reading import hints_of

PLAIN = frozenset({int, float, complex, bool, str, bytes, list, tuple, dict, set, frozenset, type(None)})
TOLERATED: dict[type, tuple[type, ...]] = {float: (int,), complex: (int, float), bytes: (bytearray,)}
ASKED = ("function", "method", "static method", "class method", "attribute")


def result_contracts(bindings: Bindings) -> dict[int, Contract]:
    """For each operation that promises something a contract of its result."""
    found = {}
    for number, function in enumerate(bindings.functions):
        operation = bindings.operations[number]
        kinds = promised(function) if operation.kind in ASKED and not operation.helper else None
        if kinds:
            found[number] = _contract(kinds)
    return found


def declared_kinds(bindings: Bindings) -> dict[int, type]:
    """The class that each operation says it makes: `object` if nothing, none of displays (what they show)."""
    found = {}
    for number, function in enumerate(bindings.functions):
        if bindings.operations[number].kind != "display":
            made: Any = bindings.calls[number]  # of a constructor the class; its function is `__init__`
            kinds = (made,) if isinstance(made, type) else promised(function) or (object,)
            found[number] = kinds[0] if len(kinds) == 1 else object
    return found


def promised(function: Any) -> tuple[type, ...] | None:
    """The classes that a result may have; None if the annotation says nothing, or more than we understand.

    Nobody is hurt by a result where none was promised.
    """
    if not inspect.isfunction(function) or inspect.isgeneratorfunction(function):
        return None
    hint = hints_of(function).get("return", typing.Any)
    kinds = [_class_of(part) for part in _parts(hint)]
    known = [kind for kind in kinds if kind is not None]
    return tuple(known) if len(known) == len(kinds) and known != [type(None)] else None


def _parts(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _class_of(hint: Any) -> type | None:
    kind = typing.get_origin(hint) or hint
    return kind if isinstance(kind, type) and kind in PLAIN else None


def _contract(kinds: tuple[type, ...]) -> Contract:
    words = " | ".join("None" if kind is type(None) else kind.__name__ for kind in kinds)
    allowed = tuple(kinds) + tuple(other for kind in kinds for other in TOLERATED.get(kind, ()))
    check: Callable[[object], bool] = lambda x: isinstance(x, allowed)  # noqa: E731 - a def needs a name
    names = " | ".join(dict.fromkeys("None" if k is type(None) else k.__name__ for k in allowed))
    return Contract(f"result: {words}", f"isinstance({{x}}, {names})", check, lambda kind: True)
