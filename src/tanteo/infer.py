"""What a parameter wants, read off its annotation and default. What running teaches is in `beliefs`."""

from __future__ import annotations

import ast
import enum
import functools
import importlib.util
import inspect
import io
import sys
import types
import typing
from collections import abc
from collections.abc import Callable
from typing import Any

from tanteo.model import Literal
from tanteo.types import ANYTHING, FUNCTION, NOTHING, AsyncFunction, Slot, Want
from tanteo.values import functions_of_arity

# An abstract container is asked for by what the caller may pass; the simplest built-in one will do.
STAND_INS: dict[object, type] = {
    abc.Iterable: list,
    abc.Collection: list,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Reversible: list,
    abc.Container: list,
    abc.Sized: list,
    abc.Set: set,
    abc.MutableSet: set,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
    abc.Callable: FUNCTION,
    abc.Iterator: list,
    abc.Awaitable: types.CoroutineType,
    abc.Coroutine: types.CoroutineType,
    typing.IO: io.StringIO,
    typing.TextIO: io.StringIO,
    typing.BinaryIO: io.BytesIO,
}
# Whose objects people pass where a protocol is asked for.
PLAIN: tuple[type, ...] = (int, str, list, dict, set, float, io.StringIO, io.BytesIO)
MOST_PLAIN = 3
MOST_PARTS = 4
AWAITABLE = (abc.Awaitable, abc.Coroutine)


def wants_of(annotation: object, depth: int = 0) -> tuple[Want, ...]:
    """The alternatives that an annotation allows; anything if it says nothing we understand."""
    if annotation is None or annotation is type(None):
        return (NOTHING,)
    if any(annotation is nothing for nothing in (Any, object, inspect.Parameter.empty)) or depth > 3:
        return (ANYTHING,)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return tuple(dict.fromkeys(w for a in args for w in wants_of(a, depth)))
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar):
        return wants_of(args[0], depth)
    if origin is typing.Literal:
        return tuple(dict.fromkeys(_exactly(a, args) for a in args))
    if isinstance(annotation, typing.TypeVar):
        limits = annotation.__constraints__ or (annotation.__bound__,)
        return tuple(w for a in limits if a is not None for w in wants_of(a, depth)) or (ANYTHING,)
    if isinstance(annotation, typing.NewType):
        return wants_of(annotation.__supertype__, depth)
    if typing.is_typeddict(annotation):
        known = annotations_of_class(annotation)  # type: ignore[arg-type]
        return (Want(dict, tuple(wants_of(a, depth + 1) for a in known.values()), keys=tuple(known)),)
    kind = origin or annotation
    if not isinstance(kind, type):  # an unhashable one among them, such as `x: [int]`
        return (ANYTHING,)
    if STAND_INS.get(kind) is FUNCTION and typing.get_origin(args[-1] if args else None) in AWAITABLE:
        return (Want(AsyncFunction),)
    if STAND_INS.get(kind) is FUNCTION and args and isinstance(args[0], list):  # it says how many it takes
        result = args[-1] if isinstance(args[-1], type) else None
        return (Want(FUNCTION, choices=functions_of_arity(len(args[0]), result)),)
    kind = io.BytesIO if kind is typing.IO and args == (bytes,) else STAND_INS.get(kind, kind)
    return (*map(Want, _fulfilling(kind)), Want(kind, _parts(kind, args, depth)))


def _fulfilling(protocol: type) -> list[type]:
    """Plain types that have all methods and attributes of a protocol."""
    if not getattr(protocol, "_is_protocol", False):
        return []
    wanted = getattr(protocol, "__protocol_attrs__", None)  # since 3.12
    if wanted is None:
        wanted = typing._get_protocol_attrs(protocol)  # type: ignore[attr-defined]
    found = [
        k for k in PLAIN if all(getattr(k, n, None) not in (None, getattr(object, n, None)) for n in wanted)
    ]
    return found[:MOST_PLAIN] if wanted else []


def _exactly(value: object, values: tuple[object, ...]) -> Want:
    """The choices of a Literal that have the type of this one; members of an enum by their class."""
    if isinstance(value, enum.Enum):
        return Want(type(value))
    same = [v for v in values if type(v) is type(value)]
    return Want(type(value), choices=tuple(Literal(v, repr(v)) for v in same))


