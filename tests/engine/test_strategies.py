"""The strategies of the papers on the common engine."""

from __future__ import annotations

from collections import Counter

import pytest

from tanteo.assembly import open_here
from tanteo.engine import attempt, explore
from tanteo.errors import UserError
from tanteo.model import FAULT, NORMAL, Reset, Run
from tanteo.plugins import load_strategy
from tanteo.session import STEPS_PER_SECOND, Session
from tanteo.strategies.adaptive import Adaptive, Member
from tanteo.strategies.autotest import Autotest
from tanteo.strategies.controlled import Basin, Controlled, uniqueness
from tanteo.strategies.live import Made, Objects, history
from tanteo.strategies.reuse import Reuse

ALL = ("adaptive", "autotest", "controlled", "directed", "reset", "reuse", "undirected")


def arms(session: Session) -> int:
    return sum(session.seen_hits)


def run_all(session: Session) -> list[Run]:
    return [run for run in explore(session) if not isinstance(run, Reset)]


@pytest.mark.parametrize("name", ALL)
def test_each_reaches_more_than_the_import(name: str) -> None:
    session = open_here("containers", steps=600, strategy=name)
    before = arms(session)
    assert len(run_all(session)) > 100  # of 600, if there are so many
    assert arms(session) > before + 20


def test_what_is_tuned_must_be_known() -> None:
    made = load_strategy("reset", ("period=2.5", "repetition=0"))
    assert (made.period, made.repetition) == (2.5, 0.0)  # type: ignore[attr-defined]
    for wrong, words in (("period=soon", "not float"), ("speed=2", "there are repetition, period")):
        with pytest.raises(UserError, match=words):
            load_strategy("reset", (wrong,))
    with pytest.raises(UserError, match="there is nothing to tune"):
        load_strategy("tanteo.strategies.guide:Guide", ("speed=2",))


@pytest.mark.parametrize(("tune", "steps"), [("period_steps=40", 40), ("period=0.1", STEPS_PER_SECOND // 10)])
def test_a_reset_comes_after_its_period(tune: str, steps: int) -> None:
    session = open_here("shop", steps=1000, strategy="reset", tune=(tune,))
    runs = list(explore(session))
    assert isinstance(runs[-1], Reset)
    assert len(runs) - 1 == steps


def test_pools_come_by_the_clock_and_go_by_half() -> None:
    session = open_here("shop", steps=700, strategy="controlled", tune=("every=0.1", "most=4"))
    strategy = session.strategy
    assert isinstance(strategy, Controlled)
    counts = []
    for run in explore(session):
        assert isinstance(run, Run)
        counts.append(len(strategy.basins))
    assert max(counts) == 4
    assert min(counts[counts.index(4) :]) == 2
    assert sum(basin.steps for basin in strategy.basins) <= 700


def test_a_new_pool_knows_nothing_of_the_others() -> None:
    session = open_here("shop", steps=200, strategy="controlled", tune=("initial=3", "select=random"))
    strategy = session.strategy
    assert isinstance(strategy, Controlled)
    run_all(session)
    pools = {id(basin.pool) for basin in strategy.basins}
    filters = {id(f) for basin in strategy.basins for f in basin.filters}
    assert len(pools) == 3
    assert len(filters) == sum(len(basin.filters) for basin in strategy.basins)
    assert all(basin.coverage for basin in strategy.basins)


def test_the_share_of_a_pool_in_what_it_reaches() -> None:
    one, other = Counter({1: 3, 2: 1}), Counter({1: 1})
    assert uniqueness([one, other, Counter()]) == [(3 / 4 + 1) / 2, 1 / 4, 1.0]


def test_what_a_pool_reached_is_added_up_later() -> None:
    session = open_here("shop")
    basin = Basin(session.pool, [])
    assert basin.score == float("inf")
    for footprint in (b"\1\0\1", b"\1\0\0", b"\1\0\1"):
        basin.note(footprint)
    basin.spent = 0.5
    assert basin.counts() == {0: 3, 2: 2}
    assert (basin.coverage, basin.score) == (2, 4.0)


def test_reuse_goes_on_with_what_ran_well_or_begins_anew() -> None:
    def beginnings(p: float) -> int:
        """Sequences of one call: nothing stands in front of it."""
        session = open_here("containers", steps=300, strategy="reuse", tune=(f"p_reuse={p}",))
        assert isinstance(session.strategy, Reuse)
        return sum(run.sequence.calls == 1 for run in run_all(session))

    assert beginnings(1.0) == 1
    assert beginnings(0.0) > 3


def test_who_brings_most_gets_most_of_the_time() -> None:
    session = open_here("containers", steps=3000, strategy="adaptive", tune=("slice_=0.02",))
    strategy = session.strategy
    assert isinstance(strategy, Adaptive)
    turns: Counter[int] = Counter()
    for _ in explore(session):
        turns[strategy.members.index(strategy._current)] += 1
    assert set(turns) == {0, 1, 2}
    best, other = Member(load_strategy("directed"), 5, 2), Member(load_strategy("reuse"), 4, 2)
    assert best.rate > other.rate


def test_live_objects_know_what_made_them() -> None:
    objects = Objects()
    a, b = objects.make(1, ()), objects.make(2, ())
    changed = objects.make(3, (a, b))
    a.later.append(changed)
    b.later.append(changed)
    other = objects.make(4, ())
    last = objects.make(5, (a, other))
    assert history(last) == [a, b, changed, other]
    assert history(Made(9, 0)) == []


def test_calls_on_live_objects_can_be_run_again() -> None:
    session = open_here("containers", steps=800, strategy="autotest")
    assert isinstance(session.strategy, Autotest)
    runs = [run for run in run_all(session) if run.verdict in (NORMAL, FAULT)]
    again = [attempt(run.sequence, session).outcome == run.outcome for run in runs]
    assert sum(again) >= 0.95 * len(runs)
    assert max(run.sequence.calls for run in runs) > 5


def test_live_objects_show_the_fault_of_the_example() -> None:
    session = open_here("figure_one", steps=4000, strategy="autotest")
    found = {run.fault.contract for run in run_all(session) if run.fault is not None}
    assert "equality_is_reflexive" in found
