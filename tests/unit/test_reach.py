"""Which arms an operation may lead to, and which operation comes next."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tanteo.assembly import open_here
from tanteo.reach import SHARES
from tanteo.session import Session
from tanteo.strategies.bloodhound import Bloodhound
from tests.unit.conftest import Write

SOURCE = """
def outer(n: int) -> int:
    return _inner(n) if n else 0

def _inner(n: int) -> int:
    if n > 5:
        return 1
    return 2

def alone(n: int) -> int:
    return n
"""


def session_of(write: Write) -> Session:
    return open_here(str(write("reaching.py", SOURCE)))


def reach_by_line(session: Session, name: str, arms: dict[int, int]) -> dict[int, float]:
    number = next(o.index for o in session.operations if o.name.endswith(name))
    return {arms[arm]: share for arm, share in session.reach[number].items()}


def test_arms_of_functions_that_are_called_count_less(write: Write, clean_imports: None) -> None:
    session = session_of(write)
    assert session.watcher is not None
    lines = {number: arm.line for number, arm in session.watcher._arms.items()}
    outer = reach_by_line(session, "outer", lines)
    assert {share for line, share in outer.items() if line <= 3} == {SHARES[0]}
    assert {share for line, share in outer.items() if line >= 5} == {SHARES[1]}
    assert all(line >= 10 for line in reach_by_line(session, "alone", lines))


def test_operations_with_open_arms_come_first(write: Write, clean_imports: None) -> None:
    session = session_of(write)
    numbers = {o.name.rpartition(".")[2]: o.index for o in session.operations}
    before = Counter(Bloodhound().pick(session) for _ in range(2000))
    assert before[numbers["outer"]] > 1.5 * before[numbers["alone"]]
    for arm in session.reach[numbers["outer"]]:
        session.seen_hits[arm] = 1
    after = Counter(Bloodhound().pick(session) for _ in range(2000))
    assert after[numbers["alone"]] > after[numbers["outer"]] > 100  # it still makes values for others


def test_what_leads_nowhere_is_not_chased_for_ever(write: Write, clean_imports: None) -> None:
    session = session_of(write)
    outer = next(o.index for o in session.operations if o.name.endswith("outer"))
    hound = Bloodhound()
    first = Counter(hound.pick(session) for _ in range(200))[outer] / 200
    for _ in range(20_000):
        hound.pick(session)
    later = Counter(hound.pick(session) for _ in range(2000))[outer] / 2000
    assert later < first
    hound.learn(outer)
    assert hound._vain[outer] == 0


def test_paths_of_functions_are_compared_as_they_are(
    write: Write, clean_imports: None, tmp_path: Path
) -> None:
    session = session_of(write)
    assert session.watcher is not None
    assert Path(session.watcher._files["reaching"]).parent == tmp_path
    assert any(session.reach)
