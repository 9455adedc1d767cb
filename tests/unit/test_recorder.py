"""What can be asserted about a sequence after it has run."""

from __future__ import annotations

from typing import Any

import pytest

from tanteo.bindings import Bindings
from tanteo.execute.asking import Unsteady
from tanteo.execute.load import Wanted, load
from tanteo.execute.observations import Observation
from tanteo.execute.raising import LONGEST, stable_text
from tanteo.execute.recording import record
from tanteo.model import Literal, Statement, call, say, sequence
from tests.unit.conftest import Isolated, Write

MONEY = (("shop.money", "Money"),)

SUBJECT = '''
import itertools

_chance = itertools.count()
_once = itertools.count()

class Odd(Exception):
    pass

class Counter:
    """Its questions change it, or are of chance, or raise."""

    def __init__(self, size: int = 3) -> None:
        self.size = size
        self.asked = 0

    def get_next(self) -> int:
        self.asked += 1
        return self.asked

    def get_chance(self) -> int:
        return next(_chance)

    def get_nothing(self) -> None:
        return None

    def get_trouble(self) -> int:
        raise RuntimeError("no")

    def get_twice(self, times: int) -> int:
        return self.size * times

    def get_size(self) -> int:
        return self.size

    def grow(self) -> "Counter":
        self.size += 1
        return self

    def look(self) -> int:
        return 0

class Once(Counter):
    """Only the first one can be made."""

    def __init__(self) -> None:
        super().__init__()
        if next(_once):
            raise ValueError("twice")

def put(items: list, value: int) -> None:
    items.append(value)

def keep(items: list, value: int) -> list:
    return [*items, value]

def complain(text: str) -> None:
    raise Odd(text)

class Prices:
    def __len__(self) -> int:
        return 1

    def __and__(self, other: object) -> object:
        return NotImplemented

    def price(self, key: str) -> object:
        return {"a": {}}[key]["of"]

    def nth(self, n: int) -> int:
        return [1, 2][n]

def nth(n: int) -> int:
    return [1, 2][n]

def share(n: int) -> float:
    return 1 / (n * (n - 2))

def number(text: str) -> int:
    if text == "1":
        one, two = [text]
    return int(text)

def leave() -> None:
    raise SystemExit(3)

def hide(n: int) -> object:
    class Local(Odd):
        def __len__(self) -> int:
            return n
    if n < 0:
        raise Local("hidden")
    return Local()

def wait(n: int) -> int:
    import time
    time.sleep(0.9)
    return n

def anything() -> object:
    return object()

class Node:
    def __init__(self, tag: str, note: str = "") -> None:
        self.tag = tag
        self.note = note

    def depth(self, more: int) -> int:
        return len(self.tag) + more

    def remark(self, more: str) -> str:
        return self.note + more

    def __repr__(self) -> str:
        return f"Node[{self.tag}]"

def nodes(tags: str) -> list:
    return [Node(tag) for tag in tags]

def doubled(n: int) -> object:
    return map(lambda x: 2 * x, range(n))

def sampled(n: int) -> object:
    import random
    dice = random.Random()
    return filter(lambda _: dice.random() < 0.0001, range(n))

def seeded(n: int) -> float:
    import random
    return random.Random(n).random()

def upwards(n: int) -> object:
    return itertools.count(n)

def endless(n: int) -> object:
    while True:
        yield n

def strangers(n: int) -> object:
    yield from (object() for _ in range(n))

def far(n: int) -> list:
    return [*range(n)]

def blank() -> list:
    return [object()]

def first(items):
    return [*items][0]

class Heap:
    def __init__(self, *items: int) -> None:
        self._items = set(items)

    def __iter__(self):
        return iter(self._items)

    def put(self, item: int) -> None:
        self._items.add(item)

class Box:
    def __init__(self) -> None:
        self.things = []
        self._label = ""

    def put(self, thing: int) -> "Box":
        self.things.append(thing)
        return self

    def label(self, text: str) -> "Box":
        self._label = text
        return self

    def count(self) -> int:
        return len(self.things)

    def refuse(self) -> None:
        raise Odd("no room" if self.things else "empty")

class Vague:
    def __repr__(self) -> str:
        return f"<Vague at 0x{id(self):x}>"

def take_any(thing):
    return 1

def half(number):
    return number / 3

def say(text, loud=False, width=0):
    return text.upper() if loud else text[:width or None]
'''


