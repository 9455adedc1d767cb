"""Test modules as people read them: exact texts, and names."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tanteo.emit import files
from tanteo.emit.cases import Case
from tanteo.emit.faults import add_faults
from tanteo.emit.modules import MARKER, Module, renumber
from tanteo.emit.names import LONGEST, name_case, telling_names
from tanteo.emit.words import in_brief, snake, subject_words
from tanteo.execute.observations import WRITTEN, Observation
from tanteo.model import Literal, Repeat, Statement, call, say, sequence
from tanteo.operators import OPERATORS
from tanteo.subject import Operation, Parameter, Subject

SHELF = "stock.shelf"


def parameters(*names: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, ("object",)) for name in names)


def method(name: str, *names: str, kind: str = "method", **more: Any) -> tuple[Any, ...]:
    form = more.pop("form", f"{{0}}.{name.rpartition('.')[2]}({{args}})")
    return f"{SHELF}.{name}", kind, SHELF, form, parameters("self", *names), more


def function(name: str, *names: str, module: str = SHELF, **more: Any) -> tuple[Any, ...]:
    kind = more.pop("kind", "constructor" if name[0].isupper() else "function")
    form = more.pop("form", f"{{symbol:{name}}}({{args}})")
    return f"{module}.{name}", kind, module, form, parameters(*names), more


ROWS = [
    ("list", "display", "", "[{args}]", parameters("items"), {}),
    function("double", "x"),
    function("join", "expected", "pytest", "self"),
    function("numbers", "n", form="list(itertools.islice({symbol:numbers}({args}), 100))"),
    function("TreeMap", "size"),
    method("TreeMap.put", "key", "value"),
    method("TreeMap.get_size"),
    method("TreeMap.size", kind="attribute", form="{0}.size", observer=True),
    method("TreeMap.__len__", kind="operator", form=OPERATORS["__len__"].form, observer=True),
    method("TreeMap.__iter__", kind="operator", form=OPERATORS["__iter__"].form, observer=True),
    method("TreeMap.__iadd__", "other", kind="operator", form="{0} += {1}", value=False),
    method("TreeMap.__setitem__", "key", "value", kind="operator", form="{0}[{1}] = {2}", value=False),
    method("TreeMap.__add__", "other", kind="operator", form="{0} + {1}"),
    method("TreeMap.__eq__", "other", kind="operator", form="{0} == {1}"),
    function("TreeMap", "size", module="stock.cellar"),
    function("double", "x", module="stock.cellar"),
    function("extend", "items", "value"),
    function("test_all", "x"),
]
OPERATIONS = [
    Operation(number, name, kind, module, form, takes, **more)
    for number, (name, kind, module, form, takes, more) in enumerate(ROWS)
]
NUMBERS = {o.name.removeprefix(f"{SHELF}."): o.index for o in OPERATIONS}


def lit(value: object) -> Statement:
    return say(Literal(value, repr(value)))


def do(name: str, *inputs: int, names: tuple[str, ...] = (), repeat: Repeat | None = None) -> Statement:
    return call(NUMBERS[name], inputs, names, repeat)


def see(kind: str, position: int, source: str, observer: str = "", **more: Any) -> Observation:
    return Observation(kind, position, NUMBERS[observer] if observer else -1, source, **more)


def returning(*statements: Statement, value: str, **more: Any) -> Case:
    return Case(sequence(statements), (see("value", len(statements) - 1, value, **more),))


def showing(*statements: Statement, seen: list[Observation]) -> Case:
    return Case(sequence(statements), tuple(seen))


def raising(*statements: Statement, error: str = "ValueError", message: str = "") -> Case:
    return Case(sequence(statements), (), error, message)


def written(*cases: Case) -> str:
    """The file without its first two lines."""
    module = Module(SHELF, OPERATIONS)
    module.add_cases(list(cases))
    text = module.text()
    ast.parse(text)
    head = f'{MARKER}\n"""What stock.shelf does today."""\n\n'
    assert text.startswith(head)
    return text.removeprefix(head)


def body(*cases: Case) -> str:
    """The tests, without imports."""
    return written(*cases).partition("\n\n\n")[2].removesuffix("\n")


def dedent(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def test_one_call() -> None:
    assert written(returning(lit(2), do("double", -1), value="4")) == (
        "from stock.shelf import double\n\n\ndef test_double_returns_4():\n    assert double(2) == 4\n"
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("None", "is None"),
        ("True", "is True"),
        ("...", "is ..."),
        ("'a'", "== 'a'"),
        ("[1, 2]", "== [1, 2]"),
        ("1.5", "== 1.5"),
    ],
)
def test_values_are_compared_as_people_do(value: str, expected: str) -> None:
    found = body(returning(lit(2), do("double", -1), value=value))
    assert found.splitlines()[1] == f"    assert double(2) {expected}"


@pytest.mark.parametrize("value", ["0.5", "[0.5, 1]", "{'a': 0.5}", "(0.5,)"])
def test_floats_are_compared_approximately(value: str) -> None:
    found = written(returning(lit(2), do("double", -1), value=value, exact=False))
    assert f"assert double(2) == pytest.approx({value})\n" in found
    assert found.startswith("import pytest\n")


def test_floats_too_deep_for_pytest_are_compared_exactly() -> None:
    found = body(returning(lit(2), do("double", -1), value="[[0.5]]", exact=False))
    assert found.endswith("assert double(2) == [[0.5]]")


def test_operators_are_put_into_brackets() -> None:
    found = body(
        returning(lit(1), do("TreeMap", -1), lit(-2), do("TreeMap.__add__", -2, -1), value="3"),
    )
    assert found.endswith("assert (TreeMap(1) + (-2)) == 3")
    equal = returning(lit(1), do("TreeMap", -1), lit(-2), do("TreeMap.__eq__", -2, -1), value="False")
    assert body(equal).endswith("assert (TreeMap(1) == -2) is False")


def test_an_object_that_returns_itself_has_one_name() -> None:
    steps = [lit(1), do("TreeMap", -1), lit(2), do("TreeMap.put", -2, -1), do("TreeMap.get_size", -1)]
    case = replace(returning(*steps, value="1"), same=(0, 1, 2, 1, 4))
    assert body(case) == dedent("""
        def test_tree_map_get_size_returns_1():
            tree_map = TreeMap(1)
            tree_map.put(2)
            assert tree_map.get_size() == 1
    """)


def test_a_changed_object_has_a_name_and_is_asked() -> None:
    case = showing(
        lit(1),
        do("TreeMap", -1),
        lit(2),
        lit("b"),
        do("TreeMap.put", -3, -2, -1, names=("value",)),
        seen=[
            see("changed", 1, "1", "TreeMap.__len__"),
            see("changed", 1, "[2]", "TreeMap.__iter__"),
            see("unchanged", 1, "None", "TreeMap.size"),
        ],
    )
    assert body(case) == dedent("""
        def test_tree_map_put_changes_length():
            tree_map = TreeMap(1)
            tree_map.put(2, value='b')
            assert len(tree_map) == 1
            assert list(tree_map) == [2]
            assert tree_map.size is None
    """)


def test_a_new_object_is_asked_and_the_same_is_the_same() -> None:
    made = showing(lit(1), do("TreeMap", -1), seen=[see("changed", 1, "1", "TreeMap.get_size")])
    same = showing(
        lit(1),
        do("TreeMap", -1),
        lit(2),
        do("TreeMap.put", -2, -1),
        seen=[see("same", 3, "1"), see("changed", 1, "1", "TreeMap.__len__")],
    )
    assert body(made, same) == dedent("""
        def test_tree_map_has_get_size_1():
            tree_map = TreeMap(1)
            assert tree_map.get_size() == 1


        def test_tree_map_put_changes_length():
            tree_map = TreeMap(1)
            assert tree_map.put(2) is tree_map
            assert len(tree_map) == 1
    """)


def test_type_and_length_of_what_cannot_be_written() -> None:
    case = showing(
        lit(1),
        do("double", -1),
        seen=[see("type", 1, "Odd", imports=(("stock.odd", "Odd"),)), see("length", 1, "3")],
    )
    assert (
        written(case)
        == dedent("""
        from stock.odd import Odd
        from stock.shelf import double


        def test_double_returns_odd():
            result = double(1)
            assert type(result) is Odd
            assert len(result) == 3
    """)
        + "\n"
    )


def test_what_shows_itself_is_compared_with_its_words() -> None:
    nodes = [showing(lit(n), do("double", -1), seen=[see("repr", 1, f"'[Node[{n}]]'")]) for n in (1, 2)]
    assert body(nodes[0]) == dedent("""
        def test_double_returns_list():
            assert repr(double(1)) == '[Node[1]]'
    """)
    assert "def test_double_returns_expected(x, expected):\n    assert repr(double(x)) == expected" in body(
        *nodes
    )


def test_an_object_made_for_one_call_stands_inside_it() -> None:
    case = returning(
        lit(1), do("TreeMap", -1), lit(5), do("TreeMap", -1), do("TreeMap.put", -3, -1), value="0"
    )
    assert body(case) == dedent("""
        def test_tree_map_put_returns_0():
            tree_map = TreeMap(1)
            assert tree_map.put(TreeMap(5)) == 0
    """)


def test_an_argument_that_was_changed() -> None:
    case = showing(
        lit(1),
        do("list", -1),
        lit(2),
        do("extend", -2, -1),
        seen=[see("changed", 1, "[1, 2]")],
    )
    assert body(case) == dedent("""
        def test_extend_changes_argument():
            items = [1]
            extend(items, 2)
            assert items == [1, 2]
    """)


def test_assignments_leave_no_value() -> None:
    grown = showing(
        lit(1),
        do("TreeMap", -1),
        lit(2),
        do("TreeMap.__iadd__", -2, -1),
        seen=[see("same", 3, "1"), see("changed", 1, "1", "TreeMap.__len__")],
    )
    assigned = showing(
        lit(1),
        do("TreeMap", -1),
        lit(2),
        lit(3),
        do("TreeMap.__setitem__", -3, -2, -1),
        seen=[see("value", 4, "None"), see("changed", 1, "1", "TreeMap.__len__")],
    )
    assert body(grown, assigned) == dedent("""
        def test_tree_map_in_place_sum_changes_length():
            tree_map = TreeMap(1)
            tree_map += 2
            assert len(tree_map) == 1


        def test_tree_map_item_assignment_changes_length():
            tree_map = TreeMap(1)
            tree_map[2] = 3
            assert len(tree_map) == 1
    """)


def test_a_case_without_an_assertion_is_no_test() -> None:
    module = Module(SHELF, OPERATIONS)
    module.add_cases([showing(lit(1), do("TreeMap", -1), seen=[])])
    assert module.tests == []


def test_what_reads_the_same_is_written_once() -> None:
    case = returning(lit(2), do("double", -1), value="4")
    assert body(case, case).count("def ") == 1


MESSAGES = [
    ("plain words", '"plain words"'),
    ("f(x) costs 1.5$", r'r"f\(x\) costs 1\.5\$"'),
    ("it's late", '"it\'s late"'),
    ('say "no"', "'say \"no\"'"),
    ('it\'s "no".', repr('it\'s "no"\\.')),
    ("a\\b c", r'r"a\\b c"'),
    ("0", '"^0$"'),
    ("ends with \\", r'r"ends with \\"'),
]


@pytest.mark.parametrize(("message", "pattern"), MESSAGES)
def test_a_raising_call_matches_its_message(message: str, pattern: str) -> None:
    assert (
        written(raising(lit(2), do("double", -1), message=message))
        == dedent(f"""
        import pytest
        from stock.shelf import double


        def test_double_raises_value_error():
            with pytest.raises(ValueError, match={pattern}):
                double(2)
    """)
        + "\n"
    )
    assert re.search(ast.literal_eval(pattern), message)


@pytest.mark.parametrize("message", ["f(x) costs 1.5$ [or] {more}?", "(((((\\", "'[(\"{})]'", "((((\n("])
def test_a_message_of_many_signs_is_escaped_by_python(message: str) -> None:
    text = written(raising(lit(2), do("double", -1), message=message))
    assert text.startswith("import re\n")
    (pattern,) = re.findall(r"match=re\.escape\((.*)\)\):", text)
    assert ast.literal_eval(pattern) == message


def test_an_exception_of_the_subject_is_imported() -> None:
    case = Case(sequence([do("TreeMap")]), (), "Odd", "", (("stock.odd", "Odd"),))
    assert written(case).startswith(
        "import pytest\nfrom stock.odd import Odd\nfrom stock.shelf import TreeMap\n"
    )
    assert body(case).endswith("with pytest.raises(Odd):\n        TreeMap()")


def test_repeats_are_loops() -> None:
    repeat = Repeat((1,), 3, ((5, 6, 7),))
    case = showing(
        do("TreeMap"),
        lit(0),
        do("TreeMap.put", -2, -1, repeat=repeat),
        seen=[see("changed", 0, "3", "TreeMap.__len__")],
    )
    twice = Repeat((1, 2), 2, ((1, 2), ("a", "b")))
    pairs = raising(do("TreeMap"), lit(0), lit(""), do("TreeMap.put", -3, -2, -1, repeat=twice))
    often = returning(
        do("TreeMap"),
        do("TreeMap.get_size", -1, repeat=Repeat((), 4, ())),
        do("TreeMap.__len__", -2),
        value="0",
    )
    assert body(case, pairs, often) == dedent("""
        def test_tree_map_put_changes_length():
            tree_map = TreeMap()
            for key in [5, 6, 7]:
                tree_map.put(key)
            assert len(tree_map) == 3


        def test_tree_map_put_raises_value_error():
            tree_map = TreeMap()
            with pytest.raises(ValueError):
                for key, value in [(1, 'a'), (2, 'b')]:
                    tree_map.put(key, value)


        def test_tree_map_length_returns_0():
            tree_map = TreeMap()
            for _ in range(4):
                tree_map.get_size()
            assert len(tree_map) == 0
    """)


def test_an_object_made_before_a_loop_is_not_made_inside_it() -> None:
    twice = raising(lit(1), do("TreeMap", -1), do("TreeMap.get_size", -1, repeat=Repeat((), 2, ())))
    assert body(twice) == dedent("""
        def test_tree_map_get_size_raises_value_error():
            tree_map = TreeMap(1)
            with pytest.raises(ValueError):
                for _ in range(2):
                    tree_map.get_size()
    """)


def test_calls_that_differ_in_their_arguments_share_a_test() -> None:
    cases = [
        returning(lit(3), do("double", -1), value="6"),
        returning(lit("b"), do("double", -1), value="'bb'"),
        returning(lit(None), do("double", -1), value="None"),
        returning(lit(True), do("double", -1), value="None"),
        raising(lit(-1), do("double", -1), message="too (small)"),
        raising(lit(-2), do("double", -1), message="too small"),
        raising(lit(()), do("double", -1), error="TypeError"),
    ]
    assert body(*cases) == dedent(r"""
        @pytest.mark.parametrize(("x", "expected"), [('b', 'bb'), (3, 6)])
        def test_double_returns_expected(x, expected):
            assert double(x) == expected


        @pytest.mark.parametrize("x", [None, True])
        def test_double_returns_none(x):
            assert double(x) is None


        @pytest.mark.parametrize(("x", "message"), [(-1, r"too \(small\)"), (-2, "too small")])
        def test_double_raises_value_error(x, message):
            with pytest.raises(ValueError, match=message):
                double(x)


        def test_double_raises_type_error():
            with pytest.raises(TypeError):
                double(())
    """)


def test_parametrized_arguments_have_free_names() -> None:
    three = [lit(1), lit(2), lit(3), do("join", -3, -2, -1)]
    other = [lit(4), lit(5), lit(6), do("join", -3, -2, -1, names=("self",))]
    more = [lit(7), lit(8), lit(9), do("join", -3, -2, -1)]
    cases = [returning(*three, value="0"), returning(*other, value="1"), returning(*more, value="2")]
    assert body(*cases) == dedent("""
        @pytest.mark.parametrize(("expected_", "pytest_", "shelf", "expected"), [(1, 2, 3, 0), (7, 8, 9, 2)])
        def test_join_returns_expected(expected_, pytest_, shelf, expected):
            assert join(expected_, pytest_, shelf) == expected


        def test_join_returns_1():
            assert join(4, 5, self=6) == 1
    """)


def test_one_parameter_alone_needs_no_brackets() -> None:
    cases = [raising(lit(n), do("double", -1)) for n in (2, 1)]
    assert body(*cases).splitlines()[:2] == [
        '@pytest.mark.parametrize("x", [1, 2])',
        "def test_double_raises_value_error(x):",
    ]


def test_arguments_may_hold_source() -> None:
    cases = [returning(lit(text), do("double", -1), value=str(n)) for n, text in enumerate(["def f", "x"])]
    assert body(*cases).splitlines()[1] == "def test_double_returns_expected(x, expected):"


def test_calls_of_a_method_that_differ_in_plain_values_are_one_test() -> None:
    full = do("list", -1)
    cases = [
        showing(
            *(lit(n), do("TreeMap", -1), lit("b"), full, lit(7), do("TreeMap.put", -4, -2, -1)),
            seen=[see("value", 5, str(n)), see("unchanged", 1, "2", "TreeMap.size")],
        )
        for n in (2, 1)
    ]
    assert body(*cases) == dedent("""
        @pytest.mark.parametrize(("size", "expected"), [(1, 1), (2, 2)])
        def test_tree_map_put_returns_expected(size, expected):
            tree_map = TreeMap(size)
            assert tree_map.put(['b'], 7) == expected
            assert tree_map.size == 2
    """)


def test_what_differs_in_too_many_places_stays_apart() -> None:
    cases = [
        returning(*(lit(10 * n + m) for m in range(6)), do("join", *range(-6, 0)), value=str(n))
        for n in (1, 2)
    ]
    assert body(*cases).count("def test_") == 2


def test_a_loop_keeps_its_values() -> None:
    repeat = Repeat((), 3, ())
    cases = [
        showing(
            lit(n),
            do("TreeMap", -1),
            do("list"),
            do("TreeMap.put", -2, -1, repeat=repeat),
            seen=[see("changed", 1, "3", "TreeMap.size")],
        )
        for n in (1, 2)
    ]
    assert "tree_map = TreeMap(size)\n    for _ in range(3):\n        tree_map.put([])" in body(*cases)


def test_names_of_tests_that_clash_say_more() -> None:
    tests = [
        showing(
            lit(n),
            do("TreeMap", -1),
            lit(2),
            do("TreeMap.put", -2, -1),
            seen=[see("changed", 1, "1", "TreeMap.size")],
        )
        for n in (1, 2, 3)
    ]
    assert telling_names(tests, OPERATIONS) == [
        "test_tree_map_made_of_1_put_of_2_changes_size",
        "test_tree_map_made_of_2_put_of_2_changes_size",
        "test_tree_map_made_of_3_put_of_2_changes_size",
    ]


def test_what_a_message_quotes_is_not_in_a_name() -> None:
    made = lit(1), do("TreeMap", -1), lit("a"), do("TreeMap.put", -2, -1)
    case = raising(*made, message="signature b'qG_izKx' does not match")
    assert (
        name_case(case, OPERATIONS, 1)
        == "test_tree_map_put_raises_value_error_saying_signature_does_not_match"
    )


def test_what_is_switched_off_is_said() -> None:
    made = lit(1), do("TreeMap", -1), lit("x y")
    off = returning(*made, lit(False), do("TreeMap.put", -3, -2, -1, names=("value",)), value="'in'")
    assert name_case(off, OPERATIONS, 1) == "test_tree_map_put_of_text_with_value_false_returns_in"
    several = replace(off, several=True)
    assert name_case(several, OPERATIONS, 1) == "test_tree_map_put_with_value_false_returns_in"
    varied = replace(several, varied=frozenset({"value"}))
    assert name_case(varied, OPERATIONS, 1) == "test_tree_map_put_with_value_returns_in"


def test_a_test_that_warns_says_so() -> None:
    module = Module(SHELF, OPERATIONS)
    case = returning(lit(1), do("double", -1), value="2")
    module.add_cases([replace(case, warns=("DeprecationWarning",))])
    (test,) = module.tests
    assert test.text.startswith('@pytest.mark.filterwarnings("ignore::DeprecationWarning")\ndef test_')


def test_a_warning_that_is_meant_is_expected() -> None:
    module = Module(SHELF, OPERATIONS)
    case = returning(lit(1), do("double", -1), value="2")
    module.add_cases([replace(case, warns=("UserWarning",), announces=("UserWarning", "too few"))])
    (test,) = module.tests
    assert test.text.splitlines() == [
        "def test_double_warns_user_warning():",
        '    with pytest.warns(UserWarning, match="too few"):',
        "        result = double(1)",
        "    assert result == 2",
    ]


def test_parameters_are_not_called_like_keywords() -> None:
    operation = Operation(0, *function("both", "and", "class")[:-1])
    module = Module(SHELF, [operation])
    module.add_cases(
        [Case(sequence([lit(n), lit(9 - n), call(0, (-2, -1))]), (see("value", 2, str(n)),)) for n in (1, 2)]
    )
    (test,) = module.tests
    assert "def test_both_returns_expected(and_, class_, expected):" in test.text


def test_a_value_that_is_used_twice_can_stand_in_a_table() -> None:
    tests = [
        returning(lit(key), do("list", -1), do("extend", -1, -2), value="None") for key in ("hmac", "none")
    ]
    assert body(*tests) == dedent("""
        @pytest.mark.parametrize(("items", "value"), [(['hmac'], 'hmac'), (['none'], 'none')])
        def test_extend_returns_none(items, value):
            assert extend(items, value) is None
    """)


def test_messages_that_begin_alike_are_told_apart_by_what_follows() -> None:
    made = lit(1), do("TreeMap", -1)
    tests = [
        raising(
            *made, lit(n), do("TreeMap.put", -2, -1), message=f"ports are not allowed to be {text}. Not {n}"
        )
        for n, text in ((1, "negative"), (2, "larger than 65535"))
    ]
    assert telling_names(tests, OPERATIONS) == [
        "test_tree_map_put_raises_value_error_saying_negative",
        "test_tree_map_put_raises_value_error_saying_larger",
    ]


def test_numbers_in_the_words_of_a_message_stay() -> None:
    made = lit(1), do("TreeMap", -1)
    tests = [
        raising(*made, lit(n), do("TreeMap.put", -2, -1), message=f"Codepoint U+{code} not allowed")
        for n, code in ((1, "005F"), (2, "0021"))
    ]
    assert telling_names(tests, OPERATIONS) == [
        "test_tree_map_put_raises_value_error_saying_codepoint_u_005_f_not_allowed",
        "test_tree_map_put_raises_value_error_saying_codepoint_u_0021_not_allowed",
    ]


def test_a_text_that_names_a_kind_is_a_text() -> None:
    assert "def test_double_returns_text():" in written(
        returning(lit(2), do("double", -1), value="'boolean'")
    )
    assert "def test_double_returns_ready():" in written(returning(lit(2), do("double", -1), value="'ready'"))


def test_what_is_no_python_is_left_out_alone() -> None:
    rows = [function("odd", "x", form="{symbol:odd}({args}"), function("even", "x")]
    operations = [Operation(n, *row[:-1]) for n, row in enumerate(rows)]
    module = Module(SHELF, operations)
    cases = [Case(sequence([lit(1), call(n, (-1,))]), (see("value", 1, "1"),)) for n in (0, 1)]
    cases.append(Case(sequence([lit(2), call(0, (-1,))]), (), "ValueError"))
    module.add_cases(cases)
    assert [test.name for test in module.tests] == ["test_even_returns_1"]


def test_tests_of_one_method_are_told_apart_by_what_differs() -> None:
    made = lit(1), do("TreeMap", -1)
    tests = [
        raising(*made, lit("a"), do("TreeMap.put", -2, -1), message="no such key: 'a'"),
        raising(*made, lit(0), do("TreeMap.put", -2, -1), message="0 is too small for a key of this map"),
        returning(*made, lit("x y"), do("TreeMap.put", -2, -1), value="'in'"),
        returning(*made, do("list"), lit(0), do("TreeMap.put", -3, -2, -1, names=("value",)), value="'in'"),
        returning(lit(()), do("TreeMap", -1), do("TreeMap.get_size", -1), value="5"),
        returning(lit("a b"), do("TreeMap", -1), do("TreeMap.get_size", -1), value="5"),
    ]
    assert telling_names(tests, OPERATIONS) == [
        "test_tree_map_put_raises_value_error_saying_no_such_key",
        "test_tree_map_put_raises_value_error_saying_is_too_small",
        "test_tree_map_put_of_text_returns_in",
        "test_tree_map_put_of_empty_list_with_value_returns_in",
        "test_tree_map_made_of_empty_tuple_get_size_returns_5",
        "test_tree_map_made_of_text_get_size_returns_5",
    ]


def test_the_call_is_asserted_before_what_it_left_alone() -> None:
    case = showing(
        lit(1),
        do("TreeMap", -1),
        do("TreeMap.get_size", -1),
        seen=[see("unchanged", 1, "1", "TreeMap.size"), see("value", 2, "1")],
    )
    assert body(case).splitlines()[-2:] == [
        "    assert tree_map.get_size() == 1",
        "    assert tree_map.size == 1",
    ]


def test_imports_that_clash_are_renamed_and_variables_give_way() -> None:
    case = returning(
        lit(1),
        do("TreeMap", -1),
        do("stock.cellar.TreeMap", -1),
        do("double", -1),
        do("stock.cellar.double", -1),
        value="0",
    )
    assert (
        written(case)
        == dedent("""
        from stock.cellar import TreeMap as cellar_TreeMap, double as cellar_double
        from stock.shelf import TreeMap, double


        def test_double_returns_0():
            result = double(cellar_TreeMap(TreeMap(1)))
            assert cellar_double(result) == 0
    """)
        + "\n"
    )


def test_a_value_whose_name_is_taken_is_not_compared() -> None:
    seen = [see("value", 1, "TreeMap(1)", imports=(("stock.cellar", "TreeMap"),)), see("length", 1, "1")]
    case = showing(lit(1), do("TreeMap", -1), seen=seen)
    made = showing(do("TreeMap"), seen=[see("length", 0, "0")])
    found = written(made, case)
    assert "== TreeMap(1)" not in found
    assert found.count("assert len(") == 2


def test_only_what_is_used_is_imported() -> None:
    module = Module(SHELF, OPERATIONS)
    first = returning(lit(2), do("double", -1), value="Decimal('4')", imports=(("decimal", "Decimal"),))
    second = returning(
        lit(3), do("numbers", -1), value="[datetime.date(2020, 1, 1)]", imports=(("datetime", ""),)
    )
    third = raising(lit(1), do("TreeMap", -1))
    module.add_cases([first, second, third])
    heads = [module.text([test]).split("\n\n\n")[0].split("\n\n")[1] for test in module.tests]
    assert heads == [
        "from decimal import Decimal\nfrom stock.shelf import double",
        "import datetime\nfrom stock.shelf import numbers",
        "import pytest\nfrom stock.shelf import TreeMap",
    ]
    whole = module.text().split("\n\n\n")[0].split("\n\n")[1]
    assert whole == dedent("""
        import datetime
        import pytest
        from decimal import Decimal
        from stock.shelf import TreeMap, double, numbers
    """)


def test_an_iteration_that_was_seen_to_end_is_written_without_its_bound() -> None:
    assert body(returning(lit(1), do("numbers", -1), value="[1]")).endswith("assert list(numbers(1)) == [1]")
    assert "list(numbers(1))" in body(raising(lit(1), do("numbers", -1)))


def test_the_bound_is_left_out_of_parametrized_tests_too() -> None:
    cases = [returning(lit(n), do("numbers", -1), value=f"[{n}]") for n in (1, 2)]
    assert body(*cases).endswith("assert list(numbers(n)) == expected")


def test_formatted_as_ruff_does(tmp_path: Path) -> None:
    module = Module(SHELF, OPERATIONS)
    module.add_cases([returning(lit("b"), do("double", -1), value=f"{'b' * 80!r}")])
    assert files.formatted(tmp_path, "test_x.py", module.text()) == (
        f'{MARKER}\n"""What stock.shelf does today."""\n\nfrom stock.shelf import double\n\n\n'
        "def test_double_returns_text():\n    assert (\n"
        f'        double("b")\n        == "{"b" * 80}"\n    )\n'
    )


def test_functions_of_the_subject_are_not_collected(tmp_path: Path) -> None:
    module = Module(SHELF, OPERATIONS)
    module.add_cases([returning(lit(2), do("test_all", -1), value="2")])
    (tmp_path / "stock").mkdir()
    (tmp_path / "stock" / "shelf.py").write_text("def test_all(x):\n    return x\n")
    (tmp_path / "test_shelf.py").write_text(module.text())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shelf.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout
    assert done.returncode == 0


# names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("TreeMap", "tree_map"),
        ("a b.c", "a_b_c"),
        ("__x__", "x"),
        ("x2Y", "x2_y"),
        ("ÄB", "b"),
        ("width =", "width"),
    ],
)
def test_snake(text: str, expected: str) -> None:
    assert snake(text) == expected


def test_words_for_operations() -> None:
    words = {name: subject_words(OPERATIONS[number]) for name, number in NUMBERS.items()}
    assert words["TreeMap.put"] == "tree_map put"
    assert words["TreeMap.__len__"] == "tree_map length"
    assert words["TreeMap.__iadd__"] == "tree_map in_place_sum"
    assert words["double"] == "double"
    assert words["stock.cellar.double"] == "double"


RESULTS = [
    ("None", "returns_none"),
    ("True", "returns_true"),
    ("7", "returns_7"),
    ("-7", "returns_minus_7"),
    ("12345678", "returns_number"),
    ("1.5", "returns_number"),
    ("''", "returns_empty_string"),
    ("'someword'", "returns_someword"),
    ("'__index__'", "returns_text"),
    ("'two words'", "returns_text"),
    ('"it\'s"', "returns_text"),
    ("b''", "returns_empty_bytes"),
    ("b'a'", "returns_bytes"),
    ("[]", "returns_empty_list"),
    ("[1]", "returns_list"),
    ("(1,)", "returns_tuple"),
    ("(2+1j)", "returns_complex"),
    ("{}", "returns_empty_dict"),
    ("{1: 2}", "returns_mapping"),
    ("{1}", "returns_set"),
    ("set()", "returns_empty_set"),
    ("frozenset({1})", "returns_frozenset"),
    ("State.NEW", "returns_state_new"),
    ("TreeMap(size=1)", "returns_tree_map"),
]


@pytest.mark.parametrize(("value", "expected"), RESULTS)
def test_names_of_results(value: str, expected: str) -> None:
    case = returning(lit(2), do("double", -1), value=value)
    assert name_case(case, OPERATIONS) == f"test_double_{expected}"


def test_a_word_that_was_passed_is_no_name_of_a_result() -> None:
    case = returning(lit("someword"), do("double", -1), value="'someword'")
    assert name_case(case, OPERATIONS) == "test_double_returns_text"


MADE = [lit(1), do("TreeMap", -1)]
PUT = [*MADE, lit(2), do("TreeMap.put", -2, -1)]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (raising(*PUT, error="KeyError"), "put_raises_key_error"),
        (showing(*PUT, seen=[see("same", 3, "1")]), "put_returns_itself"),
        (showing(*PUT, seen=[see("same", 3, "2")]), "put_returns_its_argument"),
        (showing(*MADE, *PUT, seen=[see("same", 5, "1")]), "put_returns_the_same_tree_map"),
        (showing(*PUT, seen=[see("type", 3, "OddOne")]), "put_returns_odd_one"),
        (showing(*PUT, seen=[see("length", 3, "4")]), "put_has_length_4"),
        (showing(*PUT, seen=[see("repr", 3, "'<OddOne 7>'")]), "put_returns_odd_one"),
        (showing(*PUT, seen=[see("repr", 3, "'(Odd[7], 1)'")]), "put_returns_tuple"),
        (showing(*PUT, seen=[see("repr", 3, "'typing.Union[str, int]'")]), "put_returns_union"),
        (showing(*PUT, seen=[see("value", 3, "None")]), "put_returns_none"),
        (
            showing(*PUT, seen=[see("value", 3, "None"), see("changed", 1, "3", "TreeMap.get_size")]),
            "put_changes_get_size",
        ),
        (showing(*PUT, seen=[see("unchanged", 1, "3", "TreeMap.size")]), "put_keeps_size"),
        (showing(*PUT, seen=[see("changed", 3, "'abc'", "TreeMap.size")]), "put_has_size_abc"),
        (showing(*MADE, seen=[see("changed", 1, "3", "TreeMap.__len__")]), "has_length_3"),
        (showing(*MADE, seen=[see("changed", 1, "[1]", "TreeMap.__iter__")]), "has_elements"),
        (showing(*MADE, seen=[see("changed", 1, "None", "TreeMap.size")]), "has_size_none"),
        (showing(*MADE, seen=[see("changed", 1, "Size.LARGE", "TreeMap.size")]), "has_size_large"),
        (showing(*MADE, seen=[see("type", 1, "TreeMap")]), "can_be_made"),
    ],
)
def test_names_of_situations(case: Case, expected: str) -> None:
    assert name_case(case, OPERATIONS) == f"test_tree_map_{expected}"


def test_names_are_not_too_long() -> None:
    name = name_case(raising(lit(1), do("double", -1), error="Very" * 40 + "Error"), OPERATIONS)
    assert len(name) <= LONGEST
    assert name.startswith("test_double_raises_very")


# faults

BROKEN = {
    "kind": "contract",
    "contract": "repr_raises_nothing",
    "exception": "KeyError",
    "function": "TreeMap.__repr__",
    "level": "fault",
    "reason": 'broke: """quotes""" and C:\\paths',
    "assertion": "repr({x})",
    "about": [1],
    "code": sequence([*PUT]).code.decode(),
}
RAISED = {
    **BROKEN,
    "kind": "exception",
    "contract": None,
    "exception": "UnboundLocalError",
    "reason": "an internal error",
    "assertion": "",
    "about": [],
    "code": sequence([lit(1), do("double", -1)]).code.decode(),
}
CRASHED = {**RAISED, "kind": "crash", "exception": None, "level": "suspicious", "reason": "ended the process"}


def fault_text(how: str, **faults: dict[str, Any]) -> str:
    subject = Subject((), (SHELF,), tuple(OPERATIONS), (), (), (), 0, ())
    ((module, tests),) = add_faults(faults, {}, subject, how).items()
    text = module.text()
    compiled = ast.parse(text)
    names = [node.name for node in compiled.body if isinstance(node, ast.FunctionDef)]
    assert names == list(tests)
    assert sorted(tests.values()) == sorted(faults)
    return text


def test_faults_fail_and_say_why() -> None:
    head = f'{MARKER}\n"""What stock.shelf gets wrong today."""\n'
    assert fault_text("fail", a1=BROKEN, b2=RAISED) == head + textwrap.dedent('''
        from stock.shelf import TreeMap, double


        def test_tree_map_repr_raises_nothing():
            """repr raises nothing.

            Why: broke: \'\'\'quotes\'\'\' and C:\\\\paths
            Again: tanteo report --fault a1
            Accept: accept = ["a1"] under [tool.tanteo] in pyproject.toml
            """
            tree_map = TreeMap(1)
            tree_map.put(2)
            repr(tree_map)


        def test_double_does_not_raise_unbound_local_error():
            """UnboundLocalError.

            Why: an internal error
            Again: tanteo report --fault b2
            Accept: accept = ["b2"] under [tool.tanteo] in pyproject.toml
            """
            double(1)
    ''')


@pytest.mark.parametrize("how", ["xfail", "skip"])
def test_known_faults_are_marked_if_asked_for(how: str) -> None:
    text = fault_text(how, a1=BROKEN, b2=RAISED)
    assert f'@pytest.mark.{how}(reason="known fault a1")\ndef test_tree_map_repr_raises_nothing():' in text
    assert text.count(f"@pytest.mark.{how}(") == 2
    assert "\nimport pytest\n" in text


def test_a_contract_that_is_false_is_asserted() -> None:
    text = fault_text("fail", a1={**BROKEN, "assertion": "{x} == {x}", "exception": None})
    assert text.endswith("    assert tree_map == tree_map\n")


def test_a_crash_is_shown_in_a_process_of_its_own() -> None:
    text = fault_text("fail", c3=CRASHED)
    assert "def test_double_does_not_crash():" in text
    assert "code = 'from stock.shelf import double\\n\\ndouble(1)'\n" in text
    assert text.endswith("    assert done.returncode in (0, 1)\n")
    assert "\nfrom stock.shelf import double\n" not in text
    killed = fault_text("fail", c3={**CRASHED, "message": "signal 11, SIGSEGV"})
    assert killed.endswith("    assert done.returncode >= 0\n")  # an exception is no crash


def test_the_shorter_sequence_is_written() -> None:
    subject = Subject((), (SHELF,), tuple(OPERATIONS), (), (), (), 0, ())
    short = {"a1": (sequence(MADE).code.decode(), [1], ["as it is now", "seen again"])}
    (module,) = add_faults({"a1": BROKEN}, short, subject, "fail")
    assert module.tests[0].text.endswith("    tree_map = TreeMap(1)\n    repr(tree_map)")


def test_who_gives_up_for_lack_of_memory_gives_no_test() -> None:
    subject = Subject((), (SHELF,), tuple(OPERATIONS), (), (), (), 0, ())
    for how in ("signal 6, SIGABRT", "exit status 1"):
        assert add_faults({"c3": {**CRASHED, "message": how}}, {}, subject, "fail") == {}


def test_what_is_only_suspicious_gives_no_test() -> None:
    subject = Subject((), (SHELF,), tuple(OPERATIONS), (), (), (), 0, ())
    assert add_faults({"a1": {**RAISED, "level": "suspicious"}}, {}, subject, "fail") == {}


def test_a_word_in_a_string_is_no_module() -> None:
    text = written(returning(lit("double re math join"), do("double", -1), value="'TreeMap'"))
    assert re.findall(r"^(?:from|import) .*", text, re.MULTILINE) == ["from stock.shelf import double"]


def test_tables_of_one_function_are_told_apart_by_their_options() -> None:
    optional = replace(OPERATIONS[1], parameters=(Parameter("x", ()), Parameter("y", (), required=False)))
    operations = [optional if o.index == 1 else o for o in OPERATIONS]
    short = [returning(lit(n), do("double", -1), value=str(n)) for n in (1, 2)]
    long = [returning(lit(n), lit(n), do("double", -2, -1), value=str(n)) for n in (1, 2)]
    module = Module(SHELF, operations)
    module.add_cases([*short, *long])
    assert [t.name for t in module.tests] == [
        "test_double_returns_expected",
        "test_double_with_y_returns_expected",
    ]


def test_a_length_that_does_not_last_is_told_by_its_type() -> None:
    seen = Observation("length", 1, source="7"), Observation("type", 1, source="list")
    case = Case(sequence([lit(1), do("double", -1)]), seen[:1], types=("", ""), weaker=seen[1:])
    module = Module(SHELF, OPERATIONS)
    module.add_cases([case])
    (test,) = module.tests
    assert test.text == "def test_double_has_length_7():\n    assert len(double(1)) == 7"
    assert test.instead is not None
    name, text = test.instead
    assert name == "test_double_returns_list"
    assert "isinstance(double(1), list)" in text or "type(double(1)) is list" in text


def test_no_second_test_without_a_first() -> None:
    module = Module("shop", [])
    for _ in range(3):
        module.add("test_add_returns_2", ["assert 1 + 1 == 2"])
    _, *left = module.tests
    assert [test.name for test in left] == ["test_add_returns_2_2", "test_add_returns_2_3"]
    found = renumber(left)
    assert [test.name for test in found] == ["test_add_returns_2", "test_add_returns_2_2"]
    assert found[1].text.startswith("def test_add_returns_2_2():")


def test_a_text_that_comes_back_in_each_row_has_one_column() -> None:
    module = Module(SHELF, [Operation(0, *function("keep", "text")[:-1])])
    module.add_cases(
        [Case(sequence([lit(t), call(0, (-1,))]), (see("value", 1, repr(t)),)) for t in ("some", "more")]
    )
    (test,) = module.tests
    assert test.text.startswith("@pytest.mark.parametrize(\"text\", ['more', 'some'])")
    assert "assert keep(text) == text" in test.text


def test_a_class_is_not_taken_for_the_function_of_that_name() -> None:
    operations = [
        *OPERATIONS,
        Operation(len(OPERATIONS), *function("EvalIt", "x")[:-1]),
        Operation(len(OPERATIONS) + 1, *function("eval_it", "x")[:-1]),
    ]
    made = sequence([lit(1), call(len(OPERATIONS), (-1,))])
    module = Module(SHELF, operations)
    module.add_cases([Case(made, (see("changed", 1, "1", attribute="x"),))])
    assert [test.name for test in module.tests] == ["test_new_eval_it_has_x_1"]


def test_who_writes_in_a_stream_changes_nothing() -> None:
    made = sequence([do("list"), do("TreeMap", -1), do("double", -1)])
    module = Module(SHELF, OPERATIONS)
    module.add_cases([Case(made, (see("changed", 1, "'a'", attribute=WRITTEN),))])
    assert module.tests[0].name == "test_double_writes"


def test_names_say_what_was_done_before_if_nothing_else_differs() -> None:
    made = lit(1), do("TreeMap", -1)
    cases = [
        showing(*made, lit("a"), do("TreeMap.__iadd__", -2, -1), do("TreeMap.get_size", -3), seen=[]),
        showing(*made, do("TreeMap.put", -1, -2, -2), do("TreeMap.get_size", -2), seen=[]),
    ]
    told = [replace(case, observations=(see("value", len(case.sequence) - 1, "1"),)) for case in cases]
    assert telling_names(told, OPERATIONS) == [
        "test_tree_map_made_of_1_get_size_after_in_place_sum_returns_1",
        "test_tree_map_made_of_1_get_size_after_put_returns_1",
    ]


def test_an_exception_that_says_what_it_was_told_to() -> None:
    told = raising(lit("ab"), do("double", -1), message="ab")
    assert name_case(told, OPERATIONS, 1) == "test_double_raises_value_error_saying_what_it_was_told_to"


def test_what_is_seen_of_a_new_object_is_named() -> None:
    states = [see("changed", 1, "1", attribute=name) for name in ("size", "root", "rest")]
    case = showing(lit(1), do("TreeMap", -1), seen=states)
    assert name_case(case, OPERATIONS) == "test_tree_map_has_size_and_root_and_more"
    alike = showing(lit(1), do("TreeMap", -1), seen=[see("changed", 1, "root()", attribute="root")])
    assert name_case(alike, OPERATIONS) == "test_tree_map_has_root"


def test_a_call_of_an_object_is_named_after_its_class() -> None:
    number = len(OPERATIONS)
    operations = [*OPERATIONS, Operation(number, f"{SHELF}.call", "call", SHELF, "{0}({args})", ())]
    made = returning(lit(1), do("TreeMap", -1), lit(2), call(number, (-2, -1)), value="1")
    assert (
        name_case(replace(made, types=("", "TreeMap", "", "")), operations) == "test_tree_map_call_returns_1"
    )


def test_a_word_that_comes_back_in_other_letters_is_a_text() -> None:
    assert (
        name_case(returning(lit("abc"), do("double", -1), value="'ABC'"), OPERATIONS)
        == "test_double_returns_text"
    )


def test_tables_that_share_everything_else_tell_the_kinds_of_arguments() -> None:
    number = replace(returning(lit(1), do("double", -1), value="2"), several=True)
    text = replace(returning(lit("a"), do("double", -1), value="'aa'"), several=True)
    assert name_case(number, OPERATIONS, 2) == "test_double_of_number_returns_2"
    assert name_case(text, OPERATIONS, 2) == "test_double_of_text_returns_aa"


def test_a_variable_is_not_named_like_a_module() -> None:
    number = len(OPERATIONS)
    operations = [
        *OPERATIONS,
        Operation(number, f"{SHELF}.Operator", "constructor", SHELF, "{symbol:Operator}()"),
    ]
    sizes = do("TreeMap.get_size", -1), do("TreeMap.get_size", -2)
    case = replace(returning(call(number, ()), *sizes, value="1"), types=("Operator", "", ""))
    module = Module(SHELF, operations)
    module.add_cases([case])
    assert "operator_ = Operator()" in module.text()


def test_elements_of_a_set_are_compared_as_one() -> None:
    seen = see("changed", 1, "{1, 2}", "TreeMap.__iter__")
    case = showing(lit(1), do("TreeMap", -1), lit(2), do("TreeMap.put", -2, -1), seen=[seen])
    assert "assert set(tree_map) == {1, 2}" in body(case)


def test_objects_stand_in_the_list_that_they_are_made_for() -> None:
    made = (lit(1), do("TreeMap", -1), lit(2), do("TreeMap", -1), do("list", -3, -1), do("double", -1))
    assert "double([TreeMap(1), TreeMap(2)]) == 3" in body(returning(*made, value="3"))


def test_rows_that_give_back_their_object_need_not_be_made_in_the_same_order() -> None:
    one = [lit(1), do("TreeMap", -1), lit("key"), do("TreeMap.put", -2, -1)]
    other = [lit("lock"), lit(2), do("TreeMap", -1), do("TreeMap.put", -1, -3)]
    both = [showing(*made, seen=[see("same", 3, place)]) for made, place in ((one, "1"), (other, "2"))]
    assert "assert tree_map.put(key) is tree_map" in body(*both)
    assert "def test_tree_map_put_returns_itself(" in body(*both)


def test_an_object_that_a_method_gave_back_is_the_same_one() -> None:
    made = (lit(1), do("TreeMap", -1), lit(2), do("TreeMap.put", -2, -1), do("TreeMap.get_size", -1))
    same = replace(showing(*made, seen=[see("same", 4, "1")]), same=(0, 1, 2, 1, 1))
    assert name_case(same, OPERATIONS) == "test_tree_map_get_size_returns_itself"
    assert name_case(same, OPERATIONS, 2) == "test_tree_map_after_put_get_size_returns_itself"


def test_a_message_does_not_lose_its_not() -> None:
    first = "Sorry, that kind of thing here is not allowed"
    assert in_brief(first, 1) == "Sorry that kind of thing"
    assert in_brief("Sorry, the thing you ask for is not allowed", 2) == "not allowed"


def test_what_an_attribute_gives_is_called_so() -> None:
    number = len(OPERATIONS)
    inverse = Operation(number, f"{SHELF}.TreeMap.inverse", "attribute", SHELF, "{0}.inverse", ())
    made = (lit(1), do("TreeMap", -1), call(number, (-1,)), do("TreeMap.get_size", -1))
    assert name_case(returning(*made, value="1"), [*OPERATIONS, inverse], 2) == (
        "test_tree_map_inverse_get_size_returns_1"
    )


def test_results_of_results_are_called() -> None:
    number = len(OPERATIONS)
    operations = [*OPERATIONS, Operation(number, f"{SHELF}.call", "call", SHELF, "{0}({args})", ())]
    twice = returning(lit(1), do("double", -1), call(number, (-1,)), call(number, (-1,)), value="1")
    assert name_case(twice, operations) == "test_result_of_result_of_double_returns_1"
    once = returning(lit(1), do("double", -1), lit(2), call(number, (-2, -1)), value="1")
    assert name_case(once, operations, 2) == "test_result_of_double_of_1_given_2_returns_1"
