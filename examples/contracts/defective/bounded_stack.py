"""A stack of limited size."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


def _all_free(slots: list[int | None]) -> bool:
    """Whether no slot is taken."""
    return all(slot is None for slot in slots)


@icontract.invariant(lambda self: 0 <= self.count <= self.capacity)
@icontract.invariant(lambda self: len(self.slots) == self.capacity)
@icontract.invariant(lambda self: _all_free(self.slots[self.count :]))
class BoundedStack:
    """Numbers, of which only the latest can be seen and removed."""

    @icontract.require(lambda capacity: 1 <= capacity <= 100)
    @icontract.ensure(lambda self: self.count == 0)
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.count = 0
        self.slots: list[int | None] = [None] * capacity

    @icontract.require(lambda self: self.count < self.capacity)
    @icontract.snapshot(lambda self: self.slots[: self.count], name="items")
    @icontract.ensure(lambda self, item, OLD: self.slots[: self.count] == [*OLD.items, item])
    def push(self, item: int) -> None:
        """Put a number on top."""
        self.slots[self.count] = item
        self.count += 1

    @icontract.require(lambda self: self.count > 0)
    @icontract.snapshot(lambda self: self.slots[: self.count], name="items")
    @icontract.ensure(lambda result, OLD: result == OLD.items[-1])
    @icontract.ensure(lambda self, OLD: self.slots[: self.count] == OLD.items[:-1])
    def pop(self) -> int | None:
        """Remove the number on top."""
        self.count -= 1
        item = self.slots[self.count]
        self.slots[self.count - 1] = None
        return item

    @icontract.require(lambda self: self.count > 0)
    @icontract.ensure(lambda self, result: result == self.slots[self.count - 1])
    def peek(self) -> int | None:
        """The number on top."""
        return self.slots[self.count]

    @icontract.ensure(lambda self, result: result == (self.count == self.capacity))
    def is_full(self) -> bool:
        """Whether nothing more can be pushed."""
        return self.count > self.capacity

    @icontract.require(lambda self: self.count > 0)
    @icontract.ensure(lambda self, item: self.slots[self.count - 1] == item)
    def replace(self, item: int) -> int | None:
        """Put another number in place of the one on top, which is returned."""
        self.push(item)
        return self.slots[self.count - 2]

    @icontract.require(lambda self, capacity: max(1, self.count) <= capacity <= 100)
    @icontract.ensure(lambda self, capacity: self.capacity == capacity)
    def resize(self, capacity: int) -> None:
        """Change how many numbers fit."""
        self.slots = self.slots[: self.count] + [None] * (capacity - self.capacity)
        self.capacity = capacity

    @icontract.ensure(lambda self: self.count == 0)
    def clear(self) -> None:
        """Remove everything."""
        self.slots = [None] * self.capacity

    @icontract.ensure(lambda self, result: result.capacity == self.capacity)
    @icontract.ensure(lambda self, result: result.slots == self.slots)
    def copy(self) -> BoundedStack:
        """Another stack of the same numbers."""
        other = BoundedStack(self.count)
        for item in self.slots[: self.count]:
            if item is not None:
                other.push(item)
        return other
