"""Listens to a test suite: the calls that it makes into the subject become sequences.

Runs as a plug-in of pytest in the subject's interpreter. A call counts if the suite makes it, not another
function of the subject; its values must be plain, or come from calls that were heard before. An object that
anything else may have changed is forgotten.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tanteo.bindings import Bindings
from tanteo.execute.displays import is_short
from tanteo.execute.load import Wanted, load
from tanteo.model import Literal, Sequence, Statement, call, say, sequence
from tanteo.strategies.drafts import DISPLAYS
from tanteo.types import CONTAINERS

ORDER = "TANTEO_LISTEN"  # {"targets": [...], "out": FILE}
MOST_STATEMENTS = 40  # of one sequence
MOST_PARTS = 12  # of a container that is written down


class Listener:
    """The calls of one test after the other."""

    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings
        self.heard: list[Sequence] = []
        self._numbers = {o.name: o.index for o in bindings.operations}
        self._inside = False
        self.begin()

    def begin(self) -> None:
        """Another test: nothing is known yet."""
        self._statements: list[Statement] = []
        self._known: dict[int, tuple[int, object]] = {}  # by identity; the object, so that it stays

    def wrap(self) -> None:
        """Put ears in front of functions, constructors and methods."""
        open_classes: list[Any] = [cls for cls in self.bindings.classes if not _is_closed(cls)]
        for cls in open_classes:
            home = f"{cls.__module__}.{cls.__qualname__}"
            if home in self._numbers and cls.__new__ is object.__new__:
                cls.__init__ = self._maker(cls.__init__, self._numbers[home], cls)
            for name, function in list(vars(cls).items()):
                if callable(function) and hasattr(function, "__code__") and f"{home}.{name}" in self._numbers:
                    setattr(cls, name, self._method(function, name))
        for operation in self.bindings.operations:
            behind: Any = self.bindings.functions[operation.index]
            scope, name = getattr(behind, "__globals__", {}), getattr(behind, "__name__", "")
            at_home = scope.get(name) is behind
            if operation.kind == "function" and at_home:
                scope[name] = self._plain(behind, operation.index)

    def _plain(self, function: Callable[..., Any], number: int) -> Callable[..., Any]:
        @functools.wraps(function)
        def listen(*args: Any, **named: Any) -> Any:
            return self._hear(number, function, args, named)

        return listen

    def _method(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def listen(*args: Any, **named: Any) -> Any:
            home = f"{type(args[0]).__module__}.{type(args[0]).__qualname__}" if args else ""
            return self._hear(self._numbers.get(f"{home}.{name}"), function, args, named)

        return listen

    def _maker(self, function: Callable[..., Any], number: int, cls: type) -> Callable[..., Any]:
        @functools.wraps(function)
        def listen(made: Any, *args: Any, **named: Any) -> None:
            if type(made) is not cls:
                function(made, *args, **named)
            else:
                self._hear(number, function, (made, *args), named, made=made)

        return listen

    def _hear(
        self,
        number: int | None,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        named: dict[str, Any],
        made: object = None,
    ) -> Any:
        if self._inside:
            return function(*args, **named)
        given = args[1:] if made is not None else args
        self._inside = True
        places = None if number is None else self._places([*given, *named.values()])
        try:
            result = function(*args, **named)
        except Exception:
            self._note(number, places, tuple(named), args, None, failed=True)
            raise
        finally:
            self._inside = False
        self._note(number, places, tuple(named), args, result if made is None else made)
        return result

    def _note(
        self,
        number: int | None,
        places: list[int] | None,
        names: tuple[str, ...],
        args: tuple[Any, ...],
        result: object,
        failed: bool = False,
    ) -> None:
        """A call that was made; one that cannot be written down spoils what it may have changed."""
        if number is None or places is None:
            for value in args:
                self._known.pop(id(value), None)
            return
        end = len(self._statements)
        statement = call(number, tuple(place - end for place in places), names)
        heard = _cut([*self._statements, statement])
        if len(heard) <= MOST_STATEMENTS:
            self.heard.append(heard)
        if failed:
            return
        self._statements.append(statement)
        if result is not None and type(result) not in (*CONTAINERS, int, float, str, bytes, bool):
            self._known.setdefault(id(result), (end, result))

    def _places(self, values: list[Any]) -> list[int] | None:
        """Where the values of a call stand; what is plain is written down."""
        before = len(self._statements)
        found = [self._place(value, 0) for value in values]
        if any(place is None for place in found):
            del self._statements[before:]
            return None
        return [place for place in found if place is not None]

    def _place(self, value: Any, depth: int) -> int | None:
        known = self._known.get(id(value))
        if known is not None:
            return known[0]
        if is_short(value):
            self._statements.append(say(Literal(value, repr(value))))
            return len(self._statements) - 1
        if type(value) not in CONTAINERS or len(value) > MOST_PARTS or depth > 2:
            return None
        parts = [p for pair in value.items() for p in pair] if type(value) is dict else list(value)
        places = [self._place(part, depth + 1) for part in parts]
        if any(place is None for place in places):
            return None
        end = len(self._statements)
        inputs = tuple(place - end for place in places if place is not None)
        self._statements.append(call(DISPLAYS[type(value)], inputs))
        return end


def _is_closed(cls: type) -> bool:
    """Whether nothing can be put into a class."""
    try:
        cls.__doc__ = cls.__doc__
    except (AttributeError, TypeError):
        return True
    return False


def _cut(statements: list[Statement]) -> Sequence:
    """What the last call needs, with the calls that were made on it, and nothing else."""
    end = len(statements) - 1
    wanted = {end}
    for position in range(end, -1, -1):
        touched = {position + distance for distance in statements[position].inputs}
        if position in wanted or (touched & wanted and statements[position].literal is None):
            wanted |= {position, *touched}
    moved = {position: number for number, position in enumerate(sorted(wanted))}
    kept: list[Statement] = []
    for position in sorted(wanted):
        statement = statements[position]
        if statement.literal is None:
            inputs = tuple(moved[position + d] - moved[position] for d in statement.inputs)
            statement = call(statement.operation, inputs, statement.names)
        kept.append(statement)
    return sequence(kept)


def pytest_configure(config: Any) -> None:
    """The subject is loaded, and listened to, before the suite imports it."""
    order = json.loads(os.environ[ORDER])
    listener = Listener(load(Wanted(tuple(order["targets"]))).bindings)
    listener.wrap()
    config.tanteo_listener, config.tanteo_out = listener, Path(order["out"])


def pytest_runtest_setup(item: Any) -> None:
    """Another test begins."""
    item.config.tanteo_listener.begin()


def pytest_unconfigure(config: Any) -> None:
    """Write down what was heard, each once."""
    codes = dict.fromkeys(made.code.decode() for made in config.tanteo_listener.heard)
    config.tanteo_out.write_text("".join(json.dumps(code) + "\n" for code in codes))
