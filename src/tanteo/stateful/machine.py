"""Contracts as Hypothesis state machines: one for each class, with the calls that random testing has made.

A rule takes the arguments of some call that has passed, in whatever state the object is now; what survived
as a precondition says when it is not called, and everything else that survived is asserted afterwards.
"""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Listing
from typing import NamedTuple

from tanteo.emit.source import Writer, import_lines, names_in
from tanteo.emit.words import snake
from tanteo.execute.codec import decode
from tanteo.model import Sequence
from tanteo.stateful.decorators import MOST, Snapshots
from tanteo.stateful.reading import Row, surviving
from tanteo.subject import Operation

MOST_CALLS = 6  # of a method that a rule chooses from
CALLED = ("method", "operator")  # on the object; no class methods, no assignments
LONGEST = 12  # statements that make its arguments
HEAD = '''"""State machines with contracts that survived an attempt to break them."""'''
USED = ("hypothesis", "strategies", "RuleBasedStateMachine", "invariant", "rule")


class Call(NamedTuple):
    """A call that was recorded, and what came of it."""

    operation: str
    code: bytes
    outcome: str


def as_machines(rows: list[Row], calls: Iterable[Call], operations: Listing[Operation]) -> str:
    """A module that Hypothesis and pytest run."""
    named = {operation.name: operation for operation in operations}
    recorded: dict[str, list[Call]] = {}
    for call in calls:
        recorded.setdefault(call.operation, []).append(call)
    writer = Writer(operations, frozenset(USED))
    parts: list[str] = []
    taken: set[str] = set()
    for owner in sorted({name.rpartition(".")[0] for name in recorded if named[name].kind == "method"}):
        made = _shortest(recorded.get(owner, []))
        if made is not None:
            called = [named[n] for n in sorted(recorded) if n.rpartition(".")[0] == owner]
            methods = [operation for operation in called if operation.kind in CALLED]
            name = unused(owner.rpartition(".")[2], taken)
            parts += _Machine(owner, name, rows, recorded, writer).lines(made, methods)
    body = "\n".join(parts)
    heads = [
        "from hypothesis import strategies",
        "from hypothesis.stateful import RuleBasedStateMachine, invariant, rule",
    ]
    needed = {key: name for key, name in writer.imports.items() if name in names_in(body)}
    return "\n".join([HEAD, "", *heads, *import_lines(needed, body), "", body]) + "\n" if parts else ""


