"""A list of linked nodes."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

from dataclasses import dataclass

import icontract


@dataclass(eq=False)
class Node:
    """A number and what follows it."""

    value: int
    following: Node | None = None


def _nodes(node: Node | None) -> list[Node]:
    """A node and all that follow it."""
    nodes = []
    while node is not None:
        nodes.append(node)
        node = node.following
    return nodes


def _values(node: Node | None) -> list[int]:
    """The numbers from a node on."""
    return [each.value for each in _nodes(node)]


@icontract.invariant(lambda self: self.length == len(_values(self.head)))
@icontract.invariant(lambda self: _nodes(self.head)[-1:] == _nodes(self.tail))
class LinkedList:
    """Numbers in a row."""

    def __init__(self) -> None:
        self.head: Node | None = None
        self.tail: Node | None = None
        self.length = 0

    @icontract.snapshot(lambda self: _values(self.head), name="values")
    @icontract.ensure(lambda self, value, OLD: _values(self.head) == [*OLD.values, value])
    def append(self, value: int) -> None:
        """Add a number at the end."""
        node = Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.following = node
        self.tail = node
        self.length += 1

    @icontract.snapshot(lambda self: _values(self.head), name="values")
    @icontract.ensure(lambda self, value, OLD: _values(self.head) == [value, *OLD.values])
    def prepend(self, value: int) -> None:
        """Add a number at the start."""
        self.head = Node(value, self.head)
        if self.tail is None:
            self.tail = self.head
        self.length += 1

    @icontract.require(lambda self, index: 0 <= index < self.length)
    @icontract.ensure(lambda self, index, result: result == _values(self.head)[index])
    def get(self, index: int) -> int:
        """The number at a position."""
        return self._node(index).value

    @icontract.require(lambda self, index: 0 <= index < self.length)
    @icontract.snapshot(lambda self: _values(self.head), name="row")
    @icontract.ensure(lambda self, index, OLD: _values(self.head) == OLD.row[:index] + OLD.row[index + 1 :])
    def remove(self, index: int) -> None:
        """Take out the number at a position."""
        previous = None if index == 0 else self._node(index - 1)
        node = self._node(index)
        if previous is None:
            self.head = node.following
        else:
            previous.following = node.following
        self.length -= 1
        if node is self.tail:
            self.tail = previous

    @icontract.snapshot(lambda self: _values(self.head), name="values")
    @icontract.ensure(lambda self, OLD: _values(self.head) == OLD.values[::-1])
    def reverse(self) -> None:
        """Turn the order around."""
        node, done = self.head, None
        self.tail = self.head
        while node is not None:
            node.following, done, node = done, node, node.following
        self.head = done

    @icontract.ensure(lambda self, value, result: result == (value in _values(self.head)))
    def contains(self, value: int) -> bool:
        """Whether a number is in the list."""
        node = self.head
        while node is not None and node.value != value:
            node = node.following
        return node is not None

    def _node(self, index: int) -> Node:
        """The node at a position."""
        node = self.head
        for _ in range(index):
            node = node.following
        return node
