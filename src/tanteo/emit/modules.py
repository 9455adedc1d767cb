"""Test modules as text: imports on top, one function per case, near-identical cases in one."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence as Listing
from dataclasses import dataclass, field
from keyword import kwlist
from typing import NamedTuple

from tanteo.emit.bodies import Body, Flat, Imports, as_statement, compare, write_body
from tanteo.emit.cases import Case
from tanteo.emit.escapes import with_raw_strings
from tanteo.emit.names import name_case, snake, subject_words, value_words
from tanteo.emit.source import BOUNDED, STANDARD, Writer, import_lines, names_in
from tanteo.operators import BOUND
from tanteo.subject import Operation

MARKER = "# Written by tanteo and written again by its next run; delete this line to keep the file as it is."


MOST_DETAIL = 2
COLLECTED = f"""

async def collected(items):
    found = []
    async for item in items:
        found.append(item)
        if len(found) == {BOUND}:
            break
    return found
"""


class Test(NamedTuple):
    """A test function."""

    name: str
    text: str


@dataclass(slots=True, eq=False)
class Module:
    """The tests of one module of the subject."""

    subject: str
    operations: Listing[Operation]
    imports: Imports = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def add_cases(self, cases: list[Case]) -> None:
        """A test for each case that asserts something; flat ones of one operation share a test."""
        groups: dict[object, list[tuple[Case, Body]]] = {}
        seen: set[tuple[str, ...]] = set()
        for number, case in enumerate(sorted(cases, key=lambda c: (c.operation, c.raises != ""))):
            body = write_body(case, self.operations, self.imports)
            if body is None or body.lines in seen:
                continue
            seen.add(body.lines)
            flat = body.flat
            kind = number if flat is None else _alike(flat)
            groups.setdefault(kind, []).append((case, body))
        names = self._telling_names([case for group in groups.values() for case, _ in group])
        for group in groups.values():
            flats = [b.flat for _, b in group if b.flat is not None]
            if len(flats) > 1 and flats[0].arguments:
                self._add_parametrized(flats)
            else:
                for one, inside in group:
                    asked = ", ".join(inside.fixtures)
                    self.add(names[one.sequence.code], list(inside.lines), parameters=asked)

    def _telling_names(self, cases: list[Case]) -> dict[bytes, str]:
        """In as much detail as it takes to tell the cases apart."""
        names: dict[bytes, str] = {}
        for detail in range(MOST_DETAIL + 1):
            shared = Counter(names.values())
            for case in cases:
                if names.get(case.sequence.code) is None or shared[names[case.sequence.code]] > 1:
                    names[case.sequence.code] = name_case(case, self.operations, detail)
        return names

    def add(
        self, name: str, lines: list[str], head: str = "", doc: str = "", parameters: str = ""
    ) -> Test | None:
        """One function; a second one of the same name gets a number. None if it is not Python."""
        unique, number = name, 2
        while unique in self._names:
            unique, number = f"{name}_{number}", number + 1
        parts = [head] if head else []
        parts.append(f"def {unique}({parameters}):")
        inside = [f'"""{doc}"""', *lines] if doc else lines
        parts += [f"    {line}" if line else "" for text in inside for line in text.split("\n")]
        text = "\n".join(parts)
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return None
        test = Test(unique, with_raw_strings(text))
        self._names.add(unique)
        self.tests.append(test)
        return test

    def keep(self, test: Test) -> None:
        """A test that was written earlier, as it is."""
        if test.name not in self._names:
            self._names.add(test.name)
            self.tests.append(test)

    def _add_parametrized(self, flats: list[Flat]) -> None:
        """One test for calls that differ in their arguments only; what does not differ stands in the call."""
        flat = flats[0]
        operation = self.operations[flat.operation]
        names = self._parameter_names(operation, flat)
        raising = flat.relation not in ("==", "is", "approx")
        outcome = "message" if raising else "expected"
        rows = sorted({(*f.arguments, f.expected) for f in flats})
        columns = dict(zip([*names, outcome], zip(*rows, strict=True), strict=True))
        fixed = {name: cells[0] for name, cells in columns.items() if len(set(cells)) == 1}
        writer = Writer(self.operations)
        writer.imports = self.imports
        text = writer.spell(operation, [fixed.get(name, name) for name in names], flat.names)
        told = fixed.get(outcome, outcome)
        if raising:
            match = f", match={told}" if told else ""
            lines = [f"with pytest.raises({flat.relation}{match}):", f"    {as_statement(text)}"]
            name = f"raises {flat.relation}"
        else:
            lines = [compare(BOUNDED.sub(r"list(\1)", text), flat.relation, told)]
            name = f"returns {value_words(told) if outcome in fixed else told}"
        varied = {name: cells for name, cells in columns.items() if name not in fixed}
        self.add(
            snake(f"test {subject_words(operation)} {name}"),
            lines,
            _table(varied) if varied else "",
            parameters=", ".join(varied),
        )

    def _parameter_names(self, operation: Operation, flat: Flat) -> list[str]:
        known = [p.name for p in operation.parameters if not p.variadic]
        plain = len(flat.arguments) - len(flat.names)
        wanted = [known[n] if n < len(known) else f"argument_{n}" for n in range(plain)]
        taken = {"pytest", "expected", "message", *kwlist, *STANDARD, *self.imports.values()}
        found: list[str] = []
        for name in (*wanted, *flat.names):
            if name == "self":
                name = snake(operation.name.split(".")[-2])  # noqa: PLW2901 - the class
            while name in taken or name in found:
                name = f"{name}_"  # noqa: PLW2901 - until it is free
            found.append(name)
        return found

    def text(self, tests: list[Test] | None = None) -> str:
        """The file, before it is formatted."""
        tests = self.tests if tests is None else tests
        body = "\n\n\n".join(test.text for test in tests)
        plain = sorted(
            f"import {module}" for (module, name) in self.imports if not name and f"{module}." in body
        )
        mentioned = names_in(body)
        needed = {k: v for k, v in self.imports.items() if k[1] and v in mentioned}
        lines = import_lines(needed, body)
        first = sorted({line for line in lines if line.startswith("import ")} | set(plain))
        if "pytest." in body:
            first.append("import pytest")
        rest = [line for line in lines if not line.startswith("import ")]
        doc = f'"""What {self.subject} does today."""'
        helpers = [COLLECTED] if "collected(" in body else []
        return "\n".join([MARKER, doc, "", *first, *rest, *helpers, "", "", body]) + "\n"


def _alike(flat: Flat) -> object:
    return (flat.operation, flat.names, len(flat.arguments), flat.relation, flat.expected != "" or None)


def _table(columns: dict[str, tuple[str, ...]]) -> str:
    """The decorator with a row for each call."""
    if len(columns) == 1:
        ((name, cells),) = columns.items()
        return f'@pytest.mark.parametrize("{name}", [{", ".join(cells)}])'
    heads = ", ".join(f'"{name}"' for name in columns)
    rows = ", ".join(f"({', '.join(row)})" for row in zip(*columns.values(), strict=True))
    return f"@pytest.mark.parametrize(({heads}), [{rows}])"
