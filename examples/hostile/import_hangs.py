"""Durations, available one hour after the import begins."""

from __future__ import annotations

import time

time.sleep(3600)


def clock(seconds: int) -> str:
    """A duration as hours, minutes and seconds."""
    if seconds < 0:
        return "-" + clock(-seconds)
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def rounded(seconds: int, step: int = 60) -> int:
    """A duration, rounded down to whole steps."""
    if step < 1:
        raise ValueError("a step is at least one second")
    return seconds - seconds % step
