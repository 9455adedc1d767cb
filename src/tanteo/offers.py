"""What modules have ready to be passed: classes where one is wanted, objects that exist since the import."""

from __future__ import annotations

import enum
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import replace

from tanteo.bindings import Bindings, symbol
from tanteo.literals import SEEDS
from tanteo.model import Literal
from tanteo.types import Slot, Want, is_a
from tanteo.values import evaluate

MOST_CLASSES = 12  # that stand for one `type[X]`
MOST_OBJECTS = 12  # of one class


def add_objects(bindings: Bindings, modules: list[types.ModuleType], roots: frozenset[str]) -> None:
    """An operation for each public object of a class of the subject: a registry, a sentinel, a default.

    Often they cannot be made in any other way, and they are what people pass.
    """
    seen: dict[int, object] = {}
    counts: dict[type, int] = {}
    for module in modules:
        for name in _offered(module, bindings):
            thing, kind = vars(module)[name], type(vars(module)[name])
            if (
                kind.__module__.partition(".")[0] not in roots
                or issubclass(kind, enum.Enum)
                or hasattr(kind, "__next__")  # each call would change it for all others
                or id(thing) in seen
            ):
                continue
            seen[id(thing)] = thing
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] <= MOST_OBJECTS:
                _add(bindings, module.__name__, name, thing)


def _offered(module: types.ModuleType, bindings: Bindings) -> Iterator[str]:
    """The names of a module that are meant for others."""
    if bindings.hides(module.__name__):
        return
    listed = getattr(module, "__all__", None)
    known = (
        listed if isinstance(listed, (list, tuple)) else [n for n in vars(module) if not n.startswith("_")]
    )
    yield from sorted(name for name in known if isinstance(name, str) and name in vars(module))


def _add(bindings: Bindings, module: str, name: str, value: object) -> int:
    again: Callable[[], object] = lambda: value  # noqa: E731
    number = len(bindings.operations)
    bindings.add(f"{module}.{name}", "constant", module, symbol(name), again, (), observer=True, helper=True)
    return number


def offer_classes(bindings: Bindings) -> None:
    """For each parameter that wants a class derived from another: those that there are."""
    ready = (o.index for o in bindings.operations if o.kind == "constant" and o.helper)
    numbers = {value: n for n in ready if isinstance(value := bindings.calls[n](), type)}
    for number, slots in enumerate(bindings.slots):
        told = tuple(_with_classes(slot, bindings, numbers) for slot in slots)
        if told != slots:
            bindings.refine(number, told)


def _with_classes(slot: Slot, bindings: Bindings, numbers: dict[type, int]) -> Slot:
    guesses = tuple(replace(g, want=_filled(g.want, bindings, numbers)) for g in slot.guesses)
    return replace(slot, wants=tuple(_filled(w, bindings, numbers) for w in slot.wants), guesses=guesses)


def _filled(want: Want, bindings: Bindings, numbers: dict[type, int]) -> Want:
    """With the classes that fit, also where the want is a part of this one."""
    if want.kind is not type:
        parts = tuple(tuple(_filled(w, bindings, numbers) for w in part) for part in want.parts)
        return want if parts == want.parts else replace(want, parts=parts)
    bases = tuple(base.kind for part in want.parts for base in part)
    if not bases or object in bases:
        return want
    built_in = tuple(Literal(b, b.__qualname__) for b in bases if b.__module__ == "builtins")
    choices = tuple(c for c in (*_written_down(), *built_in) if any(is_a(c.value, b) for b in bases))
    there = [c for c in bindings.classes if any(is_a(c, base) for base in bases)]
    offers = [_number_of(cls, bindings, numbers) for cls in dict.fromkeys((*bases, *there))]
    return replace(want, choices=choices, offers=tuple([n for n in offers if n >= 0][:MOST_CLASSES]))


def _number_of(cls: type, bindings: Bindings, numbers: dict[type, int]) -> int:
    """The operation that gives a class; -1 if nobody can import it."""
    if cls not in numbers:
        home, name = cls.__module__, cls.__qualname__
        module = bindings.published.get((home, name), home)
        offered = getattr(sys.modules.get(module), name, None) is cls and module != "builtins"
        hidden = bindings.hides(module) or name.startswith("_")
        numbers[cls] = _add(bindings, module, name, cls) if offered and not hidden else -1
    return numbers[cls]


def _written_down() -> Iterator[Literal]:
    """Classes that every test can name."""
    for source in SEEDS[type]:
        value = evaluate(source)
        if isinstance(value, type) and source.isidentifier():
            yield Literal(value, source)
