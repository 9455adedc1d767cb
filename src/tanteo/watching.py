"""Comparisons as a guide: which operands stood in front of an arm that was not taken.

A sequence that has reached something new is run once more with other code in the functions that it reached:
there each condition tells its operands before it decides. Nothing of this is in the code that normally runs,
so it costs one more run per discovery and little in between. `suggestions` puts what was compared with an
operand where the operand came from (the input-to-state idea of fuzzers, on call sequences).
"""

from __future__ import annotations

import ast
import operator
import re
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tanteo.subject import Arm
from tanteo.swapping import Outer, compile_alone, fill, living, outer_functions

NOTE = "\x00tanteo: compare"
ASK = "\x00tanteo: ask"
MOST = 200  # notes of one run
MOST_KEYS = 8  # of a container that something is looked for in
LONGEST = 200  # characters of an operand
PLAIN = frozenset({int, float, bool, str, bytes, type(None)})
SIGNS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], object]]] = {
    ast.Eq: ("==", operator.eq),
    ast.NotEq: ("!=", operator.ne),
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
}
CALCULATE = dict(SIGNS.values())
TEXTUAL = ("startswith", "endswith")
MATCHING = ("match", "fullmatch", "search")


class Seen(NamedTuple):
    """A question that the subject has asked, and its answer."""

    sign: str
    left: Any
    right: Any
    answer: bool


class Watcher:
    """Makes the telling code of functions, and takes notes while it runs."""

    def __init__(
        self, files: dict[str, str], arms: dict[int, Arm], functions: list[types.FunctionType]
    ) -> None:
        self._files, self._arms, self._functions = files, arms, functions
        self._numbers = {(a.module, a.line, a.kind): number for number, a in arms.items()}
        self._outer: dict[str, list[Outer]] = {}
        self._codes: dict[tuple[str, int, int], list[tuple[types.FunctionType, types.CodeType]]] = {}
        self._swapped: list[tuple[types.FunctionType, types.CodeType]] = []
        self._hits: bytearray = bytearray()
        self.notes: list[Seen] = []

    def open_arms(self, hits: bytearray) -> list[int]:
        """Those that nobody has reached."""
        return [number for number in self._arms if not hits[number]]

    def start(self, probes: tuple[int, ...], hits: bytearray) -> bool:
        """Telling code into the functions that these probes are in; whether there are any."""
        self.notes = []
        self._hits = hits
        for module, line in {(a.module, a.line): None for p in probes if (a := self._arms.get(p))}:
            for function, code in self._telling(module, line):
                self._swapped.append((function, function.__code__))
                function.__code__ = code
        return bool(self._swapped)

    def stop(self) -> list[Seen]:
        """The code as it was; what was noted."""
        for function, code in reversed(self._swapped):
            function.__code__ = code
        self._swapped.clear()
        return self.notes

    def _telling(self, module: str, line: int) -> list[tuple[types.FunctionType, types.CodeType]]:
        if module not in self._outer:
            tree = ast.parse(Path(self._files[module]).read_bytes())
            self._outer[module] = list(outer_functions(tree))
        for outer in self._outer[module]:
            first, last = outer.node.lineno, outer.node.end_lineno or 0
            if first <= line <= last:
                key = (module, first, last)
                if key not in self._codes:
                    self._codes[key] = list(self._compile(outer, module))
                return self._codes[key]
        return []

    def _compile(self, outer: Outer, module: str) -> Iterator[tuple[types.FunctionType, types.CodeType]]:
        file = self._files[module]
        old = living(outer, file, self._functions)
        if not old:
            return
        _Teller(module, self._numbers).visit(outer.node)
        code = compile_alone(outer, file, old[0].__code__.co_flags)
        if code is None:
            return
        code = fill(code, {NOTE: self._note, ASK: self._ask})
        for function in old:
            if function.__code__.co_freevars == code.co_freevars:
                yield function, code

    def _note(self, yes: int, no: int, sign: str, left: Any, right: Any) -> object:
        answer = CALCULATE[sign](left, right)
        if self._is_open(yes, no):
            self._add(sign, left, right, answer)
        return answer

    def _ask(self, yes: int, no: int, method: str, thing: Any, *args: Any) -> object:
        """`thing.method(argument)`, as it is, or the truth of a thing."""
        if not method:
            if self._is_open(yes, no) and type(thing) in PLAIN:
                self._add("truth", thing, None, thing)
            return thing
        answer = getattr(thing, method)(*args)
        if method in TEXTUAL and type(thing) is str and self._is_open(yes, no):
            for argument in args[0] if type(args[0]) is tuple else args:
                self._add(method, thing, argument, answer)
        elif method in MATCHING and answer is None:
            pattern, text = (args[0], args[1]) if thing is re and len(args) > 1 else (thing, args[0])
            self._add("match", text, getattr(pattern, "pattern", pattern), False)
        elif method == "get" and type(thing) is dict and answer is None:
            self._add("in", args[0], thing, False)
        return answer

    def _is_open(self, yes: int, no: int) -> bool:
        hits = self._hits
        return yes < 0 or not (hits[yes] and hits[no])

    def _add(self, sign: str, left: Any, right: Any, answer: Any) -> None:
        if len(self.notes) >= MOST:
            return
        if type(right) in (list, tuple, set, frozenset, dict):
            for key in list(right)[:MOST_KEYS]:
                self._add("==" if sign == "in" else "!=", left, key, answer)
        elif type(left) in PLAIN and type(right) in PLAIN and len(repr(left)) + len(repr(right)) < LONGEST:
            self.notes.append(Seen(sign, left, right, bool(answer)))


