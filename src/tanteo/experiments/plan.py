"""A study as data: subjects, variants, ranges, seeds and a budget, from TOML; and the items it expands to."""

from __future__ import annotations

import hashlib
import itertools
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from tanteo.errors import UserError

LEAST_SEEDS = 3
METRICS = ("arms", "lines", "faults", "instances")
KEYS = frozenset({"about", "baseline", "metric", "paper", "ranges", "samples", "seconds", "seeds", "steps"})
KEYS |= {"subject", "variant", "least_seconds"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is tested: a target, and what has to be installed for it."""

    name: str
    target: str
    install: tuple[str, ...] = ()
    count: str = ""  # CLASS.ATTRIBUTE, if instances are counted


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to test it: a strategy with its parameters."""

    name: str
    strategy: str
    tune: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One run of `generate`."""

    subject: Subject
    variant: Variant
    seed: int
    seconds: float | None
    steps: int | None

    @property
    def key(self) -> str:
        """The same for the same run, whoever asks for it."""
        text = json.dumps(as_json(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Plan:
    """A study."""

    name: str
    about: str
    subjects: tuple[Subject, ...]
    variants: tuple[Variant, ...]
    seeds: int
    seconds: float | None = None
    steps: int | None = None
    samples: tuple[float, ...] = ()  # seconds at which the timeline is read
    metric: str = "arms"
    baseline: str = ""
    paper: Mapping[str, Any] = field(default_factory=dict)  # what it says, to put beside

    def items(self) -> list[Item]:
        """All runs; seed by seed, so that a study that was stopped has something of everything."""
        every = itertools.product(range(self.seeds), self.subjects, self.variants)
        return [Item(s, v, seed, self.seconds, self.steps) for seed, s, v in every]

    def cost(self) -> float:
        """Seconds on one core, about."""
        each = self.seconds if self.seconds is not None else (self.steps or 0) / 500
        return len(self.items()) * each


def as_json(item: Item) -> dict[str, Any]:
    """An item for a pipe, a database or another machine."""
    return {
        "subject": [item.subject.name, item.subject.target, list(item.subject.install), item.subject.count],
        "variant": [
            item.variant.name,
            item.variant.strategy,
            list(item.variant.tune),
            list(item.variant.options),
        ],
        "seed": item.seed,
        "seconds": item.seconds,
        "steps": item.steps,
    }


def from_json(data: Mapping[str, Any]) -> Item:
    """The way back."""
    name, target, install, count = data["subject"]
    variant, strategy, tune, options = data["variant"]
    return Item(
        Subject(name, target, tuple(install), count),
        Variant(variant, strategy, tuple(tune), tuple(options)),
        data["seed"],
        data["seconds"],
        data["steps"],
    )


def shipped() -> dict[str, str]:
    """The plans that come with us: name and what they are about."""
    files = resources.files("tanteo.experiments") / "plans"
    found = {}
    for file in sorted(files.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            found[file.name.removesuffix(".toml")] = str(tomllib.loads(file.read_text())["about"])
    return found


def read_plan(name: str, scale: float = 1.0, seeds: int | None = None) -> Plan:
    """A plan by its file, or by its name if it is one of ours; smaller if asked for."""
    if name in shipped():
        text = (resources.files("tanteo.experiments") / "plans" / f"{name}.toml").read_text()
    elif Path(name).is_file():
        text = Path(name).read_text()
        name = Path(name).stem
    else:
        raise UserError(f"no plan {name}: neither a file nor one of {', '.join(shipped())}", "no-such-plan")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"cannot read the plan {name}: {error}", "bad-plan") from error
    return make_plan(name, data, scale, seeds)


def make_plan(name: str, data: Mapping[str, Any], scale: float = 1.0, seeds: int | None = None) -> Plan:
    """A plan, of what is in its file; one line to the user if it makes no sense."""
    _require(set(data) <= KEYS, name, f"unknown: {', '.join(sorted(set(data) - KEYS))}")
    _require(bool(data.get("subject")), name, "no [[subject]]")
    _require(bool(data.get("variant")), name, "no [[variant]]")
    _require(("seconds" in data) != ("steps" in data), name, "either seconds or steps")
    metric = data.get("metric", "arms")
    _require(metric in METRICS, name, f"metric is one of {', '.join(METRICS)}")
    subjects = tuple(
        Subject(s["name"], s.get("target", s["name"]), tuple(s.get("install", ())), s.get("count", ""))
        for s in data["subject"]
    )
    _require(metric != "instances" or all(s.count for s in subjects), name, "instances of what? no count")
    variants = tuple(v for row in data["variant"] for v in _variants(row, data.get("ranges", {})))
    baseline = data.get("baseline", variants[0].name)
    _require(baseline in {v.name for v in variants}, name, f"no variant is called {baseline}")
    seconds = data.get("seconds")
    if seconds is not None:
        seconds = max(float(data.get("least_seconds", 5)), float(seconds) * scale)
    samples = tuple(t for t in data.get("samples", ()) if seconds is None or t < seconds)
    return Plan(
        name=name,
        about=data.get("about", ""),
        subjects=subjects,
        variants=variants,
        seeds=seeds or max(LEAST_SEEDS, round(data.get("seeds", 10) * min(1.0, scale * 2))),
        seconds=seconds,
        steps=None if "steps" not in data else max(100, round(data["steps"] * scale)),
        samples=(*samples, *((seconds,) if seconds is not None else ())),
        metric=metric,
        baseline=baseline,
        paper=data.get("paper", {}),
    )


def _variants(row: Mapping[str, Any], ranges: Mapping[str, list[Any]]) -> list[Variant]:
    """A variant, or one for each combination of what is varied."""
    tune = [f"{key}={value}" for key, value in row.get("tune", {}).items()]
    strategy, options = row.get("strategy", row["name"]), tuple(row.get("options", ()))
    chosen = {key: ranges[key] for key in row.get("over", ())}
    found = []
    for values in itertools.product(*chosen.values()):
        more = [f"{key}={value}" for key, value in zip(chosen, values, strict=True)]
        name = " ".join([row["name"], *more])
        found.append(Variant(name, strategy, (*tune, *more), options))
    return found


def _require(held: bool, name: str, what: str) -> None:
    if not held:
        raise UserError(f"the plan {name} makes no sense: {what}", "bad-plan")
