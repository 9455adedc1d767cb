"""The words of stateful testing: atoms, conditions, questions; what is inferred, and how it is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import hypothesis
import pytest
from hypothesis.stateful import run_state_machine_as_test

from tanteo.assembly import open_here
from tanteo.engine import explore
from tanteo.model import LITERAL, NORMAL, Literal, Run, Statement, call, say, sequence
from tanteo.stateful.atoms import (
    NO,
    RAISES,
    YES,
    Atom,
    in_words,
    literals,
    make_atom,
    members,
    negated,
    says_more,
)
from tanteo.stateful.books import between
from tanteo.stateful.conditions import conditions_of, numbers_of
from tanteo.stateful.database import ObjectBase, Wish, saved_clauses
from tanteo.stateful.decorators import Snapshots, as_patch
from tanteo.stateful.inference import Summary
from tanteo.stateful.listing import as_markdown, as_text
from tanteo.stateful.machine import Call, as_machines
from tanteo.stateful.questions import Questions
from tanteo.stateful.reading import Row, surviving
from tanteo.stateful.search import _copy, taking_turns
from tests.unit.conftest import Import, Write


def atom(text: str, *names: str) -> Atom:
    made = make_atom(text, names, "query", {"len": len})
    assert made is not None
    return made


def test_an_atom_is_true_false_or_raises() -> None:
    empty = atom("len(self) == 0", "self", "other")
    assert empty.names == ("self",)
    assert [empty.answer({"self": value}) for value in ([], [1], 5)] == [YES, NO, RAISES]
    assert empty.answer({"other": []}) is None
    assert atom("self", "self").answer({"self": 1}) is None, "not a truth value"
    assert make_atom("len(self) ==", ["self"], "query", {}) is None
    assert make_atom("len([]) == 0", ["self"], "query", {}) is None, "it asks nothing"


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("x == 0", "x != 0"),
        ("x in y", "x not in y"),
        ("x is None", "x is not None"),
        ("not x.off()", "x.off()"),
        ("x < y", "not x < y"),
        ("x.off()", "not x.off()"),
        ("a or b", "not (a or b)"),
    ],
)
def test_opposites_read_as_people_write_them(text: str, opposite: str) -> None:
    assert negated(text) == opposite


@pytest.mark.parametrize(
    ("one", "other", "more"),
    [
        ("len(x) == 0", "len(x) != 3", True),
        ("len(x) != 3", "len(x) == 0", False),
        ("x > 100", "x != 0", True),
        ("x > 100", "y != 0", False),
        ("x.off()", "x != 0", False),
    ],
)
def test_of_two_comparisons_one_may_say_more(one: str, other: str, more: bool) -> None:
    assert says_more(one, other) is more


def test_implications_have_the_weakest_antecedent_and_the_strongest_consequence() -> None:
    before = [atom(text, "self") for text in ("len(self) == 0", "len(self) == 1", "self.odd()", "self.big()")]
    after = [atom("self.done()", "self"), atom("self.begun()", "self")]
    summary = Summary(before, after)
    for number in range(90):
        empty, single = number % 3 == 0, number % 3 == 1
        done = not empty
        begun = done or number % 2 == 0
        held = literals([int(empty), int(single), number % 2, int(number % 5 == 0)])
        summary.add(held, literals([int(done), int(begun)]), "normal", 15)
    texts = {clause.text for clause in summary.clauses("f") if clause.sort == "implication"}
    assert "old(len(self) != 0) implies self.done()" in texts
    assert "old(len(self) == 1) implies self.done()" not in texts, "a weaker one says it"
    assert "old(len(self) != 0) implies self.begun()" not in texts, "who is done has begun"


def test_answers_become_a_set_of_literals() -> None:
    bits = literals([YES, NO, None, RAISES])
    assert members(bits) == [0, 3]
    atoms = [atom("self.a", "self"), atom("self.b", "self")]
    assert [in_words(n, atoms) for n in members(bits)] == ["self.a", "not self.b"]


SOURCE = """
def take(self, value, size, other=None):
    n = len(self)
    if n > 3 and not value in self:
        size = size + 1
    while size < 10:
        pass
    m = self.pop()
    if m == value or self.append(value):
        pass
    assert other is not None
    return 1 if 0 < value < 5 else 2
