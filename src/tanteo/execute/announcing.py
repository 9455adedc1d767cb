"""Warnings that a call means to give: they belong to what a test expects, and not to what it leaves out."""

from __future__ import annotations

import sys
import warnings

from tanteo.bindings import Bindings
from tanteo.execute.interpret import interpret
from tanteo.execute.raising import stable_text
from tanteo.model import Sequence, sequence

DIRECT = ("<string>", "tanteo")  # where calls come from if it is us who make them


def kind_of(warned: warnings.WarningMessage) -> str:
    """The class of a warning, as a filter names it."""
    return next(k for k in warned.category.__mro__ if k.__module__ == "builtins").__name__


def announced(
    warned: list[warnings.WarningMessage], made: Sequence, bindings: Bindings
) -> tuple[str, str] | None:
    """The only warning of a sequence, by class and message, if its last call means to give it."""
    if len(warned) != 1 or made.statements[-1].repeat is not None or not _is_own(warned[0], bindings):
        return None
    with warnings.catch_warnings(record=True) as before:
        warnings.simplefilter("always")
        interpret(sequence(made.statements[:-1]), bindings.calls)
    return None if before else (kind_of(warned[0]), stable_text(str(warned[0].message)))


def _is_own(warned: warnings.WarningMessage, bindings: Bindings) -> bool:
    """Whether it was given in the subject, or for its caller."""
    files = {getattr(m, "__file__", None) for name, m in list(sys.modules.items()) if bindings.owns(name)}
    return warned.filename in files or any(word in warned.filename for word in DIRECT)
