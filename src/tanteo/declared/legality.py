"""Calls that are not made if what they require does not hold (paper 003: an invalid test case).

A requirement is evaluated by us, before the call. Only then does a violation that comes back belong to the
callee, whatever exception tells of it: libraries let the author choose its class, and one that fails while
it puts its message together raises something else again.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from tanteo.bindings import Bindings
from tanteo.declared import LIBRARIES
from tanteo.declared.reading import Args, Named, Requirement, invariants_of, requirements_of
from tanteo.subject import Operation


class Refused(Exception):  # noqa: N818 - it is no error, and never leaves us
    """A call was not made: it would have broken what it requires."""


def guard_calls(bindings: Bindings) -> None:
    """Put the evaluation of requirements in front of every operation that has any."""
    bound = any(invariants_of(kind) for kind in bindings.classes)
    for number, operation in enumerate(bindings.operations):
        receiver = _receiver(bindings, number)
        needs = requirements_of(_written(operation, receiver))
        if bound or needs:
            bindings.calls[number] = _guarded(bindings.calls[number], operation, receiver)
        if needs or (receiver is not None and _has_contracts(receiver)):
            bindings.specified.add(number)
    for library in sorted(LIBRARIES):
        if library in sys.modules and (why := _switched_off(library)):
            bindings.skip(f"contracts of {library}", why)


def _has_contracts(kind: type) -> bool:
    """Whether a class says what it requires: then what it does not exclude is allowed."""
    methods = [thing for thing in vars(kind).values() if inspect.isroutine(thing)]
    return bool(invariants_of(kind)) or any(map(requirements_of, methods))


def _receiver(bindings: Bindings, number: int) -> type | None:
    slots = bindings.slots[number]
    return slots[0].wants[0].kind if slots and slots[0].receiver else None


def _written(operation: Operation, receiver: type | None) -> Any:
    """What stands under the name of an operation, decorators and all."""
    path = operation.name.removeprefix(operation.module + ".")
    name = path.rpartition(".")[2]
    if receiver is not None:
        found = inspect.getattr_static(receiver, name.removesuffix(" ="), None)
        if isinstance(found, property):
            return found.fset if name.endswith(" =") else found.fget
        return getattr(found, "func", found) if not callable(found) else found
    found = sys.modules.get(operation.module)
    for part in path.split("."):
        found = getattr(found, part, None)
    return found.__init__ if isinstance(found, type) else found  # type: ignore[misc]


def _guarded(
    call: Callable[..., object], operation: Operation, receiver: type | None
) -> Callable[..., object]:
    """The call behind its requirements; those of a method are those of the receiver's own class."""
    known: dict[type | None, list[Requirement]] = {}
    makes = operation.kind == "constructor"

    def legal(*args: object, **named: object) -> object:
        kind = type(args[0]) if receiver is not None and args else None
        needs = known.get(kind)
        if needs is None:
            needs = known[kind] = requirements_of(_written(operation, kind))
        check((None, *args) if makes else args, named, needs)
        return call(*args, **named)

    return legal


def check(args: Args, named: Named, needs: list[Requirement]) -> None:
    """Refuse arguments that were broken before, and those that are not what is required."""
    for value in (*args, *named.values()):
        for text, holds in invariants_of(type(value)):
            if not holds(value):
                raise Refused(f"an argument was broken before: {text}")
    for missing in needs:
        unmet = missing(args, named)
        if unmet is not None:
            raise Refused(f"its precondition does not hold: {unmet}")


def _switched_off(library: str) -> str:
    """Why the contracts of a library are not checked; nothing if they are."""
    if sys.flags.optimize:
        return "switched off: Python runs with -O"
    state = getattr(sys.modules.get("deal._state"), "state", None)
    if library == "deal" and state is not None and not state.debug:
        return "switched off: deal.disable() was called, or the environment says so"
    return ""
