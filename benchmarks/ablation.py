"""Tests without some of their assertions."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tanteo.mutants import children, put


def sort_out(test: ast.expr, imported: Collection[str]) -> tuple[str, ast.expr] | None:
    """The kind of an assertion, and what it looks at."""
    match test:
        case ast.Call(ast.Name("isinstance"), [value, _]):
            return "type", value
        case ast.Compare(ast.Call(ast.Name("type" | "len"), [value]), [ast.Eq() | ast.Is()]):
            return "type", value
        case ast.Compare(ast.Call(ast.Attribute(owner)) as left, [ast.Eq() | ast.Is()]):
            return "result" if ast.unparse(owner).partition(".")[0] in imported else "state", left
        case ast.Compare(left, [ast.Eq() | ast.Is()]):
            return "state" if isinstance(left, ast.Attribute | ast.Subscript) else "result", left
    return None


def ablate(source: str, without: Collection[str]) -> str:
    """Tests without some kinds of assertions."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    imports = [a for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names]
    imported = {(a.asname or a.name).partition(".")[0] for a in imports}
    caught: set[str] = set()
    for item in (n for n in nodes if isinstance(n, ast.withitem) and "raises" in without):
        match item.context_expr:
            case ast.Call(ast.Attribute(ast.Name("pytest"), "raises"), [expected, *_]):
                if isinstance(item.optional_vars, ast.Name):
                    caught.add(item.optional_vars.id)
                suppress = ast.parse("contextlib.suppress(Exception)", mode="eval").body
                assert isinstance(suppress, ast.Call)
                suppress.args.append(expected)
                item.context_expr, item.optional_vars = suppress, None
    for node in nodes:
        for field, index, child in children(node):
            if isinstance(child, ast.Assert):
                found = sort_out(child.test, imported)
                if caught & {n.id for n in ast.walk(child) if isinstance(n, ast.Name)}:
                    put(node, field, index, ast.Pass())
                elif found is not None and found[0] in without:
                    put(node, field, index, ast.Expr(found[1]))
    return f"{ast.unparse(tree)}\nimport contextlib\n"  # early enough: tests are called later
