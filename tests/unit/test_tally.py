"""Records of explorers added up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tanteo.errors import UserError
from tanteo.execute.log import COLUMNS, VERDICTS
from tanteo.model import Verdict
from tanteo.tally import Job, Tally, fault_id, tally_from_json


def fault(code: str, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "kind": "exception",
        "contract": None,
        "exception": "NameError",
        "message": "first",
        "file": "m.py",
        "line": 3,
        "function": "f",
        "operation": "m.f",
        "level": "fault",
        "reason": "",
        "step": 5,
        "code": code,
    }
    return {**made, **changes}


def make(jobs: int = 1) -> Tally:
    return Tally(2, [Job(n) for n in range(jobs)])


def record(tally: Tally, mark: bytes, body: object, job: int = 0) -> Any:
    return tally.record(tally.jobs[job], mark + json.dumps(body).encode(), 10.0)


def test_a_fault_is_known_by_what_and_where_but_not_by_line_or_message() -> None:
    one = fault_id(fault("1\n"))
    assert one == fault_id(fault("2\n", message="other", line=99, file="n.py", step=7, level="suspicious"))
    for change in ({"exception": "KeyError"}, {"function": "g"}, {"contract": "invariant: self.n > 0"}):
        assert fault_id(fault("1\n", **change)) != one


def test_whatever_call_leads_to_a_place_it_is_the_same_fault() -> None:
    one = fault_id(fault("1\n"))
    assert one == fault_id(fault("1\n", operation="m.g"))
    assert one == fault_id(fault("1\n", kind="contract", contract="repr_raises_nothing"))
    hang = {"kind": "hang", "exception": None}
    assert fault_id(fault("1\n", **hang)) == fault_id(fault("1\n", function="elsewhere", **hang))
    assert fault_id(fault("1\n", **hang)) != fault_id(fault("1\n", operation="m.g", **hang))


def test_what_is_sure_weighs_more_than_what_is_short() -> None:
    tally = make()
    record(tally, b"F", fault("5\n", level="suspicious"))
    record(tally, b"F", fault("=1\n5 -1\n", level="fault"))
    record(tally, b"F", fault("6\n", level="suspicious"))
    assert [f["level"] for f in tally.faults.values()] == ["fault"]


def test_runs_of_one_fault_through_several_calls_are_added_up() -> None:
    tally = make()
    keys = [["exception", None, "NameError", "f", "m.f", 2], ["exception", None, "NameError", "f", "m.g", 3]]
    counts = {"step": 9, "calls": 9, "discarded": {}, "stopped_by": "", "culprits": {}, "faults": keys}
    record(tally, b"C", counts)
    assert [sum(lives.values()) for lives in tally.runs.values()] == [5]


def test_the_shortest_sequence_of_a_fault_is_remembered() -> None:
    tally = make()
    for code in ("=1\n=2\n5 -1\n", "5\n", "=1\n5 -1\n"):
        record(tally, b"F", fault(code))
    assert [f["code"] for f in tally.faults.values()] == ["5\n"]
    assert len(tally.found) == 1
    record(tally, b"F", fault("6\n", function="g"))
    assert len(tally.faults) == 2


def test_kept_sequences_become_rows_and_moments() -> None:
    tally = make(2)
    data = b"K7\t0.250\tnormal\t0,2\t4,9\tnormal with\ttab\n=1\n5 -1\n"
    row = tally.record(tally.jobs[1], data, 10.0)
    assert row is not None
    assert (row.job, row.step, row.seconds, row.verdict) == (1, 7, 10.25, "normal")
    assert (row.values, row.arms, row.outcome, row.code) == ("0,2", "4,9", "normal with\ttab", b"=1\n5 -1\n")
    assert tally.moments == [[10.25, 1, 7, "4,9"]]
    assert tally.record(tally.jobs[1], b"A" + data[1:], 10.0) is None
    assert (tally.kept, len(tally.moments)) == (1, 2)
    assert tally.record(tally.jobs[1], b"K8\t0.3\tnormal\t0\t\tnormal\n5\n", 10.0) is not None
    assert len(tally.moments) == 2


def test_counts_of_lives_are_added() -> None:
    tally = make()
    job = tally.jobs[0]
    key = ["exception", None, "NameError", "f", "m.f"]
    counts = {
        "step": 50,
        "calls": 100,
        "discarded": {"duplicate": 3},
        "faults": [[*key, 4]],
        "culprits": {},
        "stopped_by": "",
    }
    record(tally, b"C", counts)
    record(tally, b"C", {**counts, "step": 80, "calls": 160, "faults": [[*key, 6]]})
    shared = [0] * (2 * COLUMNS)
    shared[COLUMNS + VERDICTS.index(Verdict.FAULT)] = 6
    tally.end_life(job, shared)
    record(
        tally,
        b"C",
        {**counts, "step": 90, "calls": 10, "faults": [[*key, 1]], "culprits": {}, "stopped_by": "steps"},
    )
    tally.end_life(job, shared)
    assert (job.step, job.calls, job.discarded, job.life) == (90, 170, {"duplicate": 6}, 2)
    assert sum(tally.counts[VERDICTS.index(Verdict.FAULT) :: COLUMNS]) == 12
    assert sum(tally.counts[VERDICTS.index(Verdict.NORMAL) :: COLUMNS]) == 0
    assert sum(tally.runs[fault_id(fault(""))].values()) == 7
    assert tally.steps() == 90


def test_notes_and_mishaps() -> None:
    tally = make()
    tally.record(tally.jobs[0], b"N1\tfirst\twords", 0.0)
    tally.record(tally.jobs[0], b"N1\tlater", 0.0)
    tally.record(tally.jobs[0], b"X\xffTraceback", 0.0)
    assert tally.notes == {"1": "first\twords"}
    assert tally.mishaps == ["\ufffdTraceback"]


def test_a_mistake_of_the_users_comes_through() -> None:
    with pytest.raises(UserError, match="no filter named x") as caught:
        record(make(), b"M", ["no filter named x", "no-such-filter"])
    assert caught.value.slug == "no-such-filter"


def test_a_session_remembers_everything() -> None:
    tally = make(2)
    record(tally, b"F", fault("5\n"), job=1)
    tally.end_life(tally.jobs[0], [1] * (2 * COLUMNS))
    assert tally_from_json(json.loads(json.dumps(tally.as_json()))) == tally
