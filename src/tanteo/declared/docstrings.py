"""Conditions in docstrings, after PEP 316: `pre: x > 0`, `post: __return__ >= x`, `inv: self.size >= 0`."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from typing import Any

HEAD = re.compile(r"^(\s*)(pre|post|inv)(?:\[[\w, ]*\])?:(.*)$")


def clauses(thing: Any, kind: str) -> list[str]:
    """The expressions under one heading that are Python; words are not."""
    text = vars(thing).get("__doc__") if isinstance(thing, type) else getattr(thing, "__doc__", None)
    if not isinstance(text, str) or f"{kind}" not in text:
        return []
    return [line for line in _under(text, kind) if _is_expression(line)]


def _under(text: str, kind: str) -> Iterator[str]:
    """What stands behind a heading and, more deeply indented, below it."""
    lines = textwrap.dedent("    " + text).splitlines()
    depth: int | None = None
    for line in lines:
        found = HEAD.match(line)
        if found:
            depth = len(found[1]) if found[2] == kind else None
            if depth is not None and found[3].strip():
                yield found[3].strip()
        elif depth is not None and line.strip():
            if len(line) - len(line.lstrip()) <= depth:
                depth = None
            else:
                yield line.strip()


def _is_expression(text: str) -> bool:
    """Whether it compares or asks something; a single word is prose more often than a condition."""
    try:
        body = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return not isinstance(body, (ast.Name, ast.Constant))
