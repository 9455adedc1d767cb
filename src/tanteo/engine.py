"""THE LOOP: propose, execute, check, classify, learn, keep (paper 000, figure 3).

It differs from the figure where `Run` says more than the paper's two sets: a sequence that raised is
kept as a result but not extended, and the duplicate check remembers every sequence ever run, failing
ones too. Contracts are checked on the values of the new statement only; earlier ones were checked when
they were new.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from tanteo.classify import UNASKABLE, Ruling
from tanteo.contracts import Contract
from tanteo.contracts.catalogue import EACH, Schedule
from tanteo.execute.interpret import Hung, interpret, resume
from tanteo.filters import concerning
from tanteo.looks import forget
from tanteo.model import (
    EXPECTED,
    FAULT,
    HUNG,
    MISFIT_MARK,
    NORMAL,
    Broken,
    Outcome,
    Reset,
    Run,
    Sequence,
    Verdict,
)
from tanteo.safety import has_changed
from tanteo.session import Session


def explore(session: Session) -> Iterator[Run | Reset]:
    """Run sequences until the budget is used up; yields every run."""
    strategy = session.strategy
    while not session.over():
        step = strategy.propose(session)
        if step is None:
            continue
        if isinstance(step, Reset):
            yield step
            return
        run = attempt(step.sequence, session, step.alive)
        strategy.learn(run)
        session.keep(run)
        if session.step >= session.probes.next:
            session.probes.disarm(session.seen_hits, session.step)
        yield run
        del run  # its values may be large, and freeing them is not the next run's fault


def attempt(sequence: Sequence, session: Session, alive: list[object] | None = None) -> Run:
    """Run a sequence and judge it, whatever it does."""
    session.begin(sequence)
    try:
        run = judge(execute(sequence, session, alive), session)
        session.world.end()
    except Hung as error:  # raised by the timer outside of the calls themselves, as in a long `==`
        session.world.end()
        ruling = session.rules.classify(Outcome(sequence, [], error), None, None)
        run = Run(session.step, sequence, [], *ruling, (), ())
    return run


def execute(
    sequence: Sequence, session: Session, alive: list[object] | None = None
) -> tuple[Outcome, tuple[int, ...], str | None]:
    """Run a sequence; with it the probes that it was the first to reach, and what the guard refused."""
    if alive is None:
        outcome = interpret(sequence, session.calls)
        if isinstance(outcome.error, Hung) and session.world.grant_second_try():
            outcome = interpret(sequence, session.calls)
    else:
        outcome = resume(sequence, session.calls, alive)
    refused = session.world.restore()
    if session.counting:
        session.note_footprint()
    hits, seen = session.hits, session.seen_hits
    if hits == seen:
        return outcome, (), refused
    for arm in _differences(hits, seen):
        if arm in session.implied:
            hits[session.implied[arm]] = 1
    session.seen_hits = bytearray(hits)
    return outcome, tuple(_differences(session.seen_hits, seen)), refused


def _differences(now: bytearray, before: bytearray) -> Iterator[int]:
    """Where two byte strings differ; as numbers, because most of a large subject never does."""
    left = int.from_bytes(now, "little") ^ int.from_bytes(before, "little")
    while left:
        position = (left & -left).bit_length() - 1 >> 3
        yield position
        left &= ~(0xFF << (position << 3))


def judge(executed: tuple[Outcome, tuple[int, ...], str | None], session: Session) -> Run:
    """Check the contracts, classify, and say which values may be used again."""
    outcome, probes, refused = executed
    forget()
    positions = _new_values(outcome, session)
    broken = None
    if outcome.error is None and refused is None:
        broken = _check(outcome, positions, session, bool(probes))
    ruling = session.rules.classify(outcome, broken, refused)
    if broken is not None and (ruling.verdict is FAULT or isinstance(broken.raised, UNASKABLE)):
        schedule = session.checks.get(type(outcome.values[broken.inputs[-1]]))
        if schedule is not None and schedule.note(broken.contract):
            session.forget(outcome.sequence)
    if ruling.verdict is NORMAL:
        session.rules.passing.worked.add(outcome.sequence.statements[-1].operation)
        ruling = _suggest(outcome, ruling, session)
    elif ruling.verdict is EXPECTED:
        ruling = _look_back(outcome, ruling, session)
    _let_go(outcome.error if broken is None else broken.raised)
    if probes and not _makes_a_test(ruling):
        probes = _give_back(probes, session)
    extensible = _extensible(outcome, positions, ruling.verdict, session)
    if session.hits != session.seen_hits:
        session.hits[:] = session.seen_hits  # arms reached by our own questions do not count
    return Run(
        session.step,
        outcome.sequence,
        outcome.values,
        ruling.verdict,
        ruling.reason,
        ruling.outcome,
        ruling.fault,
        probes,
        extensible,
    )


def _suggest(outcome: Outcome, ruling: Ruling, session: Session) -> Ruling:
    """A result that does not come back on its way back is told; the run is as good as any."""
    last = outcome.sequence.statements[-1]
    trip = session.trips.get(last.operation)
    if trip is None or not last.inputs or not trip.is_due():
        return ruling
    given, result = outcome.values[len(outcome.values) - 1 + last.inputs[0]], outcome.values[-1]
    return session.rules.suggest(outcome, trip.name) if trip.comes_back(given, result) is False else ruling


def _look_back(outcome: Outcome, ruling: Ruling, session: Session) -> Ruling:
    """A call that raised and changed its object all the same is told; the run is as good as any."""
    last = outcome.sequence.statements[-1].operation
    if not (session.thorough or session.safety.is_due(last, ruling.outcome)):
        return ruling
    changed = has_changed(outcome, session.operations, session.calls)
    return session.rules.note_change(outcome, ruling) if changed else ruling


def _let_go(error: BaseException | None) -> None:
    """Drop the tracebacks: their frames know `execute`, which knows the outcome, which knows the error.

    Such a ring waits for the collector with all values of the run, and collecting them was a tenth of
    the loop.
    """
    while error is not None and error.__traceback__ is not None:
        error.__traceback__ = None
        error = error.__context__


def _makes_a_test(ruling: Ruling) -> bool:
    if ruling.verdict is EXPECTED:
        return not ruling.outcome.endswith(MISFIT_MARK)
    return ruling.verdict is NORMAL


def _give_back(probes: tuple[int, ...], session: Session) -> tuple[int, ...]:
    """What a run reached that makes no test is left for the first that does; returned is what is news."""
    for probe in probes:
        session.hits[probe] = session.seen_hits[probe] = 0
    news = tuple([p for p in probes if p not in session.glimpsed])
    session.glimpsed.update(news)
    return news


def _new_values(outcome: Outcome, session: Session) -> list[int]:
    """Positions of what the last statement made or may have changed; literals cannot be changed."""
    statements = outcome.sequence.statements
    last = len(statements) - 1
    statement = statements[last]
    found = [last] if outcome.error is None else []
    if session.operations[statement.operation].observer or len(outcome.values) < last:
        return found
    for distance in statement.inputs:
        position = last + distance
        if statements[position].literal is None and position not in found:
            found.append(position)
    return found


def _check(outcome: Outcome, positions: list[int], session: Session, news: bool) -> Broken | None:
    """The first contract that a value breaks; what the operation declares to return comes first."""
    values, checks = outcome.values, session.checks
    promise = session.promises.get(outcome.sequence.statements[-1].operation)
    if promise is not None and promise.check(values[-1]) is False:
        return Broken(promise.name, promise.template, (len(values) - 1,), None)
    for position in positions:
        kind = type(values[position])
        schedule = checks.get(kind)
        if schedule is None:
            schedule = checks[kind] = Schedule(
                _breakable(kind, session.contracts, session.roots), session.thorough
            )
        for contract in schedule.next(news):
            for about in _about(contract.arity, position, values):
                try:
                    if contract.check(*[values[p] for p in about]) is not False:
                        continue
                    raised = None
                except BaseException as error:
                    raised = error
                return Broken(contract.name, contract.template, about, raised)
    return None


def _about(arity: int, position: int, values: list[object]) -> list[tuple[int, ...]]:
    """The value, or the pairs (triples) that it makes with others of its class, both ways round."""
    if arity == 1:
        return [(position,)]
    kind = type(values[position])
    others = [p for p, v in enumerate(values) if type(v) is kind and v is not values[position]]
    return [pair for pair in permutations([*others[-arity:], position], arity) if position in pair]


PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None), type, range, slice})


def _breakable(kind: type, contracts: list[Contract], roots: frozenset[str]) -> tuple[Contract, ...]:
    """The contracts that a class can break at all; worked out once per class.

    Of a class that comes from elsewhere only what every object promises is asked: the rest is not the
    subject's fault. Nor does a private class promise anything to anybody.
    """
    if kind in PLAIN:
        return ()
    own = any(base.__module__.partition(".")[0] in roots for base in kind.__mro__)
    own = own and not kind.__name__.startswith("_")
    return tuple(c for c in contracts if (own or c.name in EACH) and c.applies(kind))


def _extensible(
    outcome: Outcome, positions: list[int], verdict: Verdict, session: Session
) -> tuple[int, ...]:
    if verdict is not NORMAL and (session.strict or verdict is FAULT or verdict is HUNG):
        return ()
    values, sieves = outcome.values, session.sieves
    found = []
    try:
        for position in positions:
            value = values[position]
            kind = type(value)
            filters = sieves.get(kind)
            if filters is None:
                filters = sieves[kind] = concerning(kind, session.filters)
            for usable in filters:
                if not usable(value, verdict):
                    break
            else:
                found.append(position)
    except Hung:
        return ()
    return tuple(found)
