"""What a parameter wants, read off annotations and defaults."""

from __future__ import annotations

import decimal
import enum
import functools
import io
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import IO, Annotated, Any, BinaryIO, Literal, NewType, Optional, TypedDict, TypeVar, Union

import pytest

from tanteo.execute.codec import decode
from tanteo.infer import annotations_of_class, slots_of, wants_of
from tanteo.model import say
from tanteo.types import ANYTHING, FUNCTION, NOTHING, Slot, Want, fits
from tanteo.values import functions_of_arity
from tests.unit.conftest import Import

UserId = NewType("UserId", int)
T = TypeVar("T")
Bound = TypeVar("Bound", bound=str)
Either = TypeVar("Either", int, bytes)
INT, STR = Want(int), Want(str)


class Own:
    pass


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int, (INT,)),
        (Own, (Want(Own),)),
        (None, (NOTHING,)),
        (type(None), (NOTHING,)),
        (Any, (ANYTHING,)),
        (IO, (Want(io.StringIO),)),
        (IO[str], (Want(io.StringIO),)),
        (IO[bytes], (Want(io.BytesIO),)),
        (BinaryIO, (Want(io.BytesIO),)),
        (object, (ANYTHING,)),
        (Optional[int], (INT, NOTHING)),  # noqa: UP045
        (int | None, (INT, NOTHING)),
        (Union[int, str], (INT, STR)),  # noqa: UP007
        (int | Union[str, int], (INT, STR)),  # noqa: UP007
        (list[int], (Want(list, ((INT,),)),)),
        (typing.List[int], (Want(list, ((INT,),)),)),  # noqa: UP006
        (list, (Want(list),)),
        (list[int | None], (Want(list, ((INT, NOTHING),)),)),
        (set[str], (Want(set, ((STR,),)),)),
        (dict[str, int], (Want(dict, ((STR,), (INT,))),)),
        (tuple[int, str], (Want(tuple, ((INT,), (STR,))),)),
        (tuple[int, ...], (Want(tuple, ((INT,), (INT,))),)),
        (list[list[int]], (Want(list, ((Want(list, ((INT,),)),),)),)),
        (Sequence[int], (Want(list, ((INT,),)),)),
        (Iterable[str], (Want(list, ((STR,),)),)),
        (Mapping[str, int], (Want(dict, ((STR,), (INT,))),)),
        (Set[int], (Want(set, ((INT,),)),)),
        (Callable[[int], str], (Want(FUNCTION, choices=functions_of_arity(1, str)),)),
        (Callable, (Want(FUNCTION),)),
        (typing.Callable, (Want(FUNCTION),)),
        (UserId, (INT,)),
        (list[UserId], (Want(list, ((INT,),)),)),
        (T, (ANYTHING,)),
        (Bound, (STR,)),
        (Either, (INT, Want(bytes))),
        (Annotated[int, "positive"], (INT,)),
        (type[int], (Want(type, ((Want(int),),)),)),
        (typing.ForwardRef("Nowhere"), (ANYTHING,)),
        (typing.ClassVar[int], (INT,)),
        (3, (ANYTHING,)),
        ("not resolved", (ANYTHING,)),
    ],
    ids=str,
)
def test_annotations(annotation: object, expected: tuple[Want, ...]) -> None:
    assert wants_of(annotation) == expected


@pytest.mark.parametrize("annotation", [[int], {}, {"a": int}, [1, 2]], ids=repr)
def test_an_annotation_that_is_no_type_means_anything(annotation: object) -> None:
    assert wants_of(annotation) == (ANYTHING,)


def test_literals_are_the_only_choices() -> None:
    wants = wants_of(Literal["a", 1])
    assert [(c.value, c.source) for want in wants for c in want.choices] == [("a", "'a'"), (1, "1")]
    assert fits("a", wants)
    assert fits(1, wants)
    assert not fits("b", wants)


def test_choices_can_be_written_down() -> None:
    wants = wants_of(Literal["it's", Colour.RED, b"x", None, True])
    assert any(fits(Colour.RED, (want,)) for want in wants)
    for choice in (c for want in wants for c in want.choices):
        back = decode(say(choice).code).statements[0].literal
        assert back is not None
        assert (type(back.value), back.value) == (type(choice.value), choice.value)


def test_an_endless_annotation_is_cut() -> None:
    deep: Any = int
    for _ in range(10):
        deep = list[deep]
    (want,) = wants_of(deep)
    depth = 0
    while want.parts:
        ((want,),) = want.parts
        depth += 1
    assert depth < 10
    assert want == ANYTHING


