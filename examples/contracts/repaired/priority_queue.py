"""A priority queue as a binary heap."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


def _is_heap(items: list[int]) -> bool:
    """Whether no item is smaller than its parent."""
    return all(items[(place - 1) // 2] <= items[place] for place in range(1, len(items)))


@icontract.invariant(lambda self: _is_heap(self.heap))
class PriorityQueue:
    """Numbers, of which the smallest comes first."""

    @icontract.ensure(lambda self, items: sorted(self.heap) == sorted(items))
    @icontract.ensure(lambda self, items: self.heap is not items)
    def __init__(self, items: list[int]) -> None:
        self.heap = list(items)
        for place in reversed(range(len(items) // 2)):
            self._sift_down(place)

    @icontract.snapshot(lambda self: list(self.heap), name="heap")
    @icontract.ensure(lambda self, item, OLD: sorted(self.heap) == sorted([*OLD.heap, item]))
    def push(self, item: int) -> None:
        """Add a number."""
        self.heap.append(item)
        place = len(self.heap) - 1
        while place > 0:
            parent = (place - 1) // 2
            if self.heap[parent] <= self.heap[place]:
                break
            self._swap(parent, place)
            place = parent

    @icontract.require(lambda self: len(self.heap) > 0)
    @icontract.snapshot(lambda self: list(self.heap), name="heap")
    @icontract.ensure(lambda result, OLD: result == min(OLD.heap))
    @icontract.ensure(lambda self, OLD: sorted(self.heap) == sorted(OLD.heap)[1:])
    def pop(self) -> int:
        """Remove the smallest number."""
        smallest = self.heap[0]
        last = self.heap.pop()
        if len(self.heap) > 0:
            self.heap[0] = last
            self._sift_down(0)
        return smallest

    @icontract.require(lambda self: len(self.heap) > 0)
    @icontract.ensure(lambda self, result: result == min(self.heap))
    def peek(self) -> int:
        """The smallest number."""
        return self.heap[0]

    @icontract.ensure(lambda self, default, result: result == min(self.heap, default=default))
    def peek_or(self, default: int) -> int:
        """The smallest number, or a default if there is none."""
        return self.peek() if self.heap else default

    @icontract.require(lambda self: len(self.heap) > 0)
    @icontract.snapshot(lambda self: list(self.heap), name="heap")
    @icontract.ensure(lambda result, OLD: result == min(OLD.heap))
    @icontract.ensure(lambda self, item: item in self.heap)
    def replace(self, item: int) -> int:
        """Remove the smallest number, then add another."""
        smallest = self.pop()
        self.push(item)
        return smallest

    @icontract.require(lambda self, other: other is not self)
    @icontract.snapshot(lambda self: list(self.heap), name="mine")
    @icontract.snapshot(lambda other: list(other.heap), name="theirs")
    @icontract.ensure(lambda self, OLD: sorted(self.heap) == sorted(OLD.mine + OLD.theirs))
    @icontract.ensure(lambda other, OLD: other.heap == OLD.theirs)
    def merge(self, other: PriorityQueue) -> None:
        """Add all numbers of another queue, which keeps them."""
        for item in other.heap:
            self.push(item)

    def _sift_down(self, place: int) -> None:
        """Move an item down until no child is smaller."""
        while True:
            left, right = 2 * place + 1, 2 * place + 2
            smallest = place
            if left < len(self.heap) and self.heap[left] < self.heap[smallest]:
                smallest = left
            if right < len(self.heap) and self.heap[right] < self.heap[smallest]:
                smallest = right
            if smallest == place:
                return
            self._swap(place, smallest)
            place = smallest

    def _swap(self, one: int, other: int) -> None:
        """Exchange two items."""
        self.heap[one], self.heap[other] = self.heap[other], self.heap[one]
