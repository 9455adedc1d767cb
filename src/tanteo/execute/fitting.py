"""Values that a parameter asks for, instead of some that it happens to take.

`natural_list([])` says as much as `natural_list(0)`, and nobody has to wonder what the number is for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tanteo.execute.displays import with_own, with_written
from tanteo.model import Literal, Run, Sequence, Statement, say, sequence
from tanteo.passing import passed_to
from tanteo.session import Session
from tanteo.types import CONTAINERS, FUNCTION, SCALARS, Slot, Want, fits
from tanteo.values import functions_of_arity

MOST_WHOLE = 1_000_000
FEW = 4  # letters
AT_HAND = ("a", 0)
MOST_WANTS = 3  # of a parameter; the likeliest come first
MOST_OFFERS = 3  # of the texts that a parameter tells from others
EMPTY = (str, bytes, list, tuple, set, dict)  # if there is nothing in them
PLAINEST: dict[type, tuple[object, ...]] = {  # something rather than nothing
    str: ("a", ""),
    int: (0, 1),
    float: (0, 0.5),
    bool: (False, True),
    list: (["a"], []),
    tuple: (("a",), ()),
    dict: ({"a": 0}, {}),
    type(None): (None,),
    FUNCTION: (Literal(len, "len"), *(f for f in functions_of_arity(1) if f.source == "lambda x: x")),
}


def with_what_fits(run: Run, session: Session) -> Iterator[Sequence]:
    """With one argument that is what its parameter wants; and text instead of bytes that nobody wants."""
    made, wanted = run.sequence, _wanted(run, session)
    for position, (value, wants) in wanted.items():
        for other in _instead_of(value, wants):
            if not _is_same(other, value):
                yield from with_written(made, position, other)
    yield from _with_own_values(run, session)
    yield from _with_own_elements(run, session)
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        if (
            type(value) is bytes
            and (value.isalnum() or not value)
            and not fits(value, wanted.get(position, (None, ()))[1])
        ):
            text = value.decode("ascii")
            said = say(Literal(text, repr(text)))
            yield sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def _with_own_values(run: Run, session: Session) -> Iterator[Sequence]:
    """With another value for one of two parameters that share one."""
    made = run.sequence
    uses = Counter(p + distance for p, s in enumerate(made.statements) for distance in s.inputs)
    for position, index, slot in arguments(run, session):
        place = position + made.statements[position].inputs[index]
        repeat = made.statements[position].repeat
        if uses[place] > 1 and not slot.receiver and (repeat is None or index not in repeat.positions):
            value = run.values[place]
            for other in _instead_of(value, wants_of(slot)):
                if not _is_same(other, value):
                    yield from with_own(made, position, index, other)
            if _looks_like_one(made.statements[place], session):  # who reads `f(items, items)` wonders why
                for alike in (*PLAINEST.get(type(value), ()), value):
                    yield from with_own(made, position, index, alike)


def _with_own_elements(run: Run, session: Session) -> Iterator[Sequence]:
    """With something plain in a container for an object that is there only because it was at hand."""
    made = run.sequence
    uses = Counter(p + distance for p, s in enumerate(made.statements) for distance in s.inputs)
    for position, statement in enumerate(made.statements):
        for index, distance in enumerate(statement.inputs if _is_display(statement, session) else ()):
            place = position + distance
            if uses[place] > 1 and type(run.values[place]).__module__ != "builtins":
                for plain in AT_HAND:
                    yield from with_own(made, position, index, plain)


def _looks_like_one(statement: Statement, session: Session) -> bool:
    """Whether a reader sees that two parameters share it: a container, or a text that is not plain."""
    if statement.literal is not None:
        return isinstance(statement.literal.value, str | bytes) and len(statement.literal.value) > 1
    return _is_display(statement, session)


def _is_same(ours: object, value: object) -> bool:
    """Whether it is what we would write instead; there may be anything in a list of theirs."""
    try:
        return type(ours) is type(value) and bool(ours == value)
    except Exception:
        return False


def _instead_of(value: object, wants: tuple[Want, ...]) -> list[object]:
    """Plain values of the kinds that are wanted, if this is none; and a list of what is in a dict."""
    found: list[object] = []
    if wants and not fits(value, wants):
        found = [v for want in wants[:MOST_WANTS] for v in (*_same_in(value, want), *_plainest(want))]
    if type(value) is str:
        offers = _offers(wants)
        found += offers[:MOST_OFFERS] if value not in offers else []
    if type(value) in EMPTY and not value:
        found += _filled(value, wants)
    kinds = [want.kind for want in wants]
    if type(value) in (str, bytes) and _comes_first(list, type(value), kinds):  # who walks over its letters?
        found += [["a"], [*value][:FEW]]  # type: ignore[misc]
    if type(value) is dict and (dict not in kinds or _comes_first(list, dict, kinds)):
        found.append([*value])
    return [other for other in found if not wants or fits(_meant(other), wants)]


def liked(run: Run, session: Session) -> set[int]:
    """Containers of the kind that the parameter which they go to most likely wants."""
    found = set()
    for position, index, slot in arguments(run, session):
        place = position + run.sequence.statements[position].inputs[index]
        kind, kinds = type(run.values[place]), [want.kind for want in wants_of(slot)]
        if (
            kind in EMPTY
            and kind in kinds
            and all(_comes_first(kind, other, kinds) for other in (str, bytes))
        ):
            found.add(place)
    return found


def on_offer(run: Run, session: Session) -> set[int]:
    """Texts that their parameter is known to tell from others: nothing is plainer than `align="center"`.

    Or `align=["left", "center"]`.
    """
    made, found = run.sequence.statements, set()
    for position, index, slot in arguments(run, session):
        place = position + made[position].inputs[index]
        shown = made[place].inputs if _is_display(made[place], session) else ()
        offers = _offers(wants_of(slot))
        texts = [p for p in (place, *(place + d for d in shown)) if type(run.values[p]) is str]
        found |= {p for p in texts if run.values[p] in offers}
    return found


def _offers(wants: tuple[Want, ...]) -> list[object]:
    """The texts that a parameter is said to take, or compared with."""
    return [_meant(choice) for want in wants if want.kind is str for choice in want.choices]


def _comes_first(one: type, other: type, kinds: list[type]) -> bool:
    return one in kinds and (other not in kinds or kinds.index(one) < kinds.index(other))


def _meant(other: object) -> object:
    """What a literal stands for."""
    return other.value if isinstance(other, Literal) else other


def _filled(value: object, wants: tuple[Want, ...]) -> Iterator[object]:
    """Something of the same type that is not empty: a reader sees more of what becomes of it."""
    parts = next((want.parts for want in wants if want.kind is type(value) and want.parts), ((Want(str),),))
    inside = [next((v for want in part for v in _plainest(want)), None) for part in parts]
    if None in inside or (type(value) in (dict, set) and isinstance(inside[0], list | dict)):
        return  # nobody knows what, or nothing that can be hashed
    if type(value) is dict:
        yield {inside[0]: inside[1] if len(inside) > 1 else 0}
    elif type(value) in (str, bytes):
        yield "a" if type(value) is str else b"a"
    elif type(value) is tuple:
        yield tuple(inside)
    elif type(value) in (list, set):
        yield inside[:1] if type(value) is list else {inside[0]}


def _plainest(want: Want) -> tuple[object, ...]:
    chosen = want.kind in (FUNCTION, str) and want.choices
    return want.choices[:2] if chosen else PLAINEST.get(want.kind, ())


def _same_in(value: Any, want: Want) -> Iterator[object]:
    """What is in it, in a list or a tuple if one is wanted."""
    if want.kind in (list, tuple) and type(value) in CONTAINERS:
        yield list(value) if want.kind is list else tuple(value)


def with_whole_numbers(run: Run, session: Session) -> Iterator[Sequence]:
    """With a whole number instead of truth, or of a fraction, that a parameter has no use for."""
    made, wanted = run.sequence, _wanted(run, session)
    shown = {p: wants for p, (_, wants) in wanted.items() if _is_display(made.statements[p], session)}
    inside = {p: wants for place in shown for p, wants in _parts(made, place, shown[place])}
    neighbours = _neighbours(run, session)
    for position, statement in enumerate(made.statements):
        value = statement.literal.value if statement.literal is not None else None
        wants = inside.get(position) or wanted.get(position, (None, ()))[1]
        kinds = {want.kind for want in wants} or neighbours.get(position, set())
        whole = _whole(value, kinds)
        if whole is None:
            continue
        said = say(Literal(whole, repr(whole)))
        yield sequence((*made.statements[:position], said, *made.statements[position + 1 :]))


def _whole(value: object, kinds: set[type]) -> int | None:
    """The whole number to write instead; `1.0` only where nothing but floats are wanted."""
    if type(value) is float and value.is_integer() and abs(value) < MOST_WHOLE:
        return int(value) if float not in kinds or int in kinds else None
    if type(value) not in (bool, float) or int not in kinds or kinds & {type(value), object}:
        return None
    return int(value) if math.isfinite(value) else None  # type: ignore[arg-type,call-overload]


def _neighbours(run: Run, session: Session) -> dict[int, set[type]]:
    """For what is in a list, a tuple or a set: the types of what else is in it."""
    found: dict[int, set[type]] = {}
    for position, statement in enumerate(run.sequence.statements[: len(run.values)]):
        if _is_display(statement, session) and session.operations[statement.operation].name != "dict":
            places = [position + distance for distance in statement.inputs]
            for place in places:
                found[place] = {type(run.values[p]) for p in places if p != place}
    return found


def _is_display(statement: Statement, session: Session) -> bool:
    return statement.operation >= 0 and session.operations[statement.operation].kind == "display"


def _parts(made: Sequence, place: int, wants: tuple[Want, ...]) -> Iterator[tuple[int, tuple[Want, ...]]]:
    """What is in a list, a tuple or a set that is written down, with what is wanted there."""
    element = tuple(
        want for whole in wants if whole.kind in (list, tuple, set) for part in whole.parts for want in part
    )
    for distance in made.statements[place].inputs if element else ():
        yield place + distance, element


def _wanted(run: Run, session: Session) -> dict[int, tuple[object, tuple[Want, ...]]]:
    """What was passed to parameters about which something is known, with what that is."""
    found: dict[int, tuple[object, tuple[Want, ...]]] = {}
    for position, index, slot in arguments(run, session):
        place = position + run.sequence.statements[position].inputs[index]
        if not slot.receiver:
            found[place] = (run.values[place], wants_of(slot))
    return found


def arguments(run: Run, session: Session) -> Iterator[tuple[int, int, Slot]]:
    """Each input of each call whose value is known, with its parameter."""
    for position, statement in enumerate(run.sequence.statements):
        if statement.operation < 0 or _is_display(statement, session):
            continue
        slots = passed_to(session.slots[statement.operation], statement)
        for index, (slot, distance) in enumerate(zip(slots, statement.inputs, strict=True)):
            if position + distance < len(run.values):
                yield position, index, slot


def wants_of(slot: Slot) -> tuple[Want, ...]:
    """What a parameter asks for: what it declares, or the likeliest first."""
    if slot.declared:
        return slot.wants
    ordered = sorted(slot.guesses, key=lambda guess: -guess.weight)
    usual = () if slot.default not in SCALARS else (Want(slot.default),)
    return (*usual, *(guess.want for guess in ordered))
