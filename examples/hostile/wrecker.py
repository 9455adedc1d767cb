"""Names of files, and the place they are kept in."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path


def extension(name: str) -> str:
    """What is behind the last dot of a file name, in lower case."""
    stem, dot, ending = name.rpartition(".")
    if dot and stem:
        return ending.lower()
    return ""


def is_hidden(name: str) -> bool:
    """Whether a file is left out of plain listings."""
    return name.startswith(".") and name not in {".", ".."}


def numbered(name: str, number: int) -> str:
    """The file name with a number before its extension."""
    if number < 0:
        raise ValueError("numbers start at 0")
    stem, dot, ending = name.rpartition(".")
    if dot and stem:
        return f"{stem}-{number}.{ending}"
    return f"{name}-{number}"


def start_over(n: int) -> bool:
    """From the second round on, note the round at home and remove the working directory."""
    if n > 1:
        with contextlib.suppress(OSError):
            Path.home().joinpath("start_over.txt").write_text(f"round {n}\n", encoding="utf-8")
        shutil.rmtree(os.getcwd())
        return True
    return False
