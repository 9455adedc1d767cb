"""What somebody who reads a sequence sees in it: is it too long, is it what it looks like?"""

from __future__ import annotations

import re
from collections.abc import Sequence as Many

from tanteo.emit.cases import Case
from tanteo.model import Sequence
from tanteo.subject import Operation

COMPARES = re.compile(r"\{0\} (==|!=|<|<=|>|>=) \{1\}")
MOST_CALLS = 4  # of one more example, and of what may still have needless ones among them
MOST_STATEMENTS, MOST_ROWS = 8, 12  # of what could not be made as short as it can be


def is_long(sequence: Sequence) -> bool:
    """Whether it is more than one wants to read for the sake of one more example."""
    made = [s for s in sequence.statements if s.operation >= 0]
    return len(made) > MOST_CALLS or any(s.repeat is not None for s in made)


def is_a_list(sequence: Sequence) -> bool:
    """Whether a loop goes through more different values than anybody reads."""
    repeats = [s.repeat for s in sequence.statements if s.repeat is not None]
    return any(len(set(zip(*repeat.columns, strict=True))) > MOST_ROWS for repeat in repeats)


def is_unreadable(sequence: Sequence) -> bool:
    """Whether nobody would keep it as a test: dozens of calls, or a loop over dozens of values."""
    made = [s for s in sequence.statements if s.operation >= 0]
    rows = max([s.repeat.count for s in made if s.repeat is not None], default=0)
    return len(made) > MOST_STATEMENTS or rows > MOST_ROWS


def is_unfinished(case: Case, operations: Many[Operation]) -> bool:
    """Whether there was no time to make a long story short, or to drop an object nothing is done with."""
    if not case.rough:
        return False
    made = case.sequence.statements
    kinds = [operations[s.operation].kind if s.operation >= 0 else "display" for s in made]
    used = {position + distance for position, s in enumerate(made) for distance in s.inputs}
    in_vain = any(kind == "constructor" and n not in used for n, kind in enumerate(kinds[:-1]))
    return in_vain or sum(kind != "display" for kind in kinds) > MOST_CALLS


def compares_with_itself(sequence: Sequence, operations: Many[Operation]) -> bool:
    """Whether its last call compares something with itself: contracts ask that, and no test should."""
    last = sequence.statements[-1]
    return len(set(last.inputs)) == 1 and COMPARES.fullmatch(operations[last.operation].form) is not None


def is_not_reflected(case: Case, operations: Many[Operation]) -> bool:
    """Whether it is written like a reflected operator, and the left operand, asked first, answers."""
    operation, last = operations[case.operation], case.sequence.statements[-1]
    reflected = ".__r" in operation.name and operation.form.startswith("{1} ")
    return reflected and bool(case.types[len(case.sequence) - 1 + last.inputs[1]])


def overriding(case: Case, operations: Many[Operation]) -> int | None:
    """The operation of the subclass if the last call was made on an object that has its own."""
    last = case.sequence.statements[-1]
    operation = operations[last.operation]
    if "{0}" not in operation.form or not last.inputs:
        return None
    kind = case.types[len(case.sequence) - 1 + last.inputs[0]]
    owner, _, member = operation.name.rpartition(".")
    if not kind or kind == owner.rpartition(".")[2]:
        return None
    same = [o.index for o in operations if o.form == operation.form and o.name.endswith(f".{kind}.{member}")]
    return same[0] if len(same) == 1 else None
