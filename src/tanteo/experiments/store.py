"""Items and their results on disk: what has no result is pending, so a study can be stopped and grow."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from tanteo.experiments.plan import Item, Plan, as_json

SCHEMA = """
CREATE TABLE IF NOT EXISTS item (
    key TEXT PRIMARY KEY, subject TEXT, variant TEXT, seed INTEGER, asked TEXT,
    tries INTEGER DEFAULT 0, reason TEXT DEFAULT '', result TEXT
);
"""


class Store:
    """The study on disk; one writer."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.executescript(SCHEMA)

    def expect(self, plan: Plan) -> None:
        """The items of a plan; those that are there already stay as they are."""
        rows = [(i.key, i.subject.name, i.variant.name, i.seed, json.dumps(as_json(i))) for i in plan.items()]
        self._connection.executemany(
            "INSERT OR IGNORE INTO item (key, subject, variant, seed, asked) VALUES (?, ?, ?, ?, ?)", rows
        )

    def pending(self, plan: Plan, most_tries: int) -> list[Item]:
        """What has no result yet and was not tried too often."""
        rows = self._connection.execute(
            "SELECT key FROM item WHERE result IS NULL AND tries < ?", (most_tries,)
        )
        open_ = {key for (key,) in rows}
        return [item for item in plan.items() if item.key in open_]

    def finish(self, item: Item, result: dict[str, Any]) -> None:
        """A result has come."""
        self._connection.execute(
            "UPDATE item SET result = ?, reason = '' WHERE key = ?", (json.dumps(result), item.key)
        )

    def fail(self, item: Item, reason: str) -> int:
        """It did not work out this time; how often it has been tried."""
        (row,) = self._connection.execute(
            "UPDATE item SET tries = tries + 1, reason = ? WHERE key = ? RETURNING tries", (reason, item.key)
        ).fetchall()
        return int(row[0])

    def results(self, plan: Plan) -> dict[tuple[str, str, int], dict[str, Any]]:
        """By subject, variant and seed."""
        wanted = {item.key: item for item in plan.items()}
        rows = self._connection.execute("SELECT key, result FROM item WHERE result IS NOT NULL")
        found = {}
        for key, result in rows:
            if key in wanted:
                item = wanted[key]
                found[item.subject.name, item.variant.name, item.seed] = json.loads(result)
        return found

    def failures(self, plan: Plan) -> list[tuple[str, str, int, int, str]]:
        """Subject, variant, seed, tries and reason of what has no result."""
        wanted = {item.key for item in plan.items()}
        rows = self._connection.execute(
            "SELECT key, subject, variant, seed, tries, reason FROM item WHERE result IS NULL AND tries > 0"
        )
        return [(s, v, n, tries, reason) for key, s, v, n, tries, reason in rows if key in wanted]

    def close(self) -> None:
        """Done."""
        self._connection.close()
