"""Shorter sequences that still show what the longer ones did."""

from __future__ import annotations

import datetime
import json
import os
import sys
from typing import Any

import pytest

from tanteo.assembly import open_here
from tanteo.engine import attempt
from tanteo.execute.aim import Aim, fault_key
from tanteo.execute.displays import written_out
from tanteo.execute.minimiser import MOST_TRIES, minimise, minimise_further, run_minimiser
from tanteo.execute.options import given_at_once
from tanteo.execute.polish import split, without_idle_rows
from tanteo.execute.pruning import without
from tanteo.execute.simpler import _sliced
from tanteo.model import Literal, Outcome, Repeat, Run, Sequence, Statement, call, say, sequence
from tanteo.session import Session
from tanteo.values import evaluate
from tests.unit.conftest import Write


class Bench:
    """An example, loaded with probes; statements by the names of its operations."""

    def __init__(self, target: str) -> None:
        self.session: Session = open_here(target)
        self._numbers = {o.name.partition(".")[2]: o.index for o in self.session.operations}

    def do(self, name: str, *inputs: int, repeat: Repeat | None = None) -> Statement:
        return call(self._numbers[name], inputs, (), repeat)

    def number(self, name: str) -> int:
        return next(o.index for o in self.session.operations if o.name == name)

    def run(self, *statements: Statement) -> Run:
        """Run it as the first one ever."""
        self.session.hits[:] = bytes(len(self.session.hits))
        self.session.seen_hits = bytearray(self.session.hits)
        return attempt(sequence(statements), self.session)

    def shorten(self, *statements: Statement, arms: frozenset[int] = frozenset()) -> Run:
        """The shortest with the same outcome that reaches these arms."""
        outcome = self.run(*statements).outcome
        found = minimise(sequence(statements), Aim(outcome, arms), self.session)
        assert found is not None
        assert found.outcome == outcome
        assert arms <= set(found.probes)
        return found


