"""State as data: what changes a fingerprint, and what it survives."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pytest

from tanteo.fingerprints import MOST_NODES, fingerprint

T = TypeVar("T")


class Box:
    def __init__(self, content: object = None) -> None:
        self.content = content


class Slotted:
    __slots__ = ("a", "unset")

    def __init__(self, a: object) -> None:
        self.a = a


class OneSlot(Slotted):
    __slots__ = "only"  # noqa: PLC0205

    def __init__(self, a: object, only: object) -> None:
        super().__init__(a)
        self.only = only


class Hidden:
    __slots__ = ("__n",)

    def __init__(self) -> None:
        self.__n = 0

    def grow(self) -> None:
        self.__n += 1


class Items(list[int]):
    def __iter__(self) -> Any:
        raise RuntimeError("do not look")


class Typed(list[T], Generic[T]):
    pass


class Shelf(dict[str, int]):
    def items(self) -> Any:
        raise RuntimeError("do not look")


class Pair(tuple[int, int]):
    note: object = None


def box_of_many() -> list[object]:
    shared = [1]
    return [Box({"a": [1, (2.0, b"x")], "b": {1, 2}}), Slotted("s"), OneSlot(1, 2), [shared, shared], 3]


def test_equal_state_gives_equal_prints() -> None:
    assert fingerprint(box_of_many()) == fingerprint(box_of_many())
    hash(fingerprint([]))


def test_looking_twice_changes_nothing() -> None:
    values = box_of_many()
    assert fingerprint(values) == fingerprint(values)


def set_key(values: dict[str, int]) -> None:
    values["b"] = values.pop("a")


CHANGES: list[tuple[Callable[[], Any], Callable[[Any], object]]] = [
    (lambda: Box(1), lambda x: setattr(x, "content", 2)),
    (lambda: Box(1), lambda x: setattr(x, "content", True)),
    (lambda: Box(1), lambda x: setattr(x, "more", 1)),
    (lambda: Box(1), lambda x: delattr(x, "content")),
    (lambda: Box(Box(1)), lambda x: setattr(x.content, "content", 2)),
    (lambda: Slotted(1), lambda x: setattr(x, "a", 2)),
    (lambda: Slotted(1), lambda x: setattr(x, "unset", 2)),
    (lambda: OneSlot(1, 2), lambda x: setattr(x, "only", 3)),
    (lambda: OneSlot(1, 2), lambda x: setattr(x, "a", 3)),
    (lambda: [1], lambda x: x.append(2)),
    (lambda: [1, 2], lambda x: x.reverse()),
    (lambda: Items([1]), lambda x: x.append(2)),
    (lambda: {"a": 1}, lambda x: x.update(a=2)),
    (lambda: {"a": 1}, set_key),
    (lambda: Shelf(a=1), lambda x: x.update(a=2)),
    (lambda: {1, 2}, lambda x: x.add(3)),
    (lambda: bytearray(b"a"), lambda x: x.append(1)),
    (lambda: ([1],), lambda x: x[0].append(2)),
    (lambda: Pair((1, 2)), lambda x: setattr(x, "note", "new")),
]


@pytest.mark.parametrize(("make", "change"), CHANGES)
def test_a_change_changes_the_print(make: Callable[[], Any], change: Callable[[Any], object]) -> None:
    value = make()
    before = fingerprint([value])
    change(value)
    assert fingerprint([value]) != before


def test_a_list_class_with_another_base_behind_is_looked_into() -> None:
    values: Typed[int] = Typed([1])
    before = fingerprint([values])
    values.append(2)
    assert fingerprint([values]) != before


def test_a_private_slot_is_looked_into() -> None:
    value = Hidden()
    before = fingerprint([value])
    value.grow()
    assert fingerprint([value]) != before


def test_sharing_counts() -> None:
    one = [1]
    assert fingerprint([[one, one]]) != fingerprint([[one, [1]]])
    assert fingerprint([Box(one), one]) != fingerprint([Box(one), [1]])
    other = [1]
    assert fingerprint([one, other, one]) != fingerprint([one, other, other])


def test_it_counts_what_is_inside_what() -> None:
    prints = {fingerprint([value]) for value in ([[1], 2], [[1, 2]], [[], 1, 2], [1, 2, []])}
    assert len(prints) == 4


def test_numbers_that_are_equal_but_not_alike_are_told_apart() -> None:
    prints = {fingerprint([value]) for value in (1, 1.0, True, 1 + 0j, "1", b"1", -0.0, 0.0)}
    assert len(prints) == 8


def test_cycles_end() -> None:
    box = Box()
    box.content = [box, {"again": box}]
    other = Box()
    other.content = [other, {"again": other}]
    assert fingerprint([box]) == fingerprint([other])
    other.content[1]["again"] = None  # type: ignore[index]
    assert fingerprint([box]) != fingerprint([other])


def test_long_chains_need_no_deep_stack_and_large_values_end() -> None:
    chain = Box()
    for _ in range(5000):
        chain = Box(chain)
    assert len(fingerprint([chain])) <= MOST_NODES + 2
    assert len(fingerprint([list(range(100_000))])) <= MOST_NODES + 2


class Unreadable:
    def __init__(self) -> None:
        self.x = 1

    def __getattribute__(self, name: str) -> Any:
        raise ValueError(name)


class Naked:
    __dict__ = None  # type: ignore[assignment]


class Refusing:
    def __repr__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize("value", [object(), iter([1]), {Refusing()}, collections.deque([1]), int, len])
def test_what_cannot_be_looked_into_counts_by_its_type(value: object) -> None:
    assert fingerprint([value])[0] is type(value)
    assert fingerprint([value]) == fingerprint([value])


@pytest.mark.parametrize("kind", [Unreadable, Naked])
def test_attributes_that_raise_are_survived(kind: type) -> None:
    assert fingerprint([kind()])[0] is kind
