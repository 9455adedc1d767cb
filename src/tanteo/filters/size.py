"""The filter `size`: values too large to be worth carrying along; everything made of them is slow.

By size and not by time, so that a run can be repeated.
"""

from __future__ import annotations

from typing import Any

from tanteo.model import Verdict

LONGEST = 100
MOST_BITS = 256


class Handy:
    """Only values of moderate size."""

    def concerns(self, kind: type) -> bool:
        """What has no size is never too large."""
        return kind is int or hasattr(kind, "__len__")

    def __call__(self, value: Any, verdict: Verdict) -> bool:
        if type(value) is int:
            return bool(value.bit_length() <= MOST_BITS)
        try:
            return len(value) <= LONGEST
        except Exception:
            return True  # contracts say so where that is a fault