class Bench:
    """A subject without probes; statements by the names of its operations."""

    def __init__(self, target: str) -> None:
        self.bindings: Bindings = load(Wanted((target,)), with_probes=False).bindings
        names = [
            o.name if o.kind == "display" else o.name.partition(".")[2] for o in self.bindings.operations
        ]
        self._numbers = {name: number for number, name in enumerate(names)}

    def do(self, name: str, *inputs: int) -> Statement:
        return call(self._numbers[name], inputs)

    def record(self, *statements: Statement) -> dict[str, Any] | None:
        return record(sequence(statements), self.bindings)

    def seen(self, *statements: Statement) -> list[tuple[str, int, str, str]]:
        """Kind, position, the observer's name and the source of every observation."""
        found = self.record(*statements)
        assert found is not None
        observations = [Observation(*o) for o in found["observations"]]
        operations = self.bindings.operations
        return [
            (
                o.kind,
                o.position,
                operations[o.operation].name.rpartition(".")[2] if o.operation >= 0 else "",
                o.source,
            )
            for o in observations
        ]


def lit(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def item(bench: Bench) -> tuple[Statement, ...]:
    return lit("tea"), lit(5), bench.do("money.Money", -1), bench.do("cart.Item", -3, -1)


@pytest.fixture
def shop(clean_imports: None) -> Bench:
    return Bench("shop")


@pytest.fixture
def odd(clean_imports: None, write: Write) -> Bench:
    return Bench(str(write("odd_counter.py", SUBJECT)))


def test_a_value_is_noted_with_its_imports(shop: Bench) -> None:
    found = shop.record(lit(5), shop.do("money.Money", -1), lit(3), shop.do("money.Money.times", -2, -1))
    assert found is not None
    assert found["observations"][0] == ["value", 3, -1, "Money(cents=15)", MONEY, True, ""]


def test_an_object_is_described_by_its_observers(shop: Bench) -> None:
    assert shop.seen(lit(5), shop.do("money.Money", -1), lit(3), shop.do("money.Money.times", -2, -1))[
        1:
    ] == [
        ("changed", 3, "cents", "15"),
        ("changed", 3, "currency", "'EUR'"),
    ]


def test_a_constructor_is_compared_through_its_state(shop: Bench) -> None:
    seen = shop.seen(lit(5), shop.do("money.Money", -1))
    assert seen == [("changed", 1, "cents", "5"), ("changed", 1, "currency", "'EUR'")]
    assert shop.seen(shop.do("cart.Cart"))[:3] == [
        ("type", 0, "", "Cart"),
        ("length", 0, "", "0"),
        ("changed", 0, "__len__", "0"),
    ]


def test_what_a_call_has_changed_is_told_from_what_it_left_alone(shop: Bench) -> None:
    seen = shop.seen(*item(shop), shop.do("cart.Cart"), shop.do("cart.Cart.add", -1, -2))
    assert sorted(seen) == sorted(
        [
            ("value", 5, "", "None"),
            ("changed", 4, "__len__", "1"),
            ("changed", 4, "total", "Money(cents=5)"),
            ("changed", 4, "subtotal", "Money(cents=5)"),
            ("unchanged", 4, "reduction", "Money(cents=0)"),
        ]
    )


def test_nobody_asks_whether_values_have_changed(shop: Bench) -> None:
    seen = shop.seen(*item(shop), shop.do("cart.Cart"), shop.do("cart.Cart.quantity", -1, -2))
    assert {position for _, position, _, _ in seen} == {4, 5}  # the cart and the result, not the item
    assert {kind for kind, position, _, _ in seen if position == 4} == {"unchanged"}


def test_who_only_looks_changes_nothing(shop: Bench) -> None:
    assert shop.seen(shop.do("cart.Cart"), shop.do("cart.Cart.__len__", -1)) == [("value", 1, "", "0")]


def test_observers_that_change_something_are_not_used(shop: Bench, odd: Bench) -> None:
    order = (lit(5), shop.do("money.Money", -1), shop.do("orders.Order", -1))
    assert {name for _, _, name, _ in shop.seen(*order)} == {""}
    seen = odd.seen(odd.do("Counter"), odd.do("Counter.grow", -1))
    assert ("changed", 0, "get_size", "4") in seen
    assert {name for _, _, name, _ in seen} == {"", "get_size", "look"}


def test_what_goes_well_only_once_is_said_to_be_so(odd: Bench) -> None:
    with pytest.raises(Unsteady):
        odd.record(odd.do("Once"))


def test_what_methods_say_is_told_where_they_are_tested(odd: Bench) -> None:
    found = odd.record(odd.do("Counter"))
    assert found is not None
    told = [Observation(*o) for o in found["observations"]]
    assert {(o.kind, o.attribute) for o in told} == {("type", ""), ("changed", "size"), ("changed", "asked")}


def test_own_attributes_of_an_object_are_told(shop: Bench) -> None:
    order = (lit(5), shop.do("money.Money", -1), shop.do("orders.Order", -1))
    found = shop.record(*order, shop.do("orders.Order.pay", -1))
    assert found is not None
    told = {(o.kind, o.attribute, o.source) for o in (Observation(*o) for o in found["observations"])}
    assert ("changed", "state", "State.PAID") in told
    assert ("unchanged", "total", "Money(cents=5)") in told


def test_the_same_object_is_told_by_where_it_came_from(odd: Bench) -> None:
    seen = odd.seen(odd.do("Counter"), odd.do("Counter.grow", -1))
    assert seen[0] == ("same", 1, "", "0")
    assert ("changed", 0, "get_size", "4") in seen
    assert ("unchanged", 0, "look", "0") in seen


def test_a_container_that_was_changed_is_written_out(odd: Bench) -> None:
    seen = odd.seen(lit(1), odd.do("list", -1), lit(2), odd.do("put", -2, -1))
    assert seen == [("value", 3, "", "None"), ("changed", 1, "", "[1, 2]")]
    kept = odd.seen(lit(1), odd.do("list", -1), lit(2), odd.do("keep", -2, -1))
    assert kept == [("value", 3, "", "[1, 2]")]


def test_what_was_raised_is_noted_with_its_message(shop: Bench, odd: Bench) -> None:
    found = shop.record(*item(shop), shop.do("cart.Cart"), lit(0), shop.do("cart.Cart.add", -2, -3, -1))
    assert found is not None
    assert found.pop("types") == ["", "", "Money", "Item", "Cart", ""]
    assert found.pop("ended") == []
    assert found.pop("astray") is found.pop("odd") is found.pop("accident") is False
    assert found.pop("unlikely") is found.pop("vain") is found.pop("stuffed") is found.pop("padded") is False
    assert found.pop("asked") is True
    assert found.pop("warns") == []
    assert found.pop("announces") is None
    assert found.pop("idle") == 0
    assert found.pop("same") == [0, 1, 2, 3, 4, 5]
    assert found == {"raises": "ValueError", "imports": [], "message": "a quantity is at least 1"}
    assert odd.record(lit("a (b)"), odd.do("complain", -1)) == {
        "raises": "Odd",
        "imports": [["odd_counter", "Odd"]],
        "message": "a (b)",
        "asked": True,
        "types": [""],
        "ended": [],
        "warns": [],
        "announces": None,
        "idle": False,
        "astray": False,
        "odd": False,
        "unlikely": False,
        "stuffed": False,
        "padded": False,
        "vain": False,
        "accident": False,
        "same": [0],
    }


def test_what_shows_itself_is_taken_at_its_word(odd: Bench) -> None:
    seen = odd.seen(lit("ab"), odd.do("nodes", -1))
    assert seen[0] == ("repr", 1, "", "'[Node[a], Node[b]]'")
    assert [kind for kind, *_ in odd.seen(odd.do("blank"))] == ["type", "length"]  # an address says nothing
    made = [kind for kind, *_ in odd.seen(lit("a"), odd.do("Node", -1))]
    assert "repr" not in made  # told where the representation itself is tested


def test_names_are_imported_from_where_they_are_offered(write: Write) -> None:
    inner = "class Odd(Exception):\n    pass\n\ndef complain():\n    raise Odd('no')\n"
    write("offering/inner.py", inner)
    bench = Bench(str(write("offering/__init__.py", "from offering.inner import Odd, complain\n").parent))
    found = bench.record(bench.do("complain"))
    assert found is not None
    assert found["imports"] == [["offering", "Odd"]]


@pytest.mark.parametrize(
    ("given", "name", "asked"),
    [
        ("b", "Prices.price", True),
        ("a", "Prices.price", False),
        (7, "Prices.nth", True),
        (7, "nth", False),
        (0, "share", True),
        (2, "share", False),
        ("a", "share", False),
        ("a", "number", True),
        ("1", "number", False),
        (0, "Prices.__and__", True),
    ],
)
def test_what_an_exception_tells_of_an_argument_is_asked_for(
    odd: Bench, given: object, name: str, asked: bool
) -> None:
    if "." in name:
        found = odd.record(odd.do("Prices"), lit(given), odd.do(name, -2, -1))
    else:
        found = odd.record(lit(given), odd.do(name, -1))
    assert found is not None
    assert found["asked"] is asked


def test_the_words_of_the_interpreter_are_not_expected(odd: Bench) -> None:
    found = odd.record(lit(None), odd.do("keep", -1, -1))
    assert found is not None
    assert (found["raises"], found["message"]) == ("TypeError", "")


def test_a_long_message_is_known_by_its_first_words(odd: Bench) -> None:
    found = odd.record(lit("word " * 30), odd.do("complain", -1))
    assert found is not None
    assert found["message"] == ("word " * 16).strip()
    found = odd.record(lit("first line\nsecond"), odd.do("complain", -1))
    assert found is not None
    assert found["message"] == "first line"


def test_what_is_declared_and_what_is_passed_are_compared(shop: Bench) -> None:
    good = shop.record(lit(1), shop.do("money.Money", -1))
    bad = shop.record(lit("1"), shop.do("money.Money", -1))
    assert good is not None
    assert bad is not None
    assert (good["astray"], bad["astray"]) == (False, True)


@pytest.mark.parametrize(
    ("value", "odd_one"),
    [(True, False), (1, False), ("a", False), (None, False), (b"a", True), (len, True), (int, True)],
)
def test_what_stands_for_a_plain_default_is_plain(odd: Bench, value: object, odd_one: bool) -> None:
    made = say(Literal(value, getattr(value, "__name__", repr(value))))
    found = odd.record(lit("ab"), made, odd.do("say", -2, -1))
    assert found is not None
    assert found["odd"] is odd_one


@pytest.mark.parametrize(("value", "unlikely"), [("ab", False), ((), False), (0, True), (None, False)])
def test_what_nothing_speaks_for_is_noted(odd: Bench, value: object, unlikely: bool) -> None:
    found = odd.record(lit(value), odd.do("say", -1))
    assert found is not None
    assert found["unlikely"] is unlikely


@pytest.mark.parametrize(("method", "given", "vain"), [("depth", 1, True), ("remark", "!", False)])
def test_an_object_is_not_made_with_more_than_one_can_see(
    odd: Bench, method: str, given: object, vain: bool
) -> None:
    made = (lit("a"), lit("b"), odd.do("Node", -2, -1), lit(given), odd.do(f"Node.{method}", -2, -1))
    found = odd.record(*made)
    assert found is not None
    assert found["vain"] is vain


def test_an_option_that_makes_no_difference_is_noted(odd: Bench) -> None:
    for width, idle in ((5, 1), (1, 0)):
        statement = call(odd.do("say", -2, -1).operation, (-2, -1), ("width",))
        found = odd.record(lit("ab"), lit(width), statement)
        assert found is not None
        assert found["idle"] == idle
        by_position = odd.record(lit("ab"), lit(5 - width), odd.do("say", -2, -1))
        assert by_position is not None
        assert by_position["idle"] == idle
    plain = odd.record(lit("ab"), odd.do("say", -1))
    assert plain is not None
    assert plain["idle"] == 0


def test_luck_is_not_written_down(isolated: Isolated, write: Write) -> None:
    source = "import random\n\ndef throw(n): return max(0, random.randint(-n, -1))\n"
    bench = Bench(str(write("throwing.py", source)))
    assert bench.record(lit(5), bench.do("throw", -1)) == {"chance": True}


def test_what_cannot_be_written_down_is_counted(isolated: Isolated, write: Write) -> None:
    source = "class Crowd:\n    def __init__(self, n): self.members = [object() for _ in range(n)]\n"
    bench = Bench(str(write("crowds.py", source)))
    found = bench.record(lit(3), bench.do("Crowd", -1))
    assert found is not None
    assert ["changed", 1, -1, "3", (), True, "members (length)"] in found["observations"]
    found = bench.record(lit(22), bench.do("Crowd", -1))  # nobody knows how many there should be
    assert found is not None
    assert "members (length)" not in str(found["observations"])


def test_warnings_are_named(isolated: Isolated, write: Write) -> None:
    source = "import warnings\n\nclass Old(DeprecationWarning): pass\n\ndef old(): warnings.warn('no', Old)\n"
    bench = Bench(str(write("aging.py", source)))
    found = bench.record(bench.do("old"))
    assert found is not None
    assert found["warns"] == ["DeprecationWarning"]


def test_what_is_written_in_a_stream_is_noted(isolated: Isolated, write: Write) -> None:
    source = "import io\n\ndef stream(): return io.StringIO()\n\ndef dump(text, out): out.write(text)\n"
    bench = Bench(str(write("dumping.py", source)))
    found = bench.record(lit("ab"), bench.do("stream"), bench.do("dump", -2, -1))
    assert found is not None
    assert ["changed", 1, -1, "'ab'", (), True, "getvalue()"] in found["observations"]


LACKING = """
class Missing(Exception): pass

def convert(name):
    if name == "other":
        raise Missing("no module named other")
    raise Missing("Could not import yaml: pip install it")

def field():
    import collections
    return collections.namedtuple("Pair", "a b").a
"""


def test_what_hangs_on_a_package_that_is_not_here_is_no_test(isolated: Isolated, write: Write) -> None:
    bench = Bench(str(write("lacking.py", LACKING)))
    assert bench.record(lit("ab"), bench.do("convert", -1)) is None
    found = bench.record(lit("other"), bench.do("convert", -1))  # that was asked for
    assert found is not None
    assert found["raises"] == "Missing"


def test_how_private_classes_of_python_look_is_not_told(isolated: Isolated, write: Write) -> None:
    bench = Bench(str(write("lacking.py", LACKING)))
    assert not [seen for seen in bench.seen(bench.do("field")) if seen[0] == "repr"]


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        (
            "It is deprecated. It was so since 2.10. " + "Use it " * 9,
            "It is deprecated. It was so since 2.10.",
        ),
        ("Expected one of ('a', 'b'), but nothing came " * 2, "Expected one of ('a', 'b')"),
        ("The operator should be one of ['<', " + "'==', " * 20, "The operator should be one of"),
    ],
)
def test_a_long_message_ends_where_a_sentence_pauses(text: str, beginning: str) -> None:
    assert stable_text(text).startswith(beginning)
    assert len(stable_text(text)) <= LONGEST


