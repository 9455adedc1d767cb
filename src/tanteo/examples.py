"""Calls that somebody has written down: in doctests, in the package itself, in its README and its tests.

Everything is parsed, nothing is run. Arguments that are literals are worth more than any guess: they are what
the authors think of as typical.
"""

from __future__ import annotations

import ast
import doctest
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FENCED = re.compile(r"```(?:python|py|pycon)?\n(.*?)```", re.DOTALL)
MOST = 30  # calls of one function
LONGEST = 300  # characters of an argument
UNKNOWN = object()  # an argument that is not a literal


class Call(NamedTuple):
    """The literal arguments of one call."""

    positional: tuple[object, ...]
    named: dict[str, object]


Calls = dict[str, list[Call]]  # by the last part of the name that is called


def read_calls(trees: Iterable[ast.Module], texts: Iterable[str] = ()) -> Calls:
    """All calls with at least one literal argument."""
    found: Calls = {}
    for tree in trees:
        for docstring in _docstrings(tree):
            _collect(_doctests(docstring), found)  # first: they are meant to be read
    for text in texts:
        _collect(_doctests(text), found)
        _collect(FENCED.findall(text), found)
    for tree in trees:
        _add_calls(tree, found)
    return found


def _docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node, clean=True)
            if text and ">>>" in text:
                yield text


def _doctests(text: str) -> list[str]:
    if ">>>" not in text:
        return []
    try:
        return [example.source for example in doctest.DocTestParser().get_examples(text)]
    except ValueError:  # inconsistent indentation
        return [line.partition(">>>")[2].strip() for line in text.splitlines() if ">>>" in line]


def _collect(sources: Iterable[str], found: Calls) -> None:
    for source in sources:
        try:
            _add_calls(ast.parse(source), found)
        except (SyntaxError, ValueError):
            continue


def _add_calls(tree: ast.AST, found: Calls) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        calls = found.setdefault(name, [])
        positional = tuple(_literal(a) for a in node.args)
        named = {k.arg: _literal(k.value) for k in node.keywords if k.arg}
        if len(calls) < MOST and any(a is not UNKNOWN for a in (*positional, *named.values())):
            calls.append(Call(positional, named))


def _literal(node: ast.expr) -> object:
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return UNKNOWN
    return value if len(repr(value)) <= LONGEST else UNKNOWN


def values_for(calls: list[Call], position: int, name: str) -> list[object]:
    """What was passed for one parameter, each value once."""
    found: dict[str, object] = {}
    for call in calls:
        value = (
            call.positional[position] if position < len(call.positional) else call.named.get(name, UNKNOWN)
        )
        if value is not UNKNOWN and value is not None:
            found.setdefault(repr(value), value)
    return list(found.values())
