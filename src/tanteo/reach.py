"""Which arms a call of an operation may lead to: those of its function, and of the functions it names.

A name in a function's code that some function of the subject has is taken for a call of it. That is coarse,
but it costs nothing at run time, and it sees private functions, which are reached through others only.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from tanteo.subject import Arm

DEEPEST = 3  # calls from the operation to an arm
SHARES = (1.0, 0.5, 0.25, 0.125)  # what an arm counts, by how deep it is
MOST_NAMESAKES = 4  # `get` of many classes says nothing

Reach = dict[int, float]  # arm -> what it counts


def reach_of(
    operations: Iterable[Any],  # the function behind each, if there is one
    functions: list[types.FunctionType],
    files: dict[str, str],
    arms: dict[int, Arm],
) -> list[Reach]:
    """What each operation may reach."""
    lines: dict[str, list[tuple[int, int]]] = {}
    for number, arm in arms.items():
        lines.setdefault(files.get(arm.module, ""), []).append((arm.line, number))
    named: dict[str, list[types.CodeType]] = {}
    for function in functions:
        named.setdefault(function.__name__, []).append(function.__code__)
    own: dict[types.CodeType, list[int]] = {}

    def arms_of(code: types.CodeType) -> list[int]:
        found = own.get(code)
        if found is None:
            first, last = span(code)
            found = [n for line, n in lines.get(code.co_filename, ()) if first <= line <= last]
            own[code] = found
        return found

    reached = []
    for function in operations:
        code = getattr(function, "__code__", None)
        found: Reach = {}
        for one, depth in _called(code, named) if isinstance(code, types.CodeType) else ():
            for reachable in arms_of(one):
                found.setdefault(reachable, SHARES[depth])
        reached.append(found)
    return reached


def _called(
    code: types.CodeType, named: dict[str, list[types.CodeType]]
) -> Iterator[tuple[types.CodeType, int]]:
    """The code itself and what it may call, the nearest first."""
    seen = {code}
    level = [code]
    for depth in range(DEEPEST + 1):
        yield from ((one, depth) for one in level)
        following: list[types.CodeType] = []
        for one in level:
            for name in dict.fromkeys(names_in(one)):
                namesakes = named.get(name, ())
                if len(namesakes) <= MOST_NAMESAKES:
                    following += [c for c in namesakes if c not in seen]
                    seen.update(namesakes)
        level = following


def names_in(code: types.CodeType) -> Iterator[str]:
    """Global names and attributes, also of the functions inside."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


def span(code: types.CodeType) -> tuple[int, int]:
    """The first and the last line, with the functions inside."""
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    inside = [span(c)[1] for c in code.co_consts if isinstance(c, types.CodeType)]
    return code.co_firstlineno, max([last, *inside])
