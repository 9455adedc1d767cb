"""Few tests that do what the many would: each one adds an arm, an outcome, or a mutant that it notices.

A greedy set cover, the most for the fewest lines first. Of the assertions of a test those stay that notice a
mutant which no earlier test has noticed, and the one that says most about the call.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Hashable
from collections.abc import Sequence as Listing
from dataclasses import replace
from typing import NamedTuple

from tanteo.emit.cases import EMPTY, Case
from tanteo.emit.reading import is_unfinished
from tanteo.emit.trimming import Kills, trim, variety_of
from tanteo.emit.worth import (
    FEW_ARMS,
    UNKNOWN,
    Homes,
    arms_needed,
    changing_of,
    cost_of,
    features_of,
    is_accident,
    what_stayed,
    worth_of,
)
from tanteo.subject import Operation

MOST_ROWS = 4  # of a table, that are there only because they take another way


def select(
    cases: list[Case],
    kills: dict[bytes, Kills],
    operations: Listing[Operation],
    entries: frozenset[int] = frozenset(),  # arms that are entries of functions
    homes: Homes = UNKNOWN,
) -> list[Case]:
    """The tests to write, the most telling first, with the assertions to write."""
    variety = variety_of(cases)
    cases = [
        case
        for case in cases
        if not (is_accident(case) or case.is_idle_talk or is_unfinished(case, operations))
    ]
    returning = {case.operation for case in cases if case.returns_something}
    changing = changing_of(cases)
    offers = []
    for case in cases:
        known = kills.get(case.sequence.code)
        operation = operations[case.operation]
        features = features_of(case, known or {}, operations, entries, homes)
        needed = arms_needed(case, operation, known, returning, changing)
        offers.append(Offer(case, operation, features, needed, cost_of(case, operations)))
    chosen = [offers[n].case for n in _cover(offers)]
    noticed: set[int] = set()
    trimmed: dict[bytes, Case] = {}
    for case in sorted(chosen, key=lambda case: len(case.sequence)):  # a constructor is tested as such
        known = kills.get(case.sequence.code)
        trimmed[case.sequence.code] = trim(case, known, noticed, variety)
        stayed = what_stayed(case, changing)
        if stayed and not case.tells and case.operation not in returning:
            trimmed[case.sequence.code] = replace(case, observations=tuple(stayed[:1]))
        noticed |= _noticed_by(trimmed[case.sequence.code], case, known or {})
    found = [trimmed[case.sequence.code] for case in chosen]
    shown, reached = _looked_at(found), Counter(arm for case in found for arm in case.arms - entries)
    kept = []
    for case in found:
        needless = _path_to(case) in shown or _is_bare(case, operations)
        if needless and not any(reached[arm] == 1 for arm in case.arms):
            reached.subtract(case.arms - entries)
        else:
            kept.append(case)
    return kept


def _noticed_by(trimmed: Case, case: Case, known: Kills) -> set[int]:
    """The mutants that the assertions which stay would notice."""
    stay = {n for n, seen in enumerate(case.observations) if seen in trimmed.observations}
    return {number for number, which in known.items() if case.raises or stay.intersection(which)}


class Offer(NamedTuple):
    """A case with what it stands for and what it costs."""

    case: Case
    operation: Operation
    features: set[Hashable]
    needed: int  # arms that nobody else reaches
    cost: int


def _cover(offers: list[Offer]) -> list[int]:
    """Greedily, what adds most for its cost first; what it was once worth is looked at again in time."""
    gone: set[Hashable] = set()

    def worth(number: int) -> float:
        case, operation, features, needed, cost = offers[number]
        return worth_of(features - gone, case, operation, needed) / cost

    waiting = [(-worth(n), n) for n in range(len(offers))]
    heapq.heapify(waiting)
    chosen: list[int] = []
    rows: Counter[Hashable] = Counter()
    told: set[Hashable] = set()
    while waiting:
        _, number = heapq.heappop(waiting)
        now = worth(number)
        if not now:
            continue
        if waiting and now < -waiting[0][0]:
            heapq.heappush(waiting, (-now, number))
            continue
        case, _, features, *_ = offers[number]
        if _is_told_again(case, features - gone, told):
            continue
        path = _only_a_path(features - gone)
        rows[path] += 1
        if path is None or rows[path] <= MOST_ROWS:
            gone |= features
            chosen.append(number)
            told.add(_complaint(case))
    return _without_needless(chosen, offers)


def _without_needless(chosen: list[int], offers: list[Offer]) -> list[int]:
    """Without those that others, which were chosen later, have made needless."""
    counts = Counter(feature for number in chosen for feature in offers[number].features)
    kept = []
    for number in chosen:
        if all(counts[feature] > 1 for feature in offers[number].features):
            counts.subtract(offers[number].features)
        else:
            kept.append(number)
    return kept


def _looked_at(cases: list[Case]) -> set[Hashable]:
    """Calls after which a test looks at an object, and how: that is no test of its own any more."""
    found: set[Hashable] = set()
    for case in cases:
        made = tuple(s.operation for s in case.sequence.statements if s.operation >= 0)
        found |= {(made, o.operation) for o in case.observations if o.kind == "changed"}
    return found


def _is_bare(case: Case, operations: Listing[Operation]) -> bool:
    """Whether all that is left to say of a new object is that nothing is in it yet."""
    made = operations[case.operation].kind == "constructor" and bool(case.observations)
    return made and all(seen.source in EMPTY for seen in case.observations)


def _path_to(case: Case) -> Hashable:
    return tuple(s.operation for s in case.sequence.statements[:-1] if s.operation >= 0), case.operation


def _only_a_path(new: set[Hashable]) -> Hashable | None:
    """The function of a test that shows nothing new but another way through it."""
    found = {feature[1] if isinstance(feature, tuple) and feature[0] == "path" else None for feature in new}
    return found.pop() if len(found) == 1 else None


def _complaint(case: Case) -> Hashable:
    """What it raises or warns of, in which words; or that it only gives back an object."""
    said = "" if case.raises or not _gives_back(case) else "an object"
    return case.operation, case.announces or (case.raises, case.message or said)


def _gives_back(case: Case) -> bool:
    """Whether all that is seen is that a value of the test came back."""
    return bool(case.observations) and all(o.kind in ("same", "unchanged") for o in case.observations)


def _is_told_again(case: Case, new: set[Hashable], told: set[Hashable]) -> bool:
    """Whether somebody else complains in the same words already, and little is new about the way there."""
    arms = sum(isinstance(f, tuple) and f[0] == "arm" for f in new)
    in_words = case.announces is not None or bool(case.raises and case.message)
    in_words = in_words or (not case.raises and _gives_back(case))
    return in_words and _complaint(case) in told and arms < FEW_ARMS
