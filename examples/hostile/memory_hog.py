"""Buffers and their sizes."""

from __future__ import annotations


def readable(size: int) -> str:
    """A size in bytes, as people write it."""
    if size < 0:
        raise ValueError("a size cannot be negative")
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} GiB"


def padded(data: bytes, multiple: int = 8) -> bytes:
    """The bytes with zeros behind them, up to a multiple of some length."""
    if not 0 < multiple <= 4096:
        raise ValueError("a multiple is between 1 and 4096")
    rest = len(data) % multiple
    if rest:
        return data + bytes(multiple - rest)
    return data


def reserve(n: int) -> int:
    """Fill buffers and return how many: n up to 1, as many as there is memory for above."""
    buffers: list[bytearray] = []
    while n > 1 or len(buffers) < n:
        buffers.append(bytearray(64 * 1024 * 1024 if n > 1 else 64))
    return len(buffers)


class Ring:
    """Keeps the latest few numbers that were put into it."""

    def __init__(self, capacity: int = 3) -> None:
        if capacity < 1:
            raise ValueError("a ring holds at least one number")
        self.capacity = capacity
        self._numbers: list[int] = []

    def put(self, number: int) -> None:
        """Add a number; the oldest one leaves a full ring."""
        if len(self._numbers) >= self.capacity:
            del self._numbers[0]
        self._numbers.append(number)

    def numbers(self) -> list[int]:
        """The numbers from the oldest to the latest."""
        return list(self._numbers)
