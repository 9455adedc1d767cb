"""What can be asserted about one sequence: its result, what it changed, what it left alone."""

from __future__ import annotations

import abc
import re
import resource
import threading
import typing
import warnings
from time import monotonic, process_time
from typing import Any

from tanteo import operators
from tanteo.bindings import Bindings
from tanteo.execute.accidents import (
    dice,
    hinges_on_order,
    is_of_argument,
    is_of_chance,
    is_of_misfit,
    is_of_template,
    meets_accident,
)
from tanteo.execute.announcing import announced, kind_of
from tanteo.execute.asking import Note, observe
from tanteo.execute.astray import is_astray, is_class_for_data, is_odd, is_stuffed, is_unlikely
from tanteo.execute.idling import blames, briefly, idle_options, is_echo, is_vain, with_less
from tanteo.execute.interpret import interpret
from tanteo.execute.observations import (
    Observation,
    elements_of,
    is_unordered,
    shown,
    start_of,
)
from tanteo.execute.padding import is_padded
from tanteo.execute.raising import raised
from tanteo.express import express, name_of
from tanteo.fingerprints import inside
from tanteo.model import Outcome, Sequence, sequence

TOO_SLOW = 0.3  # seconds of processor time; nobody wants such a test among hundreds
TOO_LONG = 0.8  # seconds on the clock: it sleeps or waits
OURS = "tanteo."  # a class of ours has another name in a test
FLOATS = re.compile(r"\d+\.?\d*(?:e[+-]?\d+)?")
NO_KIND = (object, typing.Generic, typing.Protocol, abc.ABC)  # say nothing of what is derived from them
SETTLED = (".__repr__", ".__str__", ".__format__", ".__len__")  # Python itself sees to their type


def _tell_nobody(observer: int) -> None:
    """Who is asked matters only if somebody waits for the answer."""


def record(made: Sequence, bindings: Bindings, note: Note = _tell_nobody) -> dict[str, Any] | None:
    """What can be asserted about a sequence; None if it fails before its last call."""
    before = _state_before(made, bindings, note)
    began, busy, threads = monotonic(), process_time(), threading.active_count()
    waits = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw
    with warnings.catch_warnings(record=True) as warned, dice() as rolled:
        warnings.simplefilter("always")
        outcome = interpret(made, bindings.calls)
        told_of_result = [] if outcome.error is not None else _about_result(outcome, bindings)
        chance = rolled()
    if chance or hinges_on_order(outcome, bindings):
        return {"chance": True}  # twice the same may be luck
    if any("was never awaited" in str(w.message) for w in warned):
        return None  # not a way to call it
    waited = resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw > waits
    if process_time() - busy > TOO_SLOW or (waited and monotonic() - began > TOO_LONG):
        return None
    if threading.active_count() > threads:
        return None
    if outcome.error is not None:
        found_error = raised(outcome, made, bindings)
        if found_error is None:
            return None
        notes = {**found_error, "warns": _kinds(warned), "announces": announced(warned, made, bindings)}
        notes["padded"] = _is_padded(outcome, [], bindings, note)
        return {**notes, **_described(outcome, bindings), "idle": idle_options(outcome, bindings)}
    last = len(made) - 1
    operation = bindings.operations[made.statements[-1].operation]
    found = _seen(outcome, told_of_result, before, bindings, note)
    padded = _is_padded(outcome, found, bindings, note)
    hinges: list[list[tuple[int, str]]] = []
    if operation.kind == "constructor":
        found = [o for o in found if _is_about_making(o, last, bindings)]
        hinges = _hinges(outcome, found, bindings, note)
    told = [list(_exactly(o, made)._replace(imports=tuple(bindings.imports(o.imports)))) for o in found]
    notes = {"observations": told, "warns": _kinds(warned)}
    notes["announces"] = announced(warned, made, bindings)
    notes["hinges"], notes["padded"] = hinges, padded
    idle, echo = idle_options(outcome, bindings) or hinges.count([]), is_echo(outcome, bindings)
    return {**notes, **_described(outcome, bindings), "idle": idle, "echo": echo}


