"""A list whose `merge_left` was only ever tried on lists that are equal because they are empty."""

from __future__ import annotations


class LinkedList:
    """Words, one behind the other."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def is_empty(self) -> bool:
        """Whether there is no word."""
        return not self._words

    def is_equal(self, other: LinkedList) -> bool:
        """Whether both have the same words in the same order."""
        return self._words == other._words

    def extend(self, word: str) -> None:
        """Add a word of some length at the end."""
        if not isinstance(word, str) or len(word) < 3:
            raise ValueError("a word has at least three letters")
        self._words.append(word)
        self._count += 1

    def merge_left(self, other: LinkedList) -> None:
        """Put the words of another list in front of these; it is empty afterwards."""
        if self is other:
            return
        if not self.is_equal(other):
            self._count += other._count
        self._words = other._words + self._words  # wrong for equal lists that are not empty
        other._words, other._count = [], 0

    def check_rep(self) -> None:
        """The count is right."""
        assert self._count == len(self._words)
