"""What an undeclared parameter may want: several sources, each gives weighted candidates with its reason.

A weight is the number of good tries that it is worth; what running teaches is added to it in `beliefs`.
"""

from __future__ import annotations

import ast
import collections
import datetime
import decimal
import inspect
import io
import pathlib
import re
import types
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tanteo.examples import Calls, values_for
from tanteo.infer import STAND_INS
from tanteo.model import Literal
from tanteo.stubs import Stubs
from tanteo.types import ANYTHING, FUNCTION, ITERATOR, Guess, Slot, Want
from tanteo.uses import Use, Uses, merge_keys
from tanteo.values import functions_of_arity
from tanteo.wording import by_docstring, by_name

TYPES: dict[str, type] = {
    **{
        t.__name__: t
        for t in (
            *(int, float, str, bytes, bool, list, tuple, dict, set, type, complex, Exception),
            *(slice, range, frozenset),
        )
    },
    "function": FUNCTION,
    "Iterator": ITERATOR,
    "coroutine": types.CoroutineType,
}
# Whose attributes are looked at: the plain ones first.
ATTRIBUTED: tuple[type, ...] = (
    *(str, bytes, list, dict, set, tuple, int, float),
    *(datetime.datetime, datetime.date, datetime.timedelta, decimal.Decimal, pathlib.Path, re.Pattern),
    *(io.StringIO, io.BytesIO, collections.deque, type, FUNCTION, types.ModuleType),
)
PLAIN = (int, str, bytes, float, bool)  # what has a name is written down
DEEPEST = 2  # how far a parameter is followed into the functions that it is passed on to
MOST_VALUES = 20
MOST_KEYS = 8  # of a record
POINT = Want(dict, ((Want(int),), (Want(str),)), keys=("x", "y"))  # the fields of a class that `values` has
INNER = re.compile(r"<locals>\.\w+$")
MOST_ALTERNATIVES = 3  # for a value inside another


