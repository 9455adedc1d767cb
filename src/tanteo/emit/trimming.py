"""Which assertions of a test stay: those that notice a mutant, and the one that says most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace

from tanteo.emit.cases import EMPTY, Case
from tanteo.execute.observations import Observation

Kills = dict[int, list[int]]  # mutant -> the assertions that notice it
MOST_BY_GUESS = 3  # assertions of a test that was not tried on mutants


def trim(case: Case, known: Kills | None, noticed: set[int], variety: Counter[tuple[Hashable, ...]]) -> Case:
    """The case with the assertions that it needs."""
    if case.raises or not case.observations:
        return case
    seen = case.observations
    able = [n for n, o in enumerate(seen) if o.kind != "unchanged" or variety[question_of(o)] > 1]
    order = sorted(able or range(len(seen)), key=lambda n: _reticence(seen[n], variety))
    if known is None:
        guessed = [n for n in order[:MOST_BY_GUESS] if n == order[0] or seen[n].kind != "unchanged"]
        guessed = [n for n in guessed if not _is_shown_by(seen[order[0]], seen[n])]
        return replace(case, observations=tuple(seen[n] for n in guessed))
    left = {number: set(which) for number, which in known.items() if number not in noticed}
    kept: set[int] = set()
    while left:
        counts = {n: sum(n in which for which in left.values()) for n in order}
        best = max(order, key=counts.__getitem__)
        if not counts[best]:
            break
        kept.add(best)
        left = {number: which for number, which in left.items() if best not in which}
    first = seen[order[0]]
    most = max((variety[question_of(seen[n])] for n in kept), default=0)
    if not kept or _is_a_result(first) or variety[question_of(first)] > most:
        kept.add(order[0])  # what says most is what people look for
    for hinge in case.hinges:  # an argument is there for something that one can see
        if not any((seen[n].operation, seen[n].attribute) in hinge for n in kept):
            kept.update([n for n in order if (seen[n].operation, seen[n].attribute) in hinge][:1])
    if first.kind == "same" or first.source in EMPTY:  # it says little; what was done to it says more
        kept.update([n for n in order if seen[n].kind == "changed"][:1])
    return replace(case, observations=tuple(o for n, o in enumerate(seen) if n in kept))


def _is_shown_by(first: Observation, other: Observation) -> bool:
    """Whether what an object shows of itself has another answer in it, as `Bits('101')` has `'101'`."""
    text = other.source.strip("'")
    return first.kind == "repr" and other.is_state and len(text) < len(other.source) and text in first.source


def _is_a_result(seen: Observation) -> bool:
    return seen.kind in ("value", "same", "elements", "start", "repr") and seen.source != "None"


def _reticence(seen: Observation, variety: Counter[tuple[Hashable, ...]]) -> tuple[bool, bool, bool, int]:
    """What says most comes first: a result, then the question about an object that got most answers.

    That nothing was returned says more than that something else is as it was.
    """
    return (
        seen.kind == "unchanged",
        seen.is_state or seen.kind == "type" or seen.source == "None",
        not seen.is_state,
        -variety[question_of(seen)],
    )


def question_of(seen: Observation) -> tuple[Hashable, ...]:
    return (seen.operation, seen.attribute) if seen.is_state else (seen.kind == "type",)


def variety_of(cases: list[Case]) -> Counter[tuple[Hashable, ...]]:
    """How many different answers each question about an object has got: the more, the more it can tell."""
    answers = {(question_of(o), o.source) for case in cases for o in case.observations}
    return Counter(question for question, _ in answers)
