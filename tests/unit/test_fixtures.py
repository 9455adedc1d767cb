"""Fixtures of a conftest as operations without arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tanteo.bindings import Bindings
from tanteo.fixtures import add_fixtures
from tests.unit.conftest import Write

CONFTEST = """
import pytest

CLOSED = []

@pytest.fixture
def number():
    return 3

@pytest.fixture(name="pair")
def make_pair(number, tmp_path):
    assert tmp_path.is_dir()
    yield (number, tmp_path)
    CLOSED.append(number)

@pytest.fixture
def node(request):
    return request.node

@pytest.fixture
def above(node):
    return node

@pytest.fixture(params=[1, 2])
def several(request):
    return request.param

@pytest.fixture
async def late():
    return 1

def no_fixture():
    return 1
"""


def read(*files: Path) -> Bindings:
    bindings = Bindings()
    add_fixtures(bindings, tuple(map(str, files)))
    return bindings


def test_fixtures_are_called_with_what_they_need(
    write: Write, clean_imports: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = read(write("conftest.py", CONFTEST))
    assert [(o.name, o.kind, o.form, o.helper) for o in found.operations] == [
        ("conftest.number", "fixture", "number", True),
        ("conftest.pair", "fixture", "pair", True),
    ]
    assert found.calls[0]() == 3
    made = found.calls[1]()
    assert isinstance(made, tuple)
    assert made[0] == 3
    assert made[1].is_relative_to(tmp_path)


def test_what_cannot_be_called_here_has_a_reason(write: Write, clean_imports: None) -> None:
    found = read(write("conftest.py", CONFTEST))
    assert {s.name: s.reason for s in found.skipped} == {
        "conftest.several": "a fixture with several values",
        "conftest.node": "needs the fixture request, which is not in conftest.py",
        "conftest.above": "needs the fixture request, which is not in conftest.py",
        "conftest.late": "an asynchronous fixture",
    }


def test_an_inner_file_has_the_last_word(write: Write, clean_imports: None) -> None:
    inner = "import pytest\n\n@pytest.fixture\ndef number():\n    return 4\n"
    found = read(write("conftest.py", CONFTEST), write("inside/conftest.py", inner))
    assert found.calls[0]() == 4


def test_a_file_that_cannot_be_imported_is_told(write: Write, clean_imports: None) -> None:
    file = write("conftest.py", "import no_such_module_at_all\n")
    (skipped,) = read(file).skipped
    assert skipped.name == str(file)
    assert skipped.reason.startswith("cannot be imported: ModuleNotFoundError")
