"""A stack of numbers and a small calculator on top of it."""

from __future__ import annotations


class Stack:
    """The last number in is the first out."""

    def __init__(self) -> None:
        self._numbers: list[int] = []

    def push(self, number: int) -> None:
        """Put a number on top."""
        self._numbers.append(number)

    def pop(self) -> int:
        """Take the top number off; IndexError if there is none."""
        if not self._numbers:
            raise IndexError("pop from an empty stack")
        return self._numbers.pop()

    def top(self) -> int | None:
        """The number on top."""
        if self._numbers:
            return self._numbers[-1]
        return None

    def swap(self) -> bool:
        """Exchange the two numbers on top; False if there are fewer."""
        if len(self._numbers) < 2:
            return False
        self._numbers[-1], self._numbers[-2] = self._numbers[-2], self._numbers[-1]
        return True

    def add(self) -> None:
        """Replace the two numbers on top by their sum; IndexError if there are fewer."""
        if len(self._numbers) < 2:
            raise IndexError("a sum needs two numbers")
        self.push(self.pop() + self.pop())

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"<Stack {self._numbers}>"


def filled(count: int) -> Stack:
    """A stack of the numbers from 1, at most a hundred of them."""
    stack = Stack()
    for number in range(1, min(count, 100) + 1):
        stack.push(number)
    return stack
