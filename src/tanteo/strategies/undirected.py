"""The papers' baseline: the same generator without filters, without feedback, without repetition."""

from __future__ import annotations

from tanteo.model import Run
from tanteo.strategies.directed import Directed


class Undirected(Directed):
    """Random sequences that learn nothing."""

    repetition = 0.0
    filtering = False
    guided = False

    def learn(self, run: Run) -> None:
        """On purpose nothing."""
