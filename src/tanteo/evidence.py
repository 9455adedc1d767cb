"""How functions use their parameters, read off the source: nothing is imported or run.

For every parameter it is noted what is asked of it: attributes, items, iteration, calls, arithmetic,
comparisons with constants, `isinstance`, and to whom it is passed on. What `__init__` stores in an attribute
of `self` is followed into the other methods. `guesses` turns this into types.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
from collections.abc import Iterator

from tanteo.languages import texts_for
from tanteo.uses import Use, Uses

PREFIX = re.compile(r"([a-z]\w+_)(?:%s)?")  # of names that are put together at run time
NUMBERS = "int", "float"
ITERABLES = "list", "tuple", "str"
# What well-known functions do with their first argument.
TAKEN_BY: dict[str, tuple[str, ...]] = {
    "len": ("list", "str", "dict"),
    "iter": ITERABLES,
    "list": ITERABLES,
    "tuple": ITERABLES,
    "set": ITERABLES,
    "sorted": ITERABLES,
    "enumerate": ITERABLES,
    "reversed": ("list", "tuple"),
    "sum": ("list",),
    "min": ("list",),
    "max": ("list",),
    "any": ("list",),
    "all": ("list",),
    "next": ("Iterator",),
    "int": ("str", "int", "float"),
    "float": ("str", "int", "float"),
    "abs": NUMBERS,
    "round": ("float",),
    "range": ("int",),
    "chr": ("int",),
    "ord": ("str",),
    "bool": ("bool",),
    "open": ("str",),
    "callable": ("function",),
    "iscoroutinefunction": ("function",),
    "issubclass": ("type",),
    "dict": ("dict",),
    "join": ("list", "str"),
    "match": ("str",),
    "search": ("str",),
    "fullmatch": ("str",),
    "compile": ("str",),
    "loads": ("str",),
    "isclass": ("type",),
    "signature": ("function",),
    "wraps": ("function",),
    "getsource": ("function",),
    "islice": ITERABLES,
    "chain": ITERABLES,
    "deque": ITERABLES,
    "import_module": ("str",),
    "monthrange": ("int",),
}
STILL_THE_TEXT = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "replace"})
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def read_uses(tree: ast.Module) -> Uses:
    """All functions of a module."""
    found: Uses = {}
    for name, function, owner in _functions(tree, ""):
        reader = _Reader(_parameters(function))
        for statement in function.body if isinstance(function.body, list) else [function.body]:
            reader.visit(statement)
        found[name] = reader.uses
        if owner is not None and name.endswith(".__init__"):
            _follow_attributes(function, owner, reader.uses)
    return found


def _functions(
    node: ast.AST, prefix: str, owner: ast.ClassDef | None = None
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name, child, owner
            yield from _functions(child, f"{prefix}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.", child)
        elif isinstance(child, ast.stmt):
            yield from _functions(child, prefix, owner)


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _follow_attributes(
    init: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef, uses: dict[str, Use]
) -> None:
    """`self.x = x`: what the methods do with `self.x` is done with the parameter."""
    stored: dict[str, str] = {}
    for node in ast.walk(init):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Name(parameter)) if (
                parameter in uses
            ):
                stored[name] = parameter
            case ast.AnnAssign(ast.Attribute(ast.Name("self"), name), _, ast.Name(parameter)) if (
                parameter in uses
            ):
                stored[name] = parameter
    for method in owner.body:
        if stored and isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)):
            reader = _Reader([], {f"self.{name}": uses[parameter] for name, parameter in stored.items()})
            for statement in method.body:
                reader.visit(statement)


class _Reader(ast.NodeVisitor):
    def __init__(self, parameters: list[str], more: dict[str, Use] | None = None) -> None:
        self.uses = {name: Use() for name in parameters}
        self._known = {**self.uses, **(more or {})}

    def _use(self, node: ast.AST | None) -> Use | None:
        if isinstance(node, ast.Name):
            return self._known.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._known.get(f"{node.value.id}.{node.attr}")
        if isinstance(node, ast.Subscript):
            return self._item(self._use(node.value), node.slice)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._use(node.func.value) if node.func.attr in STILL_THE_TEXT else None
        return None

    def _item(self, use: Use | None, index: ast.expr) -> Use | None:
        match index:
            case ast.Constant(str(key)) if use is not None:
                return use.keys.setdefault(key, Use())
            case ast.Constant(int()) | ast.UnaryOp(ast.USub(), ast.Constant(int())) if use is not None:
                return use.inside()
        return None

    def visit_Assign(self, node: ast.Assign) -> None:
        """Another name for it."""
        self.generic_visit(node)
        use = self._use(node.value)
        if use is not None and isinstance(node.targets[0], ast.Name):
            self._known.setdefault(node.targets[0].id, use)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        use = self._use(node.value)
        if use is not None:
            use.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        use = self._use(node.value)
        if use is not None:
            match node.slice:
                case ast.Constant(str()):
                    use.note("dict", 2.0)
                case ast.Constant(int()) | ast.UnaryOp(ast.USub(), ast.Constant(int())):
                    use.note(("list", "tuple", "str"))
                case ast.Slice():
                    use.note(("list", "str"))
                case _:
                    use.note(("dict", "list"))
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        self._iterated(node.iter)
        with self._elements([(node.target, node.iter)]):
            self.generic_visit(node)

    @contextlib.contextmanager
    def _elements(self, loops: list[tuple[ast.expr, ast.expr]]) -> Iterator[None]:
        """Inside a loop its variable stands for what is in the parameter."""
        before = dict(self._known)
        for target, items in loops:
            use = self._use(items)
            if isinstance(target, ast.Name) and use is not None:
                self._known[target.id] = use.inside()
        yield
        self._known = before

    def _visit_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        with self._elements([(g.target, g.iter) for g in node.generators]):
            self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _visit_comprehension  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._iterated(node.iter)
        self.generic_visit(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        self._iterated(node.iter)
        self.generic_visit(node)

    def visit_Starred(self, node: ast.Starred) -> None:
        self._iterated(node.value)
        self.generic_visit(node)

    def _iterated(self, node: ast.expr) -> None:
        use = self._use(node)
        if use is not None:
            use.note("list", 2.0)
            use.note(("tuple", "str", "dict"), 0.5)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            use = self._use(one)
            if use is None:
                continue
            match node.op, other:
                case ast.Mod() | ast.Add(), ast.Constant(str(text)) if one is node.right and PREFIX.fullmatch(
                    text
                ):
                    use.prefixes.append(PREFIX.sub(r"\1", text))
                    use.note("str", 2.0)
                case ast.Mod(), _ if one is node.right and isinstance(other, ast.Constant | ast.JoinedStr):
                    use.note(("str", "int"))
                case ast.Add(), ast.Constant(str()) | ast.JoinedStr():
                    use.note("str", 2.0)
                case _, ast.Constant(bytes()):
                    use.note("bytes", 2.0)
                case ast.Add(), ast.List() | ast.ListComp():
                    use.note("list", 2.0)
                case ast.BitOr() | ast.BitAnd(), _:
                    use.note(("int", "set"), 0.5)
                case _:
                    use.note(NUMBERS)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        match node.values:
            case [ast.Constant(str(text)), ast.FormattedValue(value)] if PREFIX.fullmatch(text):
                use = self._use(value)
                if use is not None:
                    use.prefixes.append(text)
                    use.note("str", 2.0)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        use = self._use(node.operand)
        if use is not None:
            use.note("bool", 0.5) if isinstance(node.op, ast.Not) else use.note(NUMBERS)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    def _truth(self, node: ast.expr) -> None:
        use = self._use(node)
        if use is not None:
            use.note("bool", 0.5)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for (one, other), sign in zip(itertools.pairwise(sides), node.ops, strict=True):
            self._compared(one, other, sign)
            if not isinstance(sign, (ast.In, ast.NotIn)):
                self._compared(other, one, sign)
            elif (use := self._use(other)) is not None:
                use.note(("list", "str", "dict"))
        self.generic_visit(node)

    def _compared(self, one: ast.expr, other: ast.expr, sign: ast.cmpop) -> None:
        match one:
            case ast.Call(ast.Name("type"), [asked]) if (typed := self._use(asked)) is not None:
                typed.classes.append(ast.unparse(other))  # `type(x) is int`, `type(x) in (int, str)`
        use = self._use(one)
        if use is None:
            return
        constants = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
        for part in constants:
            if isinstance(part, ast.Constant) and part.value is None:
                use.may_be_none = True
            elif isinstance(part, ast.Constant):
                use.constants.append(part.value)
                use.note(type(part.value).__name__, 2.0)
            elif isinstance(part, (ast.Name, ast.Attribute)):
                use.names.append(ast.unparse(part))  # `x is DEFAULT`, `x in (Mode.FAST, Mode.SLOW)`
        if isinstance(sign, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and not isinstance(other, ast.Constant):
            use.note(NUMBERS, 0.5)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            use = self._use(item.context_expr)
            if use is not None:
                use.attributes |= {"__enter__", "__exit__"}
        self.generic_visit(node)

    def visit_Await(self, node: ast.Await) -> None:
        use = self._use(node.value)
        if use is not None:
            use.note("coroutine", 2.0)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        use = self._use(node.exc)
        if use is not None:
            use.note("Exception", 2.0)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        use = self._use(node.func)
        if use is not None:
            use.arity = len(node.args)
            use.note("function", 2.0)
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ("get", "pop", "setdefault") and isinstance(node.func, ast.Attribute) and node.args:
            owner = self._use(node.func.value)
            if self._item(owner, node.args[0]) is not None and owner is not None:
                owner.note("dict", 2.0)
        for position, argument in enumerate(node.args):
            use = self._use(argument)
            if use is None:
                continue
            texts = () if position else texts_for(ast.unparse(node.func))
            if texts:
                use.texts += texts
                use.note("str")
            if name == "isinstance" and position == 0 and len(node.args) == 2:
                use.classes.append(ast.unparse(node.args[1]))
            elif position == 0 and name in TAKEN_BY:
                use.note(TAKEN_BY[name])
            elif name in ("map", "filter", "reduce", "starmap"):
                use.note("function" if position == 0 else "list", 2.0)
            else:
                use.passed.append((ast.unparse(node.func), position))
        for keyword in node.keywords:
            use = self._use(keyword.value)
            if use is not None and keyword.arg is not None:
                use.passed.append((ast.unparse(node.func), keyword.arg))
        self.generic_visit(node)
