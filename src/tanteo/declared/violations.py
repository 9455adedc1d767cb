"""Which contract an exception tells of.

An exception that was raised inside a contract library tells of a contract, whatever its class: `error=` of
icontract and `exception=` of deal replace it. The frames of the library say which kind it was.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from tanteo.declared import LIBRARIES
from tanteo.declared.reading import is_met
from tanteo.declared.texts import text_of

KINDS = {
    "PreContractError": "precondition",
    "PostContractError": "postcondition",
    "InvContractError": "invariant",
    "RaisesContractError": "exception",
    "ReasonContractError": "exception",
    "PreconditionError": "precondition",
    "PostconditionError": "postcondition",
}
LAMBDA = "<lambda>"


class Violation(NamedTuple):
    """A declared contract that did not hold."""

    kind: str  # precondition, postcondition, invariant, exception
    text: str  # the clause, as good as it can be told
    direct: bool  # nobody of the subject stands between the test and the check
    undecided: bool  # the condition itself raised


def read_violation(error: BaseException, files: frozenset[str]) -> Violation | None:
    """The contract behind an exception; None if it has nothing to do with any."""
    frames = _frames(error)
    last = next((n for n in reversed(range(len(frames))) if _library(frames[n])), None)
    if last is None or any(_is_code_of(frame, files) for frame in frames[last + 1 :]):
        return None
    within = [f for f in frames[:last] if _is_code_of(f, files)]
    undecided = frames[-1].f_code.co_name == LAMBDA
    return Violation(_kind(error, frames, last), _text(error, frames), not within, undecided)


def _frames(error: BaseException) -> list[types.FrameType]:
    found, trace = [], error.__traceback__
    while trace is not None:
        found.append(trace.tb_frame)
        trace = trace.tb_next
    return found


def _library(frame: types.FrameType) -> bool:
    name = frame.f_globals.get("__name__", "")
    return isinstance(name, str) and name.partition(".")[0] in LIBRARIES


def _is_code_of(frame: types.FrameType, files: frozenset[str]) -> bool:
    """Whether the subject runs there; its conditions do not count."""
    return frame.f_code.co_filename in files and frame.f_code.co_name != LAMBDA


def _kind(error: BaseException, frames: list[types.FrameType], last: int) -> str:
    known = KINDS.get(type(error).__name__)
    if known is not None and type(error).__module__.partition(".")[0] in LIBRARIES:
        return known
    names = {f.f_code.co_name for f in frames[last:]} | {frames[last].f_code.co_name}
    if any("invariant" in name or name in ("_deal_validate", "__setattr__") for name in names):
        return "invariant"
    if any("precondition" in name for name in names):
        return "precondition"
    for frame in reversed(frames[: last + 1]):
        if _library(frame) and frame.f_code.co_name in ("wrapper", "_run_sync", "_run_async", "_run_iter"):
            return "postcondition" if "result" in frame.f_locals else "precondition"
    return "postcondition"


def _text(error: BaseException, frames: list[types.FrameType]) -> str:
    """The condition, from where the library keeps it while it checks."""
    validator = getattr(error, "validator", None)
    if validator is not None and inspect.isfunction(validator):
        return text_of(validator)
    for frame in reversed(frames):
        for contract in _in_question(frame):
            return text_of(contract.condition, contract.description)
    return _last_words(str(error))


def _in_question(frame: types.FrameType) -> Iterator[Any]:
    """What a frame of icontract is about; its wrapper knows all contracts: those that are not met."""
    known = frame.f_locals
    if hasattr(known.get("contract"), "condition"):
        yield known["contract"]
    elif "resolved_kwargs" in known and "postconditions" in known:
        before = [c for group in known.get("preconditions", ()) for c in group]
        checked = known["postconditions"] if "result" in known else before
        yield from (c for c in checked if not is_met(c.condition, known["resolved_kwargs"]))


def _last_words(text: str) -> str:
    """The condition in a message: `File …, line 3 in module:\\nx > 0:\\nx was -1`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith("File ")]
    return lines[0].removesuffix(":")[:200] if lines else "a contract"
