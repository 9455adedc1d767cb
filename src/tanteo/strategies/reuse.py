"""The compact generator of paper 002: go on with an earlier sequence or begin anew, by one probability.

After the prose, not after Algorithm 1, whose test is the wrong way round: what ran well is gone on with, what
raised is not. Less used operations weigh more, and two sequences are the same only if every value is.
"""

from __future__ import annotations

from tanteo.model import NORMAL, Replay, Run, Step
from tanteo.pools import Kept
from tanteo.session import MOST_STATEMENTS, Session
from tanteo.strategies.drafts import DISPLAYS, Draft
from tanteo.types import SCALARS, Slot, Want

TRIES = 20
MOST_VALID = 2000  # then a random one gives way
PLAIN = frozenset(SCALARS)


class Reuse:
    """The strategy `reuse`."""

    tunable = ("p_reuse", "p_none", "p_fresh")
    repetition = 0.0
    filtering = False
    p_reuse = 0.75
    p_none = 0.05
    p_fresh = 0.2  # half as often in constructors

    def __init__(self) -> None:
        self._session: Session | None = None
        self._valid: list[Kept] = []
        self._uses: list[int] = []
        self._classes: list[list[int]] = []

    def propose(self, session: Session) -> Step | None:
        """One more call behind an earlier sequence, or behind nothing."""
        if self._session is None:
            self._begin(session)
        rng = session.rng
        for _ in range(TRIES):
            operation = self._pick(session)
            draft = Draft(session, operation)
            draft.varying = False
            if self._valid and rng.random() < self.p_reuse:
                draft.go_on(self._valid[int(rng.random() * len(self._valid))])
            positions = self._arguments(draft, session)
            if positions is None:
                session.discard("no value for a parameter")
            elif len(draft.statements) >= MOST_STATEMENTS:
                session.discard("too long")
            else:
                sequence = draft.finish(positions, [], 0)
                if session.is_new(sequence):
                    return Replay(sequence)
                session.discard("duplicate")
        return None

    def learn(self, run: Run) -> None:
        """What ran well is valid."""
        if run.verdict is not NORMAL or len(run.values) >= MOST_STATEMENTS or self._session is None:
            return
        kept = Kept(run.sequence, tuple(map(type, run.values)), run.sequence.calls)
        if len(self._valid) < MOST_VALID:
            self._valid.append(kept)
        else:
            self._valid[int(self._session.rng.random() * MOST_VALID)] = kept

    def state(self) -> object:
        """Nothing that could not be found again."""
        return None

    def _begin(self, session: Session) -> None:
        self._session = session
        self._uses = [0] * len(session.operations)
        classes: dict[str, list[int]] = {}
        for number in session.testable:
            classes.setdefault(session.operations[number].name.rpartition(".")[0], []).append(number)
        self._classes = list(classes.values())

    def _pick(self, session: Session) -> int:
        """A class at random, and of its operations rather one that was used less."""
        random = session.rng.random
        while True:
            group = self._classes[int(random() * len(self._classes))]
            allowed = [number for number in group if number in session.testable]
            if allowed:
                break
        most = max(self._uses[number] for number in allowed)
        weights = [most - self._uses[number] + 1 for number in allowed]
        (operation,) = session.rng.choices(allowed, weights)
        self._uses[operation] += 1
        return operation

    def _arguments(self, draft: Draft, session: Session) -> list[int] | None:
        """A value for each parameter that needs one."""
        positions = []
        for slot in session.slots[draft.operation]:
            if slot.required and not slot.keyword and not slot.variadic:
                position = self._argument(draft, slot, session)
                if position is None:
                    return None
                positions.append(position)
            elif slot.required and slot.keyword:
                return None  # which the paper's language does not have
        return positions

    def _argument(self, draft: Draft, slot: Slot, session: Session) -> int | None:
        """From the sequence itself, or else an earlier one, or else new; sometimes new at once, or None."""
        want = session.wanted(draft.operation, slot)
        random = session.rng.random
        if not slot.receiver:
            if want.kind not in PLAIN and random() < self.p_none:
                return draft.literal(type(None))
            made = session.operations[draft.operation].kind == "constructor"
            if random() < (self.p_fresh / 2 if made else self.p_fresh):
                fresh = self._fresh(draft, want)
                if fresh is not None:
                    return fresh
        position = draft.alias(want.kind)
        if position is None:
            position = draft.pooled(want.kind)
        return self._fresh(draft, want) if position is None and not slot.receiver else position

    def _fresh(self, draft: Draft, want: Want) -> int | None:
        if want.kind in DISPLAYS:
            return draft.display(want, 0)
        return draft.literal(int if want.kind is object else want.kind)
