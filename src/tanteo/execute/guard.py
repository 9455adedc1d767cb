"""Keeps the subject's hands off the machine: an audit hook everywhere, Landlock where the kernel has it.

The hook refuses writes outside the scratch directory, sockets, new programs, signals and `input()`. It
sees only what CPython announces, so it is a seat belt. Landlock is the wall behind it: the kernel itself
refuses writes outside (and TCP, from version 4 on), to C code too. What was refused makes a run INVALID.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
HARMLESS = ("/dev/null", "/dev/zero", "/dev/tty", "/dev/full")

# event -> positions of the arguments that are paths being changed
CHANGES: dict[str, tuple[int, ...]] = {
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.mkdir": (0,),
    "os.link": (0, 1),
    "os.symlink": (1,),
    "os.truncate": (0,),
    "os.chmod": (0,),
    "os.chown": (0,),
    "os.lchown": (0,),
    "os.utime": (0,),
    "os.setxattr": (0,),
    "os.removexattr": (0,),
    "os.chflags": (0,),
    "shutil.rmtree": (0,),
    "shutil.move": (0, 1),
    "shutil.copyfile": (1,),
    "shutil.make_archive": (0,),
    "sqlite3.connect": (0,),
}
NETWORK = frozenset(
    {
        "socket.connect",
        "socket.bind",
        "socket.sendto",
        "socket.sendmsg",
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "urllib.Request",
    }
)
PROGRAMS = frozenset(
    {
        "subprocess.Popen",
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.forkpty",
        "os.startfile",
        "pty.spawn",
    }
)
SIGNALS = frozenset({"os.kill", "os.killpg", "signal.pthread_kill"})


class RefusedError(PermissionError):
    """What the subject gets when it tries."""


class Guard:
    """The audit hook with its memory of what was refused since the last look."""

    def __init__(self, scratch: str, allow: frozenset[str] = frozenset()) -> None:
        self.scratch = os.path.realpath(scratch)
        self.refused: str | None = None
        self.looked_elsewhere = False  # a folder was listed that is neither ours nor Python's
        self.disturbed = False  # working directory, environment or scratch files changed
        self._checks: dict[str, Callable[[str, tuple[Any, ...]], None]] = {
            "builtins.input": self._refuse_input,
            "os.chdir": self._note,
            "os.listdir": self._note_listing,
            "os.scandir": self._note_listing,
            "os.putenv": self._note,
            "os.unsetenv": self._note,
        }
        if "write" not in allow:
            self._checks["open"] = self._check_open
            self._checks.update(dict.fromkeys(CHANGES, self._check_change))
        if "network" not in allow:
            self._checks.update(dict.fromkeys(NETWORK, self._refuse_network))
        if "subprocess" not in allow:
            self._checks.update(dict.fromkeys(PROGRAMS, self._refuse_program))
        self._checks.update(dict.fromkeys(SIGNALS, self._refuse_signal))
        self.active = False

    def install(self) -> None:
        """For good: an audit hook cannot be removed."""
        checks = self._checks

        def hook(event: str, args: tuple[Any, ...]) -> None:
            check = checks.get(event)
            if check is not None and self.active:
                check(event, args)

        sys.addaudithook(hook)
        self.active = True

    def look(self) -> str | None:
        """What was refused since the last look."""
        refused, self.refused = self.refused, None
        return refused

    def _refuse(self, what: str) -> None:
        self.refused = f"the guard refused: {what}"
        raise RefusedError(f"tanteo does not let the code under test do this: {what}")

    def _note(self, event: str, args: tuple[Any, ...]) -> None:
        self.disturbed = True

    def _note_listing(self, event: str, args: tuple[Any, ...]) -> None:
        try:
            name = os.path.realpath(os.fsdecode(args[0] or os.curdir))
        except (TypeError, ValueError, OSError):
            return  # by its number
        known = (self.scratch, *(entry for entry in sys.path if entry))
        if not any(f"{name}{os.sep}".startswith(f"{place.rstrip(os.sep)}{os.sep}") for place in known):
            self.looked_elsewhere = True

    def _refuse_input(self, event: str, args: tuple[Any, ...]) -> None:
        self._refuse("read from the keyboard")

    def _refuse_network(self, event: str, args: tuple[Any, ...]) -> None:
        self._refuse(f"use the network ({event})")

    def _refuse_program(self, event: str, args: tuple[Any, ...]) -> None:
        self._refuse(f"start a program ({event})")

    def _refuse_signal(self, event: str, args: tuple[Any, ...]) -> None:
        self._refuse(f"send a signal ({event})")

    def _check_open(self, event: str, args: tuple[Any, ...]) -> None:
        path, mode, flags = args
        if isinstance(path, int) and path <= 2:
            self._refuse("open a standard stream by its number")
        if isinstance(mode, str):
            writing = any(c in mode for c in "wxa+")
        else:
            writing = bool(flags & WRITING) if isinstance(flags, int) else False
        if writing and not isinstance(path, int):
            self._check_path(path, "write")

    def _check_change(self, event: str, args: tuple[Any, ...]) -> None:
        for position in CHANGES[event]:
            if position < len(args) and not isinstance(args[position], int):
                self._check_path(args[position], event)

    def _check_path(self, path: Any, what: str) -> None:
        try:
            name = os.path.realpath(os.fsdecode(path))
        except (TypeError, ValueError):
            return  # not a path; the call itself will say so
        if name == ":memory:" or path in (":memory:", "") or name in HARMLESS:
            return
        if not name.startswith(self.scratch + os.sep):
            self._refuse(f"{what} outside the scratch directory")
        self.disturbed = True


# Landlock: numbers from the kernel's linux/landlock.h, the same on every architecture.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
WRITE_FILE = 1 << 1
REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))  # remove dir/file, make char ... symlink
REFER, TRUNCATE = 1 << 13, 1 << 14
BIND_AND_CONNECT_TCP = 0b11
NO_NEW_PRIVS = 38


def restrict(scratch: str, allow: frozenset[str] = frozenset()) -> bool:
    """Shut this process and its children in; False where the kernel cannot."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    files = WRITE_FILE | REMOVE_AND_MAKE
    files |= REFER if version >= 2 else 0
    files |= TRUNCATE if version >= 3 else 0
    network = BIND_AND_CONNECT_TCP if version >= 4 and "network" not in allow else 0
    files = 0 if "write" in allow else files
    if not files and not network:
        return False
    attributes = struct.pack("QQ", files, network) if version >= 4 else struct.pack("Q", files)
    ruleset = libc.syscall(CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return False
    try:
        if files:
            _permit(libc, ruleset, scratch, files)
            for device in (*HARMLESS, "/dev/shm"):
                if os.path.exists(device):
                    _permit(libc, ruleset, device, files & (WRITE_FILE | TRUNCATE))
        libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
        return bool(libc.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _permit(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        libc.syscall(ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)
