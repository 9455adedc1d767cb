"""Parts can be switched off, and then they are off."""

from __future__ import annotations

import pytest

from tanteo.assembly import assemble
from tanteo.engine import explore
from tanteo.errors import UserError
from tanteo.execute.load import Loaded, Wanted, load
from tanteo.model import NORMAL, Run
from tanteo.parts import PARTS, SOURCES
from tanteo.session import stream
from tanteo.settings import make_settings
from tests.unit.conftest import Write

SOURCE = '''
import decimal

class Token:
    def accept(self): ...

def f(a: int, b=2.5, name=None, x=None):
    """Do it.

    :param x: a dict
    """
    if a == "open" or isinstance(x, Token):
        return b.accept()
    return decimal.Decimal(a)

def g():
    return f("7", 3.5, "x")
'''


MAKERS = """
class Token:
    def __init__(self, text="a"):
        self.text = text

def find(text):
    return Token(text)
"""


def told(write: Write, *without: str) -> set[str]:
    loaded = load(Wanted((str(write("parted.py", SOURCE)),), without=without))
    function = next(o for o in loaded.subject.operations if o.name == "parted.f")
    return {word for p in function.parameters for word in p.types}


def test_unknown_parts_are_a_mistake_of_the_user() -> None:
    with pytest.raises(UserError, match="without must be one of"):
        make_settings({}, {"without": ("magic",)})
    assert make_settings({}, {"without": tuple(PARTS)}).without == tuple(PARTS)


@pytest.mark.parametrize("part", ["default", "docstring", "isinstance", "example", "name"])
def test_a_source_that_is_off_says_nothing(write: Write, clean_imports: None, part: str) -> None:
    assert any(f"({part})" in word for word in told(write))
    assert not any(f"({part})" in word for word in told(write, part))


def test_without_annotations_a_parameter_is_open(write: Write, clean_imports: None) -> None:
    loaded = load(Wanted((str(write("parted.py", SOURCE)),), without=("annotation",)))
    number = next(o.index for o in loaded.subject.operations if o.name == "parted.f")
    assert loaded.bindings.slots[number][0].open
    assert set(SOURCES) < set(PARTS)


@pytest.mark.parametrize(("without", "class_of_a_result"), [((), "Token"), (("elephant",), "object")])
def test_values_are_found_by_the_class_they_have_unless_that_is_off(
    write: Write, clean_imports: None, without: tuple[str, ...], class_of_a_result: str
) -> None:
    loaded = load(Wanted((str(write("makers.py", MAKERS)),), without=without))
    session = assemble(loaded, stream(0, "job"), steps=200, without=without)
    number = loaded_number(loaded, "find")
    runs = [run for run in explore(session) if isinstance(run, Run) and run.verdict is NORMAL]
    made = next(run for run in runs if run.sequence.statements[-1].operation == number)
    assert session.kinds(made)[-1].__name__ == class_of_a_result
    built = next(
        run for run in runs if run.sequence.statements[-1].operation == loaded_number(loaded, "Token")
    )
    assert session.kinds(built)[-1].__name__ == "Token"  # a constructor says what it makes


def loaded_number(loaded: Loaded, name: str) -> int:
    return next(o.index for o in loaded.subject.operations if o.name == f"makers.{name}")
