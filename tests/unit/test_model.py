"""Sequences: their code is their identity, and joining them changes neither."""

from __future__ import annotations

from tanteo.execute.interpret import interpret
from tanteo.model import Literal, Repeat, call, say, sequence

ONE = say(Literal(1, "1"))
TRUE = say(Literal(True, "True"))
FLOAT = say(Literal(1.0, "1.0"))


def test_a_literal_is_coded_by_its_source() -> None:
    assert ONE.code == b"=1\n"
    assert say(Literal("a\nb", repr("a\nb"))).code == b"='a\\nb'\n"


def test_equal_values_of_different_types_have_different_codes() -> None:
    assert len({sequence([ONE]), sequence([TRUE]), sequence([FLOAT])}) == 3


def test_a_call_is_coded_by_number_distances_keywords_and_repeats() -> None:
    assert call(7, ()).code == b"7\n"
    assert call(7, (-2, -1)).code == b"7 -2 -1\n"
    assert call(7, (-2, -1), ("key",)).code == b"7 -2 key=-1\n"
    assert call(7, (-2, -1), ("a", "b")).code == b"7 a=-2 b=-1\n"
    repeated = call(7, (-1,), (), Repeat((0,), 2, ((3, 4),)))
    assert repeated.code == b"7 -1 * ((0,), 2, ((3, 4),))\n"


def test_the_same_statements_make_equal_sequences_wherever_they_were_made() -> None:
    mine = sequence([say(Literal(1, "1")), call(4, (-1,)), call(5, (-1, -2))])
    yours = sequence([say(Literal(1, "1")), call(4, (-1,)), call(5, (-1, -2))])
    assert mine == yours
    assert hash(mine) == hash(yours)
    assert len({mine, yours}) == 1


def test_sequences_that_refer_to_other_values_differ() -> None:
    made = [ONE, TRUE, call(4, (-1,))]
    other = [ONE, TRUE, call(4, (-2,))]
    assert sequence(made) != sequence(other)
    assert sequence([ONE]) != b"=1\n"


def test_a_keyword_and_a_position_are_different_calls() -> None:
    assert sequence([ONE, call(4, (-1,))]) != sequence([ONE, call(4, (-1,), ("a",))])


def test_joined_sequences_keep_their_references() -> None:
    def join(a: object, b: object) -> object:
        return (a, b)

    left = sequence([say(Literal("l", "'l'")), say(Literal("m", "'m'")), call(0, (-2, -1))])
    right = sequence([say(Literal("r", "'r'")), call(0, (-1, -1))])
    both = left + right + left
    assert both.code == left.code + right.code + left.code
    values = interpret(both, [join]).values
    assert values == [*interpret(left, [join]).values, *interpret(right, [join]).values, "l", "m", ("l", "m")]


def test_joining_is_associative_in_identity_and_counts() -> None:
    a = sequence([ONE, call(4, (-1,))])
    b = sequence([call(5, (), (), Repeat((), 3, ()))])
    c = sequence([TRUE])
    assert (a + b) + c == a + (b + c) == sequence([*a.statements, *b.statements, *c.statements])
    assert hash((a + b) + c) == hash(a + (b + c))
    assert (a + b + c).calls == 4
    assert len(a + b + c) == 4


def test_literals_are_not_counted_as_calls_and_repeats_are_counted_one_by_one() -> None:
    assert sequence([ONE, TRUE]).calls == 0
    assert sequence([ONE, call(4, (-1,))]).calls == 1
    assert sequence([ONE, call(4, (-1,), (), Repeat((0,), 3, ((1, 2, 3),)))]).calls == 3
