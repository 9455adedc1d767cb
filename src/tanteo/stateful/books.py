"""Watches calls: which literals hold before and after, which states objects are in, what changed them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tanteo.execute.interpret import Hung, interpret, resume
from tanteo.fingerprints import fingerprint
from tanteo.model import Sequence, sequence
from tanteo.passing import passed_to
from tanteo.places import innermost
from tanteo.session import Session
from tanteo.stateful.atoms import NO, RESULT, YES, Atom, literals, negated
from tanteo.stateful.database import ObjectBase
from tanteo.stateful.inference import NORMAL, Summary
from tanteo.stateful.questions import ONE, PLAIN, TWO, Questions
from tanteo.stateful.vocabulary import Kinds, atoms_of

MOST_SAMPLES = 40  # objects of a class on which questions are tried
SUSPICIOUS = 6  # calls of an operation in which each atom is watched on its own
FEW_KINDS = 4
NOTHING = sequence(())
NOW, WAS = "len({}) now", "len({}) before"  # names of numbers among the values

Values = dict[str, object]


@dataclass(slots=True)
class Book:
    """What is asked around the calls of one operation, and what was told."""

    kinds: dict[str, Counter[type]] = field(default_factory=dict)
    measured: list[str] = field(default_factory=list)  # parameters whose length may change
    twins: list[int | None] = field(default_factory=list)  # for each atom afterwards the same one before
    summary: Summary | None = None
    watched: int = 0


@dataclass(slots=True)
class Books:
    """A book for each operation, and the objects that were seen."""

    session: Session
    questions: Questions
    base: ObjectBase
    books: dict[int, Book] = field(default_factory=dict)
    samples: dict[type, list[object]] = field(default_factory=dict)
    _looks: dict[type, set[object]] = field(default_factory=dict)

    def survey(self, made: Sequence) -> None:
        """Run a test to learn which classes its values have, and to have objects to try questions on."""
        last, end = made.statements[-1], len(made) - 1
        with self.watching(made):
            outcome = interpret(made, self.session.calls)
            values = outcome.values
            if last.repeat is not None or len(values) < end:
                return
            book = self.books.setdefault(last.operation, Book())
            for name, position in self.inputs(made):
                book.kinds.setdefault(name, Counter())[type(values[position])] += 1
            if outcome.error is None:
                book.kinds.setdefault(RESULT, Counter())[type(values[end])] += 1
                for position in {end, *(end + d for d in last.inputs)}:
                    self._take_sample(values[position])

    def _take_sample(self, value: object) -> None:
        """Objects that do not look alike: of each look one."""
        looks = self._looks.setdefault(type(value), set())
        if type(value) in PLAIN or len(looks) >= MOST_SAMPLES:
            return
        look = fingerprint([value])
        if look not in looks:
            looks.add(look)
            self.samples.setdefault(type(value), []).append(value)

    def inputs(self, made: Sequence) -> list[tuple[str, int]]:
        """The parameters of the last call with the positions of their values; no *args."""
        last, end = made.statements[-1], len(made) - 1
        slots = passed_to(self.session.slots[last.operation], last)
        both = zip(slots, last.inputs, strict=True)
        return [("self" if s.receiver else s.name, end + distance) for s, distance in both if not s.variadic]

    def summary(self, operation: int) -> Summary | None:
        """What is known of an operation; its atoms are made from the classes that the survey has seen."""
        book = self.books.get(operation)
        if book is None:
            return None
        if book.summary is None:
            kinds: Kinds = {n: [k for k, _ in c.most_common(FEW_KINDS)] for n, c in book.kinds.items()}
            for kind in dict.fromkeys(k for given in kinds.values() for k in given):
                with self.watching(NOTHING):  # a question that never comes back takes the others with it
                    self.questions.unary(kind, self.samples.get(kind, ()))
            result = kinds.pop(RESULT, None)
            before = atoms_of(operation, kinds, self.questions, self.session)
            later = {**kinds, RESULT: result} if result else kinds
            after = atoms_of(operation, later, self.questions, self.session)
            book.measured = [n for n, given in kinds.items() if hasattr(given[0], "__len__")]
            for name in book.measured:
                after += _changes(name)
            numbers = {atom.text: number for number, atom in enumerate(before)}
            book.twins = [numbers.get(atom.text) for atom in after]
            book.summary = Summary(before, after)
        return book.summary

    def enter(self, made: Sequence) -> tuple[int, int, str, int] | None:
        """Observe a test and note it: what held before and after its last call, and its outcome."""
        last = made.statements[-1]
        summary = self.summary(last.operation) if last.repeat is None else None
        found = None
        if summary is not None:
            with self.watching(made):
                found = self._observe(made, self.books[last.operation], summary)
        if found is not None and summary is not None:
            summary.add(*found)
        return found

    def before(self, made: Sequence) -> int | None:
        """The literals that hold before the last call of a sequence; None if it does not get there."""
        summary = self.summary(made.statements[-1].operation)
        found = None
        if summary is not None:
            with self.watching(made):
                prefix = interpret(sequence(made.statements[:-1]), self.session.calls)
                if prefix.error is None:
                    given = {name: prefix.values[position] for name, position in self.inputs(made)}
                    found = literals([atom.answer(given) for atom in summary.before])
        return found

    def state_before(self, made: Sequence, name: str) -> int | None:
        """The abstract state in which the last call finds the value of a parameter."""
        found = None
        with self.watching(made):
            prefix = interpret(sequence(made.statements[:-1]), self.session.calls)
            if prefix.error is None:
                found = self._state(prefix.values[dict(self.inputs(made))[name]])
        return found

    def invariants(self) -> Iterator[tuple[str, str, int]]:
        """What was so in all states of a class of the subject: class, text, number of states."""
        for kind in self.samples:
            if kind.__module__.partition(".")[0] in self.session.roots:
                name = f"{kind.__module__}.{kind.__qualname__}"
                for text, answer, states in self.base.always(self.base.kind(name)):
                    said = re.sub(r"(?<![\w.])x(?!\w)", "self", text)
                    yield name, said if answer == YES else negated(said), states

    def always(self, operation: int) -> frozenset[int]:
        """The literals before a call that are invariants of the classes of its values."""
        summary, found = self.summary(operation), set()
        if summary is None:
            return frozenset()
        known: dict[str, set[tuple[str, int]]] = {}
        for name, counted in self.books[operation].kinds.items():
            kind = counted.most_common(1)[0][0]
            number = self.base.kind(f"{kind.__module__}.{kind.__qualname__}")
            known[name] = {(text, answer) for text, answer, _ in self.base.always(number)}
        for number, atom in enumerate(summary.before):
            for sign, answer in enumerate((YES, NO)) if len(atom.names) == 1 else ():
                (name,) = atom.names
                if (between(atom.text, name, name), answer) in known.get(name, ()):
                    found.add(2 * number + sign)
        return frozenset(found)

    @contextmanager
    def watching(self, made: Sequence) -> Iterator[None]:
        """Behind the same walls as any run, but not a step; what hangs is given up."""
        world = self.session.world
        world.begin(self.session.step, made)
        try:
            yield
        except Hung:
            pass
        finally:
            world.restore()
            world.end()

    def _observe(self, made: Sequence, book: Book, summary: Summary) -> tuple[int, int, str, int] | None:
        prefix = interpret(sequence(made.statements[:-1]), self.session.calls)
        if prefix.error is not None:
            return None
        places = dict(self.inputs(made))
        given: Values = {name: prefix.values[position] for name, position in places.items()}
        if book.watched < SUSPICIOUS:
            book.watched += 1
            self._suspect(summary, given)
        answers = [atom.answer(given) for atom in summary.before]
        self._note_relations(made, summary.before, answers, given, places)
        states = {name: self._state(value) for name, value in given.items()}
        lengths: Values = {WAS.format(name): _length(given.get(name)) for name in book.measured}
        outcome = resume(made, self.session.calls, prefix.values)
        lengths |= {NOW.format(name): _length(given.get(name)) for name in book.measured}
        results: Values = {} if outcome.error is not None else {RESULT: outcome.values[-1]}
        told = [atom.answer({**given, **results, **lengths}) for atom in summary.after]
        name = NORMAL if outcome.error is None else _raised(outcome.error)
        before, after = literals(answers), literals(told)
        recipe = self.base.recipe(made.code, made.calls)
        operation = self.session.operations[made.statements[-1].operation].name
        self.base.add_test(operation, recipe, name, before, after)
        if outcome.error is None:
            self._note_objects(made, recipe, operation, {**given, **results}, places, states)
        return before, after, name, _moved(answers, told, book.twins)

    def _suspect(self, summary: Summary, given: Values) -> None:
        """Whether an atom changes something after all; then it is given up, everywhere."""
        for atom in [*summary.before]:
            look = fingerprint(list(given.values()))
            atom.answer(given)
            if fingerprint(list(given.values())) != look:
                self.questions.impure.add(atom.text)
                self.questions.demote(between(atom.text, atom.names[0], atom.names[-1]))
                summary.silence(atom.text)

    def _state(self, value: object) -> int | None:
        kind = type(value)
        questions = self.questions.unary(kind)
        if kind in PLAIN or not questions:
            return None
        number = self.base.kind(f"{kind.__module__}.{kind.__qualname__}")
        told = []
        for question in questions:
            answer = Atom(question.text, (ONE,), question.family, question.ask).answer({ONE: value})
            told.append((question.text, question.family, answer))
        return self.base.state(number, told)

    def _note_objects(
        self,
        made: Sequence,
        recipe: int,
        operation: str,
        values: Values,
        places: dict[str, int],
        states: dict[str, int | None],
    ) -> None:
        for name, value in values.items():
            state = self._state(value)
            if state is None:
                continue
            position = places.get(name, len(made) - 1)
            self.base.add_object(state, made.code, made.calls, position)
            earlier = states.get(name)
            if name == "self" and earlier is not None and earlier != state:
                self.base.add_transition(operation, earlier, state, recipe)

    def _note_relations(
        self,
        made: Sequence,
        atoms: list[Atom],
        answers: list[int | None],
        given: Values,
        places: dict[str, int],
    ) -> None:
        prefix = None
        for atom, answer in zip(atoms, answers, strict=True):
            if answer not in (YES, NO) or len(atom.names) != 2:
                continue
            kinds = [type(given[name]) for name in atom.names]
            if any(kind in PLAIN for kind in kinds):
                continue
            if prefix is None:
                short = sequence(made.statements[:-1])
                prefix = self.base.recipe(short.code, short.calls)
            one, two = (self.base.kind(f"{k.__module__}.{k.__qualname__}") for k in kinds)
            first, second = (places[name] for name in atom.names)
            text = relation_text(atom, answer == YES)
            self.base.add_relation(text, (one, two), prefix, (first, second))


def relation_text(atom: Atom, holds: bool) -> str:
    """What the database calls a relation that holds, or does not."""
    text = between(atom.text, *atom.names)
    return text if holds else negated(text)


def between(text: str, one: str, two: str) -> str:
    """The text of a relation with `x` and `y` for its names, so that other operations know it, too."""
    given = {two: TWO} | {one: ONE}
    return re.sub(r"(?<![\w.])[^\W\d]\w*", lambda m: given.get(m[0], m[0]), text)


def _raised(error: BaseException) -> str:
    """The exception and the line that raised it: two reasons to refuse a call are two outcomes."""
    trace = innermost(error)
    return f"{type(error).__name__} in line {trace.tb_lineno if trace is not None else 0}"


def _moved(before: list[int | None], after: list[int | None], twins: list[int | None]) -> int:
    """The literals of atoms that are not as they were, or were not there."""
    found = 0
    for number, (told, twin) in enumerate(zip(after, twins, strict=True)):
        if twin is None or before[twin] != told:
            found |= 3 << 2 * number
    return found


def _length(value: object) -> object:
    try:
        return len(value)  # type: ignore[arg-type]
    except Exception:
        return None


def _changes(name: str) -> list[Atom]:
    """How a length differs from what it was."""
    now, was = NOW.format(name), WAS.format(name)
    size = f"len({name})"
    texts = {f"{size} == old({size})": 0, f"{size} == old({size}) + 1": 1, f"{size} == old({size}) - 1": -1}
    return [Atom(text, (now, was), "change", _grown(by)) for text, by in texts.items()]


def _grown(by: int) -> Callable[..., object]:
    return lambda now, was: None if now is None or was is None else now == was + by
