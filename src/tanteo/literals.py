"""Constants worth trying: the primitive pool of paper 000 and what the subject's source mentions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from tanteo.model import Literal, Statement, say
from tanteo.values import SOURCES, evaluate

LONGEST = 100  # characters of a string that is worth passing around
MOST_PER_MODULE = 400

SEEDS: dict[type, tuple[str, ...]] = {
    int: ("0", "1", "-1", "2", "3", "10", "100"),
    float: ("0.0", "1.0", "-1.0", "0.5", "10.0"),
    bool: ("True", "False"),
    str: ("''", "'a'", "'b'", "'hi!'", "'0'", "' '"),
    bytes: ("b''", "b'a'", "b'hi!'"),
    complex: ("0j", "1j"),
    type(None): ("None",),
    **SOURCES,
}
REPEATED_INTS = 128  # a repeated call draws its integers below this; paper 000's tool: below 100
SEVEN_BITS = bytes(number % REPEATED_INTS for number in range(256))

# Seeds alone are too few: most proposals would be duplicates, and a search tree needs two dozen keys.
FRESH = 0.7  # above this draw an integer is any small one

NONE: dict[type, list[Statement]] = {}

Scoped: TypeAlias = tuple[str, object]  # the innermost class or function that mentions it; its value


def mine(tree: ast.Module) -> list[Scoped]:
    """The constants of a module, each with the scope that mentions it; no docstrings."""
    found = {(scope, type(value), value): (scope, value) for scope, value in _walk(tree, "")}
    return list(found.values())[:MOST_PER_MODULE]


def _walk(node: ast.AST, scope: str) -> Iterator[Scoped]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from _walk(child, f"{scope}.{child.name}".lstrip("."))
        elif isinstance(child, ast.Constant):
            if _worthwhile(child.value):
                yield scope, child.value
        elif isinstance(child, ast.JoinedStr):
            continue
        else:
            yield from _walk(child, scope)


def _worthwhile(value: object) -> bool:
    if isinstance(value, (str, bytes)):
        return len(value) <= LONGEST
    return type(value) in (int, float) and abs(value) < 10**9  # type: ignore[arg-type]


class Literals:
    """Literal statements by type, made once each: seeds for everybody, mined ones by module."""

    def __init__(self) -> None:
        self._interned: dict[tuple[type, str], Statement] = {}
        self._seeds: dict[type, list[Statement]] = {}
        self._mined: dict[str, dict[type, list[Statement]]] = {}
        self._all_mined: dict[type, list[Statement]] = {}
        self._grouped: set[tuple[int, int]] = set()
        for kind, sources in SEEDS.items():
            self._seeds[kind] = [self.statement(kind, evaluate(s), s) for s in sources]
        self._numbers = [self.statement(int, number) for number in range(REPEATED_INTS)]

    def statement(self, kind: type, value: object, source: str | None = None) -> Statement:
        """The one statement for this value; `1`, `True` and `1.0` are three."""
        source = repr(value) if source is None else source
        found = self._interned.get((kind, source))
        if found is None:
            found = self._interned[kind, source] = say(Literal(value, source))
        return found

    def add_mined(self, module: str, constants: list[Scoped]) -> None:
        """Add what `mine` found in a module."""
        for _scope, value in constants:
            statement = self.statement(type(value), value)
            for group in (
                self._mined.setdefault(module, {}).setdefault(type(value), []),
                self._all_mined.setdefault(type(value), []),
            ):
                if (id(group), id(statement)) not in self._grouped:  # both live as long as we do
                    self._grouped.add((id(group), id(statement)))
                    group.append(statement)

    def draw(self, kind: type, module: str, rng: Random) -> Statement | None:
        """A literal of this very type: half seeds, else mined, mostly in the same module; "" is none."""
        r = rng.random() if module else 0.6
        if kind is int and r > FRESH:
            return self._numbers[int(rng.random() * REPEATED_INTS)]
        group = None
        if r < 0.4:
            group = self._mined.get(module, NONE).get(kind)
        elif r < 0.5:
            group = self._all_mined.get(kind)
        group = group or self._seeds.get(kind)
        return group[int(rng.random() * len(group))] if group else None

    def repeated(self, value: object, module: str, rng: Random, count: int) -> list[object]:
        """Other values of the same primitive type, one for each repeat of a call."""
        random = rng.random
        if type(value) is int:
            numbers: list[object] = list(rng.randbytes(count).translate(SEVEN_BITS))
            for position in range(int(random() * (count // 10 + 1))):  # up to a tenth from the literals
                numbers[position] = self._other(value, module, rng)
            return numbers
        return [self._other(value, module, rng) for _ in range(count)]

    def _other(self, value: object, module: str, rng: Random) -> object:
        statement = self.draw(type(value), module, rng)
        return value if statement is None or statement.literal is None else statement.literal.value
