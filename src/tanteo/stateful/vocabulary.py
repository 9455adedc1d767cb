"""The atoms of a call: what may be asked about its target, its arguments and its result."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from tanteo.session import Session
from tanteo.stateful.atoms import RESULT, Atom, make_atom
from tanteo.stateful.conditions import conditions_of
from tanteo.stateful.questions import SIZED, Questions
from tanteo.types import is_a

MOST_ATOMS = 64  # of one call
MOST_KINDS = 3  # of one argument
NUMBERS = (int, float)
Kinds = dict[str, list[type]]  # of the values that a parameter was given, the commonest first


def atoms_of(operation: int, kinds: Kinds, questions: Questions, session: Session) -> list[Atom]:
    """What is asked before and after a call; `kinds` says what its parameters have been given."""
    scope = _scope(operation, session)
    names = list(kinds)
    texts: dict[str, str] = {}
    for name, given in kinds.items():
        texts |= dict(_about_one(name, given, questions))
    for one, other in permutations(names, 2):
        texts |= dict(_about_two(one, other, kinds, questions))
    if RESULT not in names:
        function = session.rules.passing.functions[operation]
        texts |= dict.fromkeys(conditions_of(function), "condition")
    found = []
    for text, family in {_in_order(text): family for text, family in texts.items()}.items():
        if family not in questions.off and text not in questions.impure:
            atom = make_atom(text, names, family, scope)
            found += [atom] if atom is not None else []
    return found[:MOST_ATOMS]


def _in_order(text: str) -> str:
    """`a is b` and `b is a` are one question."""
    match ast.parse(text, mode="eval").body:
        case ast.Compare(
            left=ast.Name(id=one), ops=[ast.Is() | ast.Eq() as sign], comparators=[ast.Name(id=two)]
        ):
            first, second = sorted((one, two))
            return f"{first} {'is' if isinstance(sign, ast.Is) else '=='} {second}"
    return text


def _scope(operation: int, session: Session) -> dict[str, Any]:
    """The names that a text may use besides the parameters: those of the module."""
    module = sys.modules.get(session.operations[operation].module)
    function = session.rules.passing.functions[operation]
    return {**vars(builtins), **vars(module or builtins), **getattr(function, "__globals__", {})}


def _about_one(name: str, kinds: list[type], questions: Questions) -> Iterator[tuple[str, str]]:
    if len(kinds) > 1:
        if type(None) in kinds:
            yield f"{name} is None", "query"
        for kind in kinds[:MOST_KINDS]:
            if kind is not type(None):
                yield f"isinstance({name}, {kind.__name__})", "query"
    for kind in kinds[:MOST_KINDS]:
        for question in questions.unary(kind):
            yield question.about(name), question.family


def _about_two(one: str, other: str, kinds: Kinds, questions: Questions) -> Iterator[tuple[str, str]]:
    """How two of them are related; the first is the one with the larger say."""
    mine, theirs = kinds[one][0], kinds[other][0]
    for question in questions.binary(mine):
        if not question.kinds or any(is_a(theirs, kind) for kind in question.kinds):
            yield question.about(one, other), question.family
    if one < other and _alike(mine, theirs):
        yield f"{one} is {other}", "relation"
        yield f"{one} == {other}", "relation"
    if mine in NUMBERS and theirs in NUMBERS:
        yield f"{one} < {other}", "relation"
    if _sized(mine) and theirs in NUMBERS:
        yield f"{other} < len({one})", "relation"
    if _sized(mine) and _sized(theirs) and one < other:
        yield f"len({one}) == len({other})", "relation"
        yield f"set({one}).isdisjoint({other})", "relation"
    if _sized(mine) and _sized(theirs):
        yield f"set({one}) <= set({other})", "relation"
    if mine in SIZED and mine not in (str, bytes):
        yield f"{other} in {one}", "relation"


def _alike(one: type, other: type) -> bool:
    return one is other or is_a(one, other) or is_a(other, one)


def _sized(kind: type) -> bool:
    return hasattr(kind, "__len__") and hasattr(kind, "__iter__") and kind not in (str, bytes)
