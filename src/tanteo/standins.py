"""Objects that take notes: passed for a parameter of which little is known, they say what it was asked for.

What the source tells (`evidence`) ends where a parameter goes through a decorator, a table of functions or
code that is made at run time. A stand-in goes all the way. It answers everything with more of its kind and
gives up after so many questions, so that a loop over it ends the same way each time. It is asked in a child
process and never reaches a sequence, let alone a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tanteo.uses import Use

MOST_QUESTIONS = 300
PLAIN = frozenset({int, float, bool, str, bytes})
NUMBERS = "int", "float"
ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod", "lshift", "rshift")
BITS = ("and", "or", "xor")
ORDER = ("lt", "le", "gt", "ge")
UNARY = ("neg", "pos", "abs", "round", "trunc", "floor", "ceil")


class Enough(BaseException):
    """So much was asked that there is nothing more to learn."""


class StandIn:
    """Answers every question, and notes it."""

    def __init__(self, use: Use, left: list[int]) -> None:
        object.__setattr__(self, "_notes", (use, left))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _use(self).attributes.add(name)
        return _another(self)

    def __setattr__(self, name: str, value: object) -> None:
        _use(self).attributes.add(name)

    def __call__(self, *args: object, **named: object) -> Any:
        use = _use(self)
        use.arity = len(args)
        use.note("function", 2.0)
        return _another(self)

    def __getitem__(self, key: object) -> Any:
        names = ("dict",) if type(key) is str else ("list", "tuple", "str")
        _use(self).note(("list", "str") if isinstance(key, slice) else names)
        return _another(self)

    def __setitem__(self, key: object, value: object) -> None:
        _use(self).note("dict" if type(key) is str else ("dict", "list"), 2.0)

    def __delitem__(self, key: object) -> None:
        _use(self).note(("dict", "list"), 2.0)

    def __contains__(self, key: object) -> bool:
        _use(self).note(("list", "str", "dict"))
        return True

    def __iter__(self) -> Iterator[Any]:
        _use(self).note("list", 2.0)
        return iter([_another(self), _another(self)])

    def __len__(self) -> int:
        _use(self).note(("list", "str", "dict"))
        return 2

    def __bool__(self) -> bool:
        _use(self)
        return True

    def __index__(self) -> int:
        _use(self).note("int", 2.0)
        return 1

    __int__ = __index__

    def __float__(self) -> float:
        _use(self).note("float", 2.0)
        return 1.0

    def __fspath__(self) -> str:
        _use(self).note("str", 2.0)
        return "stand-in"

    def __eq__(self, other: object) -> bool:
        _compared(self, other)
        return False

    def __ne__(self, other: object) -> bool:
        _compared(self, other)
        return True

    def __hash__(self) -> int:
        return 1

    def __enter__(self) -> Any:
        _use(self).attributes.update(("__enter__", "__exit__"))
        return _another(self)

    def __exit__(self, *error: object) -> None:
        _use(self)

    def __await__(self) -> Iterator[Any]:
        _use(self).note("coroutine", 2.0)
        return iter(())


def _use(thing: StandIn) -> Use:
    """Its notes; one more question."""
    use, left = object.__getattribute__(thing, "_notes")
    left[0] -= 1
    if left[0] < 0:
        raise Enough
    assert isinstance(use, Use)
    return use


def _another(thing: StandIn) -> StandIn:
    """What a stand-in answers with; what it is asked for in turn is not the parameter's business."""
    _, left = object.__getattribute__(thing, "_notes")
    return StandIn(Use(), left)


def _compared(thing: StandIn, other: object) -> None:
    use = _use(thing)
    if type(other) in PLAIN:
        use.constants.append(other)
        use.note(type(other).__name__, 2.0)
    elif other is None:
        use.may_be_none = True


def _calculate(thing: StandIn, other: object = None) -> Any:
    use = _use(thing)
    use.note(type(other).__name__ if type(other) in (str, bytes, list, tuple) else NUMBERS, 1.0)
    return _another(thing)


def _combine(thing: StandIn, other: object = None) -> Any:
    _use(thing).note("set" if type(other) is set else ("int", "set"), 0.5)
    return _another(thing)


def _order(thing: StandIn, other: object) -> bool:
    _compared(thing, other)
    _use(thing).note(NUMBERS, 0.5)
    return False


for _name in ARITHMETIC:
    setattr(StandIn, f"__{_name}__", _calculate)
    setattr(StandIn, f"__r{_name}__", _calculate)
for _name in BITS:
    setattr(StandIn, f"__{_name}__", _combine)
    setattr(StandIn, f"__r{_name}__", _combine)
for _name in ORDER:
    setattr(StandIn, f"__{_name}__", _order)
for _name in UNARY:
    setattr(StandIn, f"__{_name}__", _calculate)
