"""What a shorter sequence must still show, and whether it does."""

from __future__ import annotations

from dataclasses import dataclass

from tanteo.engine import attempt
from tanteo.execute.effects import effect, is_as_wanted
from tanteo.execute.telling import has_options, is_telling
from tanteo.model import Fault, Outcome, Run, Sequence
from tanteo.session import Session


@dataclass(frozen=True, slots=True)
class Aim:
    """What a shorter sequence must still show."""

    outcome: str
    arms: frozenset[int]
    fault: tuple[str | None, ...] | None = None
    effect: str = ""  # see `effect`; of the sequence that is made shorter
    exact: bool = False  # the result must stay as it is, and not only be of the same kind
    telling: bool = False  # its options must still make a difference
    legal: bool = False  # every argument must be what its parameter declares

    def shown_by(self, run: Run) -> bool:
        """Whether a run shows it."""
        if self.fault is not None:
            return run.fault is not None and fault_key(run.fault) == self.fault
        return run.outcome == self.outcome and self.arms <= set(run.probes)


def fault_key(fault: Fault) -> tuple[str | None, ...]:
    """What makes two failing runs the same fault; as `tally.fault_id`, and as sure."""
    return sure_key(fault.kind, fault.contract, fault.exception, fault.function, fault.operation, fault.level)


def sure_key(
    kind: str, contract: str | None, exception: str | None, function: str, operation: str, level: str
) -> tuple[str | None, ...]:
    """The same of its parts; a class breaks a contract of the data model wherever its object comes from."""
    ours = contract is not None and ": " not in contract
    place = None if kind == "hang" else function  # it is interrupted anywhere
    asked = None if ours and exception else contract
    return (kind, asked, exception, place, None if ours else operation, level)


def attain(made: Sequence, aim: Aim, session: Session) -> Run | None:
    """Its run if it shows the aim."""
    run = run_afresh(made, session)
    if not aim.shown_by(run):
        return None
    if aim.effect and not is_as_wanted(effect(run, session, aim.exact), aim.effect):
        return None
    if aim.telling and run.sequence.statements[-1].inputs and not _is_still_telling(run, session):
        return None
    return run if is_legal(run, session) or not aim.legal else None


def is_legal(run: Run, session: Session) -> bool:
    return session.rules.passing.illegal(Outcome(run.sequence, run.values, None)) is None


def _is_still_telling(run: Run, session: Session) -> bool:
    """Whether its options make a difference, or it has none any more."""
    return is_telling(run, session) or not has_options(run.sequence, session)


def run_afresh(made: Sequence, session: Session) -> Run:
    """Run it with no probe fired, none seen, and nothing remembered."""
    if session.memory is not None:
        session.memory.restore()
    session.hits[:] = bytes(len(session.hits))
    session.seen_hits = bytearray(session.hits)
    session.glimpsed.clear()
    return attempt(made, session)
