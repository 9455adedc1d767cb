"""Other code for functions that are alive: how to compile one function alone, and whose code it replaces."""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Iterator
from typing import NamedTuple

FUTURE = 0x1000000  # the flag of `from __future__ import annotations`


class Outer(NamedTuple):
    """A function that is in no other function, and the classes around it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    owners: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        """What its code object says of itself: qualified name and first line."""
        first = min([self.node.lineno, *(d.lineno for d in self.node.decorator_list)])
        return ".".join((*self.owners, self.node.name)), first


def outer_functions(node: ast.AST, owners: tuple[str, ...] = ()) -> Iterator[Outer]:
    """The outermost functions of a module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield Outer(child, owners)
        elif isinstance(child, ast.ClassDef):
            yield from outer_functions(child, (*owners, child.name))
        elif isinstance(child, ast.stmt):
            yield from outer_functions(child, owners)


def living(outer: Outer, file: str, functions: list[types.FunctionType]) -> list[types.FunctionType]:
    """The function objects that run this source."""
    name, first = outer.key
    return [
        f
        for f in functions
        if f.__code__.co_qualname == name
        and f.__code__.co_firstlineno == first
        and f.__code__.co_filename == file
    ]


def compile_alone(outer: Outer, file: str, flags: int) -> types.CodeType | None:
    """The code of one function, inside classes of the same names, for private names and `super`.

    None for what cannot be compiled alone: functions with type parameters, or a change that is not Python.
    """
    node: ast.stmt = outer.node
    outer.node.decorator_list = []
    for owner in reversed(outer.owners):
        around = ast.parse(f"class {owner}: pass").body[0]
        assert isinstance(around, ast.ClassDef)
        around.body = [node]
        node = around
    try:
        module = ast.fix_missing_locations(ast.Module([node], []))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # calling a string literal, which a placeholder is
            code: types.CodeType = compile(module, file, "exec", flags=flags & FUTURE, dont_inherit=True)
        for name in (*outer.owners, outer.node.name):
            code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    except (StopIteration, ValueError, SyntaxError):
        return None
    return code


def fill(code: types.CodeType, real: dict[str, object]) -> types.CodeType:
    """The code with placeholders among its constants replaced, also in what is defined inside."""

    def constant(value: object) -> object:
        if isinstance(value, types.CodeType):
            return fill(value, real)
        return real.get(value, value) if isinstance(value, str) else value

    return code.replace(co_consts=tuple(constant(value) for value in code.co_consts))
