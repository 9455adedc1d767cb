"""Declared invariants as contracts of values: arguments are looked at, too, and not only the receiver."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from tanteo.contracts import Contract
from tanteo.declared.reading import invariants_of


def invariant_contracts(classes: Iterable[type]) -> Iterator[Contract]:
    """A contract for every clause; classes may share one."""
    for text in dict.fromkeys(text for kind in classes for text, _ in invariants_of(kind)):
        yield _contract(text)


def _contract(text: str) -> Contract:
    def applies(kind: type) -> bool:
        return any(known == text for known, _ in invariants_of(kind))

    def holds(x: object) -> bool:
        return all(keeps(x) for known, keeps in invariants_of(type(x)) if known == text)

    return Contract(f"invariant: {text}", template_of(text), holds, applies)


def template_of(text: str) -> str:
    """The clause with a place for the object; nothing if it speaks of names that a test does not have."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return ""
    local = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "self":
            node.id = "{x}"
        elif isinstance(node, ast.Name) and node.id not in local and not hasattr(builtins, node.id):
            return ""
    return ast.unparse(tree)
