"""Whole numbers."""

from __future__ import annotations


def gcd(left: int, right: int) -> int:
    """The greatest common divisor, never negative."""
    while right:
        left, right = right, left % right
    return abs(left)


def lcm(left: int, right: int) -> int:
    """The least common multiple, never negative."""
    if left == 0 or right == 0:
        return 0
    return abs(left * right) // gcd(left, right)


def clamp(number: int, low: int, high: int) -> int:
    """The number of a range that is nearest to the given one."""
    if low > high:
        raise ValueError("low is above high")
    if number < low:
        return low
    if number > high:
        return high
    return number


def sign(number: int) -> int:
    """-1, 0 or 1."""
    if number < 0:
        return -1
    return 1 if number else 0


class Counter:
    """Counts up and down, but not below zero."""

    def __init__(self, start: int = 0) -> None:
        self.value = max(start, 0)

    def up(self) -> int:
        """Count one more."""
        self.value += 1
        return self.value

    def down(self) -> int:
        """Count one less, if there is any."""
        if self.value:
            self.value -= 1
        return self.value
