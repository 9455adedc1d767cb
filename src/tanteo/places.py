"""Where something was raised, and how: read off tracebacks and byte code."""

from __future__ import annotations

import dis
import functools
import re
import types
from typing import NamedTuple

LONGEST_MESSAGE = 300
NOT_TAKEN = re.compile(r"unsupported operand type\(s\) for |'.{1,2}' not supported between instances")
RAISE = dis.opmap["RAISE_VARARGS"]
ITEM = ["LOAD_FAST", "LOAD_CONST", "BINARY_SUBSCR"]


class Place(NamedTuple):
    """Where in the subject something was raised."""

    file: str
    line: int
    function: str
    depth: int  # frames of the subject on the way; 0 means at the call boundary


def place_of(trace: types.TracebackType | None, depth: int) -> Place:
    if trace is None:
        return Place("", 0, "", 0)
    code = trace.tb_frame.f_code
    return Place(code.co_filename, trace.tb_lineno, code.co_qualname, depth)


def innermost(error: BaseException | None) -> types.TracebackType | None:
    """Where an exception was raised, whoever's code it is."""
    trace = error.__traceback__ if error is not None else None
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace


def stands_at_raise(trace: types.TracebackType) -> bool:
    """Whether a `raise` is what happened in this frame, and not an operation that failed."""
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] == RAISE


@functools.lru_cache(maxsize=4096)
def instructions_to(code: types.CodeType, offset: int) -> tuple[tuple[str, object], ...]:
    """The last three instructions up to an offset, with what they are about; slow to find, so remembered."""
    steps = [(step.opname, step.argval, step.offset) for step in dis.get_instructions(code)]
    here = next((n for n, step in enumerate(steps) if step[2] == offset), -1)
    return tuple((name, value) for name, value, _ in steps[max(0, here - 2) : here + 1])


def asks_argument(trace: types.TracebackType) -> bool:
    """Whether a parameter was asked for a fixed item that it does not have, as in `node["children"]`."""
    code = trace.tb_frame.f_code
    steps = instructions_to(code, trace.tb_lasti) if trace.tb_next is None else ()
    if [name for name, _ in steps] != ITEM:
        return False
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return steps[0][1] in parameters and steps[0][1] != "self"


def is_not_taken(error: TypeError) -> bool:
    """Whether an operator has no meaning for its operands: all that were asked gave `NotImplemented`."""
    return NOT_TAKEN.match(text_of(error)) is not None


def text_of(error: BaseException | None) -> str:
    """The message, not more than anybody reads."""
    try:
        return str(error)[:LONGEST_MESSAGE]
    except Exception:  # the subject's own exceptions may fail at this
        return "<no message: str() of the exception raised>"


def qualified(error: BaseException) -> str:
    """The name of its class, as it is imported."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
