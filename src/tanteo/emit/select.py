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

from tanteo.emit.cases import EMPTY, Case
from tanteo.execute.observations import Observation
from tanteo.subject import Operation

Changing = dict[int, set[tuple[Hashable, ...]]]
Kills = dict[int, list[int]]  # mutant -> the assertions that notice it
MOST_BY_GUESS = 3  # assertions of a test that was not tried on mutants
FULL = 1.4  # times the worth: that there is something in the result
FEW_ARMS = 3  # what shows little must reach so many that nobody else does,
MANY_ARMS = 8  # and what breaks by accident, or can only say nothing, so many
LONG = 100  # nobody knows by heart how long such a thing should be
NOWHERE = " at :0"  # raised outside of the subject
ODD = 0.3  # times the worth: others that reach the same come first
TABLED = frozenset({"function", "static method", "class method"})  # several results make a table
MOST_ROWS = 4  # of a table, that are there only because they take another way
HEAD = 2  # what a test costs before its first statement


def select(
    cases: list[Case],
    kills: dict[bytes, Kills],
    operations: Listing[Operation],
    entries: frozenset[int] = frozenset(),  # arms that are entries of functions
) -> list[Case]:
    """The tests to write, the most telling first, with the assertions to write."""
    variety = _variety(cases)
    cases = [
        case
        for case in cases
        if not (_is_accident(case) or case.is_idle_talk or case.idle or _makes_in_vain(case, operations))
    ]
    returning = {case.operation for case in cases if case.returns_something}
    changing = _changing(cases)
    features = [_features(case, kills.get(case.sequence.code, {}), operations, entries) for case in cases]
    costs = [_cost(case, operations) for case in cases]
    needed = [
        _needed(case, operations[case.operation], kills.get(case.sequence.code), returning, changing)
        for case in cases
    ]
    gone: set[Hashable] = set()
    waiting = [(-_worth(features[n], gone, case, needed[n]) / costs[n], n) for n, case in enumerate(cases)]
    heapq.heapify(waiting)
    chosen: list[int] = []
    rows: Counter[Hashable] = Counter()
    while waiting:
        _, number = heapq.heappop(waiting)
        worth = _worth(features[number], gone, cases[number], needed[number]) / costs[number]
        if not worth:
            continue
        if waiting and worth < -waiting[0][0]:  # less than it was once worth: look at the others first
            heapq.heappush(waiting, (-worth, number))
            continue
        path = _only_a_path(features[number] - gone)
        rows[path] += 1
        if path is None or rows[path] <= MOST_ROWS:
            gone |= features[number]
            chosen.append(number)
    noticed: set[int] = set()
    trimmed = {}
    for number in sorted(chosen, key=lambda n: len(cases[n].sequence)):  # a constructor is tested as such
        known = kills.get(cases[number].sequence.code)
        trimmed[number] = _trim(cases[number], known, noticed, variety)
        stayed = _stayed(cases[number], changing)
        if stayed and not cases[number].tells and cases[number].operation not in returning:
            trimmed[number] = replace(trimmed[number], observations=tuple(stayed[:1]))
        noticed.update(known or ())
    found = [trimmed[number] for number in chosen]
    shown, reached = _looked_at(found), Counter(arm for case in found for arm in case.arms - entries)
    return [
        case for case in found if _path_to(case) not in shown or any(reached[arm] == 1 for arm in case.arms)
    ]


def _needed(
    case: Case, operation: Operation, known: Kills | None, returning: set[int], changing: Changing
) -> int:
    """How many arms that no other test reaches it takes to be worth it, if it shows little."""
    if _breaks(case) or case.accident or not (case.tells or _is_silence(case, returning, changing)):
        return MANY_ARMS
    return FEW_ARMS if _is_weak(case, operation, known) else int(case.echo)


def _is_silence(case: Case, returning: set[int], changing: Changing) -> bool:
    """Whether that nothing came back says something: elsewhere it does, or changes what is as it was."""
    return case.operation in returning or bool(_stayed(case, changing))


def _changing(cases: list[Case]) -> Changing:
    """The questions about objects whose answers each operation was seen to change."""
    found: Changing = {}
    for case in cases:
        for seen in case.observations:
            if seen.kind == "changed":
                found.setdefault(case.operation, set()).add(_question(seen))
    return found


