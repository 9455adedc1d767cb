"""Names of tests: what is called, and what is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as Listing

from tanteo.emit.cases import EMPTY, Case
from tanteo.emit.giving import MOST_DETAIL, arguments_of, described, given_to, kinds_of, options_of, origin_of
from tanteo.emit.words import in_brief, shown_words, snake, subject_words, value_words
from tanteo.execute.observations import COUNTED, WRITTEN, Observation
from tanteo.operators import is_collected
from tanteo.subject import Operation

LONGEST = 96
RESULT = "result of "  # a function that another one has returned
MOST_STATES = 2  # of an object: more are not told one by one


def telling_names(cases: list[Case], operations: Listing[Operation]) -> list[str]:
    """In as much detail as it takes to tell the cases apart."""
    names = [name_case(case, operations) for case in cases]
    for detail in range(1, MOST_DETAIL + 1):
        shared = Counter(names)
        both = zip(names, cases, strict=True)
        names = [name_case(c, operations, detail) if shared[name] > 1 else name for name, c in both]
    return names


def name_case(case: Case, operations: Listing[Operation], detail: int = 0) -> str:
    """`test_tree_map_remove_returns_none`; in detail, with what makes this call different from others."""
    operation = operations[case.operation]
    expected = _expectation(case, operation, operations)
    words = ["test", _receiver(case, operation, operations), expected]
    plain = snake(" ".join(words))
    if detail and case.several:
        told = options_of(case, operation)
        words[2:2] = [told if told or detail == 1 else kinds_of(case, operations)]
    elif detail and case.raises and case.message:
        words += _saying(case, detail)
        words[2:2] = [arguments_of(case, operations, detail)] if detail == MOST_DETAIL else []
    elif detail and not case.several:
        words[1:2] = _in_detail(words[1], case, operations, detail)
    name = snake(" ".join(words))
    name = name if len(name) <= LONGEST else plain
    return name if len(name) <= LONGEST else name[:LONGEST].rpartition("_")[0]


def _saying(case: Case, detail: int) -> list[str]:
    """What an exception says, which is not to be taken for the exception; or that it was told what to say."""
    given = {s.literal.value for s in case.sequence.statements if s.literal and type(s.literal.value) is str}
    if case.message in given:
        return ["saying what it was told to"]
    return ["saying", in_brief(case.message, detail)]


def _in_detail(words: str, case: Case, operations: Listing[Operation], detail: int) -> list[str]:
    """What is called, with what it is given; and what the object was made of, if that tells too little."""
    given = arguments_of(case, operations, detail)
    origin = detail > 1 or _is_alone(case, operations[case.operation])
    if words.startswith(RESULT):
        last = len(case.sequence) - 1
        maker = last + case.sequence.statements[last].inputs[0]
        made = given_to(maker, case, operations, 0, detail) if origin else ""
        return [words, made, given.replace("of ", "given ", 1)]
    owner, _, method = words.rpartition(" ")
    made = origin_of(case, operations, detail) if origin else ""
    before = _history(case, operations) if detail == MOST_DETAIL else ""
    return [owner, made, method, given, before]  # it is the object that was made of it


def _history(case: Case, operations: Listing[Operation]) -> str:
    """The last thing that was done to an object before the call."""
    statements = case.sequence.statements
    needed = {p + distance for p, s in enumerate(statements) for distance in s.inputs}
    for position in range(len(statements) - 2, -1, -1):
        if position not in needed and statements[position].operation >= 0:
            return f"after {subject_words(operations[statements[position].operation]).split(' ')[-1]}"
    return ""


def _receiver(case: Case, operation: Operation, operations: Listing[Operation]) -> str:
    """Class and method; the class is that of the object, which may have inherited it."""
    words = subject_words(operation)
    if operation.kind == "constructor" and any(
        other.kind == "function" and subject_words(other) == words for other in operations
    ):
        return f"new {words}"
    inputs = case.sequence.statements[-1].inputs
    if "{0}" not in operation.form or not inputs:
        return words
    position = len(case.sequence) - 1 + inputs[0]
    known = case.types[position] if position < len(case.types) else ""
    if operation.kind == "call" and case.sequence.statements[position].operation >= 0 and not known:
        return f"{RESULT}{_maker_words(position, case, operations)}"
    if known and operation.kind == "call":
        return f"{snake(known)} call"
    return f"{snake(known)} {words.partition(' ')[2]}" if known and " " in words else words


def _maker_words(position: int, case: Case, operations: Listing[Operation]) -> str:
    """What has returned a function, if need be the result of something else."""
    statement = case.sequence.statements[position]
    maker = operations[statement.operation]
    if maker.kind == "call" and statement.inputs:
        return f"{RESULT}{_maker_words(position + statement.inputs[0], case, operations)}"
    return subject_words(maker)


def _is_alone(case: Case, operation: Operation) -> bool:
    """Whether the call is given nothing but the object that it is made on."""
    return "{0}" in operation.form and len(case.sequence.statements[-1].inputs) == 1


def _expectation(case: Case, operation: Operation, operations: Listing[Operation]) -> str:
    if case.raises:
        return f"raises {snake(case.raises)}"
    if case.announces:
        return f"warns {snake(case.announces[0])}"
    last = len(case.sequence) - 1
    about = [o for o in case.observations if o.position == last and (operation.value or o.kind != "same")]
    result = next((o for o in about if not o.is_state), None)
    changed = [o for o in case.observations if o.kind == "changed" and o.position != last]
    changed.sort(key=lambda o: (o.source in EMPTY, o.operation < 0))  # what is gone from inside says least
    if operation.kind == "constructor" or (result is None and about):
        return _made(about, operations)
    if result is not None and result.kind == "same" and changed and changed[0].is_state:
        return _changes(changed[0], operations)
    if result is not None and result.kind == "same":
        return f"returns {_which(int(result.source), case, operations)}"
    if result is not None and result.source != "None":
        given = {source.lower() for source in _given_sources(case)}
        if result.kind == "value" and result.source[0] in "'\"" and result.source.lower() in given:
            return "returns text"  # the same word as an argument, perhaps by coincidence
        if result.kind == "elements" or is_collected(operation.form):
            return _yields(result)
        known = case.types[last] if last < len(case.types) else ""
        return _returns(result, "is" if operation.kind == "attribute" else "returns", known)
    if changed:
        return _changes(changed[0], operations)
    alone = next((o for o in case.observations if o.kind == "unchanged"), None)
    if alone is not None:
        return f"keeps {_seen(alone, operations)}"
    return "returns none" if result is not None else "works"


def _yields(result: Observation) -> str:
    """What an iterator gives."""
    if result.kind == "length":
        return f"yields {result.source} element{'s' * (result.source != '1')}"
    return "yields nothing" if result.source == "[]" else "yields elements"


def _given_sources(case: Case) -> list[str]:
    """What is passed anywhere, as far as it is written down."""
    return [s.literal.source for s in case.sequence.statements if s.literal is not None]


def _made(about: list[Observation], operations: Listing[Operation]) -> str:
    states = [o for o in about if o.is_state]
    if len(states) > MOST_STATES:
        told = list(dict.fromkeys(_seen(state, operations) for state in states))
        return f"has {' and '.join(told[:MOST_STATES])}{' and more' * (len(told) > MOST_STATES)}"
    state = max(states, key=_eloquence, default=None)
    if state is None:
        return "can be made"
    value = value_words(state.source)
    what = _seen(state, operations)
    if state.attribute.endswith(COUNTED) or state.source == "expected":
        return f"has {value} {what}"
    if value.startswith("empty "):
        return f"has no {what}" if what == "elements" else f"has empty {what}"
    if value in ("text", "list", "tuple", "number", "mapping"):
        return f"has {what}"
    return f"has {what} {'' if value == what else value.removeprefix(f'{what}_')}".rstrip()


def _eloquence(state: Observation) -> tuple[bool, bool, int]:
    """What differs from row to row says most, a class that is kept least; a list says more than a flag."""
    return state.source == "expected", not state.imports, len(state.source)


def _changes(seen: Observation, operations: Listing[Operation]) -> str:
    """What a call does to an object or to a container that it was given."""
    if seen.attribute == WRITTEN:
        return "writes"
    return f"changes {_seen(seen, operations) if seen.is_state else 'argument'}"


def _seen(state: Observation, operations: Listing[Operation]) -> str:
    """What an observation of an object tells of."""
    if state.attribute == WRITTEN:
        return "what was written"
    what = state.attribute.removesuffix(COUNTED) or subject_words(operations[state.operation]).split(" ")[-1]
    return "elements" if what == "iteration" else what


def _which(position: int, case: Case, operations: Listing[Operation]) -> str:
    """The value of the test that came back."""
    last = len(case.sequence) - 1
    given = [last + distance for distance in case.sequence.statements[last].inputs]
    given = [case.same[place] if place < len(case.same) else place for place in given]
    if given[:1] == [position] and "{0}" in operations[case.operation].form:
        return "itself"
    if position in given:
        return "its argument"
    return f"the same {described(position, case, operations)}"


def _returns(result: Observation, verb: str, known: str) -> str:
    """What comes back; an object that shows itself like a dict is none."""
    if result.kind == "type":
        return f"{verb} {snake(result.source)}"
    if result.kind == "repr" and known:
        return f"{verb} {snake(known)}"
    if result.kind == "repr" and result.source[0] in "'\"":
        return f"{verb} {shown_words(result.source.strip(result.source[0]))}"
    if result.kind == "length":
        return f"has length {result.source}"
    return f"{verb} {value_words(result.source)}".rstrip()
