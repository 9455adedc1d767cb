"""Expressions over the parameters of a call that are true or false: the words of abstract states.

The text of an atom is the Python that a person would write, `len(self) == 0`, `value in self`: it is what a
contract says, what a decorator contains, and what is evaluated.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

YES, NO, RAISES = 1, 0, 2
Ask = Callable[..., object]
RESULT = "result"
COMPARED = re.compile(r"(.+) (==|!=|<|>|<=|>=) (-?\d+)")
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Atom:
    """A text, the names in it that a call gives a value to, and where it comes from."""

    text: str
    names: tuple[str, ...]
    family: str
    ask: Ask

    def answer(self, values: Mapping[str, object]) -> int | None:
        """1 or 0, 2 if it raises; None if the call has no such value or the answer is no truth value."""
        try:
            given = [values[name] for name in self.names]
        except KeyError:
            return None
        try:
            told = self.ask(*given)
        except (Exception, SystemExit):  # as telling as an answer
            return RAISES
        return int(told) if told is True or told is False else None


def make_atom(text: str, names: Iterable[str], family: str, scope: Mapping[str, Any]) -> Atom | None:
    """An atom of this text; None if it is not an expression."""
    used = _names_in(text)
    known = tuple(name for name in names if name in used)
    if used is None or not known:
        return None
    try:
        ask = eval(f"lambda {', '.join(known)}: {text}", dict(scope))
    except (SyntaxError, ValueError):
        return None
    return Atom(text, known, family, ask)


def _names_in(text: str) -> set[str]:
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def literals(answers: list[int | None]) -> int:
    """The answers as a set of literals: bit 2n says that atom n is true, bit 2n + 1 that it is false."""
    found = 0
    for number, told in enumerate(answers):
        if told == YES:
            found |= 1 << 2 * number
        elif told == NO:
            found |= 2 << 2 * number
    return found


def members(bits: int) -> list[int]:
    """The numbers of the literals in a set."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def opposite(literal: int) -> int:
    """The literal that is true where this one is false."""
    return literal ^ 1


def in_words(literal: int, atoms: list[Atom]) -> str:
    """A literal as an expression."""
    return negated(atoms[literal >> 1].text) if literal & 1 else atoms[literal >> 1].text


def negated(text: str) -> str:
    """The opposite of an expression, in the way it is usually written."""
    tree = ast.parse(text, mode="eval").body
    match tree:
        case ast.UnaryOp(op=ast.Not(), operand=inside):
            return ast.unparse(inside)
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in TURNED:
            turned = ast.Compare(left=left, ops=[TURNED[type(sign)]()], comparators=[right])
            return ast.unparse(turned)
        case ast.BoolOp() | ast.IfExp() | ast.Lambda():
            return f"not ({text})"
    return f"not {text}"


TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}  # `<` is not turned: of two values that cannot be ordered neither holds


def says_more(one: str, other: str) -> bool:
    """Whether one comparison with a number rules out more than another: `len(x) == 0` and `len(x) != 3`."""
    first, second = COMPARED.fullmatch(one), COMPARED.fullmatch(other)
    if first is None or second is None or first[1] != second[1]:
        return False
    numbers = [int(first[3]), int(second[3])]
    points = {n + step for n in numbers for step in (-1, 0, 1)}
    if first[1].startswith("len("):
        points = {n for n in points if n >= 0}
    mine = {n for n in points if COMPARE[first[2]](n, numbers[0])}
    theirs = {n for n in points if COMPARE[second[2]](n, numbers[1])}
    return mine < theirs