def _parts(kind: type, args: tuple[object, ...], depth: int) -> tuple[tuple[Want, ...], ...]:
    if kind is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            args = (args[0],) * 2
        return tuple(wants_of(a, depth + 1) for a in args[:MOST_PARTS])
    if kind in (list, set, frozenset, dict, type):
        return tuple(wants_of(a, depth + 1) for a in args[: 2 if kind is dict else 1])
    return ()


def _annotations(function: object) -> dict[str, object]:
    """Resolved annotations; one that cannot be resolved does not spoil the others."""
    target: Any = inspect.unwrap(function) if callable(function) else function
    if isinstance(target, type) and hasattr(target, "_fields"):
        return annotations_of_class(target)
    if isinstance(target, type):
        target = target.__init__ if target.__init__ is not object.__init__ else target.__new__  # type: ignore[misc]
    more = imported_for_checkers(getattr(target, "__module__", None) or "")
    try:
        return typing.get_type_hints(target, None, more or None, include_extras=True)
    except Exception:
        raw = getattr(target, "__annotations__", None)
    found: dict[str, object] = {}
    for name, value in (raw if isinstance(raw, dict) else {}).items():
        if not isinstance(value, str):
            found[name] = value
            continue
        try:
            found[name] = eval(value, getattr(target, "__globals__", {}), more)
        except Exception:
            continue
    return found


def slots_of(function: Callable[..., object], skip_first: bool) -> tuple[Slot, ...] | None:
    """The parameters of a callable, without its receiver; None if Python does not tell them."""
    try:
        parameters = list(_signature(function).parameters.values())
    except (ValueError, TypeError):
        return None
    except Exception:  # a subject may define __signature__ as it likes
        return None
    hints = _annotations(function)
    own = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if skip_first and parameters and parameters[0].kind in own:
        parameters = parameters[1:]
    return tuple(
        _slot(p, hints.get(p.name, p.annotation))
        for p in _for_callers(parameters)
        if p.kind is not inspect.Parameter.VAR_KEYWORD
    )


def _signature(function: Callable[..., object]) -> inspect.Signature:
    """What can be passed: a decorator with parameters of its own says more than what it decorates."""
    told = inspect.signature(function)
    if not inspect.isfunction(function) or not hasattr(function, "__wrapped__"):
        return told
    own = inspect.signature(function, follow_wrapped=False)
    passes_on = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in own.parameters.values())
    return told if passes_on or "__signature__" in vars(function) else own


def _for_callers(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Without `_names` with a default at the end, which a function has for itself: a memo, a short cut."""
    own = {p.name for p in parameters if p.name.startswith("_") and p.default is not inspect.Parameter.empty}
    kept = [p for p in parameters if p.name not in own or p.kind is not inspect.Parameter.KEYWORD_ONLY]
    rest = [p for p in kept if p.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)]
    plain = kept[: len(kept) - len(rest)]
    while plain and plain[-1].name in own:
        plain.pop()
    return plain + rest


def _slot(parameter: inspect.Parameter, annotation: object) -> Slot:
    declared = annotation is not inspect.Parameter.empty and not isinstance(annotation, str)
    wants = wants_of(annotation) if declared else (ANYTHING,)
    variadic = parameter.kind is inspect.Parameter.VAR_POSITIONAL
    has_default = parameter.default is not inspect.Parameter.empty
    known = has_default and parameter.default is not None and not declared
    return Slot(
        parameter.name,
        wants,
        required=not has_default and not variadic,
        keyword=parameter.kind is inspect.Parameter.KEYWORD_ONLY,
        variadic=variadic,
        positional=parameter.kind is inspect.Parameter.POSITIONAL_ONLY,
        declared=declared and wants != (ANYTHING,),
        default=type(parameter.default) if known else None,
    )


def annotations_of_class(cls: type) -> dict[str, object]:
    """Resolved annotations of a class body; none if they cannot be resolved."""
    try:
        return typing.get_type_hints(
            cls, None, imported_for_checkers(cls.__module__) or None, include_extras=True
        )
    except Exception:
        return {}


@functools.cache
def imported_for_checkers(module: str) -> dict[str, object]:
    """What `if TYPE_CHECKING:` imports, as far as somebody has imported it by now; read from the source."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError):
        return {}
    blocks = [
        node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    package = sys.modules[module].__package__ or ""
    found: dict[str, object] = {}
    for node in (inner for block in blocks for inner in ast.walk(block) if isinstance(inner, ast.ImportFrom)):
        name = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
        for alias in node.names:
            thing = getattr(sys.modules.get(name), alias.name, None)
            if thing is not None:
                found[alias.asname or alias.name] = thing
    return found
