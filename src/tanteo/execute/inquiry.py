"""Calls operations with stand-ins, in children, and notes what was asked of them.

A child that does not come back is ended, and the next one goes on behind the operation that held it up.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from tanteo.bindings import Bindings
from tanteo.execute.children import fork
from tanteo.execute.guard import Guard
from tanteo.execute.watch import Patience
from tanteo.standins import MOST_QUESTIONS, StandIn
from tanteo.types import Slot
from tanteo.uses import Use

PATIENCE = 0.4  # seconds of processor time for one operation
A_MOMENT = 0.05
ENOUGH = 4.0  # good tries that the guesses about a parameter are worth: no need to ask
ASKED = frozenset({"function", "static method", "class method", "constructor", "method"})
PLAIN: dict[type, Any] = {int: 1, float: 1.5, str: "a", bytes: b"a", bool: True}
MOST_CONSTANTS = 10
MOST_STUCK = 5

Answers = dict[int, dict[str, Use]]  # by operation and parameter


def inquire(bindings: Bindings, guard: Guard) -> Answers:
    """What the parameters of which little is known were asked for."""
    left = [o.index for o in bindings.operations if o.kind in ASKED and _unknown(bindings.slots[o.index])]
    found: Answers = {}
    for _ in range(MOST_STUCK):
        if not left:
            break
        told, done = _ask_in_a_child(left, bindings, guard)
        found |= told
        left = left[done:]
    return found


def _unknown(slots: tuple[Slot, ...]) -> list[Slot]:
    return [s for s in slots if s.open and not s.receiver and sum(g.weight for g in s.guesses) < ENOUGH]


def _ask_in_a_child(numbers: list[int], bindings: Bindings, guard: Guard) -> tuple[Answers, int]:
    """Answers, and how many operations were dealt with: one more than answered if it got stuck."""
    reading, writing = os.pipe()
    active, guard.active = guard.active, False
    child = fork()
    if child == 0:
        os.close(reading)
        _answer(numbers, bindings, guard, writing)
    os.close(writing)
    buffer, patience = b"", Patience(child)
    while not patience.is_over(PATIENCE):
        if select.select([reading], [], [], A_MOMENT)[0]:
            data = os.read(reading, 1 << 16)
            if not data:
                break
            buffer += data
            patience.start()
    os.kill(child, signal.SIGKILL)  # stuck, or about to end
    os.close(reading)
    os.waitpid(child, 0)
    guard.active = active
    lines = buffer.split(b"\n")[:-1]
    answers = {numbers[place]: dict(_uses(line)) for place, line in enumerate(lines)}
    return {n: uses for n, uses in answers.items() if uses}, len(lines) + 1


def _uses(line: bytes) -> Iterator[tuple[str, Use]]:
    for name, types, attributes, constants, arity, none in json.loads(line):
        yield name, Use(types, set(attributes), [], constants, [], arity, none)


def _answer(numbers: list[int], bindings: Bindings, guard: Guard, writing: int) -> None:
    """In the child: a line for each operation."""
    try:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
        warnings.simplefilter("ignore")
        guard.active = True
        for number in numbers:
            uses: dict[str, Use] = {}
            with contextlib.suppress(BaseException):  # whatever it says of a stand-in: the notes matter
                _call(number, bindings, uses)
            told = [
                (name, u.types, sorted(u.attributes), _writable(u.constants), u.arity, u.may_be_none)
                for name, u in uses.items()
                if u != Use()
            ]
            os.write(writing, json.dumps(told).encode() + b"\n")
    finally:
        os._exit(0)


def _writable(constants: list[object]) -> list[object]:
    return [c for c in constants if not isinstance(c, bytes)][:MOST_CONSTANTS]


def _call(number: int, bindings: Bindings, uses: dict[str, Use]) -> None:
    slots = bindings.slots[number]
    args = [_argument(slot, bindings, uses) for slot in slots if slot.required and not slot.keyword]
    named = {s.name: _argument(s, bindings, uses) for s in slots if s.required and s.keyword}
    bindings.calls[number](*args, **named)


def _argument(slot: Slot, bindings: Bindings, uses: dict[str, Use]) -> Any:
    kind = slot.wants[0].kind
    if slot.receiver:
        return _made(kind, bindings)
    if not slot.open and kind in PLAIN:
        return PLAIN[kind]
    use = uses.setdefault(slot.name, Use()) if slot.open else Use()
    return StandIn(use, [MOST_QUESTIONS])


def _made(kind: type, bindings: Bindings) -> Any:
    """An object to call a method on; what its constructor asks is asked elsewhere."""
    for operation in bindings.operations:
        if operation.kind == "constructor" and bindings.calls[operation.index] is kind:
            slots = bindings.slots[operation.index]
            return kind(*[_argument(s, bindings, {}) for s in slots if s.required and not s.keyword])
    return kind()
