"""Stones of two colours, and copies of them."""

from __future__ import annotations


class Stone:
    """A black or a white stone.

    A copy is as good an origin of further copies as a new stone is, so random generation
    that feeds on its own results drifts to one colour.
    """

    def __init__(self, black: bool) -> None:
        self.black = black

    def clone(self) -> Stone:
        """Another stone of the same colour."""
        return Stone(self.black)
