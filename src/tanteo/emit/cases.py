"""Kept sequences into test cases: which are worth a test, and what each asserts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tanteo.execute.codec import decode
from tanteo.execute.observations import Observation
from tanteo.model import MISFIT_MARK, Sequence
from tanteo.store.database import KeptRow

MOST_ASSERTIONS = 10  # to choose from
MOST_UNCHANGED = 2
EXAMPLES = 60  # of one outcome; only those that notice something of their own stay
EMPTY = frozenset({"None", "False", "0", "''", "b''", "[]", "()", "{}", "set()", "0.0"})
SIZED = frozenset({"list", "tuple", "dict", "set", "frozenset"})  # whose length says more than their type
RANK = {
    **dict.fromkeys(("value", "same", "elements", "start", "repr"), 0),
    "changed": 1,
    "type": 2,
    "length": 3,
    "unchanged": 4,
}


LUCK = frozenset({"chance", "elsewhere"})  # marks of notes that say nothing of what was seen
SHOWN = re.compile(
    r"<(class|function|built-in|module|bound method) |<re\.Match|['\"(]re\.compile\("
)  # the interpreter's own words


class Candidate(NamedTuple):
    """A kept sequence that reached an arm, or showed an outcome, that no earlier one did."""

    code: bytes
    outcome: str
    arms: tuple[int, ...]
    extra: bool = False  # only one more example


@dataclass(frozen=True, slots=True)
class Case:
    """One test: a sequence and what is asserted at its end."""

    sequence: Sequence
    observations: tuple[Observation, ...] = ()
    raises: str = ""
    message: str = ""
    imports: tuple[tuple[str, str], ...] = ()  # of the exception
    types: tuple[str, ...] = ()  # the class of each value, if it is the subject's
    ended: frozenset[int] = frozenset()  # lists that came to their end before the bound
    outcome: str = ""
    arms: frozenset[int] = frozenset()  # all that it reaches
    astray: bool = False  # a call was given something else than its parameter declares
    odd: bool = False  # the last call was given something of another kind than the default
    unlikely: bool = False  # a call was given something that nothing speaks for
    stuffed: bool = False  # something was passed that nobody would, where anything will do
    padded: bool = False  # something was done before the last call that nobody sees
    vain: bool = False  # an object was made with an option that nobody sees
    same: tuple[int, ...] = ()  # where the object at each position came up first
    overriding: int | None = None  # the operation that ran if a subclass has its own
    idle: int = 0  # arguments that may be left out, without which its result is the same
    accident: bool = False  # something inside was not made for an argument, and somebody caught that
    asked: bool = False  # what is raised tells of an argument: a key that is not there
    echo: bool = False  # what comes back looks like what it was called on
    rough: bool = False  # there was no time to see whether something simpler does the same
    several: bool = False  # it stands for others that differ in plain values
    varied: frozenset[str] = frozenset()  # the parameters in which they do
    warns: tuple[str, ...] = ()  # classes of warnings
    hinges: tuple[
        frozenset[tuple[int, str]], ...
    ] = ()  # answers of a new object, by argument that decides them
    weaker: tuple[Observation, ...] = ()  # what can be said instead if a length turns out not to last
    announces: tuple[str, str] | None = None  # the only one, if the last call means to give it

    @property
    def misfit(self) -> bool:
        """Whether it shows only what a value of the wrong type leads to."""
        return self.astray or self.odd or self.outcome.endswith(MISFIT_MARK)

    @property
    def expected_exception(self) -> dict[str, Any] | None:
        """As the recorder tells it."""
        if not self.raises:
            return None
        return {"raises": self.raises, "imports": self.imports, "message": self.message}

    @property
    def tells(self) -> bool:
        """Whether it shows more than that nothing came back and nothing has changed."""
        return bool(self.raises) or any(
            o.kind != "unchanged" and (o.is_state or o.source != "None") for o in self.observations
        )

    @property
    def returns_something(self) -> bool:
        """Whether the call gives back more than None."""
        last = len(self.sequence) - 1
        about = [o for o in self.observations if o.position == last and not o.is_state]
        return not self.raises and any(o.source != "None" for o in about)

    @property
    def is_idle_talk(self) -> bool:
        """Whether all it says is that something has not changed."""
        return not self.raises and all(o.kind == "unchanged" for o in self.observations)

    @property
    def is_full(self) -> bool:
        """Whether what it shows is not empty, nought or False."""
        shown = [o for o in self.observations if o.kind != "unchanged"]
        return any(o.source not in EMPTY and not o.source.endswith("()'") for o in shown)

    @property
    def is_example(self) -> bool:
        """Whether it is one call with a result that can be written down."""
        return [o.kind for o in self.observations] in (["value"], ["elements"], ["repr"])

    @property
    def operation(self) -> int:
        """What is tested: the last call."""
        return self.overriding if self.overriding is not None else self.sequence.statements[-1].operation


def choose(rows: Iterable[KeptRow]) -> list[Candidate]:
    """Rows that add an arm or an outcome of their operation; in the order in which they were found.

    Behind them a few more of each operation, to choose from: calls with plain arguments are rows of one
    parametrized test, others may turn out to have another effect.
    """
    arms: set[int] = set()
    outcomes: Counter[tuple[bytes, str]] = Counter()
    found = []
    for row in sorted(rows, key=lambda row: row.outcome.endswith(MISFIT_MARK)):  # they come last
        reached = {int(a) for a in row.arms.split(",") if a}
        new = reached - arms
        outcome = (row.code.rstrip(b"\n").rpartition(b"\n")[2].partition(b" ")[0], row.outcome)
        if new or outcomes[outcome] < (EXAMPLES if row.outcome == "normal" else 1):
            arms |= new
            outcomes[outcome] += 1
            extra = not new and outcomes[outcome] > 1
            found.append(Candidate(row.code, row.outcome, tuple(sorted(new)), extra))
    return sorted(found, key=lambda c: c.extra)


def agree(code: bytes, one: dict[str, Any] | None, other: dict[str, Any] | None) -> Case | None:
    """What two recordings have in common, as a case; None if they differ in what happened."""
    if not one or not other or ("raises" in one) != ("raises" in other):
        return None
    if not LUCK.isdisjoint({*one, *other}):
        return None
    made = decode(code)
    warns = tuple(sorted({*one.get("warns", ()), *other.get("warns", ())}))
    if "raises" in one:
        if one["raises"] != other["raises"]:
            return None
        message = one["message"] if one["message"] == other["message"] else ""
        found = Case(made, (), one["raises"], message, _pairs(one["imports"]))
        types, same = tuple(one["types"]), _same(one, other)
        asked = one["asked"] and other["asked"]
        found = replace(found, types=types, ended=frozenset(one["ended"]), same=same, asked=asked)
        found = replace(found, astray=one["astray"], odd=one["odd"], warns=warns, idle=one["idle"])
        found = replace(
            found,
            accident=one["accident"],
            unlikely=one["unlikely"],
            vain=one["vain"],
            stuffed=one["stuffed"],
        )
        return replace(found, announces=_announced(one, other))
    theirs = [_observation(o) for o in other["observations"]]
    shared = [o for o in map(_observation, one["observations"]) if o in theirs]
    ended = frozenset(one["ended"]) & frozenset(other["ended"])
    types, same = tuple(one["types"]), _same(one, other)
    idle = min(one.get("idle", 0), other.get("idle", 0))
    found = Case(made, _best(shared), types=types, ended=ended, same=same, idle=idle, echo=one["echo"])
    found = replace(found, hinges=tuple(frozenset(map(tuple, hinge)) for hinge in one.get("hinges", ())))
    if [o.kind for o in found.observations] == ["length"]:
        found = replace(found, weaker=tuple(o for o in shared if o.kind == "type"))
    odd = one["odd"] or any(SHOWN.search(o.source) for o in found.observations)
    found = replace(found, astray=one["astray"], odd=odd, warns=warns, accident=one["accident"])
    found = replace(
        found, unlikely=one["unlikely"], vain=one["vain"], stuffed=one["stuffed"], padded=one["padded"]
    )
    return replace(found, announces=_announced(one, other))


def _announced(one: dict[str, Any], other: dict[str, Any]) -> tuple[str, str] | None:
    if one["announces"] is None or one["announces"] != other["announces"]:
        return None
    kind, message = one["announces"]
    return kind, message


def _same(one: dict[str, Any], other: dict[str, Any]) -> tuple[int, ...]:
    both = zip(one["same"], other["same"], strict=True)
    return tuple(mine if mine == theirs else position for position, (mine, theirs) in enumerate(both))


def _best(observations: list[Observation]) -> tuple[Observation, ...]:
    """The ones that tell most: the result, then what the call has changed, then what it left alone."""
    ordered = sorted(observations, key=lambda o: RANK[o.kind])
    said = {o.position for o in ordered if o.kind in ("value", "same") and o.source != "None"}
    ordered = [o for o in ordered if not o.is_state or o.position not in said]
    if any(o.kind == "repr" for o in ordered):  # which tells the type and the length
        ordered = [o for o in ordered if o.kind not in ("type", "length")]
    if any(o.kind == "length" for o in ordered):
        ordered = [o for o in ordered if o.kind != "type" or o.source not in SIZED]
    if any(o.kind == "changed" for o in ordered):  # the state says more than None, a type or a length
        ordered = [o for o in ordered if o.is_state or o.source != "None"]
        last = max(o.position for o in ordered)
        if any(o.kind == "changed" and o.position == last for o in ordered):
            ordered = [o for o in ordered if o.kind not in ("type", "length")]
    kept: list[Observation] = []
    unchanged = 0
    for seen in ordered:
        if seen.kind == "unchanged":
            unchanged += 1
            if unchanged > MOST_UNCHANGED:
                continue
        kept.append(seen)
    return tuple(kept[:MOST_ASSERTIONS])


def _observation(data: list[Any]) -> Observation:
    kind, position, operation, source, imports, *rest = data
    return Observation(kind, position, operation, source, _pairs(imports), *rest)


def _pairs(imports: Iterable[Iterable[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((module, name) for module, name in imports)
