"""What a parameter takes is learned: bad types sink, good ones rise, nothing is given up."""

from __future__ import annotations

from collections import Counter
from random import Random

from tanteo.beliefs import CANDIDATES, Belief
from tanteo.types import ANYTHING, Slot, Want


class Thing:
    pass


def shares(belief: Belief, times: int = 4000) -> Counter[type]:
    rng = Random(3)
    return Counter(belief.draw(rng).kind for _ in range(times))


def unknown() -> Belief:
    return Belief(Slot("x", (ANYTHING,)))


def test_at_first_every_candidate_is_drawn() -> None:
    drawn = shares(unknown())
    assert set(drawn) == set(CANDIDATES)


def test_bad_types_sink_and_good_ones_rise() -> None:
    belief = unknown()
    before = shares(belief)
    for _ in range(20):
        belief.learn(int, False)
        belief.learn(str, True)
    after = shares(belief)
    assert belief.score(str) > belief.score(float) > belief.score(int)
    assert after[str] > 2 * before[str]
    assert after[int] < before[int] / 2


def test_a_type_is_never_given_up() -> None:
    belief = unknown()
    for kind in CANDIDATES:
        if kind is not str:
            for _ in range(1000):
                belief.learn(kind, False)
    for _ in range(1000):
        belief.learn(str, True)
    drawn = shares(belief)
    assert set(drawn) == set(CANDIDATES)
    assert drawn[str] == max(drawn.values())


def test_a_type_recovers_from_early_bad_luck() -> None:
    belief = unknown()
    for _ in range(10):
        belief.learn(int, False)
    sunk = belief.score(int)
    for _ in range(100):
        belief.learn(int, True)
    assert sunk < 0.1
    assert belief.score(int) > 0.8


def test_a_new_type_that_went_well_becomes_a_candidate() -> None:
    belief = unknown()
    belief.learn(Thing, False)
    assert Thing not in shares(belief)
    belief.learn(Thing, True)
    assert Thing in shares(belief)
    belief.learn(Thing, True)
    assert [w.kind for w in belief.candidates].count(Thing) == 1


def test_the_type_of_the_default_is_a_good_guess() -> None:
    belief = Belief(Slot("x", (ANYTHING,), default=Thing))
    drawn = shares(belief)
    assert drawn[Thing] == max(drawn.values())
    known = Belief(Slot("x", (ANYTHING,), default=str))
    assert [w.kind for w in known.candidates].count(str) == 1
    assert shares(known)[str] > shares(unknown())[str]


def test_an_operand_of_the_same_class_is_a_good_guess() -> None:
    drawn = shares(Belief(Slot("other", (Want(Thing), ANYTHING))))
    assert drawn[Thing] == max(drawn.values())
    assert drawn[object] > 0
