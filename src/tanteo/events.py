"""What the driver tells whoever listens while it works: terminal, tests, experiments."""

from __future__ import annotations

from dataclasses import dataclass

from tanteo.subject import Subject


@dataclass(frozen=True, slots=True)
class Started:
    """The subject is loaded and exploring begins."""

    subject: Subject
    resumed: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is, a few times a second."""

    elapsed: float
    left: float | None  # seconds, if time decides
    steps: int
    steps_total: int | None
    arms: int
    faults: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """An explorer had to be replaced."""

    job: int
    why: str


Event = Started | Progress | Restarted
