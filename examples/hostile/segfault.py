"""Bytes and how to look at them."""

from __future__ import annotations

import ctypes


def high_bits(data: bytes) -> int:
    """How many bytes are outside ASCII."""
    return sum(1 for byte in data if byte > 127)


def describe(byte: int) -> str:
    """What kind of character a byte stands for."""
    if not 0 <= byte < 256:
        raise ValueError("a byte is between 0 and 255")
    if byte < 32 or byte == 127:
        return "control"
    if byte > 127:
        return "extended"
    return "printable"


def peek(n: int) -> bytes:
    """The bytes before the first zero: of an empty buffer up to 1, of address zero above."""
    if n > 1:
        return ctypes.string_at(0)
    return b""


class Window:
    """A stretch of some bytes that can be moved."""

    def __init__(self, data: bytes, width: int = 4) -> None:
        if width < 1:
            raise ValueError("a window is at least one byte wide")
        self.data = data
        self.width = width
        self.start = 0

    def move(self, distance: int) -> None:
        """Move the window, but not beyond the ends of the bytes."""
        self.start = max(0, min(len(self.data), self.start + distance))

    def content(self) -> bytes:
        """The bytes that the window shows."""
        return self.data[self.start : self.start + self.width]
