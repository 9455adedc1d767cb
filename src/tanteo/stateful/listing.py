"""Contracts for people: as text, as Markdown, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby

from tanteo.stateful.reading import Row, surviving

WORDS = {
    "invariant": "always",
    "precondition": "requires",
    "postcondition": "ensures",
    "implication": "ensures",
    "raises": "",
}


def as_text(rows: list[Row]) -> str:
    """The surviving ones by operation, then what became of the others."""
    lines = []
    for operation, group in groupby(surviving(rows), key=lambda row: row.operation):
        lines.append(operation)
        lines += [f"  {_sentence(row)}" for row in group]
    return "\n".join([*lines, "", *_accounts(rows)]) + "\n"


def as_markdown(rows: list[Row]) -> str:
    """The same as headings and lists."""
    lines = ["# Contracts", ""]
    for operation, group in groupby(surviving(rows), key=lambda row: row.operation):
        lines += [f"## `{operation}`", ""]
        lines += [
            f"- {WORDS[row.sort]} `{row.text}` ({row.words or _support(row)})".lstrip() for row in group
        ]
        lines.append("")
    return "\n".join([*lines, *(f"{line}  " for line in _accounts(rows))]) + "\n"


def as_json(rows: list[Row]) -> str:
    """Everything, refuted ones too."""
    told = [{**row._asdict(), "witness": row.witness.decode() if row.witness else None} for row in rows]
    return json.dumps(told, indent=1) + "\n"


def _sentence(row: Row) -> str:
    words = f"{WORDS[row.sort]} {row.text}".strip()
    return f"{words}  ({row.words or _support(row)})"


def _support(row: Row) -> str:
    calls = f"{row.calls} calls in " if row.calls else ""
    return f"{calls}{row.states} states"


def _accounts(rows: list[Row]) -> list[str]:
    """How many there were, and which could not be tried."""
    counted = Counter(row.status for row in rows)
    lines = [", ".join(f"{counted[status]} {status}" for status in counted)] if counted else ["no contracts"]
    for row in rows:
        if row.status == "open" and row.sort == "precondition":
            lines.append(f"{row.operation} was never tried without {row.text}")
    return lines
