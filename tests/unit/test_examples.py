"""Calls that somebody has written down."""

from __future__ import annotations

import ast

from tanteo.examples import Call, read_calls, values_for

SOURCE = '''
def parse(text, limit=3):
    """Parse.

    >>> parse("1d 2h", limit=5)
    [1, 2]
    >>> broken(
    """
    return helper([1, 2], text)
'''


def test_doctests_come_first_and_calls_in_the_source_follow() -> None:
    calls = read_calls([ast.parse(SOURCE + "\nparse('x')\n")])
    assert [c.positional[0] for c in calls["parse"]] == ["1d 2h", "x"]
    assert calls["parse"][0].named == {"limit": 5}


def test_arguments_that_are_no_literals_are_passed_over() -> None:
    calls = read_calls([ast.parse(SOURCE)])
    assert values_for(calls["helper"], 0, "items") == [[1, 2]]
    assert values_for(calls["helper"], 1, "text") == []


def test_code_blocks_of_a_readme_are_read() -> None:
    calls = read_calls([], ["```python\nparse('from the readme')\n```", ">>> parse('from a session')\n"])
    assert values_for(calls["parse"], 0, "text") == ["from the readme", "from a session"]


def test_a_value_is_given_once_by_position_or_by_name() -> None:
    calls = [Call((1,), {}), Call((), {"n": 2}), Call((1,), {}), Call((None,), {})]
    assert values_for(calls, 0, "n") == [1, 2]