def slots(function: Any, skip_first: bool = False) -> dict[str, Slot]:
    found = slots_of(function, skip_first)
    assert found is not None
    return {s.name: s for s in found}


def test_kinds_of_parameters() -> None:
    def f(a: int, /, b: str, c: float = 1.0, *rest: bytes, key: bool, more: int = 3, **others: int) -> None:
        pass

    found = slots(f)
    assert list(found) == ["a", "b", "c", "rest", "key", "more"]
    assert [n for n, s in found.items() if s.required] == ["a", "b", "key"]
    assert [n for n, s in found.items() if s.keyword] == ["key", "more"]
    assert [n for n, s in found.items() if s.variadic] == ["rest"]
    assert [n for n, s in found.items() if s.positional] == ["a"]
    assert all(s.declared for s in found.values())
    assert found["rest"].wants == (Want(bytes),)


def test_defaults_are_hints_only_where_nothing_is_declared() -> None:
    def f(a=3, b=None, c: str = "", d: int | None = None, e=Own()):  # type: ignore[no-untyped-def] # noqa: B008
        pass

    found = slots(f)
    assert {n: s.default for n, s in found.items()} == {"a": int, "b": None, "c": None, "d": None, "e": Own}
    assert {n for n, s in found.items() if s.declared} == {"c", "d"}
    assert {n for n, s in found.items() if s.open} == {"a", "b", "e"}
    assert not any(s.required for s in found.values())


def test_the_receiver_is_left_out() -> None:
    class C:
        def m(self, x: int) -> None:
            pass

        def many(*args: int) -> None:
            pass

    assert list(slots(C.m, skip_first=True)) == ["x"]
    assert list(slots(C.many, skip_first=True)) == ["args"]
    assert list(slots(C().m)) == ["x"]


def test_forward_references_are_resolved(load_source: Import) -> None:
    module = load_source(
        "forward",
        """
        from __future__ import annotations
        from dataclasses import dataclass
        from typing import NamedTuple

        def f(tree: Tree, trees: list[Tree], quoted: 'Tree | None'): ...

        @dataclass
        class Tree:
            left: Tree | None
            size: int = 0

        class Pair(NamedTuple):
            first: Tree
            second: int

        class Plain:
            def __init__(self, tree: Tree): ...

        class Made:
            def __new__(cls, tree: Tree): return super().__new__(cls)
        """,
    )
    tree = Want(module.Tree)
    found = slots(module.f)
    assert found["tree"].wants == (tree,)
    assert found["trees"].wants == (Want(list, ((tree,),)),)
    assert found["quoted"].wants == (tree, NOTHING)
    assert slots(module.Tree)["left"].wants == (tree, NOTHING)
    assert slots(module.Tree)["size"].wants == (INT,)
    assert slots(module.Pair)["first"].wants == (tree,)
    assert slots(module.Pair)["second"].wants == (INT,)
    assert slots(module.Plain)["tree"].wants == (tree,)
    assert slots(module.Made)["tree"].wants == (tree,)
    assert annotations_of_class(module.Tree)["size"] is int


