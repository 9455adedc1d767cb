"""The filter `size`: values too large to be worth carrying along; everything made of them is slow.

By size and not by time, so that a run can be repeated.
"""

from __future__ import annotations

from typing import Any

from tanteo.model import Verdict

LONGEST = 200
MOST_BITS = 256


class Handy:
    """Only values of moderate size."""

    def __init__(self) -> None:
        self._sized: dict[type, bool] = {}

    def __call__(self, value: Any, verdict: Verdict) -> bool:
        kind = type(value)
        if kind is int:
            return bool(value.bit_length() <= MOST_BITS)
        sized = self._sized.get(kind)
        if sized is None:
            sized = self._sized[kind] = hasattr(kind, "__len__")
        if not sized:
            return True
        try:
            return len(value) <= LONGEST
        except Exception:
            return True  # contracts say so where that is a fault
