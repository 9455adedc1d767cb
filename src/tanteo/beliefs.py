"""What running teaches about a parameter that says nothing: which types it has taken well.

A first answer (GRT's and paper 003's settings know declared types): per parameter a count of good and
bad tries for each type; the better of three random candidates is passed, one time in five any of them.
"""

from __future__ import annotations

from random import Random

from tanteo.types import CONTAINERS, FUNCTION, SCALARS, Slot

# `object` stands for any value that is in the pool.
CANDIDATES: tuple[type, ...] = (*SCALARS, *CONTAINERS, FUNCTION, type(None), object)
CURIOSITY = 0.2


class Belief:
    """How each type has fared as the argument of one parameter."""

    __slots__ = ("candidates", "good", "tried")

    def __init__(self, slot: Slot) -> None:
        known = tuple(w.kind for w in slot.wants if w.kind is not object)
        self.candidates: list[type] = list(dict.fromkeys((*known, *CANDIDATES)))
        self.good: dict[type, float] = dict.fromkeys(known, 4.0)
        self.tried: dict[type, float] = dict.fromkeys(known, 4.0)
        if slot.default is not None:
            self.good[slot.default] = self.tried[slot.default] = 8.0
            if slot.default not in self.candidates:
                self.candidates.append(slot.default)

    def score(self, kind: type) -> float:
        """The share of good tries, with one good and one bad try to start from."""
        return (self.good.get(kind, 0.0) + 1.0) / (self.tried.get(kind, 0.0) + 2.0)

    def draw(self, rng: Random) -> type:
        """A type to try next."""
        random, candidates = rng.random, self.candidates
        n = len(candidates)
        first = candidates[int(random() * n)]
        if random() < CURIOSITY:
            return first
        good, tried = self.good, self.tried
        best = -1.0
        for kind in (first, candidates[int(random() * n)], candidates[int(random() * n)]):
            score = (good.get(kind, 0.0) + 1.0) / (tried.get(kind, 0.0) + 2.0)  # as in `score`
            if score > best:
                best, first = score, kind
        return first

    def learn(self, kind: type, good: bool) -> None:
        """Count a try."""
        self.tried[kind] = self.tried.get(kind, 0.0) + 1.0
        if good:
            if kind not in self.good and kind not in self.candidates:
                self.candidates.append(kind)
            self.good[kind] = self.good.get(kind, 0.0) + 1.0
