"""A sequence as plain Python source, for the terminal and the JSON file."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import Counter
from collections.abc import Sequence as Listing
from itertools import takewhile

from tanteo.model import Sequence, Statement
from tanteo.operators import BOUND
from tanteo.subject import Operation
from tanteo.values import MODULES

HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # between the words of a class name

BOUNDED = re.compile(rf"^list\(itertools\.islice\((.*), {BOUND}\)\)$", re.DOTALL)
DISPLAYED = {"list": "items", "tuple": "pair", "dict": "mapping", "set": "members", "iterator": "iterator"}
LOOSE = re.compile(r"-|lambda|\w+ \| ")
NEGATIVE, BINDS_LESS = re.compile(r"-[\d.]+"), re.compile(r"\} ([=!<>]=?|in) \{|[\[(]\{")  # than a sign
PLACE = re.compile(r"\{(\d|args)\}")
SYMBOL = re.compile(r"\{symbol:([^}]*)\}")
RAISING = ("hash(", "repr(", "str(")  # contracts that are broken by an exception
RESERVED = frozenset({*dir(builtins), *keyword.kwlist})
VERBS = ("function", "method", "static method", "class method", "call")  # not what their result is
STANDARD = tuple(sorted({"asyncio", *MODULES}))


def _is_loose(operand: str, form: str) -> bool:
    """Whether an operand needs brackets around it."""
    if NEGATIVE.fullmatch(operand):
        return BINDS_LESS.search(form) is None
    return LOOSE.match(operand) is not None


class Writer:
    """Puts statements into words: names for values, imports for what is called."""

    def __init__(
        self,
        operations: Listing[Operation],
        taken: frozenset[str] = frozenset(),
        types: tuple[str, ...] = (),  # the class of each value, where it is known and the subject's
        ended: frozenset[int] = frozenset(),  # lists that came to their end before the bound
        same: tuple[int, ...] = (),  # where the object at each position came up first
    ) -> None:
        self.operations = operations
        self.types, self.ended, self.same = types, ended, same
        self.imports: dict[tuple[str, str], str] = {}
        self._words = frozenset({*RESERVED, *STANDARD, *taken})  # that are no variables
        self.taken: set[str] = {*self._words}
        self.texts: list[str] = []  # how each value is referred to
        self.lines: list[str] = []

    def first(self, position: int) -> int:
        """Where the object at this position came up first."""
        return self.same[position] if position < len(self.same) else position

    def symbol(self, module: str, name: str) -> str:
        """The local name of something imported; a second one of the same name gets its module's."""
        if (module, name) not in self.imports:
            local = f"its_{name}" if name.lower().startswith("test") else name  # pytest would collect it
            while local in self.taken:
                local = f"{module.rpartition('.')[2]}_{local}"
            self.taken.add(local)
            self.imports[module, name] = local
        return self.imports[module, name]

    def variable(self, operation: Operation, position: int) -> str:
        """A name after the class of the value, or after the operation."""
        words = DISPLAYED.get(operation.name) or operation.name.rpartition(".")[2].strip("_= ")
        known = self.types[position] if position < len(self.types) else ""
        base = HUMP.sub("_", known or words).lower().strip("_") or "value"
        if not known and operation.kind in VERBS:
            base = "items" if position in self.ended else "result"
        elif (operation.kind == "operator" and not known) or not base.isidentifier():
            base = "items" if position in self.ended else "value"
        role = base.partition("_")[0]
        if base in self.imports.values() and role != base:
            base = role  # a class that is named like a variable: `wait = wait_fixed(1)`
        name = self.free(base)
        self.taken.add(name)
        return name

    def free(self, base: str) -> str:
        """This name, or with a number if something else has it."""
        name, number = f"{base}_" if base in self._words else base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        return name

    def call(self, statement: Statement, position: int) -> str:
        """The call as people write it."""
        operation = self.operations[statement.operation]
        inputs = [self.texts[position + i] for i in statement.inputs]
        text = self.spell(operation, inputs, statement.names)
        return BOUNDED.sub(r"list(\1)", text) if position in self.ended else text

    def spell(self, operation: Operation, inputs: list[str], names: tuple[str, ...]) -> str:
        """The operation's form with these inputs."""
        if operation.kind == "display":
            return display(operation.name, inputs)
        for base in SYMBOL.findall(operation.definition):
            self.symbol(operation.module, base)
        form = SYMBOL.sub(lambda m: self.symbol(operation.module, m[1]), operation.form)
        fixed = max((int(n) + 1 for n in re.findall(r"\{(\d)\}", form)), default=0)
        plain = len(inputs) - len(names)
        args = inputs[fixed:plain] + [f"{n}={v}" for n, v in zip(names, inputs[plain:], strict=True)]
        operands = [f"({i})" if operation.kind == "operator" and _is_loose(i, form) else i for i in inputs]
        parts = {"args": ", ".join(args), **{str(n): operands[n] for n in range(fixed)}}
        return PLACE.sub(lambda m: parts[m[1]], form)

    def write(self, statement: Statement, position: int, uses: int) -> None:
        """The lines of one statement; a value that is used more than once, or later, gets a name."""
        if statement.literal is not None:
            self.texts.append(statement.literal.source)
            return
        operation = self.operations[statement.operation]
        if operation.kind == "fixture":
            self.texts.append(operation.form)
            return
        if operation.kind == "display" and (uses < 2 or operation.name == "tuple"):
            self.texts.append(self.call(statement, position))
            return
        if statement.repeat is not None:
            self._write_loop(statement, position, operation, uses > 0)
            return
        text = self.call(statement, position)
        if operation.value and uses:
            name = self.variable(operation, position)
            self.lines.append(f"{name} = {text}")
            self.texts.append(name)
        else:
            self.lines.append(as_statement(text))
            in_place = operation.form.startswith("{0} ") and operation.form.endswith("= {1}")
            first = position + statement.inputs[0] if in_place else self.first(position)
            self.texts.append(self.texts[first] if first < position else "None")

    def claim(self, assertion: str, about: tuple[int, ...]) -> None:
        """The contract that does not hold; lines before the last one of its template prepare it."""
        if not assertion or not about:
            return
        for place, position in zip(("{x}", "{y}", "{z}"), about, strict=False):
            assertion = assertion.replace(place, self.texts[position])
        *before, last = assertion.split("\n")
        self.lines += [*before, last if last.startswith((*RAISING, " ")) else f"assert {last}"]

    def _write_loop(self, statement: Statement, position: int, operation: Operation, used: bool) -> None:
        repeat = statement.repeat
        assert repeat is not None
        inputs = [self.texts[position + i] for i in statement.inputs]
        known = parameters_of(operation, statement)
        names = [self.free(known[index]) for index in repeat.positions]
        for name, index in zip(names, repeat.positions, strict=True):
            inputs[index] = name
        if not names:
            head = f"for _ in range({repeat.count}):"
        elif len(names) == 1:
            head = f"for {names[0]} in {list(repeat.columns[0])!r}:"
        else:
            head = f"for {', '.join(names)} in {list(zip(*repeat.columns, strict=True))!r}:"
        text = self.spell(operation, inputs, statement.names)
        result = self.variable(operation, position) if operation.value and used else None
        self.lines += [head, f"    {result} = {text}" if result else f"    {text}"]
        first = self.first(position)
        self.texts.append(result or (self.texts[first] if first < position else "None"))


