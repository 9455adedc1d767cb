"""A class in, its operations out: constructor, methods, properties, fields, operators, enum members."""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from tanteo import infer, operators, subclasses
from tanteo.bindings import UNKNOWN, Bindings, add_function, symbol
from tanteo.homes import is_made_by_library
from tanteo.types import ANYTHING, Slot, Want

# Inherited methods of these are somebody else's tested code and by the dozen; of mutable built-in
# containers we do keep them, because they change the state of the subject's objects.
SILENT_BASES = (object, str, int, float, complex, bytes, tuple, frozenset, type, BaseException)
MOST_MEMBERS = 40  # of a class that only makes arguments
MISSING = object()
PROTOCOL = "part of a protocol that Python itself calls"
NOT_TO_BE_MADE = re.compile(
    r"(do\s+not|don't|never|should\s+not\s+be|must\s+not\s+be|not\s+(meant|intended|supposed)\s+to\s+be)\s+"
    r"(instantiated?|construct(ed)?|created?)\s+(\w+\s+)?directly",
    re.IGNORECASE,
)


def read_class(bindings: Bindings, module: str, name: str, cls: type, only: str | None) -> None:
    full = f"{module}.{name}"
    if issubclass(cls, enum.Enum):
        for member in cls:
            label = f"{full}.{member.name}"
            form = f"{symbol(name)}.{member.name}"
            bindings.add(label, "constant", module, form, _constant(member), (), observer=True)
    elif only is None or only == "__init__":
        _add_constructor(bindings, module, name, cls)
    else:
        _add_constructor(bindings, module, name, cls, helper=True)
    read_members(bindings, module, name, cls, only)


def read_members(bindings: Bindings, module: str, name: str, cls: type, only: str | None = None) -> None:
    """What can be done with the objects of a class, or one thing only."""
    full = f"{module}.{name}"
    for attribute, owner, thing in _members(cls):
        if only is not None and attribute != only:
            continue
        if owner is not cls and owner in bindings.classes and only is None:
            continue  # tested with its owner, whose receivers include our instances
        if attribute.startswith("_") and not _is_special(attribute) and not bindings.private:
            if owner is cls:
                bindings.skip(f"{full}.{attribute}", "private")
            continue
        _add_member(bindings, module, name, cls, attribute, thing)


def read_helper(bindings: Bindings, module: str, name: str, cls: type, own: bool = False) -> None:
    """A class that only makes arguments: its constructor, or its members if it is an enum.

    Of one of the subject's package, which the Detective of GRT does not do, also methods that may prepare it.
    """
    if issubclass(cls, enum.Enum):
        private = any(part.startswith("_") for part in module.split("."))
        for member in () if private else cls:  # private ones are marks that something was not given
            form = f"{symbol(name)}.{member.name}"
            label = f"{module}.{name}.{member.name}"
            bindings.add(label, "constant", module, form, _constant(member), (), observer=True, helper=True)
    elif not issubclass(cls, BaseException):
        _add_constructor(bindings, module, name, cls, helper=True)
        for attribute, _, thing in list(_members(cls))[:MOST_MEMBERS] if own else ():
            if inspect.isfunction(thing) and not attribute.startswith("_"):
                receiver = (Slot("self", (Want(cls),), declared=True, receiver=True),)
                slots, call = infer.slots_of(thing, skip_first=True), _method(attribute)
                full, callee = f"{module}.{name}.{attribute}", f"{{0}}.{attribute}"
                add_function(bindings, module, full, "method", callee, thing, slots, receiver, call, True)


def _constant(value: object) -> Callable[[], object]:
    return lambda: value


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


STAND_IN = "stands_for_another_day"  # of classes of `datetime` where tests are recorded on another day


def _members(cls: type) -> Iterator[tuple[str, type, Any]]:
    """Attributes with the class that defines them, in a fixed order; nearest definition first."""
    seen: set[str] = set()
    for owner in cls.__mro__:
        if (
            owner in SILENT_BASES
            or is_made_by_library(owner)
            or STAND_IN in vars(owner)
            or (issubclass(cls, enum.Enum) and owner.__module__ == "enum")
        ):
            continue
        for name, thing in sorted(vars(owner).items()):
            if name not in seen:
                seen.add(name)
                yield name, owner, thing


