"""Fills and asks the object/transition database; no SQL of stateful testing stands elsewhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

FEW = 8  # recipes for one state: the shortest
MOST_PAIRS = 400  # of which one thing is true
FEWEST = 3  # states of a class from which one can tell what is always so
MOST_ASKED = 200  # questions that are remembered
OBJECTS = """\
SELECT recipe.code, object.position, object.state,
       row_number() OVER (PARTITION BY object.state ORDER BY object.length, object.recipe) AS turn
FROM ({states}) AS wanted
CROSS JOIN object ON object.state = wanted.state
CROSS JOIN recipe ON recipe.recipe = object.recipe
ORDER BY turn, object.length, object.recipe LIMIT ?"""
PAIRS = """\
SELECT recipe.code, relation.position_x, relation.position_y
FROM relation CROSS JOIN recipe ON recipe.recipe = relation.recipe
WHERE relation.text = ? AND relation.kind_x = ? AND relation.kind_y = ?
ORDER BY recipe.length, relation.recipe LIMIT ?"""


class Thing(NamedTuple):
    """An object: the recipe that leaves it behind, and where."""

    code: bytes
    position: int
    state: int


class Wish(NamedTuple):
    """What an object of a class should answer to a question."""

    text: str
    answer: int


class Clause(NamedTuple):
    """A row of the table `clause`."""

    operation: str
    sort: str
    text: str
    calls: int
    states: int
    status: str = "open"
    words: str = ""
    witness: bytes | None = None


class ObjectBase:
    """The database of one session; `asked` has the questions that it was asked."""

    def __init__(self, file: str = ":memory:") -> None:
        if file != ":memory:":
            Path(file).unlink(missing_ok=True)  # of an explorer that was ended: its numbers are not ours
        self._connection = sqlite3.connect(file)
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(Path(__file__).with_name("schema.sql").read_text())
        self.asked: list[str] = []
        self._kinds: dict[str, int] = {}
        self._questions: dict[tuple[int, str], int] = {}
        self._states: dict[tuple[int, str], int] = {}
        self._recipes: dict[bytes, int] = {}
        self._objects: dict[int, int] = {}
        self._relations: dict[tuple[str, tuple[int, int]], int] = {}

    def commit(self) -> None:
        """What was entered is there for others."""
        self._connection.commit()

    def close(self) -> None:
        """Done."""
        self._connection.commit()
        self._connection.close()

    def kind(self, name: str) -> int:
        """The number of a class."""
        known = self._kinds.get(name)
        if known is None:
            cursor = self._connection.execute("INSERT INTO kind (name) VALUES (?)", (name,))
            known = self._kinds[name] = int(cursor.lastrowid or 0)
        return known

    def _question(self, kind: int, text: str, family: str = "") -> int:
        known = self._questions.get((kind, text))
        if known is None:
            cursor = self._connection.execute(
                "INSERT INTO question (kind, text, family) VALUES (?, ?, ?)", (kind, text, family)
            )
            known = self._questions[kind, text] = int(cursor.lastrowid or 0)
        return known

    def state(self, kind: int, told: list[tuple[str, str, int | None]]) -> int:
        """The number of an abstract state: questions with their families and answers."""
        answers = "".join("-" if answer is None else str(answer) for *_, answer in told)
        known = self._states.get((kind, answers))
        if known is None:
            cursor = self._connection.execute(
                "INSERT INTO state (kind, answers) VALUES (?, ?)", (kind, answers)
            )
            known = self._states[kind, answers] = int(cursor.lastrowid or 0)
            rows = [(self._question(kind, t, f), a, known) for t, f, a in told if a is not None]
            self._connection.executemany("INSERT INTO holds VALUES (?, ?, ?)", rows)
        return known

    def recipe(self, code: bytes, length: int) -> int:
        """The number of a recipe."""
        known = self._recipes.get(code)
        if known is None:
            cursor = self._connection.execute(
                "INSERT INTO recipe (code, length) VALUES (?, ?)", (code, length)
            )
            known = self._recipes[code] = int(cursor.lastrowid or 0)
        return known

    def add_object(self, state: int, code: bytes, length: int, position: int) -> None:
        """An object in this state; of many only a few short ones are kept."""
        count = self._objects.get(state, 0)
        if count >= FEW:
            worst = self._connection.execute(
                "SELECT length, recipe, position FROM object WHERE state = ? ORDER BY length DESC LIMIT 1",
                (state,),
            ).fetchone()
            if worst[0] <= length:
                return
            self._connection.execute(
                "DELETE FROM object WHERE state = ? AND length = ? AND recipe = ? AND position = ?",
                (state, *worst),
            )
        else:
            self._objects[state] = count + 1
        row = (state, length, self.recipe(code, length), position)
        self._connection.execute("INSERT OR IGNORE INTO object VALUES (?, ?, ?, ?)", row)

    def add_test(self, operation: str, recipe: int, outcome: str, before: int, after: int) -> None:
        """A call with the literals that held around it."""
        self._connection.execute(
            "INSERT INTO test (operation, recipe, outcome, before, after) VALUES (?, ?, ?, ?, ?)",
            (operation, recipe, outcome, f"{before:x}", f"{after:x}"),
        )

    def add_relation(self, text: str, kinds: tuple[int, int], recipe: int, places: tuple[int, int]) -> None:
        """Two objects of one recipe of which something is true; of many such pairs the first are kept."""
        count = self._relations[text, kinds] = self._relations.get((text, kinds), 0) + 1
        if count > MOST_PAIRS:
            return
        row = (text, *kinds, recipe, *places)
        self._connection.execute("INSERT OR IGNORE INTO relation VALUES (?, ?, ?, ?, ?, ?)", row)

    def add_transition(self, operation: str, before: int, after: int, recipe: int) -> None:
        """A call that took its first input from one state to another."""
        self._connection.execute(
            "INSERT INTO transition VALUES (?, ?, ?, 1, ?)"
            " ON CONFLICT (state_before, state_after, operation) DO UPDATE SET times = times + 1",
            (operation, before, after, recipe),
        )

    def objects(self, kind: int, wishes: Iterable[Wish], most: int) -> list[Thing]:
        """Objects of a class that answer as wished: short recipes first, no state twice before all once."""
        states, values = self._wanted(kind, wishes)
        sql = OBJECTS.format(states=states)
        rows = self._ask(sql, (*values, most))
        return [Thing(bytes(code), position, state) for code, position, state, _ in rows]

    def pairs(self, text: str, kinds: tuple[int, int], most: int) -> list[tuple[bytes, int, int]]:
        """Two objects of one recipe for which a relation was seen to hold."""
        rows = self._ask(PAIRS, (text, *kinds, most))
        return [(bytes(code), x, y) for code, x, y in rows]

    def edges(self, kind: int) -> Iterator[tuple[int, int, str, bytes]]:
        """All transitions of a class, for a search along several of them."""
        sql = (
            "SELECT state_before, state_after, operation, code FROM transition"
            " JOIN state ON state.state = state_before JOIN recipe USING (recipe)"
            " WHERE state.kind = ? AND state_before != state_after ORDER BY times DESC"
        )
        for before, after, operation, code in self._ask(sql, (kind,)):
            yield before, after, operation, bytes(code)

    def always(self, kind: int) -> list[tuple[str, int, int]]:
        """Questions that a class has answered alike in all of its states, if it has several."""
        sql = (
            "SELECT text, answer, count(*) FROM holds JOIN question USING (question) WHERE kind = ?"
            " GROUP BY question, answer HAVING count(*) >= ? AND count(*) ="
            " (SELECT count(*) FROM state WHERE kind = ?)"
        )
        return [(text, answer, n) for text, answer, n in self._ask(sql, (kind, FEWEST, kind)) if answer < 2]

    def states(self, kind: int, wishes: Iterable[Wish]) -> set[int]:
        """The states in which a class answers as wished."""
        sql, values = self._wanted(kind, wishes)
        return {row[0] for row in self._ask(sql, tuple(values))}

    def _wanted(self, kind: int, wishes: Iterable[Wish]) -> tuple[str, list[int]]:
        parts, values = ["SELECT state FROM state WHERE kind = ?"], [kind]
        for wish in wishes:
            parts.append("SELECT state FROM holds WHERE question = ? AND answer = ?")
            values += [self._question(kind, wish.text), wish.answer]
        return " INTERSECT ".join(parts), values

    def _ask(self, sql: str, values: tuple[object, ...]) -> list[Any]:
        rows = self._connection.execute(sql, values).fetchall()
        if len(self.asked) < MOST_ASKED:
            self.asked.append(f"{sql}\n-- {values!r}: {len(rows)} rows")
        return rows

    def save(self, clauses: Iterable[Clause], operation: str | None = None) -> None:
        """Write the clauses as they are now, all of them or those of one operation."""
        rows = []
        for clause in clauses:
            witness = None
            if clause.witness is not None:
                witness = self.recipe(clause.witness, clause.witness.count(b"\n"))
            rows.append((*clause[:7], witness))
        with self._connection:
            self._connection.execute("DELETE FROM asked")
            self._connection.executemany("INSERT INTO asked VALUES (?)", [(text,) for text in self.asked])
            if operation is None:
                self._connection.execute("DELETE FROM clause")
            self._connection.execute("DELETE FROM clause WHERE operation = ?", (operation,))
            self._connection.executemany(
                "INSERT OR REPLACE INTO clause VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows
            )


def saved_clauses(file: str) -> list[Any]:
    """The clauses of a database on disk; witnesses as code."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return connection.execute(
            "SELECT operation, sort, text, calls, states, status, words, code FROM clause"
            " LEFT JOIN recipe ON recipe.recipe = clause.witness"
        ).fetchall()
    finally:
        connection.close()


def saved_calls(file: str) -> list[Any]:
    """The calls that were looked at: operation, code, what came of it; short ones first."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return connection.execute(
            "SELECT operation, code, outcome FROM test JOIN recipe USING (recipe) ORDER BY length, recipe"
        ).fetchall()
    finally:
        connection.close()


def saved_questions(file: str) -> list[str]:
    """What the search has asked the database, as SQL."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return [row[0] for row in connection.execute("SELECT text FROM asked")]
    finally:
        connection.close()