@pytest.mark.parametrize("text", ["at 0x7f00", "/tmp/x", "two\nlines", "x" * (LONGEST + 1), ""])
def test_a_message_of_chance_is_left_out(odd: Bench, text: str) -> None:
    found = odd.record(lit(text), odd.do("complain", -1))
    assert found is not None
    assert (found["raises"], found["message"]) == ("Odd", "")


def test_a_class_that_cannot_be_imported_is_told_by_one_that_can(odd: Bench) -> None:
    found = odd.record(lit(-1), odd.do("hide", -1))
    assert found is not None
    assert (found["raises"], found["message"]) == ("Odd", "hidden")
    assert odd.seen(lit(2), odd.do("hide", -1))[:2] == [("type", 1, "", "Odd"), ("length", 1, "", "2")]


def test_nothing_is_said_of_a_bare_object(odd: Bench) -> None:
    assert odd.seen(odd.do("anything")) == []


def test_nothing_comes_of_a_run_that_stops_early_leaves_or_is_slow(shop: Bench, odd: Bench) -> None:
    early = (*item(shop), shop.do("cart.Cart"), shop.do("cart.Cart.remove", -1, -2), lit(1))
    assert shop.record(*early, shop.do("money.Money", -1)) is None
    assert odd.record(odd.do("leave")) is None
    assert odd.record(lit(1), odd.do("wait", -1)) is None


