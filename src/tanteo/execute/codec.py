"""Codes back into sequences: for recovery in a new explorer and for rendering in the driver."""

from __future__ import annotations

import ast
from functools import lru_cache

from tanteo.model import Literal, Repeat, Sequence, Statement, call, say, sequence
from tanteo.values import evaluate


def decode(code: bytes) -> Sequence:
    """The sequence that this code describes."""
    return sequence(_statement(line) for line in code.decode().splitlines())


@lru_cache(maxsize=4096)
def _statement(line: str) -> Statement:
    if line.startswith("="):
        return say(Literal(evaluate(line[1:]), line[1:]))
    head, star, block = line.partition(" * ")
    number, *words = head.split()
    names = tuple(w.partition("=")[0] for w in words if "=" in w)
    inputs = tuple(int(w.rpartition("=")[2]) for w in words)
    repeat = None
    if star:
        repeat = Repeat(*ast.literal_eval(block))
    return call(int(number), inputs, names, repeat)
