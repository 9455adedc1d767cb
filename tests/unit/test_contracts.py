"""Each contract tells its own good example from its own bad one, and leaves the odd cases alone."""

from __future__ import annotations

import collections
import decimal
import math
from collections.abc import Iterable, Iterator, MutableSet
from dataclasses import dataclass
from typing import Any

import pytest

from tanteo.contracts import Contract, contract, objects, overrides
from tanteo.contracts.catalogue import CONTRACTS, EACH, FIRST, Schedule
from tanteo.contracts.copying import (
    a_copy_is_equal,
    an_exception_that_is_pickled_can_be_loaded,
    what_is_pickled_comes_back_equal,
)
from tanteo.contracts.likeness import (
    pop_of_a_missing_key_gives_the_default,
    update_takes_items_by_name_alone,
)
from tanteo.contracts.objects import (
    equality_is_reflexive,
    hash_raises_nothing_but_type_error,
    repr_raises_nothing,
    str_raises_nothing,
)

ALL = [promise for promise in CONTRACTS if promise.holds is not None]
each = pytest.mark.parametrize("promise", ALL, ids=lambda c: c.name)
NAN = float("nan")


def made(promise: Contract, make: Any) -> tuple[Any, ...]:
    """The values of an example."""
    return tuple(make()) if promise.arity > 1 else (make(),)


def broken(promise: Contract, *values: object) -> bool:
    """Whether the values break the contract, as the engine sees it."""
    try:
        return promise.check(*values) is False
    except Exception:
        return True


@each
def test_the_examples_behave_as_they_say(promise: Contract) -> None:
    assert promise.holds is not None
    assert promise.breaks is not None
    good, bad = made(promise, promise.holds), made(promise, promise.breaks)
    assert len(good) == len(bad) == promise.arity
    assert all(promise.applies(type(x)) for x in (*good, *bad))
    assert promise.check(*good) is True
    assert broken(promise, *bad)


@each
def test_the_template_is_the_assertion(promise: Contract) -> None:
    assert promise.holds is not None
    assert promise.breaks is not None
    assert _says(promise, *made(promise, promise.holds)) is not False
    try:
        held = _says(promise, *made(promise, promise.breaks)) is not False
    except (Exception, pytest.fail.Exception):
        held = False
    assert not held


def _says(promise: Contract, *values: object) -> object:
    """What the last line of the template gives, after those that prepare it."""
    text = promise.template
    for place in "xyz":
        text = text.replace(f"{{{place}}}", place)
    *before, last = text.split("\n")
    names: dict[str, Any] = {"pytest": pytest, **dict(zip("xyz", values, strict=False))}
    if last.startswith(" "):  # it belongs to the line before
        before, last = text.split("\n"), "True"
    exec("\n".join(before), names)
    return eval(last, names)


@each
def test_the_name_is_a_sentence(promise: Contract) -> None:
    assert promise.sentence.replace(" ", "_") == promise.name
    assert " " in promise.sentence


@each
def test_a_class_that_defines_nothing_is_not_asked(promise: Contract) -> None:
    class Plain:
        pass

    assert not promise.applies(Plain)


def test_inherited_methods_are_asked_too() -> None:
    class Base:
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

        def __repr__(self) -> str:
            return ""

    class Child(Base):
        pass

    assert equality_is_reflexive.applies(Child)
    assert hash_raises_nothing_but_type_error.applies(Child)
    assert repr_raises_nothing.applies(Child)
    assert not str_raises_nothing.applies(Child)


def test_nobody_asks_a_built_in_for_its_text() -> None:
    for kind in (int, str, list, dict):
        assert not repr_raises_nothing.applies(kind)
        assert not str_raises_nothing.applies(kind)


def test_a_subclass_of_a_built_in_is_asked_for_its_text() -> None:
    class Number(int):
        def __repr__(self) -> str:
            raise KeyError("repr")

    assert repr_raises_nothing.applies(Number)
    assert broken(repr_raises_nothing, Number(1))


def test_unhashable_classes_are_not_asked_for_a_hash() -> None:
    @dataclass
    class Box:
        x: int

    assert not hash_raises_nothing_but_type_error.applies(Box)
    assert not hash_raises_nothing_but_type_error.applies(list)


def test_a_type_error_is_the_way_to_say_unhashable() -> None:
    assert hash_raises_nothing_but_type_error.applies(tuple)
    assert hash_raises_nothing_but_type_error.check(([],)) is None
    assert hash_raises_nothing_but_type_error.check((1,)) is True