def test_a_sequence_that_kills_its_process_costs_only_itself(isolated: Isolated, write: Write) -> None:
    write(
        "deadly.py",
        """
        import os

        def say(n: int) -> int:
            return n + 1

        def die() -> None:
            os.abort()

        def litter() -> int:
            open("left_behind", "w").close()
            return len(os.listdir("."))
        """,
    )
    found = isolated(
        """
        sys.path.insert(0, base)
        from tanteo.execute.guard import Guard
        from tanteo.execute.load import Wanted, load
        from tanteo.execute.recorder import run_recorder
        loaded = load(Wanted(("deadly",)), with_probes=False)
        number = {o.name: o.index for o in loaded.bindings.operations}
        say = lambda n: f"={n}\\n{number['deadly.say']} -1\\n".encode()
        die = f"{number['deadly.die']}\\n".encode()
        litter = f"{number['deadly.litter']}\\n".encode()
        codes = [say(1), die, litter, die, *map(say, range(20))]
        out = os.open(scratch + "/out", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        run_recorder(codes, out, loaded.bindings, Guard(scratch, frozenset()), scratch)
        lines = [json.loads(line) for line in open(scratch + "/out")]
        found["values"] = [[n, answer["observations"][0][3]] for n, answer in lines]
        """
    )
    assert found["values"] == [[0, "2"], [2, "1"], *([n, str(n - 3)] for n in range(4, 24))]


