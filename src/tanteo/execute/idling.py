"""Arguments that make no difference, and results that are none."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tanteo.bindings import Bindings
from tanteo.execute.interpret import Hung, interpret
from tanteo.execute.observations import shown
from tanteo.express import express
from tanteo.fingerprints import fingerprint
from tanteo.model import Outcome, Statement, sequence
from tanteo.passing import passed_to, without_argument
from tanteo.places import text_of

BRIEF = 0.05  # seconds
COUNTED = (list, tuple, dict, set)
COPIES = re.compile(r"[._](copy|clone|deepcopy|duplicate)$")


@contextmanager
def briefly() -> Iterator[None]:
    """A run that takes longer is interrupted: what it would show is not worth waiting for."""

    def ring(*_: object) -> None:
        raise Hung("not worth waiting for")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, BRIEF)
    try:
        yield
    except Hung:  # between two calls
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def idle_options(outcome: Outcome, bindings: Bindings) -> int:
    """How many of the arguments that may be left out make no difference to anything, each by itself."""
    made = outcome.sequence
    last, end = made.statements[-1], len(made) - 1
    if last.repeat is not None:
        return 0
    if outcome.error is not None:
        return sum(_is_same_error(outcome.error, again.error) for _, again in with_less(outcome, bindings))
    known, found = what_shows(outcome.values[end]), 0
    for fewer, again in with_less(outcome, bindings) if known is not None else ():
        if again.error is None and what_shows(again.values[end]) == known:
            kept = [end + distance for distance in fewer.inputs]
            states = (fingerprint([values[p] for p in kept]) for values in (outcome.values, again.values))
            found += next(states) == next(states)
    return found


def is_vain(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether an object is made with an argument that may be left out, and nobody would see that."""
    statements, end = outcome.sequence.statements, len(outcome.sequence) - 1
    known = None if outcome.error is not None else what_shows(outcome.values[end])
    if outcome.error is None and (known is None or outcome.values[end] is None):
        return False
    for position, statement in enumerate(statements[:-1]):
        if statement.operation < 0 or bindings.operations[statement.operation].kind != "constructor":
            continue
        for again in _made_with_less(outcome, position, bindings):
            same = _is_same_error(outcome.error, again.error) if outcome.error else again.error is None
            if same and (outcome.error or what_shows(again.values[end]) == known):
                return True
    return False


def _made_with_less(outcome: Outcome, position: int, bindings: Bindings) -> Iterator[Outcome]:
    statements = outcome.sequence.statements
    statement = statements[position]
    slots = bindings.slots[statement.operation]
    for gone, slot in enumerate(passed_to(slots, statement) if statement.repeat is None else ()):
        fewer = None if slot.variadic else without_argument(slots, statement, gone)
        if fewer is None:
            continue
        again: Outcome | None = None
        with briefly():
            again = interpret(
                sequence((*statements[:position], fewer, *statements[position + 1 :])), bindings.calls
            )
        if again is not None:
            yield again


def blames(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether the error goes away with an argument that may be left out, and speaks of something else."""
    words = text_of(outcome.error)
    for fewer, again in with_less(outcome, bindings):
        last = outcome.sequence.statements[-1]
        gone = [n for n in last.names if n not in fewer.names]
        if again.error is None and gone and gone[0] not in words:
            return True
    return False


def _is_same_error(one: BaseException, other: BaseException | None) -> bool:
    return type(one) is type(other) and text_of(one) == text_of(other)


def what_shows(value: object) -> object:
    """What a test can say of a result: what it is, or at least how many things are in it."""
    known = express(value)
    told: object = shown(value) if known is None else known
    return (type(value), len(value)) if told is None and type(value) in COUNTED else told  # type: ignore[arg-type]


def with_less(outcome: Outcome, bindings: Bindings) -> Iterator[tuple[Statement, Outcome]]:
    """What comes of the call without one of the arguments that may be left out."""
    before, last = outcome.sequence.statements[:-1], outcome.sequence.statements[-1]
    slots = bindings.slots[last.operation]
    for gone, slot in enumerate(passed_to(slots, last)):
        fewer = None if slot.variadic else without_argument(slots, last, gone)
        if fewer is None:
            continue
        again: Outcome | None = None
        with briefly():  # without `sleep=...` it may really sleep
            again = interpret(sequence((*before, fewer)), bindings.calls)
        if again is not None:
            yield fewer, again


def is_echo(outcome: Outcome, bindings: Bindings) -> bool:
    """Whether a call gives an object that looks like the one it was made on, and is not meant to."""
    last = outcome.sequence.statements[-1]
    operation = bindings.operations[last.operation]
    if operation.kind != "method" or COPIES.search(operation.name):
        return False
    given, value = outcome.values[len(outcome.values) - 1 + last.inputs[0]], outcome.values[-1]
    text = shown(value) if type(value) is type(given) and value is not given else None
    return text is not None and text == shown(given)
