"""Conditions that the code itself asks, as far as they can be asked at its entry (paper 001, section III-C).

Of `if`, `while`, `assert` and conditional expressions: `and`, `or` and `not` are split; a local variable
that is assigned once stands for what it was assigned; a parameter that is assigned anew is not the caller's.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MOST = 24  # of one function
LONGEST = 120  # characters; nobody reads a longer clause
DEEPEST = 3  # local variables in local variables
IMPURE = ("pop", "append", "next", "read", "write", "send", "add", "remove", "update", "clear", "insert")


def conditions_of(function: Any) -> list[str]:
    """Texts over the parameters, in the order in which they stand."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    node = _functions(code.co_filename).get((code.co_firstlineno, code.co_name))
    if node is None:
        return []
    parameters = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    assigned = _assigned(node)
    entry = parameters - set(assigned)
    once = {
        name: values[0] for name, values in assigned.items() if len(values) == 1 and values[0] is not None
    }
    found: dict[str, None] = {}
    for test in _tests(node):
        for atom in _split(test):
            lifted = _lifted(atom, entry, once, code.co_varnames, DEEPEST)
            if lifted is not None:
                text = ast.unparse(lifted)
                if len(text) <= LONGEST:
                    found[text] = None
    return list(found)[:MOST]


def numbers_of(function: Any) -> list[int]:
    """The whole numbers that stand in a function; its code has those of the probes, too."""
    code = getattr(function, "__code__", None)
    node = None if code is None else _functions(code.co_filename).get((code.co_firstlineno, code.co_name))
    inside = ast.walk(node) if node is not None else ()
    return [n.value for n in inside if isinstance(n, ast.Constant) and type(n.value) is int]


@functools.lru_cache(maxsize=64)
def _functions(file: str) -> dict[tuple[int, str], ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
            found[first, node.name] = node
    return found


def _assigned(node: ast.AST) -> dict[str, list[ast.expr | None]]:
    """What each local name is assigned; None where that cannot be written as an expression."""
    found: dict[str, list[ast.expr | None]] = {}
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                found.setdefault(name, []).append(value)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.setdefault(name, []).append(None)
    return {name: [v for v in values if v is not None] or [None] for name, values in found.items()}


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    for inner in ast.walk(node):
        match inner:
            case ast.If(test=test) | ast.While(test=test) | ast.Assert(test=test) | ast.IfExp(test=test):
                yield test


def _split(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _split(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _split(operand)
        case ast.Compare(left=left, ops=ops, comparators=others) if len(ops) > 1:
            sides = [left, *others]
            for number, sign in enumerate(ops):
                yield ast.Compare(left=sides[number], ops=[sign], comparators=[sides[number + 1]])
        case ast.Constant():
            return
        case _:
            yield test


def _lifted(
    node: ast.expr, entry: set[str], once: Mapping[str, ast.expr | None], local: tuple[str, ...], deep: int
) -> ast.expr | None:
    """The same over the parameters alone; None if it needs something that is not there at the entry."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Attribute(attr=name)) if name.startswith(IMPURE):
                return None
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Lambda():
                return None
    inlined = _Inlined(entry, once, frozenset(local), deep)
    found = inlined.visit(ast.parse(ast.unparse(node), mode="eval").body)
    return found if inlined.possible and inlined.asks else None


class _Inlined(ast.NodeTransformer):
    def __init__(
        self, entry: set[str], once: Mapping[str, ast.expr | None], local: frozenset[str], deep: int
    ) -> None:
        self.possible, self.asks = True, False
        self._entry, self._once, self._local, self._deep = entry, once, local, deep

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._entry:
            self.asks = True
        elif node.id in self._local:
            value = self._once.get(node.id)
            lifted = None
            if value is not None and self._deep:
                lifted = _lifted(value, self._entry, self._once, tuple(self._local), self._deep - 1)
            if lifted is None:
                self.possible = False
            else:
                self.asks = True
                return lifted
        return node