class ByField:
    def __init__(self, x: object) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByField) and self.x == other.x

    __hash__ = None  # type: ignore[assignment]


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: object) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and self.x == other.x

    __hash__ = None  # type: ignore[assignment]


class Numbers(list[float]):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and all(a == b for a, b in zip(self, other, strict=False))

    __hash__ = None


@pytest.mark.parametrize(
    "value",
    [NAN, ByField(NAN), Slotted(NAN), Numbers([1.0, NAN]), complex(NAN, 0), decimal.Decimal("NaN")],
    ids=lambda v: type(v).__name__,
)
def test_nan_is_no_fault_of_those_who_hold_it(value: object) -> None:
    assert (value == value) is False  # noqa: PLR0124
    assert equality_is_reflexive.check(value) is None


@pytest.mark.parametrize("value", [[NAN], (NAN,), {"a": NAN}], ids=repr)
def test_containers_look_at_identity_first(value: object) -> None:
    assert equality_is_reflexive.check(value) is True


def test_an_unequal_value_without_nan_breaks_it() -> None:
    class Never(ByField):
        def __eq__(self, other: object) -> bool:
            return False

        __hash__ = None

    assert equality_is_reflexive.check(Never(1.0)) is False


@pytest.mark.parametrize("answer", [NotImplemented, "an expression", [True, False], 1, None], ids=repr)
def test_an_answer_that_is_no_bool_is_no_answer(answer: Any) -> None:
    class Odd:
        def __init__(self) -> None:
            self.value = 3

        def __eq__(self, other: object) -> Any:
            return answer

        __hash__ = None  # type: ignore[assignment]

    expected = True if answer is NotImplemented else None  # Python then asks for identity
    assert equality_is_reflexive.check(Odd()) is expected


def test_an_equality_that_raises_breaks_it() -> None:
    class Raising(ByField):
        def __eq__(self, other: object) -> bool:
            raise KeyError("eq")

        __hash__ = None

    assert broken(equality_is_reflexive, Raising(1))


def test_a_contract_is_made_of_a_function() -> None:
    @contract("positive({x})", applies=overrides("__abs__"), holds=lambda: 1, breaks=lambda: -1)
    def size_is_positive(x: object) -> bool | None:
        return isinstance(x, int) and x > 0

    assert size_is_positive.name == "size_is_positive"
    assert size_is_positive.sentence == "size is positive"
    assert size_is_positive.applies(int)
    assert not size_is_positive.applies(str)
    assert size_is_positive.check(-1) is False


def test_every_contract_has_its_own_name() -> None:
    assert len({promise.name for promise in ALL}) == len(ALL)


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, {1, 2}, (1,), "ab", 3, None, range(3), iter([1])])
def test_what_comes_with_python_is_not_asked(value: object) -> None:
    asked = [p.name for p in ALL if p.name not in EACH and p.applies(type(value))]
    assert asked == []


@pytest.mark.parametrize(
    "value",
    [
        collections.OrderedDict(a=1),
        collections.Counter("aab"),
        collections.deque([1, 2, 3]),
        collections.UserList([1, 2, 3]),
        collections.UserDict({"a": 1}),
        collections.ChainMap({"a": 1}, {"b": 2}),
        collections.UserString("abc"),
        decimal.Decimal("1.5"),
        decimal.Decimal("NaN"),
    ],
)
def test_the_standard_library_keeps_its_promises(value: object) -> None:
    assert [p.name for p in ALL if p.applies(type(value)) and broken(p, *[value] * p.arity)] == []


def test_the_first_values_are_asked_everything_and_then_ever_fewer() -> None:
    schedule = Schedule(CONTRACTS)
    asked = [len(schedule.next(news=False)) == len(CONTRACTS) for _ in range(100_000)]
    assert all(asked[:FIRST])
    assert 100 < sum(asked) < 400
    assert sum(asked[1000:10_000]) == pytest.approx(sum(asked[10_000:]), abs=5)  # ten times as many values


def test_what_reached_something_new_is_asked_out_of_turn() -> None:
    schedule = Schedule(CONTRACTS)
    for _ in range(10 * FIRST):
        schedule.next(news=False)
    assert schedule.next(news=False) == list(objects.CONTRACTS)
    assert schedule.next(news=True) == list(CONTRACTS)


