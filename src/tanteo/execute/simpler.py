"""Sequences that are one step simpler than another: shorter, with fewer arguments, in plainer words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tanteo.execute.anew import made_anew
from tanteo.execute.brevity import with_rounder_values
from tanteo.execute.directly import gives_itself, in_its_own_class, made_directly, with_another
from tanteo.execute.displays import PLAIN, is_container, is_short, written_out
from tanteo.execute.fitting import arguments, liked, on_offer, wants_of, with_what_fits, with_whole_numbers
from tanteo.execute.loops import less_often
from tanteo.execute.options import filled_at_once, given_at_once
from tanteo.execute.pruning import instead, needed, pruned, without
from tanteo.execute.replay import replay
from tanteo.model import Literal, Repeat, Run, Sequence, Statement, call, say, sequence
from tanteo.passing import passed_to, without_argument
from tanteo.session import Session
from tanteo.strategies.drafts import DISPLAYS
from tanteo.types import FUNCTION, fits
from tanteo.values import evaluate

FIRST = 60  # characters of a text that is too long to be written down
LONG_TEXT = 6  # characters; what is longer is said in fewer words if that makes no difference
SIMPLE: dict[type, tuple[str, ...]] = {
    str: ("'a'", "''", "'ab'", "'.'", "':'"),  # something rather than nothing
    bytes: ("b'a'", "b''", "b'ab'", "b'.'", "b':'"),
    float: ("0.0", "0.5", "1.5"),
    int: ("0", "1", "2"),
}
PLAIN_TYPES = ("int", "str")  # of types that are put together, or made for the purpose
INSTEAD = ("0", "'a'", "None")  # of an object or a function whose only use is to be passed on
Step = Callable[[Run, Session], Iterator[Sequence]]


def _without_one(made: Sequence) -> Iterator[Sequence]:
    """Without a call whose value nobody needs, the last ones first."""
    wanted = needed(made)
    for position in range(len(made) - 2, -1, -1):
        if position not in wanted:
            yield without(made, position)


def _written_down(run: Run, session: Session) -> Iterator[Sequence]:
    """With a value written down instead of the calls that compute it."""
    made = run.sequence
    statements = made.statements
    wanted = needed(made)
    for position, value in enumerate(run.values[: len(statements) - 1]):
        if _is_of_a_fixture(statements[position], session):
            continue
        if is_short(value) and statements[position].operation >= 0:
            if _comes_again(run, position, session):
                literal = say(Literal(value, repr(value)))
                yield sequence((*statements[:position], literal, *statements[position + 1 :]))
        elif type(value) is str and statements[position].operation >= 0:  # perhaps a part of it will do
            literal = say(Literal(value[:FIRST], repr(value[:FIRST])))
            yield sequence((*statements[:position], literal, *statements[position + 1 :]))
        elif is_container(value, statements[position], session) and _comes_again(run, position, session):
            yield from written_out(made, position, value, run.values)
        elif isinstance(value, tuple) and type(value) is not tuple and position in wanted:
            yield from written_out(made, position, tuple(value), run.values)


def _is_of_a_fixture(statement: Statement, session: Session) -> bool:
    """Whether the user has made it, and wants to see it."""
    return statement.operation >= 0 and session.operations[statement.operation].kind == "fixture"


def _sliced(made: Sequence) -> Iterator[Sequence]:
    """Only what the last call is given, at once: calls that might have changed it are mostly in vain."""
    last = len(made) - 1
    wanted = {last}
    for position in range(last, -1, -1):
        if position in wanted:
            wanted.update(position + distance for distance in made.statements[position].inputs)
    sliced = made
    for position in range(last - 1, -1, -1):
        if position not in wanted:
            sliced = without(sliced, position)
    if len(sliced) < len(made):
        yield sliced


def _comes_again(run: Run, position: int, session: Session) -> bool:
    """Whether a value is the same each time: what a clock says, or where we run, is not written down."""
    value = run.values[position]
    again = replay(sequence(run.sequence.statements[: position + 1]), session)
    if again.error is not None or session.rules.is_of_this_run(value):
        return False
    return type(again.values[-1]) is type(value) and repr(again.values[-1]) == repr(value)


def _with_fewer_arguments(made: Sequence, session: Session) -> Iterator[Sequence]:
    """Without an argument that may be left out, the last ones first."""
    wanted = needed(made)
    for position, statement in enumerate(made.statements):
        if statement.operation < 0 or session.operations[statement.operation].kind == "display":
            continue
        for index in range(len(statement.inputs) - 1, -1, -1):
            fixed = statement.repeat is not None and index in statement.repeat.positions
            fewer = None if fixed else without_argument(session.slots[statement.operation], statement, index)
            if fewer is not None:
                fewer = call(fewer.operation, fewer.inputs, fewer.names, _moved(statement.repeat, index))
                new = sequence((*made.statements[:position], fewer, *made.statements[position + 1 :]))
                yield pruned(new, wanted)


def with_fewer_elements(made: Sequence, session: Session) -> Iterator[Sequence]:
    """Without one element of a list, a tuple or a set, or one key of a dict, that is written down."""
    yield from _smaller(made, session, range(len(made)))


def with_fewer_keys(made: Sequence, session: Session) -> Iterator[Sequence]:
    """Without one key of a dict that an earlier call than the last one was given."""
    last = len(made) - 1
    given = {last + distance for distance in made.statements[-1].inputs}
    dicts = [p for p, s in enumerate(made.statements) if s.operation == DISPLAYS[dict] and p not in given]
    yield from _smaller(made, session, dicts)


def _smaller(made: Sequence, session: Session, positions: Iterable[int]) -> Iterator[Sequence]:
    wanted = needed(made)
    for position in positions:
        statement = made.statements[position]
        if statement.operation < 0 or session.operations[statement.operation].kind != "display":
            continue
        each = 2 if session.operations[statement.operation].name == "dict" else 1
        objects = any(_is_made(made.statements[position + d], session) for d in statement.inputs)
        for start in range(0, len(statement.inputs), each) if len(statement.inputs) > each or objects else ():
            inputs = statement.inputs[:start] + statement.inputs[start + each :]
            fewer = call(statement.operation, inputs)
            new = sequence((*made.statements[:position], fewer, *made.statements[position + 1 :]))
            yield pruned(new, wanted)


def _is_made(statement: Statement, session: Session) -> bool:
    """Whether it is an object that somebody has made to be put into a container."""
    return statement.operation >= 0 and session.operations[statement.operation].kind != "display"


def _moved(repeat: Repeat | None, gone: int) -> Repeat | None:
    """The same repetition after an argument that it does not touch is gone."""
    if repeat is None:
        return None
    return Repeat(tuple(p - (p > gone) for p in repeat.positions), repeat.count, repeat.columns)


def _settled(run: Run, session: Session) -> set[int]:
    """What something is called on, or goes to a parameter that says so: it stays what it is."""
    return {
        position + distance
        for position, statement in enumerate(run.sequence.statements)
        if statement.operation >= 0
        for slot, distance in zip(
            passed_to(session.slots[statement.operation], statement), statement.inputs, strict=True
        )
        if slot.receiver
        or (slot.declared and not slot.open and fits(run.values[position + distance], slot.wants))
        or (callable(run.values[position + distance]) and any(w.kind is FUNCTION for w in wants_of(slot)))
    }


def _operands(made: Sequence, session: Session) -> set[int]:
    """What operators are given: there truth is a number."""
    return {
        position + distance
        for position, statement in enumerate(made.statements)
        if statement.operation >= 0 and session.operations[statement.operation].kind == "operator"
        for distance in statement.inputs
    }


def _plainer(run: Run, session: Session) -> Iterator[Sequence]:
    """Short words for long ones, and plain values for objects that are only passed on."""
    made = run.sequence
    wanted, settled, counts = needed(made), _settled(run, session), _operands(made, session)
    fitting, chosen = liked(run, session), on_offer(run, session)
    statements = made.statements
    for position, value in enumerate(run.values[: len(statements) - 1]):
        sources: tuple[str, ...] = ()
        known = statements[position].literal
        if known is not None and _is_a_type(value) and len(known.source) > LONG_TEXT:
            sources = PLAIN_TYPES
        elif type(value) not in PLAIN and position in settled:
            sources = _as_plain(value) if _is_helper(statements[position], session) else ()
            sources = sources or _that_fit(position, value, run, session)
        elif type(value) not in PLAIN:
            sources = (*INSTEAD, *_as_text(value)) if position in wanted - fitting else ()
        elif type(value) is bool:
            sources = (str(int(value)),) if position in counts - settled else ()
        elif position in chosen:
            continue
        elif not _is_plain(known) if known is not None else position in wanted:
            sources = SIMPLE.get(type(value), ())  # long, or computed and another each time
        for source in sources if known is None or known.source not in sources else ():
            literal = say(Literal(evaluate(source), source))
            new = sequence((*statements[:position], literal, *statements[position + 1 :]))
            yield pruned(new, wanted)


def _that_fit(position: int, value: object, run: Run, session: Session) -> tuple[str, ...]:
    """Plain values that every parameter takes which an object of some class goes to."""
    if type(value).__module__ == "builtins" or callable(value):
        return ()
    slots = [s for p, i, s in arguments(run, session) if p + run.sequence.statements[p].inputs[i] == position]
    if not slots or any(slot.receiver or slot.open for slot in slots):
        return ()
    sources = (*INSTEAD, *_as_text(value))
    return tuple(s for s in sources if all(fits(evaluate(s), slot.wants) for slot in slots))


def _as_text(value: object) -> tuple[str, ...]:
    """What an object shows itself as, where somebody only wants a text of it."""
    try:
        text = str(value)
    except Exception:
        return ()
    return (repr(text),) if len(text) <= LONG_TEXT and type(text) is str else ()


def _is_helper(statement: Statement, session: Session) -> bool:
    return statement.operation >= 0 and session.operations[statement.operation].helper


def _as_plain(value: object) -> tuple[str, ...]:
    """Numbers and texts for what is one by inheritance, as a member of somebody's enum."""
    for kind, sources in SIMPLE.items():
        if isinstance(value, kind):
            return (*sources, repr(kind(value)))
    return ()


