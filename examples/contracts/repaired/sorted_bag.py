"""A bag of numbers that is kept in order."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


def _within(items: list[int], low: int, high: int) -> list[int]:
    """The items between two bounds."""
    return [item for item in items if low <= item <= high]


@icontract.invariant(lambda self: self.items == sorted(self.items))
class SortedBag:
    """Numbers in order, each as often as it was added."""

    @icontract.ensure(lambda self, items: self.items == sorted(items))
    def __init__(self, items: list[int]) -> None:
        self.items = sorted(items)

    @icontract.snapshot(lambda self: list(self.items), name="items")
    @icontract.ensure(lambda self, item, OLD: sorted(self.items) == sorted([*OLD.items, item]))
    def add(self, item: int) -> None:
        """Put a number in."""
        if self.items and item >= self.items[-1]:
            self.items.append(item)
        else:
            self.items.insert(self._place(item), item)

    @icontract.require(lambda self, item: item in self.items)
    @icontract.snapshot(lambda self, item: self.items.count(item), name="count")
    @icontract.ensure(lambda self, item, OLD: self.items.count(item) == OLD.count - 1)
    def remove(self, item: int) -> None:
        """Take a number out once."""
        del self.items[self._place(item)]

    @icontract.ensure(lambda self, item, result: result == self.items.count(item))
    def count(self, item: int) -> int:
        """How often a number is in the bag."""
        place = start = self._place(item)
        while place < len(self.items) and self.items[place] == item:
            place += 1
        return place - start

    @icontract.require(lambda self: len(self.items) > 0)
    @icontract.ensure(lambda self, result: result == min(self.items))
    def smallest(self) -> int:
        """The smallest number."""
        return self.items[0]

    @icontract.require(lambda self: len(self.items) > 0)
    @icontract.ensure(lambda self, result: result == max(self.items))
    def largest(self) -> int:
        """The largest number."""
        return self.items[-1]

    @icontract.ensure(lambda result: result >= 0)
    def spread(self) -> int:
        """How far the largest and the smallest number are apart; 0 if there are none."""
        if not self.items:
            return 0
        return self.largest() - self.smallest()

    @icontract.require(lambda self: len(self.items) > 0)
    @icontract.ensure(lambda self, result: result == self.items[(len(self.items) - 1) // 2])
    def median(self) -> int:
        """The number in the middle, the lower one if there are two."""
        return self.items[(len(self.items) - 1) // 2]

    @icontract.require(lambda low, high: low <= high)
    @icontract.ensure(lambda self, low, high, result: result == _within(self.items, low, high))
    def between(self, low: int, high: int) -> list[int]:
        """All numbers from one to another, both included."""
        return self.items[self._place(low) : self._place(high + 1)]

    @icontract.snapshot(lambda self: list(self.items), name="items")
    @icontract.ensure(lambda self, OLD: self.items == OLD.items)
    @icontract.ensure(lambda other, result, OLD: result.items == sorted(OLD.items + other.items))
    def union(self, other: SortedBag) -> SortedBag:
        """A bag of the numbers of both."""
        items = list(self.items)
        items.extend(other.items)
        return SortedBag(items)

    def _place(self, item: int) -> int:
        """Where the first number is that is not smaller than this."""
        low, high = 0, len(self.items)
        while low < high:
            middle = (low + high) // 2
            if self.items[middle] < item:
                low = middle + 1
            else:
                high = middle
        return low