def test_a_contract_that_most_values_break_is_not_asked_again() -> None:
    schedule = Schedule([equality_is_reflexive, repr_raises_nothing])
    for _ in range(3):
        schedule.next(news=False)
        schedule.note("equality_is_reflexive")
    assert schedule.next(news=True) == [repr_raises_nothing]


def test_a_contract_that_is_rarely_broken_is_asked_on() -> None:
    schedule = Schedule([equality_is_reflexive])
    for number in range(40):
        schedule.next(news=True)
        if number % 10 == 9:
            schedule.note("equality_is_reflexive")
    assert schedule.next(news=True) == [equality_is_reflexive]


def test_a_method_of_object_under_a_decorator_is_not_the_classs_own() -> None:
    import icontract

    @icontract.invariant(lambda self: True)
    class Plain:
        pass

    assert [p.name for p in ALL if p.applies(Plain)] == []


class Headers:
    """Several values for one name, and iterating gives pairs."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs = list(pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self.pairs)

    def __getitem__(self, name: str) -> str:
        return next((value for known, value in self.pairs if known == name), "")

    def keys(self) -> list[str]:
        return [name for name, _ in self.pairs]

    def items(self) -> list[tuple[str, str]]:
        return list(self.pairs)


class Multi(Headers):
    def __iter__(self) -> Iterator[Any]:
        return iter(dict(self.pairs))

    def __len__(self) -> int:
        return len(dict(self.pairs))

    def keys(self) -> list[str]:
        return list(dict(self.pairs))


class Wildcard:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Refusing:
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Refusing):
            raise TypeError("compare it with its own kind")
        return True

    __hash__ = None  # type: ignore[assignment]


class Again:
    """Can be iterated over and over: `iter` starts anew."""

    def __iter__(self) -> Iterator[int]:
        self.left = 2
        return self

    def __next__(self) -> int:
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return self.left


class Fresh:
    """Makes its elements when they are asked for."""

    def __iter__(self) -> Iterator[object]:
        return iter([object(), object()])

    def __len__(self) -> int:
        return 2


class Upper:
    """Ordered by its upper end only."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Upper) and (self.low, self.high) == (other.low, other.high)

    def __le__(self, other: Upper) -> bool:
        return self.high <= other.high

    __hash__ = None  # type: ignore[assignment]


class Folding(MutableSet[str]):
    """Does not tell upper case from lower case, and takes texts only."""

    def __init__(self, items: Iterable[str] = ()) -> None:
        self.items = {item.lower(): item for item in items}

    def __contains__(self, item: object) -> bool:
        return item.lower() in self.items  # type: ignore[attr-defined]

    def __iter__(self) -> Iterator[str]:
        return iter(self.items.values())

    def __len__(self) -> int:
        return len(self.items)

    def add(self, item: str) -> None:
        self.items.setdefault(item.lower(), item)

    def discard(self, item: str) -> None:
        self.items.pop(item.lower(), None)


class Amount:
    def __init__(self, value: float) -> None:
        self.value = [value]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and all(a == b for a, b in zip(self.value, other.value, strict=True))

    __hash__ = None  # type: ignore[assignment]


class Form:
    def validate(self) -> None:
        raise AssertionError("fill in the name first")


@pytest.mark.parametrize(
    "values",
    [
        (Headers(("a", "1")),),
        (Multi(("a", "1"), ("a", "2")),),
        (Wildcard(),),
        (Refusing(),),
        (Again(),),
        (Fresh(),),
        (Upper(0, 2), Upper(1, 2)),
        (Folding(["A"]),),
        (Amount(math.nan),),
        (Form(),),
    ],
)
def test_what_people_mean_breaks_nothing(values: tuple[Any, ...]) -> None:
    kind = type(values[0])
    asked = [c for c in CONTRACTS if c.arity == len(values) and c.applies(kind)]
    assert asked
    assert [c.name for c in asked if broken(c, *values)] == []


class Counted(dict[str, int]):
    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


