"""Exceptions that escape: what makes one a fault of the code, and each thing that explains it otherwise."""

from __future__ import annotations

import re
from dataclasses import replace
from types import ModuleType

import pytest

from tanteo import blame
from tanteo.assembly import open_here
from tanteo.bindings import Bindings
from tanteo.classify import Rules, Ruling
from tanteo.engine import explore
from tanteo.execute.interpret import interpret
from tanteo.model import Broken, Literal, Run, Statement, Verdict, call, say, sequence
from tanteo.operations import read_modules
from tanteo.passing import Passing
from tanteo.types import FUNCTION, Guess, Slot, Want
from tests.unit.conftest import Import, Write

SOURCE = '''
TABLE = {"a": 1}

def join(items: list[str]) -> str:
    return items[0] + items[-1]

def nth(items: list[str], n: int) -> str:
    return items[n]

def skip(items: list[str], n: int) -> str:
    end = n + 1
    return items[end]

def after(items: list[str], pos: int) -> str:
    end = pos + 1
    return items[end]

def before(items: list[str], start: int) -> str:
    return items[start - 9]

def letter(text: str) -> int:
    return ord(text)

class Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def read(self) -> str:
        self.pos += 1
        return self.text[:self.pos]

    def prepare(self) -> None:
        self.ready = [1]

    def proceed(self) -> int:
        return self.ready[0]

class Shelf:
    def __init__(self, label: str, note: str | None = None) -> None:
        self.label, self.note = label, note

    def price(self) -> int:
        return TABLE[self.label]

    def remark(self) -> str:
        return self.note.upper()

class Steps:
    def __init__(self, text: str) -> None:
        self.left = iter(text)

    def step(self) -> str:
        return next(self.left)

def checked(shelf: Shelf) -> int:
    return _check(shelf)

def _check(shelf: Shelf) -> int:
    assert shelf.label != "b"
    return 1

def follow(reader: Reader) -> str:
    return reader.text[reader.pos]

def mean(items: list[float]) -> float:
    return sum(items) / len(items)

def divide(a: int, b: int) -> float:
    return a / b

def translate(text: str) -> int:
    return TABLE[text]

def internal(text: str) -> int:
    return TABLE["b"]

def told(text: str, template: str) -> str:
    return template.format(text)

def refuses(text: str) -> int:
    raise KeyError("never")

def documented(items: list[str]) -> str:
    """The ends. Raises IndexError if there are none."""
    return items[0]

def untyped(items):
    return items[0]

def get_head(items: list[str]) -> str:
    return items[0]

def apply(function: "Callable", items: list[int]) -> int:
    return function(items)[0]

def anything(items: list) -> int:
    return sum(items)

def exhausted(items: list[int]) -> int:
    return next(iter(items))

def untyped_mean(items):
    return 1 / sum(items)

def group(match):
    """The first of match.

    :param re.Pattern match: or a match
    """
    return match.groups()[0]

class Described:
    """A mix-in for what has a text."""

    def shout(self) -> str:
        return self.text.upper()

    def __str__(self) -> str:
        return self.text

class Poem(Described):
    def __init__(self) -> None:
        self.text = "so much depends"

class Careless:
    def roar(self) -> str:
        return self.text.upper()

def fails_always(items: list[str]) -> str:
    return {}["x"]
'''


class Judge:
    """Calls functions of the module that have worked before."""

    def __init__(self, module: ModuleType) -> None:
        self.bindings: Bindings = read_modules([module], frozenset({module.__name__}), {}, False)
        self.numbers = {o.name.rpartition(".")[2]: o.index for o in self.bindings.operations}
        files = frozenset({str(module.__file__)})
        self.rules = Rules(
            Passing(self.bindings.operations, self.bindings.slots, self.bindings.functions), files
        )
        self.rules.passing.worked.update(self.numbers.values())

    def call(self, name: str, *values: object) -> Ruling:
        literals = [say(Literal(value, repr(value))) for value in values]
        made = [*literals, call(self.numbers[name], tuple(range(-len(values), 0)))]
        return self.rules.classify(interpret(sequence(made), self.bindings.calls), None, None)


@pytest.fixture
def judge(load_source: Import) -> Judge:
    return Judge(load_source("shop", SOURCE))


