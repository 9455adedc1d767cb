"""The driver's handle on one zygote: starts it under the subject's interpreter, talks to it."""

from __future__ import annotations

import importlib.util
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tanteo.errors import UserError
from tanteo.settings import Settings
from tanteo.subject import Subject, subject_from_json

BOOTSTRAP = Path(__file__).with_name("bootstrap.py")
LOADING_SECONDS = 300.0
CLERKS = 1_000_000  # their children are numbered from here on, explorers from nought


class Nest:
    """A zygote process with its two pipes."""

    def __init__(
        self,
        settings: Settings,
        scratch: Path,
        logs: list[int],
        *,
        clean: bool = False,  # without probes and with the real `random`
        later: bool = False,  # on another day, in another time zone, with another hash seed
        avoid: dict[str, str] | None = None,  # modules that must not be imported, and why
    ) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        self._reading, self._writing = ours_in, ours_out
        self._buffer = b""
        self._listening = threading.Lock()
        self._messages: deque[dict[str, Any]] = deque()
        self._mail: deque[dict[str, Any]] = deque()
        self._errors = scratch.parent / f"errors-{scratch.name}.txt"
        setup = {
            **about(settings),
            "scratch": str(scratch),
            "work": str(scratch / "work"),
            "commands": theirs_in,
            "answers": theirs_out,
            "logs": logs,
            "clean": clean,
            "later": later,
            "avoid": avoid or {},
        }
        (scratch / "work").mkdir(parents=True, exist_ok=True)
        try:
            self.process = start(
                settings.python or sys.executable,
                setup,
                descriptors=(theirs_in, theirs_out, *logs),
                environment=environment(OTHER if later else PINNED),
                errors=self._errors,
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)

    def subject(self, deadline: float | None = None) -> Subject:
        """Wait for the zygote to have loaded the subject."""
        until = time.monotonic() + LOADING_SECONDS if deadline is None else deadline
        while time.monotonic() < until:
            for message in self.messages(0.1):
                if "mistake" in message:
                    raise UserError(message["mistake"], message["slug"])
                if "subject" in message:
                    return subject_from_json(message["subject"])
            if self.process.poll() is not None:
                raise self.failure()
        self.close()
        raise UserError(
            "the subject was not loaded within the time; give more with --time", "loading-too-slow"
        )

    def failure(self) -> UserError:
        """Why the zygote is gone, as good as its last words tell."""
        lines = self._errors.read_text(errors="replace").strip().splitlines()
        last = lines[-1] if lines else f"exit status {self.process.returncode}"
        return UserError(f"the interpreter of the subject ended: {last}", "interpreter-ended")

    def command(self, **message: object) -> None:
        """One line to the zygote."""
        os.write(self._writing, json.dumps(message).encode() + b"\n")

    def messages(self, wait: float) -> Iterator[dict[str, Any]]:
        """What the zygote said, waiting a little for it; about clerks see `mail`."""
        self._receive(wait)
        while self._messages:
            yield self._messages.popleft()

    def mail(self, wait: float) -> Iterator[dict[str, Any]]:
        """What it said about the children that clerks have started; another thread may be listening too."""
        if not self._mail:
            self._receive(wait)
        while self._mail:
            yield self._mail.popleft()

    def _receive(self, wait: float) -> None:
        with self._listening:
            ready, _, _ = select.select([self._reading], [], [], wait)
            if not ready:
                return
            data = os.read(self._reading, 1 << 20)
            if not data:
                time.sleep(wait)  # closed: do not spin
            *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            number = message.get("started", message.get("ended", 0))
            (self._mail if number >= CLERKS else self._messages).append(message)

    def close(self) -> None:
        """End the zygote; its explorers die with it."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in (self._reading, self._writing):
            os.close(descriptor)


def about(settings: Settings) -> dict[str, Any]:
    """What a zygote must know of the settings."""
    return {
        "targets": settings.targets,
        "private": settings.private,
        "include": settings.include,
        "exclude": settings.exclude,
        "allow": settings.allow,
        "memory": settings.memory,
        "roots": import_roots(settings),
        "makers": settings.maker,
        "without": settings.without,
        "typeshed": typeshed(),
        "conftests": [str(path) for path in conftests(settings)],
    }


def start(
    interpreter: str,
    setup: dict[str, Any],
    *,
    descriptors: tuple[int, ...],
    environment: dict[str, str],
    errors: Path,
) -> subprocess.Popen[bytes]:
    """The process of a zygote; it inherits these descriptors and no others."""
    try:
        with errors.open("wb") as last_words:
            return subprocess.Popen(
                [interpreter, "-P", "-B", str(BOOTSTRAP), json.dumps(setup)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=last_words,
                pass_fds=descriptors,
                env=environment,
                start_new_session=True,  # Ctrl-C is for the driver alone
            )
    except OSError as error:
        raise UserError(
            f"cannot start {interpreter}: {error.strerror}; name an interpreter with --python",
            "no-such-python",
        ) from error


def import_roots(settings: Settings) -> list[str]:
    """Where the subject's modules are looked for first, as `python -m` would, and a src folder."""
    if settings.path:
        for folder in settings.path:
            if not Path(folder).is_dir():
                raise UserError(f"--path {folder}: no such folder", "no-such-path")
        return [str(Path(p).resolve()) for p in settings.path]
    here = Path.cwd()
    return [str(here), *([str(here / "src")] if (here / "src").is_dir() else [])]


def typeshed() -> str:
    """The folder with the stubs of the standard library, which is on our side."""
    found = importlib.util.find_spec("typeshed_client")
    return str(Path(found.origin).parent / "typeshed") if found is not None and found.origin else ""


def conftests(settings: Settings) -> list[Path]:
    """Files whose fixtures a written test may ask for: those above it in the project, the outermost first."""
    if not settings.fixtures:
        return []
    here = Path.cwd()
    above = [folder for folder in Path(settings.out).resolve().parents if folder.is_relative_to(here)]
    return [file for folder in reversed(above) if (file := folder / "conftest.py").is_file()]


# What differs from shell to shell: a test that depends on it fails at somebody else's.
PINNED = {"PYTHONHASHSEED": "0", "TZ": "UTC", "TERM": "xterm-256color", "USER": "somebody", "COLUMNS": "80"}
OTHER = {
    "PYTHONHASHSEED": "1",
    "TZ": "Asia/Kolkata",
    "TERM": "linux",
    "COLUMNS": "132",
    "LINES": "50",
    "NO_COLOR": "1",
    "CI": "true",
    "USER": "anybody",
    "LOGNAME": "anybody",
    "EDITOR": "ed",
    "PAGER": "more",
}


def environment(pinned: dict[str, str] = PINNED) -> dict[str, str]:
    """A fixed hash seed, locale and time zone, so that a run can be repeated; no byte code left behind."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LC_", "COVERAGE"))}
    return {
        **kept,
        **pinned,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }
