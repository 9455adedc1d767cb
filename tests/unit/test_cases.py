"""Which sequences are worth a test, and what two recordings have in common."""

from __future__ import annotations

from typing import Any

from tanteo.emit.cases import EXAMPLES, MOST_ASSERTIONS, Candidate, agree, choose
from tanteo.store.database import KeptRow

CODE = b"=1\n7 -1\n8 -1\n"


def row(code: bytes, outcome: str, arms: str) -> KeptRow:
    return KeptRow(0, 1, 0.0, "normal", outcome, "", arms, code)


def test_rows_that_add_an_arm_or_an_outcome_are_chosen() -> None:
    rows = [
        row(b"4\n", "normal", "1,2"),
        row(b"4\n4\n", "normal", "2"),  # nothing new
        row(b"5\n4\n", "normal", "3,2"),
        row(b"6\n4\n", "ValueError at f:1", ""),
        row(b"7\n4 -1\n", "ValueError at f:1", ""),  # seen of this operation
        row(b"4\n5 -1\n", "normal", ""),
    ]
    assert [c for c in choose(rows) if not c.extra] == [
        Candidate(b"4\n", "normal", (1, 2)),
        Candidate(b"5\n4\n", "normal", (3,)),
        Candidate(b"6\n4\n", "ValueError at f:1", ()),
        Candidate(b"4\n5 -1\n", "normal", ()),
    ]


def test_a_few_more_examples_follow_behind() -> None:
    rows = [row(b"=%d\n4 -1\n" % n, "normal", "") for n in range(EXAMPLES + 3)]
    found = choose([*rows, row(b"5\n", "normal", "1")])
    assert [(c.code, c.extra) for c in found[:2]] == [(b"=0\n4 -1\n", False), (b"5\n", False)]
    assert [c.code for c in found[2:]] == [r.code for r in rows[1:EXAMPLES]]
    assert all(c.extra for c in found[2:])


def seen(*observations: list[Any]) -> dict[str, Any]:
    told = {
        "types": [],
        "ended": [],
        "astray": False,
        "odd": False,
        "unlikely": False,
        "stuffed": False,
        "padded": False,
        "vain": False,
        "accident": False,
        "echo": False,
        "announces": None,
        "same": [],
    }
    return {"observations": list(observations), **told}


def value(source: str) -> list[Any]:
    return ["value", 2, -1, source, [], True]


def state(kind: str, operation: int, source: str = "1", position: int = 1) -> list[Any]:
    return [kind, position, operation, source, [], True]


def kept(*observations: list[Any]) -> list[tuple[str, int]]:
    case = agree(CODE, seen(*observations), seen(*observations))
    assert case is not None
    return [(o.kind, o.operation) for o in case.observations]


def test_only_what_both_have_seen_is_asserted() -> None:
    case = agree(CODE, seen(value("1"), state("changed", 5)), seen(state("changed", 5), value("2")))
    assert case is not None
    assert [o.kind for o in case.observations] == ["changed"]
    assert case.sequence.code == CODE
    assert case.operation == 8


def test_imports_become_pairs_again() -> None:
    one = seen(["value", 2, -1, "A()", [["m", "A"]], False])
    case = agree(CODE, one, one)
    assert case is not None
    assert case.observations[0].imports == (("m", "A"),)
    assert not case.observations[0].exact


def test_recordings_that_differ_in_what_happened_give_nothing() -> None:
    raised = {**seen(), "raises": "ValueError", "imports": [], "message": "a"}
    assert agree(CODE, seen(), None) is None
    assert agree(CODE, None, seen()) is None
    assert agree(CODE, seen(), raised) is None
    assert agree(CODE, raised, {**raised, "raises": "KeyError"}) is None


def test_a_message_must_be_the_same_twice() -> None:
    raised = {**seen(), "raises": "Odd", "imports": [["m", "Odd"]], "message": "a", "asked": True}
    raised["idle"] = False
    case = agree(CODE, raised, dict(raised))
    assert case is not None
    assert (case.raises, case.message, case.imports) == ("Odd", "a", (("m", "Odd"),))
    other = agree(CODE, raised, {**raised, "message": "b"})
    assert other is not None
    assert (other.raises, other.message) == ("Odd", "")


def test_the_result_comes_first_and_what_is_untouched_last() -> None:
    untouched = [state("unchanged", n) for n in (3, 4, 5)]
    assert kept(*untouched, state("changed", 6), value("1")) == [
        ("value", -1),
        ("changed", 6),
        ("unchanged", 3),
        ("unchanged", 4),
    ]


def test_there_are_not_too_many_assertions() -> None:
    assert len(kept(value("1"), *(state("changed", n) for n in range(3, 20)))) == MOST_ASSERTIONS


def test_a_known_value_is_not_described_by_its_observers_too() -> None:
    assert kept(value("A(1)"), state("changed", 5, position=2)) == [("value", -1)]


def test_a_changed_state_says_more_than_none() -> None:
    assert kept(value("None"), state("changed", 5)) == [("changed", 5)]
    assert kept(value("None"), state("unchanged", 5)) == [("value", -1), ("unchanged", 5)]


def test_the_state_of_a_new_object_says_more_than_its_type_and_length() -> None:
    made = [["type", 2, -1, "A", [], True], ["length", 2, -1, "0", [], True]]
    assert kept(*made, state("changed", 5, position=2)) == [("changed", 5)]
    assert kept(*made) == [("type", -1), ("length", -1)]


def test_what_depends_on_other_folders_is_no_case() -> None:
    assert agree(CODE, {"elsewhere": True}, {"elsewhere": True}) is None
