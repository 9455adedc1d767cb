"""Functions and strategies that make values."""

from __future__ import annotations

import pytest

from tanteo.bindings import Bindings
from tanteo.errors import UserError
from tanteo.makers import add_makers
from tests.unit.conftest import Import

SOURCE = """
from dataclasses import dataclass

@dataclass
class Coin:
    worth: int

def a_coin(worth: int = 5) -> Coin:
    return Coin(worth)

class Coins:
    \"\"\"What a strategy looks like from outside.\"\"\"
    def example(self): ...
    def map(self, function): ...

coins = Coins()
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


def test_values_of_a_strategy_are_made_anew(load_source: Import, monkeypatch: pytest.MonkeyPatch) -> None:
    mint = load_source("mint", SOURCE)
    values = [mint.Coin(1), mint.Coin(2), mint.Coin(1), object(), {"a": 1}]
    monkeypatch.setattr("tanteo.makers._examples", lambda strategy: values)
    found = read("mint:coins")
    assert [(o.form, o.module, o.kind) for o in found.operations] == [
        ("{symbol:Coin}(worth=1)", "mint", "constant"),
        ("{symbol:Coin}(worth=2)", "mint", "constant"),
        ("{{'a': 1}}", "mint", "constant"),
    ]
    assert found.calls[0]() == mint.Coin(1)
    assert found.calls[0]() is not found.calls[0]()


def test_a_strategy_whose_values_cannot_be_written_is_told(
    load_source: Import, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_source("mint", SOURCE)
    monkeypatch.setattr("tanteo.makers._examples", lambda strategy: [object()])
    (skipped,) = read("mint:coins").skipped
    assert skipped.reason == "no value of this strategy can be written down"


@pytest.mark.parametrize("name", ["mint:number", "mint:nothing", "nowhere:at_all", "nonsense"])
def test_what_makes_nothing_is_a_mistake(load_source: Import, name: str) -> None:
    load_source("mint", SOURCE)
    with pytest.raises(UserError) as caught:
        read(name)
    assert caught.value.slug == "no-such-maker"
