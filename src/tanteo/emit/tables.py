"""Tests that differ in plain values only, as one test with a table of them."""

from __future__ import annotations

from collections.abc import Sequence as Listing
from dataclasses import replace
from keyword import kwlist
from typing import NamedTuple

from tanteo.emit.bodies import Body, Hole, Imports, write_body
from tanteo.emit.cases import Case
from tanteo.emit.source import STANDARD, names_in
from tanteo.subject import Operation

MOST_COLUMNS = 5  # nobody reads a wider table
SHORT = 3  # characters: a letter in quotes
MARK = "hole_of_a_table_"


class Table(NamedTuple):
    """One test, of one case or of many."""

    case: Case  # the only one, or what they have in common
    lines: tuple[str, ...]
    parameters: tuple[str, ...]
    head: str = ""


def tabulate(
    written: list[tuple[Case, Body]], operations: Listing[Operation], imports: Imports
) -> list[Table]:
    """The tests to write for these cases, in their order."""
    groups: dict[object, list[tuple[Case, Body]]] = {}
    for case, body in written:
        blank = write_body(case, operations, imports, {n: f"{MARK}{n}" for n in range(len(body.holes))})
        kinds = tuple(seen.kind for seen in case.observations)  # what changes something is no row beside
        key = (case.operation, blank and blank.lines, case.warns, kinds)  # what does not
        groups.setdefault(key, []).append((case, body))
    tables = []
    for group in groups.values():
        table = _merge(group, operations, imports) if len(group) > 1 else None
        tables += [table] if table else [Table(case, body.lines, body.fixtures) for case, body in group]
    return tables


def _merge(group: list[tuple[Case, Body]], operations: Listing[Operation], imports: Imports) -> Table | None:
    """One test for all; what does not differ stands in it as it is. None if too much differs."""
    case, first = group[0]
    columns = list(zip(*(body.holes for _, body in group), strict=True))
    varied = [n for n, column in enumerate(columns) if len({hole.text for hole in column}) > 1]
    echoes = {n: given for n in varied if (given := _echoed(columns, n, varied)) is not None}
    varied = [n for n in varied if n not in echoes]
    if not 0 < len(varied) <= MOST_COLUMNS:
        return None
    taken = {"pytest", *kwlist, *STANDARD, *imports.values(), *first.fixtures}
    taken |= names_in("\n".join(first.lines))
    names = _names([first.holes[n] for n in varied], taken)
    filling = dict(zip(varied, names, strict=True))
    filling |= {n: filling[given] for n, given in echoes.items()}
    filled = write_body(case, operations, imports, filling)
    if filled is None:
        return None
    rows = sorted({tuple(body.holes[n].text for n in varied) for _, body in group})
    parameters = (*first.fixtures, *names)
    common = replace(_in_common([c for c, _ in group]), varied=frozenset(first.holes[n].name for n in varied))
    return Table(common, filled.lines, parameters, _decorator(names, rows))


def _echoed(columns: list[tuple[Hole, ...]], result: int, varied: list[int]) -> int | None:
    """The column of arguments in which the same stands as in a column of results; of numbers by chance."""
    texts = [hole.text for hole in columns[result]]
    if columns[result][0].given or not all(text[0] in "'\"[({" and len(text) > SHORT for text in texts):
        return None
    alike = (n for n in varied if columns[n][0].given and [hole.text for hole in columns[n]] == texts)
    return next(alike, None)


def _names(holes: list[Hole], taken: set[str]) -> list[str]:
    outcomes = {hole.name for hole in holes if not hole.given}
    found: list[str] = []
    for hole in holes:
        name = hole.name
        while name in taken or name in found or (hole.given and name in outcomes):
            name = f"{name}_"
        found.append(name)
    return found


def _in_common(cases: list[Case]) -> Case:
    """The first one; what is seen in others is not what is seen in it."""
    first = cases[0]
    others = [[o.source for o in case.observations] for case in cases]
    observations = tuple(
        seen
        if seen.kind == "same" or all(sources[n] == seen.source for sources in others)
        else seen._replace(source="expected")
        for n, seen in enumerate(first.observations)
    )
    return replace(first, observations=observations, several=True)


def _decorator(names: list[str], rows: list[tuple[str, ...]]) -> str:
    """A row for each call."""
    if len(names) == 1:
        return f'@pytest.mark.parametrize("{names[0]}", [{", ".join(cell for (cell,) in rows)}])'
    heads = ", ".join(f'"{name}"' for name in names)
    cells = ", ".join(f"({', '.join(row)})" for row in rows)
    return f"@pytest.mark.parametrize(({heads}), [{cells}])"
