"""Test modules as text: imports on top, one function per case, near-identical cases in one."""

from __future__ import annotations

import ast
from collections.abc import Sequence as Listing
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tanteo.emit.bodies import Body, Imports, write_body
from tanteo.emit.cases import Case
from tanteo.emit.companions import companions
from tanteo.emit.escapes import with_raw_strings
from tanteo.emit.names import name_case, telling_names
from tanteo.emit.source import definitions, import_lines, names_in
from tanteo.emit.tables import tabulate
from tanteo.subject import Operation

MARKER = "# Written by tanteo and written again by its next run; delete this line to keep the file as it is."


class Test(NamedTuple):
    """A test function."""

    name: str
    text: str
    instead: tuple[str, str] | None = None  # name and text of one that asserts less, should this one fail
    wanted: str = ""  # its name without a number


def renumber(tests: list[Test]) -> list[Test]:
    """No second test without a first: those that are left are numbered anew."""
    taken = {test.name for test in tests if not test.wanted}
    found = []
    for test in tests:
        name, number = test.wanted or test.name, 2
        while test.wanted and name in taken:
            name, number = f"{test.wanted}_{number}", number + 1
        taken.add(name)
        found.append(test._replace(name=name, text=test.text.replace(f"def {test.name}(", f"def {name}(", 1)))
    return found


def _filters(case: Case) -> list[str]:
    """What a test knows to warn of need not be told to who runs it."""
    if case.announces:
        return []
    return [f'@pytest.mark.filterwarnings("ignore::{kind}")' for kind in case.warns]


@dataclass(slots=True, eq=False)
class Module:
    """The tests of one module of the subject."""

    subject: str
    operations: Listing[Operation]
    faulty: bool = False  # its tests fail
    imports: Imports = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def add_cases(self, cases: list[Case]) -> None:
        """A test for each case that asserts something; those that differ only in plain values share one."""
        seen: set[tuple[str, ...]] = set()
        written: list[tuple[Case, Body]] = []
        ordered = sorted(cases, key=lambda c: (c.operation, c.raises != ""))
        for case in ordered:  # so that no variable is called like something that the file imports
            write_body(case, self.operations, self.imports)
        for case in ordered:
            body = write_body(case, self.operations, self.imports)
            if body is not None and body.lines not in seen:
                seen.add(body.lines)
                written.append((case, body))
        tables = tabulate(written, self.operations, self.imports)
        names = telling_names([table.case for table in tables], self.operations)
        for table, name in zip(tables, names, strict=True):
            heads = [*_filters(table.case), *([table.head] if table.head else [])]
            test = self.add(name, list(table.lines), "\n".join(heads), parameters=", ".join(table.parameters))
            if test is not None and table.case.weaker and not table.case.several:
                self._note_weaker(test, replace(table.case, observations=table.case.weaker))

    def _note_weaker(self, test: Test, case: Case) -> None:
        """What the test that was added last becomes if its assertion does not last."""
        body = write_body(case, self.operations, self.imports)
        if body is None:
            return
        name, filters = name_case(case, self.operations), "\n".join(_filters(case))
        weaker = self.add(name, list(body.lines), filters, parameters=", ".join(body.fixtures))
        if weaker is not None:
            self.tests[-2:] = [test._replace(instead=(weaker.name, weaker.text))]

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
        test = Test(unique, with_raw_strings(text), wanted=name)
        self._names.add(unique)
        self.tests.append(test)
        return test

    def keep(self, test: Test) -> None:
        """A test that was written earlier, as it is."""
        if test.name not in self._names:
            self._names.add(test.name)
            self.tests.append(test)

    def text(self, tests: list[Test] | None = None) -> str:
        """The file, before it is formatted."""
        tests = self.tests if tests is None else tests
        body = "\n\n\n".join(test.text for test in tests)
        plain = sorted(
            f"import {module}" for (module, name) in self.imports if not name and f"{module}." in body
        )
        classes = definitions(self.operations, self.imports, body)
        whole = "\n".join([*classes, body])
        mentioned = names_in(whole)
        needed = {k: v for k, v in self.imports.items() if k[1] and v in mentioned}
        lines = import_lines(needed, whole)
        first = sorted({line for line in lines if line.startswith("import ")} | set(plain))
        if "pytest." in body:
            first.append("import pytest")
        rest = [line for line in lines if not line.startswith("import ")]
        doc = f'"""What {self.subject} {"gets wrong" if self.faulty else "does"} today."""'
        made = [*classes, *companions(body)]
        return "\n".join([MARKER, doc, "", *first, *rest, *made, "", "", body]) + "\n"
