"""Seeded scenarios of the loop, in this process."""

from __future__ import annotations

import gc
import itertools
import sys
from collections import Counter
from pathlib import Path

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.model import Literal, Replay, Reset, Run, Step, Verdict, call, say, sequence
from tanteo.session import Session


def runs_of(session: Session) -> list[Run]:
    return [run for run in explore(session) if isinstance(run, Run)]


def test_same_seed_same_sequences() -> None:
    one = [run.sequence.code for run in runs_of(open_here("shop", seed=3, steps=300))]
    two = [run.sequence.code for run in runs_of(open_here("shop", seed=3, steps=300))]
    other = [run.sequence.code for run in runs_of(open_here("shop", seed=4, steps=300))]
    assert one == two
    assert one != other


def test_no_sequence_runs_twice() -> None:
    session = open_here("shop", steps=1000)
    session.watcher = None
    codes = [run.sequence.code for run in runs_of(session)]
    assert len(codes) == len(set(codes)) == 1000


def test_runs_that_raised_leave_nothing_for_the_collector() -> None:
    raised = 0
    session = open_here("shop", steps=1000)
    session.watcher = None  # its compiled functions are rings, a few of them
    gc.collect()
    gc.disable()
    try:
        for run in explore(session):
            raised += isinstance(run, Run) and run.verdict is Verdict.EXPECTED
            del run
        assert raised > 50
        assert gc.collect() < raised  # each of them was a ring of a dozen objects
    finally:
        gc.enable()


def test_only_what_is_watched_runs_again() -> None:
    runs = runs_of(open_here("shop", steps=1000))
    times = Counter(run.sequence.code for run in runs)
    new = {run.sequence.code for run in runs if run.probes}
    assert sum(times[code] > 1 for code in new) > len(new) / 2
    assert sum(count - 1 for count in times.values()) < 2 * (len(new) + 1000 / 256 + 1)


def test_what_got_none_unasked_is_nothing_to_build_on() -> None:
    session = open_here("shop", steps=1500)
    session.watcher = None
    odd = {
        run.sequence.code
        for run in runs_of(session)
        if any(s.literal is not None and s.literal.value is None for s in run.sequence.statements)
    }
    shelves = session.pool._by_type.values()
    pooled = {entry.kept.sequence.code for shelf in shelves for entry in shelf.entries}
    assert odd
    assert not odd & pooled


def test_sequences_are_reused_within_one_another() -> None:
    runs = runs_of(open_here("shop", steps=1000))
    longest = max(runs, key=lambda run: len(run.sequence))
    assert len(longest.sequence) > 8
    kept = {run.sequence.code for run in runs if run.extensible}
    assert any(longest.sequence.code.startswith(code) for code in kept)


def test_what_raised_is_not_extended() -> None:
    for run in runs_of(open_here("shop", steps=1500)):
        assert run.verdict is Verdict.NORMAL or not run.extensible


def test_repetition_draws_new_numbers() -> None:
    runs = runs_of(open_here("containers.tree_map", steps=400))
    blocks = [s.repeat for run in runs for s in run.sequence.statements[-1:] if s.repeat]
    assert blocks
    assert max(block.count for block in blocks) > 50
    assert any(len(set(zip(*block.columns, strict=True))) > 10 for block in blocks)


def test_undirected_neither_repeats_nor_filters() -> None:
    session = open_here("containers.tree_map", steps=400, strategy="undirected")
    runs = runs_of(session)
    assert session.filters == []
    assert not any(s.repeat for run in runs for s in run.sequence.statements)


def test_arms_reached_by_contracts_do_not_count(tmp_path: Path) -> None:
    source = "class A:\n    def __repr__(self):\n        return 'a' if self else 'b'\n"
    (tmp_path / "looked_at.py").write_text(source)
    sys.path.insert(0, str(tmp_path))
    session = open_here("looked_at:A.__init__", steps=1)
    list(explore(session))
    reached = sum(session.seen_hits)
    session.testable.clear()
    assert session.checks  # repr was asked for
    assert sum(session.hits) == reached == 1  # the module itself only


