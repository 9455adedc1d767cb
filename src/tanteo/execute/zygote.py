"""The process that has imported the subject and from which explorers are forked in milliseconds.

Reads commands as JSON lines from one pipe and answers on another. Everything that the subject could do
during its import is tried in a child first.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import sys
import time
from os import getpid
from typing import Any

from tanteo.errors import UserError
from tanteo.execute import explorer
from tanteo.execute.children import die_with_parent, fork
from tanteo.execute.clock import Clock
from tanteo.execute.guard import Guard, restrict
from tanteo.execute.inquiry import inquire
from tanteo.execute.load import Avoid, Loaded, Wanted, import_error, load
from tanteo.execute.log import Log
from tanteo.execute.mutation import run_mutation
from tanteo.execute.otherday import move_clock
from tanteo.execute.recorder import run_recorder
from tanteo.execute.surroundings import Dice, replace_random
from tanteo.probes import Finder
from tanteo.subject import subject_as_json

IMPORT_SECONDS = 10.0


class Zygote:
    """The subject, loaded, and the pipes to the driver."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.setup = setup
        self.commands: int = setup["commands"]
        self.answers: int = setup["answers"]
        self.scratch: str = setup["scratch"]
        self.guard = Guard(self.scratch, frozenset(setup["allow"]))
        self.dice: Dice | None = None if setup["clean"] else replace_random()
        self.clock = None if setup["clean"] else Clock()
        if setup["later"]:
            move_clock()
        self.loaded: Loaded | None = None
        self.jobs: dict[int, int] = {}  # process -> job

    def answer(self, **message: object) -> None:
        """One line to the driver."""
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(self.answers, data) :]

    def prepare(self) -> None:
        """Load the subject behind the guard; a user's mistake is told and ends the process."""
        setup = self.setup
        sys.path[:0] = setup["roots"]
        die_with_parent()
        walled = restrict(self.scratch, frozenset(setup["allow"]))
        self.guard.install()
        wanted = Wanted(
            tuple(setup["targets"]),
            setup["private"],
            tuple(setup["include"]),
            tuple(setup["exclude"]),
            tuple(setup["makers"]),
            tuple(setup["conftests"]),
            tuple(setup["without"]),
            setup["typeshed"],
        )
        try:
            trial = self.recall if setup["clean"] else self.trial
            inquiry = None if setup["clean"] else lambda bindings: inquire(bindings, self.guard)
            self.loaded = load(wanted, trial, not setup["clean"], inquiry)
        except UserError as error:
            self.answer(mistake=error.args[0], slug=error.slug)
            os._exit(0)
        os.chdir(setup["work"])
        self.answer(subject=subject_as_json(self.loaded.subject), walled=walled)

    def recall(self, names: list[str], finder: Finder) -> Avoid:
        """What another zygote found out by trial."""
        avoid = {name: why for name, why in self.setup["avoid"].items() if name in names}
        finder.refuse(avoid)
        return avoid

    def trial(self, names: list[str], finder: Finder) -> Avoid:
        """Import the modules in children; what hangs, exits or crashes there must not be imported here."""
        avoid: Avoid = {}
        left = list(names)
        while left:
            done, culprit, reason = self._try_imports(left)
            for name, why in done.items():
                if why:
                    avoid[name] = why
            left = [n for n in left if n not in done]
            if culprit is not None:
                avoid[culprit] = reason
                left.remove(culprit)
            finder.refuse(avoid)
        return avoid

    def _try_imports(self, names: list[str]) -> tuple[dict[str, str], str | None, str]:
        reading, writing = os.pipe()
        child = self._fork()
        if child == 0:
            os.close(reading)
            _import_and_tell(names, writing, self.setup["memory"])
        os.close(writing)
        done: dict[str, str] = {}
        current, reason, buffer = names[0], "", b""
        while True:
            ready, _, _ = select.select([reading], [], [], IMPORT_SECONDS)
            data = os.read(reading, 65536) if ready else None
            if not data:
                break
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                name, why = json.loads(line)
                if why is None:
                    current = name
                else:
                    done[name] = why
        if data is None:
            reason = f"its import did not end within {IMPORT_SECONDS:g} s"
            os.kill(child, signal.SIGKILL) if not self.guard.active else self._kill(child)
        os.close(reading)
        _, status = os.waitpid(child, 0)
        if len(done) == len(names):
            return done, None, ""
        return done, current, reason or f"its import ended the interpreter ({how_it_ended(status)})"

    def _kill(self, process: int) -> None:
        self.guard.active = False
        os.kill(process, signal.SIGKILL)
        self.guard.active = True

    def _fork(self) -> int:
        self.guard.active = False
        child = fork()
        self.guard.active = True
        return child

    def serve(self) -> None:
        """Fork explorers on command and tell when one has ended; until the driver goes away."""
        buffer = b""
        while True:
            ready, _, _ = select.select([self.commands], [], [], 0.01 if self.jobs else None)
            self._reap()
            if not ready:
                continue
            data = os.read(self.commands, 65536)
            if not data:
                os._exit(0)
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                command = json.loads(line)
                self._work(command) if "work" in command else self._start(command)

    def _reap(self) -> None:
        while self.jobs:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            job = self.jobs.pop(process, None)
            if job is not None:
                self.answer(ended=job, process=process, how=how_it_ended(status), status=status)

    def _work(self, command: dict[str, Any]) -> None:
        """A child that works through a file of items and appends what it found to another one."""
        child = self._fork()
        if child:
            self.jobs[child] = command["job"]
            self.answer(started=command["job"], process=child)
            return
        assert self.loaded is not None
        for descriptor in (self.commands, self.answers, *self.setup["logs"]):
            os.close(descriptor)
        out = os.open(command["out"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        with open(command["items"]) as file:
            items = json.load(file)
        if command["work"] != "minimise":
            explorer.limit_memory(self.setup["memory"])
        if command["work"] == "record":
            self.loaded.bindings.muted.update(command["mute"])
            codes, again = [i.encode() for i in items], self.setup["later"]
            run_recorder(codes, out, self.loaded.bindings, self.guard, self.scratch, again)
        elif command["work"] == "mutate":
            files = sorted(self.loaded.subject.files.values())
            run_mutation(items, out, self.loaded.bindings, files, self.guard, command["part"])
        elif self.dice is not None and self.clock is not None:
            self.clock.running = True
            orders = explorer.orders_from_json(command["orders"])
            explorer.shorten(items, out, orders, self.loaded, self.guard, self.dice, self.clock, self.scratch)
        explorer.leave(0)

    def _start(self, command: dict[str, Any]) -> None:
        orders = explorer.orders_from_json(command["orders"])
        if command["fork"]:
            child = self._fork()
            if child:
                self.jobs[child] = orders.job
                self.answer(started=orders.job, process=child)
                return
        else:
            self.answer(started=orders.job, process=getpid())
        self._become(orders)

    def _become(self, orders: explorer.Orders) -> None:
        """From here on this process is an explorer."""
        assert self.loaded is not None
        assert self.dice is not None
        assert self.clock is not None
        self.clock.running = True
        subject = self.loaded.subject
        log = Log(self.setup["logs"][orders.job], len(subject.operations), len(subject.blocks))
        for descriptor in (self.commands, self.answers, *self.setup["logs"]):
            os.close(descriptor)  # the subject may write to any number
        try:
            status = explorer.run_explorer(
                orders, self.loaded, log, self.guard, self.dice, self.clock, self.scratch
            )
        except UserError as error:
            log.append(b"M" + json.dumps([error.args[0], error.slug]).encode())
            status = 0
        except BaseException as error:  # ours, or the subject's in a place where we did not expect it
            import traceback

            log.append(b"X" + "".join(traceback.format_exception(error)).encode(errors="replace"))
            status = explorer.REDO
        explorer.leave(status)


def _import_and_tell(names: list[str], writing: int, memory: int) -> None:
    explorer.limit_memory(memory)
    for name in names:
        os.write(writing, json.dumps([name, None]).encode() + b"\n")
        why = ""
        try:
            importlib.import_module(name)
        except BaseException as error:
            why = import_error(error)
        os.write(writing, json.dumps([name, why]).encode() + b"\n")
    os._exit(0)


def how_it_ended(status: int) -> str:
    """A wait status in words."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"signal {number}, {signal.Signals(number).name}"
    return f"exit status {os.WEXITSTATUS(status)}"


def main(setup: dict[str, Any]) -> None:
    """Load, then serve."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # `_thread.interrupt_main()` would hit us, not a run
    time.tzset()
    zygote = Zygote(setup)
    zygote.prepare()
    zygote.serve()
