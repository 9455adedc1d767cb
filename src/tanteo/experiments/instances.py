"""How often each value of an attribute comes up among the objects that are made (paper 004, figure 4).

Runs in this very process, without guard and clock, so it is for subjects of our own.

    python -m tanteo.experiments.instances TARGET Stone.black --steps 100 --seed 0 --strategy directed
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.model import Run


def count_instances(
    target: str, what: str, steps: int, seed: int, strategy: str, tune: tuple[str, ...] = ()
) -> Counter[str]:
    """Of all objects of a class that all runs have made: the attribute, as text."""
    name, _, attribute = what.partition(".")
    session = open_here(target, seed=seed, steps=steps, strategy=strategy, tune=tune)
    found: Counter[str] = Counter()
    for run in explore(session):
        if isinstance(run, Run):
            known = {id(v): v for v in run.values if type(v).__name__ == name}
            found.update(str(getattr(value, attribute)) for value in known.values())
    return found


def main() -> None:
    """Print the counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("target")
    parser.add_argument("what", help="CLASS.ATTRIBUTE")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="directed")
    parser.add_argument("--tune", action="append", default=[])
    o = parser.parse_args()
    print(json.dumps(count_instances(o.target, o.what, o.steps, o.seed, o.strategy, tuple(o.tune))))


if __name__ == "__main__":
    main()
