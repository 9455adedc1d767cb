"""What calls are given, and what objects were made of, as it stands in the names of tests."""

from __future__ import annotations

import types
from collections.abc import Sequence as Listing

from tanteo.emit.cases import Case
from tanteo.emit.words import VALUES, snake, subject_words, value_words
from tanteo.subject import Operation

MOST_ARGUMENTS = 2
MOST_OPTIONS = 2
MOST_DETAIL = 3
OFF = ("False", "None")
MAKERS = ("operator", "method", "function", "class method", "static method")  # that are no constructors
KIND_WORDS: dict[type, str] = {**dict.fromkeys((int, float, complex), "number"), str: "text", bytes: "bytes"}


def arguments_of(case: Case, operations: Listing[Operation], detail: int) -> str:
    """What the call is given."""
    last = len(case.sequence) - 1
    receives = "{0}" in operations[case.operation].form
    return given_to(last, case, operations, int(receives), detail)


def origin_of(case: Case, operations: Listing[Operation], detail: int) -> str:
    """What the object was made of that the call is made on."""
    last = len(case.sequence) - 1
    inputs = case.sequence.statements[last].inputs
    if not inputs or "{0}" not in operations[case.operation].form:
        return ""
    position = last + inputs[0]
    if position < len(case.same) and case.same[position] != position:  # a method that returns its object
        return (
            f"after {subject_words(operations[case.sequence.statements[position].operation]).split(' ')[-1]}"
        )
    maker = case.sequence.statements[position].operation
    if maker >= 0 and operations[maker].kind == "attribute":
        return subject_words(operations[maker]).split(" ")[-1]
    made = _made_by(position, case, operations, detail)
    return f"made {made}" if made else ""


def _made_by(position: int, case: Case, operations: Listing[Operation], detail: int) -> str:
    """What went into an object, or what it is the result of."""
    made = operations[case.sequence.statements[position].operation]
    given = given_to(position, case, operations, 0, detail)
    if case.sequence.statements[position].literal is not None or made.kind not in MAKERS:
        return given
    by = f"by {subject_words(made).split(' ')[-1]}"
    return by if made.kind in ("operator", "method") else f"{by} {given}".rstrip()


def given_to(position: int, case: Case, operations: Listing[Operation], first: int, detail: int) -> str:
    statement = case.sequence.statements[position]
    given = [position + distance for distance in statement.inputs[first:]]
    told = [described(p, case, operations, detail) for p in given[: len(given) - len(statement.names)]]
    more = " and more" if len(told) > MOST_ARGUMENTS else ""
    of = [f"of {' and '.join(told[:MOST_ARGUMENTS])}{more}"] if told else []
    return " ".join([*of, _with(_named(case, position))]).strip()


def options_of(case: Case, operation: Operation) -> str:
    """The parameters that are given though they need not be."""
    last = len(case.sequence) - 1
    statement = case.sequence.statements[last]
    plain = len(statement.inputs) - len(statement.names)
    receives = len(statement.inputs) - len(statement.names) > 0 and "{0}" in operation.form
    places = statement.inputs[int(receives) : plain]
    given = zip(operation.parameters, places, strict=False)
    found = {p.name: _source(case, last + d) for p, d in given if not p.required and not p.variadic}
    return _with({n: "" if n in case.varied else v for n, v in found.items()} | _named(case, last))


def kinds_of(case: Case, operations: Listing[Operation]) -> str:
    """What the call is given in each row: of what kind, as the values differ."""
    last = len(case.sequence) - 1
    statement = case.sequence.statements[last]
    plain = statement.inputs[int("{0}" in operations[case.operation].form) :][:MOST_ARGUMENTS]
    told = []
    for position in (last + distance for distance in plain):
        literal = case.sequence.statements[position].literal
        kind = KIND_WORDS.get(type(literal.value)) if literal is not None else None
        told.append(kind or described(position, case, operations))
    return f"of {' and '.join(told)}" if told else ""


def _named(case: Case, position: int) -> dict[str, str]:
    """What is passed by name, with the sources of those that are written down."""
    statement = case.sequence.statements[position]
    plain = len(statement.inputs) - len(statement.names)
    found: dict[str, str] = {}
    for name, distance in zip(statement.names, statement.inputs[plain:], strict=True):
        found[name] = "" if name in case.varied else _source(case, position + distance)
    return found


def _source(case: Case, position: int) -> str:
    """How a value is written down; nothing if it is computed."""
    literal = case.sequence.statements[position].literal
    return literal.source if literal is not None else ""


def _with(named: dict[str, str]) -> str:
    """`with width and color false`: what is switched off is not the same as what is left out."""
    told = [f"with {name} {VALUES[value] if value in OFF else ''}".rstrip() for name, value in named.items()]
    if not told:
        return ""
    more = " and more" if len(told) > MOST_OPTIONS else ""
    return " and ".join(told[:MOST_OPTIONS]).replace(" and with ", " and ") + more


def described(position: int, case: Case, operations: Listing[Operation], detail: int = 0) -> str:
    """What it is; texts are told in their own words only if nothing else tells two calls apart."""
    statement = case.sequence.statements[position]
    if statement.literal is not None:
        plain = type(statement.literal.value) is str and statement.literal.value and detail < MOST_DETAIL
        if isinstance(statement.literal.value, types.UnionType):
            return "union"
        if isinstance(statement.literal.value, type):
            return f"{value_words(statement.literal.source)} class"
        return "text" if plain else value_words(statement.literal.source)
    operation = operations[statement.operation]
    if operation.kind == "display":
        return operation.name if statement.inputs else f"empty {operation.name}"
    known = case.types[position] if position < len(case.types) else ""
    if known or operation.kind in ("constant", "constructor"):
        return snake(known) or subject_words(operation)
    return f"result of {subject_words(operation).split(' ')[-1]}"
