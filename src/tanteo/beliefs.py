"""What running teaches about a parameter that says nothing: which types it has taken well.

A first answer (GRT's and paper 003's settings know declared types): per parameter a count of good and
bad tries for each type; the better of three random candidates is passed, one time in five any of them.
"""

from __future__ import annotations

from random import Random

from tanteo.types import CONTAINERS, FUNCTION, SCALARS, Slot, Want

# `object` stands for any value that is in the pool.
CANDIDATES: tuple[type, ...] = (*SCALARS, *CONTAINERS, FUNCTION, type(None), object)
CURIOSITY = 0.2


class Belief:
    """How each type has fared as the argument of one parameter."""

    __slots__ = ("_good", "_places", "_scores", "_tried", "candidates")

    def __init__(self, slot: Slot) -> None:
        self.candidates: list[Want] = []
        self._places: dict[type, int] = {}
        self._good: list[float] = []
        self._tried: list[float] = []
        self._scores: list[float] = []
        for want in slot.wants:
            if want.kind is not object:
                self._add(want, 4.0)
        for kind in CANDIDATES:
            self._add(Want(kind), 0.0)
        if slot.default is not None:
            self._add(Want(slot.default), 8.0)

    def _add(self, want: Want, good: float) -> int:
        place = self._places.setdefault(want.kind, len(self.candidates))
        if place == len(self.candidates):
            self.candidates.append(want)
            for numbers in (self._good, self._tried, self._scores):
                numbers.append(0.0)
        if good >= self._good[place]:
            self._count(place, good, good)
        return place

    def _count(self, place: int, good: float, tried: float) -> None:
        """Note the counts; the score is the share of good ones, with one good and one bad to start from."""
        self._good[place], self._tried[place] = good, tried
        self._scores[place] = (good + 1.0) / (tried + 2.0)

    def score(self, kind: type) -> float:
        """How well a type fares; one half if it was never tried."""
        place = self._places.get(kind)
        return 0.5 if place is None else self._scores[place]

    def draw(self, rng: Random) -> Want:
        """What to try next."""
        random, scores = rng.random, self._scores
        n = len(scores)
        first = int(random() * n)
        if random() >= CURIOSITY:
            for place in (int(random() * n), int(random() * n)):
                if scores[place] > scores[first]:
                    first = place
        return self.candidates[first]

    def learn(self, kind: type, good: bool) -> None:
        """Count a try; a type that nobody thought of becomes a candidate if it fared well."""
        place = self._places.get(kind)
        if place is None:
            if not good:
                return
            place = self._add(Want(kind), 0.0)
        self._count(place, self._good[place] + good, self._tried[place] + 1.0)
