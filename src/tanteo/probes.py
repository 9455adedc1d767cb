"""AST probes: source in, code out that notes which arms a run reaches.

A probe is one store into a bytearray (`hits[17] = 1`), the cheapest thing that CPython can do here: 1.3
to 1.6 times the bare run, where a C tracer costs 5 to 8. The bytearray is patched into the constants of
the compiled code, so the subject's namespaces stay as they were. Arms are the sides of `if`, loops,
`match`, `except` and conditional expressions, and the entries of functions. Further probes behind
statements that may jump away are not arms; they serve the count of lines only.
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import importlib.util
import sys
import types
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import TypeVar

from tanteo.subject import Arm
from tanteo.swapping import fill

T = TypeVar("T", bound=ast.AST)
HITS = "\x00tanteo: the bytearray of hits"
HIT = "\x00tanteo: its __setitem__"
JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Assert, ast.Yield, ast.YieldFrom)
COMPOUND = (
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.With,
    ast.AsyncWith,
    ast.Match,
)


class Hits(bytearray):
    """A bytearray that can stand among the constants of a code object, which may be hashed."""

    __hash__ = object.__hash__  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Probed:
    """A module's source with probes, ready to be executed once there is a bytearray for them."""

    name: str
    path: Path
    package: bool
    code: types.CodeType
    arms: tuple[tuple[int, Arm], ...]  # probe number, arm
    blocks: tuple[int, ...]  # source lines that each probe stands for
    implied: dict[int, int]  # arm -> entry of its function, which has no store of its own


