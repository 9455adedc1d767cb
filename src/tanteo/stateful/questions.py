"""What can be asked about an object without changing it: the public queries of its class.

Purity is established by running: a question is asked on many different objects, and one on which it changes
something, or says something else the second time, is enough to give it up for good. On empty containers even
`clear` looks innocent, so objects that are not alike come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

from tanteo.bindings import OBSERVING, TELLS_NOTHING
from tanteo.contracts.selfchecks import CHECKS
from tanteo.fingerprints import fingerprint
from tanteo.session import Session
from tanteo.subject import Operation
from tanteo.types import CONTAINERS, SCALARS, is_a

MOST_QUESTIONS = 24  # about a class
MOST_CONSTANTS = 4  # of the source, that a number is compared with
PLAIN = (*SCALARS, type(None))
SIZED = (*CONTAINERS, frozenset, str, bytes)
ONE, TWO = "x", "y"  # what questions are about
PUBLIC = re.compile(r"[^\W\d_]\w*")
NAME = re.compile(r"(?<![\w.])([xy])(?!\w)")
BINARY = frozenset({"__contains__", "__lt__", "__le__"})  # `==` is asked of all that are alike


@dataclass(frozen=True, slots=True)
class Question:
    """An expression over `x`, or over `x` and `y`; `kinds` are the classes that `y` may have."""

    text: str
    family: str
    ask: Callable[..., object]
    kinds: tuple[type, ...] = ()

    def about(self, *names: str) -> str:
        """The text with other names in it."""
        given = dict(zip((ONE, TWO), names, strict=False))
        return NAME.sub(lambda m: given.get(m[1], m[1]), self.text)


@dataclass(slots=True)
class Questions:
    """What may be asked about each class, found out once; what turned out to change something never again."""

    session: Session
    off: frozenset[str] = frozenset()  # families that are switched off
    constants: tuple[int, ...] = ()
    impure: set[str] = field(default_factory=set)
    _unary: dict[type, list[Question]] = field(default_factory=dict)
    _binary: dict[type, list[Question]] = field(default_factory=dict)

    def unary(self, kind: type, samples: Iterable[object] = ()) -> list[Question]:
        """Questions about one object of a class; the first time it is asked with samples to try them on."""
        found = self._unary.get(kind)
        if found is None:
            found = self._unary[kind] = self._find(kind, list(samples))
        return found

    def binary(self, kind: type) -> list[Question]:
        """Questions about an object and another one."""
        found = self._binary.get(kind)
        if found is None:
            found = self._binary[kind] = [q for q in self._pairs(kind) if q.family not in self.off]
        return found

    def _find(self, kind: type, samples: list[object]) -> list[Question]:
        texts: dict[str, str] = {}
        if kind in SIZED:
            texts |= {"len(x) == 0": "query", "len(x) == 1": "query"}
            texts |= dict.fromkeys(_of_elements(kind), "element")
        elif kind in (int, float):
            texts |= {"x == 0": "query", "x > 0": "query", "x == 1": "query"}
            texts |= {f"x == {c}": "threshold" for c in self.constants[:MOST_CONSTANTS]}
            texts |= {f"x > {c}": "threshold" for c in self.constants[:MOST_CONSTANTS]}
        elif kind not in PLAIN:
            for base in self._bases(kind, samples):
                if self._is_pure(_question(base, "query"), samples):
                    texts |= self._by_result(base, samples)
            if _is_iterable(kind):
                texts |= dict.fromkeys(_of_elements(kind), "element")
        questions = [_question(t, family) for t, family in texts.items() if family not in self.off]
        if kind not in PLAIN:
            questions += self._predicates(kind, samples)
        return [q for q in questions if self._is_pure(q, samples)][:MOST_QUESTIONS]

    def _bases(self, kind: type, samples: list[object]) -> list[str]:
        """Expressions that tell something of an object; public attributes among them."""
        found: dict[str, None] = {}
        for operation in self.session.operations:
            if operation.kind in OBSERVING and self._is_for(operation, kind, 0):
                found[operation.form.replace("{args}", "").replace("{0}", ONE)] = None
        for sample in samples:
            for name in _attributes(sample):
                if type(name) is str and PUBLIC.fullmatch(name) and not iskeyword(name):
                    found.setdefault(f"x.{name}", None)
        return list(found)

    def _predicates(self, kind: type, samples: list[object]) -> list[Question]:
        """Functions of the class's module that take one such object and say yes or no."""
        found = []
        for operation in self.session.operations if "query" not in self.off else ():
            slots = self.session.slots[operation.index]
            if operation.kind != "function" or operation.module != kind.__module__ or len(slots) != 1:
                continue
            if slots[0].declared and any(w.kind is not object and is_a(kind, w.kind) for w in slots[0].wants):
                name = operation.name.rpartition(".")[2]
                asked = Question(f"{name}({ONE})", "query", self.session.calls[operation.index])
                pure = self._is_pure(asked, samples)
                if pure and {type(_told(asked, sample)) for sample in samples} == {bool}:
                    found.append(asked)
        return found

    def _is_for(self, operation: Operation, kind: type, others: int) -> bool:
        slots = self.session.slots[operation.index]
        if not slots or not slots[0].receiver or not operation.value or TELLS_NOTHING.search(operation.form):
            return False
        if operation.name.rpartition(".")[2] in CHECKS:
            return False
        required = sum(slot.required for slot in slots[1:])
        return required == others and is_a(kind, slots[0].wants[0].kind)

    def _by_result(self, base: str, samples: list[object]) -> dict[str, str]:
        """What to ask of what an expression gives, by what it gave."""
        question = _question(base, "query")
        told = [_told(question, sample) for sample in samples]
        kinds = {type(value) for value in told if value is not Raised}
        if kinds and kinds <= {bool}:
            return {base: "query"}
        texts: dict[str, str] = {}
        if kinds & {int, float}:
            texts |= {f"{base} == 0": "query", f"{base} == 1": "query"}
            texts |= {f"{base} == {c}": "threshold" for c in self.constants[:MOST_CONSTANTS]}
        if kinds & set(SIZED):
            texts |= {f"len({base}) == 0": "query"}
        if type(None) in kinds and len(kinds) > 1:  # what never returns anything is no question
            texts |= {f"{base} is None": "query"}
        return texts

    def _pairs(self, kind: type) -> list[Question]:
        found = []
        for operation in self.session.operations:
            if operation.kind not in ("method", "operator") or not self._is_for(operation, kind, 1):
                continue
            name = operation.name.rpartition(".")[2]
            if operation.kind == "operator" and name not in BINARY:
                continue
            text = operation.form.replace("{args}", TWO).replace("{0}", ONE).replace("{1}", TWO)
            slot = self.session.slots[operation.index][1]
            kinds = tuple(w.kind for w in slot.wants if w.kind is not object) if slot.declared else ()
            if operation.kind == "operator" or re.match(r"is|has|can|contains|disjoint|equal|same", name):
                found.append(_question(text, "query", kinds))
        return found

    def _is_pure(self, question: Question, samples: list[object]) -> bool:
        if question.text in self.impure:
            return False
        for number, sample in enumerate(samples):
            before = fingerprint([sample])
            first, second = _told(question, sample), _told(question, sample)
            if fingerprint([sample]) != before or type(first) is not type(second) or _differ(first, second):
                del samples[number]  # it is spoiled
                self.demote(question.text)
                return False
        return True

    def demote(self, text: str) -> None:
        """It changes something after all."""
        self.impure.add(text)
        for known in (self._unary, self._binary):
            for kind, questions in known.items():
                known[kind] = [q for q in questions if q.text != text]


def _attributes(sample: object) -> list[object]:
    try:
        return list(vars(sample))
    except Exception:  # none, or whoever is asked for them minds
        return []


class Raised:
    """What a question told that raised."""


def _question(text: str, family: str, kinds: tuple[type, ...] = ()) -> Question:
    names = "x, y" if re.search(r"(?<![\w.])y(?!\w)", text) else "x"
    return Question(text, family, eval(f"lambda {names}: {text}"), kinds)


def _told(question: Question, sample: object) -> Any:
    try:
        return question.ask(sample)
    except (Exception, SystemExit):  # an answer like any other
        return Raised


def _differ(one: Any, other: Any) -> bool:
    try:
        return type(one) in PLAIN and one is not other and one != other
    except Exception:
        return True


def _is_iterable(kind: type) -> bool:
    return hasattr(kind, "__iter__") and hasattr(kind, "__len__") and not hasattr(kind, "__next__")


def _of_elements(kind: type) -> list[str]:
    if kind in (str, bytes):
        return []
    texts = ["None in list(x)", "any(e is x for e in x)"]
    if not issubclass(kind, (set, frozenset, dict)):
        texts += ["len(set(x)) < len(x)", "sorted(x) == list(x)"]
    return texts