def test_an_observer_that_does_not_come_back_is_not_asked_again(isolated: Isolated, write: Write) -> None:
    write(
        "waiting.py",
        """
        import threading

        class Box:
            def __init__(self, size: int) -> None:
                self.size = size
            def get_nothing(self) -> int:
                return threading.Event().wait()
        """,
    )
    found = isolated(
        """
        import sys, time
        sys.path.insert(0, base)
        from tanteo.execute.guard import Guard
        from tanteo.execute.load import Wanted, load
        from tanteo.execute.recorder import run_recorder
        loaded = load(Wanted(("waiting",)), with_probes=False)
        (box,) = [o.index for o in loaded.bindings.operations if o.name == "waiting.Box"]
        codes = [f"={n}\\n{box} -1\\n".encode() for n in range(12)]
        out = os.open(scratch + "/out", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        began = time.monotonic()
        run_recorder(codes, out, loaded.bindings, Guard(scratch, frozenset()), scratch)
        found["seconds"] = time.monotonic() - began
        found["numbers"] = [json.loads(line)[0] for line in open(scratch + "/out")]
        """
    )
    assert found["numbers"] == list(range(12))
    assert found["seconds"] < 8  # it was waited for once


def test_an_observer_that_is_refused_something_costs_no_test(isolated: Isolated, write: Write) -> None:
    write(
        "serving.py",
        """
        import socket

        class Server:
            def __init__(self, size: int) -> None:
                self.size = size
            def get_answer(self) -> int:
                try:
                    socket.create_connection(("127.0.0.1", 9), 1)
                except Exception:
                    return 1
                return 2

        def ask(n: int) -> int:
            return Server(n).get_answer()
        """,
    )
    found = isolated(
        """
        import sys
        sys.path.insert(0, base)
        from tanteo.execute.guard import Guard
        from tanteo.execute.load import Wanted, load
        from tanteo.execute.recorder import run_recorder
        loaded = load(Wanted(("serving",)), with_probes=False)
        number = {o.name: o.index for o in loaded.bindings.operations}
        codes = [f"=3\\n{number['serving.' + name]} -1\\n".encode() for name in ("Server", "ask", "Server")]
        out = os.open(scratch + "/out", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        guard = Guard(scratch, frozenset())
        guard.install()
        run_recorder(codes, out, loaded.bindings, guard, scratch)
        lines = [json.loads(line) for line in open(scratch + "/out")]
        found["seen"] = [[n, [o[3] for o in answer["observations"]]] for n, answer in lines]
        """
    )
    assert found["seen"] == [
        [0, ["Server", "3"]],
        [2, ["Server", "3"]],
    ]  # neither its answer nor the call that is the test


