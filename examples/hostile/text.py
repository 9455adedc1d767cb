"""Words and lines."""

from __future__ import annotations


def shortened(text: str, width: int) -> str:
    """The text, cut to a width with dots at its end if it is longer."""
    if width < 3:
        raise ValueError("a width is at least 3")
    if len(text) <= width:
        return text
    return text[: width - 3] + "..."


def is_palindrome(text: str) -> bool:
    """Whether the letters and digits read the same from both ends."""
    letters = [letter for letter in text.casefold() if letter.isalnum()]
    return letters == letters[::-1]


def plural(count: int, word: str) -> str:
    """A count and a word, with an s where one is due."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word}s"


class Paragraph:
    """Words that are set into lines of a limited width."""

    def __init__(self, width: int = 20) -> None:
        self.width = max(width, 1)
        self._lines: list[str] = []

    def add(self, word: str) -> None:
        """Set a word into the last line, or into a new one if it does not fit."""
        if not word:
            return
        if self._lines and len(self._lines[-1]) + 1 + len(word) <= self.width:
            self._lines[-1] += " " + word
        else:
            self._lines.append(word)

    def lines(self) -> list[str]:
        """The lines so far."""
        return list(self._lines)