def _seen(
    outcome: Outcome,
    result: list[Observation],
    before: dict[tuple[int, int, str], str],
    bindings: Bindings,
    note: Note,
) -> list[Observation]:
    """What can be seen of the result, and of what the last call was given."""
    made, last, found = outcome.sequence, len(outcome.sequence) - 1, result
    for position in _objects(made, outcome):
        if bindings.operations[made.statements[-1].operation].observer and position != last:
            continue
        for seen in observe(made, outcome.values, position, bindings, note):
            known = before.get((position, seen.operation, seen.attribute))
            kind = "changed" if position == last or known != seen.source else "unchanged"
            if kind == "changed" or not _is_a_value(outcome.values[position]):
                found.append(seen._replace(kind=kind))
        found += _contents(outcome.values, position, before.get((position, -1, "")), last)
    return found


def _is_padded(outcome: Outcome, found: list[Observation], bindings: Bindings, note: Note) -> bool:
    """Whether a test would show the same without some call before the last one."""

    def look(made: Sequence) -> object:
        before = _state_before(made, bindings, note)
        again: Outcome | None = None
        with briefly():
            again = interpret(made, bindings.calls)
        if again is None or (again.error is None) != (outcome.error is None):
            return None
        if again.error is not None:
            return [type(again.error), str(again.error)]
        return _in_words(_seen(again, _about_result(again, bindings), before, bindings, note))

    told = [type(outcome.error), str(outcome.error)] if outcome.error is not None else _in_words(found)
    return is_padded(outcome, told, look, bindings)


def _in_words(found: list[Observation]) -> list[tuple[object, ...]]:
    """Wherever it is."""
    return [(o.kind, o.operation, o.attribute, "" if o.kind == "same" else o.source) for o in found]


def _exactly(seen: Observation, made: Sequence) -> Observation:
    """A float that was put in comes out as it is: nobody has computed it."""
    written = set(FLOATS.findall(made.code.decode()))
    return seen if seen.exact else seen._replace(exact=written.issuperset(FLOATS.findall(seen.source)))


def _hinges(
    outcome: Outcome, found: list[Observation], bindings: Bindings, note: Note
) -> list[list[tuple[int, str]]]:
    """For each argument that may be left out: the questions about the new object that it decides."""
    last, told = len(outcome.values) - 1, []
    for _, again in with_less(outcome, bindings):
        if again.error is None:
            seen = observe(again.sequence, again.values, last, bindings, note)
            same = {(o.operation, o.attribute, o.source) for o in seen}
            differ = [o for o in found if (o.operation, o.attribute, o.source) not in same and o.is_state]
            told.append([(o.operation, o.attribute) for o in differ])
    return told


def _kinds(warned: list[warnings.WarningMessage]) -> list[str]:
    """The classes of warnings, as a filter names them."""
    return sorted({kind_of(w) for w in warned})


def _is_about_making(seen: Observation, last: int, bindings: Bindings) -> bool:
    """What tells of a constructor: a new object is not compared with one like it, and what its methods say
    is told where they are tested."""
    if seen.position != last:
        return seen.kind == "changed"
    return seen.kind not in ("value", "repr") and (
        seen.operation < 0 or bindings.operations[seen.operation].kind != "method"
    )


def _described(outcome: Outcome, bindings: Bindings) -> dict[str, Any]:
    """For the writing: the class of each value that is the subject's, and which lists came to their end."""
    values, odd = outcome.values, is_odd(outcome, bindings)
    accident = (
        is_of_argument(outcome, bindings)
        or is_of_template(outcome)
        or (is_of_misfit(outcome) and (odd or blames(outcome, bindings)))
    )
    return {
        "types": [bindings.class_name(type(value)) for value in values],
        "ended": [p for p, v in enumerate(values) if type(v) is list and len(v) < operators.BOUND],
        "astray": is_astray(outcome, bindings),
        "odd": odd,
        "unlikely": is_unlikely(outcome, bindings),
        "stuffed": is_stuffed(outcome, bindings),
        "vain": is_vain(outcome, bindings),
        "accident": accident
        or is_class_for_data(outcome, bindings)
        or meets_accident(outcome.sequence, bindings),
        "same": [_first_place(values, p) if type(v) in bindings.classes else p for p, v in enumerate(values)],
    }


