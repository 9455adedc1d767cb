"""Every public name of a module becomes an operation or is skipped with a reason."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

import pytest

from tanteo.assembly import open_here
from tanteo.bindings import Bindings
from tanteo.execute.load import Wanted, load
from tanteo.operations import read_modules
from tanteo.subject import Operation
from tanteo.types import ANYTHING, Want
from tests.unit.conftest import Import, Write

KITCHEN = """
import abc
import asyncio
import dataclasses
import enum
import functools
from collections import OrderedDict
from typing import NamedTuple, Protocol

def plain(x: int, *, loud: bool = False): return (x, loud)
def _private(): pass
def numbers(n: int):
    while True:
        yield n
async def wait(x): return x
async def stream():
    yield 1
@functools.lru_cache
def cached(x: int): return x
half = functools.partial(plain, loud=True)
anonymous = lambda x: x
LIMIT = 3

class Base:
    def __init__(self, x: int): self.x = x
    def inherited(self): return self.x
    def overridden(self): return "base"

class _Hidden:
    def from_hidden(self): return "hidden"

class Child(Base, _Hidden):
    def overridden(self): return "child"
    def _secret(self): return None
    @staticmethod
    def fixed(x: str): return x
    @classmethod
    def make(cls, x: int = 1): return cls(x)
    @property
    def size(self): return self.x
    @size.setter
    def size(self, value: int): self.x = value
    @property
    def fixed_size(self): return 1
    @functools.cached_property
    def slow(self): return 2
    async def fetch(self, y): return y
    def walk(self):
        yield self.x
    def __len__(self): return 4
    def __eq__(self, other): return isinstance(other, Child)
    def __add__(self, other): return ("add", other)
    def __radd__(self, other): return ("radd", other)
    def __iadd__(self, other): return self
    def __getitem__(self, key: str): return key
    def __setitem__(self, key: str, value: int): self.item = (key, value)
    def __contains__(self, x: int): return x == 1
    def __call__(self, x: int, y=2): return (x, y)
    def __iter__(self): return iter(range(1000))
    def __reduce__(self): return (Child, (1,))
    class Nested: pass

@dataclasses.dataclass
class Loose:
    x: int
    y: "list[int]" = dataclasses.field(default_factory=list)
    _z: int = 0

@dataclasses.dataclass(frozen=True)
class Tight:
    x: int

class Colour(enum.Enum):
    RED = 1
    CRIMSON = 1
    BLUE = 2
    def mix(self, other: "Colour"): return other

class Point(NamedTuple):
    x: int
    y: int = 0
    def norm(self): return self.x

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def double(self): return 2 * self.area()

class Square(Shape):
    def area(self): return 4

class Speaks(Protocol):
    def speak(self): ...

class Instance:
    def __call__(self): return 1
