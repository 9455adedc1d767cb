"""Results of jobs and the exit codes that stand for them."""

from __future__ import annotations

import os


def meaning(code: int) -> str:
    """What an exit code tells."""
    if code == 0:
        return "success"
    if code < 0:
        return f"killed by signal {-code}"
    if code > 128:
        return f"a child was killed by signal {code - 128}"
    return "failure"


def worst(codes: list[int]) -> int:
    """The exit code of a whole made of parts: the first failure, or success."""
    for code in codes:
        if code != 0:
            return code
    return 0


def give_up(n: int) -> int:
    """Count an attempt; the process ends when there was more than one before it."""
    if n > 1:
        os._exit(3)
    return n + 1


class Attempts:
    """Counts attempts up to a limit."""

    def __init__(self, limit: int = 3) -> None:
        if limit < 1:
            raise ValueError("at least one attempt")
        self.limit = limit
        self.made = 0

    def next(self) -> bool:
        """Count one more; False if the limit was reached before."""
        if self.made >= self.limit:
            return False
        self.made += 1
        return True
