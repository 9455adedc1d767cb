"""What a run shows only because of how Python happens to work, and not because somebody meant it."""

from __future__ import annotations

import contextlib
import random
import re
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from tanteo.bindings import Bindings
from tanteo.execute.idling import briefly, what_shows
from tanteo.execute.interpret import interpret
from tanteo.fingerprints import fingerprint
from tanteo.model import Literal, Outcome, Sequence, say, sequence
from tanteo.places import innermost, stands_at_raise, text_of

MISFITS = (TypeError, AttributeError)  # what a value of the wrong type leads to
ORDERED = (str, bytes, list, tuple)  # in which the order of a set would show
OF_TEMPLATE = re.compile(
    r"encountered in format string|Replacement index|arguments? for format string|unsupported format char"
    r"|incomplete format|<lambda>\(\) (takes|missing)"
)
DEEPEST = 5  # exceptions behind one another


@contextlib.contextmanager
def dice() -> Iterator[Callable[[], bool]]:
    """Tells whether chance has had a part: the common dice were rolled, or some made that nobody seeded."""
    state, seed = random.getstate(), random.Random.seed
    unseeded: list[random.Random] = []

    def note(self: random.Random, a: Any = None, version: int = 2) -> None:
        if a is None:
            unseeded.append(self)
        seed(self, a, version)

    random.Random.seed = note  # type: ignore[method-assign]
    try:
        yield lambda: bool(unseeded) or random.getstate() != state
    finally:
        random.Random.seed = seed  # type: ignore[method-assign]


def is_of_chance(value: object, outcome: Outcome) -> bool:
    """Whether a result may show in which order a set gives its elements."""
    if type(value) not in ORDERED or len(value) < 2:  # type: ignore[arg-type]
        return False
    given = outcome.values[: len(outcome.sequence) - 1]
    return any(isinstance(v, (set, frozenset)) and len(v) > 1 for v in given)


def hinges_on_order(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether something else comes out if a set that is passed gives its elements the other way round."""
    for position, value in enumerate(outcome.values[: len(outcome.sequence) - 1]):
        if isinstance(value, (set, frozenset)) and len(value) > 1 and outcome.error is None:
            ways = [_in_order(outcome.sequence, position, list(value)[::step], bindings) for step in (1, -1)]
            if ways[0] != ways[1]:
                return True
    return False


def _in_order(made: Sequence, position: int, elements: list[object], bindings: Bindings) -> object:
    """What comes out with a list in place of a set, and what becomes of the objects that are not it."""
    given = say(Literal(elements, "[]"))  # never written
    changed = sequence((*made.statements[:position], given, *made.statements[position + 1 :]))
    again: Outcome | None = None
    with briefly():
        again = interpret(changed, bindings.calls)
    if again is None or again.error is not None:
        return None
    end = len(made) - 1
    places = {end + distance for distance in made.statements[-1].inputs} - {position}
    return what_shows(again.values[end]), fingerprint([again.values[p] for p in sorted(places)])


def meets_accident(made: Sequence, bindings: Bindings) -> bool:
    """Whether a function of the subject broke on what it was given, and one that called it did not mind.

    Whoever tries something and catches what comes of it in the same function means to; what comes out of
    another function and ends in an `except Exception` is an accident that looks like an answer.
    """
    last = made.statements[-1].operation
    calls = list(bindings.calls)
    left: list[BaseException] = []

    def call_traced(*args: object, **named: object) -> object:
        sys.settrace(enter)
        try:
            return bindings.calls[last](*args, **named)
        finally:
            sys.settrace(None)

    def watch(frame: types.FrameType, event: str, arg: Any) -> Any:
        if event == "exception" and isinstance(arg[1], MISFITS) and _came_out(arg[2], bindings):
            left.append(arg[1])
        return watch

    def enter(frame: types.FrameType, event: str, _: object) -> Any:
        if not _is_own(frame, bindings):
            return None
        frame.f_trace_lines = False  # exceptions are all that matters, and lines cost ten times the run
        return watch

    calls[last] = call_traced
    outcome: Outcome | None = None
    with briefly():
        outcome = interpret(made, calls)
    if outcome is None:
        return False
    return any(error is not outcome.error for error in left)


def is_of_argument(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether it was an argument that raised, in a method of its own or because it was made only now."""
    last = outcome.sequence.statements[-1]
    first = int("{0}" in bindings.operations[last.operation].form)
    trace = innermost(outcome.error)
    end = len(outcome.values)
    given = [outcome.values[end + d] for d in last.inputs[first:]] if trace is not None else []
    raising = trace.tb_frame.f_locals.get("self") if trace is not None else None
    generators = [value for value in given if isinstance(value, types.GeneratorType)]
    lazy = trace is not None and any(g.gi_code is trace.tb_frame.f_code for g in generators)
    return lazy or (raising is not None and any(raising is value for value in given))


def is_of_template(outcome: Outcome) -> bool:
    """Whether a format was told to be wrong, or a function of ours to take other arguments.

    Whoever passes `"#}"` as a message, or `lambda: "a"` as a check, tests nothing of what takes it.
    """
    error, told = outcome.error, list[str]()
    while error is not None and len(told) < DEEPEST:
        told.append(text_of(error))
        error = error.__context__
    return any(OF_TEMPLATE.search(text) for text in told)


def is_of_misfit(outcome: Outcome) -> bool:
    """Whether what is raised was made of an error that a value of the wrong type led to."""
    said = outcome.error.__context__ if outcome.error is not None else None
    trace = innermost(said)
    return isinstance(said, MISFITS) and trace is not None and not stands_at_raise(trace)


def _is_own(frame: types.FrameType, bindings: Bindings) -> bool:
    return bindings.owns(str(frame.f_globals.get("__name__")))


def _came_out(trace: types.TracebackType | None, bindings: Bindings) -> bool:
    """Whether it comes from another function of the subject, in which nobody raised it."""
    if trace is None or trace.tb_next is None or not _is_own(trace.tb_next.tb_frame, bindings):
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return not stands_at_raise(trace)
