"""Functions and strategies that make values."""

from __future__ import annotations

import pytest

from tanteo.bindings import Bindings
from tanteo.emit.source import Writer
from tanteo.errors import UserError
from tanteo.makers import add_makers
from tests.unit.conftest import Import

SOURCE = """
from dataclasses import dataclass

from hypothesis import strategies as st

@dataclass
class Coin:
    worth: int

def a_coin(worth: int = 5) -> Coin:
    return Coin(worth)

coins = st.builds(Coin, st.integers(1, 3))
purses = st.just({"a": 1})
things = st.builds(object)
number = 3
"""


def read(*names: str) -> Bindings:
    bindings = Bindings()
    add_makers(bindings, names)
    return bindings


def test_a_function_is_an_operation_that_only_helps(load_source: Import) -> None:
    coins = load_source("mint", SOURCE)
    (operation,) = (found := read("mint:a_coin")).operations
    assert (operation.name, operation.form) == ("mint.a_coin", "{symbol:a_coin}({args})")
    assert operation.helper
    assert found.calls[0](7) == coins.Coin(7)


def test_values_of_a_strategy_are_made_anew(load_source: Import) -> None:
    mint = load_source("mint", SOURCE)
    found, again = read("mint:coins"), read("mint:coins")
    forms = [o.form for o in found.operations]
    assert set(forms) == {f"{{symbol:Coin}}(worth={n})" for n in (1, 2, 3)}
    assert {(o.module, o.kind, o.helper) for o in found.operations} == {("mint", "constant", True)}
    assert [o.form for o in again.operations] == forms
    assert isinstance(found.calls[0](), mint.Coin)
    assert found.calls[0]() == found.calls[0]()
    assert found.calls[0]() is not found.calls[0]()


def test_braces_are_written_as_they_are(load_source: Import) -> None:
    load_source("mint", SOURCE)
    (operation,) = read("mint:purses").operations
    assert Writer([operation]).spell(operation, [], ()) == "{'a': 1}"


def test_a_strategy_whose_values_cannot_be_written_is_told(load_source: Import) -> None:
    load_source("mint", SOURCE)
    (skipped,) = read("mint:things").skipped
    assert skipped.reason == "no value of this strategy can be written down"


@pytest.mark.parametrize("name", ["mint:number", "mint:nothing", "nowhere:at_all", "nonsense"])
def test_what_makes_nothing_is_a_mistake(load_source: Import, name: str) -> None:
    load_source("mint", SOURCE)
    with pytest.raises(UserError) as caught:
        read(name)
    assert caught.value.slug == "no-such-maker"
