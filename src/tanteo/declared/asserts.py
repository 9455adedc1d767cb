"""Assertions of a function about its parameters alone: what it requires."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef


def guards_entry(file: str, line: int) -> bool:
    """Whether the assertion in this line says what a function requires; any other checks the code itself.

    Where the source cannot be read nobody can tell, and the caller is not blamed for more than he did.
    """
    return not _readable(file) or line in _lines(file)


@functools.cache
def _readable(file: str) -> bool:
    return Path(file).is_file()


@functools.cache
def _lines(file: str) -> frozenset[int]:
    """The lines of all such assertions in a file."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return frozenset()
    functions = [n for n in ast.walk(tree) if isinstance(n, Function)]
    return frozenset(line for f in functions for a in _leading(f) for line in range(a.lineno, _end(a) + 1))


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _leading(function: Function) -> list[ast.Assert]:
    """Those of the body itself that speak of parameters and of nothing that was worked out from them."""
    parameters = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    found = []
    for statement in function.body:
        if isinstance(statement, ast.Assert):
            names = {n.id for n in ast.walk(statement.test) if isinstance(n, ast.Name)}
            if names & parameters and not names & stored:
                found.append(statement)
    return found
