"""Names that promise a way back, and what is made of those that break the promise."""

from __future__ import annotations

import pytest

from tanteo.assembly import assemble
from tanteo.engine import explore
from tanteo.execute.load import Wanted, load
from tanteo.model import NORMAL, Run
from tanteo.roundtrips import RoundTrip, round_trips
from tanteo.session import stream
from tests.unit.conftest import Write

SOURCE = """
def encode(text: str) -> str:
    return text.lower()

def decode(text: str) -> str:
    return text

def quote(text: str) -> str:
    return "'" + text + "'"

def unquote(text: str) -> str:
    return text[1:-1]

def parse(text: str, strict: bool) -> str:
    return text

class Point:
    def __init__(self, x: int = 0) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.x == other.x

    def to_list(self) -> list[int]:
        return [self.x]

    @classmethod
    def from_list(cls, items: list[int]) -> "Point":
        return cls(*items)
"""


@pytest.mark.usefixtures("clean_imports")
def test_pairs_are_found_and_what_does_not_come_back_is_a_suggestion(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write("codes.py", SOURCE)
    monkeypatch.syspath_prepend(str(file.parent))
    loaded = load(Wanted(("codes",)))
    trips = round_trips(loaded.bindings.operations, loaded.bindings.calls)
    names = {loaded.bindings.operations[n].name: trip.name for n, trip in trips.items()}
    assert names == {
        "codes.encode": "codes.decode",
        "codes.quote": "codes.unquote",
        "codes.Point.to_list": "codes.Point.from_list",
    }
    runs = [run for run in explore(assemble(loaded, stream(0), steps=2000)) if isinstance(run, Run)]
    told = [(run.fault, run.verdict) for run in runs if run.fault is not None]
    assert {(fault.operation, fault.level) for fault, _ in told} == {("codes.encode", "suggestion")}
    assert {verdict for _, verdict in told} == {NORMAL}


@pytest.mark.parametrize(
    ("given", "result", "answer"),
    [("a", "a", True), ("A", "a", False), (float("nan"), "nan", None), ("a", 5, False), (b"a", "a", None)],
)
def test_the_way_back(given: object, result: object, answer: bool | None) -> None:
    def back(text: object) -> str:
        if not isinstance(text, str):
            raise ValueError("no text")
        return text

    assert RoundTrip("back", back).comes_back(given, result) is answer


def test_the_way_back_is_taken_ever_more_rarely() -> None:
    trip = RoundTrip("back", str)
    taken = [trip.is_due() for _ in range(10_000)]
    assert all(taken[:20])
    assert 50 < sum(taken) < 300
