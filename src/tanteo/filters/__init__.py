"""Which values may be used again (paper 000, section 2.4). A filter is a predicate; all must agree."""

from __future__ import annotations

from collections.abc import Callable

from tanteo.model import Verdict

Filter = Callable[[object, Verdict], bool]
