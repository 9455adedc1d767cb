"""Sorted map, a red-black tree (CLRS, chapter 13); recording tells which shapes reach a branch."""

from __future__ import annotations

from . import _record

__all__ = ["TreeMap"]


class _Node:
    __slots__ = ("key", "left", "parent", "red", "right")

    def __init__(self, key: int, parent: _Node | None) -> None:
        self.key = key
        self.parent = parent
        self.left: _Node | None = None
        self.right: _Node | None = None
        self.red = False


class TreeMap:
    """The keys of a sorted map."""

    def __init__(self) -> None:
        self._root: _Node | None = None

    def put(self, key: int) -> None:
        """Put key into the map."""
        node = self._root
        if node is None:
            self._reached(0)
            self._root = _Node(key, None)
            return
        while key != node.key:
            if key < node.key:
                if node.left is None:
                    self._reached(1, node)
                    node.left = _Node(key, node)
                    self._fix_after_insertion(node.left)
                    return
                self._reached(2, node)
                node = node.left
            else:
                if node.right is None:
                    self._reached(3, node)
                    node.right = _Node(key, node)
                    self._fix_after_insertion(node.right)
                    return
                self._reached(4, node)
                node = node.right

    def remove(self, key: int) -> None:
        """Take key out of the map, if it is there."""
        node = self._root
        while node is not None and key != node.key:
            node = node.left if key < node.key else node.right
        if node is None:
            self._reached(5)
        else:
            self._reached(6, node)
            self._delete(node)

    def _delete(self, node: _Node) -> None:
        if node.left is not None and node.right is not None:
            self._reached(7, node)
            successor = node.right
            while successor.left is not None:
                successor = successor.left
            node.key = successor.key
            node = successor
        parent = node.parent
        child = node.right if node.left is None else node.left
        if child is not None:
            self._reached(8, child)
            child.parent = parent
            if parent is None:
                self._reached(9, child)
                self._root = child
            elif node is parent.left:
                self._reached(10, child)
                parent.left = child
            else:
                self._reached(11, child)
                parent.right = child
            self._fix_after_deletion(child)  # an only child is red, so node was black
        elif parent is None:
            self._reached(12, node)
            self._root = None
        else:
            if node.red:
                self._reached(13, node)
            else:
                self._reached(14, node)
                self._fix_after_deletion(node)
            if node is parent.left:
                self._reached(15, node)
                parent.left = None
            else:
                self._reached(16, node)
                parent.right = None

    def _fix_after_insertion(self, node: _Node | None) -> None:
        _paint(node, True)
        while _is_red(_parent(node)):
            parent = _parent(node)
            grandparent = _parent(parent)
            if parent is _left(grandparent):
                uncle = _right(grandparent)
                if _is_red(uncle):
                    self._reached(17, node)
                    _paint(parent, False)
                    _paint(uncle, False)
                    _paint(grandparent, True)
                    node = grandparent
                else:
                    if node is _right(parent):
                        self._reached(18, node)
                        node = parent
                        self._rotate_left(node)
                    else:
                        self._reached(19, node)
                    _paint(_parent(node), False)
                    _paint(grandparent, True)
                    self._rotate_right(grandparent)
            else:
                uncle = _left(grandparent)
                if _is_red(uncle):
                    self._reached(20, node)
                    _paint(parent, False)
                    _paint(uncle, False)
                    _paint(grandparent, True)
                    node = grandparent
                else:
                    if node is _left(parent):
                        self._reached(21, node)
                        node = parent
                        self._rotate_right(node)
                    else:
                        self._reached(22, node)
                    _paint(_parent(node), False)
                    _paint(grandparent, True)
                    self._rotate_left(grandparent)
        _paint(self._root, False)

    def _fix_after_deletion(self, node: _Node | None) -> None:
        while node is not self._root and not _is_red(node):
            parent = _parent(node)
            if node is _left(parent):
                sibling = _right(parent)
                if _is_red(sibling):
                    self._reached(23, node)
                    _paint(sibling, False)
                    _paint(parent, True)
                    self._rotate_left(parent)
                    sibling = _right(parent)
                if not _is_red(_left(sibling)) and not _is_red(_right(sibling)):
                    self._reached(24, node)
                    _paint(sibling, True)
                    node = parent
                else:
                    if not _is_red(_right(sibling)):
                        self._reached(25, node)
                        _paint(_left(sibling), False)
                        _paint(sibling, True)
                        self._rotate_right(sibling)
                        sibling = _right(parent)
                    else:
                        self._reached(26, node)
                    _paint(sibling, _is_red(parent))
                    _paint(parent, False)
                    _paint(_right(sibling), False)
                    self._rotate_left(parent)
                    node = self._root
            else:
                sibling = _left(parent)
                if _is_red(sibling):
                    self._reached(27, node)
                    _paint(sibling, False)
                    _paint(parent, True)
                    self._rotate_right(parent)
                    sibling = _left(parent)
                if not _is_red(_left(sibling)) and not _is_red(_right(sibling)):
                    self._reached(28, node)
                    _paint(sibling, True)
                    node = parent
                else:
                    if not _is_red(_left(sibling)):
                        self._reached(29, node)
                        _paint(_right(sibling), False)
                        _paint(sibling, True)
                        self._rotate_left(sibling)
                        sibling = _left(parent)
                    else:
                        self._reached(30, node)
                    _paint(sibling, _is_red(parent))
                    _paint(parent, False)
                    _paint(_left(sibling), False)
                    self._rotate_right(parent)
                    node = self._root
        _paint(node, False)

    def _rotate_left(self, node: _Node | None) -> None:
        """Lift the right child of node above it."""
        assert node is not None and node.right is not None
        parent, child = node.parent, node.right
        node.right = child.left
        if child.left is not None:
            self._reached(31, node)
            child.left.parent = node
        child.parent = parent
        if parent is None:
            self._reached(32, child)
            self._root = child
        elif node is parent.left:
            self._reached(33, child)
            parent.left = child
        else:
            self._reached(34, child)
            parent.right = child
        child.left = node
        node.parent = child

    def _rotate_right(self, node: _Node | None) -> None:
        """Lift the left child of node above it."""
        assert node is not None and node.left is not None
        parent, child = node.parent, node.left
        node.left = child.right
        if child.right is not None:
            self._reached(35, node)
            child.right.parent = node
        child.parent = parent
        if parent is None:
            self._reached(36, child)
            self._root = child
        elif node is parent.right:
            self._reached(37, child)
            parent.right = child
        else:
            self._reached(38, child)
            parent.left = child
        child.right = node
        node.parent = child

    def _reached(self, block: int, node: _Node | None = None) -> None:
        if _record.active:
            shape = None
            if node is not None:
                links = (node.left, node.right, node.parent)
                shape = (*(link is not None for link in links), node.red, node is self._root)
            _record.record("TreeMap", block, shape)


def _parent(node: _Node | None) -> _Node | None:
    return None if node is None else node.parent


def _left(node: _Node | None) -> _Node | None:
    return None if node is None else node.left


def _right(node: _Node | None) -> _Node | None:
    return None if node is None else node.right


def _is_red(node: _Node | None) -> bool:
    return node is not None and node.red


def _paint(node: _Node | None, red: bool) -> None:
    if node is not None:
        node.red = red
