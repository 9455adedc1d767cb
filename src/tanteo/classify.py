"""Outcome and broken contracts in, verdict out, always with the reason in words.

A simple rule set after Randoop's: what the code raises is its business unless it is plainly an internal
error (an unbound local, an attribute of None that nobody passed, a failed assertion further down) and our
inputs were legal. A TypeError at the call boundary is our mistake, never a test.
"""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, field
from typing import NamedTuple

from tanteo import blame, safety
from tanteo.contracts.selfchecks import CHECKS
from tanteo.declared.asserts import guards_entry
from tanteo.declared.legality import Refused
from tanteo.declared.violations import Violation, read_violation
from tanteo.execute.interpret import Hung
from tanteo.model import MISFIT_MARK, Broken, Fault, Outcome, Verdict
from tanteo.passing import Passing
from tanteo.places import Place, asks_argument, is_not_taken, place_of, qualified, stands_at_raise, text_of

MUST_NOT_RAISE = re.compile(r"raises_nothing|pop_of_a_missing|deep_copy|^\w+: ")  # whoever means it or not
OPEN_TO_ALL = re.compile(r"^(equality_with|nothing_but_none)")  # whatever an object was made of
OWN_CHECK = re.compile(r"^its_own_")  # tells perhaps of what it was made of
PLACE_IN_FILE = re.compile(r"^File .*, line \d+ in .*:\n")
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class Ruling(NamedTuple):
    """A verdict with its reason; `outcome` tells outcomes of one operation apart."""

    verdict: Verdict
    reason: str
    outcome: str
    fault: Fault | None = None


NORMAL = Ruling(Verdict.NORMAL, "returned and every contract held", "normal")


MISFIT = Ruling(Verdict.INVALID, "wrong arguments: TypeError at the call boundary", "TypeError")
NOT_TAKEN = Ruling(Verdict.EXPECTED, "an operator that does not take such an operand", "TypeError at :0")
MISFITS = (TypeError, AttributeError)  # what a value of the wrong type leads to
# Where the verdict does not depend on type and place alone, but on what is said, too.
LOOKED_INTO = (AttributeError, TypeError, RuntimeError, AssertionError)
UNASKABLE = (MemoryError, RecursionError, NotImplementedError, ImportError)  # what a question may end in
MOST_KNOWN = 10_000  # verdicts that are remembered; what is said may be different each time


def _spot(error: Exception, trace: types.TracebackType | None, depth: int) -> tuple[object, ...]:
    """What decides about an exception that is none of the caller's: its type and place, perhaps its text."""
    told = (text_of(error), depth) if isinstance(error, LOOKED_INTO) else None
    if trace is None:
        return type(error), told
    code = trace.tb_frame.f_code
    return type(error), code.co_filename, code.co_qualname, trace.tb_lasti, told