def _add_constructor(bindings: Bindings, module: str, name: str, cls: type, helper: bool = False) -> None:
    full = f"{module}.{name}"
    if issubclass(cls, type):
        bindings.skip(full, "a metaclass: Python itself calls it")
        return
    if subclasses.is_incomplete(cls):
        _add_subclass(bindings, module, name, cls)
        return
    if isinstance(cls.__doc__, str) and NOT_TO_BE_MADE.search(cls.__doc__):  # it may be a property
        bindings.skip(full, "its docstring says that it is not to be instantiated directly")
        return
    slots = infer.slots_of(cls, skip_first=False)
    form = symbol(name) + "({args})"
    known = UNKNOWN if slots is None else slots
    function = next((f for f in (cls.__init__, cls.__new__) if inspect.isfunction(f)), None)
    bindings.add(full, "constructor", module, form, cls, known, function, helper=helper)


def _add_subclass(bindings: Bindings, module: str, name: str, cls: type) -> None:
    """A class with the least that it takes to be instantiated, to call what the abstract one has."""
    own = module.partition(".")[0] not in sys.stdlib_module_names  # for others plain containers will do
    able = own and bindings.subclasses and cls.__name__ == name and not name.startswith("_")
    source = subclasses.define(cls, symbol(name)) if able else None
    made = subclasses.make(cls, source.replace(symbol(name), name)) if source is not None else None
    if source is None or made is None:
        bindings.skip(f"{module}.{name}", "abstract: tested through its concrete subclasses")
        return
    bindings.classes[made] = made.__name__
    slots = infer.slots_of(made, skip_first=False) or ()
    form = made.__name__ + "({args})"
    function = made.__init__ if inspect.isfunction(made.__init__) else None  # type: ignore[misc]
    full = f"{module}.{made.__name__}"
    bindings.add(full, "constructor", module, form, made, slots, function, source, helper=True)


def _add_member(bindings: Bindings, module: str, name: str, cls: type, attribute: str, thing: Any) -> None:
    full = f"{module}.{name}.{attribute}"
    if getattr(cls, "_is_protocol", False) and _is_stub(thing):
        bindings.skip(full, "a protocol only says what others do")
        return
    receiver = (Slot("self", (Want(cls),), declared=True, receiver=True),)
    if _is_special(attribute):
        _add_operator(bindings, module, full, cls, attribute, thing, receiver)
    elif isinstance(thing, (staticmethod, classmethod)):
        bound = getattr(cls, attribute)
        slots = infer.slots_of(bound, skip_first=False)
        kind = "static method" if isinstance(thing, staticmethod) else "class method"
        callee = f"{symbol(name)}.{attribute}"
        add_function(bindings, module, full, kind, callee, bound, slots)
    elif isinstance(thing, (property, functools.cached_property)):
        _add_property(bindings, module, full, attribute, thing, receiver)
    elif inspect.isroutine(thing) or isinstance(thing, functools._lru_cache_wrapper):
        slots = infer.slots_of(thing, skip_first=True)
        callee = f"{{0}}.{attribute}"
        invoke = _method(attribute)
        add_function(bindings, module, full, "method", callee, thing, slots, receiver, invoke)
    elif isinstance(thing, type):
        bindings.skip(full, "a class inside a class")
    elif inspect.isdatadescriptor(thing) and hasattr(cls, "_fields"):
        _add_getter(bindings, module, full, attribute, receiver)
    if dataclasses.is_dataclass(cls) and attribute == "__dataclass_fields__":
        _add_fields(bindings, module, name, cls, receiver)


def _is_stub(thing: Any) -> bool:
    """Whether there is nothing in a function: `...`, `pass` or a docstring alone.

    The source says so: in an interpreter with probes every function has something in it.
    """
    try:
        (function,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return False
    body = function.body if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) else [function]
    return all(
        isinstance(s, ast.Pass) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in body
    )


