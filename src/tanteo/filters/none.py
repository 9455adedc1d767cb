"""The filter `none`: calling something on None teaches nothing."""

from tanteo.model import Verdict


class NotNone:
    """Only values that are there."""

    def concerns(self, kind: type) -> bool:
        """There is one None."""
        return kind is type(None)

    def __call__(self, value: object, verdict: Verdict) -> bool:
        return value is not None
