"""Values that can be written down in one expression, beyond plain literals.

All of them may be shared between runs: nothing here can be changed by the subject.
"""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import io
import itertools
import math
import operator
import pathlib
import pickle
import re
import types
import typing
import uuid

from tanteo.model import Literal
from tanteo.operators import give_back, give_number
from tanteo.types import FUNCTION, AsyncFunction

MODULES: dict[str, types.ModuleType] = {
    module.__name__: module
    for module in (
        collections,
        contextlib,
        copy,
        dataclasses,
        datetime,
        decimal,
        enum,
        fractions,
        functools,
        io,
        itertools,
        math,
        operator,
        pathlib,
        pickle,
        re,
        types,
        typing,
        uuid,
    )
}
NAMES = {**vars(builtins), **MODULES, "give_back": give_back, "give_number": give_number}

FUNCTIONS: dict[int, tuple[str, ...]] = {  # by the number of arguments
    0: ("lambda: 0", "list", "dict", "lambda: 'a'"),
    1: (
        "str",
        "len",
        "lambda x: x",
        "bool",
        "lambda x: x > 1",
        "int",
        "repr",
        "lambda x: [x]",
        "abs",
        "sorted",
    ),
    2: ("operator.add", "max", "lambda x, y: x", "operator.lt", "operator.eq", "lambda x, y: [x, y]"),
    3: ("lambda x, y, z: x", "lambda *args: len(args)"),
}
RESULTS: dict[str, type] = {  # of those that do not depend on what they are given
    "lambda: 0": int,
    "lambda: 'a'": str,
    "list": list,
    "dict": dict,
    "str": str,
    "repr": str,
    "len": int,
    "int": int,
    "bool": bool,
    "sorted": list,
    "lambda x: x > 1": bool,
    "lambda x: [x]": list,
    "operator.lt": bool,
    "operator.eq": bool,
    "lambda x, y: [x, y]": list,
    "lambda *args: len(args)": int,
}
# `x.strip()` in a function that has seen many texts makes CPython 3.11 to 3.13 crash if x is `str` itself:
# these are not passed where nobody asks for a function.
CRASHING = frozenset({"str", "list", "dict"})
PROMISED = frozenset(RESULTS.values())  # by an annotation, that can be kept
SOURCES: dict[type, tuple[str, ...]] = {
    datetime.date: ("datetime.date(2020, 2, 29)", "datetime.date(1999, 12, 31)", "datetime.date(1, 1, 1)"),
    datetime.datetime: (
        "datetime.datetime(2020, 2, 29, 12, 30)",
        "datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)",
        "datetime.datetime(1970, 1, 1)",
    ),
    datetime.time: ("datetime.time(12, 30)", "datetime.time(0, 0)"),
    datetime.timedelta: (
        "datetime.timedelta(0)",
        "datetime.timedelta(days=1, seconds=30)",
        "datetime.timedelta(days=-40)",
        "datetime.timedelta(days=400)",
        "datetime.timedelta(microseconds=1500)",
    ),
    datetime.tzinfo: ("datetime.timezone.utc", "datetime.timezone(datetime.timedelta(hours=-5))"),
    decimal.Decimal: ("decimal.Decimal('0')", "decimal.Decimal('1.5')", "decimal.Decimal('-3')"),
    fractions.Fraction: ("fractions.Fraction(1, 3)", "fractions.Fraction(-2, 1)"),
    uuid.UUID: ("uuid.UUID(int=5)",),
    re.Match: ("re.match('[a-z]+', 'ab')", "re.match('(a)(b)?', 'a')", "re.match('(?P<name>.*)', 'a b')"),
    re.Pattern: ("re.compile('a')", "re.compile('[a-z]+')", "re.compile('')"),
    pathlib.PurePath: ("pathlib.PurePosixPath('a/b.txt')",),
    pathlib.Path: ("pathlib.Path('a')", "pathlib.Path('b/c.txt')"),
    frozenset: ("frozenset()", "frozenset({1, 2})", "frozenset({'a'})"),
    range: ("range(3)", "range(0)", "range(5, 1, -2)"),
    slice: ("slice(0, 2)", "slice(None)", "slice(None, None, -1)"),
    types.ModuleType: ("math", "re"),
    Exception: ("ValueError('a')", "KeyError('b')", "Exception()"),
    type: (
        *("int", "str", "list", "dict", "object", "ValueError", "float", "type(None)"),
        *("list[int]", "dict[str, int]", "tuple[int, ...]", "tuple[int, str]", "int | str", "set[str]"),
        *("typing.Any", "typing.Optional[int]", "typing.Union[int, str]", "typing.Literal['a', 1]"),
        *("typing.List[int]", "typing.Dict[str, int]", "typing.Callable[[int], str]", "typing.Type[int]"),
        *("typing.ClassVar[int]", "typing.Final[int]", "typing.NewType('New', int)", "typing.TypeVar('T')"),
        *("typing.Tuple[int, ...]", "typing.Generic[typing.TypeVar('T')]", "typing.Iterable[int]"),
        *("typing.Annotated[int, 'a']", "typing.ForwardRef('int')", "typing.Sequence[typing.Any]"),
        *("dataclasses.make_dataclass('Point', [('x', int), ('y', str)])", "enum.Enum('Color', 'RED BLUE')"),
        *(
            "contextlib.nullcontext",
            "typing.NamedTuple('Pair', [('a', int), ('b', str)])",
            "typing.TypedDict('Keys', {'a': int})",
        ),
    ),
    FUNCTION: tuple(s for arity in (1, 2, 0) for s in FUNCTIONS[arity] if s not in CRASHING),
    AsyncFunction: ("give_back", "give_number"),
}


def evaluate(source: str) -> object:
    """The value of an expression that we have written; None if it does not make sense here."""
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError):
        try:
            return eval(source, dict(NAMES))
        except Exception:
            return None


@functools.cache
@functools.lru_cache
def functions_of_arity(arity: int, result: object = None) -> tuple[Literal, ...]:
    """Small functions that take so many arguments; those that give such a result, if that can be told."""
    sources = FUNCTIONS.get(arity, FUNCTIONS[3])
    if result in PROMISED:
        sources = tuple(s for s in sources if RESULTS.get(s, result) is result) or sources
    return tuple(Literal(evaluate(s), s) for s in sources)
