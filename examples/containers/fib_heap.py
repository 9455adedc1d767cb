"""Fibonacci heap (CLRS, 3rd edition, chapter 19); recording tells which shapes reach a branch."""

from __future__ import annotations

import random

from . import _record

__all__ = ["FibHeap"]

_DELETED = -(2**31)  # no key is lower: a node gets this one just before it is removed


class _Node:
    __slots__ = ("child", "degree", "key", "left", "marked", "parent", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.marked = False
        self.parent: _Node | None = None
        self.child: _Node | None = None
        self.left = self.right = self

    def ring(self) -> list[_Node]:
        """This node and its siblings."""
        nodes = [self]
        while nodes[-1].right is not self:
            nodes.append(nodes[-1].right)
        return nodes

    def leave_ring(self) -> None:
        self.left.right, self.right.left = self.right, self.left
        self.left = self.right = self

    def join_ring(self, other: _Node) -> None:
        """Become the right neighbour of other."""
        self.left, self.right = other, other.right
        other.right.left = self
        other.right = self


class FibHeap:
    """A multiset of 32-bit ints that gives up its smallest quickly."""

    def __init__(self) -> None:
        self._min: _Node | None = None
        self._nodes: list[_Node] = []

    def insert(self, value: int) -> None:
        """Put value into the heap."""
        node = _Node(value)
        self._nodes.append(node)
        self._add_root(node)

    def remove_min(self) -> int | None:
        """Take the smallest value out of the heap; None if there is none."""
        least = self._min
        if least is None:
            _reached(0)
            return None
        if least.child is None:
            _reached(1, least)
        else:
            for child in least.child.ring():
                _reached(2, child)
                child.leave_ring()
                child.join_ring(least)
                child.parent = None
            least.child = None
        if least.right is least:
            _reached(3, least)
            self._min = None
        else:
            _reached(4, least, least.right)
            self._min = least.right
            least.leave_ring()
            self._consolidate(self._min.ring())
        self._nodes.remove(least)
        return least.key

    def delete_random_node(self) -> None:
        """Take any one value out of the heap, if there is one."""
        if not self._nodes:
            _reached(5)
            return
        node = self._nodes[int(random.random() * len(self._nodes))]
        _reached(6, node)
        self._decrease(node, _DELETED)
        self.remove_min()

    def _add_root(self, node: _Node) -> None:
        if self._min is None:
            _reached(7, node)
            self._min = node
            return
        node.join_ring(self._min)
        if node.key < self._min.key:
            _reached(8, node, self._min)
            self._min = node
        else:
            _reached(9, node, self._min)

    def _consolidate(self, roots: list[_Node]) -> None:
        """Link roots of the same degree until all degrees differ, then find the least root."""
        by_degree: dict[int, _Node] = {}
        for root in roots:
            node = root
            while node.degree in by_degree:
                other = by_degree.pop(node.degree)
                if other.key < node.key:
                    _reached(10, node, other)
                    node, other = other, node
                else:
                    _reached(11, node, other)
                _link(other, node)
            by_degree[node.degree] = node
        self._min = None
        for node in by_degree.values():
            if self._min is None:
                _reached(12, node)
                self._min = node
            elif node.key < self._min.key:
                _reached(13, node, self._min)
                self._min = node
            else:
                _reached(14, node, self._min)

    def _decrease(self, node: _Node, key: int) -> None:
        node.key = key
        parent = node.parent
        if parent is not None and key <= parent.key:
            _reached(15, node)
            self._cut(node, parent)
            self._cascading_cut(parent)
        else:
            _reached(16, node)
        if self._min is not None and key <= self._min.key:
            _reached(17, node, self._min)
            self._min = node

    def _cut(self, node: _Node, parent: _Node) -> None:
        """Make a root of node, a child of parent."""
        if node.right is node:
            _reached(18, node, parent)
            parent.child = None
        elif parent.child is node:
            _reached(19, node, parent)
            parent.child = node.right
        else:
            _reached(20, node, parent)
        parent.degree -= 1
        node.leave_ring()
        assert self._min is not None
        node.join_ring(self._min)
        node.parent = None
        node.marked = False

    def _cascading_cut(self, node: _Node) -> None:
        """Cut every marked node from here up; mark the first that is not, unless it is a root."""
        parent = node.parent
        while parent is not None and node.marked:
            _reached(21, node)
            self._cut(node, parent)
            node, parent = parent, parent.parent
        if parent is None:
            _reached(22, node)
        else:
            _reached(23, node, parent)
            node.marked = True


def _link(node: _Node, parent: _Node) -> None:
    """Make node, a root, a child of parent."""
    node.leave_ring()
    if parent.child is None:
        _reached(24, node, parent)
        parent.child = node
    else:
        _reached(25, node, parent)
        node.join_ring(parent.child)
    node.parent = parent
    node.marked = False
    parent.degree += 1


def _reached(block: int, n: _Node | None = None, m: _Node | None = None) -> None:
    if _record.active:
        links = None if n is None or m is None else (n.child is m, m.child is n)
        _record.record("FibHeap", block, _shape(n), _shape(m), links)


def _shape(node: _Node | None) -> tuple[bool, bool, bool, bool, bool] | None:
    if node is None:
        return None
    return (
        node.child is not None,
        node.parent is not None,
        node.right is node,
        node.left is node,
        node.degree == 0,
    )