@dataclass(frozen=True, slots=True)
class Rules:
    """What is needed to judge: the operations, their parameters, and which files are the subject's."""

    passing: Passing
    files: frozenset[str]
    scratch: str = ""
    contracted: bool = False  # a contract library is in use
    _known: dict[tuple[object, ...], Ruling] = field(default_factory=dict)
    _raises: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def classify(self, outcome: Outcome, broken: Broken | None, refused: str | None) -> Ruling:
        """The verdict on one run."""
        if refused is not None:
            return Ruling(Verdict.INVALID, refused, "refused")
        if outcome.error is not None:
            return self._of_exception(outcome, outcome.error)
        if broken is not None:
            return self._of_contract(outcome, broken)
        return NORMAL

    def _says_nothing(self, outcome: Outcome, error: BaseException) -> Ruling | None:
        """Exceptions that are not about the code: ours, the interpreter's, the surroundings'."""
        name = type(error).__name__
        if isinstance(error, Refused):
            return Ruling(Verdict.INVALID, str(error), "refused")
        if isinstance(error, Hung):
            reason = f"did not come back: {error}"
            level, why = self.passing.hangs(outcome)
            if error.waits and not error.repeats:
                level, why = "suspicious", "perhaps it only takes long"
            elif not error.repeats and level == "fault":
                why = f"{why}; whether it only takes long is seen when its test runs"
            fault = self._fault(outcome, "hang", error, self.place(error), f"{reason}; {why}")
            return Ruling(Verdict.HUNG, reason, "hung", fault._replace(exception=None, level=level))
        if not isinstance(error, Exception):
            return Ruling(Verdict.INVALID, f"asked the interpreter to stop: {name}", name)
        if isinstance(error, RecursionError):
            return self._of_recursion(outcome, error)
        if isinstance(error, MemoryError):
            return Ruling(Verdict.INVALID, f"ran out of resources: {name}", name)
        if isinstance(error, (NotImplementedError, ImportError)):
            return Ruling(Verdict.INVALID, f"not available here: {name}", name)
        if len(outcome.values) + 1 < len(outcome.sequence):
            return Ruling(Verdict.INVALID, "raised before its last call; it did not when it was built", name)
        return None

    def _of_recursion(self, outcome: Outcome, error: RecursionError) -> Ruling:
        """On small and legal arguments it would never have ended."""
        level, why = self.passing.hangs(outcome)
        if level != "fault":
            return Ruling(Verdict.INVALID, "ran out of resources: RecursionError", "RecursionError")
        place = self.place(error)
        fault = self._fault(outcome, "exception", error, place, f"called itself without an end; {why}")
        return Ruling(Verdict.FAULT, fault.reason, f"RecursionError at {place.function}", fault)

    def _of_exception(self, outcome: Outcome, error: BaseException) -> Ruling:
        nothing = self._says_nothing(outcome, error)
        if nothing is not None:
            return nothing
        assert isinstance(error, Exception)  # what is none says nothing
        if self.contracted:
            violation = read_violation(error, self.files)
            if violation is not None:
                return self._of_violation(outcome, error, violation)
        name = type(error).__name__
        trace, depth = self._innermost(error)
        if trace is None and isinstance(error, TypeError):
            last = self.passing.operations[outcome.sequence.statements[-1].operation]
            return NOT_TAKEN if last.kind == "operator" and is_not_taken(error) else MISFIT
        spot = _spot(error, trace, depth)
        known = self._known.get(spot)
        if known is not None:
            return known
        place = place_of(trace, depth)
        if isinstance(error, RuntimeError) and "changed size during iteration" in text_of(error):
            return Ruling(Verdict.INVALID, "a container changed while it was iterated", name)
        where = f"{name} at {place.function}:{place.line}"
        internal = self._internal_error(error, place)
        if internal is None:
            purpose = self._on_purpose(trace, spot)
            slippery = not purpose and blame.is_slip(error)
            slip = self._slip(outcome, error, trace) if slippery else None
            if slip is not None:
                fault = self._fault(outcome, "exception", error, place, slip)
                return Ruling(Verdict.FAULT, slip, where, fault)
            misfit = isinstance(error, MISFITS) and not purpose
            if misfit or (isinstance(error, LookupError) and trace and asks_argument(trace)):
                where += MISFIT_MARK
            ruling = Ruling(Verdict.EXPECTED, f"raised {name}, as code may", where)
            if not slippery and len(self._known) < MOST_KNOWN:
                self._known[spot] = ruling
            return ruling
        illegal = self.passing.illegal(outcome)
        if illegal is not None:
            return Ruling(Verdict.INVALID, f"{internal}, but {illegal}", where)
        level, why = self._level_of_internal(outcome, error)
        reason = f"{internal}; {why}"
        fault = self._fault(outcome, "exception", error, place, reason)._replace(level=level)
        return Ruling(Verdict.FAULT, reason, where, fault)

    def _level_of_internal(self, outcome: Outcome, error: Exception) -> tuple[str, str]:
        if isinstance(error, AssertionError) and text_of(error):
            return "suspicious", "but with a message for somebody"
        last = outcome.sequence.statements[-1].operation
        if isinstance(error, AssertionError) and self._is_own_check(last) and self.passing.doubtful(outcome):
            return "suspicious", "but it checks what the object was made of, and anything may be"
        if isinstance(error, AssertionError) and self.passing.was_given_objects(outcome):
            return "suspicious", "but it was given an object, and nobody says what may be in it"
        if not isinstance(error, NameError) and self.passing.gave_nothing(outcome):
            return "suspicious", "but None was passed before"
        if isinstance(error, MISFITS) and last not in self.passing.worked:
            return "suspicious", "but it has never worked: perhaps something must be called before"
        return self.passing.level(outcome, isinstance(error, NameError), error)

    def _is_own_check(self, operation: int) -> bool:
        return self.passing.operations[operation].name.rpartition(".")[2] in CHECKS

    def _slip(self, outcome: Outcome, error: Exception, trace: types.TracebackType | None) -> str | None:
        """Why an operation that failed inside is the code's fault; None if something else explains it."""
        why = None if trace is None else self.passing.fault_of_code(outcome, error, trace)
        return why and f"{text_of(error) or type(error).__name__}, where nobody raised it; {why}"

    def _on_purpose(self, trace: types.TracebackType | None, spot: tuple[object, ...]) -> bool:
        """Whether a `raise` of the subject did it, and not an operation that failed."""
        known = self._raises.get(spot)
        if known is None:
            known = trace is not None and trace.tb_next is None and stands_at_raise(trace)
            self._raises[spot] = known
        return known

    def _internal_error(self, error: Exception, place: Place) -> str | None:
        """Why this exception cannot have been meant for the caller; None if it may have been."""
        if isinstance(error, NameError):  # UnboundLocalError among them
            return f"an internal error: {type(error).__name__}"
        if isinstance(error, SystemError):
            return "an internal error of the interpreter"
        if isinstance(error, AssertionError) and place.function.rpartition(".")[2].startswith("assert"):
            return None  # that is what it is for
        if isinstance(error, AssertionError) and place.depth > 1:
            return "an assertion failed below the function that was called"
        if (
            isinstance(error, AssertionError)
            and place.depth == 1
            and not guards_entry(place.file, place.line)
        ):
            return "an assertion failed inside"
        if isinstance(error, (AttributeError, TypeError)) and "'NoneType'" in text_of(error):
            return "something was asked of None"
        return None

    def _of_contract(self, outcome: Outcome, broken: Broken) -> Ruling:
        sentence = broken.contract.replace("_", " ")
        error = broken.raised
        if error is not None and not isinstance(error, Exception):
            verdict = Verdict.HUNG if isinstance(error, Hung) else Verdict.INVALID
            return Ruling(verdict, f"while checking that {sentence}: {error}", "contract")
        if isinstance(error, UNASKABLE):
            name = type(error).__name__
            return Ruling(Verdict.INVALID, f"while checking that {sentence}: {name}", name)
        what = f"broke: {sentence}" if error is None else f"broke: {sentence} ({type(error).__name__})"
        illegal = self.passing.illegal(outcome) or self._written_from_outside(outcome, broken)
        if error is not None and blame.is_left_to_others(error):
            illegal = illegal or "the class is there to be mixed in"
        if illegal is not None:
            return Ruling(Verdict.INVALID, f"{what}, but {illegal}", what)
        if broken.contract.startswith("result: "):
            level, why = self.passing.level_of_result(outcome)
        else:
            sure = error is None if not OPEN_TO_ALL.search(broken.contract) else True
            sure &= not OWN_CHECK.search(broken.contract)
            level, why = self.passing.level(outcome, sure, error)
        if error is not None and self._is_said(error) and not MUST_NOT_RAISE.search(broken.contract):
            level, why = "suspicious", "but it was raised on purpose"
        if isinstance(error, (AssertionError, *MISFITS)) and self.passing.gave_nothing(outcome, so_far=False):
            level, why = "suspicious", "but None was passed"
        reason = f"{what}; {why}"
        place = self.place(error) if error is not None else self._home(outcome, broken)
        place = place if place.depth else self._home(outcome, broken)
        fault = self._fault(outcome, "contract", error, place, reason)
        fault = fault._replace(
            contract=broken.contract, assertion=broken.source, level=level, about=broken.inputs
        )
        return Ruling(Verdict.FAULT, reason, what, fault)

    def _is_said(self, error: BaseException) -> bool:
        """Whether a `raise` of the subject did it."""
        trace, _ = self._innermost(error)
        return trace is not None and trace.tb_next is None and stands_at_raise(trace)

    def suggest(self, outcome: Outcome, undone_by: str) -> Ruling:
        """Normal, but two operations do not undo each other as their names say."""
        reason = f"by their names {undone_by} should give back what was passed here, and it does not"
        fault = self._fault(outcome, "contract", None, self._home(outcome), reason)
        name = f"round trip: through {undone_by.rpartition('.')[2]}"
        return NORMAL._replace(fault=fault._replace(contract=name, level="suggestion"))

    def note_change(self, outcome: Outcome, ruling: Ruling) -> Ruling:
        """Expected, but what the call was made on is not what it was before."""
        reason = f"{ruling.reason}, and left the object changed"
        fault = self._fault(outcome, "contract", None, self._home(outcome), reason)
        return ruling._replace(fault=fault._replace(contract=safety.NAME, level="suspicious"))

    def _written_from_outside(self, outcome: Outcome, broken: Broken) -> str | None:
        """An invariant is the business of the methods: who writes attributes has to keep it himself."""
        last = self.passing.operations[outcome.sequence.statements[-1].operation]
        if broken.contract.startswith("invariant: ") and last.kind == "attribute write":
            return f"an attribute was written from outside: {last.name.removesuffix(' =')}"
        return None

    def _of_violation(self, outcome: Outcome, error: Exception, violation: Violation) -> Ruling:
        """A declared contract did not hold, and what the call itself requires did."""
        if violation.kind == "precondition" and violation.direct:
            return Ruling(Verdict.INVALID, f"its precondition does not hold: {violation.text}", "refused")
        nested = " of what it calls" if violation.kind == "precondition" else ""
        name = f"{violation.kind}{nested}: {violation.text}"
        illegal = self.passing.illegal(outcome)
        if illegal is not None:
            return Ruling(Verdict.INVALID, f"broke its {name}, but {illegal}", f"broke: {name}")
        level, why = self.passing.level(outcome, sure=True)
        if violation.undecided:
            level, why = "suspicious", "the condition itself raised"
        reason = f"broke its {name}; {why}"
        place = self.place(error)
        fault = self._fault(outcome, "contract", error, place if place.depth else self._home(outcome), reason)
        told = PLACE_IN_FILE.sub("", fault.message)  # which is not the same on another machine
        fault = fault._replace(contract=name, level=level, message=told)
        return Ruling(Verdict.FAULT, reason, f"broke: {name}", fault)

    def _home(self, outcome: Outcome, broken: Broken | None = None) -> Place:
        """Whose business it is, as far as we know without a traceback: that of the class in question."""
        if broken is not None and ": " not in broken.contract:
            return Place("", 0, type(outcome.values[broken.inputs[0]]).__qualname__, 1)
        operation = self.passing.operations[outcome.sequence.statements[-1].operation]
        return Place("", 0, operation.name, 1)

    def place(self, error: BaseException) -> Place:
        """The innermost frame of the subject."""
        return place_of(*self._innermost(error))

    def _innermost(self, error: BaseException) -> tuple[types.TracebackType | None, int]:
        """The last frame of the subject on the way, and how many there are."""
        files, depth = self.files, 0
        trace: types.TracebackType | None = error.__traceback__
        innermost: types.TracebackType | None = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in files:
                depth += 1
                innermost = trace
            trace = trace.tb_next
        return innermost, depth

    def _fault(
        self, outcome: Outcome, kind: str, error: BaseException | None, place: Place, reason: str
    ) -> Fault:
        last = outcome.sequence.statements[-1].operation
        return Fault(
            kind=kind,
            exception=qualified(error) if error is not None else None,
            message=self.clean(text_of(error)) if error is not None else "",
            file=place.file,
            line=place.line,
            function=place.function,
            operation=self.passing.operations[last].name if last >= 0 else "",
            level="fault",
            reason=reason,
        )

    def is_of_this_run(self, *values: object) -> bool:
        """Whether something mentions what is different next time: our scratch directory."""
        return self.scratch != "" and any(self.scratch in repr(value) for value in values)

    def clean(self, text: str) -> str:
        """A message without addresses and without our scratch directory."""
        text = ADDRESS.sub(" at 0x...", text)
        return text.replace(self.scratch, "<scratch>") if self.scratch else text
