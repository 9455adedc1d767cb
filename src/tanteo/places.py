"""Where something was raised, and how: read off tracebacks and byte code."""

from __future__ import annotations

import dis
import types
from typing import NamedTuple

LONGEST_MESSAGE = 300
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


def stands_at_raise(trace: types.TracebackType) -> bool:
    """Whether a `raise` is what happened in this frame, and not an operation that failed."""
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] == RAISE


def asks_argument(trace: types.TracebackType) -> bool:
    """Whether a parameter was asked for a fixed item that it does not have, as in `node["children"]`."""
    code = trace.tb_frame.f_code
    steps = list(dis.get_instructions(code)) if trace.tb_next is None else []
    here = next((n for n, step in enumerate(steps) if step.offset == trace.tb_lasti), 0)
    if here < 2 or [s.opname for s in steps[here - 2 : here + 1]] != ITEM:
        return False
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return steps[here - 2].argval in parameters and steps[here - 2].argval != "self"


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
