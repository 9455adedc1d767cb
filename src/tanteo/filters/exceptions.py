"""The filter `exceptions`: a sequence that raised would only raise again."""

from tanteo.model import NORMAL, Verdict


class Unbroken:
    """Only values of runs that came to their end; `strict` saves the loop from asking about others."""

    strict = True

    def __call__(self, value: object, verdict: Verdict) -> bool:
        return verdict is NORMAL
