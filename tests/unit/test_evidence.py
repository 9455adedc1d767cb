"""How functions use their parameters, read off the source."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tanteo.evidence import read_uses
from tanteo.uses import Use


def use(source: str, parameter: str = "x", function: str = "f") -> Use:
    return read_uses(ast.parse(textwrap.dedent(source)))[function][parameter]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return json.loads(x)", "[1, -2]"),
        ("return ast.parse(x.strip(), mode='eval')", "1 + 2"),
        ("z = x.lower()\n    return urllib.parse.urlsplit(z)", "/a?b=1"),
        ("return mine.loads(x)", None),
        ("return f(1, x)", None),
        ("return json.loads(x.read())", None),
    ],
)
def test_what_parses_a_parameter_tells_its_language(body: str, expected: str | None) -> None:
    texts = use(f"def f(x, y):\n    {body}\n").texts
    assert expected in texts if expected else texts == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x['key']", {"dict"}),
        ("return x[0]", {"list", "tuple", "str"}),
        ("for item in x: pass", {"list", "tuple", "str", "dict"}),
        ("return [y for y in x]", {"list", "tuple", "str", "dict"}),
        ("return x + 'suffix'", {"str"}),
        ("return x - 1", {"int", "float"}),
        ("return -x", {"int", "float"}),
        ("return not x", {"bool"}),
        ("return len(x)", {"list", "str", "dict"}),
        ("return x(1, 2)", {"function"}),
        ("return map(x, y)", {"function"}),
        ("raise x", {"Exception"}),
        ("return x == 'a'", {"str"}),
        ("return x in (1, 2)", {"int"}),
        ("return 3 < x", {"int"}),
        ("return 'a' in x", {"list", "str", "dict"}),
    ],
)
def test_what_is_done_with_a_parameter_tells_its_type(body: str, expected: set[str]) -> None:
    assert set(use(f"def f(x, y):\n    {body}\n").types) == expected


def test_attributes_arity_none_and_constants_are_noted() -> None:
    found = use("def f(x):\n    if x is None or x == 'a' or x in ('b', 'c'): x.strip()\n    x(1)\n")
    assert found.attributes == {"strip"}
    assert found.arity == 1
    assert found.may_be_none
    assert found.constants == ["a", "b", "c"]


def test_what_isinstance_asks_for_is_noted_as_source() -> None:
    assert use("def f(x):\n    return isinstance(x, (int, a.B))\n").classes == ["(int, a.B)"]


def test_a_type_that_is_compared_is_asked_for() -> None:
    source = "def f(x):\n    return type(x) is slice or type(x) in (int, a.B) or type(y) is str\n"
    assert use(source).classes == ["slice", "(int, a.B)"]


def test_to_whom_it_is_passed_is_noted() -> None:
    assert use("def f(x):\n    g(1, x)\n    h(key=x)\n").passed == [("g", 1), ("h", "key")]


def test_what_init_stores_is_followed_into_the_methods() -> None:
    source = """
    class A:
        def __init__(self, x):
            self._x = x
        def go(self):
            for item in self._x:
                self._x.append(item)
    """
    found = use(source, function="A.__init__")
    assert "list" in found.types
    assert found.attributes == {"append"}


def test_methods_and_nested_functions_have_their_qualified_names() -> None:
    found = read_uses(ast.parse("class A:\n    def m(self):\n        def inner(y): return y\n"))
    assert set(found) == {"A.m", "A.m.<locals>.inner"}
