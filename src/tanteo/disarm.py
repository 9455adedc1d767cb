"""Probes that have fired are jumped over: they have nothing more to tell, and cost a third of a call.

What counts is the first run that reaches a probe. After that run its three loads and a store are replaced
by one jump, in the byte code, which keeps its length, so that jumps, lines and exception tables stay as
they are. Functions are given their new code from time to time; frames that are running keep the old one.
"""

from __future__ import annotations

import dis
import gc
import types
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tanteo.probes import Hits, set_bits

FIRST = 1024  # the first step after which to look; then after twice as many, and so on
FOLLOWS_A_CALL = (  # what stands behind the call of a probe in an expression, see `probes._wrap`
    ("JUMP_IF_TRUE_OR_POP",),
    ("POP_JUMP_FORWARD_IF_TRUE",),
    ("POP_JUMP_IF_TRUE",),
    ("TO_BOOL", "POP_JUMP_IF_TRUE"),
    ("COPY", "POP_JUMP_IF_TRUE", "POP_TOP"),
    ("COPY", "TO_BOOL", "POP_JUMP_IF_TRUE", "POP_TOP"),
)
JUMP = dis.opmap["JUMP_FORWARD"]
NOP = dis.opmap["NOP"]
CACHE, EXTENDED_ARG, LOAD_CONST = (dis.opmap.get(n, 0) for n in ("CACHE", "EXTENDED_ARG", "LOAD_CONST"))


def functions_of(files: Iterable[str]) -> list[types.FunctionType]:
    """All functions of these files that are alive now."""
    wanted = frozenset(files)
    return [
        thing
        for thing in gc.get_objects()
        if type(thing) is types.FunctionType and thing.__code__.co_filename in wanted
    ]


class Probes:
    """The functions of a subject that still have probes to fire."""

    def __init__(self, functions: list[types.FunctionType], hits: Hits) -> None:
        self._functions = [(f, numbers) for f in functions if (numbers := _numbers(f.__code__, hits))]
        self._hits = hits
        self._done = bytes(len(hits))
        self._made: dict[types.CodeType, types.CodeType] = {}
        self.next = FIRST

    def disarm(self, fired: bytearray, step: int) -> None:
        """Jump over everything that has fired."""
        self.next = 2 * max(step, FIRST)
        if fired == self._done:
            return
        news = {number for number in set_bits(fired) if not self._done[number]}
        self._done = bytes(fired)
        self._made.clear()
        for function, numbers in self._functions:
            if not numbers.isdisjoint(news):
                function.__code__ = self._without(function.__code__, news)
        self._functions = [(f, left) for f, numbers in self._functions if (left := numbers - news)]

    def _without(self, code: types.CodeType, news: set[int]) -> types.CodeType:
        """The code, and what is defined inside, without these probes; itself if it has none of them."""
        made = self._made.get(code)
        if made is not None:
            return made
        consts = tuple(self._without(c, news) if type(c) is types.CodeType else c for c in code.co_consts)
        changed = any(a is not b for a, b in zip(consts, code.co_consts, strict=True))
        text = code.co_code
        if any(type(c) is int and c in news for c in consts):  # most functions have no news
            text = jump_over(code, self._hits, news)
        made = code
        if changed or text is not code.co_code:
            made = code.replace(co_code=text, co_consts=consts)
        self._made[code] = made
        return made


def _numbers(code: types.CodeType, hits: Hits) -> frozenset[int]:
    """The probes in a function and in what is defined inside; a few other small numbers do no harm."""
    inside = [_numbers(c, hits) for c in code.co_consts if type(c) is types.CodeType]
    own = {c for c in code.co_consts if type(c) is int and 0 <= c < len(hits)}
    return frozenset(own).union(*inside)


def jump_over(code: types.CodeType, hits: Hits, fired: set[int]) -> bytes:
    """The byte code with a jump in place of each probe that has fired."""
    text = bytearray(code.co_code)
    for start, end, number in _spans(code, hits):
        units = (end - start) // 2 - 1
        if number in fired and units < 256:
            text[start:end] = bytes((JUMP, units)) + bytes((NOP, 0)) * units
    return bytes(text)


class Step(NamedTuple):
    """One instruction with what extends it, without what it caches. `dis` would do, ten times slower."""

    begin: int
    end: int
    opname: str
    argval: object


def _steps(code: types.CodeType) -> list[Step]:
    text, consts = code.co_code, code.co_consts
    found: list[Step] = []
    begin, extended = 0, 0
    for offset in range(0, len(text), 2):
        op = text[offset]
        if op == CACHE:
            continue
        if op == EXTENDED_ARG:
            begin = begin if extended else offset
            extended = (extended | text[offset + 1]) << 8
            continue
        argument = text[offset + 1] | extended
        value = consts[argument] if op == LOAD_CONST else None
        found.append(Step(begin if extended else offset, 0, dis.opname[op], value))
        extended = 0
    ends = [*(step.begin for step in found[1:]), len(text)]
    return [step._replace(end=end) for step, end in zip(found, ends, strict=True)]


def _spans(code: types.CodeType, hits: Hits) -> Iterator[tuple[int, int, int]]:
    """Where each probe begins and ends, and its number."""
    steps = _steps(code)
    for here, step in enumerate(steps):
        if step.opname != "LOAD_CONST":
            continue
        if step.argval is hits and steps[here + 2].opname == "STORE_SUBSCR":
            yield steps[here - 1].begin, steps[here + 2].end, steps[here + 1].argval  # type: ignore[misc]
        elif getattr(step.argval, "__self__", None) is hits:
            found = _call(steps, here)
            if found is not None:
                first, last, number = found
                yield steps[first].begin, steps[last].end, number


def _call(steps: list[Step], here: int) -> tuple[int, int, int] | None:
    """First and last instruction of `hit(number, 1) or`, and the number; None if it looks otherwise."""
    null_first = steps[here - 1].opname == "PUSH_NULL"  # until 3.12
    number = here + 1 if null_first else here + 2
    last = number + 1
    while steps[last].opname != "CALL":
        last += 1
    for names in FOLLOWS_A_CALL:
        if tuple(s.opname for s in steps[last + 1 : last + 1 + len(names)]) == names:
            return (here - 1 if null_first else here), last + len(names), steps[number].argval  # type: ignore[return-value]
    return None
