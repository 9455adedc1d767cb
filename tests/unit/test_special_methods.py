"""What Python calls by itself is reached the way Python reaches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tanteo.execute.load import Wanted, load
from tests.unit.conftest import Write

SOURCE = """
class Kept:
    def __init__(self, x: int) -> None:
        self.x = x
    def __getstate__(self):
        return {"x": self.x + 1}
    def __setstate__(self, state):
        self.x = 10 * state["x"]
    def __copy__(self):
        return Kept(-1)
    def __getattr__(self, name):
        return name.upper()

class Descriptor:
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, instance, owner):
        return "class" if instance is None else self.name
"""


def test_something_to_wait_for(write: Write, clean_imports: None) -> None:
    head = "from collections.abc import Awaitable\n"
    source = head + "async def both(a: Awaitable[int]) -> int:\n    return await a\n"
    loaded = load(Wanted((str(write("waiting.py", source)),)))
    numbers = {o.name: o.index for o in loaded.subject.operations}
    calls = loaded.bindings.calls
    assert calls[numbers["waiting.both"]](calls[numbers["asyncio.sleep"]](7)) == 7
    assert loaded.subject.operations[numbers["asyncio.sleep"]].helper


def test_pickling_copying_and_descriptors(write: Write, clean_imports: None) -> None:
    loaded = load(Wanted((str(write("kept.py", SOURCE)),)))
    calls: dict[str, Callable[..., Any]] = {
        o.name.partition(".")[2]: loaded.bindings.calls[o.index] for o in loaded.subject.operations
    }
    forms = {o.name.partition(".")[2]: o.form for o in loaded.subject.operations}
    kept = calls["Kept"](4)
    assert calls["Kept.__getstate__"](kept).x == 50
    assert "Kept.__setstate__" not in calls  # the same way there and back
    assert calls["Kept.__copy__"](kept).x == -1
    assert calls["Kept.__getattr__"](kept, "name") == "NAME"
    descriptor = calls["Descriptor"]()
    assert calls["Descriptor.__get__"](descriptor) == "attribute"
    assert calls["Descriptor.__set_name__"](descriptor) == "class"
    assert forms["Descriptor.__get__"] == 'type("Owner", (), {"attribute": {0}})().attribute'
