"""Plain values in place of odd ones that are only carried along: what comes out differs in nothing else.

`OrderedSet(["%s(%r)", -2])` shows no more than `OrderedSet(["a", 1])`, and makes people look for a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tanteo.execute.displays import with_own
from tanteo.execute.fitting import arguments, wants_of
from tanteo.execute.idling import what_shows
from tanteo.execute.pruning import needed, pruned
from tanteo.execute.replay import replay
from tanteo.model import Literal, Run, Sequence, say, sequence
from tanteo.places import text_of
from tanteo.session import Session
from tanteo.values import evaluate

PLAIN: dict[type, tuple[str, ...]] = {
    str: ("'a'", "'b'", "'c'", "'d'"),
    bytes: ("b'a'", "b'b'", "b'c'"),
    int: ("1", "2", "3", "4"),
    float: ("0.5", "1.5", "2.5"),
}
PLAINEST: dict[type, str] = {str: "'a'", bytes: "b'a'", int: "0", float: "0.0", bool: "False"}
ROUND = frozenset({*range(11), 100, 0.5, 1.5})  # 1.0 is 1
LONG = 6  # characters of a word


class Renaming(NamedTuple):
    """A sequence with another value, and what was put in place of what."""

    made: Sequence
    old: str
    new: str

    def applied(self, text: str) -> str:
        """What should come out now, if the value is only carried along."""
        found = _put(self.old, self.new, text)
        inner = self.old.strip("b").strip("'\"")
        return found.replace(inner, self.new.strip("b").strip("'")) if "'" in self.new else found

    def undone(self, text: str) -> str:
        """What came out before, if the new value, which was nowhere else, is only carried along."""
        return _put(_bare(self.new), _bare(self.old), text)


def _put(old: str, new: str, text: str) -> str:
    return re.sub(rf"(?<![\w.-]){re.escape(old)}(?![\w.])", lambda _: new, text)


def _bare(source: str) -> str:
    return source.removeprefix("b").strip("'")


def renamings(made: Sequence) -> Iterator[Renaming]:
    """With a plain value for an odd one, wherever that stands; one that the sequence does not have yet."""
    literals = [s.literal for s in made.statements if s.literal is not None]
    used = {literal.source for literal in literals}
    for old in dict.fromkeys(literal.source for literal in literals if _is_odd(literal.value)):
        kind = next(type(literal.value) for literal in literals if literal.source == old)
        for new in [source for source in PLAIN[kind] if source not in used][:1]:
            said = say(Literal(evaluate(new), new))
            changed = [
                said if s.literal is not None and s.literal.source == old else s for s in made.statements
            ]
            yield Renaming(sequence(changed), old, new)


def truths_as_numbers(run: Run, session: Session) -> Iterator[Renaming]:
    """With a number for truth that goes where numbers are wanted, and truth is not."""
    made = run.sequence
    for position, index, slot in arguments(run, session):
        place = position + made.statements[position].inputs[index]
        literal, kinds = made.statements[place].literal, {want.kind for want in wants_of(slot)}
        if literal is not None and type(literal.value) is bool and kinds & {int, float} and bool not in kinds:
            number = int(literal.value)
            said = say(Literal(number, repr(number)))
            changed = sequence((*made.statements[:place], said, *made.statements[place + 1 :]))
            yield Renaming(changed, literal.source, repr(number))


def with_the_plainest(made: Sequence, position: int) -> Sequence | None:
    """With the plainest value of its type for one that is passed to the last call."""
    literal = made.statements[position].literal
    plainest = PLAINEST.get(type(literal.value)) if literal is not None else None
    given = [len(made) - 1 + distance for distance in made.statements[-1].inputs]
    if literal is None or plainest in (None, literal.source) or given.count(position) != 1:
        return None
    said = say(Literal(evaluate(str(plainest)), str(plainest)))
    return sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def with_own_letters(made: Sequence) -> Iterator[Renaming]:
    """With another plain value for one of two arguments that are the same: who mixes them up is found out."""
    used = {s.literal.source for s in made.statements if s.literal is not None}
    for position, statement in enumerate(made.statements):
        given: set[str] = set()
        for index, distance in enumerate(statement.inputs if statement.repeat is None else ()):
            literal = made.statements[position + distance].literal
            if literal is None or type(literal.value) not in PLAIN or literal.source not in PLAINEST.values():
                continue
            for new in [s for s in PLAIN[type(literal.value)] if s not in used][: literal.source in given]:
                for changed in with_own(made, position, index, evaluate(new)):
                    yield Renaming(pruned(changed, needed(made)), literal.source, new)
            given.add(literal.source)


def told_by(made: Sequence, session: Session) -> str:
    """What comes of the last call, and what becomes of the values that it was given, in words."""
    outcome = replay(made, session)
    if outcome.error is not None:
        return f"{type(outcome.error).__name__}: {text_of(outcome.error)}"
    end = len(made) - 1
    places = [end, *(end + distance for distance in made.statements[-1].inputs)]
    return " ".join(str(what_shows(outcome.values[place])) for place in places)


def _is_odd(value: object) -> bool:
    """Whether somebody would ask why it is this one."""
    if type(value) in (int, float):
        return value not in ROUND
    if isinstance(value, str | bytes):
        return len(value) > 1 and not (value.isalnum() and len(value) <= LONG)
    return False