"""


def test_conditions_that_can_be_asked_at_the_entry_are_lifted(load_source: Import) -> None:
    module = load_source("lifting", SOURCE)
    assert conditions_of(module.take) == [
        "len(self) > 3",
        "value in self",
        "other is not None",
        "0 < value",
        "value < 5",
    ]
    assert conditions_of(len) == []
    assert sorted(numbers_of(module.take)) == [0, 1, 1, 2, 3, 5, 10]
    assert numbers_of(len) == []


BOX = """
class Box:
    def __init__(self) -> None:
        self._items: list[int] = []
        self._asked = 0

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: int) -> None:
        self._items.append(item)

    def clear(self) -> bool:
        self._items.clear()
        return True

    def is_full(self) -> bool:
        return len(self._items) > 2

    def has_moods(self) -> bool:
        self._asked += 1
        return self._asked % 2 == 0

def is_heavy(box: Box) -> bool:
    return sum(box._items) > 2

def weigh(box: Box) -> int:
    return sum(box._items)

def empties(box: Box) -> bool:
    return box.clear()
"""


def test_what_changes_something_is_no_question(clean_imports: None, write: Write) -> None:
    session = open_here(str(write("boxes.py", BOX)))
    make = next(c for o, c in zip(session.operations, session.calls, strict=True) if o.name == "boxes.Box")
    empty = make()
    samples = [empty, *(make() for _ in range(4))]
    for number, sample in enumerate(samples):
        for item in range(number):
            sample.put(item)  # type: ignore[attr-defined]
    questions = Questions(session)
    found = {question.text for question in questions.unary(type(empty), samples)}
    assert {"x.is_full()", "len(x) == 0", "len(x) == 1", "is_heavy(x)"} <= found
    assert "weigh(x)" not in found
    assert not {text for text in found if "clear" in text or "moods" in text or "empties" in text}
    assert "x.has_moods()" in questions.impure
    assert "x.clear()" in questions.impure, "on an empty box it looks innocent"


def test_only_what_held_each_time_is_inferred_and_only_if_often_enough() -> None:
    before, after = [atom("self.open", "self"), atom("len(self) == 0", "self")], [atom("self.open", "self")]
    summary = Summary(before, after)
    for number in range(20):
        summary.add(literals([YES, number % 2]), literals([NO]), "normal", moved=3)
    assert list(summary.clauses("m.f")) == [], "two states are not enough"
    summary.add(literals([YES, RAISES]), literals([NO]), "normal", moved=3)
    told = {(c.sort, c.text) for c in summary.clauses("m.f")}
    assert told == {("precondition", "self.open"), ("postcondition", "not self.open")}
    for _ in range(15):
        summary.add(literals([NO, YES]), 0, "ValueError")
    told = {(c.sort, c.text) for c in summary.clauses("m.f")}
    assert ("raises", "raises ValueError iff not self.open") in told
    summary.add(literals([NO, YES]), literals([NO]), "normal", moved=3)
    told = {(c.sort, c.text) for c in summary.clauses("m.f")}
    assert ("precondition", "self.open") not in told, "one call is enough against it"


def test_objects_are_found_by_what_they_answer() -> None:
    base = ObjectBase()
    kind = base.kind("m.Box")
    empty = base.state(kind, [("len(x) == 0", "query", YES), ("x.off()", "query", YES)])
    full = base.state(kind, [("len(x) == 0", "query", NO), ("x.off()", "query", YES)])
    assert base.state(kind, [("len(x) == 0", "query", YES), ("x.off()", "query", YES)]) == empty
    for number in range(20):
        base.add_object(full, b"=%d\n" % number, 20 - number, 0)
    base.add_object(empty, b"7\n", 1, 0)
    found = base.objects(kind, [Wish("len(x) == 0", NO)], 5)
    assert [thing.code for thing in found] == [b"=%d\n" % n for n in (19, 18, 17, 16, 15)]
    assert base.objects(kind, [Wish("x.off()", NO)], 5) == []
    first, second, third = (t.state for t in base.objects(kind, [Wish("x.off()", YES)], 3))
    assert {first, second} == {empty, full}, "no state twice before all once"
    assert third == full
    assert base.always(kind) == [], "of two states nothing follows"
    base.add_transition("m.Box.put", empty, full, base.recipe(b"8\n", 2))
    assert list(base.edges(kind)) == [(empty, full, "m.Box.put", b"8\n")]
    assert "SELECT" in base.asked[0]


def test_relations_are_named_alike_whoever_asks() -> None:
    assert between("self.is_sibling(other)", "self", "other") == "x.is_sibling(y)"
    assert between("other.self in self", "self", "other") == "y.self in x"


ROWS = [
    Row("m.Box.put", "precondition", "not self.is_full()", 40, 5, "confirmed", "refused", None),
    Row("m.Box.put", "postcondition", "len(self) == old(len(self)) + 1", 40, 5, "retained", "", None),
    Row("m.Box.put", "implication", "old(len(self) == 0) implies item in self", 20, 4, "retained", "", None),
    Row("m.Box.put", "precondition", "item > 0", 40, 5, "open", "never tried", None),
    Row("m.Box.size", "postcondition", "len(self) == old(len(self))", 40, 5, "retained", "", None),
]


def test_what_survived_is_listed_and_what_was_never_tried_is_said() -> None:
    assert len(surviving(ROWS)) == 3
    text = as_text(ROWS)
    assert "  requires not self.is_full()  (refused)\n" in text
    assert "m.Box.put was never tried without item > 0\n" in text
    assert "Box.size" not in text
    assert "- ensures `len(self) == old(len(self)) + 1` (40 calls in 5 states)\n" in as_markdown(ROWS)


MODULE = '''"""Boxes."""
from __future__ import annotations


class Box(list):
    def is_full(self):
        return len(self) > 2

    def put(self, item):
        self.append(item)
'''


def test_a_patch_has_decorators_that_hold(load_source: Import, tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(MODULE)
    patch = as_patch(ROWS, {"m": str(file)}, "icontract")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, text=True, check=True)
    box = load_source("patched_boxes", file.read_text()).Box()
    for number in range(3):
        box.put(number)
    with pytest.raises(AssertionError, match="is_full"):
        box.put(3)


def test_deal_is_not_asked_for_what_was() -> None:
    file = Path("examples/stateful/tree.py")
    rows = [row._replace(operation="tree.Tree.start") for row in ROWS]
    patch = as_patch(rows, {"tree": str(file)}, "deal")
    assert "+    @deal.pre(lambda _: not _.self.is_full())\n" in patch
    assert "OLD" not in patch


@pytest.mark.parametrize("end", ["\n", ""])
def test_decorators_of_deal_take_arguments_however_they_are_passed(
    load_source: Import, tmp_path: Path, end: str
) -> None:
    file = tmp_path / "m.py"
    tabbed = MODULE.replace("    ", "\t").replace("def put(self, item):", "def put(self, item=5):")
    file.write_text(tabbed.rstrip() + end)
    rows = [*ROWS, Row("m.Box.put", "postcondition", "item in self", 40, 5, "retained", "", None)]
    patch = as_patch(rows, {"m": str(file)}, "deal")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, text=True, check=True)
    box = load_source("dealt_boxes", file.read_text()).Box()
    box.put()
    box.put(item=1)
    box.put(2)
    with pytest.raises(Exception, match="is_full"):
        box.put(3)


def test_a_generator_gets_no_decorators(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(MODULE.replace("self.append(item)", "yield self.append(item)"))
    assert as_patch(ROWS, {"m": str(file)}, "icontract") == ""


def test_two_reasons_to_raise_are_two_and_the_only_one_is_the_only_one() -> None:
    summary = Summary([atom("n == 0", "n"), atom("n > 100", "n")], [])
    passing, zero, large = literals([NO, NO]), literals([YES, NO]), literals([NO, YES])
    for _ in range(20):
        summary.add(passing, 0, "normal")
        summary.add(zero, 0, "ValueError in line 3")
    assert [c.text for c in summary._exceptions("f")] == ["raises ValueError iff n == 0"]
    for _ in range(20):
        summary.add(large, 0, "ValueError in line 5")
    assert [c.text for c in summary._exceptions("f")] == [
        "raises ValueError if n == 0",
        "raises ValueError if n > 100",
    ]
    summary.add(large, 0, "KeyError in line 9")
    assert [c.text for c in summary._exceptions("f")] == ["raises ValueError if n == 0"]


def test_what_is_known_is_on_disk_even_if_the_time_is_over_in_the_first_round(tmp_path: Path) -> None:
    file = tmp_path / "stateful.db"
    tune = ("random_steps=600", f"file={file}")
    for _ in range(2):  # the second one finds the file of the first
        session = open_here("examples/stateful/linked_list.py", steps=610, strategy="stateful", tune=tune)
        for _ in explore(session):
            pass
        assert saved_clauses(str(file))


def test_what_is_copied_is_in_the_state_that_it_was_in() -> None:
    session = open_here("examples/stateful/linked_list.py")
    number = {o.name.rpartition("LinkedList")[2]: o.index for o in session.operations}
    add, merge = number[".extend"], number[".merge_left"]
    made = [call(number[""], ()), say(Literal("abc", "'abc'")), call(add, (-2, -1)), call(number[""], ())]
    statements: list[Statement] = []
    (place,) = _copy(sequence([*made, call(merge, (-1, -4))]), [-4], statements)
    assert [s.operation for s in statements] == [number[""], LITERAL, add]
    assert place == 0


def test_sources_take_turns() -> None:
    assert [*taking_turns(iter("abc"), iter(""), iter("xy"))] == ["a", "x", "b", "y", "c"]


KEYWORD = """
class Odd:
    def __init__(self) -> None:
        setattr(self, "from", 1)
        self.size = 2
    def leave(self) -> bool:
        raise SystemExit
