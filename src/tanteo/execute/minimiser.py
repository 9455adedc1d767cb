"""Makes sequences shorter without losing what they are kept for: their outcome and the arms they reach.

One question, `_holds`, and a handful of passes that ask it: leave a statement out, repeat a call less
often. A statement goes only if nothing later needs its value.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tanteo.classify import passed_to
from tanteo.engine import attempt
from tanteo.execute.codec import decode
from tanteo.execute.interpret import interpret
from tanteo.fingerprints import fingerprint
from tanteo.model import Fault, Literal, Repeat, Run, Sequence, Statement, call, say, sequence
from tanteo.session import Session

MOST_TRIES = 200
PLAIN = frozenset({int, bool, str, bytes, type(None)})  # written down instead of computed
LONGEST = 60
TRUTHFUL = frozenset({int, bool, float, str, bytes, list, tuple, dict, set, frozenset})
MOST_ROWS, MOST_ROWS_SPLIT = 20, 100
LONGEST_EFFECT = 200
LONG_TEXT = 6  # characters; what is longer is said in fewer words if that makes no difference
SIMPLE: dict[type, tuple[str, ...]] = {str: ("''", "'a'", "'ab'"), bytes: ("b''", "b'a'", "b'ab'")}
INSTEAD = ("0", "'a'", "None")  # of an object whose only use is to be passed on


@dataclass(frozen=True, slots=True)
class Aim:
    """What a shorter sequence must still show."""

    outcome: str
    arms: frozenset[int]
    fault: tuple[str | None, ...] | None = None
    effect: str = ""  # see `effect`; of the sequence that is made shorter
    exact: bool = False  # the result must stay as it is, and not only be of the same kind

    def shown_by(self, run: Run) -> bool:
        """Whether a run shows it."""
        if self.fault is not None:
            return run.fault is not None and fault_key(run.fault) == self.fault
        return run.outcome == self.outcome and self.arms <= set(run.probes)


def fault_key(fault: Fault) -> tuple[str | None, ...]:
    """What makes two failing runs the same fault; as `tally.fault_id`."""
    return (fault.kind, fault.contract, fault.exception, fault.function, fault.operation)


def run_minimiser(items: list[dict[str, Any]], out: int, session: Session) -> None:
    """Shorten each; a line of JSON as soon as it is done, so that a crash loses one."""
    for number, item in enumerate(items):
        fault = tuple(item["fault"]) if item.get("fault") else None
        aim = Aim(item["outcome"], frozenset(item["arms"]), fault, exact=item.get("exact", False))
        run = minimise(decode(item["code"].encode()), aim, session)
        if run is not None:
            about = list(run.fault.about) if run.fault is not None else []
            told = [run.sequence.code.decode(), about, effect(run, session, aim.exact), run.probes]
            parts = [
                [p.sequence.code.decode(), effect(p, session, True), p.probes] for p in _split(run, session)
            ]
            os.write(out, json.dumps([number, [*told, parts]]).encode() + b"\n")


def minimise(made: Sequence, aim: Aim, session: Session) -> Run | None:
    """The run of the shortest that was found; None if the sequence does not show its aim again."""
    best = _try(made, aim, session)
    if best is not None and aim.fault is None:
        aim = replace(aim, effect=effect(best, session, aim.exact))
    tries = 0
    improved = best is not None
    while best is not None and improved and tries < MOST_TRIES:
        improved = False
        for shorter in _shorter(best, session):
            tries += 1
            run = _try(shorter, aim, session)
            if run is not None:
                best, improved = run, True
                break
            if tries >= MOST_TRIES:
                break
    return best


def _split(run: Run, session: Session) -> list[Run]:
    """Single calls instead of a loop that changes nothing: those that reach something the others do not.

    Nobody looks at the results of a loop but at the last one; as single calls each is a test of its own.
    """
    made = run.sequence
    last = made.statements[-1]
    if last.repeat is None or run.fault is not None or "changes" in effect(run, session):
        return []
    left, found = set(run.probes), []
    for single in _once(made, len(made) - 1, last.repeat, MOST_ROWS_SPLIT):
        part = _try(single, Aim(run.outcome, frozenset()), session)
        if part is not None and left & set(part.probes):
            left -= set(part.probes)
            found.append(part)
    return [] if left else found


def _try(made: Sequence, aim: Aim, session: Session) -> Run | None:
    """Run it with no probe fired; its run if it shows the aim."""
    session.hits[:] = bytes(len(session.hits))
    session.seen_hits = bytearray(session.hits)
    run = attempt(made, session)
    if not aim.shown_by(run) or (aim.effect and effect(run, session, aim.exact) != aim.effect):
        return None
    return run


def effect(run: Run, session: Session, exact: bool = False) -> str:
    """What the last call does: the kind of its result, or the result, and whether it changes its arguments.

    `clear` of an empty list and of a full one are two different things to test.
    """
    made, values = run.sequence, run.values
    last = len(made) - 1
    if len(values) <= last:
        return "raises"
    before = interpret(sequence(made.statements[:-1]), session.calls).values
    inputs = [last + d for d in made.statements[-1].inputs]
    if len(before) < last:
        return "unstable"
    changed = fingerprint([before[i] for i in inputs]) != fingerprint([values[i] for i in inputs])
    result = values[last]
    told = repr(result) if exact and type(result) in TRUTHFUL else _kind(result)
    return f"{told[:LONGEST_EFFECT]}{' changes' if changed else ''}"


def _kind(value: object) -> str:
    """The type, and whether there is something in it."""
    name = type(value).__qualname__
    return f"{name} {bool(value)}" if type(value) in TRUTHFUL else name


def _shorter(run: Run, session: Session) -> Iterator[Sequence]:
    """Everything that is one step simpler, the largest steps first."""
    made = run.sequence
    statements = made.statements
    for position, value in enumerate(run.values[: len(statements) - 1]):
        if type(value) in PLAIN and statements[position].operation >= 0 and len(repr(value)) < LONGEST:
            literal = say(Literal(value, repr(value)))
            yield sequence((*statements[:position], literal, *statements[position + 1 :]))
    needed = _needed(made)
    for position in range(len(statements) - 2, -1, -1):
        if position not in needed:
            yield without(made, position)
    yield from _with_fewer_arguments(made, session)
    yield from _redirected(run)
    for position, statement in enumerate(statements):
        if statement.repeat is not None:
            yield from _once(made, position, statement.repeat)
            for fewer in _fewer(statement):
                yield sequence((*statements[:position], fewer, *statements[position + 1 :]))
    yield from _plainer(run, needed, _settled(made, session))


def _with_fewer_arguments(made: Sequence, session: Session) -> Iterator[Sequence]:
    """Without an argument that may be left out: one passed by name, or the last one by position."""
    needed = _needed(made)
    for position, statement in enumerate(made.statements):
        if statement.operation < 0 or session.operations[statement.operation].kind == "display":
            continue
        slots = passed_to(session.slots[statement.operation], statement)
        plain = len(statement.inputs) - len(statement.names)
        for index, slot in enumerate(slots):
            by_name = index >= plain
            fixed = statement.repeat is not None and index in statement.repeat.positions
            if slot.required or fixed or not (by_name or index == plain - 1):
                continue
            inputs = statement.inputs[:index] + statement.inputs[index + 1 :]
            names = statement.names
            if by_name:
                names = names[: index - plain] + names[index - plain + 1 :]
            fewer = call(statement.operation, inputs, names, _moved(statement.repeat, index))
            new = sequence((*made.statements[:position], fewer, *made.statements[position + 1 :]))
            yield _pruned(new, needed)


def _moved(repeat: Repeat | None, gone: int) -> Repeat | None:
    """The same repetition after an argument that it does not touch is gone."""
    if repeat is None:
        return None
    return Repeat(tuple(p - (p > gone) for p in repeat.positions), repeat.count, repeat.columns)


def _settled(made: Sequence, session: Session) -> set[int]:
    """What something is called on, or goes to a parameter that says what it wants: it stays what it is."""
    return {
        position + distance
        for position, statement in enumerate(made.statements)
        if statement.operation >= 0
        for slot, distance in zip(
            passed_to(session.slots[statement.operation], statement), statement.inputs, strict=True
        )
        if slot.receiver or slot.declared
    }


def _plainer(run: Run, needed: set[int], settled: set[int]) -> Iterator[Sequence]:
    """Short words for long ones, and plain values for objects that are only passed on."""
    made = run.sequence
    statements = made.statements
    for position, statement in enumerate(statements[:-1]):
        if statement.literal is not None:
            value = statement.literal.value
            sources = SIMPLE.get(type(value), ()) if len(statement.literal.source) > LONG_TEXT else ()
        else:
            passed_on = position in needed and position not in settled
            sources = INSTEAD if passed_on and type(run.values[position]) not in PLAIN else ()
        for source in sources:
            literal = say(Literal(ast.literal_eval(source), source))
            new = sequence((*statements[:position], literal, *statements[position + 1 :]))
            yield _pruned(new, needed)


def _redirected(run: Run) -> Iterator[Sequence]:
    """Another, earlier value of the same type as an argument, if something is then no longer needed."""
    made, values = run.sequence, run.values
    needed = _needed(made)
    for position in range(len(values), 0, -1):
        if position >= len(made):
            continue
        statement = made.statements[position]
        for index, distance in enumerate(statement.inputs):
            used = position + distance
            for other in range(used):
                if type(values[other]) is type(values[used]) and made.statements[used].operation >= 0:
                    inputs = list(statement.inputs)
                    inputs[index] = other - position
                    changed = call(statement.operation, tuple(inputs), statement.names, statement.repeat)
                    new = sequence((*made.statements[:position], changed, *made.statements[position + 1 :]))
                    pruned = _pruned(new, needed)
                    if len(pruned) < len(made):
                        yield pruned


def _pruned(made: Sequence, were: set[int]) -> Sequence:
    """Without the values that were needed and are no more; calls whose value nobody wanted stay."""
    for position in range(len(made) - 2, -1, -1):
        if position in were and position not in _needed(made):
            made = without(made, position)
    return made


def _needed(made: Sequence) -> set[int]:
    return {p + d for p, s in enumerate(made.statements) for d in s.inputs}


def _once(made: Sequence, position: int, repeat: Repeat, most: int = MOST_ROWS) -> Iterator[Sequence]:
    """One call instead of many, with the arguments of one of them."""
    statement = made.statements[position]
    single = call(statement.operation, statement.inputs, statement.names)
    for row in list(zip(*repeat.columns, strict=True))[:most]:
        changed = [*made.statements]
        changed[position] = single
        for index, value in zip(repeat.positions, row, strict=True):
            changed[position + statement.inputs[index]] = say(Literal(value, repr(value)))
        yield sequence(changed)


def _fewer(statement: Statement) -> Iterator[Statement]:
    repeat = statement.repeat
    assert repeat is not None
    yield call(statement.operation, statement.inputs, statement.names)
    for count in (2, 3, repeat.count // 2, repeat.count - 1):
        if 1 < count < repeat.count:
            columns = tuple(column[:count] for column in repeat.columns)
            yield call(
                statement.operation,
                statement.inputs,
                statement.names,
                Repeat(repeat.positions, count, columns),
            )


def without(made: Sequence, gone: int) -> Sequence:
    """The sequence without a statement that nobody needs; later distances over the gap are one less."""
    kept = list(made.statements[:gone])
    for position in range(gone + 1, len(made.statements)):
        statement = made.statements[position]
        if statement.literal is None:
            inputs = tuple(d + 1 if position + d < gone else d for d in statement.inputs)
            if inputs != statement.inputs:
                statement = call(statement.operation, inputs, statement.names, statement.repeat)
        kept.append(statement)
    return sequence(kept)
