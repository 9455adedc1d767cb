"""Live modules in, operations out. Every public name becomes an operation or is skipped with a reason.

Used where the subject runs; the driver sees the resulting data.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
import types
from collections import abc
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tanteo import infer, operators
from tanteo.bindings import UNKNOWN, Bindings, add_function, symbol
from tanteo.given import read_given_away
from tanteo.guesses import Knowledge
from tanteo.homes import home_of
from tanteo.literals import SEEDS
from tanteo.members import read_class, read_helper
from tanteo.subject import Operation
from tanteo.types import ANYTHING, CONTAINERS, FUNCTION, ITERATOR, AsyncFunction, Guess, Slot, Want
from tanteo.uses import Use
from tanteo.values import SOURCES

# By name: on another day some of these classes are others.
WRITTEN_DOWN = frozenset((kind.__module__, kind.__qualname__) for kind in SOURCES)
AWAITABLE = "asyncio.sleep(0, {0})"
ASYNCHRONOUS = "asyncio.run("
ASKED = 2.0  # good tries that an asynchronous function is worth
FARTHEST = 3  # how many classes deep the arguments of constructors from elsewhere are followed


def read_modules(
    modules: list[types.ModuleType],
    roots: frozenset[str],
    chosen: dict[str, list[str]],
    private: bool,
    subclasses: bool = True,
    named: tuple[str, ...] = (),
) -> Bindings:
    """All operations of these modules; `chosen` narrows a module to some qualified names."""
    bindings = Bindings(private, subclasses, named)
    _add_displays(bindings)
    by_identity: dict[int, tuple[str, str, Any]] = {}
    borrowed: dict[int, tuple[str, str, Any]] = {}
    for module in modules:
        for name, thing in _public(module, bindings, roots):
            group = by_identity if _belongs(name, thing, module) else borrowed
            known = group.get(id(thing))
            if known is None or _rank(module.__name__, thing) < _rank(known[0], thing):
                group[id(thing)] = (module.__name__, name, thing)
    found = list(by_identity.values())
    for module_name, name, thing in found:
        if isinstance(thing, type):
            bindings.classes[thing] = name
        if getattr(thing, "__qualname__", "") == name:
            bindings.published[home_of(thing) or "", name] = module_name
    for identity, (module_name, name, thing) in borrowed.items():
        if identity not in by_identity and isinstance(thing, type):
            bindings.classes[thing] = name
            own = thing.__module__.partition(".")[0] in roots
            read_helper(bindings, _source(module_name, name, thing), name, thing, own)
    for module_name, name, thing in found:
        for path in _paths(chosen.get(module_name), name):
            _read(bindings, module_name, name, thing, path)
    if not chosen:
        read_given_away(bindings, modules, [thing for *_, thing in found])
    return bindings


def _paths(chosen: list[str] | None, name: str) -> list[str | None]:
    """What of a thing is meant: all of it (None), or these of its members."""
    if chosen is None:
        return [None]
    return [path.partition(".")[2] or None for path in chosen if path.split(".")[0] == name]


def _public(module: types.ModuleType, bindings: Bindings, roots: frozenset[str]) -> Iterator[tuple[str, Any]]:
    listed = getattr(module, "__all__", None)
    listed = set(listed) if isinstance(listed, (list, tuple)) else None
    if bindings.hides(module.__name__):
        bindings.skip(module.__name__, "private module (what it exports elsewhere is tested there)")
        return
    for name, thing in sorted(vars(module).items(), key=lambda item: str(item[0])):
        if isinstance(thing, types.ModuleType) or not callable(thing):
            continue
        home = home_of(thing)
        if home is None or home.partition(".")[0] not in roots:
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


def _add_call(bindings: Bindings, module: str, asynchronous: bool, guesses: tuple[Guess, ...]) -> None:
    """The call of something that the subject has returned: a decorated function, a partial application."""
    callables: Any = abc.Callable
    wants = (Want(FUNCTION), Want(callables))  # objects that can be called have an operation of their own
    receiver = Slot("function", wants, declared=True, receiver=True)
    call = lambda function, *args: function(*args)  # noqa: E731
    first, second = UNKNOWN
    if asynchronous:  # a decorator, perhaps
        guesses += (Guess(Want(AsyncFunction), ASKED, "asynchronous code"),)
    first = first.with_guesses(guesses)
    bindings.add(f"{module}.call", "call", module, "{0}({args})", call, (receiver, first, second))


def _add_await(bindings: Bindings, module: str) -> None:
    """Waiting for something that the subject has returned and that is no coroutine."""
    things: Any = abc.Awaitable
    receiver = Slot("thing", (Want(things),), declared=True, receiver=True)
    wait = lambda thing: operators.run_coroutine(operators.awaited(thing))  # noqa: E731
    bindings.add(f"{module}.await", "call", module, "asyncio.run(awaited({0}))", wait, (receiver,))


def is_private(module: str) -> bool:
    """Whether its name says that nobody should import from it."""
    return any(part.startswith("_") and part != "__init__" for part in module.split("."))


def _belongs(name: str, thing: Any, module: types.ModuleType) -> bool:
    """Whether a name is the module's to offer: defined there, listed, or gathered from where nobody looks."""
    home = home_of(thing) or ""
    if home == module.__name__ or hasattr(module, "__path__") or is_private(home):
        return True
    listed = getattr(module, "__all__", None)
    return isinstance(listed, (list, tuple)) and name in listed


