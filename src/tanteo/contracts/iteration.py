"""What can be iterated: twice, backwards, counted, looked into; and what an iterator promises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_same

MOST = 50  # elements that are looked at; what is longer, or never ends, is left alone


class _Bag:
    """Keeps all promises."""

    def __init__(self, *items: object) -> None:
        self.items = list(items)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[object]:
        return iter(self.items)

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __reversed__(self) -> Iterator[object]:
        return reversed(self.items)


class _Box(_Bag):
    @property
    def empty(self) -> bool:
        return not self.items


class _Full(_Box):
    def __iter__(self) -> Iterator[object]:
        return iter(self.items or [self])


class _Draining(_Bag):
    def __iter__(self) -> Iterator[object]:
        while self.items:
            yield self.items.pop()


class _Long(_Bag):
    def __len__(self) -> int:
        return len(self.items) + 1


class _Blind(_Bag):
    def __contains__(self, item: object) -> bool:
        return False


class _Stuck(_Bag):
    def __reversed__(self) -> Iterator[object]:
        return iter(self.items)


class _Countdown:
    def __init__(self, again: bool = False) -> None:
        self.left, self.again = 2, again

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.left -= 1
        if self.left < 0:
            self.left = 2 if self.again else 0
            raise StopIteration
        return self.left


def is_container(kind: type) -> bool:
    """Whether it has elements and is not used up by looking at them."""
    return defines(kind, "__iter__") and not hasattr(kind, "__next__")


def is_sized(kind: type) -> bool:
    """Whether it has elements and says how many."""
    return is_container(kind) and hasattr(kind, "__len__")


def elements(x: Any) -> list[Any] | None:
    """The elements; None if there are too many."""
    found = list(islice(x, MOST + 1))
    return None if len(found) > MOST else found


@contract(
    "list({x}) == list({x})", applies=is_sized, holds=lambda: _Bag(1, 2), breaks=lambda: _Draining(1, 2)
)
def iterating_twice_gives_the_same(x: Any) -> bool | None:
    first = elements(x)
    return None if first is None else is_same(first, elements(x))


@contract(
    "len({x}) == len(list({x}))", applies=is_sized, holds=lambda: _Bag(1, 2), breaks=lambda: _Long(1, 2)
)
def length_agrees_with_iteration(x: Any) -> bool | None:
    found = elements(x)
    return None if found is None else len(x) == len(found)


@contract(
    "not {x}.empty or not list({x})",
    applies=lambda kind: is_sized(kind) and isinstance(getattr(kind, "empty", None), property),
    holds=_Box,
    breaks=_Full,
)
def what_says_that_it_is_empty_has_no_elements(x: Any) -> bool | None:
    return not elements(x) if x.empty is True else None


@contract(
    "all(item in {x} for item in list({x}))",
    applies=lambda kind: is_sized(kind) and defines(kind, "__contains__"),
    holds=lambda: _Bag(1, 2),
    breaks=lambda: _Blind(1),
)
def what_is_iterated_is_contained(x: Any) -> bool | None:
    found = elements(x)
    if found is None or any(item != item for item in found):  # noqa: PLR0124 - NaN
        return None
    if all(isinstance(item, tuple) and item and all_in([item[0]], x) for item in found):
        return None  # pairs of keys and values
    return all_in(found, x)


def all_in(items: list[Any], x: Any) -> bool | None:
    """Whether they are; None if not every two of them can be compared, which an ordered container has to."""
    try:
        return all(item in x for item in items)
    except (TypeError, AttributeError):
        return None


@contract(
    "list(reversed({x})) == list({x})[::-1]",
    applies=lambda kind: is_container(kind) and defines(kind, "__reversed__"),
    holds=lambda: _Bag(1, 2),
    breaks=lambda: _Stuck(1, 2),
)
def reversed_agrees_with_iteration(x: Any) -> bool | None:
    found = elements(x)
    return None if found is None else is_same(elements(reversed(x)), found[::-1])


@contract(
    "iterator = iter({x})\nlist(iterator)\nnext(iterator, None) is None",
    applies=lambda kind: defines(kind, "__next__"),
    holds=_Countdown,
    breaks=lambda: _Countdown(again=True),
)
def what_is_exhausted_stays_exhausted(x: Any) -> bool | None:
    iterator = iter(x)
    if elements(iterator) is None:
        return None
    nothing = object()
    return next(iterator, nothing) is nothing


CONTRACTS: tuple[Contract, ...] = (
    iterating_twice_gives_the_same,
    length_agrees_with_iteration,
    what_says_that_it_is_empty_has_no_elements,
    what_is_iterated_is_contained,
    reversed_agrees_with_iteration,
    what_is_exhausted_stays_exhausted,
)
