"""Orders and the states they go through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .cart import Cart
from .money import Money


class State(Enum):
    """Where an order stands."""

    NEW = "new"
    PAID = "paid"
    SHIPPED = "shipped"
    CANCELLED = "cancelled"


_NEXT = {
    State.NEW: {State.PAID, State.CANCELLED},
    State.PAID: {State.SHIPPED, State.CANCELLED},
    State.SHIPPED: set[State](),
    State.CANCELLED: set[State](),
}


@dataclass(frozen=True)
class Payment:
    """An amount that was paid, and by what means."""

    amount: Money
    method: str


class Order:
    """An order over an amount: new, then paid, then shipped; cancelled at any time before."""

    def __init__(self, total: Money) -> None:
        self.total = total
        self.state = State.NEW
        self._payment: Payment | None = None

    def pay(self, method: str = "card") -> None:
        """Pay the whole amount; ValueError unless the order is new."""
        self._enter(State.PAID)
        self._payment = Payment(self.total, method)

    def ship(self) -> None:
        """Send the goods; ValueError unless the order is paid."""
        self._enter(State.SHIPPED)

    def cancel(self) -> Money:
        """Call the order off and return what is to be paid back; ValueError once shipped."""
        if self._payment is None:
            self._enter(State.CANCELLED)
            return self.total.times(0)
        self._enter(State.CANCELLED)
        return self._payment.amount

    def _enter(self, state: State) -> None:
        if state not in _NEXT[self.state]:
            raise ValueError(f"a {self.state.value} order cannot become {state.value}")
        self.state = state
        if state is State.CANCELLED:
            self._payment = None

    def __repr__(self) -> str:
        return f"<{self.state.value} order over {self.total}>"


def place_order(cart: Cart) -> Order:
    """Order what is in a cart; ValueError if it is empty."""
    if len(cart) == 0:
        raise ValueError("an empty cart cannot be ordered")
    return Order(cart.total())
