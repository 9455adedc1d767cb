"""What was passed in a run, and whether that was legal: evidence for the verdict."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tanteo import blame
from tanteo.beliefs import Belief
from tanteo.model import Outcome, Statement, call
from tanteo.operators import OWNER
from tanteo.places import asks_argument
from tanteo.subject import Operation
from tanteo.types import Slot, fits

ANSWERS = (LookupError, StopIteration, AttributeError)  # that there is no such thing


@dataclass(frozen=True, slots=True)
class Passing:
    """The operations with their parameters, and how they have answered."""

    operations: list[Operation]
    slots: list[tuple[Slot, ...]]
    functions: list[Any] = field(default_factory=list)  # behind the operations
    specified: set[int] = field(default_factory=set)  # those that say themselves what they require
    worked: set[int] = field(default_factory=set)  # operations that have returned
    beliefs: list[dict[str, Belief]] = field(default_factory=list)  # what running has taught
    _answering: dict[tuple[int, type], bool] = field(default_factory=dict)

    def _calls(self, outcome: Outcome) -> Iterator[tuple[int, Operation, Slot, object]]:
        """Every argument of every call: where, of what, for which parameter; receivers among them."""
        values = outcome.values
        for position, statement in enumerate(outcome.sequence.statements[: len(values) + 1]):
            if statement.operation < 0 or self.operations[statement.operation].kind == "display":
                continue
            slots = passed_to(self.slots[statement.operation], statement)
            for slot, distance in zip(slots, statement.inputs, strict=True):
                yield position, self.operations[statement.operation], slot, values[position + distance]

    def passed(self, outcome: Outcome) -> Iterator[blame.Argument]:
        """Every argument with the parameter that it was passed to; receivers are none."""
        end = len(outcome.sequence) - 1
        for position, operation, slot, value in self._calls(outcome):
            if not slot.receiver:
                known = self.beliefs[operation.index].get(slot.name) if self.beliefs else None
                fares_well = known is not None and known.fares_well(type(value))
                making = operation.kind == "constructor" and position != end
                if making:  # which takes anything; whether it is any good is seen later
                    fares_well = fares_well and any(fits(value, (g.want,)) for g in slot.guesses)
                yield blame.Argument(slot, value, fares_well, position == end)

    def trust(self, outcome: Outcome) -> None:
        """Take over what an explorer has learned: these operations work, and such arguments fare well."""
        self.worked.update(s.operation for s in outcome.sequence.statements if s.operation >= 0)
        for _, operation, slot, value in self._calls(outcome):
            self.beliefs[operation.index].setdefault(slot.name, Belief(slot)).trust(type(value))

    def illegal(self, outcome: Outcome) -> str | None:
        """What was wrong with the arguments of any call of the sequence, in words."""
        called = [self.operations[s.operation] for s in outcome.sequence.statements if s.operation >= 0]
        for operation in called:
            if operation.definition:
                return f"{operation.name} is a class that only we have"
        if any(OWNER in operation.form for operation in called[:-1]):
            return "the owner of a descriptor is a class that only we have"
        for _, operation, slot, value in self._calls(outcome):
            if value is None and not (slot.declared and fits(None, slot.wants)):
                return f"{slot.name} of {operation.name} was None"
            if slot.declared and not fits(value, slot.wants):
                return f"{slot.name} of {operation.name} was not {' | '.join(map(str, slot.wants))}"
        return None

    def level(self, outcome: Outcome, sure: bool, error: BaseException | None = None) -> tuple[str, str]:
        """How far to trust it: where nothing is declared, the arguments may have been nonsense."""
        if any(blame.is_active(value) for _, value, *_ in self.passed(outcome)):
            return "suspicious", "a function, a class or an iterator was passed"
        if self._passed_nothing(outcome) and not sure:
            return "suspicious", "nothing was passed where anything may be"
        parameter = self._undeclared(outcome)
        if not parameter:
            return "fault", "every argument is what its parameter declares"
        raised = error if isinstance(error, Exception) else RuntimeError()
        legal = None if sure else blame.legality(self.passed(outcome), raised)
        if legal is not None:
            return "fault", legal
        why = f"nothing says what {parameter} may be"
        return ("fault", f"{why}, but no argument excuses this") if sure else ("suspicious", why)

    def _passed_nothing(self, outcome: Outcome) -> bool:
        """Whether the last call takes any number of arguments and was given none."""
        last = outcome.sequence.statements[-1]
        slots = self.slots[last.operation] if last.operation >= 0 else ()
        takes_any = any(slot.variadic for slot in slots) or self.operations[last.operation].kind == "call"
        return takes_any and len(last.inputs) == sum(slot.receiver for slot in slots)

    def gave_nothing(self, outcome: Outcome, so_far: bool = True) -> bool:
        """Whether None was passed, or to an earlier call only: what it stands for nobody has said."""
        end = len(outcome.sequence) - so_far
        passed = self._calls(outcome)
        return any(value is None and not slot.receiver and place < end for place, _, slot, value in passed)

    def was_given_objects(self, outcome: Outcome) -> bool:
        """Whether the last call was given an object of the subject, which somebody may have made wrongly."""
        end = len(outcome.sequence) - 1
        passed = [(slot, value) for place, _, slot, value in self._calls(outcome) if place == end]
        return any(not slot.receiver and type(value).__module__ != "builtins" for slot, value in passed)

    def level_of_result(self, outcome: Outcome) -> tuple[str, str]:
        """Nonsense in, nonsense out: a result is worth as much as what was passed."""
        why = blame.legality(self.passed(outcome), TypeError())
        return ("fault", why) if why is not None else ("suspicious", "an argument may be anything")

    def doubtful(self, outcome: Outcome) -> bool:
        """Whether something was passed of which nobody has said what it may be."""
        return bool(self._undeclared(outcome))

    def _undeclared(self, outcome: Outcome) -> str:
        """The first parameter without a declared type that was given a value."""
        for _, operation, slot, _ in self._calls(outcome):
            if not slot.declared:
                return f"{slot.name} of {operation.name}"
        return ""

    def fault_of_code(self, outcome: Outcome, error: Exception, trace: types.TracebackType) -> str | None:
        """Why an operation that failed inside is the code's fault; None if something else explains it.

        Code that says what it requires has to cope with everything else.
        """
        number = outcome.sequence.statements[-1].operation
        if number in self.specified:
            why: str | None = "everything that it requires was given"
        elif number not in self.worked or self.answers(number, type(error)) or self._passed_nothing(outcome):
            return None
        else:
            why = blame.legality(self.passed(outcome), error)  # gives up at the first doubt: nearly always
            if why is None or self._is_about(outcome, error, trace):
                return None
        if blame.wants_something_else(error) and self._undeclared(outcome):
            return None
        return why if self.illegal(outcome) is None else None

    def _is_about(self, outcome: Outcome, error: Exception, trace: types.TracebackType) -> bool:
        last = outcome.sequence.statements[-1]
        end = len(outcome.sequence) - 1
        passed = [(slot, value) for place, _, slot, value in self._calls(outcome) if place == end]
        if any(blame.chooses_place(slot, value, error, trace) for slot, value in passed):
            return True
        if self._was_used(outcome, isinstance(error, StopIteration)):
            return True
        arguments = [outcome.values[len(outcome.values) + i] for i in last.inputs]
        if last.repeat is not None:
            arguments += [value for column in last.repeat.columns for value in column]
        if isinstance(error, KeyError):  # keys go into objects, and come back out of them
            written = enumerate(outcome.sequence.statements[: len(outcome.values)])
            arguments += [outcome.values[place] for place, s in written if s.literal is not None]
        record = isinstance(error, KeyError) and asks_argument(trace)
        return record or blame.is_about(error, arguments, trace)

    def _was_used(self, outcome: Outcome, receiver: bool = False) -> bool:
        """Whether an object was passed that an earlier call has had, and has perhaps read to its end.

        Or, if asked for, what the call was made on: an iterator has one.
        """
        statements, end = outcome.sequence.statements, len(outcome.sequence) - 1
        last = statements[-1]
        first = int("{0}" in self.operations[last.operation].form and not receiver)
        passed = {end + distance for distance in last.inputs[first:]}
        objects = {p for p in passed if type(outcome.values[p]).__module__ != "builtins"}
        return any(
            position + distance in objects
            for position, statement in enumerate(statements[:-1])
            if statement.operation >= 0 and self._does_something(self.operations[statement.operation])
            for distance in statement.inputs
        )

    @staticmethod
    def _does_something(operation: Operation) -> bool:
        return not operation.observer and operation.kind not in ("display", "constructor")

    def answers(self, number: int, error: type[Exception]) -> bool:
        """Whether this exception is how an operation says that there is no such thing, or documented."""
        known = self._answering.get((number, error))
        if known is None:
            operation, function = self.operations[number], self.functions[number]
            finds = issubclass(error, ANSWERS) and blame.looks_up(operation.name.rpartition(".")[2])
            known = finds or blame.is_documented(error, function)
            self._answering[number, error] = known
        return known

    def hangs(self, outcome: Outcome) -> tuple[str, str]:
        """How far to trust that a call never ends: large arguments may only take long."""
        if len(outcome.values) + 1 < len(outcome.sequence):
            return "suspicious", "before the last call"
        if self._meets_itself(outcome):
            return "suspicious", "an object was given to itself"
        if not blame.is_small(*(value for _, value, *_ in self.passed(outcome))):
            return "suspicious", "an argument is large, or a function"
        why = self.illegal(outcome) or blame.legality(self.passed(outcome), RuntimeError())
        if why is None or self.illegal(outcome) is not None:
            return "suspicious", why or "nothing says what may be passed"
        return "fault", f"{why}, and small"

    def _meets_itself(self, outcome: Outcome) -> bool:
        """Whether some call was made on an object with that very object: it may go round in circles then."""
        for statement in outcome.sequence.statements:
            if statement.operation >= 0 and self.operations[statement.operation].kind != "display":
                slots = passed_to(self.slots[statement.operation], statement)
                both = list(zip(slots, statement.inputs, strict=True))
                receivers = {distance for slot, distance in both if slot.receiver}
                if any(not slot.receiver and distance in receivers for slot, distance in both):
                    return True
        return False


def without_argument(slots: tuple[Slot, ...], statement: Statement, gone: int) -> Statement | None:
    """The same call without one argument that may be left out; those behind it are then passed by name."""
    given = passed_to(slots, statement)
    plain = len(statement.inputs) - len(statement.names)
    if given[gone].required or given[gone].receiver:
        return None
    inputs = statement.inputs[:gone] + statement.inputs[gone + 1 :]
    if gone >= plain:
        names = statement.names[: gone - plain] + statement.names[gone - plain + 1 :]
        return call(statement.operation, inputs, names)
    behind = given[gone + 1 : plain]
    if any(slot.positional or slot.variadic for slot in behind):
        return None
    return call(statement.operation, inputs, tuple(slot.name for slot in behind) + statement.names)


def passed_to(slots: tuple[Slot, ...], statement: Statement) -> list[Slot]:
    """The parameter that each input of a call goes to; the last ones go by name, extra ones to *args."""
    by_name = {s.name: s for s in slots}
    plain = len(statement.inputs) - len(statement.names)
    positional = [s for s in slots if not s.keyword]
    found = positional[:plain]
    found += positional[-1:] * (plain - len(found))
    return found + [by_name[n] for n in statement.names]