@pytest.mark.parametrize(
    ("name", "values", "exception"),
    [
        ("join", ([],), "IndexError"),
        ("skip", (["a"], 3), "IndexError"),
        ("mean", ([],), "ZeroDivisionError"),
        ("internal", ("a",), "KeyError"),
        ("exhausted", ([],), "StopIteration"),
    ],
)
def test_a_slip_on_legal_arguments_is_a_fault(
    judge: Judge, name: str, values: tuple[object, ...], exception: str
) -> None:
    ruling = judge.call(name, *values)
    assert ruling.verdict is Verdict.FAULT
    assert ruling.fault is not None
    assert (ruling.fault.exception, ruling.fault.level) == (exception, "fault")
    assert "every argument is what its parameter declares" in ruling.reason


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("nth", (["a"], 7)),  # the index is the caller's
        ("after", (["a"], 7)),  # also what comes after it
        ("before", (["a"], True)),
        ("letter", ("ab",)),  # of one character, as everybody knows
        ("divide", (1, 0)),  # so is the nought
        ("translate", ("b",)),  # and the key
        ("told", ("a", "{.b}")),  # and the template
        ("refuses", ("b",)),  # on purpose
        ("documented", ([],)),
        ("untyped", ([],)),  # nobody says what may be passed
        ("get_head", ([],)),  # a look-up that finds nothing
        ("apply", (lambda items: [], [1])),  # what a function does that we pass is our affair
        ("anything", (["a"],)),  # a list of what?
    ],
)
def test_what_explains_an_exception_otherwise(judge: Judge, name: str, values: tuple[object, ...]) -> None:
    assert judge.call(name, *values).verdict is Verdict.EXPECTED


def test_an_operation_that_never_works_is_not_understood(judge: Judge) -> None:
    assert judge.call("fails_always", ["a"]).verdict is Verdict.FAULT
    judge.rules.passing.worked.clear()
    assert judge.call("fails_always", ["a"]).verdict is Verdict.EXPECTED


def test_an_object_of_a_class_that_we_made_up_excuses_everything(judge: Judge) -> None:
    assert judge.call("join", []).verdict is Verdict.FAULT
    number = judge.numbers["join"]
    judge.bindings.operations[number] = replace(
        judge.bindings.operations[number], definition="class Some: ..."
    )
    assert judge.call("join", []).verdict is Verdict.EXPECTED


def test_arguments_of_the_wrong_type_are_ours(judge: Judge) -> None:
    assert judge.call("join", [None]).verdict is not Verdict.FAULT


@pytest.mark.parametrize(
    ("slot", "value", "legal"),
    [
        (Slot("x", (Want(int),), declared=True), 1, "every argument is what its parameter declares"),
        (Slot("x", (Want(object),)), 1, None),
        (Slot("x", (Want(object),), default=int), 1, "every argument is of a type that its documentation"),
        (
            Slot("x", (Want(object),), guesses=(Guess(Want(str), 3.0, "example"),)),
            "a",
            "every argument is of a type that its documentation",
        ),
        (Slot("x", (Want(object),), guesses=(Guess(Want(str), 3.0, "use"),)), "a", None),
        (Slot("x", (Want(FUNCTION),), declared=True), len, None),
        (Slot("x", (Want(object),), default=type(None)), None, None),
    ],
)
def test_what_makes_an_argument_legal(slot: Slot, value: object, legal: str | None) -> None:
    found = blame.legality([blame.Argument(slot, value)], IndexError())
    assert (found or "").startswith(legal or "")
    assert (found is None) == (legal is None)


@pytest.mark.parametrize(
    ("value", "error", "legal"),
    [
        ([1], IndexError(), True),
        ([], IndexError(), False),  # where code that nobody has specified may end
        ([1], TypeError(), False),  # a list of what?
    ],
)
def test_what_works_otherwise_is_legal_where_nobody_says_anything(
    value: object, error: Exception, legal: bool
) -> None:
    slot = Slot("x", (Want(object),))
    assert (blame.legality([blame.Argument(slot, value, fares_well=True)], error) is not None) == legal


def test_what_was_learned_can_be_taken_over(judge: Judge) -> None:
    judge.rules.passing.beliefs.extend({} for _ in judge.bindings.operations)
    assert judge.call("untyped_mean", [1, -1]).verdict is Verdict.EXPECTED
    literal = say(Literal([1, -1], "[1, -1]"))
    made = sequence([literal, call(judge.numbers["untyped_mean"], (-1,))])
    judge.rules.passing.trust(interpret(made, judge.bindings.calls))
    assert judge.call("untyped_mean", [1, -1]).verdict is Verdict.FAULT
    assert judge.call("untyped_mean", (1, -1)).verdict is Verdict.EXPECTED


@pytest.mark.parametrize("name", ["get", "pop", "__getitem__", "first_item", "index_of", "find_all", "peek"])
def test_these_look_something_up(name: str) -> None:
    assert blame.looks_up(name)


@pytest.mark.parametrize("name", ["natural_list", "format", "together", "settle", "popular", "parse"])
def test_these_do_not(name: str) -> None:
    assert not blame.looks_up(name)


@pytest.mark.parametrize("values", [(1, "a"), ([1, 2, 3],), ({"a": [1]},), (float("nan"),), ()])
def test_these_are_small(values: tuple[object, ...]) -> None:
    assert blame.is_small(*values)


