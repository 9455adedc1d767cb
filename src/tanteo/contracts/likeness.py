"""What looks like a dictionary, a set or a list does as those do, in the corners, too.

Methods that change something are tried on a copy.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, MutableMapping, MutableSet
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_same
from tanteo.contracts.iteration import elements

NOT_THERE = "a key that is not there"


class _Table(MutableMapping[Any, Any]):
    """Keeps all promises."""

    def __init__(self, **items: Any) -> None:
        self.table = dict(items)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.table[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.table[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)

    def __copy__(self) -> _Table:
        return type(self)(**self.table)


class _Stubborn(_Table):
    """Does none of it."""

    def get(self, key: Any, default: Any = None) -> Any:
        return self.table.get(key)

    def pop(self, key: Any, default: Any = None) -> Any:
        return self.table.pop(key)

    def popitem(self) -> Any:
        return dict([self.table.popitem()])

    def update(self, other: Any, /, **more: Any) -> None:  # type: ignore[override]
        key, value = next(iter(other))
        self.table[key] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (dict, _Table)) and set(self) == set(other)

    __hash__ = None  # type: ignore[assignment]


class _Pile:
    """Keeps all promises."""

    def __init__(self, *items: Any) -> None:
        self.items = list(items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Any:
        return self.items[index]

    def __contains__(self, item: object) -> bool:
        return item in self.items

    def __copy__(self) -> _Pile:
        return type(self)(*self.items)

    def intersection(self, other: Any) -> _Pile:
        return _Pile(*(item for item in self if item in other))

    def add(self, item: Any) -> None:
        if item not in self.items:
            self.items.append(item)

    def discard(self, item: Any) -> None:
        if item in self.items:
            self.items.remove(item)

    def update(self, *others: Any) -> None:
        for other in others:
            for item in other:
                self.add(item)


class _Heap(_Pile):
    def __getitem__(self, index: int) -> Any:
        return self.items[index if index >= 0 else 0]

    def update(self, *others: Any) -> None:
        for other in others[:1]:
            super().update(other)


def is_dict_like(kind: type) -> bool:
    """Whether it is a mapping that can be changed, and says how itself."""
    methods = ("keys", "__getitem__", "__setitem__", "get", "pop", "update")
    return all(hasattr(kind, name) for name in methods) and defines(kind, *methods, "popitem")


def is_set_like(kind: type) -> bool:
    """Whether it is a set that can be changed, and says how itself."""
    methods = ("add", "discard", "update", "__contains__", "__iter__")
    return (
        all(hasattr(kind, name) for name in methods)
        and defines(kind, *methods)
        and (issubclass(kind, MutableSet) or hasattr(kind, "intersection"))
    )


def is_indexed(kind: type) -> bool:
    """Whether it has places with numbers."""
    return defines(kind, "__getitem__") and hasattr(kind, "__len__") and not hasattr(kind, "keys")


def _apart(x: Any) -> Any:
    """A copy that shares nothing with it; None if there is none."""
    try:
        return copy.deepcopy(x)
    except Exception:
        return None


def _anew(x: Any) -> Any:
    """Another one with nothing in it; None if it has to be told something."""
    try:
        return type(x)()
    except Exception:
        return None


def _takes_texts(x: Any) -> bool:
    """Whether a text is a key that might be there; some take keys of one kind only."""
    try:
        return NOT_THERE not in x and all(isinstance(key, str) for key in x)
    except Exception:
        return False


@contract(
    f"{{x}}.get({NOT_THERE!r}, 5) == 5",
    applies=is_dict_like,
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def get_of_a_missing_key_gives_the_default(x: Any) -> bool | None:
    return x.get(NOT_THERE, 5) == 5 if _takes_texts(x) else None


@contract(
    f"import copy\ncopy.deepcopy({{x}}).pop({NOT_THERE!r}, None) is None",
    applies=is_dict_like,
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def pop_of_a_missing_key_gives_the_default(x: Any) -> bool | None:
    other = _apart(x) if _takes_texts(x) else None
    if other is None:
        return None
    try:
        return other.pop(NOT_THERE, None) is None
    except LookupError:
        raise
    except Exception:
        return None  # it cannot be changed


@contract(
    "import copy\nisinstance(copy.deepcopy({x}).popitem(), tuple)",
    applies=lambda kind: is_dict_like(kind) and hasattr(kind, "popitem"),
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def popitem_gives_a_pair(x: Any) -> bool | None:
    other = _apart(x) if len(x) else None
    return None if other is None else isinstance(other.popitem(), tuple)


@contract(
    "import copy\nother = copy.deepcopy({x})\nother.update([])\nlist(other) == list({x})",
    applies=is_dict_like,
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def update_with_nothing_changes_nothing(x: Any) -> bool | None:
    found = elements(x)
    other = None if found is None else _apart(x)
    if found is None or other is None:
        return None
    other.update([])
    return is_same(list(other), found)


def _takes_keywords(kind: type) -> bool:
    """Whether its `update` says that it takes items by name."""
    try:
        parameters = inspect.signature(kind.update).parameters.values()  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        return False
    return any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


@contract(
    "other = type({x})()\nother.update(key=1)\n'key' in other",  # what holds a lock has no deep copy
    applies=lambda kind: is_dict_like(kind) and _takes_keywords(kind),
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def update_takes_items_by_name_alone(x: Any) -> bool | None:
    other = _anew(x) if _takes_texts(x) else None
    if other is None:
        return None
    try:
        other.update(key=1)
    except TypeError as error:
        return False if "positional argument" in str(error) else None  # not every value will do
    if "key" in other:
        return True
    other.update({"key": 1})
    return False if "key" in other else None  # a cache of size nought keeps nothing, however it is told


@contract(
    "other = dict({x})\nother[next(iter(other))] = 'something else'\n({x} == other) is False",
    applies=is_dict_like,
    holds=lambda: _Table(a=1),
    breaks=lambda: _Stubborn(a=1),
)
def a_dict_with_another_value_is_not_equal(x: Any) -> bool | None:
    other = dict(x)
    if not other or (x == other) is not True:
        return None
    other[next(iter(other))] = "something else"
    same = x == other
    return not same if isinstance(same, bool) else None


@contract(
    "import copy\nother = copy.deepcopy({x})\nother.update((1,), (2,))\nset(other) == {*{x}, 1, 2}",
    applies=is_set_like,
    holds=lambda: _Pile(3),
    breaks=lambda: _Heap(3),
)
def update_takes_several_iterables(x: Any) -> bool | None:
    found = elements(x)
    if found is None or not all(type(item) is int for item in found):
        return None  # not every set takes numbers
    other = _apart(x)
    if other is None:
        return None
    try:
        other.update((1,), (2,))
    except TypeError:
        return None  # one at a time, then
    return set(other) == {*found, 1, 2}


@contract(
    "[{x}[n - len({x})] for n in range(len({x}))] == [{x}[n] for n in range(len({x}))]",
    applies=is_indexed,
    holds=lambda: _Pile(1, 2),
    breaks=lambda: _Heap(1, 2),
)
def negative_indices_count_from_the_end(x: Any) -> bool | None:
    size = len(x)
    if not 0 < size < 50:
        return None
    try:
        plain = [x[n] for n in range(size)]
        x[-1]
    except (TypeError, LookupError):
        return None  # its places have other names, or negative ones are not for it
    found = elements(x)
    if found is not None and not is_same(found, plain):
        return None  # what it is asked for is no place: a point in an interval, say
    return is_same([x[n - size] for n in range(size)], plain)


CONTRACTS: tuple[Contract, ...] = (
    get_of_a_missing_key_gives_the_default,
    pop_of_a_missing_key_gives_the_default,
    popitem_gives_a_pair,
    update_with_nothing_changes_nothing,
    update_takes_items_by_name_alone,
    a_dict_with_another_value_is_not_equal,
    update_takes_several_iterables,
    negative_indices_count_from_the_end,
)
