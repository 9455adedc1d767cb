"""Ranges of whole numbers, such as days."""

from __future__ import annotations

import deal


@deal.inv(lambda self: self._bounds[0] <= self._bounds[1])
class Interval:
    """All whole numbers from one to another, both included."""

    @deal.pre(lambda self, low, high: low <= high)
    def __init__(self, low: int, high: int) -> None:
        self._bounds = (low, high)

    @property
    def low(self) -> int:
        """The smallest number."""
        return self._bounds[0]

    @property
    def high(self) -> int:
        """The largest number."""
        return self._bounds[1]

    @deal.post(lambda result: result >= 1)
    def length(self) -> int:
        """How many numbers there are."""
        return self.high - self.low + 1

    @deal.ensure(
        lambda self, other, result: result == (max(self.low, other.low) <= min(self.high, other.high))
    )
    def overlaps(self, other: Interval) -> bool:
        """Whether two intervals have a number in common."""
        return self.low <= other.high and other.low <= self.high

    @deal.ensure(
        lambda self, other, result: result is None or self.low <= result.low <= result.high <= self.high
    )
    @deal.ensure(
        lambda self, other, result: result is None or other.low <= result.low <= result.high <= other.high
    )
    def common(self, other: Interval) -> Interval | None:
        """What two intervals have in common; None if that is nothing."""
        low = max(self.low, other.low)
        high = min(self.high, other.high)
        if low > high:
            return None
        return Interval(low, high)

    @deal.ensure(lambda self, other, result: result.low == min(self.low, other.low))
    @deal.ensure(lambda self, other, result: result.high == max(self.high, other.high))
    def hull(self, other: Interval) -> Interval:
        """The smallest interval that includes both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @deal.pre(lambda self, last: self.low <= last < self.high)
    @deal.ensure(lambda self, last, result: result[0].low == self.low and result[1].high == self.high)
    @deal.ensure(lambda self, last, result: result[0].high + 1 == result[1].low)
    def split(self, last: int) -> tuple[Interval, Interval]:
        """Two intervals, of which the first ends with a number."""
        return Interval(self.low, last), Interval(last + 1, self.high)

    @deal.ensure(lambda self, low, result: self.low == low)
    def move_low(self, low: int) -> None:
        """Start elsewhere, and end there too if that was earlier."""
        self._bounds = (low, max(low, self.high))

    @deal.ensure(lambda self, by, result: self.low == result[0] + by and self.high == result[1] + by)
    def shift(self, by: int) -> tuple[int, int]:
        """Move both ends; the old ones are returned."""
        old = self._bounds
        self._bounds = (self.low + by, self.high + by)
        return old

    @deal.post(lambda result: 0 <= result <= 100)
    @deal.pre(lambda self, number: self.low <= number <= self.high)
    def percent(self, number: int) -> int:
        """How much of the way from the low to the high end a number is."""
        if self.low == self.high:
            return 0
        return 100 * (number - self.low) // (self.high - self.low)
