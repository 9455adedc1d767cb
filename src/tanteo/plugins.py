"""Contracts, filters and strategies by name: built-in, from entry points, or as `module:attribute`.

Looked up where the subject runs. Nothing of ours is installed there, so the built-in ones have a table;
entry points are those of the subject's own environment.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import Any

from tanteo.contracts import Contract, contract
from tanteo.contracts.catalogue import CONTRACTS
from tanteo.errors import UserError
from tanteo.filters import Filter
from tanteo.session import Strategy

BUILT_IN: dict[str, dict[str, str]] = {
    "strategies": {
        "adaptive": "tanteo.strategies.adaptive:Adaptive",
        "autotest": "tanteo.strategies.autotest:Autotest",
        "controlled": "tanteo.strategies.controlled:Controlled",
        "directed": "tanteo.strategies.directed:Directed",
        "reset": "tanteo.strategies.resetting:Resetting",
        "reuse": "tanteo.strategies.reuse:Reuse",
        "stateful": "tanteo.stateful.campaign:Stateful",
        "undirected": "tanteo.strategies.undirected:Undirected",
    },
    "filters": {
        "exceptions": "tanteo.filters.exceptions:Unbroken",
        "none": "tanteo.filters.none:NotNone",
        "size": "tanteo.filters.size:Handy",
        "equality": "tanteo.filters.equality:Unseen",
    },
}
SINGULAR = {"strategies": "strategy", "filters": "filter", "contracts": "contract", "makers": "maker"}
FILTERS = tuple(BUILT_IN["filters"])  # in this order: cheap ones first, None never reaches equality


def find(group: str, name: str) -> Any:
    """The thing behind a name."""
    path = BUILT_IN.get(group, {}).get(name)
    if path is None and ":" not in name:
        for entry in importlib.metadata.entry_points(group=f"tanteo.{group}"):
            if entry.name == name:
                return entry.load()
        known = ", ".join(sorted(BUILT_IN.get(group, {})))
        hint = f"there are {known}" if known else "write it as module:function"
        raise UserError(f"no {SINGULAR[group]} named {name}; {hint}", f"no-such-{SINGULAR[group]}")
    module, _, attribute = (path or name).partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UserError(f"cannot load {name}: {error}", f"no-such-{SINGULAR[group]}") from error


def load_strategy(name: str, tune: tuple[str, ...] = ()) -> Strategy:
    """A fresh strategy, with other values for what can be tuned: `period=10`."""
    made: Strategy = find("strategies", name)()
    known = getattr(made, "tunable", ())
    for text in tune:
        key, _, value = text.partition("=")
        if key not in known:
            hint = f"there are {', '.join(known)}" if known else "there is nothing to tune"
            raise UserError(f"--tune {text}: {name} has no {key}; {hint}", "bad-value")
        kind = type(getattr(made, key))
        try:
            setattr(made, key, kind(value))
        except ValueError as error:
            raise UserError(f"--tune {text}: {key} is not {kind.__name__}", "bad-value") from error
    return made


def load_filters(names: tuple[str, ...]) -> list[Filter]:
    """Fresh filters; a class is instantiated, a function is taken as it is."""
    found = [find("filters", name) for name in names]
    return [f() if isinstance(f, type) else f for f in found]


def load_contracts(names: tuple[str, ...]) -> list[Contract]:
    """The built-in contracts, those that entry points bring, and the named ones."""
    found: list[Any] = [*CONTRACTS]
    found += [e.load() for e in importlib.metadata.entry_points(group="tanteo.contracts")]
    found += [find("contracts", name) for name in names]
    return [c if isinstance(c, Contract) else contract(f"{c.__name__}({{x}})")(c) for c in found]
