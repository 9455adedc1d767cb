"""What a customer is about to buy."""

from __future__ import annotations

from dataclasses import dataclass

from .money import Money


@dataclass(frozen=True)
class Item:
    """Something for sale."""

    name: str
    price: Money

    def __post_init__(self) -> None:
        if self.price.cents < 0:
            raise ValueError("a price cannot be negative")


@dataclass(frozen=True)
class Discount:
    """A code that takes some percent off every purchase of at least a number of cents."""

    code: str
    percent: int
    minimum: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.percent <= 100:
            raise ValueError("a discount is between 1 and 100 percent")

    def applies_to(self, amount: Money) -> bool:
        """Whether a purchase of this amount is large enough."""
        return amount.cents >= self.minimum


class Cart:
    """Items with their quantities, all in one currency, and the codes that were redeemed."""

    def __init__(self) -> None:
        self._quantities: dict[Item, int] = {}
        self._discounts: dict[str, Discount] = {}
        self._latest: Item | None = None

    def add(self, item: Item, quantity: int = 1) -> None:
        """Put an item into the cart, or more of it."""
        if quantity < 1:
            raise ValueError("a quantity is at least 1")
        if any(item.price.currency != other.price.currency for other in self._quantities):
            raise ValueError(f"the cart is not in {item.price.currency}")
        self._quantities[item] = self.quantity(item) + quantity
        self._latest = item

    def remove(self, item: Item) -> None:
        """Take all of an item out; KeyError if the cart does not hold it."""
        if item not in self._quantities:
            raise KeyError(item.name)
        del self._quantities[item]

    def quantity(self, item: Item) -> int:
        """How many of an item the cart holds."""
        return self._quantities.get(item, 0)

    def redeem(self, discount: Discount) -> None:
        """Accept a discount; ValueError if its code was redeemed before."""
        if discount.code in self._discounts:
            raise ValueError(f"{discount.code!r} was redeemed before")
        self._discounts[discount.code] = discount

    def subtotal(self) -> Money:
        """The price of all items before discounts."""
        prices = [item.price.times(count) for item, count in self._quantities.items()]
        if not prices:
            return Money(0)
        total = prices[0]
        for price in prices[1:]:
            total = total.plus(price)
        return total

    def reduction(self) -> Money:
        """What the best of the redeemed codes takes off; they do not add up."""
        subtotal = self.subtotal()
        if not self._discounts:
            return subtotal.times(0)
        percent = 0
        for discount in self._discounts.values():
            if discount.applies_to(subtotal) and discount.percent > percent:
                percent = discount.percent
                saved = subtotal.share(percent)
        return saved

    def total(self) -> Money:
        """What is to be paid."""
        return self.subtotal().minus(self.reduction())

    def __len__(self) -> int:
        return len(self._quantities)

    def __repr__(self) -> str:
        if self._latest is None:
            return "Cart()"
        latest = f"{self._quantities[self._latest]} x {self._latest.name}"
        return f"Cart({len(self)} items, latest: {latest})"
