"""Runs sequences in clean processes and notes what a test could assert about them.

Each sequence runs in a child of its own, forked from an interpreter that has imported the subject without
probes. What it notes is compared with what another interpreter notes (another hash seed, another day):
only what both agree on is asserted. The other one runs each sequence once before it looks: what counts its
calls, like the names of threads, then says something else. Observers are called here, where it does not
matter if they turn out to change something; such ones are not used.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import random
import select
import shutil
import signal
import sys
import warnings

from tanteo.bindings import Bindings
from tanteo.execute.asking import Unsteady
from tanteo.execute.children import fork
from tanteo.execute.codec import decode
from tanteo.execute.guard import Guard
from tanteo.execute.interpret import interpret
from tanteo.execute.otherday import furnish
from tanteo.execute.recording import record
from tanteo.execute.watch import Patience
from tanteo.model import Sequence

PATIENCE = 2.0  # seconds of processor time for one sequence and all questions about it
A_MOMENT = 0.2  # seconds between two looks at it
GROUP = 10  # sequences that one child records


def run_recorder(
    codes: list[bytes], out: int, bindings: Bindings, guard: Guard, scratch: str, rehearse: bool = False
) -> None:
    """Record the sequences in children, a few in each; a line of JSON for each that came back.

    A fork costs as much as ten recordings. What one sequence leaves behind for the next shows, because the
    other interpreter is given them in the opposite order.
    """
    guard.active = False
    warnings.simplefilter("ignore")
    gc.disable()  # a child lives too short for it
    home = os.path.join(scratch, f"record-{os.getpid()}")
    done = mmap.mmap(-1, 8)  # how many the children have finished or died of
    asking = mmap.mmap(-1, 8)  # one more than the number of the observer that is being asked
    first = 0
    while first < len(codes):
        os.makedirs(home, exist_ok=True)
        os.chdir(home)
        done[:], asking[:] = first.to_bytes(8, "little"), bytes(8)
        child = fork()
        if child == 0:
            _record_group(first, codes[first : first + GROUP], out, bindings, guard, done, asking, rehearse)
        _wait(child, done)
        finished, asked = (int.from_bytes(shared[:], "little") for shared in (done, asking))
        first = finished if asked or finished == min(first + GROUP, len(codes)) else finished + 1
        bindings.muted.update([asked - 1] if asked else [])  # and the sequence is looked at again
        if os.listdir(home):
            shutil.rmtree(home, ignore_errors=True)


def _wait(child: int, done: mmap.mmap) -> None:
    """Until it has ended; it is ended if one sequence takes too long."""
    handle = os.pidfd_open(child)
    try:
        before, patience = done[:], Patience(child)
        while not select.select([handle], [], [], A_MOMENT)[0]:
            if done[:] != before:
                before = done[:]
                patience.start()
            elif patience.is_over(PATIENCE):
                os.kill(child, signal.SIGKILL)
    finally:
        os.close(handle)
    os.waitpid(child, 0)


def _record_group(
    first: int,
    codes: list[bytes],
    out: int,
    bindings: Bindings,
    guard: Guard,
    done: mmap.mmap,
    asking: mmap.mmap,
    rehearse: bool,
) -> None:
    refused: str | None = None

    def note(observer: int) -> None:
        nonlocal refused
        looked = guard.look()
        if observer >= 0:
            refused = refused or looked
        elif looked is not None:  # the observer was, not the sequence: it is not asked any more
            bindings.muted.add(int.from_bytes(asking[:], "little") - 1)
        asking[:] = (observer + 1).to_bytes(8, "little")

    try:
        for number, code in enumerate(codes, first):
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
            random.seed(
                f"{os.environ.get('PYTHONHASHSEED')} {code!r}"
            )  # the two differ, but not from day to day
            guard.active, guard.looked_elsewhere, refused = True, False, None
            try:
                made = decode(code)
                if rehearse:
                    furnish(os.curdir)
                    _rehearse(made, bindings)
                    furnish(os.curdir)
                found = record(made, bindings, note)
            except Unsteady:
                found = None
            except Exception as error:  # ours: told and counted
                found = {"mishap": f"{type(error).__name__}: {error}"}
            refused = refused or guard.look()
            guard.active = False
            if guard.looked_elsewhere:
                found = {"elsewhere": True}
            if found is not None and refused is None:
                os.write(out, json.dumps([number, found]).encode() + b"\n")
            done[:] = (number + 1).to_bytes(8, "little")
    finally:
        os._exit(0)


def _rehearse(made: Sequence, bindings: Bindings) -> None:
    """Run it once, and clean up."""
    interpret(made, bindings.calls)
    for left in os.listdir():
        shutil.rmtree(left, ignore_errors=True)
        if os.path.lexists(left):
            os.remove(left)