def unused(name: str, taken: set[str]) -> str:
    """The name, or with a number behind it if there is one like it."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found


def _shortest(calls: list[Call]) -> Sequence | None:
    passed = [decode(call.code) for call in calls if call.outcome == "normal"]
    return min(passed, key=len, default=None)


class _Machine:
    """The machine of one class."""

    def __init__(
        self, owner: str, name: str, rows: list[Row], recorded: dict[str, list[Call]], writer: Writer
    ) -> None:
        self.owner, self.name, self.recorded, self.writer = owner, name, recorded, writer
        self.word = snake(self.name)
        self._taken: set[str] = set()
        self.rows: dict[str, list[Row]] = {}
        for row in surviving(rows):
            self.rows.setdefault(row.operation, []).append(row)

    def lines(self, made: Sequence, methods: list[Operation]) -> Iterator[str]:
        """Functions that make things, then the class, then the name that pytest looks for."""
        before: list[str] = [*self._maker(f"make_{self.word}", made, [len(made) - 1])]
        inside: list[str] = []
        for method in methods:
            calls = [decode(c.code) for c in self.recorded[method.name] if c.outcome == "normal"]
            given = _alike(method, [made for made in calls if made.statements[-1].repeat is None])
            if given:
                makers, rule = self._rule(method, *given)
                before += makers
                inside += rule
        if not inside:
            return
        yield from before
        yield from ["", "", f"class {self.name}Machine(RuleBasedStateMachine):"]
        yield f'    """A {self.name}, and calls of its methods in any order."""'
        yield from ["", "    def __init__(self):", "        super().__init__()"]
        yield f"        self.subject = make_{self.word}()"
        yield from inside
        known = [row for row in self.rows.get(self.owner, ()) if row.sort == "invariant"]
        always = [row.text for row in known if _free(row.text) <= {"self"}]
        if always:
            yield from [
                "",
                "    @invariant()",
                "    def always(self):",
                f"        check_{self.word}(self.subject)",
            ]
        yield from ["", "", f"Test{self.name} = {self.name}Machine.TestCase"]
        if always:
            yield from ["", "", f"def check_{self.word}(self):", '    """Holds in every state."""']
            yield from [f"    assert {text}" for text in always]

    def _rule(
        self, method: Operation, names: list[str], calls: list[Sequence]
    ) -> tuple[list[str], list[str]]:
        """Functions that make arguments, and a rule that takes what one of them makes."""
        word = unused(method.name.rpartition(".")[2].strip("_"), self._taken)
        check = f"check_{self.word}_{word}"
        makers: list[str] = []
        texts: list[str] = []
        for number, made in enumerate(calls, 1):
            places = [len(made) - 1 + d for d in made.statements[-1].inputs[1:]]
            maker = f"{check.replace('check', 'give', 1)}_{number}"
            makers += self._maker(maker, made, places, whole=False)
            texts.append(maker)
        checked = self._check(check, method, names)
        if not names:
            rule = ["", "    @rule()", f"    def call_{word}(self):", f"        {check}(self.subject)"]
            return checked, rule
        chosen = f"strategies.sampled_from([{', '.join(texts)}])"
        rule = ["", f"    @rule(give={chosen})", f"    def call_{word}(self, give):"]
        return [*makers, *checked], [*rule, f"        {check}(self.subject, *give())"]

    def _maker(self, name: str, made: Sequence, places: list[int], whole: bool = True) -> Iterator[str]:
        """A function that returns what stands at some places of a sequence."""
        kept = _needed(made, places, len(made) - (not whole))
        uses = Counter(p + d for p in kept for d in made.statements[p].inputs)
        uses.update(places)
        writer = Writer(self.writer.operations, frozenset(self.writer.taken))
        writer.imports = self.writer.imports
        for position, statement in enumerate(made.statements):
            if position in kept:
                writer.write(statement, position, uses[position])
            else:
                writer.texts.append("None")
        found = [writer.texts[place] for place in places]
        told = found[0] if whole else f"({''.join(f'{text}, ' for text in found)})"
        yield from ["", "", f"def {name}():", *(f"    {line}" for line in writer.lines), f"    return {told}"]

    def _check(self, name: str, method: Operation, names: list[str]) -> list[str]:
        """A call with what it requires in front of it and what it ensures behind."""
        known = {"self", *names, "result"}
        rows = [row for row in self.rows.get(method.name, ()) if _free(row.text) <= known][:MOST]
        snapshots, claims = Snapshots(), []
        for row in rows:
            if row.sort in ("postcondition", "implication"):
                claims.append(snapshots.claim(row.text))
        lines = ["", "", f"def {name}({', '.join(['self', *names])}):"]
        for row in rows:
            if row.sort == "precondition":
                lines += [f"    if not ({row.text}):", "        return"]
        lines += [f"    {old} = {text}" for old, text in snapshots.texts.items()]
        call = self.writer.spell(method, ["self", *names], ())
        call = f"result = {call}" if method.value else call
        refusals = sorted({c.outcome.partition(" ")[0] for c in self.recorded[method.name]} - {"normal"})
        if refusals:
            told = refusals[0] if len(refusals) == 1 else f"({', '.join(refusals)})"
            told = told if all(hasattr(builtins, name) for name in refusals) else "Exception"
            lines += ["    try:", f"        {call}", f"    except {told}:", "        return"]
        else:
            lines.append(f"    {call}")
        return lines + [f"    assert {claim.replace('OLD.', '')}" for claim in claims]


def _needed(made: Sequence, places: list[int], end: int) -> set[int]:
    """The statements before an end without which these would not be what they are then."""
    wanted = set(places)
    for position in range(end - 1, -1, -1):
        touched = {position + distance for distance in made.statements[position].inputs}
        if position in wanted or touched & wanted:
            wanted |= {position, *touched}
    return wanted


def _alike(method: Operation, calls: list[Sequence]) -> tuple[list[str], list[Sequence]] | None:
    """Calls that are given the same parameters, by place, and what these are called."""
    known = [p.name for p in method.parameters if not p.variadic and not p.keyword]
    if method.parameters and method.parameters[0].name == "self":
        known = known[1:]
    plain = [c for c in calls if not c.statements[-1].names and len(c) <= LONGEST]
    counts = Counter(len(c.statements[-1].inputs) - 1 for c in plain)
    fitting = [count for count, _ in counts.most_common() if 0 <= count <= len(known)]
    if not fitting:
        return None
    chosen = [c for c in plain if len(c.statements[-1].inputs) - 1 == fitting[0]]
    different = {_arguments(c): c for c in sorted(chosen, key=len, reverse=True)}
    return known[: fitting[0]], sorted(different.values(), key=len)[:MOST_CALLS]


def _arguments(made: Sequence) -> tuple[bytes, ...]:
    """What tells two calls apart but for the object that they are made on."""
    last = len(made) - 1
    places = [last + distance for distance in made.statements[-1].inputs[1:]]
    return tuple(made.statements[p].code for p in sorted(_needed(made, places, last)))


def _free(text: str) -> set[str]:
    """The names in a clause that a call must give a value to."""
    found = names_in(text.replace(" implies ", " or "))
    return {name for name in found if not hasattr(builtins, name)} - {"old"}
