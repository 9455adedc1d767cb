"""Amounts of money, exact to the cent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    """A number of cents in one currency."""

    cents: int
    currency: str = "EUR"

    def plus(self, other: Money) -> Money:
        """The sum of two amounts; ValueError if their currencies differ."""
        if self.currency != other.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Money(self.cents + other.cents, self.currency)

    def minus(self, other: Money) -> Money:
        """The difference of two amounts; ValueError if their currencies differ."""
        return self.plus(other.times(-1))

    def times(self, factor: int) -> Money:
        """The amount, so many times."""
        return Money(self.cents * factor, self.currency)

    def share(self, percent: int) -> Money:
        """So many percent of the amount, rounded down to the cent."""
        return Money(self.cents * percent // 100, self.currency)

    def __str__(self) -> str:
        units, rest = divmod(abs(self.cents), 100)
        sign = "-" if self.cents < 0 else ""
        return f"{sign}{units}.{rest:02} {self.currency}"
