"""Assertions at the beginning of a function, about its parameters alone: what it requires."""

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
    """Up to the first statement that does something; a raise under a condition only refuses, too."""
    found = []
    parameters = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    for statement in function.body:
        if isinstance(statement, ast.Assert):
            names = {n.id for n in ast.walk(statement.test) if isinstance(n, ast.Name)}
            if names & parameters:
                found.append(statement)
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)) and not (
            isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Raise)
        ):
            break
    return found
