"""Tables at module level without one of their entries: mutants of data.

What stands outside of functions has taken effect when the subject was imported, so its source cannot be
changed any more; but a rule that is missing from a list of rules can be had by taking it out. Which rows of a
test tell the entries of a table apart shows nowhere else: all of them take the same way through the code.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FIRST = 1_000_000  # their numbers, behind those of the mutants of functions
MOST = 100  # entries of one table
FEWEST = 2
DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.Tuple)


class Loss(NamedTuple):
    """A table without one entry."""

    number: int
    file: str
    name: str
    place: int  # of the entry
    lines: frozenset[int]  # statements inside functions that mention the table


def losses(files: list[str]) -> Iterator[Loss]:
    """All tables of the subject, entry by entry; the same numbers each time."""
    modules = {getattr(module, "__file__", None): module for module in list(sys.modules.values())}
    number = FIRST
    for file in files:
        tree = ast.parse(Path(file).read_bytes())
        known = vars(modules[file]) if file in modules else {}
        for name in _tables(tree):
            size = len(known[name]) if type(known.get(name)) in (list, dict, set, tuple) else 0
            lines = _mentions(tree, name) if size >= FEWEST else frozenset()
            every = max(1, size // MOST)
            for place in range(0, size if lines else 0, every):
                number += 1
                yield Loss(number, file, name, place, lines)


def _tables(tree: ast.Module) -> Iterator[str]:
    """Names that a container is written down for."""
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        target = statement.target if isinstance(statement, ast.AnnAssign) else target
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and isinstance(value, DISPLAYS) and not target.id.startswith("__"):
            yield target.id


def _mentions(tree: ast.Module, name: str) -> frozenset[int]:
    """Where functions use it: the lines of the statements."""
    functions = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    found = set()
    for function in functions:
        for statement in ast.walk(function):
            if isinstance(statement, ast.stmt) and statement is not function:
                parts = [statement.test] if isinstance(statement, (ast.If, ast.While)) else []
                parts = [statement.iter] if isinstance(statement, (ast.For, ast.AsyncFor)) else parts
                whole: list[ast.AST] = [*parts] if hasattr(statement, "body") else [statement]
                inside = [node for part in whole for node in ast.walk(part)]
                if any(isinstance(node, ast.Name) and node.id == name for node in inside):
                    found.add(statement.lineno)
    return frozenset(found)


def take_out(loss: Loss) -> bool:
    """Let the table do without the entry; False if there is none."""
    module = next((m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == loss.file), None)
    table: Any = vars(module).get(loss.name) if module is not None else None
    if type(table) not in (list, dict, set, tuple) or loss.place >= len(table):
        return False
    if type(table) is tuple:
        vars(module)[loss.name] = table[: loss.place] + table[loss.place + 1 :]
    elif type(table) is list:
        del table[loss.place]
    else:
        entry = sorted(table, key=repr)[loss.place]
        table.pop(entry) if type(table) is dict else table.discard(entry)
    return True
