"""Declared contracts of every dialect: refused before the call, blamed after it, told by their clause."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tanteo.bindings import Bindings
from tanteo.classify import Rules, Ruling
from tanteo.declared.invariants import invariant_contracts, template_of
from tanteo.declared.legality import guard_calls
from tanteo.declared.reading import invariants_of, requirements_of
from tanteo.declared.results import result_contracts
from tanteo.execute.interpret import interpret
from tanteo.model import Broken, Literal, Outcome, Verdict, call, say, sequence
from tanteo.operations import read_modules
from tanteo.passing import Passing
from tests.unit.conftest import Import

ICONTRACT = """
import icontract

@icontract.require(lambda x: x > 0)
@icontract.ensure(lambda result: result < 100)
def double(x: int) -> int:
    return 2 * x

@icontract.require(lambda x: x > 0, error=ValueError)
def own_error(x: int) -> int:
    return x

@icontract.require(lambda x: x[5] > 0)
def not_total(x: list[int]) -> int:
    return 1

def outer(x: int) -> int:
    return double(x - 1)

@icontract.ensure(lambda result: result["missing"] == 1)
def cannot_be_told(x: int) -> dict[str, int]:
    return {}

@icontract.invariant(lambda self: self.n >= 0)
class Counter:
    def __init__(self, n: int = 0) -> None:
        self.n = n

    def down(self) -> int:
        self.n -= 1
        return self.n

    @icontract.require(lambda self, by: self.n >= by)
    def reduce(self, by: int) -> None:
        self.n -= by

    def rob(self, other: "Counter") -> None:
        other.__dict__["n"] = -7
"""
DEAL = """
import deal

@deal.pre(lambda x: x > 0)
@deal.post(lambda result: result < 100)
def double(x: int) -> int:
    return 2 * x

@deal.pre(lambda _: _.x > 0, exception=ValueError)
def own_error(x: int) -> int:
    return x

def outer(x: int) -> int:
    return double(x - 1)

@deal.raises(ZeroDivisionError)
def divide(x: int) -> int:
    if x == 1:
        raise KeyError(x)
    return 1 // x

@deal.inv(lambda one: one.n >= 0)
class Counter:
    n = 0

    def down(self) -> int:
        self.n = self.n - 1
        return self.n
"""
DPCONTRACTS = """
from dpcontracts import ensure, require

@require("x must be positive", lambda args: args.x > 0)
@ensure("the result is small", lambda args, result: result < 100)
def double(x: int) -> int:
    return 2 * x

def outer(x: int) -> int:
    return double(x - 1)
"""
DOCSTRINGS = '''
LIMIT = 3

def half(x: int) -> int:
    """Half of it.

    pre: x % 2 == 0
    post: __return__ * 2 == x
    """
    return x // 2

def limited(x: int) -> int:
    """At most as much as there is.

    pre:
        x >= 0
        x <= LIMIT
    """
    return x

class Stack:
    """Things on top of each other.

    inv: self.size >= 0
    """
    def __init__(self) -> None:
        self.size = 0
'''
ANNOTATED = """
from typing import Annotated
from annotated_types import Ge, Gt, Interval, Len, MultipleOf, Predicate

def price(x: Annotated[int, Gt(0), MultipleOf(5)]) -> int:
    return x

def share(x: Annotated[float, Interval(ge=0, le=1)]) -> float:
    return x

def name(x: Annotated[str, Len(2, 4), Predicate(str.isupper)]) -> str:
    return x
