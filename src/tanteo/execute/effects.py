"""What the last call of a sequence does, in a word or two: shorter ones must do the same."""

from __future__ import annotations

from tanteo.classify import ADDRESS
from tanteo.execute.replay import replay
from tanteo.fingerprints import fingerprint
from tanteo.model import Run, sequence
from tanteo.session import Session

TRUTHFUL = frozenset({int, bool, float, str, bytes, list, tuple, dict, set, frozenset})
TRUTHS = frozenset(kind.__qualname__ for kind in TRUTHFUL)
LONGEST_EFFECT = 200
CHANGES = " changes"
UNSURE = " changes, or not"  # what keeps an address or the time is another each time
HANDED = " handed back"  # the very object that was passed: another one will do as well


def effect(run: Run, session: Session, exact: bool = False) -> str:
    """What the last call does: the kind of its result, or the result, and whether it changes its arguments.

    `clear` of an empty list and of a full one are two different things to test.
    """
    made, values = run.sequence, run.values
    last = len(made) - 1
    if len(values) <= last:
        return "raises"
    before = replay(sequence(made.statements[:-1]), session).values
    inputs = [last + d for d in made.statements[-1].inputs]
    if len(before) < last:
        return "unstable"
    state = fingerprint([before[i] for i in inputs])
    changes = CHANGES if state != fingerprint([values[i] for i in inputs]) else ""
    if changes:
        again = replay(sequence(made.statements[:-1]), session).values
        steady = len(again) == last and state == fingerprint([again[i] for i in inputs])
        changes = CHANGES if steady else UNSURE
    result = values[last]
    told = ADDRESS.sub("", _text(result)) if exact and type(result) in TRUTHFUL else ""
    if not told or len(told) > LONGEST_EFFECT:  # nobody would write it down
        told = _kind(result) + HANDED * _is_handed_back(values, inputs)
    return f"{told}{changes}"


def _is_handed_back(values: list[object], inputs: list[int]) -> bool:
    """Whether what comes back was made before the last call, and is not what that was made on."""
    result = values[-1]
    if result is None or isinstance(result, bool) or any(values[i] is result for i in inputs[:1]):
        return False
    return any(value is result for value in values[:-1])


def is_as_wanted(found: str, wanted: str) -> bool:
    """Whether a call does what another one does; where that is not sure, what comes back is enough.

    Who answers may also remember something, and has nothing ready when the object is new. If an object only
    comes back that was passed, a plain value says as much.
    """
    if HANDED in found and HANDED in wanted and wanted.partition(" ")[0] not in TRUTHS:
        found, wanted = found.partition(HANDED)[2], wanted.partition(HANDED)[2]
    found, wanted = found.replace(HANDED, ""), wanted.replace(HANDED, "")
    if not wanted.endswith((CHANGES, UNSURE)) and not wanted.startswith("NoneType"):
        return found.removesuffix(UNSURE).removesuffix(CHANGES) == wanted
    if wanted.endswith(UNSURE):
        return found.removesuffix(UNSURE).removesuffix(CHANGES) == wanted.removesuffix(UNSURE)
    return found == wanted


def _text(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # there may be anything in a list
        return ""


def _kind(value: object) -> str:
    """The type, and whether there is something in it."""
    name = type(value).__qualname__
    if type(value) in TRUTHFUL:
        return f"{name} {bool(value)}"
    try:
        return f"{name} {len(value) > 0}"  # type: ignore[arg-type]
    except Exception:  # most have no length
        return name
