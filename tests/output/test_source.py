"""Sequences as people read them: exact texts, and texts that do what the sequence did."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from tanteo.bindings import Bindings
from tanteo.emit.source import as_statement, render
from tanteo.execute.interpret import interpret
from tanteo.model import Literal, Repeat, Statement, call, say, sequence
from tanteo.operations import read_modules

Names = Callable[[str], int]
LIST, TUPLE, DICT, SET = range(4)

SUBJECT = """
import enum

log = []

def note(*args, **named):
    log.append((args, named))
    return args[0] if args else None

def first(items): return items[0]
def extend(items, value): items.append(value)
def len(x): return ("own", x)
def numbers(n):
    while True:
        yield n
async def wait(x): return x

class Colour(enum.Enum):
    RED = 1

class TreeMap:
    def __init__(self, *items, limit=10):
        self.items = list(items)
        self.size = limit
    def put(self, key, value=None):
        self.items.append((key, value))
        return self
    def __eq__(self, other): return self.items == other.items
    def __len__(self): return 0
    def __getitem__(self, key): return key
    def __setitem__(self, key, value): note(key, value)
    def __delitem__(self, key): note(key)
    def __contains__(self, key): return note(key)
    def __add__(self, other): return note("add", other)
    def __radd__(self, other): return note(other)
    def __rpow__(self, other): return note(other)
    def __rmul__(self, other): return note(other)
    def __iadd__(self, other):
        self.items.append(other)
        return self
    def __neg__(self): return note("neg")
    def __call__(self, x, y=0): return note(x, y)
    def __enter__(self): note("enter")
    def __exit__(self, *error): note("exit")
    def __iter__(self): return iter(self.items)
    def __index__(self): return 3
    def __hash__(self): return 1
    @property
    def width(self): return self.size
    @width.setter
    def width(self, value): self.size = value
    @classmethod
    def of(cls, x): return cls(x)

class List(TreeMap): pass
class Set(TreeMap): pass
class X(TreeMap): pass
class Operator(TreeMap): pass
class Lambda(TreeMap):
    def from_(self, x): return note(x)
class X0(TreeMap): pass
"""


@pytest.fixture(scope="module")
def subject() -> Iterator[ModuleType]:
    """The subject under two names: the second one has the same things once more."""
    package = ModuleType("stock")
    for name in ("stock.shelf", "stock.cellar"):
        module = ModuleType(name)
        sys.modules[name] = module
        exec(SUBJECT, module.__dict__)
        for thing in vars(module).values():
            if hasattr(thing, "__module__") and callable(thing):
                thing.__module__ = name
    sys.modules["stock"] = package
    yield sys.modules["stock.shelf"]
    for name in ("stock", "stock.shelf", "stock.cellar"):
        del sys.modules[name]


@pytest.fixture(scope="module")
def bindings(subject: ModuleType) -> Bindings:
    modules = [subject, sys.modules["stock.cellar"]]
    return read_modules(modules, frozenset({"stock"}), {}, False)


@pytest.fixture
def op(bindings: Bindings) -> Names:
    """Operation numbers by name, the first module's without its name."""
    numbers = {o.name.removeprefix("stock.shelf."): o.index for o in bindings.operations}
    return lambda name: numbers[name]


