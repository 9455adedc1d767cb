"""What can be indexed like a list agrees with the list of its elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tanteo.contracts import Contract, contract, defines, is_same
from tanteo.contracts.iteration import elements

SLICES = (slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(0, 2), slice(5, 1))


class _Row(Sequence[Any]):
    """Keeps all promises."""

    def __init__(self, *items: Any) -> None:
        self.items = list(items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]


class _Shifted(_Row):
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, int) and index < 0:
            return self.items[index + 1]
        return self.items[index]

    def __iter__(self) -> Any:
        return iter(self.items)


class _Cut(_Row):
    def __getitem__(self, index: Any) -> Any:
        return self.items[index][:1] if isinstance(index, slice) else self.items[index]


class _Endless(_Row):
    def __getitem__(self, index: Any) -> Any:
        return self.items[index] if isinstance(index, slice) or abs(index) < len(self.items) else None

    def __iter__(self) -> Any:
        return iter(self.items)


class _Round(_Row):
    def __getitem__(self, index: Any) -> Any:
        return (
            self.items[index % len(self.items)] if isinstance(index, int) and index < 0 else self.items[index]
        )

    def __iter__(self) -> Any:
        return iter(self.items)


class _Lost(_Row):
    def index(self, value: Any, start: int = 0, stop: int = 0) -> int:
        return len(self.items)


class _Miscounting(_Row):
    def count(self, value: Any) -> int:
        return 0


def is_sequence(kind: type) -> bool:
    """Whether it is indexed by position: a registered sequence, or something with the methods of one."""
    if not defines(kind, "__getitem__") or not hasattr(kind, "__len__") or not hasattr(kind, "__iter__"):
        return False
    methods = all(hasattr(kind, name) for name in ("index", "count"))
    return issubclass(kind, Sequence) or (methods and not hasattr(kind, "keys"))


@contract(
    "[{x}[n] for n in range(-len({x}), len({x}))] == list({x}) * 2",
    applies=is_sequence,
    holds=lambda: _Row(1, 2, 3),
    breaks=lambda: _Shifted(1, 2, 3),
)
def items_agree_with_iteration(x: Any) -> bool | None:
    found = elements(x)
    if found is None or len(found) != len(x):
        return None
    return is_same([x[n] for n in range(-len(found), len(found))], found * 2)


@contract(
    "parts = [slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(0, 2)]\n"
    "all(list({x}[part]) == list({x})[part] for part in parts)",
    applies=is_sequence,
    holds=lambda: _Row(1, 2, 3),
    breaks=lambda: _Cut(1, 2, 3),
)
def slices_agree_with_iteration(x: Any) -> bool | None:
    found = elements(x)
    if found is None:
        return None
    try:
        parts = [x[s] for s in SLICES]
    except (TypeError, NotImplementedError):
        return None  # it does not know slices
    return all(is_same(list(part), found[s]) for part, s in zip(parts, SLICES, strict=True))


@contract(
    "with pytest.raises(IndexError):\n    _ = {x}[len({x})]",
    applies=is_sequence,
    holds=lambda: _Row(1),
    breaks=lambda: _Endless(1),
)
def an_index_behind_the_end_raises_index_error(x: Any) -> bool | None:
    try:
        x[len(x)]
    except IndexError:
        return True
    return False


@contract(
    "with pytest.raises(IndexError):\n    _ = {x}[-len({x}) - 1]",
    applies=is_sequence,
    holds=lambda: _Row(1),
    breaks=lambda: _Round(1, 2),
)
def an_index_before_the_beginning_raises_index_error(x: Any) -> bool | None:
    try:
        x[-len(x) - 1]
    except IndexError:
        return True
    return False


@contract(
    "all({x}[{x}.index(item)] == item for item in list({x}))",
    applies=lambda kind: is_sequence(kind) and hasattr(kind, "index"),
    holds=lambda: _Row(1, 2),
    breaks=lambda: _Lost(1, 2),
)
def index_finds_what_is_there(x: Any) -> bool | None:
    found = elements(x)
    if found is None or not all(isinstance(item, (int, str)) for item in found):
        return None  # what is itself iterable may stand for several
    try:
        return all(is_same(x[x.index(item)], item) for item in found)
    except TypeError:
        return None  # not every two can be compared


@contract(
    "all({x}.count(item) == list({x}).count(item) for item in list({x}))",
    applies=lambda kind: is_sequence(kind) and hasattr(kind, "count"),
    holds=lambda: _Row(1, 2, 1),
    breaks=lambda: _Miscounting(1, 2, 1),
)
def count_agrees_with_iteration(x: Any) -> bool | None:
    found = elements(x)
    try:
        return None if found is None else all(x.count(item) == found.count(item) for item in found)
    except TypeError:
        return None


CONTRACTS: tuple[Contract, ...] = (
    items_agree_with_iteration,
    slices_agree_with_iteration,
    an_index_behind_the_end_raises_index_error,
    an_index_before_the_beginning_raises_index_error,
    index_finds_what_is_there,
    count_agrees_with_iteration,
)
