"""A tree whose `merge_tree_after` was never tried on siblings; nodes have a cursor over their children."""

from __future__ import annotations


class Tree:
    """A node: its parent, its children, and a cursor that points to one of them or is off."""

    def __init__(self) -> None:
        self._parent: Tree | None = None
        self._children: list[Tree] = []
        self._cursor = -1

    def __len__(self) -> int:
        return len(self._children)

    def off(self) -> bool:
        """Whether the cursor points to no child."""
        return not 0 <= self._cursor < len(self._children)

    def start(self) -> None:
        """Move the cursor to the first child."""
        self._cursor = 0

    def finish(self) -> None:
        """Move the cursor away."""
        self._cursor = -1

    def grow(self) -> Tree:
        """A new child at the end; the cursor is off then."""
        child = Tree()
        child._parent = self
        self._children.append(child)
        self._cursor = -1
        return child

    def is_sibling(self, other: Tree) -> bool:
        """Whether both are children of one node."""
        return self is not other and self._parent is not None and self._parent is other._parent

    def merge_tree_after(self, other: Tree) -> None:
        """Move the children of another node behind the cursor."""
        if self.off():
            raise ValueError("the cursor is off")
        if other in self.ancestors() or self in other.ancestors():
            raise ValueError("a node cannot be merged with one above or below it")
        moved, other._children = other._children, []
        for child in moved:
            child._parent = self
        place = self._cursor + 1
        self._children[place:place] = moved
        if self.is_sibling(other):
            other._parent = self  # wrong: it has not become one of the children

    def ancestors(self) -> list[Tree]:
        """This node and all above it."""
        found, node = [self], self._parent
        while node is not None:
            found.append(node)
            node = node._parent
        return found

    def check_rep(self) -> None:
        """Children know their parents, and parents their children."""
        assert all(child._parent is self for child in self._children)
        assert self._parent is None or self in self._parent._children