def _stayed(case: Case, changing: Changing) -> list[Observation]:
    """What a call could have changed, and did not."""
    able = changing.get(case.operation, set())
    return [o for o in case.observations if o.kind == "unchanged" and _question(o) in able]


def _looked_at(cases: list[Case]) -> set[Hashable]:
    """Calls after which a test looks at an object, and how: that is no test of its own any more."""
    found: set[Hashable] = set()
    for case in cases:
        made = tuple(s.operation for s in case.sequence.statements if s.operation >= 0)
        found |= {(made, o.operation) for o in case.observations if o.kind == "changed"}
    return found


def _path_to(case: Case) -> Hashable:
    return tuple(s.operation for s in case.sequence.statements[:-1] if s.operation >= 0), case.operation


def _only_a_path(new: set[Hashable]) -> Hashable | None:
    """The function of a test that shows nothing new but another way through it."""
    found = {feature[1] if isinstance(feature, tuple) and feature[0] == "path" else None for feature in new}
    return found.pop() if len(found) == 1 else None


def _is_accident(case: Case) -> bool:
    """Whether it shows how something breaks that was given what it says it does not take."""
    return case.astray and bool(case.raises) and not case.message


def _makes_in_vain(case: Case, operations: Listing[Operation]) -> bool:
    """Whether there was no time to drop an object that nothing is done with."""
    made = case.sequence.statements
    used = {position + distance for position, s in enumerate(made) for distance in s.inputs}
    idle = [s.operation for position, s in enumerate(made[:-1]) if position not in used]
    return case.rough and any(o < 0 or operations[o].kind == "constructor" for o in idle)


def _features(
    case: Case, known: Kills, operations: Listing[Operation], entries: frozenset[int]
) -> set[Hashable]:
    """What a test stands for; one that breaks, or with a nonsensical argument, only for the arms it reaches.

    That a function can be called and says nothing is no reason for a test.
    """
    operation = operations[case.operation]
    broken = case.misfit or _breaks(case)
    made = operation.kind == "constructor"
    echo = (made or operation.kind == "attribute") and not case.raises and _only_echoes(case, made)
    tells = case.tells and not echo and not (broken and case.raises)
    found: set[Hashable] = {("arm", arm) for arm in case.arms - (frozenset() if tells else entries)}
    if broken or (echo and (made or case.observations[0].kind == "same")):
        return found
    found |= {("mutant", number) for number in known}
    ran = operation.defined or case.operation
    if _is_foreign(operation) or case.unlikely:
        return found
    if case.raises:
        found.add(("raises", _line(case)))
    elif tells and not _said_elsewhere(case, operation):
        found.add(("outcome", ran, case.outcome))
    if case.is_example and tells and operation.kind in TABLED and _is_flat(case, operations):
        found.add(("path", ran, case.arms))
    return found


def _breaks(case: Case) -> bool:
    """Whether something is raised that nobody has said, and that tells nothing of an argument."""
    if not case.raises or case.message:
        return False
    return not case.asked or (case.outcome.endswith(NOWHERE) and case.raises != "TypeError")


def _is_flat(case: Case, operations: Listing[Operation]) -> bool:
    """Whether everything before the last call is written down."""
    made = case.sequence.statements[:-1]
    return all(s.operation < 0 or operations[s.operation].kind == "display" for s in made)


def _only_echoes(case: Case, made: bool) -> bool:
    """Whether what is seen of it is what was put in, or, of a new object, that nothing is in it yet."""
    given = {s.literal.source for s in case.sequence.statements if s.literal is not None} | {"None"}
    echoed = [
        o.source in given or o.kind == "same" or (made and o.source in EMPTY) for o in case.observations
    ]
    return all(echoed)


def _is_foreign(operation: Operation) -> bool:
    """Whether what runs stands in another package: inherited, and tested there."""
    home = operation.defined.partition(".")[0]
    return home not in ("", operation.module.partition(".")[0])


def _line(case: Case) -> str:
    """One line that raises is enough, whoever leads to it; and any exception of it if none has own words."""
    return case.outcome if case.message else case.outcome.partition(" at ")[2]


