"""Feedback-directed random testing: paper 000, figure 3.

`propose` is `extend`: an operation at random, arguments from the pool, the literals or the draft itself,
their sequences joined, the call appended, sometimes many times (repetition; N and max are the paper's).
A block of repeated calls counts as one statement, or a limit on length would throw most of them away.
"""

from __future__ import annotations

from tanteo.beliefs import Belief
from tanteo.model import MISFIT_MARK, NORMAL, Replay, Run, Step
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.strategies.bloodhound import Bloodhound
from tanteo.strategies.drafts import Draft
from tanteo.strategies.guide import Guide

MOST_CALLS = 1000  # a few blocks of repeated calls
MOST_REPEATS = 100
TRIES = 20
SETTLED, SELDOM = 2000, 4  # after so many steps what is believed changes slowly: one run in four is enough
MISFITS = frozenset({"TypeError", "AttributeError"})  # what a value of the wrong type leads to
# Looking twice changes nothing, a second object replaces the first, and `a *= 3` a hundred times eats
# all memory: only calls that change what they are called on are worth repeating.
REPEATED = frozenset({"method", "attribute write"})


class Directed:
    """The strategy of paper 000."""

    tunable: tuple[str, ...] = ("repetition",)
    repetition = 0.1
    filtering = True
    guided = True

    def __init__(self) -> None:
        self._guide = Guide()
        self._session: Session | None = None
        self._choices: list[tuple[Belief, int, type]] = []
        self._bloodhound = Bloodhound()
        self._deaf = False  # to what running teaches about types

    def propose(self, session: Session) -> Step | None:
        """A new sequence that ends in a random operation; None if luck was out."""
        if self.guided:
            self._session = session
            self._deaf = "feedback" in session.without
            suggestion = self._guide.propose(session) if "guide" not in session.without else None
            if suggestion is not None:
                self._choices = []
                return Replay(suggestion)
        rng = session.rng
        testable = session.testable
        hunting = self.guided and "bloodhound" not in session.without
        for _ in range(TRIES):
            if hunting:
                operation = self._bloodhound.pick(session)
            else:
                operation = testable[int(rng.random() * len(testable))]
            draft = Draft(session, operation)
            draft.varying &= self.guided
            found = draft.arguments()
            if found is None:
                session.discard("no value for a parameter")
                continue
            if len(draft.statements) >= MOST_STATEMENTS:
                session.discard("too long")
                continue
            repeats = 0
            if rng.random() < self.repetition and self._worth_repeating(operation, found[0], session):
                repeats = 1 + int(rng.random() * MOST_REPEATS)
            sequence = draft.finish(*found, repeats)
            if sequence.calls > MOST_CALLS:
                session.discard("too long")
            elif session.is_new(sequence):
                self._choices = draft.choices
                session.unwanted = draft.odd
                return Replay(sequence)
            else:
                session.discard("duplicate")
                if not session.slots[operation] and len(testable) > 1:
                    testable.remove(operation)  # without arguments there is only one such sequence
        return None

    def _worth_repeating(self, operation: int, positions: list[int], session: Session) -> bool:
        """`a.update(a)` doubles each time: not with the same value twice."""
        return session.operations[operation].kind in REPEATED and len(set(positions)) == len(positions)

    def learn(self, run: Run) -> None:
        """Remember which types an undeclared parameter took well, and what was compared."""
        if (run.probes or self._guide.alert) and self._session is not None:
            self._guide.learn(run, self._session)
        if run.probes:
            self._bloodhound.learn(run.sequence.statements[-1].operation)
            if self._session is not None and "impurity" not in self._session.without:
                self._session.cherish(run.sequence)
        if not self._choices or self._deaf:
            return
        if run.step > SETTLED and run.step % SELDOM and not run.probes:
            return
        good = run.verdict is NORMAL
        if (
            good
            or run.probes
            or run.outcome.partition(" ")[0] in MISFITS
            or run.outcome.endswith(MISFIT_MARK)
        ):
            for belief, place, kind in self._choices:
                belief.learn(place, kind, good, bool(run.probes))

    def state(self) -> object:
        """Nothing beyond the session's pools and beliefs."""
        return None
