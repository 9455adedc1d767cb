"""Puts a session together: a loaded subject, a strategy, filters and contracts by name."""

from __future__ import annotations

import sys
from random import Random

from tanteo import plugins
from tanteo.classify import Rules
from tanteo.declared import LIBRARIES
from tanteo.declared.invariants import invariant_contracts
from tanteo.declared.results import declared_kinds, result_contracts
from tanteo.disarm import Probes
from tanteo.execute.load import Loaded, Wanted, load
from tanteo.passing import Passing
from tanteo.reach import reach_of
from tanteo.roundtrips import round_trips
from tanteo.session import Session, StillWorld, World, stream
from tanteo.watching import Watcher


def assemble(
    loaded: Loaded,
    rng: Random,
    *,
    strategy: str = "directed",
    filters: tuple[str, ...] = plugins.FILTERS,
    contracts: tuple[str, ...] = (),
    steps: int | None = None,
    deadline: float | None = None,
    world: World | None = None,
    scratch: str = "",
    without: tuple[str, ...] = (),
    tune: tuple[str, ...] = (),
) -> Session:
    """A session that is ready for `engine.explore`."""
    bindings = loaded.bindings
    chosen = plugins.load_strategy(strategy, tune)
    subject = loaded.subject
    files = frozenset(subject.files.values())
    arms = dict(zip(subject.arm_numbers, subject.arms, strict=True))
    return Session(
        bindings.operations,
        bindings.calls,
        bindings.slots,
        loaded.literals,
        Rules(
            Passing(bindings.operations, bindings.slots, bindings.functions, bindings.specified),
            files,
            scratch,
            not LIBRARIES.isdisjoint(sys.modules),
        ),
        chosen,
        [*plugins.load_contracts(contracts), *invariant_contracts(bindings.classes)],
        plugins.load_filters(filters) if chosen.filtering else [],
        loaded.hits,
        rng,
        probes=Probes(loaded.functions, loaded.hits),
        trips=round_trips(bindings.operations, bindings.calls),
        promises=result_contracts(bindings),
        declared=declared_kinds(bindings) if "elephant" in without else {},
        watcher=Watcher(subject.files, arms, loaded.functions),
        implied=loaded.implied,
        reach=reach_of(bindings.functions, loaded.functions, subject.files, arms),
        without=frozenset(without),
        steps=steps,
        deadline=deadline,
        world=world or StillWorld(),
    )


def open_here(
    target: str,
    *,
    seed: int = 0,
    steps: int | None = None,
    strategy: str = "directed",
    tune: tuple[str, ...] = (),
) -> Session:
    """A session in this very process, without guard and timer: for tests of well-behaved subjects."""
    loaded = load(Wanted((target,)))
    return assemble(loaded, stream(seed, "job", 0, "life", 0), steps=steps, strategy=strategy, tune=tune)