def test_what_counts_its_calls_says_something_else_when_rehearsed(isolated: Isolated, write: Write) -> None:
    write(
        "counting.py",
        """
        import os
        import threading

        def name() -> str:
            return threading.Thread().name

        def leave() -> int:
            os.makedirs("left")
            open("behind", "x").close()
            return len({"left", "behind"} & {*os.listdir()})

        def look_around() -> str:
            return ",".join(sorted(os.listdir()))

        def look_elsewhere() -> int:
            return len(os.listdir("/"))
        """,
    )
    found = isolated(
        """
        sys.path.insert(0, base)
        from tanteo.execute.guard import Guard
        from tanteo.execute.load import Wanted, load
        from tanteo.execute.recorder import run_recorder
        loaded = load(Wanted(("counting",)), with_probes=False)
        asked = [o for o in loaded.bindings.operations if o.name.startswith("counting.")]
        codes = [f"{o.index}\\n".encode() for o in asked]
        guard = Guard(scratch, frozenset())
        guard.install()
        for again in (False, True):
            out = os.open(scratch + f"/out{again}", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
            run_recorder(codes, out, loaded.bindings, guard, scratch, again)
            lines = [json.loads(line) for line in open(scratch + f"/out{again}")]
            elsewhere = [asked[n].name for n, answer in lines if "elsewhere" in answer]
            assert elsewhere == ["counting.look_elsewhere"]
            known = {asked[n].name: answer for n, answer in lines if "observations" in answer}
            found[str(again)] = {name: answer["observations"][0][3] for name, answer in known.items()}
        """
    )
    assert found["False"]["counting.name"] != found["True"]["counting.name"]
    assert found["False"]["counting.leave"] == found["True"]["counting.leave"] == "2"
    assert found["False"]["counting.look_around"] != found["True"]["counting.look_around"]


