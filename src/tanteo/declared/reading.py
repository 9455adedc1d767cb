"""What a function requires and what the objects of a class always are, as declared.

A requirement takes the arguments of a call and says what they break, None if nothing. It never raises: a
condition that fails to evaluate has not been met, either.
"""

from __future__ import annotations

import functools
import inspect
import sys
import typing
from collections.abc import Callable, Iterator
from typing import Any

from tanteo.declared import docstrings
from tanteo.declared.bounds import bounds_of
from tanteo.declared.texts import text_of

Args = tuple[object, ...]
Named = dict[str, object]
Requirement = Callable[[Args, Named], str | None]
Invariant = tuple[str, Callable[[object], bool]]  # in words, and whether it holds

ICONTRACT, DEAL = "__preconditions__", "__deal_contract"


def requirements_of(function: Any) -> list[Requirement]:
    """Everything that must hold before a call of it."""
    found: list[Requirement] = []
    for layer in _layers(function):
        groups = vars(layer).get(ICONTRACT) if hasattr(layer, "__dict__") else None
        if groups and groups != [[]]:
            found.append(_of_icontract(layer, groups))
        contracts = vars(layer).get(DEAL) if hasattr(layer, "__dict__") else None
        found += [_of_deal(validator) for validator in getattr(contracts, "pres", ())]
    bare = inspect.unwrap(function) if callable(function) else function
    if inspect.isfunction(bare):
        found += [_of_expression(bare, text) for text in docstrings.clauses(bare, "pre")]
        found += _of_annotations(bare)
    return found


def _layers(function: Any) -> Iterator[Any]:
    """A function and what it is wrapped around."""
    seen: set[int] = set()
    while function is not None and id(function) not in seen:
        seen.add(id(function))
        yield function
        function = getattr(function, "__wrapped__", None)


def bind(signature: inspect.Signature, args: Args, named: Named) -> dict[str, Any] | None:
    """The parameters by name, defaults among them; None if the call does not fit."""
    try:
        bound = signature.bind(*args, **named)
    except TypeError:
        return None
    bound.apply_defaults()
    return dict(bound.arguments)


@functools.lru_cache(maxsize=4096)
def _parameters(condition: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(condition).parameters)


def is_met(condition: Callable[..., Any], values: Named) -> bool:
    """Whether a condition holds for those of the values that it asks for; one that waits cannot be asked."""
    try:
        answer = condition(**{name: values[name] for name in _parameters(condition) if name in values})
        if inspect.iscoroutine(answer):
            answer.close()
            return True
        return bool(answer)
    except Exception:
        return False


def _of_icontract(checker: Any, groups: list[list[Any]]) -> Requirement:
    """Groups: all conditions of one of them must hold, so that a subclass can ask for less."""
    signature = inspect.signature(checker)

    def missing(args: Args, named: Named) -> str | None:
        bound = bind(signature, args, named)
        if bound is None:
            return None
        values = {**bound, "_ARGS": args, "_KWARGS": named}
        broken = [next((c for c in group if not is_met(c.condition, values)), None) for group in groups]
        first = broken[0]
        return None if first is None or None in broken else text_of(first.condition, first.description)

    return missing


def _of_deal(validator: Any) -> Requirement:
    def missing(args: Args, named: Named) -> str | None:
        state = getattr(sys.modules.get("deal._state"), "state", None)
        before = getattr(state, "debug", None)
        if state is not None:
            state.debug = False  # as deal itself does: a condition is not checked by other conditions
        try:
            validator.validate(args, named)
        except Exception:
            return text_of(validator.raw_validator, validator.message)
        finally:
            if state is not None:
                state.debug = before
        return None

    return missing


def _of_expression(function: Any, text: str) -> Requirement:
    signature, names = inspect.signature(function), function.__globals__
    code = compile(text, "<docstring>", "eval")

    def missing(args: Args, named: Named) -> str | None:
        bound = bind(signature, args, named)
        if bound is None:
            return None
        try:
            return None if eval(code, names, bound) else text
        except Exception:
            return text

    return missing


def _of_annotations(function: Any) -> list[Requirement]:
    """Bounds of parameters: `Annotated[int, Gt(0)]`."""
    bounds = {name: found for name, hint in hints_of(function).items() if (found := bounds_of(hint))}
    bounds.pop("return", None)
    if not bounds:
        return []
    signature = inspect.signature(function)

    def missing(args: Args, named: Named) -> str | None:
        for name, value in (bind(signature, args, named) or {}).items():
            for bound in bounds.get(name, ()):
                if not bound.holds(value):
                    return bound.text.format(x=name)
        return None

    return [missing]


def hints_of(function: Any) -> dict[str, Any]:
    """Its annotations with everything that was annotated; none if they cannot be evaluated."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:
        return {}


def invariants_of(kind: type) -> tuple[Invariant, ...]:
    """What is always true of the objects of a class."""
    known = _invariants.get(kind)
    if known is None:
        known = _invariants[kind] = tuple(_read_invariants(kind))
    return known


_invariants: dict[type, tuple[Invariant, ...]] = {}


def _read_invariants(kind: type) -> list[Invariant]:
    found: list[Invariant] = [
        (text_of(c.condition, c.description), functools.partial(_keeps, c.condition))
        for c in getattr(kind, "__invariants__", ())
        if hasattr(c, "condition")
    ]
    for validator in getattr(kind, "_deal_invariants", ()):
        text = text_of(validator.raw_validator, validator.message, only="self")
        found.append((text, functools.partial(_passes, _of_deal(validator))))
    for owner in kind.__mro__:
        for text in docstrings.clauses(owner, "inv"):
            code, module = compile(text, "<docstring>", "eval"), sys.modules.get(owner.__module__)
            found.append((text, functools.partial(_satisfies, code, vars(module) if module else {})))
    return found


def _passes(requirement: Requirement, x: object) -> bool:
    return requirement((x,), {}) is None


def _keeps(condition: Callable[..., Any], x: object) -> bool:
    return is_met(condition, {"self": x})


def _satisfies(code: Any, names: dict[str, Any], x: object) -> bool:
    try:
        return bool(eval(code, names, {"self": x}))
    except Exception:
        return False
