"""Searches in sequences and series."""

from __future__ import annotations

import itertools


def first_above(numbers: list[int], limit: int) -> int | None:
    """The first number above a limit."""
    for number in numbers:
        if number > limit:
            return number
    return None


def is_ascending(numbers: list[int]) -> bool:
    """Whether no number is less than the one before it."""
    return all(left <= right for left, right in itertools.pairwise(numbers))


def has_zero(n: int) -> bool:
    """Whether there is a zero among n ones, where above 1 any n stands for endlessly many."""
    if n > 1:
        return 0 in itertools.repeat(1)
    return 0 in itertools.repeat(1, max(n, 0))


def position(numbers: list[int], wanted: int) -> int:
    """Where a number is in an ascending list; -1 if it is not there."""
    low, high = 0, len(numbers)
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < len(numbers) and numbers[low] == wanted:
        return low
    return -1
