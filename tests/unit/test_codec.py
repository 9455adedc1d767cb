"""Codes are read back as the very sequences that were written."""

from __future__ import annotations

import math

import pytest

from tanteo.execute.codec import decode
from tanteo.model import Literal, Repeat, Sequence, call, say, sequence


def same(made: Sequence) -> Sequence:
    """The sequence after the way to disk and back; equal in all that a run looks at."""
    back = decode(made.code)
    assert back == made
    assert back.code == made.code
    assert back.calls == made.calls
    for mine, yours in zip(back.statements, made.statements, strict=True):
        assert mine.operation == yours.operation
        assert mine.inputs == yours.inputs
        assert mine.names == yours.names
        assert mine.repeat == yours.repeat
        assert (mine.literal is None) == (yours.literal is None)
    return back


@pytest.mark.parametrize(
    "value",
    [
        *(1, True, False, 1.0, -1, -0.5, 0j, 1e300, None),
        *("", "a\nb", "a\r\x0b\x0c\x1c\x85\u2028b", "it's", '"', "\\", "= 3 * (", "\x00", "\ud800", "ü"),
        *(b"x", b"\n\xff"),
    ],
    ids=repr,
)
def test_a_literal_comes_back_with_its_type(value: object) -> None:
    back = same(sequence([say(Literal(value, repr(value)))])).statements[0].literal
    assert back is not None
    assert type(back.value) is type(value)
    assert back.value == value
    assert back.source == repr(value)


def test_negative_zero_stays_negative() -> None:
    literal = same(sequence([say(Literal(-0.0, "-0.0"))])).statements[0].literal
    assert literal is not None
    assert isinstance(literal.value, float)
    assert math.copysign(1, literal.value) == -1


@pytest.mark.parametrize("builtin", [len, int, sorted, object])
def test_a_builtin_comes_back_as_itself(builtin: object) -> None:
    name: str = getattr(builtin, "__name__", "")
    literal = same(sequence([say(Literal(builtin, name))])).statements[0].literal
    assert literal is not None
    assert literal.value is builtin


def test_calls_come_back_with_keywords() -> None:
    one = say(Literal(1, "1"))
    same(sequence([one, one, call(12, (-2, -1), ("größe",)), call(3, ()), call(4, (-1, -2), ("a", "b"))]))


@pytest.mark.parametrize(
    "repeat",
    [
        Repeat((), 3, ()),
        Repeat((), 1, ()),
        Repeat((0,), 2, ((1, 2),)),
        Repeat((0, 2), 2, ((1, True), ("a", ") ("))),
        Repeat((1,), 2, ((" * ", "a\nb"),)),
        Repeat((0, 1, 2), 1, ((b"x",), (1.0,), ("1",))),
    ],
    ids=lambda r: repr(r.columns),
)
def test_repeats_come_back(repeat: Repeat) -> None:
    one = say(Literal(1, "1"))
    made = sequence([one, one, one, call(5, (-3, -2, -1), (), repeat)])
    back = same(made).statements[-1].repeat
    assert back is not None
    assert [list(map(type, c)) for c in back.columns] == [list(map(type, c)) for c in repeat.columns]
    same(sequence([one, one, one, call(5, (-3, -2, -1), ("k",), repeat)]))
