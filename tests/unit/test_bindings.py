"""Which operations may be asked about an object."""

from __future__ import annotations

from tanteo.operations import read_modules
from tests.unit.conftest import Import

SUBJECT = '''
class Shelf:
    """A shelf."""

    width: int = 3

    def __init__(self, *items: int) -> None:
        self.items = list(items)

    def empty(self) -> None: self.items.clear()
    def sorted(self, reverse: bool = False) -> list[int]: return sorted(self.items, reverse=reverse)
    def get_first(self) -> int: return self.items[0]
    def at(self, index: int) -> int: return self.items[index]
    def __len__(self) -> int: return len(self.items)
    def __iter__(self): return iter(self.items)
    def __hash__(self) -> int: return 1
    def __repr__(self) -> str: return "Shelf"
    def __neg__(self) -> int: return -1
    def __contains__(self, item: int) -> bool: return item in self.items
    @property
    def size(self) -> int: return len(self.items)
    @classmethod
    def of(cls) -> "Shelf": return cls()

class Long(Shelf):
    def get_length(self) -> int: return 9

def count(shelf: Shelf) -> int:
    return 1
'''


def names(load_source: Import, kind: str) -> list[str]:
    module = load_source("shelves", SUBJECT)
    bindings = read_modules([module], frozenset({"shelves"}), {}, False)
    found = bindings.observers(getattr(module, kind))
    assert bindings.observers(getattr(module, kind)) == found
    return [bindings.operations[number].name.rpartition(".")[2] for number in found]


def test_observers_need_nothing_else_and_the_plainest_come_first(load_source: Import) -> None:
    found = names(load_source, "Shelf")
    assert found[-3:] == ["get_first", "empty", "sorted"]
    assert set(found[:-3]) == {"size", "__len__", "__iter__"}
    assert found[0] == "size"


def test_a_class_is_asked_what_its_base_is_asked(load_source: Import) -> None:
    assert "get_length" in names(load_source, "Long")
    assert set(names(load_source, "Shelf")) < set(names(load_source, "Long"))


def test_there_is_nothing_to_ask_of_other_classes(load_source: Import) -> None:
    module = load_source("shelves", SUBJECT)
    assert read_modules([module], frozenset({"shelves"}), {}, False).observers(dict) == []
