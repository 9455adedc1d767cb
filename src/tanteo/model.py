"""What a test is made of: literals, statements, sequences, and what came of running one.

Everything here is frozen and knows nobody. A statement refers to earlier ones by their distance, so
putting two sequences behind each other changes neither. Every statement carries its *code*, one line
of text; the code of a sequence is the code of its statements, joined. The code is what is compared,
hashed, written to the in-flight slot and stored on disk, so none of these costs more than touching a
byte string (paper 000 compares sequences modulo variable names; distances give that for free).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple


class Verdict(Enum):
    """What a run was."""

    NORMAL = "normal"  # ran to the end and every contract held
    EXPECTED = "expected"  # raised something that the code may raise
    INVALID = "invalid"  # our inputs were wrong, so the run says nothing about the code
    FAULT = "fault"  # legal inputs, and the code broke a contract
    HUNG = "hung"  # did not come back in time
    CRASHED = "crashed"  # took the interpreter with it

    number: int  # its column in tables; a look-up by member would call the enum's own `__hash__`

    def __init__(self, _: str) -> None:
        self.number = len(type(self).__members__)


# A member costs ten times as much to look up as a name, and a step asks for several.
NORMAL, EXPECTED, FAULT, HUNG = Verdict.NORMAL, Verdict.EXPECTED, Verdict.FAULT, Verdict.HUNG


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A value that can be written down; `source` is how."""

    value: object
    source: str


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same call `count` times; the arguments at `positions` are new each time, a column for each."""

    positions: tuple[int, ...]
    count: int
    columns: tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A literal, or a call of operation number `operation` with earlier values.

    `inputs` are distances counted from the end (-1 is the statement before), as list indices of the
    values made so far. The last `len(names)` inputs are passed by keyword.
    """

    operation: int
    inputs: tuple[int, ...]
    code: bytes
    literal: Literal | None = None
    names: tuple[str, ...] = ()
    repeat: Repeat | None = None
    plain: bool = True  # neither names nor repeat: the short way to run it


LITERAL = -1
# How the interpreter ends if a library gets no memory for what it was asked, or if nobody catches an error.
UNSURE_ENDS = ("signal 6, SIGABRT", "exit status 1")
MISFIT_MARK = " (misfit)"  # behind an outcome that only shows that a value of the wrong type does not fit


def say(literal: Literal) -> Statement:
    """The statement that makes a literal."""
    return Statement(LITERAL, (), f"={literal.source}\n".encode(), literal)


@lru_cache(maxsize=1 << 16)
def plain_call(operation: int, inputs: tuple[int, ...]) -> Statement:
    """The statement that calls an operation once and without names; nearly all do, so it is made once."""
    return Statement(operation, inputs, (" ".join(map(str, (operation, *inputs))) + "\n").encode())


def call(
    operation: int,
    inputs: tuple[int, ...],
    names: tuple[str, ...] = (),
    repeat: Repeat | None = None,
) -> Statement:
    """The statement that calls an operation, as often and with such names as asked."""
    if not names and repeat is None:
        return plain_call(operation, inputs)
    words = [str(operation), *map(str, inputs)]
    if names:
        first = len(words) - len(names)
        words[first:] = [f"{n}={w}" for n, w in zip(names, words[first:], strict=True)]
    if repeat is not None:
        words += ["*", repr((repeat.positions, repeat.count, repeat.columns))]
    return Statement(operation, inputs, (" ".join(words) + "\n").encode(), None, names, repeat, False)


class Sequence:
    """An immutable list of statements; equal code means equal sequence.

    Not a frozen dataclass only because the making of one costs three times as much.
    """

    __slots__ = ("calls", "code", "statements")

    def __init__(self, statements: tuple[Statement, ...], code: bytes, calls: int) -> None:
        self.statements = statements
        self.code = code
        self.calls = calls  # how many calls a run makes, repeats included

    def __len__(self) -> int:
        return len(self.statements)

    def __add__(self, other: Sequence) -> Sequence:
        return Sequence(self.statements + other.statements, self.code + other.code, self.calls + other.calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.code == other.code

    def __hash__(self) -> int:
        return hash(self.code)


def sequence(statements: Iterable[Statement]) -> Sequence:
    """A sequence of these statements."""
    statements = tuple(statements)
    calls = sum(1 if s.repeat is None else s.repeat.count for s in statements if s.operation >= 0)
    return Sequence(statements, b"".join([s.code for s in statements]), calls)


class Outcome(NamedTuple):
    """What happened when a sequence ran: the values it made and what it raised, if anything."""

    sequence: Sequence
    values: list[object]  # one for each statement that returned
    error: BaseException | None


class Broken(NamedTuple):
    """A contract that did not hold for a value; `raised` if evaluating it raised."""

    contract: str
    source: str  # the assertion as a template
    inputs: tuple[int, ...]  # which values it was about, as positions
    raised: BaseException | None


class Fault(NamedTuple):
    """One failing run and why it is the code's fault."""

    kind: str
    message: str
    function: str  # where it was raised or violated
    operation: str  # the last call
    level: str
    reason: str
    contract: str | None = None
    assertion: str = ""  # the contract's template
    about: tuple[int, ...] = ()  # positions of the values that a broken contract is about
    exception: str | None = None
    file: str = ""
    line: int = 0


class Run(NamedTuple):
    """One executed sequence with everything that later parts want to know about it."""

    step: int
    sequence: Sequence
    values: list[object]
    verdict: Verdict
    reason: str
    outcome: str  # tells different outcomes of one operation apart, without addresses
    fault: Fault | None
    probes: tuple[int, ...]  # probes that no earlier run had reached, arms among them
    extensible: tuple[int, ...]  # positions of the values that may be used again


class Replay(NamedTuple):
    """A step: run this sequence from scratch, or only its last call on values that are alive."""

    sequence: Sequence
    alive: list[object] | None = None  # what the statements before the last one have made


class Reset(NamedTuple):
    """A step: start again with empty pools in a fresh process (paper 004)."""


Step = Replay | Reset
