"""Makes sequences shorter without losing what they are kept for: their outcome and the arms they reach.

One question, `attain`, asked of everything that is one step simpler: a statement left out, a call repeated
less often, an argument in plainer words. A statement goes only if nothing later needs its value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Any

from tanteo.execute.aim import Aim, attain, is_legal, run_afresh, sure_key
from tanteo.execute.brevity import texts_in
from tanteo.execute.codec import decode
from tanteo.execute.effects import effect
from tanteo.execute.fitting import on_offer
from tanteo.execute.memory import Memory
from tanteo.execute.polish import in_plain_values, split, without_idle_rows, without_what_is_idle
from tanteo.execute.replay import replay, warned
from tanteo.execute.simpler import STEPS
from tanteo.execute.telling import is_telling
from tanteo.model import Run, Sequence, sequence
from tanteo.session import Session

MOST_TRIES = 200
STUCK = 0.4  # seconds of processor time, which are the same on a busy machine
PATIENCE = 0.2  # seconds for one sequence, if there is a budget in seconds: others wait
FOR_FAULTS = 5  # times the patience and the tries: there are few, and people read all of them
LONG_RESULT = 30  # characters; of a longer one the way there matters, and its kind


def run_minimiser(items: list[dict[str, Any]], out: int, session: Session) -> None:
    """Shorten each; a line of JSON as soon as it is done, so that a crash loses one.

    Contracts are asked of faults alone: where a class breaks one always, the explorer soon stops asking, and
    what it does otherwise is worth a test all the same.
    """
    contracts = session.contracts
    session.memory = Memory(session.roots)
    for number, item in enumerate(items):
        fault = sure_key(*item["fault"]) if item.get("fault") else None
        session.thorough, session.checks = fault is not None, {}
        sought = item["fault"][1] if fault is not None else None
        session.contracts = sorted(contracts, key=lambda c: c.name != sought) if fault is not None else []
        aim = Aim(item["outcome"], frozenset(item["arms"]), fault, exact=item.get("exact", False))
        made = decode(item["code"].encode())
        if fault is not None:
            session.rules.passing.trust(replay(made, session))
        early = _reached_before(made, aim, session)
        run, finished = minimise_further(made, replace(aim, arms=aim.arms - early), session)
        if run is not None:
            run, idle = without_idle_rows(run, aim, session)
            about = list(run.fault.about) if run.fault is not None else []
            parts = [_told(part, session, True) for part in split(run, session)]
            parts = parts or [_told(run, session, aim.exact)]
            parts += [_told(part, session, False) for part in idle]
            parts += [_told(part, session, False) for part in _others(made, early, session)]
            parts += [_told(part, session, False) for part in _without_the_arms(run, aim, session)]
            words = [run.fault.message, run.fault.reason] if run.fault is not None else []
            told = [run.sequence.code.decode(), about, parts, finished, words]
            os.write(out, json.dumps([number, told]).encode() + b"\n")


def _without_the_arms(run: Run, aim: Aim, session: Session) -> list[Run]:
    """The plainest way to the same outcome: arms of what is passed are perhaps better reached elsewhere."""
    if not aim.arms or aim.fault is not None:
        return []
    plain = minimise(run.sequence, Aim(run.outcome, frozenset()), session)
    return [] if plain is None or plain.sequence.code == run.sequence.code else [plain]


def _told(run: Run, session: Session, exact: bool) -> list[Any]:
    return [run.sequence.code.decode(), effect(run, session, exact), run.probes, run.outcome]


def _reached_before(made: Sequence, aim: Aim, session: Session) -> frozenset[int]:
    """The arms that need no last call: a test shows what its last call does, and others these."""
    return aim.arms & _reached_so_far(made, session) if aim.arms else frozenset()


def _reached_so_far(made: Sequence, session: Session) -> frozenset[int]:
    """The arms that are reached before the last call."""
    if made.calls < 2:
        return frozenset()
    return frozenset(run_afresh(sequence(made.statements[:-1]), session).probes)


def _others(made: Sequence, arms: frozenset[int], session: Session) -> list[Run]:
    """What reaches the arms before the last call: the calls that do, each with what it needs."""
    found = []
    for end in range(1, len(made)):
        last = made.statements[end - 1].operation
        if not arms or last < 0 or session.operations[last].kind == "display":
            continue
        made_so_far = sequence(made.statements[:end])
        reached = arms & set(run_afresh(made_so_far, session).probes)
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
    best = attain(made, aim, session)
    if best is None:
        return None, True
    if aim.fault is None:
        if aim.exact and len(effect(best, session, True)) > LONG_RESULT:
            aim = replace(aim, arms=frozenset(best.probes) - _reached_so_far(made, session), exact=False)
        aim = replace(aim, effect=effect(best, session, aim.exact), telling=is_telling(best, session))
        aim = replace(aim, legal=is_legal(best, session))
    search = Search(aim, session, made)
    known = None
    while known is not best.sequence and not search.over():
        known = best.sequence
        for step in STEPS:  # what one makes possible for an earlier one is seen in the next turn
            while (shorter := search.first(step(best, session))) is not None:
                best = shorter
        best = search.with_shorter_texts(best)
    if search.over():
        return best, search.is_exhausted()
    if aim.fault is None:
        best = without_what_is_idle(best, aim, session, search.until)
        best = in_plain_values(best, aim, session, search.until)
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

    def with_shorter_texts(self, best: Run) -> Run:
        """Without the letters that make no difference; `2for` says the same as `2 for`, with a warning."""
        chosen = on_offer(best, self._session)
        texts = [text for text in texts_in(best.sequence) if text.position not in chosen]
        known = warned(best.sequence, self._session) if texts else frozenset()
        for text in texts:
            self._most += text.most
            while (made := text.shorter(best.sequence)) is not None and not self.over():
                run = self.first(iter((made,)))
                if run is not None and not warned(made, self._session) <= known:
                    run = None
                text.go_on(run is not None)
                best = run or best
        return best

    def _first(self, shorter: Iterator[Sequence]) -> Run | None:
        for made in shorter:
            if made.code in self._tried:
                continue
            if self.over():
                return None
            self.tries += 1
            self._tried.add(made.code)
            began, worked = self._session.clock(), process_time()
            run = attain(made, self._aim, self._session)
            if process_time() - worked > STUCK:  # it hung, and the others are not to blame
                self.until += self._session.clock() - began
                self.tries += self._most // 4
            if run is not None:
                return run
        return None
