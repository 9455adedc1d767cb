"""Minimal subclasses of what cannot be instantiated."""

from __future__ import annotations

from typing import Any

from tanteo.emit.source import render
from tanteo.execute.load import Wanted, load
from tanteo.model import Literal, call, say, sequence
from tanteo.subclasses import define, is_incomplete, make, name_of
from tests.unit.conftest import Import, Write

SOURCE = """
import abc
from typing import Protocol

class Shape(abc.ABC):
    def __init__(self, name: str) -> None:
        self.name = name
    @abc.abstractmethod
    def area(self) -> float: ...
    @property
    @abc.abstractmethod
    def sides(self) -> int: ...
    @staticmethod
    @abc.abstractmethod
    def kind() -> "str": ...
    @abc.abstractmethod
    async def draw(self): ...
    def double(self) -> float:
        return 2 * self.area()

class Stream(abc.ABC):
    def __iter__(self): return self
    def __next__(self):
        return self.receive()
    @abc.abstractmethod
    def receive(self) -> bytes: ...
    @abc.abstractmethod
    def name(self) -> str: ...

class Sized(Protocol):
    width: int
    def size(self) -> int: ...

class Stubborn(abc.ABC):
    def __init_subclass__(cls):
        raise TypeError("no")
    @abc.abstractmethod
    def f(self): ...

def measure(thing: Sized) -> int:
    return thing.size()
"""

SHAPE = """\
class SomeShape(Shape):
    def area(self, *args, **kwargs):
        return 1.5
    async def draw(self, *args, **kwargs):
        return None
    @staticmethod
    def kind(*args, **kwargs):
        return 'a'
    @property
    def sides(self):
        return 1"""


def test_everything_that_must_be_there_is(load_source: Import) -> None:
    module = load_source("shapes", SOURCE)
    assert is_incomplete(module.Shape)
    assert define(module.Shape, "Shape") == SHAPE
    made: Any = make(module.Shape, SHAPE)
    assert made("a").double() == 3.0
    protocol = define(module.Sized, "Sized")
    assert protocol is not None
    sized: Any = make(module.Sized, protocol)
    assert sized().size() == 1
    assert sized.width is None
    stream = define(module.Stream, "Stream")
    assert stream is not None
    endless: Any = make(module.Stream, stream)
    assert list(endless()) == []
    assert endless().name() == "a"
    refused = define(module.Stubborn, "Stubborn")
    assert refused is not None
    assert make(module.Stubborn, refused) is None


def test_they_are_operations_whose_source_comes_along(write: Write, clean_imports: None) -> None:
    loaded = load(Wanted((str(write("shapes.py", SOURCE)),)))
    numbers = {o.name.partition(".")[2]: o.index for o in loaded.subject.operations}
    assert "SomeShape" in numbers
    assert any("Stubborn" in s.name for s in loaded.subject.skipped)
    name = say(Literal("b", "'b'"))
    made = sequence((name, call(numbers["SomeShape"], (-1,)), call(numbers["Shape.double"], (-1,))))
    text = render(made, loaded.subject.operations)
    assert SHAPE in text
    names: dict[str, Any] = {}
    exec(text, names)
    without = load(Wanted((str(write("shapes.py", SOURCE)),), without=("subclass",)))
    assert not any(o.definition for o in without.subject.operations)


def test_classes_are_named_as_people_name_them() -> None:
    assert [name_of(type(name, (), {})) for name in ("stop_base", "Shape", "HTMLPage", "thing")] == [
        "SomeStopBase",
        "SomeShape",
        "SomeHTMLPage",
        "SomeThing",
    ]
