"""The body of a test: the calls as people write them, then the assertions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from collections.abc import Sequence as Listing
from types import MappingProxyType
from typing import NamedTuple

from tanteo.emit.cases import Case
from tanteo.emit.source import BOUNDED, Writer, as_statement, parameters_of
from tanteo.execute.observations import COUNTED, FEW, Observation
from tanteo.model import Sequence, Statement
from tanteo.subject import Operation

SPECIAL = re.compile(r"([\\.^$*+?{}\[\]|()])")
SHORT = 4  # characters of a message
MOST_ESCAPES = 4  # in a pattern: with more nobody can read it
SINGLE = ("None", "True", "False", "...", "NotImplemented")
SIMPLE = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant)  # no brackets in a comparison
NAME = re.compile(r"\{symbol:\w+\}(\.\w+)*")
NUMBERS = re.compile(r"^[\[({]?[-\d.,\s:'\"\w+e]*[\])}]?$")  # a number or a flat container: approx can do it


class Hole(NamedTuple):
    """A place in a body where another plain value could stand: in several tests it becomes a parameter."""

    name: str  # as a parameter
    text: str
    given: bool  # to a call; otherwise it is what came of it


class Body(NamedTuple):
    """Lines of a test without its head."""

    lines: tuple[str, ...]
    holes: tuple[Hole, ...] = ()  # in the order in which they come up
    fixtures: tuple[str, ...] = ()  # that the test asks for


Imports = dict[tuple[str, str], str]
Filling = Mapping[int, str]  # what is to stand in a hole instead
NOTHING: Filling = MappingProxyType({})


def write_body(
    case: Case, operations: Listing[Operation], imports: Imports, filling: Filling = NOTHING
) -> Body | None:
    """The lines; None if nothing can be asserted. Adds to the imports of the file."""
    fixtures = fixtures_of(case.sequence, operations)
    taken = frozenset({"pytest", *imports.values(), *fixtures, *filling.values()})
    writer = Scribe(operations, taken, case.types, case.ended, case.same)
    writer.imports, writer.filling = imports, filling
    usable = [o for o in case.observations if _importable(o.imports, writer)]
    statements = case.sequence.statements
    last = len(statements) - 1
    uses = Counter(writer.first(p + i) for p, s in enumerate(statements) for i in s.inputs)
    uses.update(writer.first(o.position) for o in usable if o.position != last)
    alike = {writer.first(int(o.source)) for o in usable if o.kind == "same"}
    uses.update(alike)
    seen = {o.position for o in usable} | alike
    for position, statement in enumerate(statements[:-1]):
        writer.see(statement, position, uses[position])
        inside = position not in seen and _can_stand_inside(position, statements, uses, operations)
        inside &= not (case.raises and position - last in statements[-1].inputs)  # it may raise, too
        if inside or _is_name(statement, operations):
            writer.put_inside(statement, position)
        else:
            writer.write(statement, position, uses[position])
    if case.raises and not _importable(case.imports, writer):
        return None
    writer.see(statements[-1], last, uses[last])
    lines = _raising(case, writer, last) if case.raises else _returning(case, usable, writer, last)
    return Body(tuple(lines), tuple(writer.holes), fixtures) if lines else None


class Scribe(Writer):
    """A writer that knows where plain values stand, and puts others there if it is told to."""

    filling: Filling = NOTHING

    def __init__(
        self,
        operations: Listing[Operation],
        taken: frozenset[str],
        types: tuple[str, ...],
        ended: frozenset[int],
        same: tuple[int, ...],
    ) -> None:
        super().__init__(operations, taken, types, ended, same)
        self.holes: list[Hole] = []
        self._plain: set[int] = set()  # nothing of the subject runs if they stand in a table

    def see(self, statement: Statement, position: int, uses: int) -> None:
        """A statement is about to be written: its plain inputs can be replaced."""
        if statement.literal is not None:
            self._plain.add(position)
            return
        operation = self.operations[statement.operation]
        given = [position + distance for distance in statement.inputs]
        if operation.kind == "display" and (uses < 2 or operation.name == "tuple"):
            self._plain.update({position} if self._plain.issuperset(given) else ())
        elif statement.repeat is None:  # in a loop they are made anew each time
            names = parameters_of(operation, statement)
            for place, name in zip(given, names, strict=True):
                if place in self._plain:
                    self._plain.discard(place)  # the second time it is known by its name
                    self.texts[place] = self.hole(name, self.texts[place], given=True)

    def put_inside(self, statement: Statement, position: int) -> None:
        """A value that is written where it is used."""
        self.texts.append(self.call(statement, position))
        if self.operations[statement.operation].kind == "constant":
            self._plain.add(position)

    def hole(self, name: str, text: str, given: bool = False) -> str:
        """What stands here."""
        self.holes.append(Hole(name, text, given))
        return self.filling.get(len(self.holes) - 1, text)


def fixtures_of(made: Sequence, operations: Listing[Operation]) -> tuple[str, ...]:
    """The names that a test must have as parameters."""
    used = [operations[s.operation] for s in made.statements if s.operation >= 0]
    return tuple(dict.fromkeys(o.form for o in used if o.kind == "fixture"))


def _is_name(statement: Statement, operations: Listing[Operation]) -> bool:
    """Whether it has a name already: a member of an enum, a class, an object of a module."""
    return statement.operation >= 0 and bool(NAME.fullmatch(operations[statement.operation].form))


def _can_stand_inside(
    position: int, statements: tuple[Statement, ...], uses: Counter[int], operations: Listing[Operation]
) -> bool:
    """Whether a value is written where it is used: an object made for the very next call."""
    statement = statements[position]
    if statement.operation < 0 or statement.repeat is not None or uses[position] != 1:
        return False
    if operations[statement.operation].kind not in ("constructor", "constant"):
        return False
    user = next(p for p in range(position + 1, len(statements)) if position in _inputs(p, statements))
    if operations[statements[user].operation].kind == "display":
        between = [p for p in range(position + 1, user) if statements[p].operation >= 0]
        return all(uses[p] == 1 and p in _inputs(user, statements) for p in between)
    following = next(p for p in range(position + 1, len(statements)) if statements[p].operation >= 0)
    if statements[following].repeat is not None:
        return False  # it would be made anew each time
    inputs = _inputs(following, statements)
    others = [p for p in inputs if p != position]
    if position not in inputs:
        return False
    return inputs[-1] == position or all(statements[p].operation < 0 for p in others)


def _inputs(position: int, statements: tuple[Statement, ...]) -> list[int]:
    return [position + distance for distance in statements[position].inputs]


def _importable(pairs: tuple[tuple[str, str], ...], writer: Writer) -> bool:
    """Imports what an expression needs; False if its name is taken by something else in this file."""
    for module, name in pairs:
        if name and writer.symbol(module, name) != name:
            return False
        if not name:
            writer.imports[module, ""] = module
    return True


def _raising(case: Case, writer: Scribe, last: int) -> list[str]:
    statement = case.sequence.statements[-1]
    if statement.repeat is not None:
        before = len(writer.lines)
        writer.write(statement, last, 0)
        inside = writer.lines[before:]
        del writer.lines[before:]
    else:
        inside = [as_statement(BOUNDED.sub(r"list(\1)", writer.call(statement, last)))]  # it does not get far
    match = f", match={writer.hole('message', _pattern(case.message))}" if case.message else ""
    expected = ", ".join([*_announcement(case, writer), f"pytest.raises({case.raises}{match})"])
    head = f"with {expected}:"
    return [*writer.lines, head, *(f"    {line}" for line in inside)]


def _announcement(case: Case, writer: Scribe) -> list[str]:
    """The warning that is expected, if there is one."""
    if case.announces is None:
        return []
    kind, message = case.announces
    match = f", match={writer.hole('message', _pattern(message))}" if message else ""
    return [f"pytest.warns({kind}{match})"]


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


def _returning(case: Case, usable: list[Observation], writer: Scribe, last: int) -> list[str]:
    statement = case.sequence.statements[-1]
    operation = writer.operations[statement.operation]
    about = [o for o in usable if o.position == last]
    single = len(about) == 1 and not about[0].is_state and operation.value and not case.announces
    before = len(writer.lines)
    if statement.repeat is None and single:
        writer.texts.append(writer.call(statement, last))
    else:
        writer.write(statement, last, len(about))
    for expected in _announcement(case, writer):
        inside = [f"    {line}" for line in writer.lines[before:]]
        writer.lines[before:] = [f"with {expected}:", *inside]
    ordered = sorted(usable, key=lambda o: o.position != last or o.is_state)  # the call itself comes first
    told = [o for o in ordered if operation.value or o.position != last]
    asserts = list(dict.fromkeys(text for o in told if (text := _assertion(o, writer))))
    return [*writer.lines, *asserts] if asserts else []


def _relation(seen: Observation) -> str:
    if seen.source in SINGLE:
        return "is"
    return "approx" if not seen.exact and NUMBERS.match(seen.source) else "=="


def _assertion(seen: Observation, writer: Scribe) -> str:
    text = writer.texts[seen.position]
    if text == "None":
        return ""
    if seen.attribute.endswith(COUNTED):
        attribute = seen.attribute.removesuffix(COUNTED)
        return f"assert len({text}.{attribute}) == {writer.hole('length', seen.source)}"
    if seen.attribute:
        text = f"{text}.{seen.attribute}"
    elif seen.operation >= 0:
        text = writer.spell(writer.operations[seen.operation], [text], ())
    if seen.kind in ("value", "changed", "unchanged"):
        kind = "set" if seen.operation >= 0 and seen.source[:1] == "{" else "list"
        text = BOUNDED.sub(rf"{kind}(\1)", text)  # it was seen to end
    if seen.kind == "same":
        return f"assert {_bracketed(text)} is {writer.texts[writer.first(int(seen.source))]}"
    if seen.kind == "type":
        return f"assert type({text}) is {seen.source}"  # an object of a subclass is something else
    if seen.kind == "repr":
        return f"assert repr({text}) == {writer.hole('expected', seen.source)}"
    if seen.kind == "elements":
        return _compare(f"list({text})", _relation(seen), writer.hole("expected", seen.source))
    if seen.kind == "start":
        return _compare(f"{text}[:{FEW}]", _relation(seen), writer.hole("expected", seen.source))
    if seen.kind == "length":
        return f"assert len({text}) == {writer.hole('length', seen.source)}"
    if text == seen.source:
        return ""  # a name for itself
    return _compare(text, _relation(seen), writer.hole("expected", seen.source))


def _compare(text: str, relation: str, expected: str) -> str:
    if relation == "approx":
        return f"assert {_bracketed(text)} == pytest.approx({expected})"
    return f"assert {_bracketed(text)} {relation} {expected}"


def _bracketed(text: str) -> str:
    try:
        return text if isinstance(ast.parse(text, mode="eval").body, SIMPLE) else f"({text})"
    except SyntaxError:
        return text
