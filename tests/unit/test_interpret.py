"""Sequences are run by direct calls, in order, until one raises."""

from __future__ import annotations

from typing import Any

from tanteo.execute.interpret import interpret
from tanteo.model import Literal, Repeat, Statement, call, say, sequence


def literal(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def note(*args: Any, **named: Any) -> Any:
    return (args, named)


def test_arguments_by_position_and_keyword() -> None:
    statements = [
        literal("a"),
        literal("b"),
        literal("c"),
        call(0, ()),
        call(0, (-4,)),
        call(0, (-5, -4)),
        call(0, (-6, -5, -4)),
        call(0, (-7, -6, -5), ("x", "y")),
        call(0, (-8, -8), ("z",)),
    ]
    values = interpret(sequence(statements), [note]).values
    assert values[3:] == [
        ((), {}),
        (("a",), {}),
        (("a", "b"), {}),
        (("a", "b", "c"), {}),
        (("a",), {"x": "b", "y": "c"}),
        (("a",), {"z": "a"}),
    ]


def test_a_value_used_twice_is_the_same_object() -> None:
    outcome = interpret(sequence([call(0, ()), call(1, (-1, -1))]), [list, lambda a, b: a is b])
    assert outcome.values == [[], True]


def test_repeats_draw_new_arguments_and_leave_the_last_result() -> None:
    seen: list[object] = []

    def add(items: list[object], value: object, key: object = None) -> int:
        items.append((value, key))
        seen.append(value)
        return len(items)

    statements = [call(0, ()), literal(1), literal("k")]
    block = call(1, (-3, -2, -1), ("key",), Repeat((1, 2), 3, ((7, 8, 9), ("a", "b", "c"))))
    outcome = interpret(sequence([*statements, block]), [list, add])
    assert outcome.values[0] == [(7, "a"), (8, "b"), (9, "c")]
    assert outcome.values[-1] == 3
    plain = call(1, (-2, -1), (), Repeat((), 2, ()))
    assert interpret(sequence([call(0, ()), literal(5), plain]), [list, add]).values[0] == [(5, None)] * 2


def test_the_rest_is_not_run_after_an_error() -> None:
    called: list[int] = []

    def fail(x: int) -> None:
        called.append(x)
        raise SystemExit(x)

    made = sequence([literal(1), call(0, (-1,)), call(0, (-2,))])
    outcome = interpret(made, [fail])
    assert outcome.sequence is made
    assert outcome.values == [1]
    assert isinstance(outcome.error, SystemExit)
    assert called == [1]


def test_an_error_in_a_repeat_leaves_no_value() -> None:
    def fail(x: int) -> int:
        return 1 // x

    outcome = interpret(sequence([literal(1), call(0, (-1,), (), Repeat((0,), 3, ((1, 0, 1),)))]), [fail])
    assert outcome.values == [1]
    assert isinstance(outcome.error, ZeroDivisionError)


def test_repeats_do_not_change_the_statement() -> None:
    made = sequence([literal(1), call(0, (-1,), (), Repeat((0,), 2, ((5, 6),)))])
    assert interpret(made, [lambda x: x]).values == interpret(made, [lambda x: x]).values == [1, 6]