def _is_a_type(value: object) -> bool:
    return isinstance(value, type) or type(value).__module__ in ("typing", "types")


def _is_plain(known: Literal) -> bool:
    """Whether there is nothing to wonder about."""
    value = known.value
    clear = not isinstance(value, str | bytes) or value.isalnum() or not value
    return clear and len(known.source) <= LONG_TEXT


def _redirected(run: Run, session: Session) -> Iterator[Sequence]:
    """Another, earlier value of the same type as an argument, if something is then no longer needed."""
    given = gives_itself(run.sequence, session)
    yield from (made for made in _with_earlier_values(run) if given or not gives_itself(made, session))


def _with_earlier_values(run: Run) -> Iterator[Sequence]:
    made, values = run.sequence, run.values
    wanted = needed(made)
    for used in range(min(len(values), len(made) - 1) - 1, 0, -1):
        for other in range(used) if made.statements[used].operation >= 0 else ():
            fewer = pruned(instead(made, used, other), wanted)
            if _stands_for(values[other], values[used]) and len(fewer) < len(made):
                yield fewer
    for position in range(len(values), 0, -1):
        if position >= len(made):
            continue
        statement = made.statements[position]
        for index, distance in enumerate(statement.inputs):
            used = position + distance
            for other in range(used) if made.statements[used].operation >= 0 else ():
                if _stands_for(values[other], values[used]):
                    inputs = list(statement.inputs)
                    inputs[index] = other - position
                    changed = call(statement.operation, tuple(inputs), statement.names, statement.repeat)
                    new = sequence((*made.statements[:position], changed, *made.statements[position + 1 :]))
                    fewer = pruned(new, wanted)
                    if len(fewer) < len(made):
                        yield fewer


def _stands_for(other: object, used: object) -> bool:
    """Whether it is of the same class, or of one that was derived from it."""
    kind = type(used)
    return type(other) is kind or (kind.__module__ != "builtins" and issubclass(type(other), kind))


STEPS: tuple[Step, ...] = (  # the largest first
    lambda run, session: _sliced(run.sequence),
    lambda run, session: _without_one(run.sequence),
    _written_down,
    lambda run, session: _with_fewer_arguments(run.sequence, session),
    _redirected,
    made_directly,
    lambda run, session: less_often(run.sequence),
    with_what_fits,
    with_whole_numbers,
    _plainer,
    lambda run, session: with_rounder_values(run.sequence),
    made_anew,
    in_its_own_class,
    with_another,
    given_at_once,
    filled_at_once,
)
