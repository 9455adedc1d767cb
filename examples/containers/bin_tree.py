"""Binary search tree (CLRS, chapter 12); recording tells which shapes reach a branch."""

from __future__ import annotations

from . import _record

__all__ = ["BinTree"]


class _Node:
    __slots__ = ("key", "left", "right")

    def __init__(self, key: int) -> None:
        self.key = key
        self.left: _Node | None = None
        self.right: _Node | None = None


class BinTree:
    """A set of ints."""

    def __init__(self) -> None:
        self._root: _Node | None = None

    def add(self, x: int) -> None:
        """Put x into the set."""
        node = self._root
        if node is None:
            _reached(0)
            self._root = _Node(x)
            return
        while x != node.key:
            if x < node.key:
                if node.left is None:
                    _reached(1, node)
                    node.left = _Node(x)
                else:
                    _reached(2, node)
                node = node.left
            else:
                if node.right is None:
                    _reached(3, node)
                    node.right = _Node(x)
                else:
                    _reached(4, node)
                node = node.right

    def remove(self, x: int) -> None:
        """Take x out of the set, if it is there."""
        parent: _Node | None = None
        node = self._root
        while node is not None and x != node.key:
            if x < node.key:
                _reached(5, node, parent=parent)
                parent, node = node, node.left
            else:
                _reached(6, node, parent=parent)
                parent, node = node, node.right
        if node is None:
            _reached(7, parent=parent)
        elif node.left is None:
            _reached(8, node, node.right)
            self._replace(node, parent, node.right)
        elif node.right is None:
            _reached(9, node, node.left)
            self._replace(node, parent, node.left)
        else:
            parent, successor = node, node.right
            while successor.left is not None:
                parent, successor = successor, successor.left
            _reached(10, node, successor)
            node.key = successor.key
            self._replace(successor, parent, successor.right)

    def _replace(self, node: _Node, parent: _Node | None, child: _Node | None) -> None:
        """Hang child where node hangs now."""
        if parent is None:
            _reached(11)
            self._root = child
        elif parent.left is node:
            _reached(12, parent=parent)
            parent.left = child
        else:
            _reached(13, parent=parent)
            parent.right = child


def _reached(
    block: int, node: _Node | None = None, other: _Node | None = None, parent: _Node | None = None
) -> None:
    if _record.active:
        _record.record("BinTree", block, _shape(node), other is not None, _shape(parent))


def _shape(node: _Node | None) -> tuple[bool, bool] | None:
    return None if node is None else (node.left is not None, node.right is not None)
