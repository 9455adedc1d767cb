"""One test for each rule that turns what happened into a verdict with a reason."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tanteo.assembly import open_here
from tanteo.bindings import Bindings
from tanteo.classify import NORMAL, Rules, Ruling
from tanteo.execute.interpret import Hung, interpret
from tanteo.model import MISFIT_MARK, Broken, Fault, Literal, Outcome, Statement, Verdict, call, say, sequence
from tanteo.operations import read_modules
from tanteo.passing import Passing, passed_to
from tanteo.places import LONGEST_MESSAGE
from tanteo.types import ANYTHING, Slot, Want
from tests.unit.conftest import Import, Write

SOURCE = """
class Odd(Exception):
    def __str__(self):
        raise KeyError("str")

class Own(Exception):
    pass

class Closed:
    def __or__(self, other): return NotImplemented

def fine(x): return x
def unset(x: int):
    if x > 10:
        y = 1
    return y
def unset_untyped(x):
    return unset(x)
def asks_none(x: int):
    return None.missing
def asks_none_untyped(x):
    return None.missing
def calls_none(x: int):
    nothing = None
    return nothing(x)
def attribute(x: str):
    return x.missing
def wrong_inside(x: int):
    return fine(x, x)
def check(x: int):
    assert x > 100, "too small"
def checks_below(x: int):
    return check(x)
def assert_large(x: int):
    y = x + 1
    assert y > 100
def large_below(x: int):
    return assert_large(x)
def value_error(x): raise ValueError(f"no {x}")
def own_error(x: int): raise Own
def odd_error(x: int): raise Odd
def key_error(x: int): return {}[x]
def system_error(x: int): raise SystemError("bad internal call")
def stops(x): raise SystemExit(3)
def interrupts(x): raise KeyboardInterrupt
def eats(x): raise MemoryError
def recurses(x): return recurses(x)
def later(x): raise NotImplementedError
def imports(x): import nowhere_to_be_found
def changes(x: int):
    items = {1: 2}
    for i in items:
        items[i + 1] = x
def address(x: int):
    x = object()
    raise NameError(f"name {x!r} in /scratch/dir/file")
def long_message(x: int): raise NameError("x" * 1000)
def optional(x: "int | None"): return undefined
def many(x: int, *rest: int, key: str = ""): return undefined
def untyped_default(x=None): return undefined
def asks_key(x): return x["children"]
def asks_any(x, k): return x[k]
def asks_own(x):
    own = {"a": x}
    return own["b"]
