"""The outer line of defence: is an explorer still moving? By its processor time, and on the clock."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from time import monotonic  # the real one: a subject is shown others

from tanteo.execute.timer import PATIENCE, is_too_long


@dataclass(slots=True)
class Watch:
    """The outer line of defence for one explorer: when it last moved."""

    process: int
    began: float  # seconds since the run started
    first: int  # the step before its first
    pulse: int = -1
    clock: float = 0.0
    processor: float = 0.0
    killed: str = ""
    modest: bool = False  # it gives way to others

    def is_hung(self, pulse: int, limit: float) -> bool:
        """Whether the same step or replay has run for too long, by its processor time or on the clock."""
        now, used = monotonic(), processor_time(self.process)
        if pulse != self.pulse:
            self.pulse, self.clock, self.processor = pulse, now, used
            return False
        return used - self.processor > limit + 1 or now - self.clock > limit * PATIENCE + 3


class Patience:
    """How long a child has been at one thing; a busy machine makes nobody late."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.start()

    def start(self) -> None:
        """It has begun something new."""
        self._clock, self._processor = monotonic(), processor_time(self.process)

    def is_over(self, limit: float) -> bool:
        """Whether it has worked for longer than this, or waited for much longer."""
        worked = processor_time(self.process) - self._processor
        return worked > limit or is_too_long(worked, monotonic() - self._clock, limit)


def processor_time(process: int) -> float:
    """Seconds of processor time of a process, 0 if the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0
