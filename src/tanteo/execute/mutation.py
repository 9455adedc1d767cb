"""Which tests notice which changes of the subject, and by which assertion.

The clean interpreter has imported the subject as it is. For each mutant a child is forked in which the code
of one function is swapped; it runs the cases whose last call executes the changed line and looks at what
they assert. What a test only passes on the way to its last call is for others to test.
Nothing is imported or compiled twice, no pytest is started: a mutant costs a fork and a few short sequences,
some twenty milliseconds. Changes outside of functions have taken effect at the import and are not tried,
but tables there lose their entries one by one (`losses`).
"""

from __future__ import annotations

import ast
import json
import mmap
import os
import random
import select
import signal
import sys
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, NoReturn

from tanteo.bindings import Bindings
from tanteo.disarm import functions_of
from tanteo.execute.children import fork
from tanteo.execute.codec import decode
from tanteo.execute.guard import Guard
from tanteo.execute.interpret import interpret
from tanteo.execute.losses import Loss, losses, take_out
from tanteo.execute.observations import Observation, observed
from tanteo.execute.raising import raised
from tanteo.execute.watch import Patience
from tanteo.model import Sequence
from tanteo.mutants import Site, put, sites
from tanteo.swapping import Outer, compile_alone, living, outer_functions

PATIENCE = 5.0  # seconds of processor time for all cases of one mutant
A_MOMENT = 0.5  # seconds between two looks at it
LOOP = 0.1  # seconds of processor time for one case, and ten times what it takes: then it does not end
LONGEST = 2.0  # seconds of processor time for one case as it is
MOST_STUCK = 3  # cases that do not end with one mutant: then the others are not tried
MAKING = ("__init__", "__new__", "__post_init__")
MOST = 800  # mutants tried in one go; of more, a sample


class Expected(NamedTuple):
    """What a test asserts: a sequence and what was seen at its end."""

    made: Sequence
    observations: tuple[Observation, ...]
    raises: dict[str, Any] | None
    limit: float = LOOP  # seconds of processor time


class Change(NamedTuple):
    """A mutant inside a function."""

    number: int
    file: str
    function: Outer
    site: Site


def run_mutation(
    items: list[Any], out: int, bindings: Bindings, files: list[str], guard: Guard, part: list[int]
) -> None:
    """A line of JSON per mutant: number, file, and for each case that notices it the assertions that do."""
    guard.active = False
    warnings.simplefilter("ignore")
    cases = [_expected(item) for item in items]
    cases, lines = _run_as_they_are(cases, bindings, frozenset(files), guard)
    every: list[Change | Loss] = [*changes(files), *losses(files)]
    able = [change for change in every if _concerned(change, lines)]
    # In an order of chance, by number: if time runs out, what was tried is a fair sample, and one mutant
    # more or less changes nothing for the others.
    able.sort(key=lambda change: Random(change.number).random())
    functions = functions_of(files)
    place, of = part
    for change in [c for c in able[:MOST] if c.number % of == place]:
        found = _notice(change, functions, cases, _concerned(change, lines), bindings, guard)
        os.write(out, json.dumps([change.number, change.file, found]).encode() + b"\n")


def _expected(item: dict[str, Any]) -> Expected:
    seen = tuple(Observation(*o) for o in item["observations"])
    return Expected(decode(item["code"].encode()), seen, item["raises"])


def changes(files: list[str]) -> Iterator[Change]:
    """All mutants inside functions; the same numbers each time."""
    number = 0
    for file in files:
        tree = ast.parse(Path(file).read_bytes())
        for function in outer_functions(tree):
            for site in sites(function.node, 0):
                number += 1
                if site.statement:  # not in the head: that has run already
                    yield Change(number, file, function, site)


def _concerned(change: Change | Loss, lines: list[set[tuple[str, int]]]) -> list[int]:
    at = change.lines if isinstance(change, Loss) else [change.site.statement]
    places = {(change.file, line) for line in at}
    return [number for number, run in enumerate(lines) if not places.isdisjoint(run)]


