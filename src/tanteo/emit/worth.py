"""What a test is worth: the arms, outcomes and mutants it stands for, and what a reader learns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from collections.abc import Sequence as Listing
from types import MappingProxyType
from typing import NamedTuple

from tanteo.emit.cases import EMPTY, Case
from tanteo.emit.source import display
from tanteo.emit.trimming import Kills, question_of
from tanteo.execute.observations import Observation
from tanteo.subject import Operation


class Homes(NamedTuple):
    """The modules of arms and mutants; what is not there is at home."""

    arms: Mapping[int, str] = MappingProxyType({})
    mutants: Mapping[int, str] = MappingProxyType({})


UNKNOWN = Homes()
Changing = dict[int, set[tuple[Hashable, ...]]]
FULL = 1.4  # times the worth: that there is something in the result
LESS = 0.7  # times the worth: another one shows more
ODD = 0.3  # times the worth: others that reach the same come first
FEW_ARMS = 3  # what shows little must reach so many that nobody else does,
IDLE_ARMS = 4  # and each option that changes nothing one can see so many: it goes another way there,
MANY_ARMS = 8  # and what breaks by accident, or can only say nothing, so many
LONG = 100  # nobody knows by heart how long such a thing should be
NOWHERE = " at :0"  # raised outside of the subject
TABLED = frozenset({"function", "static method", "class method"})  # several results make a table
HEAD = 2  # what a test costs before its first statement


def arms_needed(
    case: Case, operation: Operation, known: Kills | None, returning: set[int], changing: Changing
) -> int:
    """How many arms that no other test reaches it takes to be worth it, if it shows little."""
    silent = not (case.tells or _is_silence(case, returning, changing))
    if _breaks(case) or case.accident or case.vain or case.padded or silent:
        return MANY_ARMS
    if case.idle:
        return MANY_ARMS if case.raises or case.echo else IDLE_ARMS * case.idle
    return FEW_ARMS if _is_weak(case, operation, known) else int(case.echo)


def _is_silence(case: Case, returning: set[int], changing: Changing) -> bool:
    """Whether that nothing came back says something: elsewhere it does, or changes what is as it was."""
    return case.operation in returning or bool(what_stayed(case, changing))


def changing_of(cases: list[Case]) -> Changing:
    """The questions about objects whose answers each operation was seen to change."""
    found: Changing = {}
    for case in cases:
        for seen in case.observations:
            if seen.kind == "changed":
                found.setdefault(case.operation, set()).add(question_of(seen))
    return found


def what_stayed(case: Case, changing: Changing) -> list[Observation]:
    """What a call could have changed, and did not."""
    able = changing.get(case.operation, set())
    stayed = [o for o in case.observations if o.kind == "unchanged" and question_of(o) in able]
    return [o for o in stayed if o.source not in EMPTY]


def is_accident(case: Case) -> bool:
    """Whether it shows how something breaks that was given what it says it does not take."""
    return case.astray and bool(case.raises) and not case.message


def features_of(
    case: Case,
    known: Kills,
    operations: Listing[Operation],
    entries: frozenset[int],
    homes: Homes = UNKNOWN,
) -> set[Hashable]:
    """What a test stands for; one that breaks, or with a nonsensical argument, only for the arms it reaches.

    That a function can be called and says nothing is no reason for a test.
    """
    operation = operations[case.operation]
    broken = case.misfit or _breaks(case)
    made = operation.kind == "constructor"
    echo = (made or operation.kind == "attribute") and not case.raises and _only_echoes(case, operations)
    tells = case.tells and not echo and not (broken and case.raises)
    found: set[Hashable] = {("arm", arm) for arm in case.arms - (frozenset() if tells else entries)}
    if broken or case.unlikely or (echo and (made or case.observations[0].kind == "same")):
        return found
    example = case.is_example and operation.kind in TABLED
    near = [n for n in known if not example or _is_near(homes.mutants.get(n, ""), operation)]
    found |= {("mutant", number) for number in near}
    ran = operation.defined or case.operation
    if _is_foreign(operation):
        return found
    if case.raises:
        found |= _complaints(case, operations)
    elif tells and not _said_elsewhere(case, operation):
        found.add(("outcome", ran, case.outcome))
    shows = case.is_example and case.is_full and tells
    if shows and operation.kind in TABLED and _is_flat(case, operations):
        found.add(("path", ran, _own_arms(case, operation, homes)))
    return found


def _own_arms(case: Case, operation: Operation, homes: Homes) -> frozenset[int]:
    """The arms in the module of the function: another way through what it calls is no other example."""
    known = homes.arms or dict.fromkeys(case.arms, "")  # other probes tell of lines, and make no way
    return frozenset(arm for arm in case.arms if arm in known and _is_near(known[arm], operation))


def _is_near(module: str, operation: Operation) -> bool:
    """Whether something is in the module of the function that an operation runs."""
    home = f"{operation.defined or operation.module}."
    return not module or home.startswith(f"{module}.")


def _breaks(case: Case) -> bool:
    """Whether something is raised that nobody has said, and that tells nothing of an argument."""
    if not case.raises or case.message:
        return False
    return not case.asked or (case.outcome.endswith(NOWHERE) and case.raises != "TypeError")


def _is_flat(case: Case, operations: Listing[Operation]) -> bool:
    """Whether everything before the last call is written down."""
    made = case.sequence.statements[:-1]
    return all(s.operation < 0 or operations[s.operation].kind == "display" for s in made)


def _only_echoes(case: Case, operations: Listing[Operation]) -> bool:
    """Whether what is seen of it is what was put in, or, of a new object, that nothing is in it yet."""
    made = operations[case.operation].kind == "constructor"
    given = {*filter(None, _written(case, operations)), "None"}
    echoed = [
        o.source in given or o.kind == "same" or (made and o.source in EMPTY) for o in case.observations
    ]
    return all(echoed)


def _written(case: Case, operations: Listing[Operation]) -> list[str]:
    """The values of a sequence that are written down, as one writes them; nothing for what is called."""
    texts: list[str] = []
    for position, s in enumerate(case.sequence.statements):
        inputs = [texts[position + distance] for distance in s.inputs]
        if s.literal is not None:
            texts.append(s.literal.source)
        elif operations[s.operation].kind == "display" and all(inputs):
            texts.append(display(operations[s.operation].name, inputs))
        else:
            texts.append("")
    return texts


def _is_foreign(operation: Operation) -> bool:
    """Whether what runs stands in another package: inherited, and tested there."""
    home = operation.defined.partition(".")[0]
    return home not in ("", operation.module.partition(".")[0])


def _complaints(case: Case, operations: Listing[Operation]) -> set[Hashable]:
    """One line that raises is enough, whoever leads to it; an exception with words of its own is one more.

    What is told which exception to raise says nothing more with another one.
    """
    _, _, line = case.outcome.partition(" at ")
    own = case.message and not _is_told_to_raise(case, operations)
    return {("raises", line), ("raises", case.outcome if own else line)}


def _is_told_to_raise(case: Case, operations: Listing[Operation]) -> bool:
    """Whether the class of what is raised is passed."""
    forms = [operations[s.operation].form for s in case.sequence.statements if s.operation >= 0]
    literals = [s.literal.source for s in case.sequence.statements if s.literal is not None]
    return case.raises in literals or f"{{symbol:{case.raises}}}" in forms


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


def cost_of(case: Case, operations: Listing[Operation]) -> int:
    """Lines, about: literals and displays stand inside of others, and fixtures in the head. Who is given
    nothing shows little."""
    used = [s.operation for s in case.sequence.statements if s.operation >= 0]
    return (
        HEAD
        + sum(operations[o].kind not in ("display", "fixture") for o in used)
        + _gives_nothing(case, operations)
    )


def _gives_nothing(case: Case, operations: Listing[Operation]) -> bool:
    """Whether a call is given an empty text or container."""
    made = case.sequence.statements
    given = [made[position + distance] for position, s in enumerate(made) for distance in s.inputs]
    return any(
        s.literal.source in ("''", "b''")
        if s.literal is not None
        else not s.inputs and operations[s.operation].kind == "display"
        for s in given
    )


def worth_of(new: set[Hashable], case: Case, operation: Operation, needed: int) -> float:
    """How much a test adds with features that nothing else has yet."""
    if needed and sum(isinstance(f, tuple) and f[0] == "arm" for f in new) < needed:
        return 0.0
    muted = bool(case.warns) and case.announces is None
    odd = ODD if case.misfit or case.unlikely or case.stuffed or muted or _breaks(case) else 1.0
    shows_less = _is_mirror(case) or _is_of_an_heir(case, operation) or _only_counts(case)
    return len(new) * odd * (LESS if shows_less else 1.0) * (FULL if case.is_full else 1.0)


def _is_mirror(case: Case) -> bool:
    """Whether what comes back is what was passed, which something that does nothing would give, too."""
    made = case.sequence.statements
    given = [made[len(made) - 1 + distance].literal for distance in made[-1].inputs]
    sources = {literal.source for literal in given if literal is not None}
    return any(o.kind == "value" and o.source in sources for o in case.observations)


def _only_counts(case: Case) -> bool:
    """Whether all that is seen of what came back is how much there is of it."""
    return [o.kind for o in case.observations if o.kind != "unchanged"] == ["length"]


def _is_of_an_heir(case: Case, operation: Operation) -> bool:
    """Whether a method is called on an object of a class that has only inherited it."""
    inputs = case.sequence.statements[-1].inputs
    position = len(case.sequence) - 1 + inputs[0] if inputs else len(case.types)
    if operation.kind != "method" or not operation.defined or position >= len(case.types):
        return False
    return case.types[position] not in ("", operation.defined.rpartition(".")[0].rpartition(".")[2])


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
