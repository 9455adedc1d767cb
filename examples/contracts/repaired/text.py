"""A string that can be changed."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


@icontract.invariant(lambda self: self.length == len(self.value))
class Text:
    """Characters that can be edited in place."""

    @icontract.ensure(lambda self, value: self.value == value)
    def __init__(self, value: str = "") -> None:
        self.value = value
        self.length = len(value)

    @icontract.require(lambda piece: len(piece) > 0)
    @icontract.snapshot(lambda self: self.value, name="value")
    @icontract.ensure(lambda self, piece, OLD: self.value == OLD.value + piece)
    def append(self, piece: str) -> None:
        """Add characters at the end."""
        self.insert(self.length, piece)

    @icontract.require(lambda self, index: 0 <= index <= self.length)
    @icontract.require(lambda piece: len(piece) > 0)
    @icontract.snapshot(lambda self: self.value, name="value")
    @icontract.ensure(
        lambda self, index, piece, OLD: self.value == OLD.value[:index] + piece + OLD.value[index:]
    )
    def insert(self, index: int, piece: str) -> None:
        """Add characters before a position."""
        self.value = self.value[:index] + piece + self.value[index:]
        self.length += len(piece)

    @icontract.require(lambda self, start, end: 0 <= start <= end <= self.length)
    @icontract.snapshot(lambda self: self.value, name="value")
    @icontract.ensure(lambda self, start, end, OLD: self.value == OLD.value[:start] + OLD.value[end:])
    def remove(self, start: int, end: int) -> None:
        """Delete the characters between two positions."""
        self.value = self.value[:start] + self.value[end:]
        self.length -= end - start

    @icontract.require(lambda width: 0 <= width <= 200)
    @icontract.require(lambda fill: len(fill) == 1)
    @icontract.snapshot(lambda self: self.value, name="value")
    @icontract.ensure(lambda self, width, fill, OLD: self.value == OLD.value.ljust(width, fill))
    def pad(self, width: int, fill: str = " ") -> None:
        """Fill up at the end until the text is wide enough."""
        if self.length < width:
            self.append(fill * (width - self.length))

    @icontract.require(lambda width: width >= 3)
    @icontract.ensure(lambda width, result: len(result) <= width)
    @icontract.ensure(lambda self, result: result == self.value or result.endswith("..."))
    def shortened(self, width: int) -> str:
        """The text, cut off with dots if it is too wide."""
        if self.length <= width:
            return self.value
        return self.value[: width - 3] + "..."

    @icontract.require(lambda piece: len(piece) > 0)
    @icontract.ensure(lambda self, piece, result: result == self.value.count(piece))
    def count(self, piece: str) -> int:
        """How often characters occur one after the other, without overlap."""
        total = 0
        place = self.value.find(piece)
        while place >= 0:
            total += 1
            place = self.value.find(piece, place + len(piece))
        return total

    @icontract.require(lambda piece: len(piece) > 0)
    @icontract.ensure(lambda self, piece, result: result == self.value.find(piece))
    def index_of(self, piece: str) -> int:
        """Where characters occur first; -1 if they do not."""
        for place in range(self.length - len(piece) + 1):
            if self.value.startswith(piece, place):
                return place
        return -1

    @icontract.ensure(lambda self, result: self.value.lstrip().startswith(result))
    @icontract.ensure(lambda self, result: (result == "") == (self.value.strip() == ""))
    def first_word(self) -> str:
        """What stands before the first blank; an empty string if there is no word."""
        words = self.value.split()
        if not words:
            return ""
        return words[0]