def test_an_argument_of_a_new_object_decides_what_can_be_asked_of_it(odd: Bench) -> None:
    found = odd.record(lit(4), odd.do("Counter", -1))
    assert found is not None
    assert [attribute for _, attribute in found["hinges"][0]] == ["size"]
    assert found["idle"] == 0
    found = odd.record(lit(3), odd.do("Counter", -1))  # which is the default
    assert found is not None
    assert found["hinges"] == [[]]
    assert found["idle"] == 1


def test_an_iterator_is_seen_by_its_elements_if_it_comes_to_an_end(odd: Bench) -> None:
    assert odd.seen(lit(3), odd.do("doubled", -1)) == [("elements", 1, "", "[0, 2, 4]")]
    assert [kind for kind, *_ in odd.seen(lit(3), odd.do("upwards", -1))] != ["elements"]


def test_who_makes_dice_that_nobody_has_seeded_leaves_it_to_chance(odd: Bench) -> None:
    assert odd.record(lit(3), odd.do("sampled", -1)) == {"chance": True}
    assert odd.seen(lit(3), odd.do("seeded", -1))[0][0] == "value"


def test_a_list_that_is_too_long_to_be_written_down_is_known_by_its_start(odd: Bench) -> None:
    assert odd.seen(lit(30), odd.do("far", -1)) == [("start", 1, "", "[0, 1, 2]"), ("length", 1, "", "30")]
    assert odd.seen(lit(7), odd.do("endless", -1)) == [("start", 1, "", "[7, 7, 7]")]
    assert odd.seen(lit(3), odd.do("far", -1)) == [("value", 1, "", "[0, 1, 2]")]