@pytest.mark.parametrize(
    "values",
    [(10**6,), ("a" * 100,), ([[0] * 9 for _ in range(9)],), tuple(range(30)), (float("inf"),), (len,)],
)
def test_these_may_take_long(values: tuple[object, ...]) -> None:
    assert not blame.is_small(*values)


class Named:
    """Without a name of its own."""

    def shout(self) -> str:
        return str(self.name).upper()  # type: ignore[attr-defined]


class Person(Named):
    """Has one."""

    def __init__(self) -> None:
        self.name = "ann"


def _error_of(thing: Named) -> Exception:
    with pytest.raises(AttributeError) as caught:
        thing.shout()
    return caught.value


def test_what_subclasses_have_to_bring_is_no_fault_of_the_class_that_asks_for_it() -> None:
    assert not blame.is_slip(_error_of(Named()))
    nameless = Person()
    del nameless.name
    assert blame.is_slip(_error_of(nameless))


CURRIED = """
class Later:
    def __init__(self, function=None):
        self.function = function

    def __get__(self, instance, owner=None):
        return self if instance is None else Later(instance)

    def __call__(self, number: int) -> int:
        return number if self.function is None else self.function(number)
"""


def test_nobody_is_blamed_for_the_owner_that_a_descriptor_was_given(
    write: Write, clean_imports: None
) -> None:
    session = open_here(str(write("curried.py", CURRIED)), steps=600)
    runs = [run for run in explore(session) if isinstance(run, Run)]
    assert any(type(value).__name__ == "Owner" for run in runs for value in _inside(run.values))
    assert [run.fault for run in runs if run.fault is not None] == []


def _inside(values: list[object]) -> list[object]:
    return [vars(value).get("function") for value in values if type(value).__name__ == "Later"]


def test_what_is_mixed_in_is_not_blamed_for_what_it_lacks(judge: Judge) -> None:
    ways = (("Described", "shout", Verdict.EXPECTED), ("Careless", "roar", Verdict.FAULT))
    for kind, method, verdict in ways:
        made = sequence([call(judge.numbers[kind], ()), call(judge.numbers[method], (-1,))])
        outcome = interpret(made, judge.bindings.calls)
        assert judge.rules.classify(outcome, None, None).verdict is verdict
    described = interpret(sequence([call(judge.numbers["Described"], ())]), judge.bindings.calls)
    try:
        str(described.values[0])
    except AttributeError as error:
        broken = Broken("str_raises_nothing", "str({x})", (0,), error)
    ruling = judge.rules.classify(described, broken, None)
    assert (ruling.verdict, "mixed in" in ruling.reason) == (Verdict.INVALID, True)


def test_nobody_answers_for_a_match_of_another_pattern() -> None:
    assert blame.is_active(re.match("a", "a"))
    assert not blame.is_active("a")


def test_the_state_that_an_object_was_left_in_may_be_at_its_end(judge: Judge) -> None:
    made = say(Literal("a", "'a'")), call(judge.numbers["Reader"], (-1,))
    read, follow = judge.numbers["read"], judge.numbers["follow"]
    used = sequence([*made, call(read, (-1,)), call(follow, (-2,))])
    assert judge.rules.classify(interpret(used, judge.bindings.calls), None, None).verdict is Verdict.EXPECTED


def test_what_another_method_prepares_is_called_too_early(judge: Judge) -> None:
    made = say(Literal("a", "'a'")), call(judge.numbers["Reader"], (-1,))
    early = sequence([*made, call(judge.numbers["proceed"], (-1,))])
    assert (
        judge.rules.classify(interpret(early, judge.bindings.calls), None, None).verdict is Verdict.EXPECTED
    )


def test_what_was_put_into_an_object_excuses_what_comes_back_out_of_it(judge: Judge) -> None:
    def level(*statements: Statement) -> str | None:
        ruling = judge.rules.classify(interpret(sequence(statements), judge.bindings.calls), None, None)
        return ruling.fault and ruling.fault.level

    number, text = judge.numbers, say(Literal("b", "'b'"))
    nothing = say(Literal(None, "None"))
    shelf = call(number["Shelf"], (-1,))
    assert level(text, shelf, call(number["price"], (-1,))) is None  # the key is the caller's
    assert level(text, shelf, call(number["checked"], (-1,))) == "suspicious"
    assert level(text, shelf, call(number["remark"], (-1,))) == "fault"
    asked = call(number["Shelf"], (-2, -1))
    assert level(text, nothing, asked, call(number["remark"], (-1,))) == "suspicious"
    steps, step = call(number["Steps"], (-1,)), number["step"]
    assert level(text, steps, call(step, (-1,)), call(step, (-2,))) is None  # it had one, and that is gone


def test_a_stranger_that_lacks_something_is_not_there_to_be_mixed_in() -> None:
    with pytest.raises(AttributeError) as caught:
        _ = object().name  # type: ignore[attr-defined]
    assert not blame.is_left_to_others(caught.value)