"""


class Subject:
    """A module with contracts, ready to be called and judged."""

    def __init__(self, module: ModuleType) -> None:
        self.bindings: Bindings = read_modules([module], frozenset({module.__name__}), {}, False)
        guard_calls(self.bindings)
        self.numbers = {o.name.rpartition(".")[2]: o.index for o in self.bindings.operations}
        files = frozenset({str(module.__file__)})
        passing = Passing(self.bindings.operations, self.bindings.slots, self.bindings.functions)
        self.rules = Rules(passing, files, "", contracted=True)

    def call(self, name: str, *values: object) -> Ruling:
        """The verdict on one call."""
        literals = [say(Literal(value, repr(value))) for value in values]
        made = [*literals, call(self.numbers[name], tuple(range(-len(values), 0)))]
        return self.rules.classify(interpret(sequence(made), self.bindings.calls), None, None)

    def method(self, cls: str, name: str, *values: object) -> Ruling:
        """The verdict on a call of a method of a new object."""
        literals = [say(Literal(value, repr(value))) for value in values]
        inputs = (-1 - len(values), *range(-len(values), 0))
        made = [call(self.numbers[cls], ()), *literals, call(self.numbers[name], inputs)]
        return self.rules.classify(interpret(sequence(made), self.bindings.calls), None, None)


Load = Callable[[str], Subject]


@pytest.fixture
def load(load_source: Import) -> Load:
    return lambda source: Subject(load_source("shop", source))


def clause(ruling: Ruling) -> str | None:
    assert ruling.fault is not None, ruling
    return ruling.fault.contract


@pytest.mark.parametrize("source", [ICONTRACT, DEAL, DPCONTRACTS], ids=["icontract", "deal", "dpcontracts"])
def test_each_party_is_blamed_for_its_own(source: str, load: Load) -> None:
    subject = load(source)
    assert subject.call("double", 3).verdict is Verdict.NORMAL
    assert subject.call("double", -3).verdict is Verdict.INVALID
    assert (clause(subject.call("double", 60)) or "").startswith("postcondition: ")
    assert (clause(subject.call("outer", 1)) or "").startswith("precondition of what it calls: ")


@pytest.mark.parametrize("source", [ICONTRACT, DEAL], ids=["icontract", "deal"])
def test_the_clause_is_told_as_it_is_written(source: str, load: Load) -> None:
    subject = load(source)
    assert subject.call("double", -3).reason == "its precondition does not hold: x > 0"
    assert clause(subject.call("double", 60)) == "postcondition: result < 100"
    assert clause(subject.call("outer", 1)) == "precondition of what it calls: x > 0"
    assert subject.call("own_error", -1).verdict is Verdict.INVALID


def test_a_condition_that_cannot_be_evaluated_is_not_met(load: Load) -> None:
    assert load(ICONTRACT).call("not_total", [1]).verdict is Verdict.INVALID


def test_a_contract_that_fails_itself_is_only_suspicious(load: Load) -> None:
    ruling = load(ICONTRACT).call("cannot_be_told", 1)
    assert ruling.fault is not None
    assert (ruling.fault.level, ruling.verdict) == ("suspicious", Verdict.FAULT)


@pytest.mark.parametrize("source", [ICONTRACT, DEAL], ids=["icontract", "deal"])
def test_an_invariant_is_broken_by_the_method_that_breaks_it(source: str, load: Load) -> None:
    assert clause(load(source).method("Counter", "down")) in (
        "invariant: self.n >= 0",
        "invariant: one.n >= 0",
    )


def test_a_precondition_may_speak_of_the_receiver(load: Load) -> None:
    subject = load(ICONTRACT)
    assert subject.method("Counter", "reduce", 0).verdict is Verdict.NORMAL
    assert subject.method("Counter", "reduce", 1).verdict is Verdict.INVALID


def test_who_breaks_an_argument_is_seen_and_who_meets_it_is_not_blamed(load: Load) -> None:
    subject = load(ICONTRACT)
    counter, rob, down = (subject.numbers[n] for n in ("Counter", "rob", "down"))
    made = sequence([call(counter, ()), call(counter, ()), call(rob, (-2, -1))])
    outcome = interpret(made, subject.bindings.calls)
    kept = next(iter(invariant_contracts(subject.bindings.classes)))
    assert kept.check(outcome.values[0]) is True
    assert kept.check(outcome.values[1]) is False
    assert kept.template == "{x}.n >= 0"
    later = interpret(sequence([*made.statements, call(down, (-2,))]), subject.bindings.calls)
    assert subject.rules.classify(later, None, None).verdict is Verdict.INVALID


def test_who_writes_attributes_has_to_keep_the_invariant_himself(load_source: Import) -> None:
    source = """
    import dataclasses, icontract

    @icontract.invariant(lambda self: self.n >= 0)
    @dataclasses.dataclass
    class Point:
        n: int = 0
    """
    subject = Subject(load_source("shop", source))
    point, write = subject.numbers["Point"], subject.numbers["n ="]
    made = sequence([call(point, ()), say(Literal(-1, "-1")), call(write, (-2, -1))])
    outcome: Outcome = interpret(made, subject.bindings.calls)
    broken = Broken("invariant: self.n >= 0", "{x}.n >= 0", (0,), None)
    assert subject.rules.classify(outcome, broken, None).verdict is Verdict.INVALID


def test_declared_exceptions_may_be_raised_and_no_others(load: Load) -> None:
    subject = load(DEAL)
    assert subject.call("divide", 0).verdict is Verdict.EXPECTED
    assert (clause(subject.call("divide", 1)) or "").startswith("exception: ")


def test_a_class_that_deal_has_made_anew_is_the_modules_own(load: Load) -> None:
    subject = load(DEAL)
    assert "shop.Counter.down" in [o.name for o in subject.bindings.operations]
    assert not any("deal" in o.name for o in subject.bindings.operations)
    assert [text for text, _ in invariants_of(next(iter(subject.bindings.classes)))] == ["self.n >= 0"]


def test_docstrings_say_what_is_required(load_source: Import) -> None:
    module: Any = load_source("shop", DOCSTRINGS)
    (needed,) = requirements_of(module.half)
    assert [needed((x,), {}) for x in (4, 5)] == [None, "x % 2 == 0"]
    missing = [need((9,), {}) for need in requirements_of(module.limited)]
    assert missing == [None, "x <= LIMIT"]
    ((text, holds),) = invariants_of(module.Stack)
    stack = module.Stack()
    assert (text, holds(stack)) == ("self.size >= 0", True)
    stack.size = -1
    assert not holds(stack)


@pytest.mark.parametrize(
    ("name", "good", "bad", "text"),
    [
        ("price", 10, 11, "x % 5 == 0"),
        ("price", 10, -5, "x > 0"),
        ("share", 0.5, 1.5, "x <= 1"),
        ("name", "ABC", "A", "len(x) >= 2"),
        ("name", "ABC", "abc", "isupper(x)"),
        ("price", 10, "a", "x > 0"),
    ],
)
def test_annotated_bounds_are_required(
    name: str, good: object, bad: object, text: str, load_source: Import
) -> None:
    module: Any = load_source("shop", ANNOTATED)
    (needed,) = requirements_of(getattr(module, name))
    assert (needed((good,), {}), needed((), {"x": bad})) == (None, text)


def test_contracts_that_are_switched_off_are_said_to_be(load_source: Import) -> None:
    import deal

    module = load_source("shop", DEAL)
    deal.disable(warn=False)
    try:
        subject = Subject(module)
    finally:
        deal.enable(warn=False)
    assert any(s.name == "contracts of deal" for s in subject.bindings.skipped)


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("self.n >= 0", "{x}.n >= 0"),
        ("all(i in self for i in self.items)", "all((i in {x} for i in {x}.items))"),
        ("self.n >= LIMIT", ""),  # a name that a test does not have
        ("must be positive", ""),
    ],
)
def test_a_clause_becomes_an_assertion_if_a_test_can_say_it(text: str, template: str) -> None:
    assert template_of(text) == template


RESULTS = """
from typing import Any, Iterator, TypeVar
T = TypeVar("T")
def text(x: int) -> str: return x
def maybe(x: int) -> "str | None": return x
def whole(x: int) -> float: return x
def items(x: int) -> list[int]: return (x,)
def same(x: T) -> T: return x
def anything(x: int) -> Any: return x
def steps(x: int) -> Iterator[int]: yield x
def nothing(x: int) -> None: return x
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("text", "result: str"),
        ("maybe", "result: str | None"),
        ("whole", "result: float"),
        ("items", "result: list"),
        *((name, None) for name in ("same", "anything", "steps", "nothing")),
    ],
)
def test_a_function_returns_what_it_declares(name: str, words: str | None, load_source: Import) -> None:
    subject = Subject(load_source("shop", RESULTS))
    promise = result_contracts(subject.bindings).get(subject.numbers[name])
    assert (promise and promise.name) == words
    if promise is not None:
        assert promise.check(3) is (name == "whole")
        assert eval(promise.template.replace("{x}", "3")) is (name == "whole")