@dataclass(slots=True)
class Knowledge:
    """What the sources are read from, for all modules of a subject."""

    uses: dict[str, Uses] = field(default_factory=dict)  # by module
    calls: Calls = field(default_factory=dict)
    classes: dict[type, str] = field(default_factory=dict)  # of the subject
    off: frozenset[str] = frozenset()  # sources that are switched off
    stubs: Stubs = field(default_factory=Stubs)
    asynchronous: bool = False  # somewhere in it

    def of(self, function: Callable[..., Any], called: str, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
        """The parameters of a function with what is guessed about them."""
        found = []
        position = -1
        beside_class = any(want.kind is type for slot in slots for want in slot.wants)
        for slot in map(self._curbed, slots):
            position += not slot.receiver
            if slot.receiver or (slot.declared and not slot.open):
                guesses = () if slot.receiver else tuple(self._of_declared(function, called, position, slot))
            else:
                guesses = tuple(self._guess(function, called, position, slot))
            guesses += tuple(_fields(slot)) if beside_class else ()
            kind = _class_by_default(function, slot)
            if kind is not None:  # one that was derived from it will do, and hardly any other
                guesses = (Guess(Want(type, ((Want(kind),),)), 8.0, "default"), *guesses)
            kept = tuple(g for g in guesses if g.source not in self.off)
            known = slot.with_guesses(kept) if kept else slot
            found.append(known if kind is None else replace(known, default=None))
        return tuple(found)

    def _curbed(self, slot: Slot) -> Slot:
        """Without what is switched off."""
        if "annotation" in self.off and not slot.receiver:
            slot = replace(slot, wants=(ANYTHING,), declared=False)
        return replace(slot, default=None) if "default" in self.off else slot

    def _of_declared(self, function: Any, called: str, position: int, slot: Slot) -> Iterator[Guess]:
        """A type is declared: which values of it."""
        yield from self._examples(called, position, slot)
        use = self._use(function, slot.name)
        if use is not None and any(want.kind is str for want in slot.wants):
            yield from (g for g in self._by_use(function, use, DEEPEST) if g.source == "language")

    def _guess(self, function: Any, called: str, position: int, slot: Slot) -> Iterator[Guess]:
        yield from self._examples(called, position, slot)
        for want in self.stubs.wants(function, slot.name):
            yield Guess(want, 6.0, "stub")
        use = self._use(function, slot.name)
        if use is not None:
            yield from self._by_use(function, use, DEEPEST)
        yield from by_docstring(function, slot.name)
        yield from by_name(slot.name, slot.required)

    def heard(self, function: Any, slot: Slot, use: Use, makeable: Container[type]) -> Slot:
        """A parameter with what a stand-in for it was asked for; no class that nobody can make."""
        known = {guess.want for guess in slot.guesses}
        new = [g for g in self._by_use(function, use, 0) if g.want not in known and g.want.kind in makeable]
        guesses = tuple(replace(guess, source="stand-in") for guess in new)
        return slot.with_guesses((*slot.guesses, *guesses)) if guesses else slot

    def of_inner(self) -> tuple[Guess, ...]:
        """What the functions that are made in others want first: whoever calls a result calls one of them."""
        found: dict[Want, Guess] = {}
        for uses in self.uses.values():
            for parameters in (uses[name] for name in sorted(uses) if INNER.search(name)):
                name, use = next(iter(parameters.items()), ("", Use()))
                for guess in (*self._by_use(None, use, 0), *by_name(name)):
                    found.setdefault(guess.want, guess)
        return tuple(guess for guess in found.values() if guess.source not in self.off)

    def _examples(self, called: str, position: int, slot: Slot) -> Iterator[Guess]:
        by_type: dict[type, list[Literal]] = {}
        for value in values_for(self.calls.get(called, []), position, slot.name)[:MOST_VALUES]:
            by_type.setdefault(type(value), []).append(Literal(value, repr(value)))
        for kind, literals in by_type.items():
            yield Guess(Want(kind, choices=tuple(literals)), 4.0, "example")
            yield Guess(Want(kind), 3.0, "example")

    def _use(self, function: Any, parameter: str) -> Use | None:
        module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
        known = self.uses.get(module or "", {})
        use = known.get(name, {}).get(parameter)
        if use is None or not use.keys:
            return use
        keys: dict[str, Use] = {}  # a record of the same name in the same module is the same kind of thing
        for uses in known.values():
            keys = merge_keys(keys, uses[parameter].keys) if parameter in uses else keys
        return replace(use, keys=keys)

    def _by_use(self, function: Any, use: Use, deep: int) -> Iterator[Guess]:
        weight = 1.0 if deep == DEEPEST else 0.5
        for expression in use.classes:
            for kind in _classes(expression, function):
                yield Guess(Want(kind), 4.0 * weight, "isinstance")
        yield from self._by_type(function, use, deep, weight)
        for kind in self._with_attributes(use.attributes):
            yield Guess(Want(kind), 4.0 * weight, "attributes")
        named = [_evaluate(name, function) for name in use.names]
        for kind in dict.fromkeys(type(value) for value in named if self._is_own(type(value))):
            yield Guess(Want(kind), 4.0 * weight, "comparison")
        by_type: dict[type, list[Literal]] = {}
        for constant in [*use.constants, *(value for value in named if type(value) in PLAIN)]:
            by_type.setdefault(type(constant), []).append(Literal(constant, repr(constant)))
        for kind, literals in by_type.items():
            yield Guess(Want(kind, choices=tuple(literals[:MOST_VALUES])), 3.0 * weight, "comparison")
        if use.may_be_none:
            yield Guess(Want(type(None)), 1.0 * weight, "comparison")
        if use.texts:
            texts = tuple(Literal(text, repr(text)) for text in dict.fromkeys(use.texts))
            yield Guess(Want(str, choices=texts), 5.0 * weight, "language")
        if deep:
            yield from self._passed_on(function, use, deep)

    def _is_own(self, kind: type) -> bool:
        """Whether a class is the subject's, so that there may be objects of it."""
        root = kind.__module__.partition(".")[0]
        return any(module.partition(".")[0] == root for module in self.uses)

    def _by_type(self, function: Any, use: Use, deep: int, weight: float) -> Iterator[Guess]:
        """Built-in types that would do, containers with what is inside them."""
        rests = self._rests(function, use.prefixes)
        if rests:
            yield Guess(Want(str, choices=rests), 6.0 * weight, "use")
        for name, times in use.types.items():
            if name == "function" and use.arity is not None:
                yield Guess(Want(FUNCTION, choices=functions_of_arity(use.arity)), 5.0 * weight, "use")
            elif name == "dict" and use.keys:
                yield Guess(self._record(function, use, deep), 6.0 * weight, "use")
            elif name == "list" and use.element not in (None, Use()):
                inside = self._alternatives(function, use.inside(), deep)
                yield Guess(Want(list, (inside,)), min(2.0 * times, 5.0) * weight, "use")
            elif name in TYPES:
                yield Guess(Want(TYPES[name]), min(2.0 * times, 5.0) * weight, "use")

    def _rests(self, function: Any, prefixes: list[str]) -> tuple[Literal, ...]:
        """`getattr(self, "visit_" + kind)`: what kind may be is in the names of the functions."""
        names = [n.rpartition(".")[2] for n in self.uses.get(getattr(function, "__module__", None) or "", {})]
        found = dict.fromkeys(n.removeprefix(p) for p in prefixes for n in names if n.startswith(p))
        return tuple(Literal(rest, repr(rest)) for rest in found if rest)

    def _record(self, function: Any, use: Use, deep: int) -> Want:
        """A dict with the keys that are asked for, and what is done with each value."""
        keys = sorted(use.keys)[:MOST_KEYS]
        return Want(
            dict, tuple(self._alternatives(function, use.keys[k], deep - 1) for k in keys), keys=tuple(keys)
        )

    def _alternatives(self, function: Any, use: Use, deep: int) -> tuple[Want, ...]:
        """The likeliest types of something inside."""
        rests = self._rests(function, use.prefixes)
        if rests:
            return (Want(str, choices=rests),)
        if deep < 0:
            return tuple(Want(TYPES[n]) for n in use.types if n in TYPES)[:MOST_ALTERNATIVES] or (ANYTHING,)
        found = sorted(self._by_use(function, use, deep), key=lambda guess: -guess.weight)
        return tuple(dict.fromkeys(g.want for g in found[:MOST_ALTERNATIVES])) or (ANYTHING,)

    def _passed_on(self, function: Any, use: Use, deep: int) -> Iterator[Guess]:
        for callee, place in use.passed[:4]:
            target = _resolve(callee, function)
            if target is None:
                continue
            if isinstance(target, type):
                target = vars(target).get("__init__")
            try:
                names = list(inspect.signature(target).parameters)
            except (ValueError, TypeError):
                continue
            bound = "." in getattr(target, "__qualname__", "") and names[:1] in (["self"], ["cls"])
            name = (
                place
                if isinstance(place, str)
                else names[place + bound]
                if place + bound < len(names)
                else ""
            )
            inner = self._use(inspect.unwrap(target), name)
            if inner is not None and inner is not use:
                yield from self._by_use(target, inner, deep - 1)

    def _with_attributes(self, names: set[str]) -> Iterator[type]:
        """Types that have all of them: the subject's own, then two at most of the usual ones."""
        wanted = {n for n in names if not hasattr(object, n)}
        if not wanted:
            return
        found = [c for c in self.classes if all(hasattr(c, n) or n in _stored(c) for n in wanted)]
        usual = [c for c in ATTRIBUTED if all(hasattr(c, n) for n in wanted)]
        yield from (found[:3] + usual[:2]) or [c for c in self.classes if any(hasattr(c, n) for n in wanted)][
            :2
        ]


def _class_by_default(function: Any, slot: Slot) -> type | None:
    """The class that a parameter has for default, as `pointer_cls=JsonPointer` has."""
    if slot.default is not type or slot.declared:
        return None
    try:
        parameter = inspect.signature(function).parameters.get(slot.name)
    except (TypeError, ValueError):
        return None
    kind = parameter.default if parameter is not None else None
    return kind if isinstance(kind, type) and kind is not object else None


def _fields(slot: Slot) -> Iterator[Guess]:
    """What goes into a dict that is passed beside a class: the fields of one."""
    if any(want.kind is dict for want in slot.wants):
        yield Guess(POINT, 4.0, "record")


def _stored(cls: type) -> frozenset[str]:
    """Attributes that a class declares without a value."""
    return frozenset(getattr(cls, "__annotations__", ())) | frozenset(getattr(cls, "__slots__", ()) or ())


def _classes(expression: str, function: Any) -> list[type]:
    found = _evaluate(expression, function)
    kinds = found if isinstance(found, tuple) else (found,)
    return [STAND_INS.get(k, k) for k in kinds if isinstance(k, type)]


def _resolve(expression: str, function: Any) -> Any:
    """The function behind a name in the body of another; `self.method` in the class around it."""
    found = _evaluate(expression, function)
    return found if isinstance(found, (types.FunctionType, types.MethodType, type)) else None


def _evaluate(expression: str, function: Any) -> Any:
    head, *rest = expression.replace(" ", "").split(".") if "(" not in expression else (expression,)
    scope = getattr(function, "__globals__", {})
    owner = getattr(function, "__qualname__", "").rpartition(".")[0]
    if head in ("self", "cls") and owner:
        thing: Any = scope.get(owner.partition(".")[0])
    elif rest or head.isidentifier():
        thing = scope.get(head, TYPES.get(head))
    else:
        return _several(expression, function)
    for part in rest:
        try:
            thing = getattr(thing, part, None)
        except Exception:
            return None
    return thing


def _several(expression: str, function: Any) -> Any:
    """The classes of `(A, b.C)` or `A | B`; anything that would run code is left alone."""
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return None
    parts = tree.elts if isinstance(tree, ast.Tuple) else []
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
        parts = [tree.left, tree.right]
    found = [_evaluate(ast.unparse(p), function) for p in parts if isinstance(p, (ast.Name, ast.Attribute))]
    return tuple(f for f in found if isinstance(f, type))
