"""The filter `exceptions`: a sequence that raised would only raise again."""

from tanteo.model import Verdict


class Unbroken:
    """Only values of runs that came to their end."""

    def __call__(self, value: object, verdict: Verdict) -> bool:
        return verdict is Verdict.NORMAL