"""


def test_attributes_that_cannot_be_written_are_not_asked_for(load_source: Import, write: Write) -> None:
    session = open_here(str(write("odd.py", KEYWORD)))
    kind = session.calls[next(o.index for o in session.operations if o.name == "odd.Odd")]
    assert isinstance(kind, type)
    texts = [q.text for q in Questions(session).unary(kind, [kind(), kind()])]
    assert "x.size == 0" in texts
    assert not any("from" in text for text in texts)


SETLIKE = """
class Box:
    def __init__(self) -> None:
        self.items: set[int] = set()
    @classmethod
    def make(cls, item: int) -> "Box":
        box = cls()
        box.items.add(item)
        return box
    @property
    def size(self) -> int:
        return len(self.items)
    @size.setter
    def size(self, value: int) -> None:
        self.items = set(range(min(9, abs(value))))
    def teardown(self, item: int) -> None:
        self.items.discard(item)
    def add(self, item: int) -> None:
        self.items.add(item)
    def __add__(self, item: int) -> "Box":
        return Box.make(item)
    def __or__(self, other: "Box") -> "Box":
        box = Box()
        box.items = self.items | other.items
        return box
"""


def test_a_state_machine_runs_whatever_its_methods_are_called(load_source: Import, write: Write) -> None:
    file = write("boxes.py", SETLIKE)
    session = open_here(str(file), steps=3000)
    calls = []
    for run in explore(session):
        assert isinstance(run, Run)
        if run.verdict is NORMAL:
            operation = session.operations[run.sequence.statements[-1].operation]
            calls.append(Call(operation.name, run.sequence.code, "normal"))
    rows = [
        Row("boxes.Box", "invariant", "is_heavy(self)", 40, 5, "retained", "", None),
        Row("boxes.Box", "invariant", "self.size >= 0", 40, 5, "retained", "", None),
    ]
    text = as_machines(rows, calls, session.operations)
    machine = load_source("box_machines", text).BoxMachine
    rules = {name for name in vars(machine) if name.startswith("call_")}
    assert rules >= {"call_add", "call_add_2", "call_or", "call_teardown"}
    assert "call_make" not in rules
    settings = hypothesis.settings(max_examples=5, stateful_step_count=10, database=None, deadline=None)
    run_state_machine_as_test(machine, settings=settings)


def test_what_a_consequence_asks_for_is_asked_where_it_may_be() -> None:
    snapshots = Snapshots()
    claim = snapshots.claim("old(isinstance(other, str)) implies len(other) == old(len(other))")
    assert claim == "not OLD.old_0 or len(other) == OLD.old_1"
    assert snapshots.texts == {
        "old_0": "isinstance(other, str)",
        "old_1": "len(other) if isinstance(other, str) else None",
    }
    assert snapshots.claim("result == old(self.size)") == "result == OLD.old_2"
    assert snapshots.claim("old(self.size) > 0 implies old(self.size) == 1").count("OLD.old_2") == 2
    assert snapshots.texts["old_2"] == "self.size"