def _run_as_they_are(
    cases: list[Expected], bindings: Bindings, files: frozenset[str], guard: Guard
) -> tuple[list[Expected], list[set[tuple[str, int]]]]:
    """How long each case may take, and the lines that its last call executes; none if it fails."""
    timed = list(cases)
    found: list[set[tuple[str, int]]] = [set() for _ in cases]
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        os.close(reading)
        try:
            _be_quiet(guard)
            for number, case in enumerate(cases):
                random.seed(number)
                ran, seconds, failed = _trace(case, bindings, files)
                if not failed:
                    os.write(writing, json.dumps([number, seconds, sorted(ran)]).encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        for line in answers:
            if line.endswith(b"]\n"):
                number, seconds, ran = json.loads(line)
                found[number] = {(file, row) for file, row in ran}
                timed[number] = cases[number]._replace(limit=LOOP + 10 * seconds)
    os.waitpid(child, 0)
    return timed, found


def _trace(
    case: Expected, bindings: Bindings, files: frozenset[str]
) -> tuple[set[tuple[str, int]], float, list[int]]:
    ran: set[tuple[str, int]] = set()
    *before, last = case.made.statements
    calls = list(bindings.calls)
    same = [s for s in before if s.operation == last.operation]
    earlier = sum(1 if s.repeat is None else s.repeat.count for s in same)

    def call_traced(*args: object, **named: object) -> object:
        nonlocal earlier
        earlier -= 1
        if earlier >= 0:
            return bindings.calls[last.operation](*args, **named)
        sys.settrace(enter)
        try:
            return bindings.calls[last.operation](*args, **named)
        finally:
            sys.settrace(None)

    def line(frame: types.FrameType, event: str, _: object) -> Any:
        if event == "line":
            ran.add((frame.f_code.co_filename, frame.f_lineno))
        return line

    def enter(frame: types.FrameType, event: str, _: object) -> Any:
        return line if frame.f_code.co_filename in files else None

    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    began = time.process_time()
    calls[last.operation] = call_traced
    interpret(case.made, calls)
    return ran, time.process_time() - began, check(case, bindings)


def check(case: Expected, bindings: Bindings) -> list[int]:
    """The numbers of the assertions that fail; nought if it is about the call itself."""
    outcome = interpret(case.made, bindings.calls)
    if case.raises is not None:
        return [] if _as_expected(raised(outcome, case.made, bindings), case.raises) else [0]
    if outcome.error is not None:
        return _all_of(case)
    return [n for n, seen in enumerate(case.observations) if not _holds(seen, outcome.values, bindings)]


def _all_of(case: Expected) -> list[int]:
    """Where the call does not return, no assertion is needed more than another."""
    return list(range(len(case.observations))) or [0]


def _as_expected(found: dict[str, Any] | None, expected: dict[str, Any]) -> bool:
    if found is None or found["raises"] != expected["raises"]:
        return False
    return expected["message"] in ("", found["message"])


def _holds(seen: Observation, values: list[object], bindings: Bindings) -> bool:
    try:
        return observed(seen, values, bindings) == seen.source
    except BaseException:
        return False


def _notice(
    change: Change | Loss,
    functions: list[types.FunctionType],
    cases: list[Expected],
    numbers: list[int],
    bindings: Bindings,
    guard: Guard,
) -> dict[int, list[int]]:
    """The cases that fail in children that have the mutant; one that does not end has noticed it, too.

    The others are not lost with it: another child goes on behind it.
    """
    found: dict[int, list[int]] = {}
    under_way = mmap.mmap(-1, 8)  # one more than the place of the case that runs
    for _ in range(MOST_STUCK):
        under_way[:] = bytes(8)
        reading, writing = os.pipe()
        child = fork()
        if child == 0:
            os.close(reading)
            _try_cases(change, functions, cases, numbers, bindings, guard, under_way, writing)
        os.close(writing)
        lines = _await(child, reading).split(b"\n")
        found.update(map(json.loads, lines[:-1]))
        stuck = int.from_bytes(under_way[:], "little")
        if not stuck:
            break
        found[numbers[stuck - 1]] = _all_of(cases[numbers[stuck - 1]])
        numbers = numbers[stuck:]
    return found


def _try_cases(
    change: Change | Loss,
    functions: list[types.FunctionType],
    cases: list[Expected],
    numbers: list[int],
    bindings: Bindings,
    guard: Guard,
    under_way: mmap.mmap,
    writing: int,
) -> NoReturn:
    """In a child: a line for each case that fails."""
    try:
        if take_out(change) if isinstance(change, Loss) else swap(change, functions):
            _be_quiet(guard)
            for place, number in enumerate(numbers, 1):
                under_way[:] = place.to_bytes(8, "little")
                signal.setitimer(signal.ITIMER_PROF, cases[number].limit)
                random.seed(number)
                failed = _told(change, check(cases[number], bindings), cases[number])
                if failed:
                    os.write(writing, json.dumps([number, failed]).encode() + b"\n")
        under_way[:] = bytes(8)
    finally:
        os._exit(0)


def _told(change: Change | Loss, failed: list[int], case: Expected) -> list[int]:
    """Without what tells of how an object was made: that is shown where the constructor is tested."""
    if isinstance(change, Loss) or getattr(change.function.node, "name", "") not in MAKING:
        return failed
    return [n for n in failed if not case.observations or case.observations[n].kind != "unchanged"]


def _await(child: int, reading: int) -> bytes:
    """What a child says before it ends; it is ended if it takes too long."""
    chunks: list[bytes] = []
    patience = Patience(child)
    try:
        while True:
            if select.select([reading], [], [], A_MOMENT)[0]:
                chunk = os.read(reading, 1 << 16)
                if not chunk:
                    break
                chunks.append(chunk)
            elif patience.is_over(PATIENCE):
                os.kill(child, signal.SIGKILL)
        return b"".join(chunks)
    finally:
        os.close(reading)
        os.waitpid(child, 0)


def _be_quiet(guard: Guard) -> None:
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    guard.active = True


def swap(change: Change, functions: list[types.FunctionType]) -> bool:
    """Give the function its changed code; False if it cannot be found."""
    site = change.site
    old = living(change.function, change.file, functions)
    if not old:
        return False
    put(site.parent, site.field, site.index, site.node)
    code = compile_alone(change.function, change.file, old[0].__code__.co_flags)
    if code is None:
        return False
    try:
        for one in old:
            one.__code__ = code
    except ValueError:  # other free variables
        return False
    return True
