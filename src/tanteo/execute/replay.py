"""Runs a sequence once more to look at what it leaves behind; nobody judges it.

Under the timer and with the same dice as any run: a call without its time limit may never come back.
"""

from __future__ import annotations

import warnings

from tanteo.execute.interpret import Hung, interpret
from tanteo.model import Outcome, Sequence
from tanteo.session import Session


def replay(made: Sequence, session: Session) -> Outcome:
    """What comes of it."""
    session.step += 1
    if session.memory is not None:
        session.memory.restore()
    try:
        session.world.begin(session.step, made)
        outcome = interpret(made, session.calls)
        session.world.end()
    except Hung as error:  # raised by the timer between two calls
        session.world.end()
        outcome = Outcome(made, [], error)
    session.world.restore()
    return outcome


def warned(made: Sequence, session: Session) -> frozenset[type[Warning]]:
    """The kinds of warnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        replay(made, session)
    return frozenset(warning.category for warning in caught)
