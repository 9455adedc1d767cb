"""Finds calls that break a clause: objects by SQL, relations by trying, the rest by calls that change them.

Paper 001, section III-E, with what it leaves open: an object is wanted that breaks the clause and otherwise
is as in calls that passed; where it is not, the graph of abstract states says which calls may mend that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, TypeVar

from tanteo.execute.codec import decode
from tanteo.execute.interpret import interpret
from tanteo.model import LITERAL, Literal, Sequence, Statement, call, say, sequence
from tanteo.passing import passed_to
from tanteo.session import MOST_STATEMENTS
from tanteo.stateful.atoms import NO, YES, Atom, members, opposite
from tanteo.stateful.books import Books, between, relation_text
from tanteo.stateful.database import Thing, Wish
from tanteo.stateful.inference import Summary
from tanteo.stateful.questions import PLAIN
from tanteo.values import evaluate

Item = TypeVar("Item")
MOST_CANDIDATES = 45  # tried for one clause, as in the paper
MOST_LOOKS = 120  # sequences that are looked at to find them
FEW_MODELS = 3  # passing calls whose other arguments are taken over
LONGEST_CHAIN = 5
FEW_PATHS = 3  # chains of calls that are tried for one parameter
PLAINEST: dict[type, tuple[str, ...]] = {
    int: ("0", "1", "-1", "2", "3", "10", "100"),
    float: ("0.0", "1.0", "-1.0", "0.5"),
    str: ("''", "'a'", "'b'", "'ab'"),
    bytes: ("b''", "b'a'"),
    bool: ("True", "False"),
    type(None): ("None",),
}


class Goal(NamedTuple):
    """A call of an operation before which one literal does not hold, and others do."""

    operation: int
    broken: int
    kept: frozenset[int] = frozenset()


class Part(NamedTuple):
    """Statements that leave a value behind, and where."""

    statements: tuple[Statement, ...]
    position: int
    copy: int = 0  # the same recipe once more makes another object that is equal


@dataclass(slots=True)
class Search:
    """Looks for calls that reach a goal."""

    books: Books
    models: dict[int, list[Sequence]] = field(default_factory=dict)  # passing calls, the shortest first
    refused: dict[int, list[Sequence]] = field(default_factory=dict)  # others, if no call has passed
    transitions: bool = True
    _looked: set[tuple[Goal, bytes]] = field(default_factory=set)  # later rounds begin behind them

    def candidates(self, goal: Goal) -> list[tuple[int, Sequence]]:
        """Calls that break the literal, with the number of others that they break, too; fewest first."""
        summary = self.books.summary(goal.operation)
        models = (self.models.get(goal.operation) or self.refused.get(goal.operation, []))[:FEW_MODELS]
        if summary is None or not models:
            return []
        found: list[tuple[int, int, int, Sequence]] = []
        looks = 0
        for made, parts in self._drafts(goal, summary, models):
            if (goal, made.code) in self._looked:
                continue
            looks += 1
            if looks > MOST_LOOKS or len(found) >= MOST_CANDIDATES:
                break
            self._looked.add((goal, made.code))
            held = self.books.before(made)
            if held is None or _unreached(held, goal) > 1:
                continue
            missing = _missing(held, summary, goal)
            if _reaches(held, goal):
                found.append((len(missing), made.calls, len(found), made))
            if (missing or not _reaches(held, goal)) and self.transitions:
                for mended in self._mended(made, [*parts], summary, goal):
                    held = self.books.before(mended)
                    if held is not None and _reaches(held, goal):
                        left = _missing(held, summary, goal)
                        found.append((len(left), mended.calls, len(found), mended))
        best = sorted(found, key=lambda f: f[:3])[:MOST_CANDIDATES]
        return [(missing, made) for missing, *_, made in best]

    def variations(self, operation: int) -> Iterator[Sequence]:
        """Calls like those that passed, with another object for one parameter: where too few have passed."""
        for model in self.models.get(operation, [])[:FEW_MODELS]:
            for name, _ in self.books.inputs(model):
                for part in self._things(self._kind(name, model), []):
                    made = graft(model, {name: part}, self.books)
                    if made is not None:
                        yield made

    def _drafts(
        self, goal: Goal, summary: Summary, models: list[Sequence]
    ) -> Iterator[tuple[Sequence, dict[str, Part]]]:
        relations = [n for n in goal.kept if len(summary.before[n >> 1].names) == 2 and not n & 1]
        drivers = [*relations, opposite(goal.broken)] if relations else [opposite(goal.broken)]
        for driver in drivers:  # what is rarer comes first: two objects that fit each other
            atom, wanted = summary.before[driver >> 1], NO if driver & 1 else YES
            also = [n for n in (*goal.kept, opposite(goal.broken)) if n != driver]
            yield from taking_turns(
                *(self._grafted(model, self._parts(atom, wanted, model, also, summary)) for model in models)
            )

    def _grafted(
        self, model: Sequence, drafts: Iterator[dict[str, Part]]
    ) -> Iterator[tuple[Sequence, dict[str, Part]]]:
        for parts in drafts:
            made = graft(model, parts, self.books)
            if made is not None:
                yield made, parts

    def _parts(
        self, atom: Atom, wanted: int, model: Sequence, also: list[int], summary: Summary
    ) -> Iterator[dict[str, Part]]:
        """Values for the parameters that an atom is about."""
        kinds = {name: self._kind(name, model) for name in atom.names}
        wishes = {name: [w for n in also for w in _wish(n, summary, name)] for name in atom.names}
        if len(atom.names) == 1:
            (name,) = atom.names
            for part in self._things(
                kinds[name], [Wish(between(atom.text, name, name), wanted), *wishes[name]]
            ):
                yield {name: part}
        elif len(atom.names) == 2:
            yield from self._pairs(atom, wanted, kinds, wishes)

    def _pairs(
        self, atom: Atom, wanted: int, kinds: dict[str, type], wishes: dict[str, list[Wish]]
    ) -> Iterator[dict[str, Part]]:
        one, two = atom.names
        left = list(self._things(kinds[one], wishes[one]))
        right = list(self._things(kinds[two], wishes[two]))
        yield from taking_turns(
            self._known(atom, wanted, kinds),
            ({one: p, two: p._replace(copy=1)} for p in (left if kinds[one] is kinds[two] else ())),
            ({one: p, two: p} for p in (left if kinds[one] is kinds[two] else ())),
            self._neighbours(left, kinds[two], one, two),
            _crossed(left, right, one, two),
        )

    def _known(self, atom: Atom, wanted: int, kinds: dict[str, type]) -> Iterator[dict[str, Part]]:
        """Two objects of one recipe of which the database knows that they are so related."""
        one, two = atom.names
        if kinds[one] not in PLAIN and kinds[two] not in PLAIN:
            numbers = self._number(kinds[one]), self._number(kinds[two])
            text = relation_text(atom, wanted == YES)
            for code, x, y in self.books.base.pairs(text, numbers, MOST_CANDIDATES):
                statements = decode(code).statements
                yield {one: Part(statements, x), two: Part(statements, y)}

    def _neighbours(self, parts: list[Part], kind: type, one: str, two: str) -> Iterator[dict[str, Part]]:
        """Two objects of one recipe: they may know each other."""
        for part in parts[:20]:
            made = sequence(part.statements)
            with self.books.watching(made):
                values = interpret(made, self.books.session.calls).values
                others = [p for p, v in enumerate(values) if type(v) is kind and p != part.position]
            for position in others[-3:]:
                yield {one: part, two: Part(part.statements, position)}

    def _things(self, kind: type, wishes: list[Wish]) -> Iterator[Part]:
        if kind in PLAIN:
            for source in PLAINEST.get(kind, ()):
                yield Part((say(Literal(evaluate(source), source)),), 0)
            return
        known = {q.text for q in self.books.questions.unary(kind)}
        wishes = [w for w in wishes if w.text in known]
        for thing in self.books.base.objects(self._number(kind), wishes, MOST_CANDIDATES):
            yield _part(thing)

    def _kind(self, name: str, model: Sequence) -> type:
        counted = self.books.books[model.statements[-1].operation].kinds.get(name)
        return counted.most_common(1)[0][0] if counted else object

    def _number(self, kind: type) -> int:
        return self.books.base.kind(f"{kind.__module__}.{kind.__qualname__}")

    def _mended(self, made: Sequence, names: list[str], summary: Summary, goal: Goal) -> Iterator[Sequence]:
        """With calls in front of the last one that bring objects into states that are missing.

        One parameter after the other: each of them may need calls of its own.
        """
        for number, name in enumerate(names):
            kind = self._kind(name, made)
            state = None if kind in PLAIN else self.books.state_before(made, name)
            if state is None:
                continue
            wishes = self._states_wanted(name, kind, summary, goal)
            goals = self.books.base.states(self._number(kind), wishes) - {state}
            for path in islice(self._paths(kind, state, goals), FEW_PATHS):
                mended = self._with_calls(made, name, path)
                yield mended
                yield from self._mended(mended, names[number + 1 :], summary, goal)

    def _states_wanted(self, name: str, kind: type, summary: Summary, goal: Goal) -> list[Wish]:
        """What an object must answer so that nothing but the clause is broken."""
        known = {q.text for q in self.books.questions.unary(kind)}
        found = []
        for literal in [*members(max(0, summary.passing.before)), opposite(goal.broken), *goal.kept]:
            if literal != goal.broken:
                found += [wish for wish in _wish(literal, summary, name) if wish.text in known]
        return found

    def _paths(self, kind: type, start: int, goals: set[int]) -> Iterator[list[bytes]]:
        """Chains of calls on the graph of abstract states, the shortest first."""
        edges: dict[int, list[tuple[int, bytes]]] = {}
        for before, after, _, code in self.books.base.edges(self._number(kind)):
            edges.setdefault(before, []).append((after, code))
        seen, waiting = {start}, deque([(start, [])])  # type: tuple[set[int], deque[tuple[int, list[bytes]]]]
        while waiting:
            state, path = waiting.popleft()
            if state in goals:
                yield path
            for after, code in edges.get(state, ()) if len(path) < LONGEST_CHAIN else ():
                if after not in seen:
                    seen.add(after)
                    waiting.append((after, [*path, code]))

    def _with_calls(self, made: Sequence, name: str, path: list[bytes]) -> Sequence:
        """The calls at the end of these recipes, made on the value of a parameter before the last call."""
        target = dict(self.books.inputs(made))[name]
        statements, last = list(made.statements[:-1]), made.statements[-1]
        for code in path:
            recipe = decode(code)
            places = _copy(recipe, list(recipe.statements[-1].inputs[1:]), statements)
            mutator = recipe.statements[-1]
            inputs = [target - len(statements), *(p - len(statements) for p in places)]
            statements.append(call(mutator.operation, tuple(inputs), mutator.names, mutator.repeat))
        gap = len(statements) - (len(made) - 1)
        moved = tuple(distance - gap for distance in last.inputs)
        return sequence([*statements, call(last.operation, moved, last.names)])


def _crossed(left: list[Part], right: list[Part], one: str, two: str) -> Iterator[dict[str, Part]]:
    """Two objects that have never met, small ones with small ones first."""
    for total in range(len(left) + len(right)):
        for number in range(max(0, total - len(right) + 1), min(total + 1, len(left))):
            yield {one: left[number], two: right[total - number]}


def taking_turns(*sources: Iterator[Item]) -> Iterator[Item]:
    """One of each, again and again, until all are used up."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        for item in islice(source, 1):
            yield item
            waiting.append(source)


