"""The session on disk: facts, rows in order, and nothing half written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tanteo.errors import UserError
from tanteo.store.database import Database, KeptRow


def row(job: int, step: int, values: str = "0", code: bytes = b"=1\n") -> KeptRow:
    return KeptRow(job, step, 0.5 * step, "normal", f"outcome {step}", values, "1,2", code)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(tmp_path / "deep" / "session")
    yield made
    made.close()


def reopened(database: Database) -> Database:
    return Database(database.folder)


def test_facts_survive_as_json(database: Database) -> None:
    facts = {"identity": {"seed": 0, "targets": ["a"]}, "finished": False, "format": 1, "nothing": None}
    database.save([], **facts)
    other = reopened(database)
    assert {name: other.fact(name) for name in facts} == facts
    assert other.fact("unknown") is None
    other.close()


def test_a_fact_is_replaced(database: Database) -> None:
    database.save([], finished=False)
    database.save([], finished=True)
    assert database.fact("finished") is True


def test_rows_come_in_the_order_in_which_they_were_found(database: Database) -> None:
    database.save([row(1, 3), row(0, 10)])
    database.save([row(0, 2), row(1, 1)])
    assert [(r.job, r.step) for r in database.kept()] == [(0, 2), (0, 10), (1, 1), (1, 3)]
    assert [r.step for r in database.kept(1)] == [1, 3]
    assert database.kept(7) == []


def test_a_row_comes_back_as_it_was(database: Database) -> None:
    made = row(0, 4, "1,2", b"='\\n\xff'\n3 -1\n")
    database.save([made])
    assert database.kept() == [made]


def test_a_step_is_kept_once(database: Database) -> None:
    database.save([row(0, 1, code=b"first\n")])
    database.save([row(0, 1, code=b"second\n"), row(0, 2)])
    assert [r.code for r in database.kept()] == [b"first\n", b"=1\n"]


def test_recipes_are_the_newest_that_feed_the_pools(database: Database) -> None:
    database.save([row(0, n, "" if n % 2 else "0", f"{n}\n".encode()) for n in range(10)])
    database.save([row(1, 50, "0", b"other\n")])
    assert database.recipes(0, 3) == [b"4\n", b"6\n", b"8\n"]
    assert database.recipes(0, 100) == [b"0\n", b"2\n", b"4\n", b"6\n", b"8\n"]
    assert database.recipes(2, 3) == []


def test_clear_forgets_everything(database: Database) -> None:
    database.save([row(0, 1)], finished=True)
    database.clear()
    assert database.kept() == []
    assert database.fact("finished") is None
    other = reopened(database)
    assert other.kept() == []
    other.close()


def test_a_save_is_all_or_nothing(database: Database) -> None:
    database.save([row(0, 1)], finished=False)
    with pytest.raises(TypeError):
        database.save([row(0, 2)], finished=True, tally=object())

    def rows() -> Iterator[KeptRow]:
        yield row(0, 3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        database.save(rows(), finished=True)
    assert [r.step for r in database.kept()] == [1]
    assert database.fact("finished") is False


def test_others_see_only_what_was_saved(database: Database) -> None:
    other = reopened(database)

    def rows() -> Iterator[KeptRow]:
        yield row(0, 1)
        assert other.kept() == []  # in the middle of the transaction
        yield row(0, 2)

    database.save(rows(), finished=True)
    assert len(other.kept()) == 2
    other.close()


def test_the_folder_is_left_out_of_version_control(database: Database) -> None:
    assert (database.folder / ".gitignore").read_text() == "*\n"


def test_a_folder_that_cannot_be_used_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="choose another with --session") as caught:
        Database(tmp_path / "file")
    assert caught.value.slug == "unwritable-session"


def test_a_file_that_is_no_session_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "session.db").write_bytes(b"this is no database, and long enough to be seen as such" * 20)
    with pytest.raises(UserError, match="cannot write the session"):
        Database(tmp_path)
