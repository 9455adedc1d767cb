"""Has work done in children of a zygote: items in a file, answers in another, whoever dies is skipped."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tanteo.execute.nest import CLERKS, Nest
from tanteo.subject import Subject

STALLED = 30.0  # seconds without an answer: the child hangs beyond what its own timer can end


class Clerk:
    """A zygote and the child that works in it for us; others may have explorers in it."""

    def __init__(self, nest: Nest, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._nest = nest
        self._subject: Subject | None = None
        self._children = CLERKS
        self._process: int | None = None
        self._status: int | None = None

    def subject(self) -> Subject:
        """What it has loaded; waits for it."""
        if self._subject is None:
            self._subject = self._nest.subject()
        return self._subject

    def close(self) -> None:
        """End the zygote and its child."""
        self._nest.close()

    def work_through(
        self, work: str, items: list[Any], late: Callable[[], bool], **command: object
    ) -> dict[int, Any]:
        """Answers by the number of their item; an item that kills the child has none."""
        answers: dict[int, Any] = {}
        first = 0
        while first < len(items) and not late():
            last = -1
            for last, answer in self.ask(work, items[first:], late, **command):
                answers[first + last] = answer
            if self._status == 0:
                break
            first += last + 2  # behind the one that it died of
        return answers

    def ask(self, work: str, items: list[Any], late: Callable[[], bool], **command: object) -> list[Any]:
        """What one child says about these items until it ends, pairs of a number and an answer."""
        asked, told = self.folder / "items.json", self.folder / "answers.json"
        asked.write_text(json.dumps(items))
        told.write_text("")
        self._start(work=work, items=str(asked), out=str(told), **command)
        self._wait(told, late)
        return [json.loads(line) for line in told.read_bytes().split(b"\n") if line.endswith(b"]")]

    def _start(self, **command: object) -> None:
        self._children += 1
        self._process = self._status = None
        self._nest.command(job=self._children, **command)

    def _wait(self, told: Path, late: Callable[[], bool]) -> None:
        """Until the child has ended; a child that is late or says nothing is ended."""
        size, since = -1, time.monotonic()
        while not self._ended():
            if told.stat().st_size != size:
                size, since = told.stat().st_size, time.monotonic()
            if self._process and (late() or time.monotonic() - since > STALLED):
                with contextlib.suppress(ProcessLookupError):  # it has ended by itself, and we have not heard
                    os.kill(self._process, signal.SIGKILL)
                self._process = None

    def _ended(self) -> bool:
        for message in self._nest.mail(0.02):
            if message.get("started") == self._children:
                self._process = message["process"]
            elif message.get("ended") == self._children:
                self._status = message["status"]
        if self._nest.process.poll() is not None:
            raise self._nest.failure()
        return self._status is not None