def _method(attribute: str) -> Callable[..., object]:
    """A call through the receiver, so that overriding works as in the subject's own code."""
    if attribute.isidentifier():
        try:
            made: Callable[..., object] = eval(f"lambda self, *a, **k: self.{attribute}(*a, **k)")
            return made
        except SyntaxError:
            pass  # named like a keyword
    return lambda self, *a, **k: getattr(self, attribute)(*a, **k)


def _add_getter(
    bindings: Bindings,
    module: str,
    full: str,
    attribute: str,
    receiver: tuple[Slot, ...],
    getter: Any = None,
) -> None:
    form = f"{{0}}.{attribute}"
    read = lambda self: getattr(self, attribute)  # noqa: E731 - a def would need a second name
    bindings.add(full, "attribute", module, form, read, receiver, getter, observer=True)


def _add_setter(
    bindings: Bindings,
    module: str,
    full: str,
    attribute: str,
    receiver: tuple[Slot, ...],
    wants: tuple[Want, ...],
    setter: Any = None,
) -> None:
    slots = (*receiver, Slot("value", wants, declared=wants != (ANYTHING,)))
    form = f"{{0}}.{attribute} = {{1}}"
    write = lambda self, value: setattr(self, attribute, value)  # noqa: E731
    bindings.add(f"{full} =", "attribute write", module, form, write, slots, setter, value=False)


def _add_property(
    bindings: Bindings,
    module: str,
    full: str,
    attribute: str,
    thing: Any,
    receiver: tuple[Slot, ...],
) -> None:
    getter = getattr(thing, "fget", None) or getattr(thing, "func", None)
    _add_getter(bindings, module, full, attribute, receiver, getter)
    setter = getattr(thing, "fset", None)
    if setter is not None:
        known = infer.slots_of(setter, skip_first=True) or (Slot("value", (ANYTHING,)),)
        _add_setter(bindings, module, full, attribute, receiver, known[0].wants, setter)


def _add_fields(bindings: Bindings, module: str, name: str, cls: type, receiver: tuple[Slot, ...]) -> None:
    frozen = getattr(cls, "__dataclass_params__").frozen  # noqa: B009 - mypy does not know it
    hints = infer.annotations_of_class(cls)
    for item in dataclasses.fields(cls):
        if item.name.startswith("_") and not bindings.private:
            continue
        full = f"{module}.{name}.{item.name}"
        _add_getter(bindings, module, full, item.name, receiver)
        if not frozen:
            wants = infer.wants_of(hints.get(item.name, object))
            _add_setter(bindings, module, full, item.name, receiver, wants)


def _add_operator(
    bindings: Bindings,
    module: str,
    full: str,
    cls: type,
    attribute: str,
    thing: Any,
    receiver: tuple[Slot, ...],
) -> None:
    if attribute == "__call__" and inspect.isroutine(thing):
        slots = infer.slots_of(thing, skip_first=True)
        through = lambda self, *a, **k: self(*a, **k)  # noqa: E731
        add_function(bindings, module, full, "operator", "{0}", thing, slots, receiver, through)
        return
    known = operators.OPERATORS.get(attribute)
    if callable(thing) and inspect.unwrap(thing) is getattr(object, attribute, MISSING):
        return  # a decorator of classes has wrapped what every object has
    if known is None or thing is None or not (callable(thing) or inspect.isroutine(thing)):
        if callable(thing) and attribute not in ("__init__", "__new__", "__class__"):
            bindings.skip(full, PROTOCOL)
        return
    if attribute in operators.PICKLING and any(
        o.name.startswith(f"{module}.{cls.__name__}.") and o.form == known.form for o in bindings.operations
    ):
        return  # one way there and back is enough
    declared = infer.slots_of(thing, skip_first=True) or ()
    operands = []
    for position in range(known.operands):
        slot = declared[position] if position < len(declared) else Slot("other", (ANYTHING,))
        wants = (Want(cls), *slot.wants) if known.alike and slot.open else slot.wants
        operands.append(Slot(slot.name, wants, declared=slot.declared))
    bindings.add(
        full,
        "operator",
        module,
        known.form,
        known.call,
        (*receiver, *operands),
        thing,
        observer=known.observer,
        value=known.value,
    )