def lit(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def text(bindings: Bindings, *statements: Statement, **more: Any) -> str:
    return render(sequence(statements), bindings.operations, **more)


def same_effect(bindings: Bindings, subject: ModuleType, *statements: Statement) -> str:
    """The text, after checking that running it does what interpreting the sequence did."""
    source = text(bindings, *statements)
    log: list[object] = vars(subject)["log"]
    log.clear()
    outcome = interpret(sequence(statements), bindings.calls)
    assert outcome.error is None
    expected = repr(log)
    log.clear()
    exec(compile(source, "<rendered>", "exec"), {})
    assert repr(log) == expected, source
    assert expected != "[]"
    return source


# ---- exact texts -------------------------------------------------------------------------------


def test_a_plain_sequence(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        lit(3),
        lit("a"),
        call(op("TreeMap"), (-2,)),
        call(op("TreeMap.put"), (-1, -2)),
        call(op("TreeMap.__len__"), (-2,)),
    )
    assert made == (
        "from stock.shelf import TreeMap\n\ntree_map = TreeMap(3)\ntree_map.put('a')\nlen(tree_map)\n"
    )


def test_keywords_and_displays(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        lit(1),
        lit("k"),
        call(LIST, (-2, -1)),
        call(TUPLE, (-3,)),
        call(TUPLE, (-4, -3)),
        call(DICT, (-4, -5)),
        call(SET, (-6,)),
        call(SET, ()),
        call(DICT, ()),
        call(LIST, ()),
        call(TUPLE, ()),
        call(op("note"), (-9, -8, -7, -6, -5, -4, -3, -2, -1), ("a", "b")),
    )
    assert made == (
        "from stock.shelf import note\n"
        "\n"
        "note([1, 'k'], (1,), (1, 'k'), {'k': 1}, {1}, set(), {}, a=[], b=())\n"
    )


def test_operators_and_attributes(bindings: Bindings, op: Names) -> None:
    tree = call(op("TreeMap"), ())
    made = text(
        bindings,
        tree,
        lit("k"),
        lit(2),
        call(op("TreeMap.__setitem__"), (-3, -2, -1)),
        call(op("TreeMap.__getitem__"), (-4, -3)),
        call(op("TreeMap.__delitem__"), (-5, -4)),
        call(op("TreeMap.__contains__"), (-6, -5)),
        call(op("TreeMap.__add__"), (-7, -7)),
        call(op("TreeMap.__radd__"), (-8, -6)),
        call(op("TreeMap.__neg__"), (-9,)),
        call(op("TreeMap.__call__"), (-10, -8), ("y",)),
        call(op("TreeMap.width"), (-11,)),
        call(op("TreeMap.width ="), (-12, -1)),
        call(op("TreeMap.__enter__"), (-13,)),
        call(op("TreeMap.__hash__"), (-14,)),
    )
    assert made == (
        "from stock.shelf import TreeMap\n"
        "\n"
        "tree_map = TreeMap()\n"
        "tree_map['k'] = 2\n"
        "_ = tree_map['k']\n"
        "del tree_map['k']\n"
        "_ = 'k' in tree_map\n"
        "_ = tree_map + tree_map\n"
        "_ = 2 + tree_map\n"
        "_ = -tree_map\n"
        "tree_map(y=2)\n"
        "width = tree_map.width\n"
        "tree_map.width = width\n"
        "with tree_map: pass\n"
        "hash(tree_map)\n"
    )


def test_standard_modules_are_imported_where_they_are_used(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        lit(1),
        call(op("wait"), (-1,)),
        call(op("numbers"), (-2,)),
        call(op("TreeMap"), ()),
        call(op("TreeMap.__index__"), (-1,)),
        call(op("TreeMap.__iter__"), (-2,)),
    )
    assert made == (
        "import asyncio\n"
        "import itertools\n"
        "import operator\n"
        "from stock.shelf import TreeMap, numbers, wait\n"
        "\n"
        "asyncio.run(wait(1))\n"
        "list(itertools.islice(numbers(1), 100))\n"
        "tree_map = TreeMap()\n"
        "operator.index(tree_map)\n"
        "list(itertools.islice(tree_map, 100))\n"
    )


def test_variables_of_the_same_kind_are_counted(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        call(op("TreeMap"), ()),
        call(op("TreeMap"), ()),
        call(op("TreeMap.__eq__"), (-2, -1)),
        call(op("note"), (-1,)),
        call(op("note"), (-1,)),
    )
    assert made == (
        "from stock.shelf import TreeMap, note\n"
        "\n"
        "tree_map = TreeMap()\n"
        "tree_map_2 = TreeMap()\n"
        "value = tree_map == tree_map_2\n"
        "result = note(value)\n"
        "note(result)\n"
    )


def test_two_modules_with_the_same_names(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        call(op("TreeMap"), ()),
        call(op("stock.cellar.TreeMap"), ()),
        call(op("note"), (-2, -1)),
    )
    assert made == (
        "from stock.cellar import TreeMap as cellar_TreeMap\n"
        "from stock.shelf import TreeMap, note\n"
        "\n"
        "tree_map = TreeMap()\n"
        "tree_map_2 = cellar_TreeMap()\n"
        "note(tree_map, tree_map_2)\n"
    )


def test_constants_class_methods_and_builtins(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        call(op("Colour.RED"), ()),
        say(Literal(sorted, "sorted")),
        call(op("TreeMap.of"), (-1,)),
        call(op("note"), (-1, -3)),
    )
    assert made == (
        "from stock.shelf import Colour, TreeMap, note\n"
        "\n"
        "red = Colour.RED\n"
        "result = TreeMap.of(sorted)\n"
        "note(result, red)\n"
    )


def test_repeats_are_loops(bindings: Bindings, op: Names) -> None:
    put = op("TreeMap.put")
    made = text(
        bindings,
        call(op("TreeMap"), ()),
        lit(1),
        lit("a"),
        call(put, (-3, -2), (), Repeat((1,), 2, ((5, 6),))),
        call(put, (-4, -3, -2), (), Repeat((1, 2), 2, ((5, 6), ("x", "y")))),
        call(put, (-5, -4, -3), ("value",), Repeat((2,), 2, (("x", "y"),))),
        call(put, (-6, -6), (), Repeat((), 3, ())),
        call(op("note"), (-1,)),
    )
    assert made == (
        "from stock.shelf import TreeMap, note\n"
        "\n"
        "tree_map = TreeMap()\n"
        "for key in [5, 6]:\n"
        "    tree_map.put(key)\n"
        "for key, value in [(5, 'x'), (6, 'y')]:\n"
        "    tree_map.put(key, value)\n"
        "for value in ['x', 'y']:\n"
        "    tree_map.put(1, value=value)\n"
        "for _ in range(3):\n"
        "    result = tree_map.put(tree_map)\n"
        "note(result)\n"
    )


def test_the_assertion_comes_last(bindings: Bindings, op: Names) -> None:
    statements = (call(op("TreeMap"), ()), call(op("TreeMap.put"), (-1, -1)))
    head = "from stock.shelf import TreeMap\n\ntree_map = TreeMap()\nresult = tree_map.put(tree_map)\n"
    assert text(bindings, *statements, about=(1,), assertion="itself = {x}\n{x} == itself") == (
        head + "itself = result\nassert result == itself\n"
    )
    assert text(bindings, *statements, about=(1,), assertion="hash({x})") == head + "hash(result)\n"


def test_in_place_operators_go_on_with_their_target(bindings: Bindings, op: Names) -> None:
    made = text(
        bindings,
        call(op("TreeMap"), ()),
        lit(1),
        call(op("TreeMap.__iadd__"), (-2, -1)),
        call(op("note"), (-1,)),
    )
    assert made == (
        "from stock.shelf import TreeMap, note\n\ntree_map = TreeMap()\ntree_map += 1\nnote(tree_map)\n"
    )


# ---- texts that must do what the sequence did --------------------------------------------------


def test_a_class_named_like_a_keyword(bindings: Bindings, subject: ModuleType, op: Names) -> None:
    same_effect(
        bindings,
        subject,
        call(op("Lambda"), ()),
        lit(1),
        call(op("Lambda.from_"), (-2, -1)),
        call(op("note"), (-1,)),
    )


@pytest.mark.parametrize("name", ["List", "Set", "Operator"])
def test_a_class_named_like_what_the_text_needs(
    bindings: Bindings, subject: ModuleType, op: Names, name: str
) -> None:
    same_effect(
        bindings,
        subject,
        lit(1),
        call(op(name), (-1,)),
        call(op("TreeMap.__iter__"), (-1,)),
        call(op("TreeMap.__index__"), (-2,)),
        call(SET, ()),
        call(op("note"), (-3, -2, -1)),
    )


def test_a_function_named_like_what_the_text_needs(
    bindings: Bindings, subject: ModuleType, op: Names
) -> None:
    same_effect(
        bindings,
        subject,
        lit(1),
        call(op("len"), (-1,)),
        call(op("TreeMap"), ()),
        call(op("TreeMap.__len__"), (-1,)),
        call(op("note"), (-1, -3)),
    )


def test_a_builtin_passed_beside_a_function_of_the_same_name(
    bindings: Bindings, subject: ModuleType, op: Names
) -> None:
    same_effect(
        bindings,
        subject,
        lit(1),
        call(op("len"), (-1,)),
        say(Literal(len, "len")),
        call(op("note"), (-1, -2)),
    )


@pytest.mark.parametrize(("name", "positions"), [("X", (1,)), ("X0", (1, 2))])
def test_a_variable_named_like_that_of_a_loop(
    bindings: Bindings, subject: ModuleType, op: Names, name: str, positions: tuple[int, ...]
) -> None:
    columns = tuple((number, number) for number in range(len(positions)))
    same_effect(
        bindings,
        subject,
        call(op(name), ()),
        lit(1),
        lit(2),
        call(op("TreeMap.put"), (-3, -2, -1), (), Repeat(positions, 2, columns)),
        call(op("TreeMap.__len__"), (-4,)),
        call(op("note"), (-1,)),
    )


@pytest.mark.parametrize("key", ["{2}", "{1}", "{0}", "{args}", "{symbol:note}", "{x}"])
def test_braces_in_a_literal_stay(bindings: Bindings, subject: ModuleType, op: Names, key: str) -> None:
    same_effect(
        bindings,
        subject,
        call(op("TreeMap"), ()),
        lit(key),
        lit("{0}"),
        call(op("TreeMap.__setitem__"), (-3, -2, -1)),
        call(op("TreeMap.__call__"), (-4, -3)),
        call(op("note"), (-4, -3)),
    )


@pytest.mark.parametrize("value", [-1, -0.5, 1j, "a"], ids=repr)
def test_literals_bind_as_tightly_as_values(
    bindings: Bindings, subject: ModuleType, op: Names, value: object
) -> None:
    for name in ("TreeMap.__rpow__", "TreeMap.__rmul__"):
        same_effect(bindings, subject, call(op("TreeMap"), ()), lit(value), call(op(name), (-2, -1)))


@pytest.mark.parametrize("display", [LIST, DICT, SET])
def test_a_container_that_is_used_twice_is_one_object(
    bindings: Bindings, subject: ModuleType, op: Names, display: int
) -> None:
    source = text(bindings, call(display, ()), call(op("note"), (-1,)), call(op("note"), (-1, -2)))
    log: list[Any] = vars(subject)["log"]
    log.clear()
    exec(source, {})
    assert log[0][0][0] is log[1][0][1], source


def test_a_container_that_was_changed_stays_changed(
    bindings: Bindings, subject: ModuleType, op: Names
) -> None:
    same_effect(
        bindings,
        subject,
        lit(1),
        call(LIST, (-1,)),
        lit(2),
        call(op("extend"), (-2, -1)),
        call(op("note"), (-3,)),
    )


def test_every_text_can_be_compiled(bindings: Bindings, op: Names) -> None:
    for operation in bindings.operations:
        if operation.kind == "display":
            continue
        required = [p for p in operation.parameters if p.required]
        made = [call(op("TreeMap"), ())] if required else []
        inputs = (-1,) * len(required)
        source = text(bindings, *made, call(operation.index, inputs))
        compile(source, operation.name, "exec")


def test_what_is_only_looked_at_is_given_to_nobody() -> None:
    assert as_statement("x.size") == "_ = x.size"
    assert as_statement("getattr(x, 'size')") == "_ = getattr(x, 'size')"
    assert as_statement("x.grow()") == "x.grow()"
