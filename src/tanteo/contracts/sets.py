"""What does the algebra of sets does it as `set` does."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from tanteo.contracts import Contract, contract, defines
from tanteo.contracts.iteration import elements

PARTS = "parts = [set(), set(list({x})[:1]), set({x})]\n"  # of its own: not every set takes anything


class _Group(Set[Any]):
    """Keeps all promises."""

    def __init__(self, items: Any = ()) -> None:
        self.inside = list(dict.fromkeys(items))

    def __len__(self) -> int:
        return len(self.inside)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.inside)

    def __contains__(self, item: object) -> bool:
        return item in self.inside


class _Greedy(_Group):
    def __and__(self, other: Any) -> Any:
        return _Group([*self.inside, *other])


class _Modest(_Group):
    def __or__(self, other: Any) -> Any:
        return _Group(self.inside)


class _Keeping(_Group):
    def __sub__(self, other: Any) -> Any:
        return _Group(self.inside)


class _Doubling(_Group):
    def __iter__(self) -> Iterator[Any]:
        return iter(self.inside * 2)

    def __len__(self) -> int:
        return 2 * len(self.inside)


def is_set(kind: type) -> bool:
    """Whether it is a set: a registered one, or something that is combined like one."""
    if not defines(kind, "__iter__", "__and__", "__or__", "__sub__", "__contains__", "__len__"):
        return False
    return issubclass(kind, Set) or all(hasattr(kind, n) for n in ("__and__", "union", "add", "__iter__"))


def _members(x: Any) -> set[Any] | None:
    found = elements(x)
    try:
        return None if found is None else set(found)
    except TypeError:
        return None


def _agrees(x: Any, combine: str, *others: set[Any]) -> bool | None:
    """Whether an operator gives what `set` gives, as far as it takes sets of another kind at all."""
    members = _members(x)
    if members is None or not hasattr(type(x), combine):
        return None
    for other in others or (set(), set(list(x)[:1]), members):
        try:
            mine = getattr(x, combine)(other)
        except (TypeError, AttributeError):
            return None
        if mine is NotImplemented:
            return None
        if set(mine) != getattr(members, combine)(other):
            return False
    return True


@contract(
    "len(list({x})) == len(set({x}))",
    applies=lambda kind: is_set(kind) and issubclass(kind, Set),
    holds=lambda: _Group("ab"),
    breaks=lambda: _Doubling("ab"),
)
def a_member_is_there_once(x: Any) -> bool | None:
    members = _members(x)
    return None if members is None else len(list(x)) == len(members)


@contract(
    PARTS + "all(set({x} & part) == part for part in parts)",
    applies=is_set,
    holds=lambda: _Group("ab"),
    breaks=lambda: _Greedy("ab"),
)
def intersection_agrees_with_set(x: Any) -> bool | None:
    return _agrees(x, "__and__")


@contract(
    "more = {max({x}) + 1}\nset({x} | more) == set({x}) | more",
    applies=is_set,
    holds=lambda: _Group([1, 2]),
    breaks=lambda: _Modest([1, 2]),
)
def union_agrees_with_set(x: Any) -> bool | None:
    members = _members(x)
    if not members or not all(type(item) is int for item in members):
        return None
    return _agrees(x, "__or__", {max(members) + 1})


@contract(
    PARTS + "all(set({x} - part) == set({x}) - part for part in parts)",
    applies=is_set,
    holds=lambda: _Group("ab"),
    breaks=lambda: _Keeping("ab"),
)
def difference_agrees_with_set(x: Any) -> bool | None:
    return _agrees(x, "__sub__")


CONTRACTS: tuple[Contract, ...] = (
    a_member_is_there_once,
    intersection_agrees_with_set,
    union_agrees_with_set,
    difference_agrees_with_set,
)