class _Prober(ast.NodeTransformer):
    def __init__(self, module: str, first: int) -> None:
        self.module = module
        self.first = first
        self.arms: list[tuple[int, Arm]] = []
        self.blocks: list[int] = []
        self.implied: dict[int, int] = {}

    def _number(self, line: int, kind: str | None) -> int:
        number = self.first + len(self.blocks)
        self.blocks.append(0)
        if kind is not None:
            self.arms.append((number, Arm(self.module, line, kind)))
        return number

    def _store(self, number: int, where: ast.AST) -> ast.stmt:
        target = ast.Subscript(ast.Constant(HITS), ast.Constant(number), ast.Store())
        return _located(ast.Assign([target], ast.Constant(1)), where)

    def _wrap(self, expression: ast.expr, kind: str) -> ast.expr:
        number = self._number(expression.lineno, kind)
        hit = ast.Call(ast.Constant(HIT), [ast.Constant(number), ast.Constant(1)], [])
        return _located(ast.BoolOp(ast.Or(), [hit, expression]), expression)

    def _suite(self, body: list[ast.stmt], kind: str | None, where: ast.stmt) -> list[ast.stmt]:
        """The statements with a probe in front, and one behind each that may jump away."""
        number = self._number(getattr(body[0] if body else where, "lineno", 1), kind)
        start = _prologue(body) if kind == "function" else 0
        out = [*body[:start], self._store(number, body[start] if body[start:] else where)]
        lines: set[int] = set()
        for position, statement in enumerate(body[start:], start):
            lines.update(_lines(statement))
            jumps = isinstance(statement, COMPOUND) and _jumps(statement)
            visited = self.visit(statement)
            if kind == "function" and position == start and hasattr(visited, "sides"):
                out.pop()  # the function begins with a choice: whichever side is taken tells of the entry
                self.implied.update(dict.fromkeys(visited.sides, number))
            out.append(visited)
            if jumps and position + 1 < len(body):
                self.blocks[number - self.first] = len(lines)
                lines = set()
                number = self._number(0, None)
                out.append(self._store(number, body[position + 1]))
        self.blocks[number - self.first] = len(lines)
        return out

    def module_body(self, tree: ast.Module) -> ast.Module:
        lines = {line for s in tree.body for line in _lines(s)}
        number = self._number(1, None)
        self.blocks[number - self.first] = len(lines)
        start = _prologue(tree.body)
        while start < len(tree.body) and _future(tree.body[start]):
            start += 1
        body: list[ast.stmt] = [self.visit(s) for s in tree.body]
        if body:
            body.insert(start, self._store(number, tree.body[min(start, len(tree.body) - 1)]))
        tree.body = body
        return tree

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        defaults = node.args  # annotations stay as they are: somebody may read them as text
        defaults.defaults = [self.visit(d) for d in defaults.defaults]
        defaults.kw_defaults = [d and self.visit(d) for d in defaults.kw_defaults]
        node.body = self._suite(node.body, "function", node.body[-1])
        return node

    visit_FunctionDef = _function  # noqa: N815 - the visitor's protocol
    visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = self._wrap(node.body, "function")
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if _never_runs(node.test):
            node.orelse = [self.visit(s) for s in node.orelse]
            return node
        node.test = self.visit(node.test)
        yes = self.first + len(self.blocks)
        node.body = self._suite(node.body, "if", node)
        no = self.first + len(self.blocks)
        node.orelse = self._suite(node.orelse, "else", node)
        node.sides = (yes, no)  # type: ignore[attr-defined]
        return node

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        if isinstance(node, ast.While):
            node.test = self.visit(node.test)
        else:
            node.iter = self.visit(node.iter)
        node.body = self._suite(node.body, "loop", node)
        if not endless:
            node.orelse = self._suite(node.orelse, "loop end", node)
        return node

    visit_For = _loop  # noqa: N815
    visit_AsyncFor = _loop  # noqa: N815
    visit_While = _loop  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.body = self._suite(node.body, "except", node.body[0])
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        node.subject = self.visit(node.subject)
        for case in node.cases:
            if case.guard is not None:
                case.guard = self.visit(case.guard)
            case.body = self._suite(case.body, "case", node)
        last = node.cases[-1]
        if last.guard is not None or not _irrefutable(last.pattern):
            nothing = ast.match_case(_located(ast.MatchAs(), node), None, [])
            nothing.body = self._suite([], "no case", node)
            node.cases.append(nothing)
        return node

    def _statement_with_choice(self, node: ast.Return | ast.Assign) -> ast.AST:
        """`return a if c else b` as a statement: a store costs half of what a probe inside costs."""
        choice = node.value
        if not isinstance(choice, ast.IfExp):
            return self.generic_visit(node)
        sides: list[list[ast.stmt]] = []
        numbers = []
        test = self.visit(choice.test)
        for side, kind in ((choice.body, "if"), (choice.orelse, "else")):
            number = self._number(side.lineno, kind)
            numbers.append(number)
            one = copy.copy(node)
            one.value = side
            sides.append([self._store(number, side), self._statement_with_choice(one)])  # type: ignore[list-item]
        made = _located(ast.If(test, *sides), node)
        made.sides = tuple(numbers)  # type: ignore[attr-defined]
        return made

    visit_Return = _statement_with_choice  # noqa: N815
    visit_Assign = _statement_with_choice  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = node.value and self.visit(node.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.body = self._wrap(node.body, "if")
        node.orelse = self._wrap(node.orelse, "else")
        return node


def _located(node: T, where: ast.AST) -> T:
    return ast.fix_missing_locations(ast.copy_location(node, where))


def _prologue(body: Sequence[ast.stmt]) -> int:
    """1 if the body starts with a docstring."""
    first = body[0] if body else None
    return int(
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _jumps(statement: ast.stmt) -> bool:
    return any(isinstance(node, JUMPS) for node in ast.walk(statement))


def _lines(statement: ast.stmt) -> Iterator[int]:
    """The lines that run when this statement does: its own, and of what has no probe in front."""
    yield statement.lineno
    inside: list[ast.stmt] = []
    if isinstance(statement, (ast.With, ast.AsyncWith, ast.ClassDef)):
        inside = statement.body
    elif isinstance(statement, (ast.Try, ast.TryStar)):
        inside = statement.body + statement.orelse + statement.finalbody
    elif isinstance(statement, ast.If) and _never_runs(statement.test):
        inside = statement.orelse
    for child in inside:
        yield from _lines(child)


def _irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchOr):
        return any(_irrefutable(p) for p in pattern.patterns)
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _never_runs(test: ast.expr) -> bool:
    """`if TYPE_CHECKING:` and `if __name__ == "__main__":` are nobody's branch."""
    text = ast.unparse(test)
    return text in ("TYPE_CHECKING", "typing.TYPE_CHECKING") or text.startswith("__name__ ==")


def probe(tree: ast.Module, name: str, path: Path, first: int) -> Probed:
    """Put probes into a parsed module, numbered from `first`."""
    prober = _Prober(name, first)
    tree = prober.module_body(tree)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # calling a string literal, which our placeholders are
        code = compile(tree, str(path), "exec", dont_inherit=True)
    package = path.name == "__init__.py"
    return Probed(name, path, package, code, tuple(prober.arms), tuple(prober.blocks), prober.implied)


def patch(code: types.CodeType, hits: Hits) -> types.CodeType:
    """The code with its placeholders replaced by the real bytearray."""
    return fill(code, {HITS: hits, HIT: hits.__setitem__})


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, probed: Probed, hits: Hits) -> None:
        super().__init__(probed.name, str(probed.path))
        self._probed, self._hits = probed, hits

    def get_code(self, fullname: str) -> types.CodeType:
        return patch(self._probed.code, self._hits)


class Finder(MetaPathFinder):
    """Gives probed modules to the import system; everything else is somebody else's."""

    def __init__(self, modules: Iterable[Probed], hits: Hits) -> None:
        self._modules = {m.name: m for m in modules}
        self._hits = hits
        self._refused: dict[str, str] = {}

    def refuse(self, reasons: dict[str, str]) -> None:
        """These must not be imported, not even by their siblings."""
        self._refused.update(reasons)

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name in self._refused:
            raise ImportError(self._refused[name], name=name)
        probed = self._modules.get(name)
        if probed is None:
            return None
        return importlib.util.spec_from_file_location(
            name,
            probed.path,
            loader=_Loader(probed, self._hits),
            submodule_search_locations=[str(probed.path.parent)] if probed.package else None,
        )

    def install(self) -> None:
        """From now on the probed modules are imported with their probes.

        A standard-library subject may have been imported by us already: it is forgotten, so that the
        subject is a fresh, probed copy. What holds a reference to the old one keeps it.
        """
        for name in self._modules:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, self)


def set_bits(flags: bytes | bytearray) -> Iterator[int]:
    """The positions that are not zero."""
    position = flags.find(1)
    while position >= 0:
        yield position
        position = flags.find(1, position + 1)
