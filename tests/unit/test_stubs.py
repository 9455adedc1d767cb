"""Types from stub files."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import pytest

from tanteo.execute.nest import typeshed
from tanteo.stubs import Stubs
from tests.unit.conftest import Import, Write


def said(stubs: Stubs, function: Callable[..., Any], parameter: str) -> list[str]:
    return [str(want) for want in stubs.wants(function, parameter)]


def test_a_stub_beside_the_module(load_source: Import, write: Write) -> None:
    write(
        "stubbed.pyi",
        """
        from typing import overload
        class Box:
            def put(self, item: list[int], where: "str | None" = ...) -> None: ...
        @overload
        def size(x: int) -> int: ...
        @overload
        def size(x: str, deep: bool = ...) -> int: ...
        def odd(x: __import__("os").sep, y: Unknown) -> int: ...
        """,
    )
    module = load_source(
        "stubbed",
        """
        class Box:
            def put(self, item, where=None): ...
        def size(x, deep=False): ...
        def odd(x, y): ...
        """,
    )
    stubs = Stubs()
    assert said(stubs, module.Box.put, "item") == ["list[int]"]
    assert said(stubs, module.Box.put, "where") == ["str", "None"]
    assert sorted(said(stubs, module.size, "x")) == ["int", "str"]
    assert said(stubs, module.size, "deep") == ["bool"]
    assert said(stubs, module.odd, "x") == []  # nothing is called
    assert said(stubs, module.odd, "y") == []


@pytest.mark.parametrize(
    ("function", "parameter", "expected"),
    [
        (list.insert, "index", "int"),
        (dict.update, "m", "dict[any, any]"),
        (str.split, "sep", "str"),
        (collections.deque.rotate, "n", "int"),
    ],
)
def test_typeshed_knows_what_is_inherited(function: Any, parameter: str, expected: str) -> None:
    assert expected in said(Stubs(typeshed()), function, parameter)


def test_parameters_that_python_does_not_tell() -> None:
    stubs = Stubs(typeshed())
    assert [(s.name, s.required) for s in stubs.slots(dict.pop)] == [("key", True), ("default", False)]
    (slot,) = stubs.slots(set.union)
    assert slot.variadic
    assert Stubs().slots(dict.pop) == ()
