"""Contracts as decorators, in a patch: icontract says all of them, deal those that need nothing old."""

from __future__ import annotations

import ast
import difflib
from pathlib import Path

from tanteo.stateful.reading import Row, surviving

MOST = 6  # clauses of one function
NO_END = "\n\\ No newline at end of file\n"  # what a patch says of a line that has none


def as_patch(rows: list[Row], files: dict[str, str], library: str) -> str:
    """A unified diff that puts decorators in front of functions; nothing is changed in place."""
    wanted: dict[str, list[Row]] = {}
    for row in surviving(rows):
        if row.sort not in ("raises", "invariant"):
            wanted.setdefault(row.operation, []).append(row)
    parts: list[str] = []
    for module, file in sorted(files.items()):
        before = Path(file).read_text()
        after = _decorated(before, module, wanted, library)
        if after != before:
            name = module.replace(".", "/") + ("/__init__.py" if file.endswith("__init__.py") else ".py")
            old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
            parts += difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")
    return "".join(part if part.endswith("\n") else f"{part}{NO_END}" for part in parts)


def _decorated(source: str, module: str, wanted: dict[str, list[Row]], library: str) -> str:
    tree = ast.parse(source)
    lines = source.split("\n")  # as `ast` counts them
    added: dict[int, list[str]] = {}
    for name, node in _functions(tree, module):
        rows = wanted.get(name, [])[:MOST]
        if rows and not _is_plain(node):
            continue
        snapshots = Snapshots()
        texts = [text for row in rows for text in _decorator(row, node, library, snapshots)]
        if texts:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            line = lines[first - 1]
            indent = line[: len(line) - len(line.lstrip())]
            ordered = sorted(
                dict.fromkeys(texts), key=lambda text: ".snapshot(" not in text
            )  # they come first
            added[first] = [f"{indent}{text}" for text in ordered]
    if not added:
        return source
    first, gap = _first_import(tree)
    added.setdefault(first, []).insert(0, f"import {library}{gap}")
    for number in sorted(added, reverse=True):
        lines[number - 1 : number - 1] = added[number]
    return "\n".join(lines)


def _functions(tree: ast.Module, module: str) -> list[tuple[str, ast.FunctionDef]]:
    found = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.append((f"{module}.{node.name}", node))
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef):
                found.append((f"{module}.{node.name}.{inner.name}", inner))  # type: ignore[attr-defined]
    return found


def _is_plain(node: ast.FunctionDef) -> bool:
    """Whether it is called as it is: no property, no class method, no generator, whose result comes later."""
    yields = any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))
    return not (node.decorator_list or node.name.startswith("__") or yields)


def _first_import(tree: ast.Module) -> tuple[int, str]:
    """The line behind the docstring and what comes from the future, and what must stand between."""
    for node in tree.body:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not future and not docstring:
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            gap = "" if isinstance(node, (ast.Import, ast.ImportFrom)) else "\n\n"
            return min([node.lineno, *(d.lineno for d in decorators)]), gap
    return 1, ""


def _decorator(row: Row, node: ast.FunctionDef, library: str, snapshots: Snapshots) -> list[str]:
    """A clause as the library writes it; nothing if it cannot."""
    parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    if row.sort == "precondition":
        names = _used(row.text, parameters)
        if library == "deal":
            return [f"@deal.pre(lambda _: {_of_call(row.text, parameters)})"] if names else []
        return [f"@icontract.require(lambda {', '.join(names)}: {row.text})"] if names else []
    known = len(snapshots.texts)
    claim = snapshots.claim(row.text)
    new = list(snapshots.texts.items())[known:]
    if "OLD" in claim and library != "icontract":
        return []
    if library == "deal":
        return [f"@deal.ensure(lambda _: {_of_call(claim, [*parameters, 'result'])})"]
    names = _used(claim, [*parameters, "result", "OLD"])
    found = [f"@icontract.ensure(lambda {', '.join(names)}: {claim})"]
    for name, old in new:
        given = ", ".join(_used(old, parameters))
        found.append(f'@icontract.snapshot(lambda {given}: {old}, name="{name}")')
    return found


def _of_call(text: str, names: list[str]) -> str:
    """With `_.name` for the arguments of a call: so deal gives them, however they were passed."""
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = f"_.{node.id}"
    return ast.unparse(tree)


def _used(text: str, names: list[str]) -> list[str]:
    mentioned = {n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)}
    return [name for name in names if name in mentioned]


class Snapshots(ast.NodeTransformer):
    """`old(...)` as an attribute of `OLD`, and what must be noted for it before the call."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self._condition = ""  # of what a consequence asks: where it does not hold, nobody may ask

    def claim(self, clause: str) -> str:
        """What must hold after the call."""
        antecedent, _, consequence = clause.rpartition(" implies ")
        if not antecedent:
            return self._read(consequence)
        told = self._read(antecedent)
        self._condition = ast.unparse(Unwrapped().visit(ast.parse(antecedent, mode="eval").body))
        text = f"not ({told}) or {self._read(consequence)}"
        self._condition = ""
        return ast.unparse(ast.parse(text, mode="eval").body)

    def _read(self, text: str) -> str:
        return ast.unparse(self.visit(ast.parse(text, mode="eval").body))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="old"), args=[inside]):
                text = ast.unparse(inside)
                if self._condition and text not in self.texts.values():
                    text = f"{text} if {self._condition} else None"
                name = next((n for n, known in self.texts.items() if known == text), f"old_{len(self.texts)}")
                self.texts[name] = text
                return ast.Attribute(value=ast.Name(id="OLD"), attr=name)
        return self.generic_visit(node)


class Unwrapped(ast.NodeTransformer):
    """Without `old(...)` around what is asked before the call anyway."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id="old"), args=[inside]):
                return inside
        return self.generic_visit(node)
