"""Whose fault is an exception that escapes? Evidence that can be shown decides, and nothing else.

What a `raise` of the subject says is said on purpose. A *slip* is an operation that failed where nobody
wrote `raise`: an index, a key, a division, an attribute. It is a fault of the code only if nothing else
explains it: the arguments are legal, as declared or as somebody has written them down; the exception is not
an answer about one of them (a key that is not there, an index that the caller chose, a nought to divide by),
is not documented, and is not what a look-up does when it finds nothing; and the operation works otherwise.
"""

from __future__ import annotations

import dis
import functools
import inspect
import io
import linecache
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tanteo.places import instructions_to, text_of
from tanteo.types import FUNCTION, Slot, Want, fits

SLIPS = (IndexError, KeyError, ZeroDivisionError, AttributeError, TypeError, StopIteration)
UNTYPED = (AttributeError, TypeError)  # what a value of the wrong type leads to
LOOKS_UP = re.compile(
    r"(^|_)(get|set|pop|popitem|remove|del|delete|discard|index|find|look|lookup|at|item|peek|first|last|next|"
    r"nth|take|getitem|delitem|setitem|select|pick|choose|choice|head|tail|front|back|top|min|max|move|"
    r"getattr|missing|slice|sample|only|one|call|reduce|fetch|load|read|rename|replace|swap)(_|$|\d)"
)
ARGUMENTS = re.compile(
    r"positional argument|keyword argument|required argument|unhashable type|string formatting|"
    r"not supported between instances|Replacement index|format|%\w requires|\* wants int|"
    r"expected a character|must be a unicode character|^sequence item \d+: expected"
)
COUNT = re.compile(  # what a number is called that says how many there are, and not where something is
    r"(^|_)(n|num|number|count|size|width|height|len|length|limit|times|depth|n?digits|places|precision|repeat"
    r"|max|maxlen|maxsize|amount|total)(_|$|\d)"
)
WANTED = re.compile(r"must be|expected")  # what somebody says of what he was given, and perhaps passed on
TEMPLATE = re.compile(r"[{%]")
WRITTEN_DOWN = frozenset({"docstring", "example", "stub"})  # sources that say what callers pass
WHY_LEGAL = (
    "every argument is what its parameter declares",
    "every argument is of a type that its documentation or an example shows",
    "every argument is of a type that works otherwise",
)
SMALL_NUMBER, SMALL_TEXT, SMALL_SIZE = 100, 60, 16
NOWHERE: tuple[str, object] = ("", "")
PARTIAL = re.compile(r"mix-?in|(?<!no )interface\b|\babstract", re.IGNORECASE)  # in a name or a docstring
UNKNOWN = object()
SUBSCRIPT = "BINARY_SUBSCR"
MAKING = ("__init__", "__new__", "__post_init__")


def is_slip(error: Exception) -> bool:
    """Whether it is the kind of exception that happens to code rather than being raised by it.

    Too many or too few arguments were put into a list by the caller, and `f(*items)` passed them on; what
    cannot be hashed or ordered has been put in by him, too, and so has a format that asks for more.
    """
    text = text_of(error)
    slipped = isinstance(error, SLIPS) or text == "generator raised StopIteration"
    if not slipped or ARGUMENTS.search(text) or is_left_to_others(error):
        return False
    if not isinstance(error, AttributeError) or error.name is None:
        return True
    kind: Any = type(error.obj)
    return not _is_set_by_others(kind, error.name)


@functools.lru_cache(maxsize=1024)
def _is_set_by_others(kind: type, name: str) -> bool:
    """Whether methods set an attribute that a new object lacks: one of them has to be called first."""
    functions = [f for k in kind.__mro__ for f in vars(k).values() if isinstance(f, types.FunctionType)]
    setters = [f for f in functions if name in f.__code__.co_names and f.__name__ not in MAKING]
    steps = (step for f in setters for step in dis.get_instructions(f.__code__))
    return any(step.opname == "STORE_ATTR" and step.argval == name for step in steps)


