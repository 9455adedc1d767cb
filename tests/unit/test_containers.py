"""The example containers against plain models, their inner order, and their recording."""

from __future__ import annotations

import random
from bisect import insort
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from containers import _record, bin_tree, binomial_heap, fib_heap, tree_map
from containers.bin_tree import BinTree
from containers.binomial_heap import BinomialHeap
from containers.fib_heap import FibHeap
from containers.tree_map import TreeMap

CALLS = 400
# Each with a seed and the highest key: few keys collide often, many grow deep structures.
cases = pytest.mark.parametrize(
    ("seed", "top"), [(seed, top) for top in (2, 8, 64, 1000) for seed in range(5)]
)


@pytest.fixture
def recording() -> Iterator[None]:
    was_active = _record.active
    _record.clear()
    _record.switch(True)
    yield
    _record.switch(was_active)
    _record.clear()


# ---- what they hold ----------------------------------------------------------------------------


@cases
def test_bin_tree_holds_a_set(seed: int, top: int) -> None:
    choose = random.Random(seed)
    tree, model = BinTree(), set[int]()
    for _ in range(CALLS):
        key = choose.randint(-top, top)
        if choose.random() < 0.6:
            tree.add(key)
            model.add(key)
        else:
            tree.remove(key)
            model.discard(key)
        assert _tree_keys(tree._root) == sorted(model)


@cases
def test_tree_map_holds_a_set(seed: int, top: int) -> None:
    choose = random.Random(seed)
    tree, model = TreeMap(), set[int]()
    for _ in range(CALLS):
        key = choose.randint(-top, top)
        if choose.random() < 0.6:
            tree.put(key)
            model.add(key)
        else:
            tree.remove(key)
            model.discard(key)
        assert _tree_keys(tree._root) == sorted(model)
        assert tree._root is None or (tree._root.parent is None and not tree._root.red)
        _check_red_black(tree._root)


@cases
def test_binomial_heap_holds_a_multiset(seed: int, top: int) -> None:
    choose = random.Random(seed)
    heap, model = BinomialHeap(), list[int]()
    for _ in range(CALLS):
        key, other = choose.randint(-1, top), choose.randint(-1, top)
        what = choose.choice(["insert", "insert", "extract", "decrease", "delete"])
        if what == "insert":
            heap.insert(key)
            if key > 0:
                insort(model, key)
        elif what == "extract":
            assert heap.extract_min() == (model.pop(0) if model else None)
        elif what == "delete":
            heap.delete(key)
            if key in model:
                model.remove(key)
        elif model:
            heap.decrease_key_variable(key, other)
            if key in model and other <= key:
                model.remove(key)
                insort(model, other)
        assert _check_binomial_roots(heap._head) == model


def test_binomial_heap_without_keys_has_none_to_decrease() -> None:
    with pytest.raises(AttributeError, match="None"):
        BinomialHeap().decrease_key_variable(1, 1)


@cases
def test_fib_heap_holds_a_multiset(seed: int, top: int) -> None:
    choose = random.Random(seed)
    random.seed(seed)  # the heap draws from the global generator
    heap, model = FibHeap(), list[int]()
    for _ in range(CALLS):
        what = choose.choice(["insert", "insert", "insert", "remove", "delete"])
        if what == "insert":
            key = -(2**31) if choose.random() < 0.05 else choose.randint(-top, top)
            heap.insert(key)
            insort(model, key)
        elif what == "remove":
            assert heap.remove_min() == (model.pop(0) if model else None)
        else:
            before, chosen = random.getstate(), random.random()
            random.setstate(before)
            if model:
                model.remove(heap._nodes[int(chosen * len(model))].key)
            heap.delete_random_node()
        assert _check_fib_heap(heap) == model


def _tree_keys(node: bin_tree._Node | tree_map._Node | None) -> list[int]:
    if node is None:
        return []
    return [*_tree_keys(node.left), node.key, *_tree_keys(node.right)]


def _check_red_black(node: tree_map._Node | None) -> int:
    """The number of black nodes on every way down from here."""
    if node is None:
        return 0
    for child in (node.left, node.right):
        if child is not None:
            assert child.parent is node
            assert not (node.red and child.red)
    blacks = _check_red_black(node.left)
    assert _check_red_black(node.right) == blacks
    return blacks + (not node.red)


def _check_binomial_roots(head: binomial_heap._Node | None) -> list[int]:
    """All keys in order, after checking that the trees are binomial and heap-ordered."""
    roots = _siblings(head)
    assert all(a.degree < b.degree for a, b in pairwise(roots))
    keys: list[int] = []
    todo: list[tuple[binomial_heap._Node, binomial_heap._Node | None]] = [(r, None) for r in roots]
    while todo:
        node, parent = todo.pop()
        assert node.parent is parent
        assert parent is None or parent.key <= node.key
        children = _siblings(node.child)
        assert [child.degree for child in children] == list(reversed(range(node.degree)))
        todo.extend((child, node) for child in children)
        keys.append(node.key)
    return sorted(keys)