class _Teller(ast.NodeTransformer):
    """Conditions that tell their operands."""

    def __init__(self, module: str, numbers: dict[tuple[str, int, str], int]) -> None:
        self._module, self._numbers = module, numbers
        self._sides = (-1, -1)
        self._inside = False

    def visit_If(self, node: ast.If) -> ast.AST:
        no = node.orelse[0].lineno if node.orelse else node.lineno
        node.test = self._condition(node.test, (node.body[0].lineno, "if"), (no, "else"))
        node.body = [self.visit(s) for s in node.body]
        node.orelse = [self.visit(s) for s in node.orelse]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        no = node.orelse[0].lineno if node.orelse else node.lineno
        node.test = self._condition(node.test, (node.body[0].lineno, "loop"), (no, "loop end"))
        node.body = [self.visit(s) for s in node.body]
        node.orelse = [self.visit(s) for s in node.orelse]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test, (node.body.lineno, "if"), (node.orelse.lineno, "else"))
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def _condition(self, test: ast.expr, yes: tuple[int, str], no: tuple[int, str]) -> ast.expr:
        before = self._sides, self._inside
        numbers = [self._numbers.get((self._module, *side), -2) for side in (yes, no)]
        self._sides, self._inside = (numbers[0], numbers[1]), -2 not in numbers
        told: ast.expr = self._truth(test)
        self._sides, self._inside = before
        return told

    def _truth(self, node: ast.expr) -> Any:
        """A condition, or a part of one: what is neither a comparison nor a call is asked for its truth."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._truth(v) for v in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._truth(node.operand)
            return node
        if isinstance(node, (ast.Name, ast.Attribute)) and self._inside:
            return self._call(ASK, node, [ast.Constant(""), node])
        return self.visit(node)

    def _call(self, what: str, where: ast.expr, arguments: list[ast.expr]) -> ast.Call:
        sides = [ast.Constant(number) for number in self._sides]
        return ast.copy_location(ast.Call(ast.Constant(what), [*sides, *arguments], []), where)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        known = SIGNS.get(type(node.ops[0]))
        if len(node.ops) > 1 or known is None or not self._inside:
            return node
        return self._call(NOTE, node, [ast.Constant(known[0]), node.left, node.comparators[0]])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if not isinstance(function, ast.Attribute) or node.keywords or not node.args:
            return node
        if any(isinstance(a, ast.Starred) for a in node.args):
            return node
        told = (function.attr in TEXTUAL and self._inside) or function.attr in (*MATCHING, "get")
        if not told or ast.unparse(function.value).startswith("super("):  # which needs its own cell
            return node
        sides = self._sides
        if function.attr not in TEXTUAL:
            self._sides = (-1, -1)
        made = self._call(ASK, node, [ast.Constant(function.attr), function.value, *node.args])
        self._sides = sides
        return made

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node
