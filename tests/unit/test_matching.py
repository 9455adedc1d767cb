"""Strings that match a regular expression."""

from __future__ import annotations

import re
from random import Random

import pytest

from tanteo.matching import example_of

PATTERNS = [
    r"^\d{4}-\d{2}-\d{2}$",
    r"(?P<year>[0-9]{4})W(?P<week>[0-9]{2})",
    r"[^a-z]+",
    r"(a|bc)*d?",
    r"(\w)\1",
    r"\s*#.*",
    r"^([a-z0-9]|[a-z0-9][a-z0-9-]*[a-z0-9])$",
    r"x{3,}",
    r".+@.+\.com",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_an_example_matches(pattern: str) -> None:
    rng = Random(0)
    found = [example_of(pattern, rng) for _ in range(20)]
    assert all(isinstance(text, str) and re.search(pattern, text) for text in found)


def test_bytes_for_bytes() -> None:
    found = example_of(rb"\d+a", Random(0))
    assert isinstance(found, bytes)
    assert re.search(rb"\d+a", found)


@pytest.mark.parametrize("pattern", ["(", "(?!)", "a(?<!a)"])
def test_what_nothing_matches_has_no_example(pattern: str) -> None:
    assert example_of(pattern, Random(0)) is None
