"""What a subject remembers is put back."""

from __future__ import annotations

from tanteo.execute.memory import Memory
from tests.unit.conftest import Import

PARSER = """
import functools

KNOWN = {"a": 1}
ORDER = ["a"]
MARKS = {1}

class Parser:
    cache = {}

    def parse(self, text):
        if text not in self.cache:
            self.cache[text] = len(text)
        return self.cache[text]

@functools.lru_cache
def size(text):
    return len(text)

@functools.cache
def hidden(text):
    return len(text)
"""


def test_tables_and_caches_forget_what_came_later(load_source: Import) -> None:
    grammar = load_source("grammar", PARSER)
    memory = Memory(frozenset({"grammar"}))
    cache = grammar.Parser.cache
    grammar.Parser().parse("b")
    grammar.size("c")
    grammar.hidden("d")
    grammar.KNOWN["e"] = 2
    grammar.ORDER.append("f")
    grammar.MARKS.clear()
    memory.restore()
    assert grammar.Parser.cache is cache
    assert cache == {}
    assert grammar.size.cache_info().currsize == grammar.hidden.cache_info().currsize == 0
    assert grammar.KNOWN == {"a": 1}
    assert grammar.ORDER == ["a"]
    assert sorted(grammar.MARKS) == [1]
