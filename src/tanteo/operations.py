"""Live modules in, operations out: constructors, methods, functions, properties, operators.

Every public name becomes an operation or is skipped with a reason. Used by the zygote only; the driver
sees the resulting data.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tanteo import infer, operators
from tanteo.subject import Operation, Parameter, Skipped
from tanteo.types import ANYTHING, Slot, Want

# Inherited methods of these are somebody else's tested code and by the dozen; of mutable built-in
# containers we do keep them, because they change the state of the subject's objects.
SILENT_BASES = (object, str, int, float, complex, bytes, tuple, frozenset, type, BaseException)
UNKNOWN = (Slot("a", (ANYTHING,), required=False), Slot("b", (ANYTHING,), required=False))
PROTOCOL = "part of a protocol that Python itself calls"


@dataclass(slots=True)
class Bindings:
    """The live side of the operations, by number; grows while modules are read."""

    private: bool = False
    operations: list[Operation] = field(default_factory=list)
    calls: list[Callable[..., object]] = field(default_factory=list)
    slots: list[tuple[Slot, ...]] = field(default_factory=list)  # receiver first
    skipped: list[Skipped] = field(default_factory=list)
    classes: dict[type, str] = field(default_factory=dict)

    def add(
        self,
        name: str,
        kind: str,
        module: str,
        form: str,
        call: Callable[..., object],
        slots: tuple[Slot, ...],
        **flags: bool,
    ) -> None:
        """Register an operation under the next number."""
        parameters = tuple(
            Parameter(s.name, _in_words(s), s.required, s.keyword, s.variadic) for s in slots
        )
        number = len(self.operations)
        self.operations.append(
            Operation(number, name, kind, module, form, parameters, **flags)  # type: ignore[arg-type]
        )
        self.calls.append(call)
        self.slots.append(slots)

    def skip(self, name: str, reason: str) -> None:
        """Remember why something is not tested."""
        self.skipped.append(Skipped(name, reason))


def _in_words(slot: Slot) -> tuple[str, ...]:
    hint = (f"{slot.default.__qualname__} (default)",) if slot.default is not None else ()
    return hint + tuple(map(str, slot.wants))


def read_modules(
    modules: list[types.ModuleType], roots: frozenset[str], chosen: dict[str, list[str]], private: bool
) -> Bindings:
    """All operations of these modules; `chosen` narrows a module to some qualified names."""
    bindings = Bindings(private)
    _add_displays(bindings)
    seen: set[int] = set()
    found: list[tuple[str, str, Any]] = []
    for module in modules:
        for name, thing in _public(module, bindings, roots):
            if id(thing) not in seen:
                seen.add(id(thing))
                found.append((module.__name__, name, thing))
    for _module, name, thing in found:
        if isinstance(thing, type):
            bindings.classes[thing] = name
    for module_name, name, thing in found:
        wanted = chosen.get(module_name)
        if wanted is None:
            _read(bindings, module_name, name, thing, None)
            continue
        for path in wanted:
            if path.split(".")[0] == name:
                _read(bindings, module_name, name, thing, path.partition(".")[2] or None)
    return bindings


def _public(
    module: types.ModuleType, bindings: Bindings, roots: frozenset[str]
) -> Iterator[tuple[str, Any]]:
    listed = getattr(module, "__all__", None)
    listed = set(listed) if isinstance(listed, (list, tuple)) else None
    hidden = any(part.startswith("_") and part != "__init__" for part in module.__name__.split("."))
    if hidden and not bindings.private:
        bindings.skip(module.__name__, "private module (what it exports elsewhere is tested there)")
        return
    for name, thing in sorted(vars(module).items(), key=lambda item: str(item[0])):
        if isinstance(thing, types.ModuleType) or not callable(thing):
            continue
        home = getattr(thing, "__module__", None)
        if not isinstance(home, str) or home.partition(".")[0] not in roots:
            continue  # imported from elsewhere
        public = name in listed if listed is not None else not name.startswith("_")
        full = f"{module.__name__}.{name}"
        if not public and not bindings.private:
            if home == module.__name__:
                bindings.skip(full, "not in __all__" if listed is not None else "private")
        elif not isinstance(thing, type) and not _is_function(thing):
            bindings.skip(full, f"an instance of {type(thing).__qualname__}, not a function or class")
        else:
            yield name, thing


def _is_function(thing: object) -> bool:
    return inspect.isroutine(thing) or isinstance(
        thing, (functools.partial, functools._lru_cache_wrapper)
    )


def _read(bindings: Bindings, module: str, name: str, thing: Any, only: str | None) -> None:
    if isinstance(thing, type):
        _read_class(bindings, module, name, thing, only)
    else:
        slots = infer.slots_of(thing, skip_first=False)
        _add_function(bindings, module, f"{module}.{name}", "function", "{symbol:%s}" % name, thing, slots)


def _add_function(
    bindings: Bindings,
    module: str,
    full: str,
    kind: str,
    callee: str,
    function: Any,
    slots: tuple[Slot, ...] | None,
    receiver: tuple[Slot, ...] = (),
    call: Callable[..., object] | None = None,
) -> None:
    """A function or method, with what makes a coroutine or a generator give a value."""
    call = call or function
    form = callee + "({args})"
    bare = inspect.unwrap(function) if callable(function) else function
    if inspect.isasyncgenfunction(bare):
        bindings.skip(full, "asynchronous generator")
        return
    if inspect.iscoroutinefunction(bare):
        form, call = f"asyncio.run({form})", _run_coroutine(call)
    elif inspect.isgeneratorfunction(bare):
        form = f"list(itertools.islice({form}, {operators.BOUND}))"
        call = _run_generator(call)
    bindings.add(full, kind, module, form, call, receiver + (UNKNOWN if slots is None else slots))


def _run_coroutine(function: Callable[..., Any]) -> Callable[..., object]:
    import asyncio

    return lambda *args, **named: asyncio.run(function(*args, **named))


def _run_generator(function: Callable[..., Any]) -> Callable[..., object]:
    take = operators.take
    return lambda *args, **named: take(function(*args, **named))


def _read_class(bindings: Bindings, module: str, name: str, cls: type, only: str | None) -> None:
    full = f"{module}.{name}"
    if issubclass(cls, enum.Enum):
        for member in cls:
            label = f"{full}.{member.name}"
            form = "{symbol:%s}.%s" % (name, member.name)
            bindings.add(label, "constant", module, form, _constant(member), (), observer=True)
    elif only is None or only == "__init__":
        _add_constructor(bindings, module, name, cls)
    else:
        _add_constructor(bindings, module, name, cls, helper=True)
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


def _constant(value: object) -> Callable[[], object]:
    return lambda: value


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _members(cls: type) -> Iterator[tuple[str, type, Any]]:
    """Attributes with the class that defines them, in a fixed order; nearest definition first."""
    seen: set[str] = set()
    for owner in cls.__mro__:
        if owner in SILENT_BASES or (issubclass(cls, enum.Enum) and owner.__module__ == "enum"):
            continue
        for name, thing in sorted(vars(owner).items()):
            if name not in seen:
                seen.add(name)
                yield name, owner, thing


def _add_constructor(
    bindings: Bindings, module: str, name: str, cls: type, helper: bool = False
) -> None:
    full = f"{module}.{name}"
    if inspect.isabstract(cls):
        bindings.skip(full, "abstract: tested through its concrete subclasses")
        return
    if getattr(cls, "_is_protocol", False):
        bindings.skip(full, "a protocol: cannot be instantiated")
        return
    slots = infer.slots_of(cls, skip_first=False)
    form = "{symbol:%s}({args})" % name
    bindings.add(
        full, "constructor", module, form, cls, UNKNOWN if slots is None else slots, helper=helper
    )


def _add_member(
    bindings: Bindings, module: str, name: str, cls: type, attribute: str, thing: Any
) -> None:
    full = f"{module}.{name}.{attribute}"
    receiver = (Slot("self", (Want(cls),), declared=True),)
    if _is_special(attribute):
        _add_operator(bindings, module, full, cls, attribute, thing, receiver)
    elif isinstance(thing, (staticmethod, classmethod)):
        bound = getattr(cls, attribute)
        slots = infer.slots_of(bound, skip_first=False)
        kind = "static method" if isinstance(thing, staticmethod) else "class method"
        callee = "{symbol:%s}.%s" % (name, attribute)
        _add_function(bindings, module, full, kind, callee, bound, slots)
    elif isinstance(thing, (property, functools.cached_property)):
        _add_property(bindings, module, full, attribute, thing, receiver)
    elif inspect.isroutine(thing) or isinstance(thing, functools._lru_cache_wrapper):
        slots = infer.slots_of(thing, skip_first=True)
        callee = "{0}.%s" % attribute
        invoke = _method(attribute)
        _add_function(bindings, module, full, "method", callee, thing, slots, receiver, invoke)
    elif isinstance(thing, type):
        bindings.skip(full, "a class inside a class")
    elif inspect.isdatadescriptor(thing) and hasattr(cls, "_fields"):
        _add_getter(bindings, module, full, attribute, receiver)
    elif dataclasses.is_dataclass(cls):
        pass  # a field's default; fields are read below
    if dataclasses.is_dataclass(cls) and attribute == "__dataclass_fields__":
        _add_fields(bindings, module, name, cls, receiver)


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
    bindings: Bindings, module: str, full: str, attribute: str, receiver: tuple[Slot, ...]
) -> None:
    form = "{0}.%s" % attribute
    read = lambda self: getattr(self, attribute)  # noqa: E731 - a def would need a second name
    bindings.add(full, "attribute", module, form, read, receiver, observer=True)


def _add_setter(
    bindings: Bindings,
    module: str,
    full: str,
    attribute: str,
    receiver: tuple[Slot, ...],
    wants: tuple[Want, ...],
) -> None:
    slots = (*receiver, Slot("value", wants, declared=wants != (ANYTHING,)))
    form = "{0}.%s = {1}" % attribute
    write = lambda self, value: setattr(self, attribute, value)  # noqa: E731
    bindings.add(f"{full} =", "attribute write", module, form, write, slots, value=False)


def _add_property(
    bindings: Bindings, module: str, full: str, attribute: str, thing: Any, receiver: tuple[Slot, ...]
) -> None:
    _add_getter(bindings, module, full, attribute, receiver)
    setter = getattr(thing, "fset", None)
    if setter is not None:
        known = infer.slots_of(setter, skip_first=True) or (Slot("value", (ANYTHING,)),)
        _add_setter(bindings, module, full, attribute, receiver, known[0].wants)


def _add_fields(
    bindings: Bindings, module: str, name: str, cls: type, receiver: tuple[Slot, ...]
) -> None:
    frozen = getattr(cls, "__dataclass_params__").frozen  # noqa: B009 - mypy does not know it
    hints = infer.annotations_of_class(cls)
    for item in dataclasses.fields(cls):  # type: ignore[arg-type]
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
        _add_function(bindings, module, full, "operator", "{0}", thing, slots, receiver, through)
        return
    known = operators.OPERATORS.get(attribute)
    if known is None or thing is None or not (callable(thing) or inspect.isroutine(thing)):
        if callable(thing) and attribute not in ("__init__", "__new__", "__class__"):
            bindings.skip(full, PROTOCOL)
        return
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
        observer=known.observer,
        value=known.value,
    )


def _add_displays(bindings: Bindings) -> None:
    """Container displays make arguments; they are numbers 0 to 3 of every subject."""
    anything = (Slot("items", (ANYTHING,), required=False, variadic=True),)
    make: dict[str, tuple[str, Callable[..., object]]] = {
        "list": ("[{args}]", lambda *items: list(items)),
        "tuple": ("tuple", lambda *items: items),
        "dict": ("dict", lambda *items: dict(zip(items[::2], items[1::2], strict=True))),
        "set": ("set", lambda *items: set(items)),
    }
    for name, (form, call) in make.items():
        bindings.add(name, "display", "builtins", form, call, anything, observer=True, helper=True)
