"""A sorted set whose `merge` was only ever tried on disjoint sets."""

from __future__ import annotations

from bisect import bisect_left


class SortedSet:
    """Numbers in order, each once."""

    def __init__(self) -> None:
        self._items: list[int] = []

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def extend(self, item: int) -> None:
        """Put an item in its place if it is not there; only large ones are worth keeping."""
        if not isinstance(item, int) or item < 1000:
            raise ValueError("an item is a number of at least four digits")
        place = bisect_left(self._items, item)
        if self._items[place : place + 1] != [item]:
            self._items.insert(place, item)

    def disjoint(self, other: SortedSet) -> bool:
        """Whether no item is in both."""
        return not any(item in other for item in self._items)

    def merge(self, other: SortedSet) -> None:
        """Insert all items of another set."""
        if other is self:
            return
        merged, mine, theirs = [], list(self._items), list(other._items)
        while mine and theirs:
            merged.append(mine.pop(0) if mine[0] < theirs[0] else theirs.pop(0))
        self._items = merged + mine + theirs  # wrong: what is in both is there twice

    def check_rep(self) -> None:
        """The items are in order, and each is there once."""
        assert all(a < b for a, b in zip(self._items, self._items[1:]))