def _siblings(node: binomial_heap._Node | None) -> list[binomial_heap._Node]:
    nodes = []
    while node is not None:
        nodes.append(node)
        node = node.sibling
    return nodes


def _check_fib_heap(heap: FibHeap) -> list[int]:
    """All keys in order, after checking rings, degrees, heap order and what is remembered."""
    if heap._min is None:
        assert heap._nodes == []
        return []
    roots = heap._min.ring()
    assert heap._min.key == min(root.key for root in roots)
    found: list[fib_heap._Node] = []
    todo: list[tuple[fib_heap._Node, fib_heap._Node | None]] = [(root, None) for root in roots]
    while todo:
        node, parent = todo.pop()
        assert node.parent is parent
        assert parent is None or parent.key <= node.key
        assert node.left.right is node and node.right.left is node
        children = [] if node.child is None else node.child.ring()
        assert node.degree == len(children)
        todo.extend((child, node) for child in children)
        found.append(node)
    assert {id(node) for node in found} == {id(node) for node in heap._nodes}
    assert len(found) == len(heap._nodes)
    return sorted(node.key for node in found)


# ---- what they show ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "public"),
    [
        (BinTree, {"add", "remove"}),
        (BinomialHeap, {"insert", "extract_min", "decrease_key_variable", "delete"}),
        (FibHeap, {"insert", "remove_min", "delete_random_node"}),
        (TreeMap, {"put", "remove"}),
    ],
)
def test_only_the_methods_are_public(made: type, public: set[str]) -> None:
    assert {name for name in vars(made) if not name.startswith("_")} == public
    assert "__eq__" not in vars(made) and "__repr__" not in vars(made)
    assert all(name.startswith("_") for name in vars(made()))


# ---- what they record --------------------------------------------------------------------------


def _use_all(shift: int = 0) -> None:
    random.seed(7)
    choose = random.Random(7)
    for _ in range(20):
        tree, bheap, fheap, sorted_map = BinTree(), BinomialHeap(), FibHeap(), TreeMap()
        for _ in range(60):
            key = choose.randint(1, 30) + shift
            tree.add(key)
            bheap.insert(key)
            fheap.insert(key)
            sorted_map.put(key)
            if choose.random() < 0.5:
                other = choose.randint(1, 30) + shift
                tree.remove(other)
                bheap.delete(other)
                bheap.extract_min()
                fheap.remove_min()
                fheap.delete_random_node()
                sorted_map.remove(other)


@pytest.mark.usefixtures("recording")
def test_recording_can_be_switched() -> None:
    _record.switch(False)
    _use_all()
    _record.record("any", 0)
    assert not _record.seen
    _record.switch(True)
    _use_all()
    assert {fingerprint[0] for fingerprint in _record.seen} == {
        "BinTree",
        "BinomialHeap",
        "FibHeap",
        "TreeMap",
    }
    found = len(_record.seen)
    _record.switch(False)
    assert len(_record.seen) == found
    _record.clear()
    assert not _record.seen


@pytest.mark.usefixtures("recording")
def test_keys_are_not_part_of_what_is_recorded() -> None:
    _use_all()
    low = set(_record.seen)
    _record.clear()
    _use_all(shift=1000)
    assert _record.seen == low


def _call_at_random(make: Callable[[], Any], calls: dict[str, int], runs: int) -> None:
    choose = random.Random(1)
    for _ in range(runs):
        subject = make()
        top = choose.randint(2, 64)
        weights = [choose.random() for _ in calls]
        for name in choose.choices(list(calls), weights, k=choose.randint(1, 300)):
            if name == "decrease_key_variable" and subject._head is None:
                continue
            getattr(subject, name)(*(choose.randint(1, top) for _ in range(calls[name])))


@pytest.mark.usefixtures("recording")
@pytest.mark.parametrize(
    ("make", "calls", "ceiling"),
    [
        (BinTree, {"add": 1, "remove": 1}, 54),
        (
            BinomialHeap,
            {"insert": 1, "extract_min": 0, "decrease_key_variable": 2, "delete": 1},
            101,
        ),
        (TreeMap, {"put": 1, "remove": 1}, 106),
    ],
)
def test_many_random_calls_reach_the_known_number_of_fingerprints(
    make: Callable[[], Any], calls: dict[str, int], ceiling: int
) -> None:
    _call_at_random(make, calls, runs=1000)
    assert len(_record.seen) == ceiling


@pytest.mark.usefixtures("recording")
def test_fib_heap_comes_near_its_known_number_of_fingerprints() -> None:
    random.seed(1)
    _call_at_random(FibHeap, {"insert": 1, "remove_min": 0, "delete_random_node": 0}, runs=1000)
    assert 95 <= len(_record.seen) <= 106
