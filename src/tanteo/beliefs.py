"""What is believed about a parameter: what the sources guess, and what running has taught since.

For each candidate a count of good and bad tries, to which a guess adds as many good ones as it is worth.
What comes next is drawn by these scores, squared: a parameter that takes one type only is soon given little
else. But no candidate is ever given up. (GRT and paper 003 know declared types and need none of this.)
"""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from random import Random

from tanteo.types import CONTAINERS, FUNCTION, SCALARS, Slot, Want

# `object` stands for any value that is in the pool.
CANDIDATES: tuple[type, ...] = (*SCALARS, *CONTAINERS, FUNCTION, type(None), object)
DECLARED = 4.0  # good tries that a declared type is worth
DEFAULT = 8.0  # and the type of the default value
FLOOR = 0.03  # of the weight of a candidate that has always been good
OFTEN, MOSTLY = 16, 0.7  # tries, and the share of good ones: then a type is taken for what is wanted
EVERY = 32  # tries between two looks at the weights
NEW = 4.0  # good tries that reaching something new is worth


class Belief:
    """How each candidate has fared as the argument of one parameter."""

    __slots__ = ("_good", "_places", "_stale", "_steps", "_tried", "candidates")

    def __init__(self, slot: Slot) -> None:
        self.candidates: list[Want] = []
        self._places: dict[Want, int] = {}
        self._good: list[float] = []
        self._tried: list[float] = []
        self._steps: list[float] = []
        self._stale = 0
        for want in slot.wants:
            if want.kind is not object:
                self._add(want, DECLARED)
        if slot.open:
            for kind in CANDIDATES:
                self._add(Want(kind), 0.0)
        if slot.default is not None:
            self._add(Want(slot.default), DEFAULT)
        for guess in slot.guesses:
            self._add(guess.want, guess.weight)

    def _add(self, want: Want, good: float) -> int:
        place = self._places.setdefault(want, len(self.candidates))
        if place == len(self.candidates):
            self.candidates.append(want)
            self._good.append(0.0)
            self._tried.append(0.0)
        self._good[place] += good
        self._tried[place] += good
        self._stale = 0
        return place

    def score(self, kind: type) -> float:
        """How well a type fares; one half if it was never tried."""
        place = self._places.get(Want(kind))
        return 0.5 if place is None else (self._good[place] + 1.0) / (self._tried[place] + 2.0)

    def fares_well(self, kind: type) -> bool:
        """Whether a type has been tried often and was mostly good."""
        place = self._places.get(Want(kind))
        return place is not None and self._tried[place] >= OFTEN and self.score(kind) >= MOSTLY

    def trust(self, kind: type) -> None:
        """As if it had been tried often."""
        self._add(Want(kind), OFTEN)

    def draw(self, rng: Random) -> int:
        """The place of the candidate to try next."""
        if self._stale <= 0:
            self._weigh()
        steps = self._steps
        return bisect(steps, rng.random() * steps[-1])

    def _weigh(self) -> None:
        self._stale = EVERY
        shares = (
            max(FLOOR, ((g + 1.0) / (t + 2.0)) ** 2) for g, t in zip(self._good, self._tried, strict=True)
        )
        self._steps = list(accumulate(shares))

    def learn(self, place: int, kind: type, good: bool, new: bool = False) -> None:
        """Count a try; a type that nobody thought of becomes a candidate if it fared well."""
        worth = NEW if new else 1.0
        self._good[place] += worth if good or new else 0.0
        self._tried[place] += worth
        self._stale -= 1
        if good and self.candidates[place].kind is object:
            known = self._places.get(Want(kind))
            if known is None:
                known = self._add(Want(kind), 0.0)
            self._good[known] += worth
            self._tried[known] += worth
