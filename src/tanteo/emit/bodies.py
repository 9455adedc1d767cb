"""The body of a test: the calls as people write them, then the assertions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Sequence as Listing
from typing import NamedTuple

from tanteo.emit.cases import Case
from tanteo.emit.source import BOUNDED, Writer
from tanteo.execute.observations import Observation
from tanteo.model import Sequence, Statement
from tanteo.subject import Operation

SPECIAL = re.compile(r"([\\.^$*+?{}\[\]|()])")
SHORT = 4  # characters of a message
MOST_ESCAPES = 4  # in a pattern: with more nobody can read it
SINGLE = ("None", "True", "False", "...", "NotImplemented")
SIMPLE = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant)  # no brackets in a comparison
NUMBERS = re.compile(r"^[\[({]?[-\d.,\s:'\"\w+e]*[\])}]?$")  # a number or a flat container: approx can do it


class Flat(NamedTuple):
    """A test that is one call with plain arguments: several of them make one parametrized test."""

    operation: int
    names: tuple[str, ...]  # of the arguments passed by keyword
    arguments: tuple[str, ...]
    relation: str  # "==", "is", "approx" or the exception
    expected: str  # the value, or the pattern of the message


class Body(NamedTuple):
    """Lines of a test without its head."""

    lines: tuple[str, ...]
    flat: Flat | None = None
    fixtures: tuple[str, ...] = ()  # that the test asks for


Imports = dict[tuple[str, str], str]


def write_body(case: Case, operations: Listing[Operation], imports: Imports) -> Body | None:
    """The lines; None if nothing can be asserted. Adds to the imports of the file."""
    fixtures = fixtures_of(case.sequence, operations)
    taken = frozenset({"pytest", *imports.values(), *fixtures})
    writer = Writer(operations, taken, case.types, case.ended, case.same)
    writer.imports = imports
    usable = [o for o in case.observations if _importable(o.imports, writer)]
    statements = case.sequence.statements
    last = len(statements) - 1
    uses = Counter(writer.first(p + i) for p, s in enumerate(statements) for i in s.inputs)
    uses.update(writer.first(o.position) for o in usable if o.position != last)
    uses.update(int(o.source) for o in usable if o.kind == "same")
    seen = {o.position for o in usable} | {int(o.source) for o in usable if o.kind == "same"}
    for position, statement in enumerate(statements[:-1]):
        inside = position not in seen and _can_stand_inside(position, statements, uses, operations)
        if inside and not (case.raises and position - last in statements[-1].inputs):  # it may raise, too
            writer.texts.append(writer.call(statement, position))
        else:
            writer.write(statement, position, uses[position])
    if case.raises and not _importable(case.imports, writer):
        return None
    body = _raising(case, writer, last) if case.raises else _returning(usable, writer, statements[-1], last)
    if body is None or _is_plain(statements, operations):
        return body
    return Body(body.lines, None, fixtures)


def _is_plain(statements: tuple[Statement, ...], operations: Listing[Operation]) -> bool:
    """Whether the arguments are plain values: nothing of the subject runs while pytest collects a table."""
    kinds = {operations[s.operation].kind for s in statements[:-1] if s.operation >= 0}
    return kinds <= {"display", "constant"}


def fixtures_of(made: Sequence, operations: Listing[Operation]) -> tuple[str, ...]:
    """The names that a test must have as parameters."""
    used = [operations[s.operation] for s in made.statements if s.operation >= 0]
    return tuple(dict.fromkeys(o.form for o in used if o.kind == "fixture"))


def _can_stand_inside(
    position: int, statements: tuple[Statement, ...], uses: Counter[int], operations: Listing[Operation]
) -> bool:
    """Whether a value is written where it is used: an object made for the very next call."""
    statement = statements[position]
    if statement.operation < 0 or statement.repeat is not None or uses[position] != 1:
        return False
    if operations[statement.operation].kind not in ("constructor", "constant"):
        return False
    following = next(p for p in range(position + 1, len(statements)) if statements[p].operation >= 0)
    if statements[following].repeat is not None:
        return False  # it would be made anew each time
    inputs = [following + distance for distance in statements[following].inputs]
    others = [p for p in inputs if p != position]
    if position not in inputs:
        return False
    return inputs[-1] == position or all(statements[p].operation < 0 for p in others)


def _importable(pairs: tuple[tuple[str, str], ...], writer: Writer) -> bool:
    """Imports what an expression needs; False if its name is taken by something else in this file."""
    for module, name in pairs:
        if name and writer.symbol(module, name) != name:
            return False
        if not name:
            writer.imports[module, ""] = module
    return True


def _raising(case: Case, writer: Writer, last: int) -> Body:
    statement = case.sequence.statements[-1]
    match = f", match={_pattern(case.message)}" if case.message else ""
    head = f"with pytest.raises({case.raises}{match}):"
    if statement.repeat is not None:
        before = len(writer.lines)
        writer.write(statement, last, 0)
        inside = writer.lines[before:]
        del writer.lines[before:]
    else:
        inside = [as_statement(BOUNDED.sub(r"list(\1)", writer.call(statement, last)))]  # it does not get far
    flat = None
    if not writer.lines and statement.repeat is None:
        pattern = _pattern(case.message) if case.message else ""
        flat = Flat(statement.operation, statement.names, _arguments(statement, writer), case.raises, pattern)
    return Body((*writer.lines, head, *(f"    {line}" for line in inside)), flat)


def as_statement(text: str) -> str:
    """A line of its own; what only looks like a question is given to nobody."""
    try:
        first = ast.parse(text).body[0]
    except SyntaxError:
        return text  # the test is not written, but the others are
    looks = isinstance(first, ast.Expr) and not isinstance(first.value, (ast.Call, ast.Await))
    return f"_ = {text}" if looks else text


def _arguments(statement: Statement, writer: Writer) -> tuple[str, ...]:
    return tuple(writer.texts[len(writer.texts) + i] for i in statement.inputs)


def _pattern(message: str) -> str:
    if len(SPECIAL.findall(message)) > MOST_ESCAPES:
        plain = message.isprintable() and "\\" not in message
        return f"re.escape({_quoted(message) if plain else repr(message)})"
    escaped = SPECIAL.sub(r"\\\1", message)
    escaped = f"^{escaped}$" if len(message) <= SHORT else escaped  # it would be found in many others
    return _quoted(escaped)


def _quoted(text: str) -> str:
    quote = next((q for q in ('"', "'") if q not in text), None)
    if quote is None:
        return repr(text)
    return f"{'r' if chr(92) in text else ''}{quote}{text}{quote}"


def _returning(usable: list[Observation], writer: Writer, statement: Statement, last: int) -> Body | None:
    operation = writer.operations[statement.operation]
    about = [o for o in usable if o.position == last]
    flat = None
    if statement.repeat is None and len(about) == 1 and not about[0].is_state and operation.value:
        if not writer.lines and len(usable) == 1 and about[0].kind == "value":
            arguments, expected = _arguments(statement, writer), about[0].source
            flat = Flat(statement.operation, statement.names, arguments, _relation(about[0]), expected)
        writer.texts.append(writer.call(statement, last))
    else:
        writer.write(statement, last, len(about))
    ordered = sorted(usable, key=lambda o: o.position != last or o.is_state)  # the call itself comes first
    asserts = list(
        dict.fromkeys(
            a for o in ordered if (operation.value or o.position != last) and (a := _assertion(o, writer))
        )
    )
    if not asserts:
        return None
    return Body((*writer.lines, *asserts), flat)


def _relation(seen: Observation) -> str:
    if seen.source in SINGLE:
        return "is"
    return "approx" if not seen.exact and NUMBERS.match(seen.source) else "=="


def _assertion(seen: Observation, writer: Writer) -> str:
    text = writer.texts[seen.position]
    if text == "None":
        return ""
    if seen.attribute:
        text = f"{text}.{seen.attribute}"
    elif seen.operation >= 0:
        text = writer.spell(writer.operations[seen.operation], [text], ())
    if seen.kind in ("value", "changed", "unchanged"):
        text = BOUNDED.sub(r"list(\1)", text)  # it was seen to end
    if seen.kind == "same":
        return f"assert {_bracketed(text)} is {writer.texts[int(seen.source)]}"
    if seen.kind == "type":
        return f"assert isinstance({text}, {seen.source})"
    if seen.kind == "length":
        return f"assert len({text}) == {seen.source}"
    if text == seen.source:
        return ""  # a name for itself
    return compare(text, _relation(seen), seen.source)


def compare(text: str, relation: str, expected: str) -> str:
    """The assertion that a value is what was seen."""
    if relation == "approx":
        return f"assert {_bracketed(text)} == pytest.approx({expected})"
    return f"assert {_bracketed(text)} {relation} {expected}"


def _bracketed(text: str) -> str:
    try:
        return text if isinstance(ast.parse(text, mode="eval").body, SIMPLE) else f"({text})"
    except SyntaxError:
        return text
