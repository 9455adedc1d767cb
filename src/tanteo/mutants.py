"""Changes of a module as data: a test that notices none of them asserts nothing."""

from __future__ import annotations

import ast
import builtins
import dataclasses
from collections.abc import Iterator
from typing import Any

PAIRS = """Lt LtE, Lt GtE, LtE Lt, LtE Gt, Gt GtE, Gt LtE, GtE Gt, GtE Lt, Eq NotEq, NotEq Eq, Is IsNot,
IsNot Is, In NotIn, NotIn In, Add Sub, Sub Add, Mult Div, Div Mult, FloorDiv Mult, Mod FloorDiv, Pow Mult,
LShift RShift, RShift LShift, BitAnd BitOr, BitOr BitAnd, BitXor BitAnd, And Or, Or And, Break Continue,
Continue Break"""
SWAPS = [tuple(pair.split()) for pair in PAIRS.split(",")]
FAMILIES = {ast.cmpop: "comparison", ast.operator: "arithmetic", ast.boolop: "boolean", ast.stmt: "jump"}
NO_CODE = {"annotation", "returns", "type_params"}
NO_PLACE = {"JoinedStr", "TemplateStr", "TypeAlias"}  # lines inside f-strings are wrong before Python 3.12
LEVELS = {"debug", "info", "warning", "error", "exception", "critical", "log"}


@dataclasses.dataclass(frozen=True, order=True)
class Mutant:
    """One change, for people."""

    line: int
    column: int
    kind: str
    before: str
    after: str


@dataclasses.dataclass(frozen=True)
class Site:
    """One change, for the tree: what goes where, and the first line of the statement around it."""

    mutant: Mutant
    statement: int
    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST


def left_alone(node: ast.AST) -> bool:
    """Docstrings, names for others, what only type checkers or scripts run, text for logs."""
    match node:
        case ast.Expr(ast.Constant()) | ast.If(ast.Compare(ast.Name("__name__"))):
            return True
        case ast.If(ast.Name("TYPE_CHECKING") | ast.Attribute(_, "TYPE_CHECKING")):
            return True
        case ast.Assign([ast.Name("__all__")]) | ast.AugAssign(ast.Name("__all__")):
            return True
        case ast.AnnAssign(ast.Name("__all__")) | ast.Call(ast.Name("TypeVar" | "ParamSpec" | "NewType")):
            return True
        case ast.Expr(ast.Call(ast.Attribute(base, level))) | ast.Call(ast.Attribute(base, level)):
            return level in LEVELS and "log" in ast.unparse(base).lower()
    return type(node).__name__ in NO_PLACE


def children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    """What may be changed below a node, with its field and its index there."""
    for field, value in ast.iter_fields(node):
        parts = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for index, child in parts:
            if field not in NO_CODE and isinstance(child, ast.AST) and not left_alone(child):
                yield field, index, child


def put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    """Another child for a node."""
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def others(child: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What a node may become wherever it is."""
    for before, after in SWAPS:
        if type(child).__name__ == before:
            yield next(v for k, v in FAMILIES.items() if isinstance(child, k)), getattr(ast, after)()
    match child:
        case ast.Constant(bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int() as value):
            yield "constant", ast.Constant(value + 1)
        case ast.Constant(str() as text):
            yield "constant", ast.Constant("~" if text != "~" else "")  # no part of it: `match` searches
        case ast.UnaryOp(ast.Not(), operand):
            yield "not", operand
        case ast.Expr(ast.Call() | ast.Await()) | ast.AugAssign():
            yield "statement", ast.Pass()
        case ast.Assign(targets) if all(isinstance(t, ast.Attribute | ast.Subscript) for t in targets):
            yield "statement", ast.Pass()
        case ast.AnnAssign(ast.Attribute() | ast.Subscript(), _, ast.expr()):
            yield "statement", ast.Pass()


def is_text(node: ast.AST) -> bool:
    """Whether a node is a string for sure."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def is_flipped(node: ast.AST) -> bool:
    """Whether another change turns this condition into its opposite."""
    single = isinstance(node, ast.Compare) and len(node.ops) == 1
    return single or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def is_number(node: ast.AST) -> bool:
    """Whether an index may be a computed number; capitals and builtins are types."""
    if isinstance(node, ast.Name):
        return node.id.islower() and not hasattr(builtins, node.id)
    return isinstance(node, ast.BinOp | ast.Call)


def changes(parent: ast.AST, field: str, child: Any) -> Iterator[tuple[str, ast.AST]]:
    """What a child may become where it is: kinds and nodes."""
    if not (isinstance(child, ast.operator) and any(map(is_text, ast.iter_child_nodes(parent)))):
        yield from others(child)
    condition = field in ("test", "ifs") and not is_flipped(child)
    match parent:
        case ast.If() | ast.IfExp() | ast.comprehension() if condition:
            yield "condition", ast.UnaryOp(ast.Not(), child)
        case ast.Return() if ast.unparse(child) != "None":
            yield "return", ast.Constant(None)
        case ast.Slice() | ast.Subscript() if field in ("lower", "upper", "slice") and is_number(child):
            yield "index", ast.BinOp(child, ast.Add(), ast.Constant(1))


def sites(parent: ast.AST, statement: int = 1) -> Iterator[Site]:
    """All changes below a node, in the order of the tree."""
    for field, index, child in children(parent):
        line = child.lineno if isinstance(child, ast.stmt) else statement
        shown: Any = child if hasattr(child, "lineno") else parent  # operators have no place
        for kind, node in changes(parent, field, child):
            before = ast.unparse(shown)
            put(parent, field, index, node)
            after = ast.unparse(node if shown is child else parent)
            put(parent, field, index, child)
            mutant = Mutant(shown.lineno, shown.col_offset, kind, before, after)
            yield Site(mutant, line, parent, field, index, node)
        yield from sites(child, line)


def mutants(source: str) -> list[Mutant]:
    """The changes of a source as data."""
    return [site.mutant for site in sites(ast.parse(source))]
