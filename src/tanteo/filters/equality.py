"""The filter `equality`: a value that equals an earlier one leads nowhere new.

Python's meaning of equality needs care (1 == True == 1.0, NaN, unhashable values, `__eq__` that raises or
answers with an array):

- only values of exactly the same class are compared;
- hashable values are looked up; for floats and complex numbers by their text, which tells -0.0 from 0.0
  and finds NaN again;
- unhashable values with an `__eq__` of their own count as seen if an earlier one *looks* the same
  (`repr`) and `==` says exactly True. The look comes first because it is one look-up instead of one
  comparison per earlier value, and because an `__eq__` coarser than the state would lose states;
- classes without `__eq__` compare by identity: every object is new, as in the paper.

Objects are never mutated after they were remembered: sequences are run from scratch.
"""

from __future__ import annotations

import re
from typing import Any

from tanteo.looks import look
from tanteo.model import Verdict

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # chance, and another one in the next run
MOST_PER_TYPE = 5000  # then the memory of that type is emptied: forgetting costs a repeated value


def _look(value: object) -> str:
    text = look(value)
    return ADDRESS.sub("", text) if " at 0x" in text else text


class Unseen:
    """Only values that no earlier value equals."""

    def __init__(self) -> None:
        self._seen: dict[type, dict[Any, Any]] = {}

    def concerns(self, kind: type) -> bool:
        """By identity every object is new."""
        return getattr(kind, "__eq__", None) is not object.__eq__

    def __call__(self, value: object, verdict: Verdict) -> bool:
        kind = type(value)
        seen = self._seen.get(kind)
        if seen is None:
            seen = self._seen[kind] = {}
        if kind is str and " at 0x" in value:  # type: ignore[operator]
            return False  # an address is different every day
        try:
            return self._is_new(value, kind, seen)
        except Exception:
            return True  # it cannot be compared; contracts say so where that is a fault

    def _is_new(self, value: object, kind: type, seen: dict[Any, Any]) -> bool:
        looked = kind.__hash__ is None
        key: object = _look(value) if looked or kind is float or kind is complex else value
        try:
            earlier = seen.get(key, seen)
        except TypeError:  # a tuple of lists: hashable by class only
            looked, key = True, _look(value)
            earlier = seen.get(key, seen)
        if earlier is not seen and (not looked or (earlier == value) is True):
            return False
        if len(seen) >= MOST_PER_TYPE:
            seen.clear()
        seen[key] = value
        return True
