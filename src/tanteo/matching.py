"""Strings that match a regular expression: a random walk through its syntax tree."""

from __future__ import annotations

import random
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from functools import lru_cache
from typing import Any

MOST_REPEATS = 3  # above the least that is asked for
CATEGORIES = {
    constants.CATEGORY_DIGIT: "0123456789",
    constants.CATEGORY_SPACE: " \t\n",
    constants.CATEGORY_WORD: "abcXYZ019_",
    constants.CATEGORY_NOT_DIGIT: "aZ- ",
    constants.CATEGORY_NOT_SPACE: "aZ0-",
    constants.CATEGORY_NOT_WORD: "-.! ",
}
ANY = "abcxyzABC0123 -_.,:;/"


def example_of(pattern: str | bytes, rng: random.Random) -> str | bytes | None:
    """A string that the pattern matches; None if none was found."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    try:
        tree, compiled = _parsed(text)
    except (re.error, RecursionError, OverflowError, ValueError):
        return None
    for _ in range(5):  # look-arounds and back references may spoil a walk
        found = _walk(tree, rng, {})
        if compiled.search(found) is not None:
            return found.encode("latin-1", "replace") if isinstance(pattern, bytes) else found
    return None


@lru_cache(maxsize=256)
def _parsed(text: str) -> tuple[Any, re.Pattern[str]]:
    return parser.parse(text), re.compile(text)


def _walk(tree: Any, rng: random.Random, groups: dict[int, str]) -> str:
    return "".join(_one(kind, value, rng, groups) for kind, value in tree)


def _one(kind: Any, value: Any, rng: random.Random, groups: dict[int, str]) -> str:
    if kind is constants.LITERAL:
        return chr(value)
    if kind is constants.NOT_LITERAL:
        return next(c for c in ANY if ord(c) != value)
    if kind is constants.ANY:
        return rng.choice(ANY)
    if kind is constants.IN:
        return _member(value, rng)
    if kind is constants.BRANCH:
        return _walk(rng.choice(value[1]), rng, groups)
    if kind is constants.SUBPATTERN:
        found = _walk(value[-1], rng, groups)
        if value[0] is not None:
            groups[value[0]] = found
        return found
    if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, getattr(constants, "POSSESSIVE_REPEAT", None)):
        least, most, inside = value
        times = rng.randint(least, max(least, min(most, least + MOST_REPEATS)))
        return "".join(_walk(inside, rng, groups) for _ in range(times))
    if kind is constants.GROUPREF:
        return groups.get(value, "")
    if kind is getattr(constants, "ATOMIC_GROUP", None):
        return _walk(value, rng, groups)
    return ""  # anchors, look-arounds: the search afterwards tells whether it worked


def _member(parts: Any, rng: random.Random) -> str:
    negated = parts[0][0] is constants.NEGATE
    if negated:
        refused = re.compile(f"[{''.join(map(re.escape, _members(parts[1:])))}]") if parts[1:] else None
        usable = [c for c in ANY if refused is None or not refused.match(c)]
        return rng.choice(usable) if usable else "~"
    kind, value = rng.choice(parts)
    return rng.choice(_some(kind, value))


def _members(parts: Any) -> list[str]:
    return [c for kind, value in parts for c in _some(kind, value)]


def _some(kind: Any, value: Any) -> str:
    if kind is constants.LITERAL:
        return chr(value)
    if kind is constants.RANGE:
        low, high = value
        return "".join(map(chr, range(low, min(high, low + 25) + 1)))
    return CATEGORIES.get(value, "a")
