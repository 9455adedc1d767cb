"""Values are found by class, by base and by abstract base, and the pool stays bounded."""

from __future__ import annotations

from collections import abc
from random import Random

from tanteo import pools
from tanteo.model import Literal, Sequence, call, say, sequence
from tanteo.pools import Entry, Kept, Pool


class Base:
    pass


class Child(Base):
    pass


class Stranger:
    pass


class Sized:
    def __len__(self) -> int:
        return 0


def entry(*kinds: type, text: str = "x") -> Entry:
    """The last value of a sequence that makes values of these types."""
    return Entry(Kept(literals(len(kinds), text), kinds, len(kinds)), len(kinds) - 1)


def literals(count: int, text: str) -> Sequence:
    return sequence(say(Literal(text, repr(text))) for _ in range(count))


def picks(pool: Pool, kind: type, times: int = 200) -> set[type]:
    rng = Random(1)
    found = (pool.pick(kind, rng) for _ in range(times))
    return {e.kept.types[e.position] for e in found if e is not None}


def test_a_value_is_found_by_its_class_and_its_bases_only() -> None:
    pool, rng = Pool(), Random(0)
    for kind in (Base, Child, Stranger):
        pool.add(kind, entry(kind), rng)
    assert picks(pool, Base) == {Base, Child}
    assert picks(pool, Child) == {Child}
    assert picks(pool, Stranger) == {Stranger}
    assert picks(pool, object) == {Base, Child, Stranger}
    assert pool.pick(int, rng) is None


def test_a_value_is_found_by_an_abstract_base() -> None:
    pool, rng = Pool(), Random(0)
    pool.add(Sized, entry(Sized), rng)
    pool.add(Base, entry(Base), rng)
    assert picks(pool, abc.Sized) == {Sized}
    assert picks(pool, abc.Mapping) == set()


def test_a_class_that_cannot_be_asked_is_no_base() -> None:
    class Odd(type):
        def __subclasscheck__(cls, kind: type) -> bool:
            raise RuntimeError("do not ask")

    class Asked(metaclass=Odd):
        pass

    pool, rng = Pool(), Random(0)
    pool.add(Base, entry(Base), rng)
    assert pool.pick(Asked, rng) is None


def test_new_types_appear_in_queries_that_were_asked_before() -> None:
    pool, rng = Pool(), Random(0)
    assert pool.pick(Base, rng) is None
    assert pool.pick(abc.Sized, rng) is None
    pool.add(Child, entry(Child), rng)
    assert picks(pool, Base) == {Child}
    pool.add(Base, entry(Base), rng)
    pool.add(Sized, entry(Sized), rng)
    assert picks(pool, Base) == {Base, Child}
    assert picks(pool, abc.Sized) == {Sized}


def test_new_entries_of_a_known_type_appear_in_queries_that_were_asked_before() -> None:
    pool, rng = Pool(), Random(0)
    pool.add(Base, entry(Base, text="old"), rng)
    pool.pick(Base, rng)
    pool.add(Base, entry(Base, text="new"), rng)
    found = {e.kept.sequence.code for _ in range(100) if (e := pool.pick(Base, rng))}
    assert found == {b"='old'\n", b"='new'\n"}


def test_a_full_type_keeps_its_size_and_still_takes_new_entries() -> None:
    pool, rng = Pool(), Random(0)
    for number in range(pools.MOST_PER_TYPE + 500):
        pool.add(Base, entry(Base, text=str(number)), rng)
    assert len(pool) == pools.MOST_PER_TYPE
    pool.add(Child, entry(Child), rng)
    assert len(pool) == pools.MOST_PER_TYPE + 1
    found = {e.kept.sequence.code for _ in range(5000) if (e := pool.pick(Base, rng))}
    assert any(f"='{n}'\n".encode() in found for n in range(pools.MOST_PER_TYPE, pools.MOST_PER_TYPE + 500))


def test_cheaper_sequences_are_preferred_but_costly_ones_are_used() -> None:
    pool, rng = Pool(), Random(0)
    cheaper, dearer = pools.CHEAP + 1, pools.CHEAP + 20
    for length in (cheaper, dearer):
        pool.add(Base, entry(*[int] * (length - 1), Base), rng)
    costs = [e.kept.cost for _ in range(2000) if (e := pool.pick(Base, rng))]
    assert 0.55 < costs.count(cheaper) / len(costs) < 0.9


def test_all_cheap_sequences_are_alike() -> None:
    pool, rng = Pool(), Random(0)
    pool.add(Base, entry(Base), rng)
    pool.add(Base, entry(int, int, int, Base), rng)
    costs = [e.kept.cost for _ in range(2000) if (e := pool.pick(Base, rng))]
    assert 0.45 < costs.count(1) / len(costs) < 0.55


def test_every_subclass_has_the_same_chance_however_many_values_it_has() -> None:
    pool, rng = Pool(), Random(0)
    pool.add(Child, entry(Child), rng)
    for _ in range(500):
        pool.add(Base, entry(Base), rng)
    found = [e.kept.types[-1] for _ in range(2000) if (e := pool.pick(Base, rng))]
    assert 0.4 < found.count(Child) / len(found) < 0.6


def test_the_same_seed_picks_the_same() -> None:
    def run() -> list[bytes]:
        pool, rng = Pool(), Random(7)
        for number in range(pools.MOST_PER_TYPE + 50):
            pool.add((Base, Child)[number % 2], entry(Base, text=str(number)), rng)
        return [e.kept.sequence.code for _ in range(50) if (e := pool.pick(Base, rng))]

    assert run() == run()


def test_what_an_operation_had_a_part_in_is_forgotten() -> None:
    pool, rng = Pool(), Random(1)
    made = sequence([say(Literal("x", "'x'")), call(7, (-1,))])
    pool.add(Child, Entry(Kept(made, (str, Child), 2), 1), rng)
    pool.add(Stranger, entry(Stranger), rng)
    assert picks(pool, Child) == {Child}
    pool.forget(7)
    assert pool.pick(Child, rng) is None
    assert picks(pool, object) == {Stranger}
