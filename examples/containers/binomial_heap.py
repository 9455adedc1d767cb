"""Binomial heap (CLRS, 2nd edition, chapter 19); recording tells which shapes reach a branch."""

from __future__ import annotations

from typing import cast

from . import _record

__all__ = ["BinomialHeap"]


class _Node:
    __slots__ = ("child", "degree", "key", "parent", "sibling")

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.parent: _Node | None = None
        self.child: _Node | None = None
        self.sibling: _Node | None = None

    def find(self, key: int) -> _Node | None:
        """The first node with this key here, below, or in a later sibling's tree."""
        node: _Node | None = self
        while node is not None:
            if node.key == key:
                _reached(0, node)
                return node
            if node.child is None:
                _reached(1, node)
            else:
                _reached(2, node)
                found = node.child.find(key)
                if found is not None:
                    _reached(3, node, found)
                    return found
            node = node.sibling
        return None

    def adopt(self, root: _Node) -> None:
        """Make root, of the same degree, the first child of this root."""
        root.parent = self
        root.sibling = self.child
        self.child = root
        self.degree += 1


class BinomialHeap:
    """A multiset of positive ints that gives up its smallest quickly."""

    def __init__(self) -> None:
        self._head: _Node | None = None

    def insert(self, value: int) -> None:
        """Put value into the heap; a value that is not positive is ignored."""
        if value > 0:
            self._unite(_Node(value))

    def extract_min(self) -> int | None:
        """Take the smallest value out of the heap; None if there is none."""
        if self._head is None:
            _reached(4)
            return None
        before_least: _Node | None = None
        least = before = self._head
        while before.sibling is not None:
            if before.sibling.key < least.key:
                _reached(5, before.sibling, least)
                before_least, least = before, before.sibling
            else:
                _reached(6, before.sibling, least)
            before = before.sibling
        if before_least is None:
            _reached(7, least)
            self._head = least.sibling
        else:
            _reached(8, least, before_least)
            before_least.sibling = least.sibling
        self._unite(_reversed_children(least))
        return least.key

    def decrease_key_variable(self, old_value: int, new_value: int) -> None:
        """Lower one old_value to new_value, if it is there and that does not raise it."""
        # An empty heap has no head to ask: that is an AttributeError.
        node = cast(_Node, self._head).find(old_value)
        if node is None or new_value > old_value:
            _reached(9, node)
        else:
            _reached(10, node)
            _decrease(node, new_value)

    def delete(self, value: int) -> None:
        """Take one such value out of the heap, if it is there."""
        node = None if self._head is None else self._head.find(value)
        if node is None:
            _reached(11)
        else:
            _reached(12, node)
            _decrease(node, self._minimum() - 1)
            self.extract_min()

    def _minimum(self) -> int:
        keys = []
        node = self._head
        while node is not None:
            keys.append(node.key)
            node = node.sibling
        return min(keys)

    def _unite(self, roots: _Node | None) -> None:
        """Take in a second root list, joining trees until no two roots have the same degree."""
        self._head = node = _merged(self._head, roots)
        if node is None:
            _reached(13)
            return
        before: _Node | None = None
        after = node.sibling
        while after is not None:
            third = after.sibling
            if node.degree != after.degree or (third is not None and third.degree == node.degree):
                _reached(14, node, after)
                before, node = node, after
            elif node.key <= after.key:
                _reached(15, node)
                node.sibling = third
                node.adopt(after)
            else:
                if before is None:
                    _reached(16, after)
                    self._head = after
                else:
                    _reached(17, after, before)
                    before.sibling = after
                after.adopt(node)
                node = after
            after = node.sibling


def _merged(a: _Node | None, b: _Node | None) -> _Node | None:
    """Both root lists as one, by increasing degree."""
    head = last = _Node(0)
    while a is not None and b is not None:
        if a.degree <= b.degree:
            _reached(18, a, b)
            last.sibling, a = a, a.sibling
        else:
            _reached(19, a, b)
            last.sibling, b = b, b.sibling
        last = last.sibling
    last.sibling = a if b is None else b
    return head.sibling


def _reversed_children(root: _Node) -> _Node | None:
    """The children of root, made roots themselves, in order of increasing degree."""
    roots: _Node | None = None
    child = root.child
    while child is not None:
        _reached(20, child, roots)
        after = child.sibling
        child.parent, child.sibling = None, roots
        roots, child = child, after
    return roots


def _decrease(node: _Node, key: int) -> None:
    node.key = key
    while node.parent is not None and node.key < node.parent.key:
        _reached(21, node, node.parent)
        node.key, node.parent.key = node.parent.key, node.key
        node = node.parent


def _reached(block: int, node: _Node | None = None, other: _Node | None = None) -> None:
    if _record.active:
        order = None
        if node is not None and other is not None:
            order = (node.degree > other.degree) - (node.degree < other.degree)
        _record.record("BinomialHeap", block, _shape(node), _shape(other), order)


def _shape(node: _Node | None) -> tuple[bool, bool, bool] | None:
    if node is None:
        return None
    return node.child is not None, node.sibling is not None, node.parent is not None
