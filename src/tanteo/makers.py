"""Values that the user knows how to make: functions, and Hypothesis strategies."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from collections.abc import Callable
from typing import Any

from tanteo import infer, plugins
from tanteo.bindings import Bindings, symbol
from tanteo.errors import UserError
from tanteo.express import Expression, evaluate, express

PLACE = re.compile(r"\{(\d|args)\}")  # means something else in a form
EXAMPLES = 30  # values that are taken from a strategy


def add_makers(bindings: Bindings, names: tuple[str, ...]) -> None:
    """An operation for each function that was named or that an entry point brings.

    Nothing tells for which type: that is seen when it has run, as with any other value.
    """
    found = [(e.value, e.load()) for e in importlib.metadata.entry_points(group="tanteo.makers")]
    found += [(name, plugins.find("makers", name)) for name in names]
    for name, thing in found:
        module, _, attribute = name.partition(":")
        if hasattr(thing, "example") and hasattr(thing, "map"):
            _add_strategy(bindings, module, attribute, thing)
        elif callable(thing):
            slots = infer.slots_of(thing, skip_first=False) or ()
            form = symbol(attribute) + "({args})"
            bindings.add(f"{module}.{attribute}", "function", module, form, thing, slots, thing, helper=True)
        else:
            kind = type(thing).__qualname__
            raise UserError(f"{name} is {kind}, not a function or a strategy", "no-such-maker")


def _add_strategy(bindings: Bindings, module: str, name: str, strategy: Any) -> None:
    """A constant for each value that can be written down with what one module offers."""
    seen: dict[str, Expression] = {}
    for value in _examples(strategy):
        expression = express(value)
        if expression is None or PLACE.search(expression.source):
            continue
        if len({home for home, _ in expression.imports}) <= 1:
            seen.setdefault(expression.source, expression)
    if not seen:
        bindings.skip(f"{module}.{name}", "no value of this strategy can be written down")
    for number, expression in enumerate(seen.values()):
        home = next((home for home, _ in expression.imports), module)
        form = expression.source
        for _, local in expression.imports:
            form = re.sub(rf"\b{local}\b", symbol(local), form) if local else form
        label = f"{module}.{name}.{number}"
        bindings.add(label, "constant", home, form, _again(expression), (), observer=True, helper=True)


def _again(expression: Expression) -> Callable[[], object]:
    """Made anew each time: a run may change it."""
    return lambda: evaluate(expression)


def _examples(strategy: Any) -> list[object]:
    """The same ones each time; Hypothesis is in the subject's environment or the strategy would not be."""
    hypothesis: Any = importlib.import_module("hypothesis")
    found: list[object] = []

    def collect(value: object) -> None:
        found.append(value)

    quietly = hypothesis.settings(
        derandomize=True,
        database=None,
        max_examples=EXAMPLES,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
        deadline=None,
    )
    quietly(hypothesis.given(strategy)(collect))()
    return found
