"""What a test may expect of an exception: its class, and as much of its message as will stay."""

from __future__ import annotations

import re
from typing import Any

from tanteo.bindings import Bindings
from tanteo.blame import is_active
from tanteo.express import name_of
from tanteo.model import Outcome, Sequence
from tanteo.places import innermost, is_not_taken, stands_at_raise

LONGEST = 80  # characters of a message
ENOUGH = 16  # characters of the beginning of a longer one
PAUSE = re.compile(r"[.,;:] ")
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
TELLING = 5  # the first line of a longer message says something from so many on
NUMBERS = frozenset({int, float, complex, bool})
TEXTS = frozenset({str, bytes})
PLAIN = NUMBERS | {str, bytes, tuple}
LACKING = re.compile(
    r"\b(could ?n[o']t import|cannot import|no module named|not installed|pip install)\b", re.I
)
CHANCE = re.compile(r"0x[0-9a-fA-F]{4,}|/tmp/|tanteo")
PYTHONS = re.compile(
    r"<(built-in|class|method|slot|re\.|_?io\.|generator|coroutine)|re\.compile\("
)  # own words


def raised(outcome: Outcome, made: Sequence, bindings: Bindings) -> dict[str, Any] | None:
    """The exception of the last call as it is expected in a test; None if there is none to expect."""
    error = outcome.error
    if len(outcome.values) + 1 != len(made) or not isinstance(error, Exception) or _misses(error, outcome):
        return None
    kind = next((k for k in type(error).__mro__ if name_of(k)), Exception)
    name = name_of(kind)
    assert name is not None
    own = _is_own(error, bindings)
    message = stable_text(str(error)) if own and not _is_repeated(error) else ""
    imports = [list(pair) for pair in bindings.imports(name.imports)]
    found = {"raises": name.source, "imports": imports, "message": message}
    return {**found, "asked": own or _is_asked_for(error, outcome)}


def _misses(error: Exception, outcome: Outcome) -> bool:
    """Whether it comes of a package that is not here and may be elsewhere; not one that was asked for."""
    last, text = outcome.sequence.statements[-1], str(error)
    given = [outcome.values[len(outcome.values) + distance] for distance in last.inputs]
    asked = any(type(value) is str and value and value in text for value in given)
    return LACKING.search(text) is not None and not asked


def _is_asked_for(error: Exception, outcome: Outcome) -> bool:
    """Whether it tells what a caller may rely on: a container was asked for a key or an index that it does
    not have, a divisor was nought, a text is quoted that cannot be read, or an operator has no such operand.
    """
    last = outcome.sequence.statements[-1]
    given = [outcome.values[len(outcome.values) + distance] for distance in last.inputs]
    if isinstance(error, LookupError) and not (given and _is_container(given[0])):
        return False
    if isinstance(error, KeyError):
        return any(
            value is key or (type(key) is type(value) in PLAIN and value == key)
            for key in error.args
            for value in given
        )
    if isinstance(error, IndexError):  # with nothing but the object itself: it is empty, or at its end
        return len(given) == 1 or any(type(value) in (int, slice) for value in given)
    if isinstance(error, ZeroDivisionError):
        return any(type(value) in NUMBERS and not value for value in given)
    if isinstance(error, ValueError):
        quoted = any(type(value) in TEXTS and repr(value) in str(error) for value in given)
        return quoted and not any(is_active(value) for value in given)  # which may have raised it
    if isinstance(error, TypeError):
        return is_not_taken(error) and _is_raised_here(error)
    return isinstance(error, StopIteration) and len(given) == 1


def _is_raised_here(error: Exception) -> bool:
    """Whether the call itself did it, and no code of the subject."""
    trace = innermost(error)
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("tanteo.")


def _is_container(value: object) -> bool:
    """Whether there is something in it to be asked for."""
    kind = type(value)
    return kind not in PLAIN and (hasattr(kind, "__getitem__") or hasattr(kind, "__len__"))


def _is_own(error: Exception, bindings: Bindings) -> bool:
    """Whether a `raise` of the subject said it."""
    trace = innermost(error)
    if trace is None or not bindings.owns(str(trace.tb_frame.f_globals.get("__name__"))):
        return False
    return stands_at_raise(trace)


def _is_repeated(error: Exception) -> bool:
    """Whether it says little more than what the interpreter said, whose words change with its version."""
    said = error.__context__
    trace = innermost(said)
    text = str(said)
    most = 2 * len(text) > len(str(error))
    return trace is not None and most and text in str(error) and not stands_at_raise(trace)


def stable_text(text: str) -> str:
    """The message, or the first words of a long one."""
    first, _, more = text.strip("\n").partition("\n")
    if len(first) > LONGEST:
        first, more = _beginning(first[:LONGEST]), "..."
    if PYTHONS.search(first):  # what is before it stays
        first, more = first[: PYTHONS.search(first).start()].rstrip(" '\"[("), "..."  # type: ignore[union-attr]
    if not first.isprintable() or CHANCE.search(first) or (more and len(first) < TELLING):
        return ""
    return first


def _beginning(text: str) -> str:
    """As far as a part of a sentence ends in it, brackets closed; else its whole words."""
    for end in reversed([found.start() for found in PAUSE.finditer(text)]):
        part = text[: end + (text[end] == ".")]
        if end >= ENOUGH and all(part.count(opening) == part.count(closing) for opening, closing in BRACKETS):
            return part
    return text.rpartition(" ")[0].rstrip()
