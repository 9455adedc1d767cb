"""Which values may be used again (paper 000, section 2.4). A filter is a predicate; all must agree.

A filter that has a method `concerns` is asked once per class whether it minds its values at all.
"""

from __future__ import annotations

from collections.abc import Callable

from tanteo.model import Verdict

Filter = Callable[[object, Verdict], bool]


def concerning(kind: type, filters: list[Filter]) -> tuple[Filter, ...]:
    """The filters that values of this class have to pass."""
    return tuple(f for f in filters if not hasattr(f, "concerns") or f.concerns(kind))
