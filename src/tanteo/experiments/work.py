"""One item: its environment, one `generate` in a process of its own, and what came of it.

A worker needs nothing but us: the subject is installed by the item, into an environment that is kept for the
next item with the same wishes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tanteo.experiments.plan import Item, from_json

LONGER = 2.0  # times the budget, and a minute, before a run is given up
FORMAT = 1


class ItemError(Exception):
    """An item that gave no result, with the reason."""


def environments() -> Path:
    """Where environments are kept between items."""
    home = os.environ.get("TANTEO_ENVIRONMENTS") or Path.home() / ".cache" / "tanteo" / "environments"
    return Path(home)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else makes this environment at the same time."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def interpreter(install: tuple[str, ...]) -> str:
    """A Python that has these packages; our own if nothing is asked for."""
    if not install:
        return sys.executable
    text = "\n".join((sys.version, *sorted(install)))
    folder = environments() / hashlib.sha256(text.encode()).hexdigest()[:12]
    python = folder / "bin" / "python"
    with _alone(folder):
        if not (folder / "ready").exists():
            venv.create(folder, with_pip=True, clear=True)
            done = subprocess.run(
                [python, "-m", "pip", "install", "-q", *install], capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise ItemError(f"cannot install {' '.join(install)}: {done.stderr.strip()[-200:]}")
            (folder / "ready").touch()
    return str(python)


def target_of(item: Item) -> str:
    """An example that comes with us is meant by `example:NAME`."""
    kind, _, name = item.subject.target.partition(":")
    if kind != "example":
        return item.subject.target
    places = (Path(__file__).parent / "subjects", Path(__file__).parents[3] / "examples")
    found = [place / name for place in places if (place / name).exists()]
    if not found:
        raise ItemError(f"no example named {name}")
    return str(found[0])


def run_item(data: Mapping[str, Any]) -> dict[str, Any]:
    """Run one item, given as JSON; raises `ItemError` with the reason if there is no result."""
    item = from_json(data)
    if item.subject.count:
        return _counted(item)
    with tempfile.TemporaryDirectory(prefix="tanteo-item-") as name:
        folder = Path(name)
        words = [sys.executable, "-m", "tanteo", "generate", target_of(item), "--seed", str(item.seed)]
        words += ["--time", str(item.seconds)] if item.seconds is not None else ["--steps", str(item.steps)]
        words += ["--strategy", item.variant.strategy, "--explore-only", "--quiet", "--json", "out.json"]
        words += ["--session", "session", "--out", "tests", "--python", interpreter(item.subject.install)]
        words += [word for text in item.variant.tune for word in ("--tune", text)]
        words += item.variant.options
        limit = LONGER * item.seconds + 60 if item.seconds is not None else None
        try:
            done = subprocess.run(
                words, cwd=folder, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ItemError(f"not back after {limit:.0f} s") from error
        if done.returncode < 0:
            raise ItemError(f"ended by signal {-done.returncode}")
        told = (folder / "out.json").read_text() if (folder / "out.json").exists() else ""
        if not told:
            raise ItemError(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
        return distill(json.loads(told))


def _counted(item: Item) -> dict[str, Any]:
    """The objects that a run makes, by an attribute."""
    words = [sys.executable, "-m", "tanteo.experiments.instances", target_of(item), item.subject.count]
    words += ["--steps", str(item.steps), "--seed", str(item.seed), "--strategy", item.variant.strategy]
    words += [word for text in item.variant.tune for word in ("--tune", text)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ItemError(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
    counts = json.loads(done.stdout)
    share = 100.0 * max(counts.values()) / sum(counts.values()) if counts else 0.0
    return {"format": FORMAT, "steps": item.steps, "counts": counts, "instances": share, "faults": []}


def distill(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Of what a run reports, the part that studies ask for."""
    coverage = summary["coverage"]
    faults = [f for f in summary["faults"] if f["level"] == "fault"]
    return {
        "format": FORMAT,
        "steps": summary["sequences"]["executed"],
        "elapsed": summary["elapsed_seconds"],
        "arms": coverage["arms_covered"],
        "arms_total": coverage["arms_total"],
        "lines": coverage["lines_covered"],
        "timeline": coverage["timeline"],
        "faults": sorted(f["id"] for f in faults),
        "kinds": sorted(f["kind"] for f in faults),
        "digest": summary["sequences"].get("kept_digest"),
        "explorers": summary["explorers"],
        "megabytes": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }


def main() -> None:
    """An item from standard input; its result, or why there is none, to standard output."""
    try:
        print(json.dumps({"result": run_item(json.load(sys.stdin))}))
    except ItemError as error:
        print(json.dumps({"reason": str(error)}))


if __name__ == "__main__":
    main()
