"""What modules have ready is passed: classes where one is wanted, objects that exist since the import."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.execute.load import Loaded, Wanted, load
from tanteo.model import NORMAL, Run
from tests.unit.conftest import Write


@pytest.fixture
def harbour(write: Write, tmp_path: Path, clean_imports: None) -> Path:
    write(
        "harbour/__init__.py",
        """
        class Ship:
            def __new__(cls, *args):
                if args != ("built at the yard",):
                    raise TypeError("ships are built at the yard")
                return object.__new__(cls)
            def sail(self):
                return "sailing"

        class Tug(Ship): ...
        class Pier: ...
        class Sign(type): ...
        class LEFT(metaclass=Sign): ...

        FLAGSHIP = Ship("built at the yard")
        _hidden = Tug("built at the yard")
        ANCHOR = 3

        class Watch:
            def __iter__(self):
                return self
            def __next__(self):
                return 1

        NEXT_WATCH = Watch()

        def christen(kind: type[Ship]):
            if not issubclass(kind, Ship):
                raise ValueError("no ship")
            return kind.__name__

        def turn(way):
            if way is LEFT:
                return "left"
            return "straight on"
        """,
    )
    sys.path.insert(0, str(tmp_path))
    return tmp_path


def offered(loaded: Loaded) -> set[str]:
    return {o.name for o in loaded.subject.operations if o.kind == "constant"}


def test_objects_of_the_subject_are_offered(harbour: Path) -> None:
    assert {"harbour.FLAGSHIP", "harbour.LEFT"} <= offered(load(Wanted(("harbour",))))


def test_what_is_private_or_of_a_built_in_type_or_changed_by_use_is_not(harbour: Path) -> None:
    assert not {"harbour._hidden", "harbour.ANCHOR", "harbour.NEXT_WATCH"} & offered(
        load(Wanted(("harbour",)))
    )


def test_a_parameter_for_classes_is_offered_those_that_fit(harbour: Path) -> None:
    loaded = load(Wanted(("harbour",)))
    (number,) = [o.index for o in loaded.subject.operations if o.name == "harbour.christen"]
    ((want,),) = [slot.wants for slot in loaded.bindings.slots[number]]
    assert {loaded.subject.operations[o].name for o in want.offers} == {"harbour.Ship", "harbour.Tug"}


def test_offers_can_be_switched_off(harbour: Path) -> None:
    assert not offered(load(Wanted(("harbour",), without=("offers",))))


def test_a_metaclass_is_not_called(harbour: Path) -> None:
    loaded = load(Wanted(("harbour",)))
    assert "harbour.Sign" not in {o.name for o in loaded.subject.operations}


@pytest.mark.parametrize("name", ["harbour.Ship.sail", "harbour.christen"])
def test_what_needs_them_is_called(harbour: Path, name: str) -> None:
    session = open_here("harbour", steps=400)
    (number,) = [o.index for o in session.operations if o.name == name]
    runs = [run for run in explore(session) if isinstance(run, Run)]
    assert any(r.verdict is NORMAL and r.sequence.statements[-1].operation == number for r in runs)


def test_what_a_parameter_is_compared_with_is_what_it_wants(harbour: Path) -> None:
    session = open_here("harbour", steps=400)
    results = {
        run.values[-1] for run in explore(session) if isinstance(run, Run) and run.values[-1:] == ["left"]
    }
    assert results == {"left"}