def wants_something_else(error: Exception) -> bool:
    """Whether it says what should have been given instead."""
    return WANTED.search(text_of(error)) is not None


def is_left_to_others(error: Exception) -> bool:
    """Whether an object lacks what its subclasses give it: its class is there to be mixed in."""
    if not isinstance(error, AttributeError) or error.name is None:
        return False
    kind = type(error.obj)
    if kind.__module__ == "builtins":
        return False  # everything is derived from `object`; who was asked is a stranger
    if PARTIAL.search(f"{kind.__name__} {kind.__doc__ or ''}") and type.__subclasses__(kind):
        return True
    if (kind.__init__, kind.__new__) != (object.__init__, object.__new__):
        return False
    heirs = [*type.__subclasses__(kind)]
    for heir in heirs:  # which grows as it is looked at
        heirs += type.__subclasses__(heir)
    return any(
        hasattr(heir, error.name) or (heir.__init__, heir.__new__) != (kind.__init__, kind.__new__)
        for heir in heirs
    )


def looks_up(name: str) -> bool:
    """Whether an operation of this name is asked for something that may not be there."""
    return LOOKS_UP.search(name.strip("_").lower()) is not None


def is_documented(error: type[Exception], thing: Any) -> bool:
    """Whether the documentation of a function, or of its class, speaks of this exception."""
    names = [kind.__name__ for kind in error.__mro__ if kind not in (Exception, BaseException, object)]
    words = inspect.getdoc(thing) or ""
    return any(re.search(rf"\b{name}\b", words) for name in names)


def is_about(error: Exception, arguments: Iterable[object], trace: types.TracebackType | None) -> bool:
    """Whether the exception is an answer about what the caller has passed."""
    values = list(_inside(arguments))
    if (
        trace is not None
        and _formats(trace)
        and any(isinstance(v, str) and TEMPLATE.search(v) for v in values)
    ):
        return True
    if isinstance(error, KeyError) and error.args:
        return any(_is_from(error.args[0], value) for value in values)
    if isinstance(error, IndexError):
        index, numbers = _subscript(trace), [v for v in values if type(v) is int]
        if index is UNKNOWN:  # somebody else was asked, in C perhaps, and may have been given any of them
            return bool(numbers)
        return isinstance(index, int) and any(abs(v) == abs(index) for v in numbers)
    if isinstance(error, ZeroDivisionError):
        return any(isinstance(v, (int, float, complex)) and v == 0 for v in values)
    return False


def chooses_place(slot: Slot, value: object, error: Exception, trace: types.TracebackType | None) -> bool:
    """Whether a number was passed that says where to look: `skip(text, 3)` asks for what comes after it."""
    if not isinstance(error, IndexError) or not isinstance(value, int) or COUNT.search(slot.name):
        return False
    numeric = not isinstance(value, bool) or (slot.declared and any(w.kind is int for w in slot.wants))
    return numeric and not _is_written_down(trace)


def _is_written_down(trace: types.TracebackType | None) -> bool:
    """Whether the index stands in the source as a number: no argument has a part in it."""
    steps = instructions_to(trace.tb_frame.f_code, trace.tb_lasti) if trace is not None else ()
    return [name for name, _ in steps[-2:]] == ["LOAD_CONST", SUBSCRIPT]


def _formats(trace: types.TracebackType) -> bool:
    """Whether the line fills in a template, which may be one that the caller has written."""
    line = linecache.getline(trace.tb_frame.f_code.co_filename, trace.tb_lineno)
    return "format" in line or " % " in line


def _inside(values: Iterable[object]) -> Iterator[object]:
    """Values and what is in plain containers of them."""
    for value in values:
        yield value
        if type(value) in (list, tuple, set, frozenset):
            yield from list(value)[:20]  # type: ignore[call-overload]
        elif type(value) is dict:
            yield from [*value, *value.values()][:40]