def parameters_of(operation: Operation, statement: Statement) -> list[str]:
    """What the inputs of a call are called there."""
    known = [p.name for p in takewhile(lambda p: not (p.variadic or p.keyword), operation.parameters)]
    plain = len(statement.inputs) - len(statement.names)
    variadic = next((p.name for p in operation.parameters if p.variadic), "argument")
    one = variadic.removesuffix("s") or variadic  # of the `args`
    names = [known[n] if n < len(known) else f"{one}_{n - len(known) + 1}" for n in range(plain)]
    owner = operation.name.rpartition(".")[0].rpartition(".")[2]
    return [HUMP.sub("_", owner).lower() if n == "self" else n for n in (*names, *statement.names)]


def as_statement(text: str) -> str:
    """A line of its own; what only looks like a question is given to nobody."""
    try:
        first = ast.parse(text).body[0]
    except SyntaxError:
        return text  # the test is not written, but the others are
    calls = isinstance(first, ast.Expr) and isinstance(first.value, (ast.Call, ast.Await))
    looks = isinstance(first, ast.Expr) and (not calls or text.startswith("getattr("))  # as ruff sees it
    return f"_ = {text}" if looks else text


def display(name: str, inputs: list[str]) -> str:
    """A container as it is written down."""
    inside = ", ".join(inputs)
    if name == "list":
        return f"[{inside}]"
    if name == "iterator":
        return f"iter([{inside}])"
    if name == "tuple":
        return f"({inside},)" if len(inputs) == 1 else f"({inside})"
    if name == "set":
        return f"{{{inside}}}" if inputs else "set()"
    pairs = zip(inputs[::2], inputs[1::2], strict=True)
    return "{" + ", ".join(f"{k}: {v}" for k, v in pairs) + "}"


def render(
    sequence: Sequence,
    operations: Listing[Operation],
    about: tuple[int, ...] = (),
    assertion: str = "",
) -> str:
    """The source of a sequence, with its imports, and the assertion that fails at the end if any."""
    writer = Writer(operations)
    uses = Counter(p + i for p, s in enumerate(sequence.statements) for i in s.inputs)
    uses.update(about)
    for position, statement in enumerate(sequence.statements):
        writer.write(statement, position, uses[position])
    writer.claim(assertion, about)
    body = "\n".join(writer.lines)
    classes = definitions(operations, writer.imports, body)
    imports = import_lines(writer.imports, body)
    return "\n".join([*imports, *classes, "", body] if imports else [body]) + "\n"


def definitions(operations: Listing[Operation], imports: dict[tuple[str, str], str], body: str) -> list[str]:
    """The classes that a body needs and that nobody else has."""
    if not any(o.definition for o in operations):
        return []
    mentioned = names_in(body)
    return [
        "\n\n" + SYMBOL.sub(lambda m: imports[o.module, m[1]], o.definition)  # noqa: B023 - used at once
        for o in operations
        if o.definition and o.form.partition("(")[0] in mentioned
    ]


def names_in(body: str) -> set[str]:
    """The names in it, and not the words in its strings."""
    try:
        tree = ast.parse(body)
    except SyntaxError:  # a name of the subject that is no name; the text is refused later
        return set(re.findall(r"(?<![\w.])[^\W\d]\w*", body))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def import_lines(imports: dict[tuple[str, str], str], body: str) -> list[str]:
    """What stands on top of a body: standard modules that it mentions, then what it imports by name."""
    mentioned = names_in(body)
    lines = [f"import {name}" for name in STANDARD if name in mentioned]
    for module in sorted({module for module, _ in imports}):
        names = [
            name if local == name else f"{name} as {local}"
            for (home, name), local in sorted(imports.items())
            if home == module
        ]
        lines.append(f"from {module} import {', '.join(names)}")
    return lines