def lit(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def code(*statements: Statement) -> bytes:
    return sequence(statements).code


def item(bench: Bench) -> tuple[Statement, ...]:
    """Three literals and calls: an item is the last value."""
    return lit("tea"), lit(5), bench.do("money.Money", -1), bench.do("cart.Item", -3, -1)


@pytest.fixture
def fresh(clean_imports: None) -> None:
    """The examples are imported with probes, whoever has imported them before."""
    for name in [n for n in sys.modules if n.partition(".")[0] in ("shop", "containers")]:
        del sys.modules[name]


@pytest.fixture
def shop(fresh: None) -> Bench:
    return Bench("shop")


@pytest.fixture
def tree(fresh: None) -> Bench:
    return Bench("containers")


def test_what_nobody_needs_goes(shop: Bench) -> None:
    made = (
        lit("unused"),
        lit(5),
        shop.do("money.Money", -1),
        shop.do("cart.Cart"),
        shop.do("cart.Cart.total", -1),
        lit(3),
        shop.do("money.Money.times", -4, -1),
    )
    found = shop.shorten(*made)
    assert found.sequence.code == code(
        lit(5), shop.do("money.Money", -1), lit(3), shop.do("money.Money.times", -2, -1)
    )


def test_what_reaches_the_arms_stays(shop: Bench) -> None:
    add = (*item(shop), shop.do("cart.Cart"), shop.do("cart.Cart.add", -1, -2))
    total = shop.do("cart.Cart.subtotal", -2)
    arms = frozenset(shop.run(*add, total).probes)
    assert shop.shorten(*add, total, arms=arms).sequence.code == code(*add, total)
    assert len(shop.shorten(*add, total).sequence) == 2


BAGS = """
class Bag:
    def __init__(self, items=()):
        self.items = dict(items) if hasattr(items, "keys") else list(items)
    def __len__(self):
        return len(self.items)
    def __iter__(self):
        return iter(self.items)
    def add(self, item):
        self.items.append(item)
    def remove(self, item):
        self.items.remove(item)
    def total(self):
        return sum(self.items) if self.items else None
    def takes(self, other):
        return [*self.items, *other.items]
"""


def test_an_object_is_made_of_what_is_in_it(fresh: None, write: Write) -> None:
    bags = Bench(str(write("bags.py", BAGS)))
    made = [bags.do("Bag")]
    for place, (name, value) in enumerate((("add", 1), ("add", 2), ("remove", 1), ("add", 3))):
        made += [lit(value), bags.do(f"Bag.{name}", -2 - 2 * place, -1)]
    total = (*made, bags.do("Bag.total", -9))
    before = set(bags.run(*made).probes)
    aim = Aim("normal", frozenset(bags.run(*total).probes) - before, exact=True)
    found = minimise(sequence(total), aim, bags.session)
    assert found is not None
    shown = lit(2), lit(3), call(bags.number("list"), (-2, -1))
    assert found.sequence.code == code(*shown, bags.do("Bag", -1), bags.do("Bag.total", -1))


SPANS = """
import enum
class Side(enum.Enum):
    LEFT = "l"
    RIGHT = "r"
    @classmethod
    def of(cls, text):
        return cls.LEFT if text.startswith("l") else cls.RIGHT
    def opposite(self):
        return Side.LEFT if self is Side.RIGHT else Side.RIGHT
class Span:
    def __init__(self, start, end, note=None):
        self.start, self.end, self.note = start, end, note
    def size(self):
        return self.end - self.start
class Line:
    def __init__(self, spans=()):
        self.spans = list(spans)
    def __iter__(self):
        return iter(self.spans)
    def __len__(self):
        return len(self.spans)
    def mark(self, start, end):
        self.spans.append(Span(start, end))
    def take(self):
        return self.spans.pop()
    def total(self):
        return sum(s.size() for s in self.spans)
"""


def test_an_object_is_made_of_what_it_needs_alone(fresh: None, write: Write) -> None:
    spans = Bench(str(write("spans.py", SPANS)))
    line = (spans.do("Line"), lit(1), lit(3), spans.do("Line.mark", -3, -2, -1), spans.do("Line.take", -4))
    found = spans.shorten(*line, spans.do("Span.size", -1))
    start, end = (s.literal.value for s in found.sequence.statements[:2] if s.literal is not None)
    assert found.sequence.code == code(
        lit(start), lit(end), spans.do("Span", -2, -1), spans.do("Span.size", -1)
    )


FILLED = """
class Route:
    def __init__(self, text="", sep="/"):
        self.parts = text.split(sep) if text else []
    def load(self, text):
        self.parts = text.split("/")
        return self
    def fill(self, text):
        self.parts = text.split("/")
    def depth(self):
        return len(self.parts)
"""


@pytest.mark.parametrize(("method", "receiver"), [("load", -1), ("load", -3), ("fill", -3)])
def test_what_is_put_in_at_once_is_given_to_the_constructor(
    fresh: None, write: Write, method: str, receiver: int
) -> None:
    routes = Bench(str(write("routes.py", FILLED)))
    filled = (routes.do("Route"), lit("a/b"), routes.do(f"Route.{method}", -2, -1))
    made = sequence((*filled, routes.do("Route.depth", receiver)))
    found = minimise(made, Aim("normal", frozenset(), exact=True), routes.session)
    assert found is not None
    assert found.values[-1] == 2
    used = [s.operation for s in found.sequence.statements if s.operation >= 0]
    assert [routes.session.operations[o].name for o in used] == ["routes.Route", "routes.Route.depth"]


def test_an_object_is_made_of_the_objects_in_it(fresh: None, write: Write) -> None:
    spans = Bench(str(write("spans.py", SPANS)))
    made = [spans.do("Line")]
    for number in range(3):
        made += [lit(0), lit(number + 1), spans.do("Line.mark", -3 - 3 * number, -2, -1)]
    total = sequence((*made, spans.do("Line.take", -10), spans.do("Line.total", -11)))
    found = minimise(total, Aim("normal", frozenset(), exact=True), spans.session)
    assert found is not None
    assert found.values[-1] == 3
    used = [s.operation for s in found.sequence.statements if s.operation >= 0]
    names = [spans.session.operations[o].name for o in used]
    assert names == ["spans.Span", "spans.Span", "list", "spans.Line", "spans.Line.total"]


def test_a_member_of_an_enum_is_named(fresh: None, write: Write) -> None:
    spans = Bench(str(write("spans.py", SPANS)))
    found = spans.shorten(lit("left"), spans.do("Side.of", -1), spans.do("Side.opposite", -1))
    assert found.sequence.code == code(spans.do("Side.LEFT"), spans.do("Side.opposite", -1))


PASSED = '''
class Thing:
    def __init__(self, text="a"):
        self.text = text
    def __str__(self):
        return self.text
    def has(self, items):
        return len(items) > 1
def tag(text: object | str) -> int:
    return len(str(text))
def kept(width: int | str):
    return [width, width]
def row(cells):
    """Draw it.

    :param list cells: one or more
    """
    return "|" + "|".join(cells) + "|"
'''


def test_plain_values_are_passed_instead_of_what_was_at_hand(fresh: None, write: Write) -> None:
    bench = Bench(str(write("passed.py", PASSED)))
    found = bench.shorten(lit("ab"), bench.do("Thing", -1), bench.do("tag", -1))
    assert found.sequence.calls == 1
    listed = call(bench.number("list"), (-1, -1))
    found = bench.shorten(bench.do("Thing"), listed, bench.do("Thing.has", -2, -1))
    shown = [found.values[p] for p, s in enumerate(found.sequence.statements) if s.literal is None]
    assert not any(type(part).__name__ == "Thing" for value in shown if type(value) is list for part in value)


def test_a_text_is_no_list_of_its_letters(fresh: None, write: Write) -> None:
    bench = Bench(str(write("passed.py", PASSED)))
    found = bench.shorten(lit("abc"), bench.do("row", -1))
    assert found.sequence.code == code(lit("a"), call(bench.number("list"), (-1,)), bench.do("row", -1))


def test_a_number_is_written_where_truth_is_none(fresh: None, write: Write) -> None:
    bench = Bench(str(write("passed.py", PASSED)))
    found = bench.shorten(lit(True), bench.do("kept", -1))
    assert found.values[-1] in ([0, 0], [1, 1])
    assert [type(v) for v in found.values[-1]] == [int, int]


def test_an_outcome_is_also_shown_without_the_arms_of_what_is_passed(fresh: None, write: Write) -> None:
    source = "class Odd:\n    def __eq__(self, other):\n        return other is None\n    __hash__ = None\n"
    source += "def find(x, items):\n    if x in items:\n        return 1\n    raise ValueError('no')\n"
    bench = Bench(str(write("arms.py", source)))
    made = sequence((bench.do("Odd"), lit(1), call(bench.number("list"), (-1,)), bench.do("find", -3, -1)))
    run = bench.run(*made.statements)
    items = [{"code": made.code.decode(), "outcome": run.outcome, "arms": run.probes}]
    receiving, sending = os.pipe()
    run_minimiser(items, sending, bench.session)
    os.close(sending)
    with os.fdopen(receiving) as stream:
        ((_, (_, _, parts, *_)),) = map(json.loads, stream)
    used = [[line.split()[0] for line in part[0].splitlines()] for part in parts]
    assert [str(bench.number("arms.Odd")) in operations for operations in used] == [True, False]


def test_one_of_two_objects_is_made_anew_and_the_other_stays(fresh: None, write: Write) -> None:
    bags = Bench(str(write("bags.py", BAGS)))
    first = (bags.do("Bag"), lit(1), bags.do("Bag.add", -2, -1))
    second = (bags.do("Bag"), lit(2), bags.do("Bag.add", -2, -1), lit(5), bags.do("Bag.add", -4, -1))
    made = sequence((*first, *second, bags.do("Bag.takes", -8, -5)))
    found = minimise(made, Aim("normal", frozenset(), exact=True), bags.session)
    assert found is not None
    assert found.values[-1] == [1, 2, 5]
    assert sum(s.operation >= 0 for s in found.sequence.statements) == 5  # two lists, two bags, one call


TREES = """
class Leaf:
    def __init__(self, tag: str = "") -> None:
        self.tag = tag

class Branch(Leaf):
    def __init__(self, one: Leaf, other: Leaf) -> None:
        self.parts = one, other

def count(tree: Leaf, text: str) -> int:
    return len(text)
"""


KINDS = """
class Place:
    def __init__(self, text=""):
        self.text = text
    @classmethod
    def parse(cls, text):
        return cls(text + "!")
    def to_kind(self):
        return Kind(self.text)
    def is_like(self, other):
        return other.text.isalpha()
    def shown(self):
        return self.text.upper()

class Kind:
    def __init__(self, text=""):
        self.text = text
    @classmethod
    def of(cls, text):
        return cls(text)
    def size(self):
        return len(self.text)

class Special(Place):
    pass
"""


@pytest.fixture
def kinds(fresh: None, write: Write) -> Bench:
    return Bench(str(write("kinds.py", KINDS)))


def test_what_is_inherited_is_called_on_the_class_that_has_it(kinds: Bench) -> None:
    found = kinds.shorten(lit("a"), kinds.do("Special", -1), kinds.do("Place.shown", -1))
    assert found.sequence.code == code(lit("a"), kinds.do("Place", -1), kinds.do("Place.shown", -1))


def test_an_object_comes_from_its_own_class(kinds: Bench) -> None:
    way = (lit("ab"), kinds.do("Place", -1), kinds.do("Place.to_kind", -1), kinds.do("Kind.size", -1))
    found = minimise(sequence(way), Aim("normal", frozenset(), exact=True), kinds.session)
    assert found is not None
    assert found.sequence.calls == 2
    assert found.values[-1] == 2
    empty = (lit("ab"), kinds.do("Place.parse", -1), kinds.do("Place.to_kind", -1))
    assert kinds.shorten(*empty).sequence.code == code(kinds.do("Place"), kinds.do("Place.to_kind", -1))


def test_an_object_is_not_given_to_its_own_method(kinds: Bench) -> None:
    found = kinds.shorten(lit("a"), kinds.do("Place", -1), kinds.do("Place.is_like", -1, -1))
    first, second = found.sequence.statements[-1].inputs
    assert first != second
    assert found.values[-1] is True


def test_an_object_that_only_has_to_be_there_is_the_simplest_one(fresh: None, write: Write) -> None:
    trees = Bench(str(write("trees.py", TREES)))
    made = (lit("b"), trees.do("Leaf", -1), trees.do("Branch", -1, -1), lit("a"), trees.do("count", -2, -1))
    found = minimise(sequence(made), Aim("normal", frozenset(), exact=True), trees.session)
    assert found is not None
    assert found.sequence.code == code(lit("a"), trees.do("Leaf"), trees.do("count", -1, -2))


def test_a_loop_keeps_only_the_rows_that_matter(fresh: None, write: Write) -> None:
    source = "class Sum:\n    total = 0\n    def add(self, n: int) -> None:\n        self.total += n\n"
    source += "        if self.total > 100:\n            raise ValueError('too much')\n"
    sums = Bench(str(write("sums.py", source)))
    rows = (1, 60, 2, 3, 50, 4, 5)
    loop = sums.do("Sum.add", -2, -1, repeat=Repeat((1,), len(rows), (rows,)))
    found = sums.shorten(sums.do("Sum"), lit(1), loop)
    repeat = found.sequence.statements[-1].repeat
    assert repeat is None or repeat.count <= 2


def test_computed_values_are_written_down(shop: Bench) -> None:
    made = (
        lit(6),
        shop.do("money.Money", -1),
        lit(-7),
        shop.do("money.Money.times", -2, -1),
        shop.do("money.Money.cents", -1),
        shop.do("money.Money", -1),
    )
    assert shop.shorten(*made).sequence.code == code(lit(1), shop.do("money.Money", -1))


def test_an_earlier_value_of_the_same_type_is_used_instead(shop: Bench) -> None:
    made = (
        lit(6),
        shop.do("money.Money", -1),
        shop.do("money.Money", -2),
        lit(2),
        shop.do("money.Money.times", -2, -1),
        shop.do("money.Money.plus", -4, -1),
    )
    both = shop.do("money.Money", -1), shop.do("money.Money", -2)  # nobody is given to itself
    assert shop.shorten(*made).sequence.code == code(lit(6), *both, shop.do("money.Money.plus", -2, -1))


def test_the_last_call_and_what_it_raised_stay(shop: Bench) -> None:
    made = (
        *item(shop),
        shop.do("cart.Cart"),
        shop.do("cart.Cart.add", -1, -2),
        lit(0),
        shop.do("cart.Cart.add", -3, -4, -1),
    )
    found = shop.shorten(*made)
    assert found.outcome.startswith("ValueError at Cart.add:")
    assert found.sequence.code == code(
        *item(shop), shop.do("cart.Cart"), lit(0), shop.do("cart.Cart.add", -2, -3, -1)
    )


def test_the_same_exception_of_another_line_is_another_outcome(shop: Bench) -> None:
    euros = (*item(shop), shop.do("cart.Cart"), shop.do("cart.Cart.add", -1, -2))
    dollars = (lit("USD"), lit(1), shop.do("money.Money", -1, -2), shop.do("cart.Item", -7, -1))
    made = (*euros, *dollars, shop.do("cart.Cart.add", -6, -1))
    found = shop.shorten(*made)
    assert found.sequence.statements[-1].operation == made[-1].operation
    assert found.sequence.calls == sequence(made).calls


def test_repeats_go_if_one_call_is_enough(shop: Bench) -> None:
    repeat = Repeat((2,), 5, ((1, 2, 3, 4, 5),))
    block = shop.do("cart.Cart.add", -1, -3, -2, repeat=repeat)
    once = shop.do("cart.Cart.add", -1, -3, -2)
    before, last = (*item(shop), lit(1), shop.do("cart.Cart")), shop.do("cart.Cart.total", -2)
    arms = frozenset(shop.run(*before, once, last).probes)
    alone = shop.do("cart.Cart.add", -1, -2)  # the quantity may be left out
    expected = code(*item(shop), shop.do("cart.Cart"), alone, last)
    assert shop.shorten(*before, block, last, arms=arms).sequence.code == expected


def test_repeats_become_fewer_as_long_as_the_arms_are_reached(tree: Bench) -> None:
    keys = tuple(range(40))
    start = (tree.do("tree_map.TreeMap"), lit(0))
    three = tree.do("tree_map.TreeMap.put", -2, -1, repeat=Repeat((1,), 3, (keys[:3],)))
    many = tree.do("tree_map.TreeMap.put", -2, -1, repeat=Repeat((1,), 40, (keys,)))
    arms = frozenset(tree.run(*start, three).probes)  # the third key in a row makes the tree turn
    assert not arms <= set(tree.run(*start, tree.do("tree_map.TreeMap.put", -2, -1)).probes)
    found = tree.shorten(*start, many, arms=arms)
    assert found.sequence.code == code(*start, three)


def test_a_fault_stays_the_same_fault(shop: Bench) -> None:
    made = (
        *item(shop),
        shop.do("orders.Order", -2),
        shop.do("orders.Order.pay", -1),
        shop.do("cart.Cart"),
        shop.do("orders.Order.cancel", -3),
    )
    shop.session.rules.passing.worked.add(shop.number("shop.orders.Order.cancel"))
    fault = shop.run(*made).fault
    assert fault is not None
    assert fault.exception == "AttributeError"
    found = minimise(sequence(made), Aim("", frozenset(), fault_key(fault)), shop.session)
    assert found is not None
    assert found.sequence.code == code(
        lit(5),
        shop.do("money.Money", -1),
        shop.do("orders.Order", -1),
        shop.do("orders.Order.pay", -1),
        shop.do("orders.Order.cancel", -2),
    )
    assert found.fault is not None
    assert fault_key(found.fault) == fault_key(fault)


@pytest.mark.parametrize(
    "aim",
    [
        Aim("ValueError at Cart.add:1", frozenset()),
        Aim("normal", frozenset({100_000})),
        Aim("normal", frozenset(), ("exception", None, "KeyError", "f", "shop.f")),
    ],
)
def test_what_does_not_show_its_aim_gives_nothing(shop: Bench, aim: Aim) -> None:
    assert minimise(sequence([lit(5), shop.do("money.Money", -1)]), aim, shop.session) is None


def test_answers_are_lines_and_what_shows_nothing_has_none(shop: Bench) -> None:
    made = code(lit(9), lit(5), shop.do("money.Money", -1)).decode()
    items: list[dict[str, Any]] = [
        {"code": made, "outcome": "normal", "arms": [100_000]},
        {"code": made, "outcome": "normal", "arms": []},
    ]
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as answers:
        run_minimiser(items, writing, shop.session)
        os.close(writing)
        lines = answers.read().splitlines()
    short = code(lit(5), shop.do("money.Money", -1)).decode()
    assert [(n, answer[0], answer[1]) for n, answer in map(json.loads, lines)] == [(1, short, [])]


def distances(made: Sequence) -> list[tuple[int, ...]]:
    return [s.inputs for s in made.statements]


def test_a_class_that_always_breaks_a_contract_still_gives_tests(fresh: None, write: Write) -> None:
    source = "class Odd:\n    def __eq__(self, other): raise KeyError\n    def size(self): return 3\n"
    bench = Bench(str(write("always.py", source)))
    made = sequence((bench.do("Odd"), bench.do("Odd.size", -1)))
    receiving, sending = os.pipe()
    items = [{"code": made.code.decode(), "outcome": "normal", "arms": ()}]
    run_minimiser(items, sending, bench.session)
    os.close(sending)
    with os.fdopen(receiving) as stream:
        ((number, (code_, *_)),) = map(json.loads, stream)
    assert (number, code_.encode()) == (0, made.code)


def test_distances_over_the_gap_become_less() -> None:
    repeat = Repeat((1,), 2, ((1, 2),))
    made = sequence([lit(1), lit(2), lit(3), call(7, (-3, -1)), call(8, (-2, -1, -4), ("key",), repeat)])
    without_second = without(made, 1)
    assert distances(without_second) == [(), (), (-2, -1), (-2, -1, -3)]
    last = without_second.statements[-1]
    assert (last.names, last.repeat) == (("key",), repeat)
    assert without_second.statements[0] is made.statements[0]


def test_distances_that_do_not_cross_the_gap_stay() -> None:
    made = sequence([lit(1), lit(2), call(7, (-1,)), lit(3), call(8, (-2, -1))])
    assert distances(without(made, 0)) == distances(made)[1:]
    assert without(made, 0).code == sequence(made.statements[1:]).code


GRADES = """
class Marks:
    def grade(self, points: int) -> str:
        if points > 90:
            return "A"
        if points > 50:
            return "B"
        return "C"
"""


@pytest.fixture
def marks(write: Write, fresh: None) -> Bench:
    return Bench(str(write("grading.py", GRADES)))


def test_a_loop_that_changes_nothing_becomes_single_calls(marks: Bench) -> None:
    repeat = Repeat((1,), 4, ((95, 60, 96, 3),))
    block = marks.do("Marks.grade", -2, -1, repeat=repeat)
    run = marks.run(marks.do("Marks"), lit(0), block)
    parts = [part.sequence.statements for part in split(run, marks.session)]
    assert [[s.literal.value for s in p if s.literal] for p in parts] == [[3], [95], [60]]
    assert all(p[-1].repeat is None for p in parts)


def test_a_loop_that_changes_something_stays_one(shop: Bench) -> None:
    block = shop.do("cart.Cart.add", -1, -3, -2, repeat=Repeat((2,), 3, ((1, 2, 3),)))
    run = shop.run(*item(shop), lit(1), shop.do("cart.Cart"), block)
    assert split(run, shop.session) == []


PAIRS = """
def pair(a: int, b: int) -> dict:
    return {"first": a, "second": b}

def widest(sizes: dict) -> int:
    return max(sizes.values())
"""


def test_a_container_is_written_out(fresh: None, write: Write) -> None:
    bench = Bench(str(write("twosome.py", PAIRS)))
    made = (lit(0), lit(4), lit(9), bench.do("pair", -2, -1), bench.do("widest", -1))
    found = bench.shorten(*made)
    names = [bench.session.operations[s.operation].name for s in found.sequence.statements if not s.literal]
    assert names == ["dict", "twosome.widest"]
    assert found.values[-1] == 9


RING: list[object] = []
RING.append(RING)


@pytest.mark.parametrize("value", [list(range(9)), [object()], [[[[1]]]], RING, [[1, 2, 3, 4, 5]] * 4])
def test_instead_of_a_large_or_deeply_nested_container_a_small_one_is_tried(value: object) -> None:
    made = sequence((call(7, ()), call(8, (-1,))))
    empty, small = written_out(made, 0, value, [])
    assert empty.code == code(call(0, ()), call(8, (-1,)))
    assert small.code == code(lit(0), call(0, (-1,)), call(8, (-1,)))


def test_containers_in_containers_are_written_out() -> None:
    made = sequence((call(7, ()), call(8, (-1,))))
    (found,) = written_out(made, 0, {"a": [1]}, [])
    assert found.code == code(lit("a"), lit(1), call(0, (-1,)), call(2, (-3, -1)), call(8, (-1,)))


def test_what_the_last_call_is_not_given_goes_first() -> None:
    made = sequence((lit(1), call(7, (-1,)), lit(2), call(8, (-1,)), call(9, (-4,))))
    (found,) = _sliced(made)
    assert found.code == code(lit(1), call(9, (-1,)))
    assert list(_sliced(found)) == []


def test_distances_over_what_is_written_out_become_more() -> None:
    made = sequence((lit(5), call(7, ()), call(8, (-1, -2))))
    (found,) = written_out(made, 1, (1, 2), [])
    assert found.code == code(lit(5), lit(1), lit(2), call(1, (-2, -1)), call(8, (-1, -4)))


def test_what_is_written_out_refers_to_what_was_made_before() -> None:
    thing = object()
    made = sequence((call(7, ()), call(8, (-1,)), call(9, (-1,))))
    (found,) = written_out(made, 1, ("a", thing), [thing, None])
    assert found.code == code(call(7, ()), lit("a"), call(1, (-1, -2)), call(9, (-1,)))


PARSER = """
import warnings
def parse(text):
    if "2for" in text:
        warnings.warn("odd", SyntaxWarning)
    return len(text.split("for")) > 1
"""


def test_a_text_is_not_cut_to_one_that_is_warned_of(fresh: None, write: Write) -> None:
    bench = Bench(str(write("parser.py", PARSER)))
    found = bench.shorten(lit("2 for x"), bench.do("parse", -1))
    assert found.sequence.code == code(lit("for"), bench.do("parse", -1))
    kept = bench.shorten(lit("a2 for"), bench.do("parse", -1), arms=frozenset())
    assert b"2for" not in kept.sequence.code


HOLDER = """
import re
def found(text):
    return re.match("a", text)
class Pair:
    def __init__(self, one, other):
        self.one, self.other = one, other
    @property
    def first(self):
        return self.one
"""


def test_an_object_that_only_comes_back_is_a_plain_value(fresh: None, write: Write) -> None:
    bench = Bench(str(write("holder.py", HOLDER)))
    made = lit("a"), bench.do("found", -1), lit(0), bench.do("Pair", -2, -1), bench.do("Pair.first", -1)
    found = bench.shorten(*made)
    assert len(found.sequence) == 4
    assert b"found" not in found.sequence.code
    assert found.values[-1] == 0


def test_a_function_that_is_only_passed_on_becomes_a_number(fresh: None, write: Write) -> None:
    bench = Bench(str(write("holding.py", "class Box:\n    def __init__(self, x):\n        self.x = x\n")))
    found = bench.shorten(say(Literal(len, "len")), bench.do("Box", -1))
    assert found.sequence.code == code(lit(0), bench.do("Box", -1))


def test_what_makes_no_difference_is_left_out_of_dicts_and_lists(fresh: None, write: Write) -> None:
    bench = Bench(str(write("node.py", "def kind(node): return node['kind'] * 2")))
    pair = bench.number("dict")
    made = bench.shorten(
        lit("a"), lit(1), lit("kind"), lit("xy"), call(pair, (-4, -3, -2, -1)), bench.do("kind", -1)
    )
    wanted = lit("kind"), lit("xy"), call(pair, (-2, -1)), bench.do("kind", -1)
    assert made.sequence.code == code(*wanted)


def test_numbers_are_short_and_an_index_is_a_number(fresh: None, write: Write) -> None:
    row = "class Row:\n    def __getitem__(self, index): return [7, 8][index]\n\ndef half(x): return x / 2"
    bench = Bench(str(write("row.py", row)))
    indexed = bench.shorten(bench.do("Row"), lit(True), bench.do("Row.__getitem__", -2, -1))
    assert indexed.sequence.code == code(bench.do("Row"), lit(1), bench.do("Row.__getitem__", -2, -1))
    for value, short in ((0.71777360221575, 0.5), (True, 1)):
        halved = bench.shorten(lit(value), bench.do("half", -1))
        assert halved.sequence.code == code(lit(short), bench.do("half", -1))


def test_what_takes_too_long_is_not_finished_and_can_be_gone_on_with(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    money = [shop.do("money.Money", -1) for _ in range(3)]
    made = sequence([part for one in money for part in (lit(5), one)])
    aim = Aim("normal", frozenset())
    ticks = iter(range(10**6))
    with monkeypatch.context() as slow:
        slow.setattr(shop.session, "deadline", 1e12)
        slow.setattr(shop.session, "clock", lambda: float(next(ticks)))  # each look takes a second
        first, finished = minimise_further(made, aim, shop.session)
    assert first is not None
    assert not finished
    second, finished = minimise_further(first.sequence, aim, shop.session)
    assert second is not None
    assert finished
    assert len(second.sequence) < len(made)


INDEX = """
class Index:
    def __init__(self) -> None:
        self.found: list[int] = []

    def note(self, number: int) -> None:
        if number < 0:
            return
        self.found = [number]
"""


def test_rounds_that_leave_no_trace_are_calls_of_their_own(clean_imports: None, write: Write) -> None:
    index = Bench(str(write("index_card.py", INDEX)))
    repeat = Repeat((1,), 3, ((5, -1, 7),))
    made = (index.do("Index"), lit(5), index.do("Index.note", -2, -1, repeat=repeat))
    run = index.run(*made)
    found, singles = without_idle_rows(run, Aim("normal", frozenset(run.probes)), index.session)
    assert found.sequence.code == code(index.do("Index"), lit(7), index.do("Index.note", -2, -1))
    assert [s.sequence.statements[1].code for s in singles] == [lit(-1).code]


def test_numbers_and_spans_lose_what_makes_no_difference(fresh: None, write: Write) -> None:
    source = "def hours(span): return span.days * 24\n\ndef large(x): return 'large' if x > 60 else 'small'"
    bench = Bench(str(write("spans.py", source)))
    span = say(
        Literal(datetime.timedelta(1, 7, 42), "datetime.timedelta(days=1, seconds=7, microseconds=42)")
    )
    found = bench.shorten(span, bench.do("hours", -1))
    assert [s.literal.source for s in found.sequence.statements if s.literal] == [
        "datetime.timedelta(days=1)"
    ]
    made = (lit(69.83330000000001), bench.do("large", -1))
    rounded = bench.shorten(*made, arms=frozenset(bench.run(*made).probes))
    assert len(next(s.literal.source for s in rounded.sequence.statements if s.literal)) <= 4


OPTIONS = """
from dataclasses import dataclass

@dataclass
class Config:
    strict: bool = False
    depth: int = 1

def describe(config: Config, names: set[str]) -> str:
    if config.strict:
        return "strictly " + ", ".join(sorted(names))
    return "as it comes"

def sign(text: str, sep: str) -> str:
    if sep in "abcdefghijklmnopqrstuvwxyz_":
        raise ValueError("the separator may be in the text")
    return text + sep + "0123456789012345678901234567890123456789"
"""


def test_what_is_assigned_to_a_new_object_is_given_to_its_constructor(fresh: None, write: Write) -> None:
    options = Bench(str(write("options.py", OPTIONS)))
    made = [options.do("Config"), lit(True), options.do("Config.strict =", -2, -1), lit("b")]
    made += [call(options.number("set"), (-1,)), options.do("describe", -5, -1)]
    arms = frozenset(options.run(*made).probes)
    found = minimise(sequence(made), Aim("normal", arms), options.session)
    assert found is not None
    config = call(options.do("Config").operation, (-1,), ("strict",))
    shown = lit("b"), call(options.number("set"), (-1,))
    assert found.sequence.code == code(lit(True), config, *shown, options.do("describe", -3, -1))


def test_something_is_put_into_what_is_empty(fresh: None, write: Write) -> None:
    options = Bench(str(write("options.py", OPTIONS)))
    made = options.do("Config"), call(options.number("set"), ()), options.do("describe", -2, -1)
    found = minimise(sequence(made), Aim("normal", frozenset()), options.session)
    assert found is not None
    assert found.values[1:3] == ["a", {"a"}]


def test_of_a_long_result_only_the_kind_and_the_way_there_matter(fresh: None, write: Write) -> None:
    options = Bench(str(write("options.py", OPTIONS)))
    made = lit("the wanted text"), lit("__version__"), options.do("sign", -2, -1)
    found = minimise(sequence(made), Aim("normal", frozenset(), exact=True), options.session)
    assert found is not None
    assert found.values[:2] == ["a", "."]


def test_what_is_plain_already_is_left_alone(fresh: None, write: Write) -> None:
    options = Bench(str(write("options.py", OPTIONS)))
    made = options.do("Config"), lit("b"), lit("."), options.do("sign", -2, -1)
    found, finished = minimise_further(sequence(made), Aim("normal", frozenset()), options.session)
    assert found is not None
    assert finished
    assert len(found.sequence) == 3


SIGNERS = """
class Signer:
    def __init__(self, key: str) -> None:
        self.key = key
    def parts(self, text: str, salt: str = "") -> list[object]:
        return [Signer(salt) for _ in text]

class Maker:
    def __init__(self, name: str) -> None:
        self.name = name
    def make(self) -> Signer:
        return Signer(self.name)

    def twice(self) -> "Maker":
        return Maker(self.name * 2)
    def copy(self, name: str = "") -> "Maker":
        return Maker(name or self.name)

def name_of(kind: type) -> str:
    return kind.__name__
"""


def test_an_object_that_another_has_made_is_made_directly(fresh: None, write: Write) -> None:
    signers = Bench(str(write("signers.py", SIGNERS)))
    made = (
        lit("b"),
        signers.do("Maker", -1),
        signers.do("Maker.make", -1),
        lit("c"),
        signers.do("Signer.parts", -2, -1),
    )
    found = minimise(sequence(made), Aim("normal", frozenset()), signers.session)
    assert found is not None
    assert found.sequence.code == code(
        lit("b"), signers.do("Signer", -1), lit("c"), signers.do("Signer.parts", -2, -1)
    )


def test_an_object_is_made_of_what_it_keeps(fresh: None, write: Write) -> None:
    signers = Bench(str(write("signers.py", SIGNERS)))
    for changed in (signers.do("Maker.twice", -1), signers.do("Maker.copy", -1)):
        made = lit("ab"), signers.do("Maker", -1), changed, signers.do("Maker.make", -1)
        found = minimise(sequence(made), Aim("normal", frozenset()), signers.session)
        assert found is not None
        assert len(found.sequence) == 3
        assert found.sequence.statements[1].code == signers.do("Maker", -1).code


def test_an_option_that_no_test_can_show_is_left_out(fresh: None, write: Write) -> None:
    signers = Bench(str(write("signers.py", SIGNERS)))
    made = lit("b"), signers.do("Signer", -1), lit("c"), lit("d"), signers.do("Signer.parts", -3, -2, -1)
    found = minimise(sequence(made), Aim("normal", frozenset()), signers.session)
    assert found is not None
    assert len(found.sequence.statements[-1].inputs) == 2


def test_a_type_that_was_put_together_is_a_plain_one_if_that_will_do(fresh: None, write: Write) -> None:
    signers = Bench(str(write("signers.py", SIGNERS)))
    point = "dataclasses.make_dataclass('Point', [('x', int)])"
    made = say(Literal(evaluate(point), point)), signers.do("name_of", -1)
    found = minimise(sequence(made), Aim("normal", frozenset()), signers.session)
    assert found is not None
    assert found.values == [int, "int"]


CYCLES = """
from typing import Literal

class Box:
    def __init__(self, align: Literal["center", "justify"]) -> None:
        self.align = align
    def show(self) -> str:
        return "box"

class Matrix:
    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = rows
    def show(self) -> str:
        return "matrix"

class Flag:
    def __init__(self) -> None:
        self.up = True
    def __and__(self, other: bool) -> str:
        return "flag"

class Two:
    def __init__(self, names: list[str], counts: list[int]) -> None:
        self.names, self.counts = names, counts
    def show(self) -> str:
        return "two"

class Counter:
    def __init__(self) -> None:
        self.count = 0
    def tick(self) -> int:
        self.count += 1
        return self.count

class Odd:
    def __init__(self, x: int) -> None:
        self.x = x
    def __eq__(self, other: object) -> bool:
        return self.x == other.x
    def __repr__(self) -> str:
        raise RuntimeError("no")

def told(names: list[str]) -> str:
    return "told"

def odds(count: int) -> list[Odd]:
    return [Odd(count)]
"""


@pytest.mark.parametrize("name", ["Box", "Matrix", "Flag", "Two"])
def test_no_step_undoes_another_and_what_was_legal_stays_so(fresh: None, write: Write, name: str) -> None:
    bench = Bench(str(write("cycles.py", CYCLES)))
    number = bench.number("list")
    made: dict[str, list[Statement]] = {
        "Box": [lit("center"), bench.do("Box", -1), bench.do("Box.show", -1)],
        "Matrix": [lit(1.0), call(number, (-1,)), call(number, (-1,)), bench.do("Matrix", -1)],
        "Flag": [bench.do("Flag"), lit(False), bench.do("Flag.__and__", -2, -1)],
        "Two": [call(number, ()), bench.do("Two", -1, -1), bench.do("Two.show", -1)],
    }
    made["Matrix"].append(bench.do("Matrix.show", -1))
    before = bench.session.step
    found = minimise(sequence(made[name]), Aim("normal", frozenset()), bench.session)
    assert found is not None
    assert len(found.sequence) <= 7
    assert bench.session.step - before < MOST_TRIES // 2
    outcome = Outcome(found.sequence, found.values, None)
    assert bench.session.rules.passing.illegal(outcome) is None


def test_a_loop_without_arguments_that_is_needed_twice_stays(fresh: None, write: Write) -> None:
    bench = Bench(str(write("cycles.py", CYCLES)))
    looped = bench.do("Counter"), bench.do("Counter.tick", -1, repeat=Repeat((), 2, ()))
    aim = Aim("normal", frozenset(), exact=True)
    run = minimise(sequence(looped), aim, bench.session)
    assert run is not None
    best, singles = without_idle_rows(run, aim, bench.session)
    assert best.values[-1] == 2
    assert singles == []


def test_values_that_cannot_be_compared_or_shown_cost_nothing_but_a_step(fresh: None, write: Write) -> None:
    bench = Bench(str(write("cycles.py", CYCLES)))
    made = lit(1), bench.do("odds", -1), bench.do("told", -1)
    found, _ = minimise_further(sequence(made), Aim("normal", frozenset(), exact=True), bench.session)
    assert found is not None
    assert found.values[-1] == "told"


def test_an_assignment_whose_value_is_passed_on_stays(fresh: None, write: Write) -> None:
    bench = Bench(str(write("options.py", OPTIONS)))
    made = bench.do("Config"), lit(True), bench.do("Config.strict =", -2, -1), bench.do("sign", -1, -1)
    run = bench.run(*made)
    assert list(given_at_once(run, bench.session)) == []


MEMBERS = """
from socket import AddressFamily
import enum

class Size(enum.IntEnum):
    SMALL = 1

def twice(n: int, of: AddressFamily | None = None) -> int:
    return n * 2

def grown(size: Size) -> int:
    return size + 1
"""


def test_a_member_of_an_enum_from_elsewhere_is_a_number_where_one_is_wanted(
    fresh: None, write: Write
) -> None:
    members = Bench(str(write("members.py", MEMBERS)))
    family = call(members.number("socket.AddressFamily.AF_INET"), ())
    assert type(members.shorten(family, members.do("twice", -1)).values[0]) is int
    size = members.do("Size.SMALL")
    assert members.shorten(size, members.do("grown", -1)).sequence.statements[0] == size


CARRIED = """
def pair(one, other):
    return [one, other]

def grow(n):
    return n * 2

def shout(text):
    return text + "!"

def alike(one, other):
    return one == other
"""


def test_values_that_are_only_carried_along_are_plain(clean_imports: None, write: Write) -> None:
    bench = Bench(str(write("carried.py", CARRIED)))
    for made, plain in (
        ((lit("%s(%r)"), lit(-52), bench.do("pair", -2, -1)), ("'a'", "1")),
        ((lit("hi!"), bench.do("shout", -1)), ("'a'",)),
        ((lit(-52), bench.do("grow", -1)), ("-52",)),  # what comes out is another number
    ):
        found = minimise(sequence(made), Aim("normal", frozenset(), exact=True), bench.session)
        assert found is not None
        assert tuple(s.literal.source for s in found.sequence.statements if s.literal) == plain


def test_arguments_that_are_the_same_get_values_of_their_own(clean_imports: None, write: Write) -> None:
    bench = Bench(str(write("carried.py", CARRIED)))
    made = (lit("a"), bench.do("pair", -1, -1))
    found = minimise(sequence(made), Aim("normal", frozenset(), exact=True), bench.session)
    assert found is not None
    assert found.values[-1] == ["a", "b"]
    made = (lit("a"), bench.do("alike", -1, -1))  # and here it matters that they are
    found = minimise(sequence(made), Aim("normal", frozenset(), exact=True), bench.session)
    assert found is not None
    assert found.values[-1] is True


KEEPER = """
class Keeper:
    def __init__(self):
        self.seen = {}
        self.items = []

    def note(self, thing):
        self.seen[id(thing)] = True

    def insert(self, item):
        self.items.append(item)
"""


def test_who_keeps_an_address_may_lose_the_call_that_left_it_there(clean_imports: None, write: Write) -> None:
    bench = Bench(str(write("keeper.py", KEEPER)))
    noted = (bench.do("Keeper"), call(bench.number("list"), ()), bench.do("Keeper.note", -2, -1))
    found = bench.shorten(*noted, lit(0), bench.do("Keeper.insert", -4, -1))
    assert found.sequence.code == code(bench.do("Keeper"), lit(0), bench.do("Keeper.insert", -2, -1))
