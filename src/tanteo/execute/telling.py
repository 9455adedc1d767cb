"""Whether the options of a call make a difference that one can see.

What is only kept short loses it: `parameterize("a b", "")` shows what the second argument is for, and
`parameterize("a", "")` reaches the same arms and shows nothing.
"""

from __future__ import annotations

from tanteo.execute.idling import what_shows
from tanteo.execute.replay import replay
from tanteo.fingerprints import fingerprint
from tanteo.model import Run, Sequence, sequence
from tanteo.passing import passed_to, without_argument
from tanteo.places import text_of
from tanteo.session import Session


def is_telling(run: Run, session: Session) -> bool:
    """Whether the last call has options, and without any one of them something else comes out."""
    made, last = run.sequence, run.sequence.statements[-1]
    if last.repeat is not None:
        return False
    slots = session.slots[last.operation]
    shown, options = None, 0
    for gone, slot in enumerate(passed_to(slots, last)):
        fewer = None if slot.variadic else without_argument(slots, last, gone)
        if fewer is None:
            continue
        options += 1
        if shown is None:
            shown = _shown(made, session)
        if _shown(sequence((*made.statements[:-1], fewer)), session) == shown:
            return False
    return options > 0


def has_options(made: Sequence, session: Session) -> bool:
    """Whether its last call is given something that it does not need."""
    last = made.statements[-1]
    return any(
        not (s.required or s.variadic or s.receiver) for s in passed_to(session.slots[last.operation], last)
    )


def _shown(made: Sequence, session: Session) -> object:
    """What comes of the last call: an error, or a result and what it was made on."""
    outcome = replay(made, session)
    if outcome.error is not None:
        return type(outcome.error), text_of(outcome.error)
    last = made.statements[-1]
    target = [outcome.values[len(made) - 1 + last.inputs[0]]] if last.inputs else []
    shows = what_shows(outcome.values[-1])
    return fingerprint([outcome.values[-1], *target]) if shows is None else (shows, fingerprint(target))
