"""The type model: how wants read, and how values that bite are judged."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from tanteo.infer import wants_of
from tanteo.model import Literal
from tanteo.types import ANYTHING, FUNCTION, NOTHING, AsyncFunction, Slot, Want, fits

INT = Want(int)


@pytest.mark.parametrize(
    ("want", "text"),
    [
        (INT, "int"),
        (ANYTHING, "any"),
        (NOTHING, "None"),
        (Want(FUNCTION), "callable"),
        (Want(AsyncFunction), "async callable"),
        (Want(list, ((INT, NOTHING),)), "list[int | None]"),
        (Want(dict, ((Want(str),), (Want(list, ((INT,),)),))), "dict[str, list[int]]"),
        (Want(str, choices=(Literal("a", "'a'"), Literal(1, "1"))), "'a' | 1"),
    ],
    ids=str,
)
def test_wants_in_words(want: Want, text: str) -> None:
    assert str(want) == text


def test_a_slot_is_open_if_anything_goes() -> None:
    assert Slot("x", (INT, ANYTHING)).open
    assert not Slot("x", (INT, NOTHING)).open


def test_an_async_function_is_no_other_function() -> None:
    async def wait(x: int) -> int:
        return x

    wants = wants_of(Callable[[int], Awaitable[int]])
    assert wants == (Want(AsyncFunction),)
    assert fits(wait, wants)
    assert not fits(len, wants)
    (other,) = wants_of(Callable[[int], int])
    assert (other.kind, str(other)) == (FUNCTION, "callable")
    assert fits(len, (other,))


def test_a_class_that_cannot_be_asked_fits_nothing() -> None:
    class Odd(type):
        def __instancecheck__(cls, value: object) -> bool:
            raise RuntimeError("do not ask")

    class Asked(metaclass=Odd):
        pass

    assert not fits(1, (Want(Asked),))
    assert fits(1, (Want(Asked), INT))


class Pair(NamedTuple):
    a: object
    b: object


@pytest.mark.parametrize(
    ("value", "fixed", "any_length"),
    [((1, 2, 3), True, True), ((), False, True), ((1, 2), False, True), (("a", 1, 2), False, False)],
)
def test_a_tuple_has_as_many_as_it_says(value: object, fixed: bool, any_length: bool) -> None:
    assert fits(value, wants_of(tuple[int, int, int])) is fixed
    assert fits(value, wants_of(tuple[int, ...])) is any_length


def test_a_named_tuple_is_looked_into() -> None:
    assert fits(Pair(1, "a"), wants_of(tuple[int, str]))
    assert not fits(Pair("a", 1), wants_of(tuple[int, str]))
    assert not fits(Pair(1, 2), wants_of(tuple[int, int, int]))


def test_a_value_that_cannot_be_compared_is_none_of_the_choices() -> None:
    class Biting:
        def __eq__(self, other: object) -> bool:
            raise ValueError("do not compare")

        __hash__ = None  # type: ignore[assignment]

    choices = (Want(int, choices=(Literal(1, "1"),)),)
    assert not fits(Biting(), choices)
    assert fits(1, choices)


def test_a_choice_has_its_type() -> None:
    assert not fits(True, (Want(int, choices=(Literal(1, "1"),)),))
    assert not fits(1.0, (Want(int, choices=(Literal(1, "1"),)),))


def test_only_the_first_elements_are_looked_at() -> None:
    wants = wants_of(list[int])
    assert not fits([*range(5), "a"], wants)
    assert fits([*range(5000), "a"], wants)


def test_a_record_has_its_keys() -> None:
    record = Want(dict, ((Want(int),), (Want(str),)), keys=("size", "name"))
    assert str(record) == "{'size': int, 'name': str}"
    assert fits({"size": 1, "name": "a", "more": None}, (record,))
    assert not fits({"size": 1}, (record,))
    assert not fits({"size": "1", "name": "a"}, (record,))


class Worded(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, str) and instance != ""


class Word(metaclass=Worded):
    """Stands for texts that are not empty."""


def test_a_class_that_only_stands_for_others_has_no_objects_of_its_own() -> None:
    wants = (Want(Word),)
    assert fits("a", wants)
    assert not fits("", wants)
    assert not fits(Word(), wants)
