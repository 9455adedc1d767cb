"""Paper 000, figure 5, on the four containers of examples/: distinct predicates after a fixed time.

Beside each other: `directed`, `undirected`, the ceiling that brute force finds on the same code, and the
paper's columns. The recording points are placed so that their ceilings are near the paper's; they are not
the same points, so compare within a row, and with the paper only the order.

    python benchmarks/containers.py --seeds 10 --seconds 30 --jobs 2

Results go to a file as they come; a second run goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "src"), str(HERE.parent / "examples"), str(HERE)]

NAMES = {
    "bin_tree": "BinTree",
    "binomial_heap": "BinomialHeap",
    "fib_heap": "FibHeap",
    "tree_map": "TreeMap",
}
PAPER = {
    "bin_tree": (54, 53.9),
    "binomial_heap": (101, 58.5),
    "fib_heap": (96, 90.3),
    "tree_map": (106, 55),
}
STRATEGIES = ("directed", "undirected")


def one(name: str, strategy: str, seed: int, seconds: float) -> dict[str, float]:
    """One run in this process; the number of predicates and when the last new one came."""
    from containers import _record

    from tanteo.assembly import assemble
    from tanteo.engine import explore
    from tanteo.execute.explorer import settle_memory
    from tanteo.execute.load import Wanted, load
    from tanteo.execute.surroundings import SEED, replace_random
    from tanteo.session import StillWorld, stream

    dice = replace_random()

    class Reseeding(StillWorld):
        def restore(self) -> str | None:
            if dice.thrown:
                dice.seed(SEED)
                dice.thrown = False
            return None

    loaded = load(Wanted((f"containers.{name}",)))
    _record.switch(True)
    settle_memory()
    began = time.monotonic()
    session = assemble(
        loaded,
        stream(seed, "job", 0, "life", 0),
        strategy=strategy,
        deadline=began + seconds,
        world=Reseeding(),
    )
    seen, last = 0, 0.0
    for _ in explore(session):
        if len(_record.seen) > seen:
            seen, last = len(_record.seen), time.monotonic() - began
    return {"predicates": seen, "last": round(last, 1), "steps": session.step}


def measure(key: str, seconds: float) -> dict[str, float]:
    """One run in a process of its own."""
    command = [sys.executable, __file__, "--one", key, "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Parse, measure what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--results", type=Path, default=HERE / "results" / "containers.json")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        name, strategy, seed = options.one.split("/")
        print(json.dumps(one(name, strategy, int(seed), options.seconds)))
        return
    options.results.parent.mkdir(exist_ok=True)
    results: dict[str, dict[str, float]] = {}
    if options.results.exists():
        results = json.loads(options.results.read_text())
    keys = [f"{n}/{s}/{seed}" for seed in range(options.seeds) for n in NAMES for s in STRATEGIES]

    def work(key: str) -> None:
        if key not in results:
            results[key] = measure(key, options.seconds)
            options.results.write_text(json.dumps(dict(sorted(results.items())), indent=1) + "\n")
            print(key, results[key], flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, keys))
    from ceilings import ceiling

    print("| container | directed | undirected | ceiling | directed/ceiling | paper: directed | undirected |")
    print("|---|---|---|---|---|---|---|")
    for name, title in NAMES.items():
        means = {
            s: statistics.mean(results[f"{name}/{s}/{seed}"]["predicates"] for seed in range(options.seeds))
            for s in STRATEGIES
        }
        top = ceiling(title, 25, 0)
        print(
            f"| {title} | {means['directed']:.1f} | {means['undirected']:.1f} | {top} "
            f"| {100 * means['directed'] / top:.1f} % | {PAPER[name][0]} | {PAPER[name][1]} |"
        )


if __name__ == "__main__":
    main()