"""


class Judge:
    """The tiny subject, ready to run calls and judge them."""

    def __init__(self, module: ModuleType) -> None:
        self.bindings: Bindings = read_modules([module], frozenset({module.__name__}), {}, False)
        self.numbers = {o.name.rpartition(".")[2]: o.index for o in self.bindings.operations}
        passing = Passing(self.bindings.operations, self.bindings.slots, self.bindings.functions)
        self.rules = Rules(passing, frozenset({str(module.__file__)}), "/scratch/dir")

    def run(self, statements: list[Statement]) -> Outcome:
        return interpret(sequence(statements), self.bindings.calls)

    def call(self, name: str, value: object = 1, *more: object, names: tuple[str, ...] = ()) -> Ruling:
        """The verdict on one call with these values."""
        values = (value, *more)
        inputs = tuple(range(-len(values), 0))
        statements = [*map(literal, values), call(self.numbers[name], inputs, names)]
        return self.rules.classify(self.run(statements), None, None)

    def broken(self, raised: BaseException | None, name: str = "fine", value: object = 1) -> Ruling:
        """The verdict on a run after which a contract did not hold."""
        outcome = self.run([literal(value), call(self.numbers[name], (-1,))])
        assert outcome.error is None
        return self.rules.classify(outcome, Broken("all_is_well", "well({x})", (1,), raised), None)


def literal(value: object) -> Statement:
    return say(Literal(value, repr(value)))


@pytest.fixture
def judge(load_source: Import) -> Judge:
    return Judge(load_source("judged", SOURCE))


def fault_of(ruling: Ruling) -> Fault:
    assert ruling.verdict is Verdict.FAULT, ruling
    assert ruling.fault is not None
    assert ruling.fault.reason == ruling.reason
    return ruling.fault


def test_a_call_that_returns_is_normal(judge: Judge) -> None:
    assert judge.call("fine") == NORMAL


def test_a_fixed_item_that_an_argument_does_not_have_is_a_misfit(judge: Judge) -> None:
    assert judge.call("asks_key", {"a": 1}).outcome.endswith(MISFIT_MARK)
    for ruling in (judge.call("asks_any", {"a": 1}, "b"), judge.call("asks_own")):
        assert ruling.outcome.startswith("KeyError at ")
        assert not ruling.outcome.endswith(MISFIT_MARK)


def test_what_the_guard_refused_is_invalid_whatever_else_happened(judge: Judge) -> None:
    outcome = judge.run([literal(1), call(judge.numbers["unset"], (-1,))])
    ruling = judge.rules.classify(outcome, None, "use the network")
    assert ruling.verdict is Verdict.INVALID
    assert ruling.outcome == "refused"
    assert "use the network" in ruling.reason


def test_a_run_that_does_not_come_back_is_hung(judge: Judge) -> None:
    statements = sequence([literal(1), call(judge.numbers["fine"], (-1,))])
    outcome = Outcome(statements, [1], Hung("still running"))
    ruling = judge.rules.classify(outcome, None, None)
    assert ruling.verdict is Verdict.HUNG
    assert ruling.fault is not None
    assert (ruling.fault.kind, ruling.fault.level, ruling.fault.exception) == ("hang", "suspicious", None)
    assert ruling.fault.operation == "judged.fine"


TYPED = "def square(n: int) -> int:\n    return n * n\n"


@pytest.mark.parametrize(("waits", "level"), [(False, "fault"), (True, "suspicious")])
def test_who_is_busy_with_something_small_hangs_and_who_sleeps_may_wake(
    clean_imports: None, write: Write, waits: bool, level: str
) -> None:
    session = open_here(str(write("squares.py", TYPED)))
    number = next(o.index for o in session.operations if o.name == "squares.square")
    hung = Hung("still there")
    hung.waits = waits
    ruling = session.rules.classify(
        Outcome(sequence([literal(3), call(number, (-1,))]), [3], hung), None, None
    )
    assert ruling.fault is not None
    assert ruling.fault.level == level


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("stops", "asked the interpreter to stop: SystemExit"),
        ("interrupts", "asked the interpreter to stop: KeyboardInterrupt"),
        ("eats", "ran out of resources: MemoryError"),
        ("recurses", "ran out of resources: RecursionError"),
        ("later", "not available here: NotImplementedError"),
        ("imports", "not available here: ModuleNotFoundError"),
        ("changes", "a container changed while it was iterated"),
    ],
)
def test_what_says_nothing_about_the_code_is_invalid(judge: Judge, name: str, words: str) -> None:
    ruling = judge.call(name)
    assert (ruling.verdict, ruling.reason, ruling.fault) == (Verdict.INVALID, words, None)


def test_a_run_that_breaks_before_its_end_is_invalid(judge: Judge) -> None:
    statements = [literal(1), call(judge.numbers["unset"], (-1,)), call(judge.numbers["fine"], (-2,))]
    ruling = judge.rules.classify(judge.run(statements), None, None)
    assert ruling.verdict is Verdict.INVALID
    assert "before its last call" in ruling.reason


def test_a_type_error_at_the_call_boundary_is_our_mistake(judge: Judge) -> None:
    ruling = judge.call("fine", 1, 2)
    assert ruling.verdict is Verdict.INVALID
    assert "call boundary" in ruling.reason


def test_an_operand_that_an_operator_does_not_take_is_an_outcome(judge: Judge) -> None:
    statements = [call(judge.numbers["Closed"], ()), literal(1), call(judge.numbers["__or__"], (-2, -1))]
    ruling = judge.rules.classify(judge.run(statements), None, None)
    assert ruling.verdict is Verdict.EXPECTED
    assert "operand" in ruling.reason


def test_a_type_error_inside_is_an_outcome(judge: Judge) -> None:
    ruling = judge.call("wrong_inside")
    assert ruling.verdict is Verdict.EXPECTED
    assert ruling.outcome.startswith("TypeError at wrong_inside:")


@pytest.mark.parametrize("name", ["value_error", "own_error", "key_error", "attribute", "check", "odd_error"])
def test_code_may_raise(judge: Judge, name: str) -> None:
    ruling = judge.call(name, "a" if name == "attribute" else 1)
    assert ruling.verdict is Verdict.EXPECTED
    assert ruling.fault is None


def test_outcomes_are_told_apart_by_exception_and_place(judge: Judge) -> None:
    names = ("value_error", "own_error", "key_error", "check", "checks_below")
    assert len({judge.call(name).outcome for name in names}) == 4  # check raises in the same place twice
    assert judge.call("value_error", 1).outcome == judge.call("value_error", 2).outcome


def test_an_unset_variable_is_a_fault(judge: Judge) -> None:
    fault = fault_of(judge.call("unset"))
    assert fault.kind == "exception"
    assert fault.exception == "UnboundLocalError"
    assert fault.function == "unset"
    assert fault.operation == "judged.unset"
    assert fault.level == "fault"
    assert fault.line == 1 + SOURCE[: SOURCE.index("return y")].count("\n")
    assert fault.file.endswith("judged.py")
    assert "every argument is what its parameter declares" in fault.reason


def test_no_argument_excuses_an_unset_variable(judge: Judge) -> None:
    fault = fault_of(judge.call("unset_untyped"))
    assert fault.level == "fault"
    assert fault.function == "unset"
    assert fault.operation == "judged.unset_untyped"
    assert "nothing says what x of judged.unset_untyped may be" in fault.reason


def test_an_internal_error_of_the_interpreter_is_a_fault(judge: Judge) -> None:
    assert fault_of(judge.call("system_error")).exception == "SystemError"


@pytest.mark.parametrize("name", ["assert_large", "large_below"])
def test_who_is_called_to_assert_may(judge: Judge, name: str) -> None:
    assert judge.call(name).verdict is Verdict.EXPECTED


@pytest.mark.parametrize("name", ["asks_none", "calls_none"])
def test_asking_none_is_a_fault_where_types_are_declared(judge: Judge, name: str) -> None:
    never = fault_of(judge.call(name))
    assert (never.level, "perhaps something must be called before" in never.reason) == ("suspicious", True)
    judge.rules.passing.worked.update(judge.numbers.values())
    fault = fault_of(judge.call(name))
    assert fault.level == "fault"
    assert "something was asked of None" in fault.reason


def test_asking_none_is_suspicious_where_nothing_is_declared(judge: Judge) -> None:
    assert fault_of(judge.call("asks_none_untyped")).level == "suspicious"


def test_an_assertion_is_the_callers_affair_in_the_function_called_and_a_fault_below(judge: Judge) -> None:
    assert judge.call("check").verdict is Verdict.EXPECTED
    fault = fault_of(judge.call("checks_below"))
    assert (fault.function, fault.operation) == ("check", "judged.checks_below")
    assert fault.message == "too small"


@pytest.mark.parametrize("name", ["asks_none", "asks_none_untyped", "untyped_default"])
def test_none_that_nobody_asked_for_is_our_mistake(judge: Judge, name: str) -> None:
    ruling = judge.call(name, None)
    assert (ruling.verdict, ruling.fault) == (Verdict.INVALID, None)
    assert f"x of judged.{name} was None" in ruling.reason


def test_none_that_was_declared_is_legal(judge: Judge) -> None:
    assert fault_of(judge.call("optional", None)).level == "fault"
    ruling = judge.call("optional", "text")
    assert ruling.verdict is Verdict.INVALID
    assert "x of judged.optional was not int | None" in ruling.reason


def test_arguments_of_the_wrong_type_excuse_the_code(judge: Judge) -> None:
    ruling = judge.call("checks_below", 1.5)
    assert ruling.verdict is Verdict.INVALID
    assert ruling.fault is None
    assert "an assertion failed" in ruling.reason
    assert "x of judged.checks_below was not int" in ruling.reason


def test_wrong_arguments_of_an_earlier_call_excuse_the_code_too(judge: Judge) -> None:
    statements = [
        literal("a"),
        call(judge.numbers["fine"], (-1,)),
        literal(None),
        call(judge.numbers["fine"], (-1,)),
        literal(1),
        call(judge.numbers["unset"], (-1,)),
    ]
    ruling = judge.rules.classify(judge.run(statements), None, None)
    assert ruling.verdict is Verdict.INVALID
    assert "x of judged.fine was None" in ruling.reason


def test_extra_and_named_arguments_are_judged_by_their_parameters(judge: Judge) -> None:
    assert fault_of(judge.call("many", 1, 2, 3, "a", names=("key",))).level == "fault"
    assert "rest of judged.many" in judge.call("many", 1, 2, "b").reason
    assert "key of judged.many" in judge.call("many", 1, 2, 3, names=("key",)).reason
    assert judge.call("many", 1, 2, 3, names=("key",)).verdict is Verdict.INVALID


def test_messages_have_no_addresses_and_no_scratch_directory(judge: Judge) -> None:
    message = fault_of(judge.call("address")).message
    assert "0x..." in message
    assert "<scratch>/file" in message
    assert message == fault_of(judge.call("address")).message


def test_messages_are_cut(judge: Judge) -> None:
    assert fault_of(judge.call("long_message")).message == "x" * LONGEST_MESSAGE


def test_a_broken_contract_is_a_fault(judge: Judge) -> None:
    ruling = judge.broken(None)
    fault = fault_of(ruling)
    assert (fault.kind, fault.contract, fault.exception) == ("contract", "all_is_well", None)
    assert fault.about == (1,)
    assert fault.level == "fault"  # no argument excuses it
    assert "broke: all is well" in ruling.reason


def test_a_contract_that_raised_is_suspicious_where_nothing_is_declared(judge: Judge) -> None:
    fault = fault_of(judge.broken(KeyError("inside")))
    assert fault.level == "suspicious"
    assert fault.exception == "KeyError"
    assert "(KeyError)" in fault.reason


def test_a_contract_broken_by_illegal_input_is_our_mistake(judge: Judge) -> None:
    ruling = judge.broken(None, value=None)
    assert ruling.verdict is Verdict.INVALID
    assert "broke: all is well, but x of judged.fine was None" in ruling.reason


@pytest.mark.parametrize(
    ("raised", "verdict"),
    [
        (Hung("still running"), Verdict.HUNG),
        (KeyboardInterrupt(), Verdict.INVALID),
        (MemoryError(), Verdict.INVALID),
        (RecursionError(), Verdict.INVALID),
        (NotImplementedError(), Verdict.INVALID),
        (ImportError(), Verdict.INVALID),
    ],
    ids=repr,
)
def test_a_contract_that_could_not_be_checked_is_not_broken(
    judge: Judge, raised: BaseException, verdict: Verdict
) -> None:
    ruling = judge.broken(raised)
    assert ruling.verdict is verdict
    assert ruling.fault is None
    assert "while checking that all is well" in ruling.reason


def test_an_argument_that_cannot_be_compared_does_not_stop_the_judge() -> None:
    class Array:
        def __eq__(self, other: object) -> Array:  # type: ignore[override]
            return self

        def __bool__(self) -> bool:
            raise ValueError("ambiguous")

        __hash__ = None  # type: ignore[assignment]

    def make() -> Array:
        return Array()

    def use(mode: object) -> object:
        return undefined  # type: ignore[name-defined]  # noqa: F821

    bindings = Bindings()
    bindings.add("m.make", "function", "m", "make()", make, ())
    choice = Want(str, choices=(Literal("a", "'a'"),))
    bindings.add("m.use", "function", "m", "use({args})", use, (Slot("mode", (choice,), declared=True),))
    rules = Rules(Passing(bindings.operations, bindings.slots), frozenset({__file__}))
    outcome = interpret(sequence([call(0, ()), call(1, (-1,))]), bindings.calls)
    assert rules.classify(outcome, None, None).verdict is Verdict.INVALID


def slot(name: str, variadic: bool = False, keyword: bool = False) -> Slot:
    return Slot(name, (ANYTHING,), variadic=variadic, keyword=keyword)


@pytest.mark.parametrize(
    ("inputs", "names", "expected"),
    [
        (2, (), ["a", "b"]),
        (5, (), ["a", "b", "rest", "rest", "rest"]),
        (3, ("k", "b"), ["a", "k", "b"]),
        (4, ("k",), ["a", "b", "rest", "k"]),
        (0, (), []),
    ],
)
def test_inputs_go_to_their_parameters(inputs: int, names: tuple[str, ...], expected: list[str]) -> None:
    slots = (slot("a"), slot("b"), slot("rest", variadic=True), slot("k", keyword=True))
    statement = call(1, tuple(range(-inputs, 0)), names)
    assert [s.name for s in passed_to(slots, statement)] == expected


def test_the_place_is_the_innermost_frame_of_the_subject(judge: Judge) -> None:
    def outside(function: Callable[[int], object]) -> BaseException:
        try:
            function(1)
        except AssertionError as error:
            return error
        raise RuntimeError("it should have raised")

    error = outside(judge.bindings.calls[judge.numbers["checks_below"]])
    place = judge.rules.place(error)
    assert (place.function, place.depth) == ("check", 2)
    assert Rules(Passing([], []), frozenset()).place(error).depth == 0
