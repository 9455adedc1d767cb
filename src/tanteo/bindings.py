"""Operations with their live side: what to call, and with what. Grows while modules are read."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tanteo import operators
from tanteo.beliefs import DECLARED, DEFAULT
from tanteo.subject import Operation, Parameter, Skipped
from tanteo.types import ANYTHING, Slot, is_a

# Python does not tell the parameters of some C functions: up to two are tried.
GENERATED = "generated code"
OBSERVING = {"attribute": 0, "property": 0, "operator": 1, "method": 2}
TELLS_NOTHING = re.compile(r"^(hash|next|aiter|iter|str|repr|copy|deepcopy)\(|reversed\(|^with |^-|^\+|^~")
QUESTION = re.compile(r"is_|has_|get|size|count|len|num|to_|as_|total|keys|values|items|min|max|first|last")
MOST_GUESSES = 6  # that are shown
UNKNOWN = (Slot("a", (ANYTHING,), required=False), Slot("b", (ANYTHING,), required=False))


@dataclass(slots=True)
class Bindings:
    """The live side of the operations, by number; grows while modules are read."""

    private: bool = False
    subclasses: bool = True  # minimal ones of abstract classes
    named: tuple[str, ...] = ()  # modules that the user has named: these are meant, whatever their names say
    operations: list[Operation] = field(default_factory=list)
    calls: list[Callable[..., object]] = field(default_factory=list)
    slots: list[tuple[Slot, ...]] = field(default_factory=list)  # receiver first
    functions: list[Any] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    classes: dict[type, str] = field(default_factory=dict)
    specified: set[int] = field(default_factory=set)  # operations that say what they require
    muted: set[int] = field(default_factory=set)  # observers that did not come back once
    published: dict[tuple[str, str], str] = field(
        default_factory=dict
    )  # home and name -> where it is offered
    _observers: dict[type, list[int]] = field(default_factory=dict)
    _packages: set[str] = field(default_factory=set)

    def add(
        self,
        name: str,
        kind: str,
        module: str,
        form: str,
        call: Callable[..., object],
        slots: tuple[Slot, ...],
        function: Any = None,  # whose source tells about the parameters
        definition: str = "",
        **flags: bool,
    ) -> None:
        """Register an operation under the next number."""
        parameters = tuple(map(_parameter, slots))
        number = len(self.operations)
        defined = _defined(function)
        self.operations.append(
            Operation(
                number,
                name,
                kind,
                module,
                form,
                parameters,
                defined=defined,
                definition=definition,
                **flags,
            )
        )
        self.calls.append(call)
        self.slots.append(slots)
        self.functions.append(function)

    def hides(self, module: str) -> bool:
        """Whether the name of a module says that nobody should import from it."""
        inside = [f"{module}.".removeprefix(f"{name}.") for name in self.named]
        rest = min((module, *inside), key=len)
        return not self.private and any(p.startswith("_") and p != "__init__" for p in rest.split("."))

    def refine(self, number: int, slots: tuple[Slot, ...]) -> None:
        """More is known about the parameters of an operation."""
        self.slots[number] = slots
        parameters = tuple(map(_parameter, slots))
        self.operations[number] = replace(self.operations[number], parameters=parameters)

    def observers(self, kind: type) -> list[int]:
        """Operations that may tell the state of an object and need nothing else; the plainest first."""
        found = self._observers.get(kind)
        if found is None:
            able = [o for o in self.operations if o.kind in OBSERVING and self._asks(o, kind)]
            found = [o.index for o in sorted(able, key=_plainness)]
            self._observers[kind] = found
        return found

    def _asks(self, operation: Operation, kind: type) -> bool:
        slots = self.slots[operation.index]
        if not slots or not slots[0].receiver or not operation.value or TELLS_NOTHING.search(operation.form):
            return False
        name, home = operation.name.rpartition(".")[2], operation.defined.partition(".")[0]
        inherited = operation.kind == "method" and home not in ("", operation.module.partition(".")[0])
        if inherited and not QUESTION.match(name):  # somebody else's, that may do anything
            return False
        return is_a(kind, slots[0].wants[0].kind) and not any(s.required for s in slots[1:])

    def owns(self, module: str) -> bool:
        """Whether a module is part of a package under test."""
        if not self._packages:
            self._packages.update(o.module.partition(".")[0] for o in self.operations if not o.helper)
        return module.partition(".")[0] in self._packages

    def class_name(self, kind: type) -> str:
        """What a class of the subject is called, also one that nobody else can import; nothing for others."""
        home = getattr(kind, "__module__", None)
        return self.classes.get(kind) or (kind.__name__ if isinstance(home, str) and self.owns(home) else "")

    def imports(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """What an expression needs, imported from where the subject offers it; what is ours comes along."""
        foreign = [pair for pair in pairs if pair[0] != operators.__name__]
        return [(self.published.get(pair, pair[0]), pair[1]) for pair in foreign]

    def skip(self, name: str, reason: str) -> None:
        """Remember why something is not tested."""
        self.skipped.append(Skipped(name, reason))


def _defined(function: Any) -> str:
    """Where a function comes from; nothing for those made inside others, which share a name.

    Nobody has written what a decorator of classes has made: it does not come from the subject.
    """
    owner = getattr(function, "__objclass__", None)  # of a method that is written in C
    known = inspect.isfunction(function) or isinstance(owner, type)
    name = getattr(function, "__qualname__", "") if known else ""
    home = getattr(owner or function, "__module__", None)
    file = function.__code__.co_filename if inspect.isfunction(function) else ""
    home = GENERATED if home and file.startswith("<") else home
    return f"{home}.{name}" if home and name and "<" not in name else ""


def _plainness(operation: Operation) -> tuple[int, bool, int]:
    """Attributes, then operators, then methods, those first that are named like a question."""
    name = operation.name.rpartition(".")[2]
    return OBSERVING[operation.kind], not QUESTION.match(name), operation.index


def _parameter(slot: Slot) -> Parameter:
    return Parameter(
        slot.name, _in_words(slot), slot.required, slot.keyword, slot.variadic, tuple(_reasons(slot))
    )


def _reasons(slot: Slot) -> Iterator[str]:
    """Everything that speaks for a type: good tries that it is worth, and the source."""
    if slot.receiver:
        return
    for want in slot.wants if slot.declared else ():
        yield f"{want}: {DECLARED:g} (annotation)"
    if slot.default is not None:
        yield f"{slot.default.__qualname__}: {DEFAULT:g} (default)"
    for guess in sorted(slot.guesses, key=lambda guess: -guess.weight):
        yield f"{textwrap.shorten(str(guess.want), 80)}: {guess.weight:g} ({guess.source})"
    if slot.open:
        yield "anything else: what running teaches"


def _in_words(slot: Slot) -> tuple[str, ...]:
    hint = [f"{slot.default.__qualname__} (default)"] if slot.default is not None else []
    best = sorted(slot.guesses, key=lambda guess: -guess.weight)[:MOST_GUESSES]
    guessed = [f"{textwrap.shorten(str(guess.want), 60)} ({guess.source})" for guess in best]
    return tuple(dict.fromkeys([*hint, *guessed, *map(str, slot.wants)]))


def symbol(name: str) -> str:
    """The place in a form where an imported name goes."""
    return f"{{symbol:{name}}}"


def add_function(
    bindings: Bindings,
    module: str,
    full: str,
    kind: str,
    callee: str,
    function: Any,
    slots: tuple[Slot, ...] | None,
    receiver: tuple[Slot, ...] = (),
    call: Callable[..., object] | None = None,
    helper: bool = False,
) -> None:
    """A function or method, with what makes a coroutine or a generator give a value."""
    call = call or function
    form = callee + "({args})"
    bare = inspect.unwrap(function) if callable(function) else function
    if inspect.isasyncgenfunction(bare):
        form, call = f"{operators.COLLECTED}{form}))", _run_async_generator(call)
    elif inspect.iscoroutinefunction(bare):
        form, call = f"asyncio.run({form})", _run_coroutine(call)
    elif inspect.isgeneratorfunction(bare):
        form = f"{operators.TAKEN}{form}, {operators.BOUND}))"
        call = _run_generator(call)
    slots = receiver + (UNKNOWN if slots is None else slots)
    bindings.add(full, kind, module, form, call, slots, bare, helper=helper)


def _run_coroutine(function: Callable[..., Any]) -> Callable[..., object]:
    run = operators.run_coroutine
    return lambda *args, **named: run(function(*args, **named))


def _run_async_generator(function: Callable[..., Any]) -> Callable[..., object]:
    run, collected = operators.run_coroutine, operators.collected
    return lambda *args, **named: run(collected(function(*args, **named)))


def _run_generator(function: Callable[..., Any]) -> Callable[..., object]:
    take = operators.take
    return lambda *args, **named: take(function(*args, **named))