def test_that_a_generator_is_a_list_is_our_doing(odd: Bench) -> None:
    assert odd.seen(lit(2), odd.do("strangers", -1)) == [("length", 1, "", "2")]
    assert [kind for kind, *_ in odd.seen(odd.do("blank"))] == ["type", "length"]


def test_what_hinges_on_the_order_of_a_set_is_left_to_chance(odd: Bench) -> None:
    several = (lit(1), lit(2), odd.do("set", -2, -1))
    assert odd.record(*several, odd.do("first", -1)) == {"chance": True}
    assert odd.seen(lit(1), odd.do("set", -1), odd.do("first", -1))[0][3] == "1"
    assert odd.seen(*several, odd.do("far", -2))[0][3] == "list"


def test_a_float_that_was_put_in_is_exact_and_a_computed_one_is_not(odd: Bench) -> None:
    for name, exact in (("first", True), ("half", False)):
        given = lit([0.123456789] if name == "first" else 0.123456789)
        found = odd.record(given, odd.do(name, -1))
        assert found is not None
        assert [Observation(*o).exact for o in found["observations"]] == [exact]


def test_the_order_of_a_set_is_not_asserted(odd: Bench) -> None:
    two = (lit(3), lit(1), odd.do("Heap", -2, -1))
    assert odd.seen(*two, odd.do("Heap.__iter__", -1)) == [("length", 3, "", "2")]
    changed = [o for o in odd.seen(*two, lit(2), odd.do("Heap.put", -2, -1)) if o[0] == "changed"]
    assert [source for *_, source in changed] == ["{1, 2, 3}"]
    one = (lit(3), odd.do("Heap", -1), odd.do("Heap.__iter__", -1))
    assert odd.seen(*one) == [("value", 2, "", "[3]")]


def test_an_object_where_anything_will_do_is_noted(odd: Bench) -> None:
    found = odd.record(lit(3), odd.do("Heap", -1), odd.do("take_any", -1))
    assert found is not None
    assert found["stuffed"] is True
    inside = odd.record(lit(3), odd.do("Heap", -1), odd.do("list", -1), odd.do("take_any", -1))
    assert inside is not None
    assert inside["stuffed"] is True
    plain = odd.record(lit(3), odd.do("take_any", -1))
    assert plain is not None
    assert plain["stuffed"] is False


def test_that_a_representation_is_a_text_says_nothing(odd: Bench) -> None:
    assert odd.seen(odd.do("Vague"), odd.do("Vague.__repr__", -1)) == []


@pytest.mark.parametrize(
    ("before", "last", "padded"),
    [("label", "count", True), ("put", "count", False), ("label", "refuse", True), ("put", "refuse", False)],
)
@pytest.mark.parametrize("receiver", [-3, -1])  # the box, and what its method has given back
def test_a_call_before_that_nobody_sees_is_noted(
    odd: Bench, before: str, last: str, padded: bool, receiver: int
) -> None:
    given = lit("a") if before == "label" else lit(1)
    found = odd.record(odd.do("Box"), given, odd.do(f"Box.{before}", -2, -1), odd.do(f"Box.{last}", receiver))
    assert found is not None
    assert found["padded"] is padded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("expected a number, got <built-in function abs>", "expected a number, got"),
        ("no <class 'int'> here", ""),
        ("invalid host '<built-in", "invalid host"),
        ("invalid <tag> 'a'", "invalid <tag> 'a'"),
    ],
)
def test_what_python_shows_of_its_own_is_no_message(text: str, expected: str) -> None:
    assert stable_text(text) == expected
