"""What a warehouse holds and what of it is promised."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


def _positive(counts: dict[str, int]) -> bool:
    """Whether every count is positive."""
    return all(count > 0 for count in counts.values())


def _covered(reserved: dict[str, int], stock: dict[str, int]) -> bool:
    """Whether there is enough in stock for what is reserved."""
    return all(count <= stock.get(name, 0) for name, count in reserved.items())


@icontract.invariant(lambda self: self.total == sum(self.stock.values()))
@icontract.invariant(lambda self: _positive(self.stock))
@icontract.invariant(lambda self: _positive(self.reserved))
@icontract.invariant(lambda self: _covered(self.reserved, self.stock))
class Inventory:
    """Goods by name, some of them reserved for customers."""

    def __init__(self) -> None:
        self.stock: dict[str, int] = {}
        self.reserved: dict[str, int] = {}
        self.total = 0

    @icontract.require(lambda quantity: quantity > 0)
    @icontract.snapshot(lambda self: dict(self.stock), name="stock")
    @icontract.ensure(lambda self, name, quantity, OLD: self.stock[name] == OLD.stock.get(name, 0) + quantity)
    def add(self, name: str, quantity: int) -> None:
        """Put goods into stock."""
        self.stock[name] = self.stock.get(name, 0) + quantity
        self.total += quantity

    @icontract.require(lambda quantity: quantity > 0)
    @icontract.require(lambda self, name, quantity: quantity <= self.available(name))
    @icontract.snapshot(lambda self: self.total, name="total")
    @icontract.ensure(lambda self, quantity, OLD: self.total == OLD.total - quantity)
    def remove(self, name: str, quantity: int) -> None:
        """Take goods out that are not reserved."""
        self.stock[name] -= quantity
        if self.stock[name] == 0:
            del self.stock[name]
        self.total -= quantity

    @icontract.ensure(lambda result: result >= 0)
    def available(self, name: str) -> int:
        """How many of some goods are in stock and not reserved."""
        return self.stock.get(name, 0) - self.reserved.get(name, 0)

    @icontract.require(lambda quantity: quantity > 0)
    @icontract.require(lambda self, name, quantity: quantity <= self.available(name))
    def reserve(self, name: str, quantity: int) -> None:
        """Promise goods to a customer."""
        self.reserved[name] = self.reserved.get(name, 0) + quantity

    @icontract.require(lambda quantity: quantity > 0)
    @icontract.require(lambda self, name, quantity: quantity <= self.reserved.get(name, 0))
    def release(self, name: str, quantity: int) -> None:
        """Take a promise back."""
        self.reserved[name] -= quantity
        if self.reserved[name] == 0:
            del self.reserved[name]

    @icontract.require(lambda quantity: quantity > 0)
    @icontract.require(lambda self, name, quantity: quantity <= self.reserved.get(name, 0))
    def ship(self, name: str, quantity: int) -> None:
        """Send goods that were reserved."""
        self.release(name, quantity)
        self.remove(name, quantity)

    @icontract.require(lambda self, old: old in self.stock)
    @icontract.require(lambda self, new: new not in self.stock)
    @icontract.ensure(lambda self, old, new: old not in self.stock and new in self.stock)
    def rename(self, old: str, new: str) -> None:
        """Give goods another name."""
        self.stock[new] = self.stock.pop(old)
        if old in self.reserved:
            self.reserved[new] = self.reserved.pop(old)

    @icontract.require(lambda self, name: name in self.stock and name not in self.reserved)
    @icontract.ensure(lambda self, name: name not in self.stock)
    def discard(self, name: str) -> None:
        """Throw away all of some goods."""
        self.total -= self.stock.pop(name)

    @icontract.ensure(lambda self, result: self.stock.get(result, 0) == max(self.stock.values(), default=0))
    def most_common(self) -> str:
        """The name of what there is most of; an empty string if there is nothing."""
        best = ""
        for name, count in self.stock.items():
            if count > self.stock.get(best, 0):
                best = name
        return best
