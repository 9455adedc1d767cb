"""What is under test, as data: both sides of the process boundary read it.

The explorer's side also has the live objects behind it (`discover.Bindings`), by the same number.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation."""

    name: str
    types: tuple[str, ...]  # what would be tried, in words
    required: bool = True
    keyword: bool = False  # must be passed by keyword
    variadic: bool = False  # *args
    reasons: tuple[str, ...] = ()  # every candidate with its weight and who says so


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be called, and how people write it.

    `form` is a template: `{0}`, `{1}` are the first inputs, `{args}` the rest with their keywords.
    """

    index: int
    name: str
    kind: str
    module: str
    form: str
    parameters: tuple[Parameter, ...] = ()
    observer: bool = False  # by its nature it only looks; its inputs are not new values afterwards
    helper: bool = False  # only makes arguments; not under test itself
    value: bool = True  # leaves a value behind (an assignment does not)
    defined: str = ""  # the function that runs, if it can be told: an alias or a subclass may share it
    definition: str = ""  # source of a class that does not exist: what calls it must have it, too


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is not tested, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Arm:
    """One side of a branch, or the entry of a function."""

    module: str
    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything known about what is under test before anything runs."""

    targets: tuple[str, ...]
    modules: tuple[str, ...]
    operations: tuple[Operation, ...]
    skipped: tuple[Skipped, ...]
    arms: tuple[Arm, ...]
    arm_numbers: tuple[int, ...]  # which probes they are
    lines: int
    blocks: tuple[int, ...]  # how many source lines each probe stands for
    imported: tuple[int, ...] = ()  # probes that the import alone reaches
    unmeasured: tuple[str, ...] = ()  # modules that can be called but not measured
    digest: str = ""  # of the source, so that a session knows when it is stale
    python: str = ""
    threads: bool = False  # the import left threads running, so explorers cannot be forked
    files: dict[str, str] = field(default_factory=dict)  # module -> source file


def subject_as_json(subject: Subject) -> dict[str, Any]:
    """For the pipe and the session."""
    return asdict(subject)


def subject_from_json(data: dict[str, Any]) -> Subject:
    """The way back."""
    operations = tuple(
        Operation(
            **{
                **row,
                "parameters": tuple(
                    Parameter(**{**p, "types": tuple(p["types"]), "reasons": tuple(p["reasons"])})
                    for p in row["parameters"]
                ),
            }
        )
        for row in data["operations"]
    )
    plain: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    plain["operations"] = operations
    plain["skipped"] = tuple(Skipped(**row) for row in data["skipped"])
    plain["arms"] = tuple(Arm(**row) for row in data["arms"])
    return Subject(**plain)