def _is_from(key: object, value: object) -> bool:
    try:
        if isinstance(key, (str, bytes)) and type(key) is type(value):
            return key.lower() in value.lower()  # type: ignore[operator]
        return key is value or bool(key == value)
    except Exception:
        return True  # what cannot be compared cannot be ruled out


def _subscript(trace: types.TracebackType | None) -> object:
    """The index that was too large, if it stands in a variable; None if it stands in the source."""
    if trace is None:
        return UNKNOWN
    frame = trace.tb_frame
    *_, before, here = (NOWHERE, NOWHERE, *instructions_to(frame.f_code, trace.tb_lasti))
    if here[0] != SUBSCRIPT:
        return UNKNOWN
    if not before[0].startswith("LOAD_FAST"):
        return None
    name = before[1][-1] if isinstance(before[1], tuple) else before[1]  # Python 3.13 loads two at once
    return frame.f_locals.get(str(name))


def is_active(value: object) -> bool:
    """Whether a value does something, or can be used up: a function, a class, an iterator."""
    try:
        told = isinstance(value, re.Match)  # of a pattern that somebody else has written
        return told or callable(value) or (isinstance(value, Iterator) and not isinstance(value, io.IOBase))
    except Exception:  # a proxy that does not say what it is
        return True


def is_small(*values: object) -> bool:
    """Whether nothing about these values excuses a call that takes long; what is in them counts, too."""
    left = [*values]
    for number in range(SMALL_SIZE):
        if not left:
            return True
        value = left.pop()
        if isinstance(value, (int, float, complex)) and abs(value) > SMALL_NUMBER:
            return False
        if isinstance(value, (str, bytes)) and len(value) > SMALL_TEXT:
            return False
        if is_active(value):
            return False
        if type(value) is dict:
            left += [*value, *value.values()][: SMALL_SIZE - number]
        elif type(value) in (list, tuple, set, frozenset):
            left += [*value][: SMALL_SIZE - number]  # type: ignore[misc]
    return not left


class Argument(NamedTuple):
    """A value that was passed."""

    slot: Slot
    value: object
    fares_well: bool = False  # running has taught that values of its type do, for this parameter
    last: bool = True  # to the last call, and not to one that made an object for it


def legality(passed: Iterable[Argument], error: Exception) -> str | None:
    """Why all arguments were legal, in words; None if one of them may have been nonsense.

    Where nobody declares what may be passed, a value is taken for legal if its type is written down or fares
    well, unless it is empty: that is where code that nobody has specified may end. And who makes an object of
    nothing should not wonder.
    """
    evidence = 0
    for slot, value, fares_well, last in passed:
        if is_active(value):
            return None  # what it does when it is called or used up is not for us to say
        if isinstance(error, KeyError) and isinstance(value, Mapping):
            return None  # which keys it should have nobody says
        if slot.declared and not slot.open:
            if isinstance(error, UNTYPED) and any(_is_vague(want) for want in slot.wants):
                return None
            if _is_empty(value) and not last:
                return None
            continue
        known = [g.want for g in slot.guesses if g.source in WRITTEN_DOWN and not _is_vague(g.want)]
        if value is None:
            return None
        if isinstance(error, UNTYPED):  # of the right type, but which types may meet nobody says
            return None
        if _is_empty(value):
            return None
        if type(value) is slot.default or fits(value, tuple(known)):
            evidence = max(evidence, 1)
        elif fares_well and not isinstance(error, KeyError):
            evidence = 2
        else:
            return None
    return WHY_LEGAL[evidence]


def _is_empty(value: object) -> bool:
    return isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) and not value


def _is_vague(want: Want) -> bool:
    """Whether values of any kind may be in it, which the code may not have been made for."""
    inside = [alternative for part in want.parts for alternative in part]
    bare = want.kind in (list, tuple, dict, set) and not inside and not want.choices
    return want.kind in (object, FUNCTION) or bare or any(map(_is_vague, inside))