def test_a_small_subject_is_exhausted(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text("def f():\n    return None\n")
    sys.path.insert(0, str(tmp_path))
    session = open_here("tiny")
    session.watcher = None  # it would have one run twice
    verdicts = Counter(run.verdict for run in runs_of(session))
    assert session.stopped_by == "exhausted"
    assert verdicts[Verdict.NORMAL] == sum(verdicts.values()) <= 101


class Impatient:
    """A strategy that asks for a fresh process after two steps."""

    repetition = 0.0
    filtering = True

    def __init__(self, session: Session) -> None:
        self.inner = session.strategy
        self.seen = 0

    def propose(self, session: Session) -> Step | None:
        return Reset() if self.seen == 2 else self.inner.propose(session)

    def learn(self, run: Run) -> None:
        self.seen += 1

    def state(self) -> object:
        return self.seen


def test_any_object_with_the_three_methods_is_a_strategy() -> None:
    session = open_here("shop", steps=100)
    session.strategy = Impatient(session)
    *runs, last = explore(session)
    assert len(runs) == 2
    assert isinstance(last, Reset)


def test_replay_gives_the_same_outcome() -> None:
    from tanteo.engine import attempt

    session = open_here("shop", steps=500)
    for run in runs_of(session)[:100]:
        again = attempt(Replay(run.sequence).sequence, session)
        assert (again.verdict, again.outcome) == (run.verdict, run.outcome)


def test_texts_that_led_somewhere_are_kept_for_the_operation_that_took_them() -> None:
    session = open_here("shop", steps=1)
    names = {o.name: o.index for o in session.operations}
    add = names["shop.cart.Cart.add"]
    made = sequence(
        [
            *map(say, (Literal("a long text", "'a long text'"), Literal("a", "'a'"), Literal(3, "3"))),
            call(add, (-3, -2, -1)),
        ]
    )
    session.cherish(made)
    assert {key: [s.literal.value for s in kept if s.literal] for key, kept in session.corpus.items()} == {
        (add, str): ["a long text"]
    }


def test_no_more_texts_are_kept_than_can_be_used() -> None:
    session = open_here("shop", steps=1)
    for number in range(200):
        text = Literal(f"text {number}", f"'text {number}'")
        session.cherish(sequence([say(text), call(3, (-1,))]))
    assert {len(kept) for kept in session.corpus.values()} == {64}


def test_an_address_is_no_text_to_build_on() -> None:
    session = open_here("shop", steps=1)
    session.cherish(sequence([say(Literal("<f at 0x7f065c99edb0>", "''")), call(3, (-1,))]))
    assert session.corpus == {}


def test_who_consumes_an_endless_iterator_is_not_blamed_for_it(tmp_path: Path) -> None:
    source = (
        "import itertools\ndef numbers(): return itertools.count()\ndef total(items): return sum(items)\n"
    )
    (tmp_path / "endless.py").write_text(source)
    session = open_here(str(tmp_path / "endless.py"), steps=0)
    numbers, total = (
        next(o.index for o in session.operations if o.name == f"endless.{name}")
        for name in ("numbers", "total")
    )
    made = sequence([call(numbers, ()), call(total, (-1,))])
    hung = Run(1, made, [itertools.count()], Verdict.HUNG, "", "hung", None, (), ())
    session.keep(hung)
    assert session.culprits == {total: 1}, "it has never worked"
    session.rules.passing.worked.add(total)
    for _ in range(3):
        session.keep(hung)
    assert session.culprits == {total: 1, numbers: 3}
    assert total in session.testable
    assert numbers not in session.testable


def test_a_class_that_always_breaks_a_contract_is_tested_all_the_same(tmp_path: Path) -> None:
    source = (
        "class Odd:\n"
        "    def __eq__(self, other): return False\n"
        "    __hash__ = None\n"
        "    def __deepcopy__(self, memo): return self.__deepcopy__(memo)\n"
        "    def size(self): return 1\n"
    )
    (tmp_path / "oddity.py").write_text(source)
    sys.path.insert(0, str(tmp_path))
    session = open_here("oddity", steps=200)
    runs = runs_of(session)
    asked = [session.operations[run.sequence.statements[-1].operation].name for run in runs]
    assert "oddity.Odd.size" in asked
    assert any(run.fault is not None for run in runs)
