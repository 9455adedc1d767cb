"""A linked list, an ordered set and a read-only view of an ordered set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from reprlib import recursive_repr
from typing import Any


class Tag:
    """A label to mark things with. Two tags are different even if they read the same."""

    def __init__(self, label: str) -> None:
        self.label = label

    def __repr__(self) -> str:
        return f"Tag({self.label!r})"


class _Node:
    __slots__ = ("following", "value")

    def __init__(self, value: object, following: _Node | None = None) -> None:
        self.value = value
        self.following = following


class LinkedList:
    """A singly linked list with constant-time access to both of its ends."""

    def __init__(self) -> None:
        self._head: _Node | None = None
        self._tail: _Node | None = None
        self._size = 0

    def add_first(self, value: object) -> None:
        """Put a value before all others."""
        self._head = _Node(value, self._head)
        if self._tail is None:
            self._tail = self._head
        self._size += 1

    def add_last(self, value: object) -> None:
        """Put a value behind all others."""
        node = _Node(value)
        if self._tail is None:
            self._head = node
        else:
            self._tail.following = node
        self._tail = node
        self._size += 1

    def remove_first(self) -> object:
        """Take the first value out and return it; IndexError if there is none."""
        if self._head is None:
            raise IndexError("remove_first from an empty list")
        node = self._head
        self._head = node.following
        if self._head is None:
            self._tail = None
        self._size -= 1
        return node.value

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[object]:
        node = self._head
        while node is not None:
            yield node.value
            node = node.following

    @recursive_repr("LinkedList(...)")
    def __repr__(self) -> str:
        return f"LinkedList({list(self)!r})"


class TreeSet:
    """A set that keeps its elements in ascending order.

    Elements are told apart by ``<`` alone: two of which neither is less than the other
    are the same element. TypeError if two elements have no order.
    """

    def __init__(self, elements: Iterable[object] = ()) -> None:
        self._elements: list[Any] = []
        for element in elements:
            self.add(element)

    def _position(self, element: Any) -> int:
        low, high = 0, len(self._elements)
        while low < high:
            middle = (low + high) // 2
            if self._elements[middle] < element:
                low = middle + 1
            else:
                high = middle
        return low

    def _holds(self, element: Any, position: int) -> bool:
        return position < len(self._elements) and not element < self._elements[position]

    def add(self, element: object) -> bool:
        """Add an element; False if it was there already."""
        position = self._position(element)
        if self._holds(element, position):
            return False
        self._elements.insert(position, element)
        return True

    def discard(self, element: object) -> bool:
        """Take an element out; False if it was not there."""
        position = self._position(element)
        if not self._holds(element, position):
            return False
        del self._elements[position]
        return True

    def first(self) -> object:
        """The least element; IndexError if the set is empty."""
        if not self._elements:
            raise IndexError("first of an empty set")
        return self._elements[0]

    def last(self) -> object:
        """The greatest element; IndexError if the set is empty."""
        if not self._elements:
            raise IndexError("last of an empty set")
        return self._elements[-1]

    def __contains__(self, element: object) -> bool:
        return self._holds(element, self._position(element))

    def __len__(self) -> int:
        return len(self._elements)

    def __iter__(self) -> Iterator[object]:
        return iter(self._elements)

    def __repr__(self) -> str:
        return f"TreeSet({self._elements!r})"


class UnmodifiableSet:
    """A read-only view of a set: it follows the set's changes and makes none itself."""

    def __init__(self, inner: TreeSet) -> None:
        self._inner = inner

    def __contains__(self, element: object) -> bool:
        return element in self._inner

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[object]:
        return iter(self._inner)

    def __eq__(self, other: object) -> bool:
        """Whether the other view has the same size and all its elements are in this one."""
        if not isinstance(other, UnmodifiableSet):
            return NotImplemented
        if len(self) != len(other):
            return False
        try:
            return all(element in self for element in other)
        except TypeError:
            return False

    def __hash__(self) -> int:
        """Equal views have equal sizes, and elements need not be hashable."""
        return hash(len(self))

    def __repr__(self) -> str:
        return f"unmodifiable_set({self._inner!r})"


def unmodifiable_set(inner: TreeSet) -> UnmodifiableSet:
    """A view of the set for callers that must not change it."""
    return UnmodifiableSet(inner)
