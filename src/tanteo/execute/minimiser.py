"""Makes sequences shorter without losing what they are kept for: their outcome and the arms they reach.

One question, `_try`, asked of everything that is one step simpler: a statement left out, a call repeated less
often, an argument in plainer words. A statement goes only if nothing later needs its value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

from tanteo.engine import attempt
from tanteo.execute.brevity import with_less_inside
from tanteo.execute.codec import decode
from tanteo.execute.effects import CHANGES, effect
from tanteo.execute.idling import what_shows
from tanteo.execute.loops import FEW_ROWS, once, with_rows
from tanteo.execute.memory import Memory
from tanteo.execute.replay import replay
from tanteo.execute.simpler import STEPS, with_fewer_elements, with_fewer_keys
from tanteo.execute.telling import has_options, is_telling
from tanteo.fingerprints import fingerprint
from tanteo.model import Fault, Outcome, Run, Sequence, sequence
from tanteo.places import text_of
from tanteo.session import Session

MOST_TRIES = 200
STUCK = 0.4  # seconds of processor time, which are the same on a busy machine
PATIENCE = 0.2  # seconds for one sequence, if there is a budget in seconds: others wait
FOR_FAULTS = 5  # times the patience and the tries: there are few, and people read all of them
MOST_ROWS = 100  # of a loop that is split
Fewer = Callable[[Sequence, Session], Iterator[Sequence]]
Look = Callable[[Run, Session], object]
LONG_RESULT = 30  # characters; of a longer one the way there matters, and its kind


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
    place = None if fault.kind == "hang" else fault.function  # it is interrupted anywhere
    return (fault.kind, fault.contract, fault.exception, place, fault.operation, fault.level)


def run_minimiser(items: list[dict[str, Any]], out: int, session: Session) -> None:
    """Shorten each; a line of JSON as soon as it is done, so that a crash loses one.

    Contracts are asked of faults alone: where a class breaks one always, the explorer soon stops asking, and
    what it does otherwise is worth a test all the same.
    """
    contracts = session.contracts
    session.memory = Memory(session.roots)
    for number, item in enumerate(items):
        fault = tuple(item["fault"]) if item.get("fault") else None
        session.thorough, session.checks = fault is not None, {}
        session.contracts = contracts if fault is not None else []
        if fault is not None and fault[0] == "hang":
            fault = (*fault[:3], None, *fault[4:])
        aim = Aim(item["outcome"], frozenset(item["arms"]), fault, exact=item.get("exact", False))
        made = decode(item["code"].encode())
        if fault is not None:
            session.rules.passing.trust(replay(made, session))
        early = _reached_before(made, aim, session)
        run, finished = minimise_further(made, replace(aim, arms=aim.arms - early), session)
        if run is not None:
            run, idle = _without_idle_rows(run, aim, session)
            about = list(run.fault.about) if run.fault is not None else []
            parts = [_told(part, session, True) for part in _split(run, session)]
            parts = parts or [_told(run, session, aim.exact)]
            parts += [_told(part, session, False) for part in idle]
            parts += [_told(part, session, False) for part in _others(made, early, session)]
            words = [run.fault.message, run.fault.reason] if run.fault is not None else []
            told = [run.sequence.code.decode(), about, parts, finished, words]
            os.write(out, json.dumps([number, told]).encode() + b"\n")


def _told(run: Run, session: Session, exact: bool) -> list[Any]:
    return [run.sequence.code.decode(), effect(run, session, exact), run.probes, run.outcome]


def _reached_before(made: Sequence, aim: Aim, session: Session) -> frozenset[int]:
    """The arms that need no last call: a test shows what its last call does, and others these."""
    return aim.arms & _reached_so_far(made, session) if aim.arms else frozenset()


def _reached_so_far(made: Sequence, session: Session) -> frozenset[int]:
    """The arms that are reached before the last call."""
    if made.calls < 2:
        return frozenset()
    return frozenset(_run_afresh(sequence(made.statements[:-1]), session).probes)


def _others(made: Sequence, arms: frozenset[int], session: Session) -> list[Run]:
    """What reaches the arms before the last call: the calls that do, each with what it needs."""
    found = []
    for end in range(1, len(made)):
        last = made.statements[end - 1].operation
        if not arms or last < 0 or session.operations[last].kind == "display":
            continue
        made_so_far = sequence(made.statements[:end])
        reached = arms & set(_run_afresh(made_so_far, session).probes)
        arms -= reached
        if reached and not session.operations[last].helper:
            run = minimise(made_so_far, Aim("normal", reached), session)
            found += [run] if run is not None else []
    return found


def minimise(made: Sequence, aim: Aim, session: Session) -> Run | None:
    """The run of the shortest that was found; None if the sequence does not show its aim again."""
    return minimise_further(made, aim, session)[0]


def minimise_further(made: Sequence, aim: Aim, session: Session) -> tuple[Run | None, bool]:
    """The run of the shortest that was found, and whether nothing simpler shows the aim.

    Where the clock decides a slow sequence is given up before that, and somebody may go on with it later.
    """
    best = _try(made, aim, session)
    if best is None:
        return None, True
    if aim.fault is None:
        if aim.exact and len(effect(best, session, True)) > LONG_RESULT:
            aim = replace(aim, arms=frozenset(best.probes) - _reached_so_far(made, session), exact=False)
        aim = replace(aim, effect=effect(best, session, aim.exact), telling=is_telling(best, session))
        aim = replace(aim, legal=_is_legal(best, session))
    search = Search(aim, session, made)
    known = None
    while known is not best.sequence and not search.over():
        known = best.sequence
        for step in STEPS:  # what one makes possible for an earlier one is seen in the next turn
            while (shorter := search.first(step(best, session))) is not None:
                best = shorter
    if search.over():
        return best, search.is_exhausted()
    if aim.fault is None:
        best = _without_what_is_idle(best, aim, session, search.until)
    return best, True


class Search:
    """What was tried, and how much more may be tried."""

    def __init__(self, aim: Aim, session: Session, made: Sequence) -> None:
        self._aim, self._session = aim, session
        more = 1 if aim.fault is None else FOR_FAULTS
        self.tries, self._most = 0, more * MOST_TRIES
        self.until = float("inf") if session.deadline is None else session.clock() + more * PATIENCE
        self._tried = {made.code}  # also what was better than another: it is not worse than itself

    def over(self) -> bool:
        """Whether others are next."""
        return self.is_exhausted() or self._session.clock() > self.until

    def is_exhausted(self) -> bool:
        """Whether enough was tried, so that nobody need go on later."""
        return self.tries >= self._most

    def first(self, shorter: Iterator[Sequence]) -> Run | None:
        """The run of the first that shows the aim; who trips over a value has nothing more to offer."""
        try:
            return self._first(shorter)
        except Exception:  # of the subject: `==`, `bool`, `repr` of what was passed
            return None

    def _first(self, shorter: Iterator[Sequence]) -> Run | None:
        for made in shorter:
            if made.code in self._tried:
                continue
            if self.over():
                return None
            self.tries += 1
            self._tried.add(made.code)
            began, worked = self._session.clock(), process_time()
            run = _try(made, self._aim, self._session)
            if process_time() - worked > STUCK:  # it hung, and the others are not to blame
                self.until += self._session.clock() - began
                self.tries += self._most // 4
            if run is not None:
                return run
        return None


def _without_what_is_idle(best: Run, aim: Aim, session: Session, until: float) -> Run:
    """Without members of lists and dicts that make no difference at all to what comes out.

    Of what an object was made of, keys may go if the answer stays: who asks looks at nothing else.
    """
    looks: tuple[tuple[Fewer, Look], ...] = (
        (with_fewer_elements, _outcome_of),
        (lambda made, _: with_less_inside(made), _outcome_of),
        (with_fewer_keys, _answer_of),
    )
    for fewer, look in looks:
        shown, improved = look(best, session), True
        while improved and shown is not None:
            improved = False
            for made in fewer(best.sequence, session):
                if session.clock() > until:
                    return best
                run = _try(made, aim, session)
                if run is not None and look(run, session) == shown:
                    best, improved = run, True
                    break
    return best


def _answer_of(run: Run, session: Session) -> object:
    """What the last call gives back, if that is something."""
    given = run.values[-1] if len(run.values) == len(run.sequence) else None
    return None if given is None else (run.outcome, effect(run, session), what_shows(given))


def _without_idle_rows(best: Run, aim: Aim, session: Session) -> tuple[Run, list[Run]]:
    """Without the rounds of a last loop that leave no trace; what they reach they reach as single calls."""
    singles: list[Run] = []
    row = 0
    while aim.fault is None and (repeat := best.sequence.statements[-1].repeat) is not None:
        if row == repeat.count or repeat.count > FEW_ROWS:
            break
        others = [n for n in range(repeat.count) if n != row]
        run = _try(with_rows(best.sequence, others), Aim(best.outcome, frozenset()), session)
        if run is None or _outcome_of(run, session) != _outcome_of(best, session):
            row += 1
            continue
        single = _try(with_rows(best.sequence, [row]), Aim(best.outcome, frozenset()), session)
        if single is not None and not set(single.probes) <= set(run.probes):
            singles.append(single)
        best, row = run, 0
    return best, singles


def _outcome_of(run: Run, session: Session) -> tuple[object, ...]:
    """What the last call gives or raises; and the objects that it was given, if it changes them."""
    made, last = run.sequence, len(run.sequence) - 1
    told = effect(run, session)
    if len(run.values) <= last:
        return run.outcome, text_of(replay(made, session).error)
    inputs = made.statements[-1].inputs if told.endswith(CHANGES) else ()
    places = [last, *(last + distance for distance in inputs)]
    operations = [made.statements[place].operation for place in places]
    made_by = [session.operations[o].kind if o >= 0 else "display" for o in operations]
    both = zip(places, made_by, strict=True)
    about = [run.values[p] for p, kind in both if kind != "display" and p < len(run.values)]
    return run.outcome, told, fingerprint(about)


def _split(run: Run, session: Session) -> list[Run]:
    """Single calls instead of a loop that changes nothing: those that reach something the others do not.

    Nobody looks at the results of a loop but at the last one; as single calls each is a test of its own.
    """
    made = run.sequence
    last = made.statements[-1]
    if last.repeat is None or run.fault is not None or CHANGES in effect(run, session):
        return []
    left, found = set(run.probes), []
    for single in once(made, len(made) - 1, last.repeat, MOST_ROWS):
        part = _try(single, Aim(run.outcome, frozenset()), session)
        if part is not None and left & set(part.probes):
            left -= set(part.probes)
            found.append(part)
    return [] if left else found


def _try(made: Sequence, aim: Aim, session: Session) -> Run | None:
    """Its run if it shows the aim."""
    run = _run_afresh(made, session)
    if not aim.shown_by(run) or (aim.effect and effect(run, session, aim.exact) != aim.effect):
        return None
    if aim.telling and run.sequence.statements[-1].inputs and not _is_still_telling(run, session):
        return None
    return run if _is_legal(run, session) or not aim.legal else None


def _is_legal(run: Run, session: Session) -> bool:
    return session.rules.passing.illegal(Outcome(run.sequence, run.values, None)) is None


def _is_still_telling(run: Run, session: Session) -> bool:
    """Whether its options make a difference, or it has none any more."""
    return is_telling(run, session) or not has_options(run.sequence, session)


def _run_afresh(made: Sequence, session: Session) -> Run:
    """Run it with no probe fired, none seen, and nothing remembered."""
    if session.memory is not None:
        session.memory.restore()
    session.hits[:] = bytes(len(session.hits))
    session.seen_hits = bytearray(session.hits)
    session.glimpsed.clear()
    return attempt(made, session)
