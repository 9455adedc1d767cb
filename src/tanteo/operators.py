"""The data model's special methods, written as people write them.

`form` is what a reader sees, `call` is what runs; both take the receiver first.
"""

from __future__ import annotations

import asyncio
import copy
import itertools
import math
import operator
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

BOUND = 100  # how far an iterator is consumed
TAKEN, COLLECTED = "list(itertools.islice(", "asyncio.run(collected("  # how that is written


@dataclass(frozen=True, slots=True)
class Operator:
    """How one special method is reached."""

    form: str
    call: Callable[..., object]
    operands: int = 0
    observer: bool = True
    value: bool = True
    alike: bool = False  # the other operand is usually of the same class


def take(iterable: Any) -> list[object]:
    """The first items, so that what never ends comes back."""
    return list(itertools.islice(iterable, BOUND))


_loops: list[asyncio.AbstractEventLoop] = []


def run_coroutine(coroutine: Any) -> object:
    """As `asyncio.run`, but with one event loop for all: making one costs more than most runs."""
    if not _loops or _loops[0].is_closed() or _loops[0].is_running():
        _loops[:] = [asyncio.new_event_loop()]
    loop = _loops[0]
    try:
        return loop.run_until_complete(coroutine)
    finally:
        _end_tasks(loop)


def _end_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """What a run has started ends with it."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))


async def collected(items: Any) -> list[object]:
    """The first items of an asynchronous iterator."""
    found: list[object] = []
    async for item in items:
        found.append(item)
        if len(found) >= BOUND:
            break
    return found


def is_collected(form: str) -> bool:
    """Whether the result is a list only because we make one of what an iterator gives."""
    return form.startswith((COLLECTED, TAKEN))


async def awaited(thing: Any) -> object:
    """What something that is not a coroutine comes to."""
    return await thing


async def give_back(*args: object) -> object:
    """An asynchronous function for whoever wants one."""
    return args[0] if args else None


async def give_number(*args: object) -> int:
    """Another one, whose result can be written down whatever it is given."""
    return len(args)


def _enter(context: Any) -> None:
    with context:
        pass


def _hash(value: Any) -> None:
    """The number itself is chance where it comes from an address; nobody may build on it."""
    hash(value)


def _binary(sign: str, call: Callable[[Any, Any], object]) -> Operator:
    return Operator(f"{{0}} {sign} {{1}}", call, 1, alike=True)


def _reflected(sign: str, call: Callable[[Any, Any], object]) -> Operator:
    return Operator(f"{{1}} {sign} {{0}}", lambda a, b: call(b, a), 1)


def _in_place(sign: str, call: Callable[[Any, Any], object]) -> Operator:
    return Operator(f"{{0}} {sign}= {{1}}", call, 1, observer=False, value=False, alike=True)


def _owner(descriptor: Any) -> Any:
    """A class that has it for an attribute."""
    return type("Owner", (), {"attribute": descriptor})


def _pickled(value: Any) -> object:
    """There and back again."""
    return pickle.loads(pickle.dumps(value))


OWNER = 'type("Owner", (), {"attribute": {0}})'
PICKLED = Operator("pickle.loads(pickle.dumps({0}))", _pickled)
PICKLING = (
    "__getstate__",
    "__setstate__",
    "__reduce__",
    "__reduce_ex__",
    "__getnewargs__",
    "__getnewargs_ex__",
)

ARITHMETIC: dict[str, tuple[str, Callable[[Any, Any], object], Callable[[Any, Any], object]]] = {
    "add": ("+", operator.add, operator.iadd),
    "sub": ("-", operator.sub, operator.isub),
    "mul": ("*", operator.mul, operator.imul),
    "matmul": ("@", operator.matmul, operator.imatmul),
    "truediv": ("/", operator.truediv, operator.itruediv),
    "floordiv": ("//", operator.floordiv, operator.ifloordiv),
    "mod": ("%", operator.mod, operator.imod),
    "pow": ("**", operator.pow, operator.ipow),
    "lshift": ("<<", operator.lshift, operator.ilshift),
    "rshift": (">>", operator.rshift, operator.irshift),
    "and": ("&", operator.and_, operator.iand),
    "or": ("|", operator.or_, operator.ior),
    "xor": ("^", operator.xor, operator.ixor),
}

OPERATORS: dict[str, Operator] = {
    "__eq__": _binary("==", operator.eq),
    "__ne__": _binary("!=", operator.ne),
    "__lt__": _binary("<", operator.lt),
    "__le__": _binary("<=", operator.le),
    "__gt__": _binary(">", operator.gt),
    "__ge__": _binary(">=", operator.ge),
    "__len__": Operator("len({0})", len),
    "__bool__": Operator("bool({0})", bool),
    "__iter__": Operator(f"{TAKEN}{{0}}, {BOUND}))", take),
    "__next__": Operator("next({0})", next, observer=False),
    "__reversed__": Operator(f"{TAKEN}reversed({{0}}), {BOUND}))", lambda a: take(reversed(a))),
    "__contains__": Operator("{1} in {0}", operator.contains, 1),
    "__getitem__": Operator("{0}[{1}]", operator.getitem, 1, observer=False),
    "__setitem__": Operator("{0}[{1}] = {2}", operator.setitem, 2, observer=False, value=False),
    "__delitem__": Operator("del {0}[{1}]", operator.delitem, 1, observer=False, value=False),
    "__aiter__": Operator(f"{COLLECTED}{{0}}))", lambda a: run_coroutine(collected(a)), observer=False),
    "__enter__": Operator("with {0}: pass", _enter, observer=False, value=False),
    "__neg__": Operator("-{0}", operator.neg),
    "__pos__": Operator("+{0}", operator.pos),
    "__abs__": Operator("abs({0})", abs),
    "__invert__": Operator("~{0}", operator.invert),
    "__int__": Operator("int({0})", int),
    "__float__": Operator("float({0})", float),
    "__complex__": Operator("complex({0})", complex),
    "__index__": Operator("operator.index({0})", operator.index),
    "__round__": Operator("round({0})", round),
    "__trunc__": Operator("math.trunc({0})", math.trunc),
    "__floor__": Operator("math.floor({0})", math.floor),
    "__ceil__": Operator("math.ceil({0})", math.ceil),
    "__divmod__": Operator("divmod({0}, {1})", divmod, 1),
    "__hash__": Operator("hash({0})", _hash, value=False),
    "__repr__": Operator("repr({0})", repr),
    "__str__": Operator("str({0})", str),
    "__bytes__": Operator("bytes({0})", bytes),
    "__format__": Operator("format({0}, {1})", format, 1),
    "__getattr__": Operator("getattr({0}, {1})", getattr, 1),
    "__copy__": Operator("copy.copy({0})", copy.copy),
    "__deepcopy__": Operator("copy.deepcopy({0})", copy.deepcopy),
    "__get__": Operator(f"{OWNER}().attribute", lambda a: _owner(a)().attribute, observer=False),
    "__set_name__": Operator(f"{OWNER}.attribute", lambda a: _owner(a).attribute, observer=False),
    **dict.fromkeys(PICKLING, PICKLED),
    **{f"__{n}__": _binary(s, f) for n, (s, f, _) in ARITHMETIC.items()},
    **{f"__r{n}__": _reflected(s, f) for n, (s, f, _) in ARITHMETIC.items()},
    **{f"__i{n}__": _in_place(s, f) for n, (s, _, f) in ARITHMETIC.items()},
}
