"""Finds this bug within so many steps, whatever the seed."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.model import Fault, Run


@pytest.fixture(autouse=True)
def own_imports() -> Iterator[None]:
    before, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    sys.path[:], sys.meta_path[:] = path, finders


def faults(target: str, seed: int, steps: int, strategy: str = "directed") -> list[Fault]:
    session = open_here(target, seed=seed, steps=steps, strategy=strategy)
    runs = [run for run in explore(session) if isinstance(run, Run)]
    return [run.fault for run in runs if run.fault is not None]


@pytest.mark.parametrize("seed", range(3))
def test_a_set_that_is_not_equal_to_itself(seed: int) -> None:
    found = faults("figure_one", seed, 6000)
    assert any(f.contract == "equality_is_reflexive" and f.level == "fault" for f in found)


@pytest.mark.parametrize("seed", range(3))
def test_three_bugs_of_the_shop(seed: int) -> None:
    found = faults("shop", seed, 20_000)
    kinds = {(f.contract or f.exception, f.function) for f in found if f.level == "fault"}
    assert ("repr_raises_nothing", "Cart.__repr__") in kinds
    assert ("UnboundLocalError", "Cart.reduction") in kinds
    assert ("AttributeError", "Order.cancel") in kinds
    assert {function for _, function in kinds} == {"Cart.__repr__", "Cart.reduction", "Order.cancel"}


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_reported_on_sound_code(seed: int) -> None:
    assert faults("containers.tree_map", seed, 2000) == []
    assert faults("containers.bin_tree", seed, 2000) == []


@pytest.mark.parametrize("seed", range(2))
def test_containers_reach_nearly_every_predicate(seed: int) -> None:
    from containers import _record

    _record.clear()
    _record.switch(True)
    try:
        list(explore(open_here("containers.tree_map", seed=seed, steps=6000)))
        assert len(_record.seen) >= 100
    finally:
        _record.switch(False)
        _record.clear()


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("module", ["tree", "linked_list"])
def test_objects_that_random_testing_does_not_bring_together(module: str, seed: int) -> None:
    found = faults(f"stateful.{module}", seed, 14_000, "stateful")
    assert "its_own_check_rep_finds_nothing_wrong" in {f.contract for f in found if f.level == "fault"}
