"""`directed` that begins again every 100 seconds, with empty pools in a fresh process (paper 004, section 3).

What was found before counts all the same: it is in the driver's hands.
"""

from __future__ import annotations

from tanteo.model import Reset, Step
from tanteo.session import Session
from tanteo.strategies.directed import Directed


class Resetting(Directed):
    """The strategy `reset`."""

    tunable = (*Directed.tunable, "period", "period_steps")
    period = 100.0  # seconds; where steps decide, what stands for them
    period_steps = 0  # instead, if it is not 0

    def __init__(self) -> None:
        super().__init__()
        self._began: tuple[float, int] | None = None

    def propose(self, session: Session) -> Step | None:
        """What `directed` proposes, until the time is over."""
        if self._began is None:
            self._began = session.seconds(), session.step
        seconds, step = self._began
        if self.period_steps:
            late = session.step - step >= self.period_steps
        else:
            late = session.seconds() - seconds >= self.period
        return Reset() if late else super().propose(session)
