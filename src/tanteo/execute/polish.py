"""Short sequences as people would write them: without what makes no difference, in plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tanteo.execute.aim import Aim, attain
from tanteo.execute.brevity import with_less_inside
from tanteo.execute.effects import CHANGES, effect
from tanteo.execute.idling import what_shows
from tanteo.execute.loops import FEW_ROWS, once, with_rows
from tanteo.execute.renaming import renamings, told_by, truths_as_numbers, with_own_letters, with_the_plainest
from tanteo.execute.replay import replay
from tanteo.execute.simpler import with_fewer_elements, with_fewer_keys
from tanteo.fingerprints import fingerprint
from tanteo.model import Run, Sequence
from tanteo.places import text_of
from tanteo.session import Session

MOST_ROWS = 100  # of a loop that is split
Fewer = Callable[[Sequence, Session], Iterator[Sequence]]
Look = Callable[[Run, Session], object]


def without_what_is_idle(best: Run, aim: Aim, session: Session, until: float) -> Run:
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
                run = attain(made, aim, session)
                if run is not None and look(run, session) == shown:
                    best, improved = run, True
                    break
    return best


def in_plain_values(best: Run, aim: Aim, session: Session, until: float) -> Run:
    """With plain values for those that nobody looks at, and for odd ones that come out as they went in."""
    aim = replace(aim, exact=False, effect=effect(best, session))
    told, refused = told_by(best.sequence, session), set[bytes]()
    for position in range(len(best.sequence)):
        made = with_the_plainest(best.sequence, position)
        if made is None or session.clock() > until:
            continue
        run = attain(made, aim, session)
        if run is not None and told_by(run.sequence, session) == told:
            best = run
    while session.clock() < until:
        found = (*truths_as_numbers(best, session), *renamings(best.sequence))
        renaming = next((r for r in found if r.made.code not in refused), None)
        if renaming is None:
            break
        refused.add(renaming.made.code)
        run, expected = attain(renaming.made, aim, session), renaming.applied(told)
        if run is not None and told_by(run.sequence, session) == expected:
            best, told = run, expected
    return _in_own_letters(best, aim, session, until)


def _in_own_letters(best: Run, aim: Aim, session: Session, until: float) -> Run:
    """With plain values of their own for arguments that are the same and only carried along."""
    told, improved = told_by(best.sequence, session), True
    while improved:
        improved = False
        for renaming in with_own_letters(best.sequence):
            run = attain(renaming.made, aim, session) if session.clock() < until else None
            if run is not None and renaming.undone(told_by(run.sequence, session)) == told:
                best, told, improved = run, told_by(run.sequence, session), True
                break
    return best


def _answer_of(run: Run, session: Session) -> object:
    """What the last call gives back, if that is something."""
    given = run.values[-1] if len(run.values) == len(run.sequence) else None
    return None if given is None else (run.outcome, effect(run, session), what_shows(given))


def without_idle_rows(best: Run, aim: Aim, session: Session) -> tuple[Run, list[Run]]:
    """Without the rounds of a last loop that leave no trace; what they reach they reach as single calls."""
    singles: list[Run] = []
    row = 0
    while aim.fault is None and (repeat := best.sequence.statements[-1].repeat) is not None:
        if row == repeat.count or repeat.count > FEW_ROWS:
            break
        others = [n for n in range(repeat.count) if n != row]
        run = attain(with_rows(best.sequence, others), Aim(best.outcome, frozenset()), session)
        if run is None or _outcome_of(run, session) != _outcome_of(best, session):
            row += 1
            continue
        single = attain(with_rows(best.sequence, [row]), Aim(best.outcome, frozenset()), session)
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


def split(run: Run, session: Session) -> list[Run]:
    """Single calls instead of a loop that changes nothing: those that reach something the others do not.

    Nobody looks at the results of a loop but at the last one; as single calls each is a test of its own.
    """
    made = run.sequence
    last = made.statements[-1]
    if last.repeat is None or run.fault is not None or CHANGES in effect(run, session):
        return []
    left, found = set(run.probes), []
    for single in once(made, len(made) - 1, last.repeat, MOST_ROWS):
        part = attain(single, Aim(run.outcome, frozenset()), session)
        if part is not None and left & set(part.probes):
            left -= set(part.probes)
            found.append(part)
    return [] if left else found
