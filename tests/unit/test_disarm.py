"""Probes that have fired are jumped over; the code does what it did, and the other probes still fire."""

from __future__ import annotations

import ast
import dis
import types
from pathlib import Path
from typing import Any

import pytest

from tanteo.disarm import FIRST, Probes, functions_of, jump_over
from tanteo.probes import Hits, patch, probe, set_bits

SOURCE = """
def sign(n):
    if n > 0:
        return 1
    for k in range(n, 0):
        n -= k
    return (-1 if n else 0) if n <= 0 else 2

def both(n):
    inner = lambda m: m + 1 if m else 0
    def deeper(k):
        if k:
            return inner(k)
        return inner(0)
    try:
        return deeper(n) if n != 5 else 10 // (n - 5)
    except ZeroDivisionError:
        return "none"

def picks(numbers):
    if (len(numbers) if numbers else 0):
        return [n if n > 1 else -n for n in numbers]
    return []
"""


@pytest.fixture
def module(tmp_path: Path) -> tuple[dict[str, Any], Hits, str]:
    probed = probe(ast.parse(SOURCE), "m", tmp_path / "m.py", 300)  # numbers that need an extended argument
    hits = Hits(300 + len(probed.blocks))
    namespace: dict[str, Any] = {"__name__": "m"}
    exec(patch(probed.code, hits), namespace)
    return namespace, hits, str(tmp_path / "m.py")


def outputs(namespace: dict[str, Any]) -> list[object]:
    found = [namespace["sign"](n) for n in (3, 0, -2)] + [namespace["both"](n) for n in (0, 1, 5)]
    return [*found, namespace["picks"]([]), namespace["picks"]([1, 2])]


def test_what_has_fired_fires_no_more_and_the_rest_does(module: tuple[dict[str, Any], Hits, str]) -> None:
    namespace, hits, path = module
    plain: dict[str, Any] = {}
    exec(SOURCE, plain)
    probes = Probes(functions_of([path]), hits)
    namespace["sign"](3)
    fired = bytearray(hits)
    probes.disarm(fired, FIRST)
    hits[:] = bytes(len(hits))
    namespace["sign"](3)
    assert not any(hits)
    assert outputs(namespace) == outputs(plain)
    new = set(set_bits(hits))
    assert len(new) > 10
    assert not new & set(set_bits(fired))
    probes.disarm(bytearray(a | b for a, b in zip(fired, hits, strict=True)), 2 * FIRST)
    hits[:] = bytes(len(hits))
    assert outputs(namespace) == outputs(plain)
    assert not any(hits)


def test_closures_made_later_have_the_new_code(module: tuple[dict[str, Any], Hits, str]) -> None:
    namespace, hits, path = module
    namespace["both"](1)
    Probes(functions_of([path]), hits).disarm(bytearray(hits), FIRST)
    hits[:] = bytes(len(hits))
    assert namespace["both"](1) == 2
    assert not any(hits)
    assert namespace["both"](0) == 0
    assert any(hits)


def test_it_looks_again_after_twice_as_many_steps(module: tuple[dict[str, Any], Hits, str]) -> None:
    _, hits, path = module
    probes = Probes(functions_of([path]), hits)
    assert probes.next == FIRST
    probes.disarm(bytearray(hits), 5000)
    assert probes.next == 10_000


def test_nothing_new_changes_no_function(module: tuple[dict[str, Any], Hits, str]) -> None:
    namespace, hits, path = module
    before = namespace["sign"].__code__
    Probes(functions_of([path]), hits).disarm(bytearray(len(hits)), FIRST)
    assert namespace["sign"].__code__ is before


def test_lines_and_exception_tables_stay(module: tuple[dict[str, Any], Hits, str]) -> None:
    namespace, hits, _ = module
    code: types.CodeType = namespace["both"].__code__
    changed = code.replace(co_code=jump_over(code, hits, set(range(len(hits)))))
    assert len(changed.co_code) == len(code.co_code)
    assert list(changed.co_lines()) == list(code.co_lines())
    assert changed.co_exceptiontable == code.co_exceptiontable
    assert "STORE_SUBSCR" not in {i.opname for i in dis.get_instructions(changed)}
