"""Raw strings where nothing else needs an escape."""

from __future__ import annotations

import ast

import pytest

from tanteo.emit.escapes import with_raw_strings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"f('\\d', '\\w')", r"f('\d', '\w')".replace("'\\", "r'\\")),
        ("f('plain')", "f('plain')"),
        (r"f('\\d\n')", r"f('\\d\n')"),
        (r'"""A \\d."""', r'"""A \\d."""'),
        (r"f('end\\')", r"f('end\\')"),
        (r"f(b'\\d')", r"f(b'\\d')"),
        (r"f(r'\d\\d')", r"f(r'\d\\d')"),
        (r"f('it\'s \\d')", r"f('it\'s \\d')"),
    ],
)
def test_the_value_stays_and_the_escapes_go(text: str, expected: str) -> None:
    found = with_raw_strings(text)
    assert found == expected
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(text))
