"""What a parameter takes is learned: bad types sink, good ones rise, nothing is given up."""

from __future__ import annotations

from collections import Counter
from random import Random

from tanteo.beliefs import CANDIDATES, Belief
from tanteo.model import Literal
from tanteo.types import ANYTHING, Guess, Slot, Want


class Thing:
    pass


def shares(belief: Belief, times: int = 4000) -> Counter[type]:
    rng = Random(3)
    return Counter(belief.candidates[belief.draw(rng)].kind for _ in range(times))


def learn(belief: Belief, kind: type, good: bool) -> None:
    """A try with a value of this type; one that is no candidate comes out of the pool."""
    kinds = [w.kind for w in belief.candidates]
    belief.learn(kinds.index(kind if kind in kinds else object), kind, good)


def unknown() -> Belief:
    return Belief(Slot("x", (ANYTHING,)))


def test_at_first_every_candidate_is_drawn() -> None:
    drawn = shares(unknown())
    assert set(drawn) == set(CANDIDATES)


def test_bad_types_sink_and_good_ones_rise() -> None:
    belief = unknown()
    before = shares(belief)
    for _ in range(20):
        learn(belief, int, False)
        learn(belief, str, True)
    after = shares(belief)
    assert belief.score(str) > belief.score(float) > belief.score(int)
    assert after[str] > 2 * before[str]
    assert after[int] < before[int] / 2


def test_a_type_is_never_given_up() -> None:
    belief = unknown()
    for kind in CANDIDATES:
        if kind is not str:
            for _ in range(1000):
                learn(belief, kind, False)
    for _ in range(1000):
        learn(belief, str, True)
    drawn = shares(belief)
    assert set(drawn) == set(CANDIDATES)
    assert drawn[str] == max(drawn.values())


def test_a_type_recovers_from_early_bad_luck() -> None:
    belief = unknown()
    for _ in range(10):
        learn(belief, int, False)
    sunk = belief.score(int)
    for _ in range(100):
        learn(belief, int, True)
    assert sunk < 0.1
    assert belief.score(int) > 0.8


def test_a_new_type_that_went_well_becomes_a_candidate() -> None:
    belief = unknown()
    learn(belief, Thing, False)
    assert Thing not in shares(belief)
    learn(belief, Thing, True)
    assert Thing in shares(belief)
    learn(belief, Thing, True)
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


def test_guesses_of_several_sources_add_up() -> None:
    guesses = (Guess(Want(str), 2.0, "name"), Guess(Want(str), 4.0, "use"), Guess(Want(int), 2.0, "use"))
    belief = Belief(Slot("x", (ANYTHING,), guesses=guesses))
    assert belief.score(str) > belief.score(int) > belief.score(float)


def test_a_declared_parameter_is_given_nothing_else() -> None:
    example = Want(int, choices=(Literal(7, "7"),))
    belief = Belief(Slot("x", (Want(int),), declared=True, guesses=(Guess(example, 4.0, "example"),)))
    assert belief.candidates == [Want(int), example]


def test_reaching_something_new_counts_for_the_type_even_if_it_raised() -> None:
    belief = unknown()
    place = [w.kind for w in belief.candidates].index(bytes)
    belief.learn(place, bytes, False, new=True)
    assert belief.score(bytes) > belief.score(str)
