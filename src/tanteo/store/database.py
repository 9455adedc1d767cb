"""Opens, fills and reads a session on disk; no SQL elsewhere."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tanteo.errors import UserError

FORMAT = 1


class KeptRow(NamedTuple):
    """One row of the table `kept`."""

    job: int
    step: int
    seconds: float
    verdict: str
    outcome: str
    values: str
    arms: str
    code: bytes


def _connect(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(Path(__file__).with_name("schema.sql").read_text())
    except sqlite3.Error:
        connection.close()
        raise
    return connection


class Database:
    """One session directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".gitignore").write_text("*\n")
            self._connection = _connect(folder / "session.db")
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UserError(
                f"cannot write the session in {folder}: {why}; choose another with --session",
                "unwritable-session",
            ) from error

    def clear(self) -> None:
        """Forget everything."""
        with self._connection:
            self._connection.execute("DELETE FROM fact")
            self._connection.execute("DELETE FROM kept")

    def fact(self, name: str) -> Any:
        """A fact, None if it is not there."""
        row = self._connection.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row[0])

    def save(self, rows: Iterable[KeptRow], **facts: object) -> None:
        """Write rows and facts in one transaction: all or nothing survives a kill."""
        with self._connection:
            self._connection.executemany(
                "INSERT INTO kept VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (job, step) DO NOTHING", rows
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO fact VALUES (?, ?)",
                [(name, json.dumps(value)) for name, value in facts.items()],
            )

    def kept(self, job: int | None = None) -> list[KeptRow]:
        """Kept sequences in the order in which they were found."""
        where, values = ("WHERE job = ?", (job,)) if job is not None else ("", ())
        rows = self._connection.execute(f"SELECT * FROM kept {where} ORDER BY job, step", values)
        return [KeptRow(*row) for row in rows]

    def recipes(self, job: int, most: int, since: int = -1) -> list[bytes]:
        """The newest sequences of a job that feed its pools, of steps after the last reset; oldest first."""
        rows = self._connection.execute(
            "SELECT code FROM kept WHERE job = ? AND values_ != '' AND step > ? ORDER BY step DESC LIMIT ?",
            (job, since, most),
        )
        return [bytes(row[0]) for row in rows][::-1]

    def close(self) -> None:
        """Done."""
        self._connection.close()