def _part(thing: Thing) -> Part:
    return Part(decode(thing.code).statements, thing.position)


def _wish(literal: int, summary: Summary, name: str) -> list[Wish]:
    """What a literal asks of one parameter, if it is about that one alone."""
    atom = summary.before[literal >> 1]
    return [Wish(between(atom.text, name, name), NO if literal & 1 else YES)] if atom.names == (name,) else []


def _reaches(held: int, goal: Goal) -> bool:
    return bool(held >> opposite(goal.broken) & 1) and all(held >> literal & 1 for literal in goal.kept)


def _unreached(held: int, goal: Goal) -> int:
    """How much of the goal is missing; one thing a transition may supply."""
    return sum(not held >> literal & 1 for literal in (opposite(goal.broken), *goal.kept))


def _missing(held: int, summary: Summary, goal: Goal) -> list[int]:
    """Literals that held before all passing calls, and do not here; without the one that should not."""
    return [n for n in members(max(0, summary.passing.before) & ~held) if n != goal.broken]


def graft(model: Sequence, parts: dict[str, Part], books: Books) -> Sequence | None:
    """A call like that of the model, with other values for some parameters."""
    last = model.statements[-1]
    slots = passed_to(books.session.slots[last.operation], last)
    statements: list[Statement] = []
    laid: dict[object, int] = {}  # one recipe for two parameters is laid out once, unless a copy is wanted
    positions = []
    asked = [parts.get("self" if slot.receiver else slot.name) for slot in slots]
    kept = [distance for part, distance in zip(asked, last.inputs, strict=True) if part is None]
    copied = iter(_copy(model, kept, statements))  # all at once: they may know each other
    for part in asked:
        if part is None:
            position = next(copied)
        else:
            key = (part.statements, part.copy)
            if key not in laid:
                laid[key] = len(statements)
                statements.extend(part.statements)
            position = laid[key] + part.position
        positions.append(position)
    if len(statements) > 2 * MOST_STATEMENTS:
        return None
    inputs = tuple(p - len(statements) for p in positions)
    return sequence([*statements, call(last.operation, inputs, last.names)])


def _copy(made: Sequence, distances: list[int], statements: list[Statement]) -> list[int]:
    """Append what the inputs of the last call need; where their values are then."""
    end = len(made) - 1
    wanted = {end + d for d in distances}
    for position in range(end - 1, -1, -1):  # a call on what is wanted may have made it what it is
        touched = {position + d for d in made.statements[position].inputs}
        objects = {p for p in touched & wanted if made.statements[p].operation != LITERAL}
        if position in wanted or objects:
            wanted |= {position, *touched}
    places: dict[int, int] = {}
    for position in sorted(wanted):
        statement = made.statements[position]
        if statement.operation != LITERAL:
            inputs = tuple(places[position + d] - len(statements) for d in statement.inputs)
            statement = call(statement.operation, inputs, statement.names, statement.repeat)
        places[position] = len(statements)
        statements.append(statement)
    return [places[end + d] for d in distances]
