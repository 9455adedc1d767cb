"""Plans, their items on disk, and what the numbers say."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tanteo.errors import UserError
from tanteo.experiments import tables
from tanteo.experiments.plan import Plan, as_json, from_json, make_plan, read_plan, shipped
from tanteo.experiments.statistics import a12, compare, fits, spread, value_at
from tanteo.experiments.store import Store
from tanteo.experiments.study import Standing, run_study, write_report
from tanteo.experiments.work import ItemError, run_item, target_of

SMALL: dict[str, Any] = {
    "about": "two subjects, three variants",
    "seeds": 4,
    "seconds": 10,
    "samples": [1, 5, 60],
    "ranges": {"p_reuse": [0.5, 0.75]},
    "subject": [{"name": "one"}, {"name": "two", "target": "example:stone", "install": ["toolz"]}],
    "variant": [{"name": "directed"}, {"name": "reuse", "over": ["p_reuse"], "tune": {"p_none": 0}}],
}


@pytest.fixture
def plan() -> Plan:
    return make_plan("small", SMALL)


def test_a_plan_is_every_subject_with_every_variant_and_seed(plan: Plan) -> None:
    assert [v.name for v in plan.variants] == ["directed", "reuse p_reuse=0.5", "reuse p_reuse=0.75"]
    assert plan.variants[1].tune == ("p_none=0", "p_reuse=0.5")
    items = plan.items()
    assert len(items) == len({item.key for item in items}) == 24
    assert plan.cost() == 240
    assert plan.samples == (1, 5, 10)
    assert all(from_json(as_json(item)) == item for item in items)


def test_a_smaller_study_has_fewer_seeds_and_less_time(plan: Plan) -> None:
    small = make_plan("small", SMALL, scale=0.2)
    assert (small.seeds, small.seconds, small.samples) == (3, 5.0, (1, 5.0))
    assert make_plan("small", SMALL, seeds=7).items()[:24] == plan.items()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": 1}, "unknown: colour"),
        ({"subject": []}, "no \\[\\[subject"),
        ({"steps": 5}, "either seconds or steps"),
        ({"metric": "joy"}, "metric is one of"),
        ({"baseline": "nobody"}, "no variant is called nobody"),
        ({"metric": "instances"}, "instances of what"),
    ],
)
def test_what_makes_no_sense_is_said(change: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        make_plan("small", {**SMALL, **change})


def test_plans_that_come_with_us_can_be_read(tmp_path: Path) -> None:
    assert len(shipped()) == 7
    for name in shipped():
        assert read_plan(name, 0.1).items()
    with pytest.raises(UserError, match="no plan elsewhere"):
        read_plan("elsewhere")
    (tmp_path / "bad.toml").write_text("a = [")
    with pytest.raises(UserError, match="cannot read"):
        read_plan(str(tmp_path / "bad.toml"))


def test_what_has_no_result_is_pending(plan: Plan, tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "results.db")
    store.expect(plan)
    first, second, *_ = plan.items()
    store.finish(first, {"arms": 3})
    store.fail(second, "lost")
    store.fail(second, "lost again")
    store.expect(make_plan("small", SMALL, seeds=5))
    assert len(store.pending(plan, 3)) == 23
    assert len(store.pending(plan, 2)) == 22
    assert store.results(plan) == {("one", "directed", 0): {"arms": 3}}
    assert store.failures(plan) == [("one", "reuse p_reuse=0.5", 0, 2, "lost again")]
    store.close()


def test_the_value_at_a_time_is_the_last_one_before() -> None:
    timeline = [[0.5, 10, 3, 9, 0], [2.0, 90, 7, 20, 1]]
    assert [value_at(timeline, t, "arms") for t in (0.1, 0.5, 1.9, 9)] == [0, 3, 3, 7]
    assert value_at(timeline, 3, "faults") == 1


def test_spread_and_size_of_a_difference() -> None:
    assert spread([4, 1, 2, 3, 5]) == (1, 2, 3, 4, 5)
    assert spread([7]) == (7, 7, 7, 7, 7)
    assert a12([2, 3], [1, 2]) == 0.875
    assert compare([1, 1], [1, 1]) == (0.0, 1.0, 0.5)
    more = compare([20, 21, 22, 23, 24, 25], [10, 11, 12, 13, 14, 15])
    assert more.increase == pytest.approx(80.0)
    assert more.p < 0.01
    assert more.a12 == 1.0
    assert compare([1], [0]).increase == math.inf


def test_the_curve_that_fits_best_comes_first() -> None:
    inverse = [(x, 20 - 15 / x) for x in (1, 2, 5, 10, 30)]
    best, *others = fits(inverse)
    assert best.name == "a/x + b"
    assert best.parameters == pytest.approx((-15, 20))
    assert best.r2 == pytest.approx(1)
    assert best.curve(3) == pytest.approx(15)
    assert all(other.r2 < 1 for other in others)
    assert fits(inverse[:2]) == []


def result(arms: int) -> dict[str, Any]:
    return {
        "arms": arms,
        "steps": 9,
        "faults": ["a"],
        "lines": 5,
        "timeline": [[0.5, 1, arms - 1, 4, 0], [4, 9, arms, 5, 1]],
    }


def test_tables_say_who_is_better(plan: Plan) -> None:
    results = {
        ("one", variant.name, seed): result(10 * number + seed)
        for number, variant in enumerate(plan.variants, 1)
        for seed in range(4)
    }
    rows = tables.summary(plan, results)
    assert rows[1][:6] == ["one", "directed", "1", "4", "10.5", "9.75 to 11.25"]
    assert rows[2][6:] == ["+95.2", "0.021", "1.00", "9"]
    assert tables.best_settings(plan, results)[1] == [
        "one",
        "1",
        "reuse p_reuse=0.75",
        "30.5",
        "directed",
        "10.5",
    ]
    assert tables.as_markdown([["a", "b"], ["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"


def test_a_study_runs_what_is_pending_and_tells_what_failed(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(items: list[Any], jobs: int) -> Any:
        for item in items:
            bad = item.seed == 1 and item.subject.name == "two"
            yield item, None if bad else result(item.seed + 5), "always" if bad else ""

    monkeypatch.setattr("tanteo.experiments.study.run_locally", answers)
    store = Store(tmp_path / "results.db")
    told: list[Standing] = []
    run_study(plan, store, "local", 2, None, lambda standing, words: told.append(standing))
    assert (told[-1].done, told[-1].failed, told[-1].total) == (21, 3, 24)
    assert {row[3:] for row in store.failures(plan)} == {(3, "always")}
    text = write_report(plan, store, tmp_path / "report")
    assert "| two | directed | 1 | 3 | always |" in text
    page = (tmp_path / "report" / "index.html").read_text()
    assert page.count("<svg") == 4
    assert (tmp_path / "report" / "summary.csv").read_text().startswith("subject,variant,seconds")
    store.close()


def test_there_is_no_other_engine(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no engine cloud"):
        run_study(plan, Store(tmp_path / "results.db"), "cloud", 2, None, lambda *_: None)


def test_an_example_is_found_and_an_unknown_one_is_said(plan: Plan) -> None:
    assert Path(target_of(plan.items()[-1])).name == "stone"
    unknown = {**as_json(plan.items()[0]), "subject": ["x", "example:nothing", [], ""]}
    with pytest.raises(ItemError, match="no example named nothing"):
        run_item(unknown)


def test_instances_are_counted_and_drawn(tmp_path: Path) -> None:
    data = {**SMALL, "metric": "instances", "steps": 30, "samples": [], "ranges": {}}
    del data["seconds"]
    data["subject"] = [{"name": "stone", "target": "example:stone", "count": "Stone.black"}]
    data["variant"] = [{"name": "directed"}]
    stones = make_plan("stones", data, seeds=2)
    store = Store(tmp_path / "results.db")
    store.expect(stones)
    for item in stones.items():
        counted = run_item(as_json(item))
        assert set(counted["counts"]) <= {"True", "False", "None"}
        assert 33 <= counted["instances"] <= 100
        store.finish(item, counted)
    assert "| stone | directed | end | 2 |" in write_report(stones, store, tmp_path)
    assert (tmp_path / "stone-instances.svg").exists()
