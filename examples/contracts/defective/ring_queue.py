"""A queue of limited size in a ring."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


def _contents(queue: RingQueue) -> list[int]:
    """The numbers of a queue, oldest first."""
    return [queue.slots[(queue.head + step) % queue.capacity] for step in range(queue.count)]


@icontract.invariant(lambda self: 0 <= self.count <= self.capacity)
@icontract.invariant(lambda self: 0 <= self.head < self.capacity)
@icontract.invariant(lambda self: len(self.slots) == self.capacity)
class RingQueue:
    """Numbers that leave in the order in which they came."""

    @icontract.require(lambda capacity: 1 <= capacity <= 100)
    @icontract.ensure(lambda self: self.count == 0)
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.head = 0
        self.count = 0
        self.slots = [0] * capacity

    @icontract.require(lambda self: self.count < self.capacity)
    @icontract.snapshot(lambda self: _contents(self), name="items")
    @icontract.ensure(lambda self, item, OLD: _contents(self) == [*OLD.items, item])
    def enqueue(self, item: int) -> None:
        """Add a number at the end."""
        self.slots[self.head + self.count] = item
        self.count += 1

    @icontract.require(lambda self: self.count > 0)
    @icontract.snapshot(lambda self: _contents(self), name="items")
    @icontract.ensure(lambda result, OLD: result == OLD.items[0])
    @icontract.ensure(lambda self, OLD: _contents(self) == OLD.items[1:])
    def dequeue(self) -> int:
        """Remove the oldest number."""
        item = self.slots[self.head]
        self.head = self.head + 1
        self.count -= 1
        return item

    @icontract.require(lambda self: self.count > 0)
    @icontract.ensure(lambda self, result: result == _contents(self)[0])
    def first(self) -> int:
        """The oldest number."""
        return self.slots[0]

    @icontract.require(lambda self: self.count > 0)
    @icontract.ensure(lambda self, result: result == _contents(self)[-1])
    def last(self) -> int:
        """The latest number."""
        return self.slots[(self.head + self.count) % self.capacity]

    @icontract.ensure(lambda self, result: result == (self.count == self.capacity))
    def is_full(self) -> bool:
        """Whether nothing more can be added."""
        return self.head + self.count == self.capacity

    @icontract.require(lambda self: self.count > 0)
    @icontract.snapshot(lambda self: _contents(self), name="items")
    @icontract.ensure(lambda self, OLD: _contents(self) == OLD.items[1:] + OLD.items[:1])
    def rotate(self) -> None:
        """Send the oldest number to the end."""
        self.enqueue(self.slots[self.head])
        self.dequeue()

    @icontract.snapshot(lambda self: _contents(self), name="items")
    @icontract.ensure(lambda self: self.count == 0)
    @icontract.ensure(lambda result, OLD: result == OLD.items)
    def drain(self) -> list[int]:
        """Remove everything, oldest first."""
        items = []
        while self.count > 1:
            items.append(self.dequeue())
        return items
