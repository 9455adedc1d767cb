"""Values as source, written as a person would write them; None where that cannot be done for sure.

An expression is handed out only if evaluating it here gives a value of the same type that is equal.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tanteo.values import MODULES

LONGEST = 400  # characters
MOST_ELEMENTS = 20
DEEPEST = 6  # LONGEST is what keeps it readable
SHORT = 6  # characters of a float: 0.1 + 0.2 has more
WHOLE = 2.0**53  # below it whole numbers are exact, however they were computed
MOST_DIGITS = 30
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
SINGLETONS = {None: "None", Ellipsis: "...", NotImplemented: "NotImplemented"}


class Expression(NamedTuple):
    """Source that makes a value, and what it needs: (module, name), an empty name for `import module`."""

    source: str
    imports: tuple[tuple[str, str], ...] = ()
    exact: bool = True  # no floats inside that look computed

    def join(self, template: str, parts: Iterable[Expression]) -> Expression:
        """This one around others; the template holds a place for each."""
        found = list(parts)
        imports = dict.fromkeys([*self.imports, *(i for p in found for i in p.imports)])
        source = template.format(*(p.source for p in found))
        return Expression(source, tuple(imports), self.exact and all(p.exact for p in found))


NOTHING = Expression("")


def express(value: object) -> Expression | None:
    """The source of a value, checked by evaluating it."""
    try:
        if isinstance(value, str) and "__eq__" not in vars(type(value)):
            value = str.__str__(value)  # of a class of its own, but compared as text
        found = _express(value, 0)
        if found is None or len(found.source) > LONGEST or ADDRESS.search(found.source):
            return None
        again = evaluate(found)
        return found if type(again) is type(value) and bool(again == value) else None
    except Exception:  # a value of the subject may do anything when it is looked at
        return None


def evaluate(expression: Expression) -> object:
    """What an expression makes, with what it imports."""
    names: dict[str, Any] = {}
    for module, name in expression.imports:
        if name:
            names[name] = getattr(sys.modules[module], name)
        else:
            names[module] = sys.modules[module]
    return eval(expression.source, names)


def _express(value: Any, depth: int) -> Expression | None:
    if depth > DEEPEST:
        return None
    kind = type(value)
    writer = WRITERS.get(kind)
    if writer is not None:
        return writer(value, depth)
    if value is None or value is Ellipsis or value is NotImplemented:
        return Expression(SINGLETONS[value])
    if isinstance(value, enum.Enum):
        return _member(value)
    if isinstance(value, type) or kind in (types.FunctionType, types.BuiltinFunctionType):
        return name_of(value)
    if isinstance(value, pathlib.PurePath):
        return _made(pathlib.Path if isinstance(value, pathlib.Path) else kind, [str(value)], {}, depth)
    fields = getattr(kind, "_fields", None)
    if isinstance(value, tuple) and fields is not None:
        return _made(kind, [], dict(zip(fields, value, strict=True)), depth)
    if dataclasses.is_dataclass(value) and getattr(kind, "__eq__", None) is not object.__eq__:
        told = [f.name for f in dataclasses.fields(value) if f.init and not _default(f, value)]
        return _made(kind, [], {name: getattr(value, name) for name in told}, depth)
    return None


def _default(field: dataclasses.Field[Any], value: object) -> bool:
    """Whether a field has the value that it gets when nothing is said."""
    return field.default is not dataclasses.MISSING and bool(getattr(value, field.name) == field.default)


def _plain(value: Any, depth: int) -> Expression | None:
    return Expression(repr(value))


def _int(value: int, depth: int) -> Expression | None:
    return Expression(repr(value)) if abs(value) < 10**MOST_DIGITS else None


def _float(value: float, depth: int) -> Expression | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return Expression(f'float("{value}")')
    return Expression(
        repr(value), exact=len(repr(value)) <= SHORT or (value.is_integer() and abs(value) < WHOLE)
    )


def _complex(value: complex, depth: int) -> Expression | None:
    return None if value != value else Expression(repr(value), exact=False)  # noqa: PLR0124 - NaN


def _elements(values: Iterable[Any], depth: int) -> list[Expression] | None:
    found: list[Expression] = []
    for value in values:
        part = _express(value, depth + 1)
        if part is None or len(found) >= MOST_ELEMENTS:
            return None
        found.append(part)
    return found


def _list(value: list[Any], depth: int) -> Expression | None:
    parts = _elements(value, depth)
    return None if parts is None else _wrap("[", parts, "]")


def _tuple(value: tuple[Any, ...], depth: int) -> Expression | None:
    parts = _elements(value, depth)
    return None if parts is None else _wrap("(", parts, ",)" if len(parts) == 1 else ")")


def _set(value: set[Any], depth: int) -> Expression | None:
    parts = _elements(value, depth)
    if parts is None or any(not p.exact for p in parts):  # pytest.approx knows no sets
        return None
    return _wrap("{", sorted(parts), "}") if parts else Expression("set()")


def _frozenset(value: frozenset[Any], depth: int) -> Expression | None:
    inside = _set(set(value), depth)
    if inside is None:
        return None
    return Expression("frozenset()") if not value else inside._replace(source=f"frozenset({inside.source})")


def _dict(value: dict[Any, Any], depth: int) -> Expression | None:
    keys, contents = _elements(value.keys(), depth), _elements(value.values(), depth)
    if keys is None or contents is None:
        return None
    pairs = [NOTHING.join("{}: {}", pair) for pair in zip(keys, contents, strict=True)]
    return _wrap("{", pairs, "}")


def _wrap(opening: str, parts: list[Expression], closing: str) -> Expression:
    inside = NOTHING.join(", ".join(["{}"] * len(parts)), parts)
    return inside._replace(source=opening + inside.source + closing)


def _imported(module: str) -> Callable[[Any, int], Expression | None]:
    """`repr` is right, once the module is there."""
    return lambda value, depth: Expression(repr(value), ((module, ""),))


def _named(module: str, name: str) -> Callable[[Any, int], Expression | None]:
    """`repr` is right, once the name is imported."""
    return lambda value, depth: Expression(repr(value), ((module, name),))


def _around(module: str, name: str, inside: Callable[[Any], Any]) -> Callable[[Any, int], Expression | None]:
    def write(value: Any, depth: int) -> Expression | None:
        part = _express(inside(value), depth + 1)
        return None if part is None else Expression("", ((module, name),)).join(f"{name}({{}})", [part])

    return write


def _member(value: enum.Enum) -> Expression | None:
    owner = name_of(type(value))
    if owner is None or getattr(type(value), str(value._name_), None) is not value:
        return None
    return owner._replace(source=f"{owner.source}.{value._name_}")


def name_of(thing: Any) -> Expression | None:
    """A class or function that can be imported by its name."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", "")
    if module == "builtins":
        return Expression(name) if getattr(sys.modules["builtins"], name, None) is thing else None
    if module not in sys.modules or not name.isidentifier() or module == "__main__" or _is_private(name):
        return None
    public = module.lstrip("_")
    if public in sys.modules and getattr(sys.modules[public], name, None) is thing:  # operator.lt
        module = public
    elif module.startswith("_") and module in sys.stdlib_module_names:
        return None  # nobody imports it
    if getattr(sys.modules[module], name, None) is not thing:
        return None
    if module in MODULES and not isinstance(thing, type):  # as it is written where it is passed
        return Expression(f"{module}.{name}", ((module, ""),))
    return Expression(name, ((module, name),))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _made(kind: type, plain: list[Any], named: dict[str, Any], depth: int) -> Expression | None:
    owner = name_of(kind) if kind is not pathlib.Path else Expression("Path", (("pathlib", "Path"),))
    parts = _elements([*plain, *named.values()], depth)
    if owner is None or parts is None or not all(name.isidentifier() for name in named):
        return None
    places = ["{}"] * len(plain) + [f"{name}={{}}" for name in named]
    return owner.join(f"{owner.source}({', '.join(places)})", parts)


WRITERS: dict[type, Callable[[Any, int], Expression | None]] = {
    bool: _plain,
    str: _plain,
    bytes: _plain,
    bytearray: _plain,
    range: _plain,
    int: _int,
    float: _float,
    complex: _complex,
    list: _list,
    tuple: _tuple,
    set: _set,
    frozenset: _frozenset,
    dict: _dict,
    decimal.Decimal: lambda value, depth: (
        None if value.is_nan() else Expression(f'Decimal("{value}")', (("decimal", "Decimal"),))
    ),
    fractions.Fraction: _named("fractions", "Fraction"),
    uuid.UUID: _named("uuid", "UUID"),
    re.Pattern: _imported("re"),
    collections.deque: _around("collections", "deque", list),
    collections.Counter: _around("collections", "Counter", dict),
    collections.OrderedDict: _around("collections", "OrderedDict", dict),
    **dict.fromkeys(
        (datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone),
        _imported("datetime"),
    ),
}