def _first_place(values: list[object], position: int) -> int:
    """Where an object came up first: a method that returns its own object makes no new one."""
    return next(p for p, value in enumerate(values) if value is values[position])


def _is_a_value(thing: object) -> bool:
    """Equal and hashable by contents: nobody expects a call to change it."""
    kind: Any = type(thing)
    return kind.__hash__ is not None and kind.__eq__ is not object.__eq__


def _state_before(made: Sequence, bindings: Bindings, note: Note) -> dict[tuple[int, int, str], str]:
    """What observers said before the last call; in a run of its own."""
    prefix = sequence(made.statements[:-1])
    outcome = interpret(prefix, bindings.calls)
    if outcome.error is not None:
        return {}
    answers = {}
    for position in _objects(made, outcome):
        for seen in observe(prefix, outcome.values, position, bindings, note):
            answers[position, seen.operation, seen.attribute] = seen.source
        contents = express(outcome.values[position])
        if contents is not None:
            answers[position, -1, ""] = contents.source
    return answers


def _about_result(outcome: Outcome, bindings: Bindings) -> list[Observation]:
    values, last = outcome.values, len(outcome.sequence) - 1
    value = values[last]
    if not _scalar(value):
        for position in range(last - 1, -1, -1):
            if values[position] is value:
                return [Observation("same", last, source=str(position))]
    last_made = outcome.sequence.statements[-1]
    collected = operators.is_collected(bindings.operations[last_made.operation].form)
    ordered = is_of_chance(value, outcome) or (
        collected
        and type(value) is list
        and len(value) > 1
        and is_unordered(values[last + last_made.inputs[0]])
    )
    known = None if ordered else express(value)
    if known is not None:
        return [Observation("value", last, -1, *known)] if OURS not in known.source else []
    elements = None if ordered else elements_of(value)
    if elements is not None:
        return [Observation("elements", last, -1, *elements)] if OURS not in elements.source else []
    start = None if ordered else start_of(value)
    if start is not None and OURS not in start.source:
        return [Observation("start", last, -1, *start), *_length(value, last)]
    text = None if ordered else shown(value)
    found = [Observation("repr", last, source=text)] if text is not None else []
    kind = next((k for k in type(value).__mro__ if name_of(k)), object)
    name = name_of(kind)
    given = collected or bindings.operations[last_made.operation].name.endswith(SETTLED)
    if name is not None and kind not in NO_KIND and not given:  # that it is a list is our doing
        found.append(Observation("type", last, -1, name.source, name.imports))
    return found + _length(value, last)


def _length(value: Any, position: int) -> list[Observation]:
    try:
        if isinstance(value, str | bytes):  # of a text that cannot be written down it says nothing
            return []
        if isinstance(value, tuple) and type(value) is not tuple:
            return []  # a record, and all of them have as many
        size = len(value)
        if any(part is value for part in inside([value])):
            return []  # a ring: its length is that of one link
        return [] if size == operators.BOUND else [Observation("length", position, source=str(size))]
    except Exception:  # no length, or one that raises
        return []


def _scalar(value: object) -> bool:
    return type(value) in (int, float, complex, bool, str, bytes, type(None), tuple)


def _objects(made: Sequence, outcome: Outcome) -> list[int]:
    """Positions of what the last call made or was given, literals aside."""
    last = len(made) - 1
    found = [last] if len(outcome.values) > last else []
    for distance in made.statements[-1].inputs:
        position = last + distance
        if made.statements[position].literal is None and position not in found:
            found.append(position)
    return found


def _contents(values: list[object], position: int, before: str | None, last: int) -> list[Observation]:
    """A container that was passed in, if the call has changed it."""
    if position == last or type(values[position]) not in (list, dict, set, bytearray):
        return []
    known = express(values[position])
    if known is None or before is None or known.source == before:
        return []
    return [Observation("changed", position, -1, *known)]
