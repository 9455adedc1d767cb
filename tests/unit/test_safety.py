"""A call that raised and changed its object all the same is told, as a hint."""

from __future__ import annotations

import pytest

from tanteo.assembly import open_here
from tanteo.engine import attempt
from tanteo.model import Literal, Run, Verdict, call, say, sequence
from tanteo.safety import FIRST, NAME
from tanteo.session import Session
from tests.unit.conftest import Write

ACCOUNT = """
import itertools

numbers = itertools.count()


class Account:
    def __init__(self):
        self.total = 0

    def hasty(self, amount):
        self.total += amount
        if amount < 0:
            raise ValueError("less than nothing")

    def careful(self, amount):
        if amount < 0:
            raise ValueError("less than nothing")
        self.total += amount


class Ticket(Account):
    def __init__(self):
        self.total = next(numbers)
"""


@pytest.fixture
def session(clean_imports: None, write: Write) -> Session:
    return open_here(str(write("accounts.py", ACCOUNT)))


def draw(session: Session, kind: str, method: str, amount: int = -1) -> Run:
    numbers = {o.name.partition(".")[2]: o.index for o in session.operations}
    made = [
        call(numbers[kind], ()),
        say(Literal(amount, str(amount))),
        call(numbers[f"Account.{method}"], (-2, -1)),
    ]
    return attempt(sequence(made), session)


def test_what_changed_before_it_raised_is_told(session: Session) -> None:
    run = draw(session, "Account", "hasty")
    assert run.verdict is Verdict.EXPECTED
    assert run.fault is not None
    assert (run.fault.contract, run.fault.level) == (NAME, "suspicious")
    assert "left the object changed" in run.fault.reason


def test_what_raised_before_it_changed_is_not(session: Session) -> None:
    assert draw(session, "Account", "careful").fault is None
    assert draw(session, "Account", "hasty", 1).fault is None


def test_what_is_never_the_same_tells_nothing(session: Session) -> None:
    assert draw(session, "Ticket", "hasty").fault is None


def test_only_the_first_runs_are_looked_at(session: Session) -> None:
    found = [draw(session, "Account", "hasty").fault is not None for _ in range(FIRST + 2)]
    assert found == [True] * FIRST + [False] * 2
    session.thorough = True
    assert draw(session, "Account", "hasty").fault is not None
