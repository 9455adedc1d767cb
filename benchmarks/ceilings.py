"""How many distinct fingerprints a brute-force random search finds in each example container."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

from containers import _record
from containers.bin_tree import BinTree
from containers.binomial_heap import BinomialHeap
from containers.fib_heap import FibHeap
from containers.tree_map import TreeMap

# Each container with its methods and how many keys each of them takes.
SUBJECTS: dict[str, tuple[Callable[[], Any], tuple[tuple[str, int], ...]]] = {
    "BinTree": (BinTree, (("add", 1), ("remove", 1))),
    "BinomialHeap": (
        BinomialHeap,
        (("insert", 1), ("extract_min", 0), ("decrease_key_variable", 2), ("delete", 1)),
    ),
    "FibHeap": (FibHeap, (("insert", 1), ("remove_min", 0), ("delete_random_node", 0))),
    "TreeMap": (TreeMap, (("put", 1), ("remove", 1))),
}
MAX_KEYS = 64
MAX_CALLS = 300


def ceiling(name: str, seconds: float, seed: int) -> int:
    """The number of distinct fingerprints that random calls reach in that time."""
    return search(name, seconds, seed)[-1][1]


def search(name: str, seconds: float, seed: int) -> list[tuple[float, int]]:
    """As for `ceiling`, but each (time, number) at which the number grew."""
    make, methods = SUBJECTS[name]
    choose = random.Random(seed)
    random.seed(seed)  # FibHeap draws from the global generator
    growth = [(0.0, 0)]
    was_active = _record.active
    _record.clear()
    _record.switch(True)
    start = time.monotonic()
    try:
        while (now := time.monotonic() - start) < seconds:
            _run(make(), methods, choose)
            if len(_record.seen) > growth[-1][1]:
                growth.append((now, len(_record.seen)))
    finally:
        _record.switch(was_active)
    return growth


def _run(subject: Any, methods: tuple[tuple[str, int], ...], choose: random.Random) -> None:
    """One random sequence of calls, in stretches that each have their own mix of methods."""
    keys = choose.randint(2, MAX_KEYS)
    calls = choose.randint(1, MAX_CALLS)
    while calls > 0:
        stretch = choose.randint(1, calls)
        calls -= stretch
        weights = [choose.random() for _ in methods]
        for method, arity in choose.choices(methods, weights, k=stretch):
            try:
                getattr(subject, method)(*(choose.randint(1, keys) for _ in range(arity)))
            except AttributeError:  # an empty heap has no key to decrease
                continue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="containers (default: all four)")
    parser.add_argument("--seconds", type=float, default=25.0, help="search time for each")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.names or SUBJECTS:
        growth = search(name, options.seconds, options.seed)
        reached, found = growth[-1]
        print(f"{name:<13} {found:4d}  (last new one after {reached:.1f} s)", flush=True)


if __name__ == "__main__":
    main()