class Proud:
    """Looks into whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return bool(other.name == "proud")  # type: ignore[attr-defined]

    @property
    def name(self) -> str:
        return "proud"

    __hash__ = None  # type: ignore[assignment]


def test_what_nobody_means_is_seen() -> None:
    by_name = {c.name: c for c in CONTRACTS}
    hashes = by_name["equal_values_have_equal_hashes"]
    assert hashes.applies(Counted)
    assert hashes.check(Counted(a=1, b=2), Counted(b=2, a=1)) is False
    assert broken(by_name["equality_with_something_else_raises_nothing"], Proud())


class Label:
    """Stands for what is in it: as a key of a dict it is found by that."""

    def __init__(self, text: object) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return bool(self.text == other)

    def __hash__(self) -> int:
        return hash(self.text)


class Careless(Label):
    def __eq__(self, other: object) -> bool:
        return other is None or self is other

    __hash__ = Label.__hash__


def test_what_stands_for_none_may_be_equal_to_it() -> None:
    rule = next(c for c in CONTRACTS if c.name == "nothing_but_none_is_equal_to_none")
    assert rule.check(Label(None)) is None
    assert rule.check(Careless(None)) is False


class Forgetful(dict[str, int]):
    """A cache of size nought."""

    def __setitem__(self, key: str, value: int) -> None: ...

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value


def test_what_keeps_nothing_is_not_asked_for_it() -> None:
    rule = next(c for c in CONTRACTS if c.name == "update_takes_items_by_name_alone")
    assert rule.check(Forgetful()) is None


class Spans:
    """What it is asked for is a point, and no place."""

    def __init__(self, *spans: tuple[int, int]) -> None:
        self.spans = [*spans]

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.spans)

    def __getitem__(self, point: int) -> set[tuple[int, int]]:
        return {(start, end) for start, end in self.spans if start <= point < end}


def test_what_is_asked_for_a_point_has_no_negative_indices() -> None:
    rule = next(c for c in CONTRACTS if c.name == "negative_indices_count_from_the_end")
    assert rule.check(Spans((0, 1))) is None


class OneWay:
    """Can be pickled, and not be loaded."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


class CarryingError(Exception):
    def __init__(self, thing: object) -> None:
        super().__init__(thing)


def test_an_exception_is_not_blamed_for_what_it_carries() -> None:
    assert an_exception_that_is_pickled_can_be_loaded.check(CarryingError(OneWay())) is None
    assert an_exception_that_is_pickled_can_be_loaded.check(CarryingError("a")) is True


class Keeping(dict[str, object]):
    def __init__(self, *items: object) -> None:
        super().__init__(items=items)


def test_a_container_is_not_blamed_for_what_is_in_it() -> None:
    assert what_is_pickled_comes_back_equal.check(Keeping(OneWay())) is None
    assert what_is_pickled_comes_back_equal.check(Keeping(1)) is True


class Switch:
    """Is equal to nothing but a bool."""

    def __init__(self, on: bool = True) -> None:
        self.on = on

    def __eq__(self, other: object) -> bool:
        return self.on == other if isinstance(other, bool) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.on)


class Handle(Switch):
    """Means to be equal to nothing but itself."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = Switch.__hash__


class Unequal(Switch):
    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = Switch.__hash__


def test_what_is_not_equal_to_itself_is_told_once() -> None:
    assert a_copy_is_equal.check(Unequal()) is None


def test_who_has_the_very_same_attributes_is_equal_unless_that_is_not_what_equality_asks() -> None:
    assert a_copy_is_equal.check(Switch()) is False
    assert a_copy_is_equal.check(Handle()) is None
    assert a_copy_is_equal.check(Switch(NAN)) is None  # type: ignore[arg-type]


class Locked(dict[str, int]):
    """Has no copy, but another one can be made."""

    def __deepcopy__(self, memo: object) -> Locked:
        raise TypeError("cannot pickle a lock")

    def update(self, other: Any, /, **more: int) -> None:  # type: ignore[override]
        super().update(other, **more)


def test_what_has_no_copy_can_be_made_anew() -> None:
    assert update_takes_items_by_name_alone.check(Locked()) is False


class Frozen(dict[str, int]):
    def pop(self, *_: object) -> int:
        raise TypeError("immutable")


class Strict(dict[str, int]):
    def pop(self, key: str, *_: object) -> int:
        raise KeyError(key)


def test_what_cannot_be_changed_need_not_have_a_default_for_what_is_taken_out() -> None:
    assert pop_of_a_missing_key_gives_the_default.check(Frozen()) is None
    assert broken(pop_of_a_missing_key_gives_the_default, Strict())


def test_what_is_known_is_asked_after_the_others() -> None:
    schedule = Schedule([equality_is_reflexive, repr_raises_nothing])
    for _ in range(20):
        assert schedule.next(False)[0] is equality_is_reflexive
    for _ in range(3):
        schedule.note("equality_is_reflexive")
    assert [c.name for c in schedule.next(False)] == ["repr_raises_nothing", "equality_is_reflexive"]
