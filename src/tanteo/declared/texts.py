"""The source of a condition, as its author wrote it."""

from __future__ import annotations

import ast
import copy
import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any


def text_of(condition: Callable[..., Any], description: str | None = None, only: str = "") -> str:
    """What a condition says: the body of a lambda; else its description, or the name of the function.

    `only` is what its only parameter is called in the text.
    """
    code = getattr(condition, "__code__", None)
    if code is None or code.co_name != "<lambda>":
        return description or getattr(condition, "__name__", "") or type(condition).__name__
    names = list(inspect.signature(condition).parameters)
    for found in _lambdas(code.co_filename):
        arguments = [a.arg for a in (*found.args.posonlyargs, *found.args.args, *found.args.kwonlyargs)]
        if found.lineno == code.co_firstlineno and arguments == names:
            return (
                _with_name(found.body, names[0], only)
                if only and len(names) == 1
                else ast.unparse(found.body)
            )
    return description or f"a condition in line {code.co_firstlineno}"


def _with_name(body: ast.expr, old: str, new: str) -> str:
    tree = copy.deepcopy(body)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return ast.unparse(tree)


@functools.cache
def _lambdas(file: str) -> list[ast.Lambda]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