instance = Instance()
"""


class Kitchen:
    """Operations by name, callable by name."""

    def __init__(self, module: ModuleType, bindings: Bindings) -> None:
        self.module, self.bindings = module, bindings
        self.operations = {o.name.removeprefix(module.__name__ + "."): o for o in bindings.operations}
        self.skipped = {s.name.removeprefix(module.__name__ + "."): s.reason for s in bindings.skipped}

    def __getitem__(self, name: str) -> Operation:
        return self.operations[name]

    def call(self, name: str, *args: Any, **named: Any) -> Any:
        return self.bindings.calls[self.operations[name].index](*args, **named)

    def wants(self, name: str) -> dict[str, tuple[Want, ...]]:
        return {s.name: s.wants for s in self.bindings.slots[self.operations[name].index]}

    def below(self, name: str) -> set[str]:
        """The operations of a class, without its constructor and its operators."""
        found = {n.removeprefix(name + ".") for n in self.operations if n.startswith(name + ".")}
        return {n for n in found if not n.startswith("__")}


@pytest.fixture
def kitchen(load_source: Import) -> Kitchen:
    module = load_source("kitchen", KITCHEN)
    return Kitchen(module, read_modules([module], frozenset({"kitchen"}), {}, False))


def test_every_public_name_is_there_or_has_a_reason(kitchen: Kitchen) -> None:
    own = {
        name
        for name, thing in vars(kitchen.module).items()
        if callable(thing)
        and (getattr(thing, "__module__", "") == "kitchen" or isinstance(thing, functools.partial))
    }
    heads = {name.split(".")[0] for name in [*kitchen.operations, *kitchen.skipped]}
    assert own - heads == set()


def test_displays_come_first_in_every_subject(kitchen: Kitchen) -> None:
    first = kitchen.bindings.operations[:4]
    assert [o.name for o in first] == ["list", "tuple", "dict", "set"]
    assert all(o.kind == "display" and o.helper for o in first)
    made = [kitchen.bindings.calls[n](1, 2) for n in range(4)]
    assert made == [[1, 2], (1, 2), {1: 2}, {1, 2}]


def test_functions(kitchen: Kitchen) -> None:
    plain = kitchen["plain"]
    assert (plain.kind, plain.module, plain.form) == ("function", "kitchen", "{symbol:plain}({args})")
    assert [p.name for p in plain.parameters] == ["x", "loud"]
    assert plain.parameters[1].keyword
    assert not plain.parameters[1].required
    assert kitchen.call("plain", 1, loud=True) == (1, True)
    assert kitchen.call("cached", 3) == 3
    assert kitchen.call("anonymous", 3) == 3
    assert kitchen.wants("cached") == {"x": (Want(int),)}
    assert "LIMIT" not in kitchen.operations
    assert kitchen.skipped["_private"] == "private"


def test_a_partial_function_is_a_function(kitchen: Kitchen) -> None:
    assert kitchen["half"].kind == "function"
    assert kitchen.call("half", 1) == (1, True)


def test_imported_names_are_somebody_elses(kitchen: Kitchen) -> None:
    assert not {"OrderedDict", "NamedTuple", "Protocol", "abc"} & {*kitchen.operations, *kitchen.skipped}


def test_generators_and_coroutines_give_values(kitchen: Kitchen) -> None:
    assert kitchen["numbers"].form == "list(itertools.islice({symbol:numbers}({args}), 100))"
    assert kitchen.call("numbers", 7) == [7] * 100
    assert kitchen["wait"].form == "asyncio.run({symbol:wait}({args}))"
    assert kitchen.call("wait", 8) == 8
    assert kitchen["stream"].form == "asyncio.run(collected({symbol:stream}({args})))"
    assert isinstance(kitchen.call("stream"), list)
    child = kitchen.call("Child", 3)
    assert kitchen["Child.fetch"].form == "asyncio.run({0}.fetch({args}))"
    assert kitchen.call("Child.fetch", child, 9) == 9
    assert kitchen.call("Child.walk", child) == [3]


def test_constructors_and_methods(kitchen: Kitchen) -> None:
    assert kitchen["Child"].kind == "constructor"
    assert kitchen["Child"].form == "{symbol:Child}({args})"
    assert kitchen.wants("Child") == {"x": (Want(int),)}
    child = kitchen.call("Child", 3)
    assert kitchen["Child.overridden"].form == "{0}.overridden({args})"
    assert kitchen.call("Child.overridden", child) == "child"
    assert kitchen.call("Base.overridden", child) == "child"  # called through the receiver
    assert kitchen.wants("Child.overridden") == {"self": (Want(kitchen.module.Child),)}
    assert kitchen.skipped["Child._secret"] == "private"
    assert kitchen.skipped["Child.Nested"] == "a class inside a class"


def test_inherited_methods_are_tested_once_with_their_owner(kitchen: Kitchen) -> None:
    assert "Base.inherited" in kitchen.operations
    assert "Child.inherited" not in kitchen.operations
    assert kitchen.call("Child.from_hidden", kitchen.call("Child", 1)) == "hidden"
    assert kitchen.skipped["_Hidden"] == "private"


def test_static_and_class_methods(kitchen: Kitchen) -> None:
    fixed, make = kitchen["Child.fixed"], kitchen["Child.make"]
    assert (fixed.kind, fixed.form) == ("static method", "{symbol:Child}.fixed({args})")
    assert (make.kind, make.form) == ("class method", "{symbol:Child}.make({args})")
    assert kitchen.call("Child.fixed", "a") == "a"
    assert kitchen.call("Child.make", 5).x == 5
    assert kitchen.wants("Child.make") == {"x": (Want(int),)}


def test_properties(kitchen: Kitchen) -> None:
    child = kitchen.call("Child", 3)
    assert (kitchen["Child.size"].kind, kitchen["Child.size"].form) == ("attribute", "{0}.size")
    assert kitchen["Child.size"].observer
    write = kitchen["Child.size ="]
    assert (write.kind, write.form, write.value) == ("attribute write", "{0}.size = {1}", False)
    assert kitchen.wants("Child.size =")["value"] == (Want(int),)
    assert kitchen.call("Child.size =", child, 11) is None
    assert kitchen.call("Child.size", child) == 11
    assert "Child.fixed_size" in kitchen.operations
    assert "Child.fixed_size =" not in kitchen.operations
    assert kitchen.call("Child.slow", child) == 2
    assert "Child.slow =" not in kitchen.operations


def test_operators_are_written_as_people_write_them(kitchen: Kitchen) -> None:
    forms = {n: o.form for n, o in kitchen.operations.items() if n.startswith("Child.__")}
    assert forms == {
        "Child.__len__": "len({0})",
        "Child.__eq__": "{0} == {1}",
        "Child.__add__": "{0} + {1}",
        "Child.__radd__": "{1} + {0}",
        "Child.__iadd__": "{0} += {1}",
        "Child.__getitem__": "{0}[{1}]",
        "Child.__setitem__": "{0}[{1}] = {2}",
        "Child.__contains__": "{1} in {0}",
        "Child.__call__": "{0}({args})",
        "Child.__iter__": "list(itertools.islice({0}, 100))",
        "Child.__reduce__": "pickle.loads(pickle.dumps({0}))",
    }
    assert "Child.__init__" not in kitchen.skipped


def test_operators_do_what_they_say(kitchen: Kitchen) -> None:
    child = kitchen.call("Child", 3)
    assert kitchen.call("Child.__len__", child) == 4
    assert kitchen.call("Child.__add__", child, 1) == ("add", 1)
    assert kitchen.call("Child.__radd__", child, 1) == ("radd", 1)
    assert kitchen.call("Child.__iadd__", child, 1) is child
    assert kitchen.call("Child.__getitem__", child, "k") == "k"
    assert kitchen.call("Child.__setitem__", child, "k", 5) is None
    assert child.item == ("k", 5)
    assert kitchen.call("Child.__contains__", child, 1) is True
    assert kitchen.call("Child.__call__", child, 1, y=3) == (1, 3)
    assert kitchen.call("Child.__iter__", child) == list(range(100))


def test_operands_are_declared_or_likely_of_the_same_class(kitchen: Kitchen) -> None:
    own = Want(kitchen.module.Child)
    assert kitchen.wants("Child.__add__") == {"self": (own,), "other": (own, ANYTHING)}
    assert kitchen.wants("Child.__getitem__")["key"] == (Want(str),)
    assert kitchen.wants("Child.__setitem__")["value"] == (Want(int),)
    assert not kitchen["Child.__setitem__"].value
    assert not kitchen["Child.__iadd__"].observer


def test_dataclasses(kitchen: Kitchen) -> None:
    assert kitchen.below("Loose") == {"x", "x =", "y", "y ="}
    assert kitchen.below("Tight") == {"x"}
    assert kitchen.wants("Loose") == {
        "x": (Want(int),),
        "y": (Want(list, ((Want(int),),)),),
    }
    assert kitchen.wants("Loose.y =")["value"] == (Want(list, ((Want(int),),)),)
    loose = kitchen.call("Loose", 1)
    kitchen.call("Loose.x =", loose, 4)
    assert kitchen.call("Loose.x", loose) == 4
    assert {"Loose.__eq__", "Loose.__repr__", "Tight.__hash__"} <= set(kitchen.operations)
    assert "Loose.__hash__" not in kitchen.operations


def test_enums(kitchen: Kitchen) -> None:
    constants = {n: o for n, o in kitchen.operations.items() if o.kind == "constant"}
    assert {n: o.form for n, o in constants.items()} == {
        "Colour.RED": "{symbol:Colour}.RED",
        "Colour.BLUE": "{symbol:Colour}.BLUE",
    }
    assert kitchen.call("Colour.BLUE") is kitchen.module.Colour.BLUE
    assert "Colour" not in kitchen.operations
    assert kitchen.wants("Colour.mix")["other"] == (Want(kitchen.module.Colour),)
    assert kitchen.below("Colour") == {"RED", "BLUE", "mix"}


def test_named_tuples(kitchen: Kitchen) -> None:
    assert kitchen.wants("Point") == {"x": (Want(int),), "y": (Want(int),)}
    assert {"x", "y", "norm"} <= kitchen.below("Point")
    assert not [n for n in kitchen.below("Point") if n.endswith("=") or n in ("count", "index")]
    assert kitchen.call("Point.y", kitchen.call("Point", 1, 2)) == 2


def test_abstract_classes_are_tested_through_children(kitchen: Kitchen) -> None:
    assert "Shape" not in kitchen.operations
    assert kitchen.call("Shape.double", kitchen.call("Square")) == 8
    assert kitchen["SomeShape"].helper
    assert isinstance(kitchen.call("SomeShape"), kitchen.call("Square").__class__.__mro__[1])
    assert "Speaks" not in kitchen.operations
    assert kitchen["SomeSpeaks"].definition.startswith("class SomeSpeaks({symbol:Speaks}):")


def test_an_instance_is_no_function(kitchen: Kitchen) -> None:
    assert kitchen.skipped["instance"] == "an instance of Instance, not a function or class"
    assert kitchen["Instance.__call__"].form == "{0}({args})"


def test_numbers_are_positions(kitchen: Kitchen) -> None:
    bindings = kitchen.bindings
    assert [o.index for o in bindings.operations] == list(range(len(bindings.operations)))
    assert len(bindings.calls) == len(bindings.slots) == len(bindings.operations)
    again = read_modules([kitchen.module], frozenset({"kitchen"}), {}, False)
    assert [o.name for o in again.operations] == [o.name for o in bindings.operations]


def test_private_names_on_request(kitchen: Kitchen) -> None:
    found = Kitchen(kitchen.module, read_modules([kitchen.module], frozenset({"kitchen"}), {}, True))
    assert {"_private", "_Hidden", "_Hidden.from_hidden", "Child._secret"} <= set(found.operations)
    assert "Child.from_hidden" not in found.operations


@pytest.mark.parametrize(
    ("wanted", "tested", "helpers"),
    [
        (["plain"], {"plain"}, set()),
        (["Child.fixed"], {"Child.fixed"}, {"Child"}),
        (["Child.inherited"], {"Child.inherited"}, {"Child"}),
        (["Child.size"], {"Child.size", "Child.size ="}, {"Child"}),
        (["Tight.__init__"], {"Tight"}, set()),
    ],
    ids=str,
)
def test_a_target_inside_a_module(
    kitchen: Kitchen, wanted: list[str], tested: set[str], helpers: set[str]
) -> None:
    bindings = read_modules([kitchen.module], frozenset({"kitchen"}), {"kitchen": wanted}, False)
    found = Kitchen(kitchen.module, bindings)
    own = {n: o for n, o in found.operations.items() if o.kind != "display"}
    assert {n for n, o in own.items() if not o.helper} == tested
    assert {n for n, o in own.items() if o.helper} == helpers


def test_all_decides_what_is_public(load_source: Import) -> None:
    module = load_source(
        "listed",
        """
        __all__ = ["shown", "_shown_too"]
        def shown(): ...
        def _shown_too(): ...
        def hidden(): ...
        """,
    )
    found = Kitchen(module, read_modules([module], frozenset({"listed"}), {}, False))
    assert {n for n, o in found.operations.items() if o.kind != "display"} == {"shown", "_shown_too"}
    assert found.skipped == {"hidden": "not in __all__"}


def test_a_name_is_tested_once_where_people_import_it_from(load_source: Import, write: Write) -> None:
    write("shelf/_inner.py", "def deep(): ...\ndef kept(): ...\n")
    write("shelf/open.py", "from shelf._inner import kept\ndef shallow(): ...\n")
    write("shelf/other.py", "from shelf.open import shallow\n")
    package = load_source("shelf.__init__", "from shelf._inner import deep\n")
    assert package is not None
    __import__("shelf.open")
    __import__("shelf.other")
    modules = [sys.modules[n] for n in ("shelf", "shelf._inner", "shelf.open", "shelf.other")]
    bindings = read_modules(modules, frozenset({"shelf"}), {}, False)
    names = [o.name for o in bindings.operations if o.kind != "display"]
    assert names == ["shelf.deep", "shelf.open.kept", "shelf.open.shallow"]
    assert [s.reason for s in bindings.skipped] == [
        "private module (what it exports elsewhere is tested there)"
    ]


def test_a_module_that_lies_about_itself_is_read_anyway(load_source: Import) -> None:
    module = load_source(
        "lying",
        """
        class Odd:
            def __getattr__(self, name): raise RuntimeError(name)
            def __call__(self): ...
        odd = Odd()

        def strange(x: [int], y: {"a": 1}): ...
        strange.__module__ = "lying"

        def renamed(): ...
        renamed.__module__ = None

        def ordinary(): ...
        """,
    )
    bindings = read_modules([module], frozenset({"lying"}), {}, False)
    assert {"lying.ordinary", "lying.strange"} <= {o.name for o in bindings.operations}


PROTOCOL = '''
from typing import Protocol

class Data(Protocol):
    def __contains__(self, key: object) -> bool: ...
    def keys(self) -> list[str]:
        """The names."""
    def size(self) -> int:
        return len(self.keys())
    def kind(self) -> str:
        return "data"
'''


def test_what_a_protocol_leaves_to_others_is_the_same_with_probes(clean_imports: None, write: Write) -> None:
    session = open_here(str(write("data.py", PROTOCOL)))
    assert [o.name for o in session.operations if o.name.startswith("data.Data.")] == [
        "data.Data.kind",
        "data.Data.size",
    ]


def test_what_a_protocol_leaves_to_others_is_not_tested(load_source: Import) -> None:
    bindings = read_modules([load_source("data", PROTOCOL)], frozenset({"data"}), {}, False)
    names = {o.name for o in bindings.operations if o.name.startswith("data.Data.")}
    assert names == {"data.Data.size", "data.Data.kind"}
    reason = "a protocol only says what others do"
    assert {s.name for s in bindings.skipped if s.reason == reason} == {
        "data.Data.__contains__",
        "data.Data.keys",
    }


@pytest.mark.parametrize(
    ("words", "is_made"),
    [
        ("Do not instantiate directly, use the factory.", False),
        ("It should not be created directly.", False),
        ("Not meant to be\n    instantiated directly.", False),
        ("Can be instantiated directly or read from a file.", True),
    ],
)
def test_what_is_not_to_be_instantiated_is_not(load_source: Import, words: str, is_made: bool) -> None:
    module = load_source("pantry", f'class Jar:\n    """A jar. {words}"""\n    def open(self): return 1\n')
    pantry = Kitchen(module, read_modules([module], frozenset({"pantry"}), {}, False))
    assert ("Jar" in pantry.operations) == is_made
    assert ("Jar" in pantry.skipped) != is_made
    assert "Jar.open" in pantry.operations


def test_nobody_imports_what_is_private_to_others(clean_imports: None, write: Write) -> None:
    write("_inner.py", "class Tool:\n    pass\n")
    source = "import _inner\n\ndef use(tool: _inner.Tool) -> None: ...\n"
    session = open_here(str(write("outer.py", source)))
    assert not [o.name for o in session.operations if "Tool" in o.name]


def test_a_private_module_that_is_named_is_meant(clean_imports: None, write: Write) -> None:
    folder = write("hall/_door.py", "def shut(x):\n    return x\n\ndef _lock(x):\n    return x\n").parent
    (folder / "__init__.py").write_text("")
    for name, text in (("_deep", "def dig(x):\n    return x\n"), ("open", "def go(x):\n    return x\n")):
        (folder / f"{name}.py").write_text(text)
    sys.path.insert(0, str(folder.parent))

    def names(*targets: str) -> set[str]:
        loaded = load(Wanted(targets), lambda names, finder: {}, False, None)
        return {o.name for o in loaded.bindings.operations if o.module.startswith("hall")}

    assert names("hall._door") == {"hall._door.shut"}
    assert names(str(folder / "_deep.py")) == {"hall._deep.dig"}
    assert names("hall") == {"hall.open.go"}


def test_what_prepares_an_argument_comes_along_with_its_class(clean_imports: None, write: Write) -> None:
    state = "class State:\n    def fill(self, x):\n        self.x = x\n    def _own(self):\n        pass\n"
    folder = write("hut/core.py", state).parent
    (folder / "__init__.py").write_text("")
    (folder / "work.py").write_text("from .core import State\n\ndef use(state: State):\n    return state.x\n")
    sys.path.insert(0, str(folder.parent))
    bindings = load(Wanted(("hut.work",)), with_probes=False).bindings
    found = {o.name: o.helper for o in bindings.operations if o.name.startswith("hut.")}
    assert found == {"hut.core.State": True, "hut.core.State.fill": True, "hut.work.use": False}


def test_marks_of_private_modules_are_not_passed(clean_imports: None, write: Write) -> None:
    marks = "import enum\n\nclass Mark(enum.Enum):\n    MISSING = 1\n\nclass Tool:\n    pass\n"
    folder = write("shed/_marks.py", marks).parent
    (folder / "__init__.py").write_text("")
    use = "from . import _marks\n\ndef use(tool: _marks.Tool | _marks.Mark):\n    return tool\n"
    (folder / "work.py").write_text(use)
    sys.path.insert(0, str(folder.parent))
    bindings = load(Wanted(("shed.work",)), with_probes=False).bindings
    names = {o.name for o in bindings.operations}
    assert "shed._marks.Tool" in names
    assert "shed._marks.Mark.MISSING" not in names
