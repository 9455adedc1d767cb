"""Clauses as the database of a session has them, the most interesting first."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from tanteo.errors import UserError
from tanteo.stateful.database import saved_clauses

FILE = "stateful.db"
STANDING = ("confirmed", "retained", "open", "fault", "refuted")
SORTS = {"invariant": 0, "precondition": 1, "raises": 2, "implication": 3, "postcondition": 4}
DULL = re.compile(r"len\((\w+)\) == old\(len\(\1\)\)$")


class Row(NamedTuple):
    """A clause, and the code of the call that decided it."""

    operation: str
    sort: str
    text: str
    calls: int
    states: int
    status: str
    words: str
    witness: bytes | None

    @property
    def dull(self) -> bool:
        """Whether it only says that nothing has grown."""
        return DULL.fullmatch(self.text) is not None


def read_clauses(session: str) -> list[Row]:
    """All clauses of a session, by operation, then by interest."""
    file = Path(session) / FILE
    if not file.is_file():
        raise UserError(f"no contracts in {session}; make some with tanteo stateful", "no-session")
    return sorted([Row(*row) for row in saved_clauses(str(file))], key=_interest)


def count_clauses(session: str) -> str:
    """How many there are of each status, in words."""
    if not (Path(session) / FILE).is_file():
        return "none, the time was too short"
    counted = Counter(row.status for row in read_clauses(session))
    return ", ".join(f"{counted[status]} {status}" for status in STANDING if counted[status]) or "none"


def _interest(row: Row) -> tuple[object, ...]:
    return row.operation, STANDING.index(row.status), row.dull, SORTS[row.sort], -row.states, row.text


def surviving(rows: list[Row]) -> list[Row]:
    """What an honest attempt could not break, without what goes without saying."""
    return [row for row in rows if row.status in ("confirmed", "retained") and not row.dull]