def _said_elsewhere(case: Case, operation: Operation) -> bool:
    """Whether other tests say it anyway: an object that is made and asked what its methods are asked.

    Nor does the outcome of calling some function matter, which may be one of ours; and a constant is one. An
    attribute without code of its own says what the constructor was given.
    """
    if operation.kind in ("call", "constant"):
        return True
    if operation.kind in ("attribute", "attribute write") and not operation.defined:
        return True
    return operation.kind == "constructor" and not any(o.attribute for o in case.observations)


def _cost(case: Case, operations: Listing[Operation]) -> int:
    """Lines, about: literals and displays stand inside of others."""
    used = [s.operation for s in case.sequence.statements if s.operation >= 0]
    return HEAD + sum(operations[o].kind != "display" for o in used)


def _worth(features: set[Hashable], gone: set[Hashable], case: Case, needed: int) -> float:
    new = features - gone
    if needed and sum(isinstance(f, tuple) and f[0] == "arm" for f in new) < needed:
        return 0.0
    odd = ODD if case.misfit or case.unlikely or _breaks(case) else 1.0
    return len(new) * odd * (FULL if case.is_full else 1.0)


def _is_weak(case: Case, operation: Operation, known: Kills | None) -> bool:
    """Whether a reader learns little: how a wrong value breaks, or does nothing; a type, a large number."""
    if case.rough or (case.echo and not case.is_full) or (_is_foreign(operation) and not known):
        return True
    if case.misfit or case.raises:
        return case.misfit and not case.message
    shown = [o for o in case.observations if o.kind != "unchanged"]
    if all(o.kind == "type" for o in shown):
        return True
    long = [o for o in shown if o.source.isdigit() and int(o.source) > LONG]
    return bool(long) and all(o.kind == "length" for o in shown)


def _question(seen: Observation) -> tuple[Hashable, ...]:
    return (seen.operation, seen.attribute) if seen.is_state else (seen.kind == "type",)


def _variety(cases: list[Case]) -> Counter[tuple[Hashable, ...]]:
    """How many different answers each question about an object has got: the more, the more it can tell."""
    answers = {(_question(o), o.source) for case in cases for o in case.observations}
    return Counter(question for question, _ in answers)


def _trim(case: Case, known: Kills | None, noticed: set[int], variety: Counter[tuple[Hashable, ...]]) -> Case:
    """The case with the assertions that it needs."""
    if case.raises or not case.observations:
        return case
    seen = case.observations
    able = [n for n, o in enumerate(seen) if o.kind != "unchanged" or variety[_question(o)] > 1]
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
    most = max((variety[_question(seen[n])] for n in kept), default=0)
    if not kept or _is_a_result(first) or variety[_question(first)] > most:
        kept.add(order[0])  # what says most is what people look for
    for hinge in case.hinges:  # an argument is there for something that one can see
        if not any((seen[n].operation, seen[n].attribute) in hinge for n in kept):
            kept.update([n for n in order if (seen[n].operation, seen[n].attribute) in hinge][:1])
    if first.kind == "same":  # what came back says little; what was done to it says more
        kept.update([n for n in order if seen[n].kind == "changed"][:1])
    return replace(case, observations=tuple(o for n, o in enumerate(seen) if n in kept))


def _is_shown_by(first: Observation, other: Observation) -> bool:
    """Whether what an object shows of itself has another answer in it, as `Bits('101')` has `'101'`."""
    text = other.source.strip("'")
    return first.kind == "repr" and other.is_state and len(text) < len(other.source) and text in first.source


def _is_a_result(seen: Observation) -> bool:
    return seen.kind in ("value", "same", "repr") and seen.source != "None"


def _reticence(seen: Observation, variety: Counter[tuple[Hashable, ...]]) -> tuple[bool, bool, bool, int]:
    """What says most comes first: a result, then the question about an object that got most answers.

    That nothing was returned says more than that something else is as it was.
    """
    return (
        seen.kind == "unchanged",
        seen.is_state or seen.kind == "type" or seen.source == "None",
        not seen.is_state,
        -variety[_question(seen)],
    )