def test_a_reference_that_leads_nowhere_does_not_spoil_the_others(load_source: Import) -> None:
    module = load_source(
        "nowhere",
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from somewhere import Missing

        def f(a: Missing, b: int, c: list[Missing], d: Missing | None = None, e: 1 / 0 = 2): ...

        def g(a: [int], b: int): ...

        class C:
            x: Missing
        """,
    )
    found = slots(module.f)
    assert found["b"].wants == (INT,)
    assert found["b"].declared
    for name in "acde":
        assert found[name].wants == (ANYTHING,)
        assert not found[name].declared
    assert annotations_of_class(module.C) == {}
    assert slots(module.g)["b"].wants == (INT,)
    assert not slots(module.g)["a"].declared


def test_wrapped_functions_show_what_is_inside() -> None:
    def inner(x: int) -> int:
        return x

    @functools.wraps(inner)
    def outer(*args: Any, **named: Any) -> int:
        return inner(*args, **named)

    assert slots(outer)["x"].wants == (INT,)
    assert slots(functools.lru_cache(inner))["x"].wants == (INT,)
    assert list(slots(functools.partial(inner, 1))) == []


def test_a_decorator_with_parameters_of_its_own_shows_them() -> None:
    def inner(x: int) -> int:
        return x

    @functools.wraps(inner)
    def outer(message: Any = None) -> Any:
        return lambda x: inner(x) or message

    assert [(s.name, s.required) for s in slots_of(outer, False) or ()] == [("message", False)]


def test_what_python_does_not_tell() -> None:
    class Odd:
        @property
        def __signature__(self) -> None:
            raise RuntimeError("none of your business")

        def __call__(self) -> None:
            pass

    assert slots_of(Odd(), False) is None
    assert slots_of(dict.fromkeys, False) is not None
    assert slots_of(max, False) is None


@pytest.mark.parametrize(
    ("annotation", "good", "bad"),
    [
        (int, [1, True], ["1", 1.0, None]),
        (float, [1.0, 1], ["1", None, True]),
        (bool, [True], [1, None]),
        (Optional[int], [None, 1], ["1"]),  # noqa: UP045
        (int | str, [1, "1"], [b"1", None]),
        (list[int], [[], [1], [1, 2]], [["1"], [1, "1"], (1,), [None]]),
        (dict[str, int], [{}, {"a": 1}], [{"a": "b"}, {1: 1}, [("a", 1)]]),
        (tuple[int, str], [(1, "a")], [("a", 1), [1, "a"]]),
        (tuple[int, ...], [(1,), (1, 2, 3)], [(1, "a"), ("a",)]),
        (set[int], [set(), {1}], [{"a"}, [1]]),
        (Callable[[int], int], [len, int, lambda: 1], [1, "len"]),
        (Own, [Own()], [Own, 1]),
        (UserId, [3], ["3"]),
        (object, [None, 1, Own()], []),
        (Literal["a", "b"], ["a"], ["c", None, 1]),
    ],
    ids=str,
)
def test_fits(annotation: object, good: list[object], bad: list[object]) -> None:
    wants = wants_of(annotation)
    assert [value for value in good if not fits(value, wants)] == []
    assert [value for value in bad if fits(value, wants)] == []


class Movie(TypedDict):
    """A record."""

    name: str
    year: int


def test_a_typed_dict_is_a_record() -> None:
    (want,) = wants_of(Movie)
    assert (want.kind, want.keys) == (dict, ("name", "year"))
    assert want.parts == ((Want(str),), (Want(int),))


class Keyed(typing.Protocol):
    def keys(self) -> Any: ...
    def __getitem__(self, key: Any) -> Any: ...


class Ordered(typing.Protocol):
    def __lt__(self, other: Any) -> bool: ...


class Named(typing.Protocol):
    name: str


class Hashed(typing.Protocol):
    def __hash__(self) -> int: ...


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        (Keyed, [dict]),
        (Ordered, [int, str, list]),
        (Hashed, [int, str, float]),
        (Named, []),
        (typing.SupportsAbs, [int, float]),
    ],
)
def test_what_has_all_that_a_protocol_asks_for_will_do(protocol: type, expected: list[type]) -> None:
    assert [want.kind for want in wants_of(protocol)] == [*expected, protocol]


def test_functions_give_what_is_declared() -> None:
    (text,) = wants_of(Callable[[int], str])
    assert [choice.source for choice in text.choices] == ["str", "lambda x: x", "repr", "abs"]
    (anything,) = wants_of(Callable[[int], Any])
    assert len(anything.choices) > len(text.choices)


def test_what_a_function_has_for_itself_is_not_passed() -> None:
    def plain(a, _len=len): ...  # type: ignore[no-untyped-def]
    def named(a, *, key=None, _memo=None): ...  # type: ignore[no-untyped-def]
    def between(_a=1, b=2): ...  # type: ignore[no-untyped-def]
    def any_number(a=1, _b=2, *rest): ...  # type: ignore[no-untyped-def]
    def required(_a): ...  # type: ignore[no-untyped-def]

    functions = (plain, named, between, any_number, required)
    assert [[slot.name for slot in slots_of(f, False) or ()] for f in functions] == [
        ["a"],
        ["a", "key"],
        ["_a", "b"],
        ["a", "_b", "rest"],
        ["_a"],
    ]


CHECKED = """
from __future__ import annotations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal as Number
    from nowhere.at_all import Nothing

def double(x: Number, y: Nothing = None) -> Number:
    return x + x
"""


def test_what_is_imported_for_type_checkers_is_known_if_somebody_has_imported_it(load_source: Import) -> None:
    module = load_source("checked", CHECKED)
    slots = slots_of(module.double, skip_first=False)
    assert slots is not None
    assert [slot.wants for slot in slots] == [(Want(decimal.Decimal),), (ANYTHING,)]
