"""Bounds in annotations: what `annotated-types` defines, and pydantic and others use."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Bound(NamedTuple):
    """A condition on one value; `text` is a template."""

    text: str
    holds: Callable[[Any], bool]


ATTRIBUTES: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "gt": ("{{x}} > {}", lambda x, limit: x > limit),
    "ge": ("{{x}} >= {}", lambda x, limit: x >= limit),
    "lt": ("{{x}} < {}", lambda x, limit: x < limit),
    "le": ("{{x}} <= {}", lambda x, limit: x <= limit),
    "multiple_of": ("{{x}} % {} == 0", lambda x, factor: x % factor == 0),
    "min_length": ("len({{x}}) >= {}", lambda x, limit: len(x) >= limit),
    "max_length": ("len({{x}}) <= {}", lambda x, limit: len(x) <= limit),
}


def bounds_of(hint: Any) -> list[Bound]:
    """All bounds of an annotation."""
    if typing.get_origin(hint) is not typing.Annotated:
        return []
    return [bound for mark in _marks(hint.__metadata__) for bound in _read(mark)]


def _marks(marks: Any) -> Iterator[Any]:
    """The marks, groups of them (`Interval`, `Len`, pydantic's `Field`) taken apart."""
    for mark in marks:
        if getattr(mark, "__is_annotated_types_grouped_metadata__", False):
            yield from _marks(mark)
        elif type(mark).__module__.partition(".")[0] == "pydantic" and hasattr(mark, "metadata"):
            yield from _marks(mark.metadata)
        elif type(mark).__module__.partition(".")[0] == "annotated_types":
            yield mark


def _read(mark: Any) -> Iterator[Bound]:
    for name, (text, holds) in ATTRIBUTES.items():
        limit = getattr(mark, name, None)
        if limit is not None and not (name == "min_length" and limit == 0):
            yield Bound(text.format(limit), _total(functools.partial(_within, holds, limit)))
    asks = getattr(mark, "func", None)
    if callable(asks):
        yield Bound(getattr(asks, "__name__", "a condition") + "({x})", _total(asks))


def _within(holds: Callable[[Any, Any], bool], limit: Any, x: Any) -> bool:
    return holds(x, limit)


def _total(holds: Callable[[Any], object]) -> Callable[[Any], bool]:
    """A value that cannot even be compared is not within bounds."""

    def answers(x: Any) -> bool:
        try:
            return bool(holds(x))
        except Exception:
            return False

    return answers
