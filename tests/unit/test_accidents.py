"""What a run shows only because of how Python happens to work."""

from __future__ import annotations

import pytest

from tanteo.execute.accidents import is_of_chance
from tanteo.execute.brevity import texts_in, with_less_inside, with_rounder_values
from tanteo.model import Literal, Outcome, say, sequence
from tests.unit.conftest import Write
from tests.unit.test_recorder import Bench, lit

CARELESS = """
import warnings

def size(value):
    return value.size

def measure(value):
    try:
        return size(value)
    except Exception:
        return -1

def careful(value):
    try:
        return value.size
    except AttributeError:
        return -1

def refuse(value):
    try:
        return [][value]
    except TypeError as error:
        raise ValueError(str(error)) from error

def checked(value, check):
    try:
        check(value)
    except Exception as error:
        raise ValueError("no {}: {}".format(value, error)) from error

def told(value, message):
    raise ValueError(message.format(value))

class Picky:
    def strip(self):
        raise ValueError("not me")

def tidy(text, more):
    return more.strip()

def hint(value):
    warnings.warn(f"no {value} any more", UserWarning, stacklevel=2)
    return value
"""


@pytest.fixture
def careless(clean_imports: None, write: Write) -> Bench:
    return Bench(str(write("careless.py", CARELESS)))


def test_what_breaks_in_one_function_and_is_swallowed_in_another_is_an_accident(careless: Bench) -> None:
    for name, accident in (("measure", True), ("careful", False)):
        found = careless.record(lit(1), careless.do(name, -1))
        assert found is not None
        assert found["accident"] is accident


def test_words_of_the_interpreter_are_not_expected_of_others(careless: Bench) -> None:
    found = careless.record(lit("a"), careless.do("refuse", -1))
    assert found is not None
    assert (found["raises"], found["message"]) == ("ValueError", "")


def test_what_an_argument_raises_itself_is_not_about_what_was_called(careless: Bench) -> None:
    found = careless.record(lit(0), careless.do("Picky"), careless.do("tidy", -2, -1))
    assert found is not None
    assert found["raises"] == "ValueError"
    assert found["accident"] is True
    direct = careless.record(careless.do("Picky"), careless.do("Picky.strip", -1))
    assert direct is not None
    assert direct["accident"] is False


def test_what_a_malformed_template_or_a_function_of_ours_raises_is_an_accident(careless: Bench) -> None:
    nothing = say(Literal(lambda: "a", 'lambda: "a"'))
    identity = say(Literal(lambda x: 1 / x, "lambda x: 1 / x"))
    for statements, accident in (
        ((lit(0), lit("#}"), careless.do("told", -2, -1)), True),
        ((lit(0), lit("a"), careless.do("told", -2, -1)), False),
        ((lit(0), nothing, careless.do("checked", -2, -1)), True),
        ((lit(0), identity, careless.do("checked", -2, -1)), False),
    ):
        found = careless.record(*statements)
        assert found is not None
        assert found["accident"] is accident


def test_a_warning_for_the_caller_is_meant(careless: Bench) -> None:
    found = careless.record(lit(1), careless.do("hint", -1))
    assert found is not None
    assert found["announces"] == ("UserWarning", "no 1 any more")
    twice = careless.record(lit(1), careless.do("hint", -1), careless.do("hint", -1))
    assert twice is not None
    assert twice["announces"] is None


def test_the_order_of_a_set_is_chance() -> None:
    made = sequence([lit({1, 2}), lit(0)])
    assert is_of_chance("{1, 2}", Outcome(made, [{1, 2}], None))
    assert is_of_chance([1, 2], Outcome(made, [{1, 2}], None))
    assert not is_of_chance("{1}", Outcome(made, [{1}], None))
    assert not is_of_chance(2, Outcome(made, [{1, 2}], None))


def test_texts_lose_large_pieces_first_and_each_letter_that_nobody_needs() -> None:
    made = sequence([say(Literal("abcdefgh", "'abcdefgh'"))])
    (text,) = texts_in(made)
    tried = []
    while (shorter := text.shorter(made)) is not None:
        (literal,) = (s.literal for s in shorter.statements if s.literal is not None)
        tried.append(literal.value)
        text.go_on(cut={"c", "f"} <= set(str(literal.value)))
    assert tried[:4] == ["efgh", "abcd", "cdefgh", "efgh"]
    assert text.text == "cf"
    assert len(tried) <= text.most
    assert not texts_in(sequence([say(Literal("abc", "'abc'"))]))


def test_members_of_literal_containers_are_left_out() -> None:
    value = {"a": [1, 2], "b": 0}
    found = with_less_inside(sequence([say(Literal(value, repr(value)))]))
    values = [s.statements[0].literal.value for s in found if s.statements[0].literal]
    assert values == [{"b": 0}, {"a": [2], "b": 0}, {"a": [1], "b": 0}, {"a": [1, 2]}]


def test_a_number_that_nobody_reads_becomes_a_power_of_ten() -> None:
    found = with_rounder_values(sequence([lit(123456789012), lit(12345)]))
    assert [s.code for s in found] == [b"=10**11\n=12345\n"]
    assert not list(with_rounder_values(sequence([say(Literal(10**11, "10**11"))])))