def _source(module: str, name: str, thing: Any) -> str:
    """Where to import something borrowed from: its home, if it has the same name there."""
    home = home_of(thing) or module
    return home if getattr(sys.modules.get(home), name, None) is thing else module


def _rank(module: str, thing: Any) -> int:
    """Where people import a name from: the package that publishes it, else where it is defined."""
    home = home_of(thing) or ""
    return 0 if home.startswith(module + ".") else 1 if home == module else 2


def _is_function(thing: object) -> bool:
    return inspect.isroutine(thing) or isinstance(thing, (functools.partial, functools._lru_cache_wrapper))


def _read(bindings: Bindings, module: str, name: str, thing: Any, only: str | None) -> None:
    if isinstance(thing, type):
        read_class(bindings, module, name, thing, only)
    else:
        slots = infer.slots_of(thing, skip_first=False)
        add_function(bindings, module, f"{module}.{name}", "function", symbol(name), thing, slots)


def guess(bindings: Bindings, known: Knowledge) -> None:
    """Add what the sources say about parameters, and the classes that they want from elsewhere."""
    known.classes = bindings.classes
    public = [module for module in known.uses if not bindings.hides(module)]
    asynchronous = known.asynchronous or any(o.form.startswith(ASYNCHRONOUS) for o in bindings.operations)
    if public and any("<locals>" in name for uses in known.uses.values() for name in uses):
        _add_call(
            bindings, public[0], asynchronous, known.of_inner()
        )  # a function is made in another, and perhaps returned
    if public and asynchronous:
        _add_await(bindings, public[0])
    done = 0
    for _ in range(FARTHEST):
        first, done = done, len(bindings.operations)
        wanted: dict[type, None] = {}
        for number in range(first, done):
            function, called = bindings.functions[number], _called(bindings.operations[number])
            slots = bindings.slots[number]
            if slots[-2:] == UNKNOWN and "stub" not in known.off:
                slots = (*slots[:-2], *(known.stubs.slots(function) or UNKNOWN))
            slots = known.of(function, called, slots)
            bindings.refine(number, slots)
            found = (k for slot in slots for k in _kinds(slot) if not (slot.receiver and _is_hidden(k)))
            wanted.update(dict.fromkeys(found))
        for kind in () if "detective" in known.off else wanted:
            _fetch(bindings, kind)


def hear(bindings: Bindings, known: Knowledge, answers: Mapping[int, Mapping[str, Use]]) -> None:
    """Add what stand-ins were asked for."""
    makeable = frozenset({*bindings.classes, *SEEDS, *CONTAINERS, ITERATOR})
    for number, uses in answers.items():
        function = bindings.functions[number]
        slots = [
            known.heard(function, slot, uses[slot.name], makeable) if slot.name in uses else slot
            for slot in bindings.slots[number]
        ]
        bindings.refine(number, tuple(slots))


def _is_hidden(kind: type) -> bool:
    """Whether nobody makes such an object by himself, though he may be given one."""
    return kind.__name__.startswith("_")


def _called(operation: Operation) -> str:
    """The name that a call of it is written with."""
    return operation.name.rpartition(".")[2]


def _kinds(slot: Slot) -> Iterator[type]:
    todo = [*slot.wants, *(g.want for g in slot.guesses)]
    while todo:
        want = todo.pop()
        yield want.kind
        todo += [w for part in want.parts for w in part]


def _fetch(bindings: Bindings, kind: type) -> None:
    """The constructor of a class from elsewhere that a parameter wants (GRT's Detective)."""
    if kind is types.CoroutineType:
        _add_awaitable(bindings)
        return
    module, name = kind.__module__, kind.__qualname__
    public = module.lstrip("_")
    if getattr(sys.modules.get(public), name, None) is kind:  # io, and not _io
        module = public
    if kind in bindings.classes or module == "builtins" or not name.isidentifier():
        return
    if (module, name) in WRITTEN_DOWN or module.startswith("_"):
        return  # nobody imports what is private
    if getattr(sys.modules.get(module), name, None) is kind:
        read_helper(bindings, module, name, kind, bindings.owns(module))
        bindings.classes.setdefault(kind, name)


def _add_awaitable(bindings: Bindings) -> None:
    """Something to wait for: a coroutine can be awaited once, so each run makes its own."""
    if any(o.form == AWAITABLE for o in bindings.operations):
        return
    slots = (Slot("result", (ANYTHING,)),)
    make: Callable[..., object] = lambda result: asyncio.sleep(0, result)  # noqa: E731
    bindings.add("asyncio.sleep", "function", "asyncio", AWAITABLE, make, slots, helper=True)


def _add_displays(bindings: Bindings) -> None:
    """Container displays make arguments; they are numbers 0 to 4 of every subject."""
    anything = (Slot("items", (ANYTHING,), required=False, variadic=True),)
    make: dict[str, tuple[str, Callable[..., object]]] = {
        "list": ("[{args}]", lambda *items: list(items)),
        "tuple": ("tuple", lambda *items: items),
        "dict": ("dict", lambda *items: dict(zip(items[::2], items[1::2], strict=True))),
        "set": ("set", lambda *items: set(items)),
        "iterator": ("iterator", lambda *items: iter(list(items))),
    }
    for name, (form, call) in make.items():
        bindings.add(name, "display", "builtins", form, call, anything, observer=True, helper=True)
