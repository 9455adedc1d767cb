"""Probed modules behave as before, and tell which arms a run has reached."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import sys
import traceback
import typing
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tanteo.probes import Finder, Hits, Probed, patch, probe, set_bits
from tests.unit.conftest import Import, Write


class Watched:
    """A probed module and a view of its arms by line and kind."""

    def __init__(self, module: ModuleType, probed: Probed, hits: Hits) -> None:
        self.module, self.probed, self.hits = module, probed, hits

    def arms(self) -> set[tuple[int, str]]:
        return {(arm.line, arm.kind) for _, arm in self.probed.arms}

    def reached(self, call: str, *args: object) -> set[tuple[int, str]]:
        """The arms that one call reaches, besides the entry of the function itself."""
        self.hits[:] = bytes(len(self.hits))
        getattr(self.module, call)(*args)
        return {(a.line, a.kind) for n, a in self.probed.arms if self.hits[n] and a.kind != "function"}

    def entered(self, call: str, *args: object) -> set[int]:
        """The lines where functions begin that one call enters."""
        self.hits[:] = bytes(len(self.hits))
        getattr(self.module, call)(*args)
        return {a.line for n, a in self.probed.arms if self.hits[n] and a.kind == "function"}


Watch = Callable[[str], Watched]


@pytest.fixture
def watch(write: Write, clean_imports: None) -> Watch:
    """Imports a source with probes, through the finder."""

    def load(source: str) -> Watched:
        path = write("watched.py", source)
        probed = probe(ast.parse(path.read_text()), "watched", path, 0)
        hits = Hits(len(probed.blocks))
        Finder([probed], hits).install()
        return Watched(importlib.import_module("watched"), probed, hits)

    return load


def test_if_elif_else(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            if x > 10:
                return "big"
            elif x > 5:
                return "middle"
            else:
                return "small"
        """
    )
    assert subject.reached("f", 11) == {(4, "if")}
    assert subject.reached("f", 6) == {(5, "else"), (6, "if")}
    assert subject.reached("f", 1) == {(5, "else"), (8, "else")}
    assert {kind for _, kind in subject.arms()} == {"function", "if", "else"}


def test_an_if_without_else_has_two_arms(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            if x:
                x = 0
            return x
        """
    )
    assert subject.reached("f", 1) == {(4, "if")}
    assert subject.reached("f", 0) == {(3, "else")}


@pytest.mark.parametrize("head", ["for i in range(n):", "while n > 0:"])
def test_loops(watch: Watch, head: str) -> None:
    subject = watch(
        f"""
        def f(n, leave):
            {head}
                n -= 1
                if leave:
                    break
            else:
                n = "end"
            return n
        """
    )
    kinds = {name: kind for name, kind in subject.arms() if kind.startswith("loop")}
    assert kinds == {4: "loop", 8: "loop end"}
    assert subject.reached("f", 0, False) == {(8, "loop end")}
    assert subject.reached("f", 2, False) == {(4, "loop"), (5, "else"), (8, "loop end")}
    assert subject.reached("f", 2, True) == {(4, "loop"), (6, "if")}
    assert subject.module.f(2, False) == "end"


def test_an_endless_loop_has_no_end(watch: Watch) -> None:
    subject = watch(
        """
        def f(n):
            while True:
                n -= 1
                if n < 0:
                    return n
        """
    )
    assert "loop end" not in {kind for _, kind in subject.arms()}
    assert subject.reached("f", 1) == {(4, "loop"), (6, "if"), (5, "else")}


def test_handlers(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            try:
                return 1 / x
            except ZeroDivisionError:
                return 0
            except TypeError as error:
                return str(error)
            finally:
                x = None
        """
    )
    assert subject.reached("f", 2) == set()
    assert subject.reached("f", 0) == {(6, "except")}
    assert subject.reached("f", "a") == {(8, "except")}


def test_match(watch: Watch) -> None:
    subject = watch(
        """
        def open_end(x):
            match x:
                case 1 | 2:
                    return "few"
                case [a, *rest] if rest:
                    return a
            return None

        def closed(x):
            match x:
                case int():
                    return 1
                case _:
                    return 2
        """
    )
    assert subject.reached("open_end", 2) == {(5, "case")}
    assert subject.reached("open_end", [7, 8]) == {(7, "case")}
    assert subject.reached("open_end", [7]) == {(3, "no case")}
    assert subject.reached("closed", 5) == {(13, "case")}
    assert subject.reached("closed", "a") == {(15, "case")}
    assert (11, "no case") not in subject.arms()
    assert subject.module.open_end([7, 8]) == 7
    assert subject.module.open_end([7]) is None


def test_conditional_expressions(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            return (
                "yes"
                if x
                else ""
            )
        """
    )
    assert subject.reached("f", True) == {(4, "if")}
    assert subject.reached("f", False) == {(6, "else")}
    assert subject.module.f(True) == "yes"
    assert subject.module.f(False) == ""


@pytest.mark.parametrize(
    "shape", ["return ({})", "y = ({}); return y", "y = z = ({}); return z", "return [{}][0]"]
)
def test_conditional_expressions_inside_each_other(watch: Watch, shape: str) -> None:
    choice = "(1 if x else\n 2) if y else\n 3 if x else\n 4"
    subject = watch("def f(x, y):\n    " + shape.format(choice))
    assert len(subject.arms()) == 1 + 6 - 1  # the outer and an inner `if` begin in the same line
    reached = [(subject.module.f(x, y), subject.reached("f", x, y)) for x in (0, 1) for y in (0, 1)]
    assert reached == [
        (4, {(4, "else"), (5, "else")}),
        (2, {(2, "if"), (3, "else")}),
        (3, {(4, "else"), (4, "if")}),
        (1, {(2, "if")}),
    ]


def test_functions_lambdas_and_methods_are_entered(watch: Watch) -> None:
    subject = watch(
        """
        double = lambda x: 2 * x

        def outer(x):
            def inner(y):
                return y
            return double(x) if x else inner(x)

        class Box:
            def __init__(self, x=lambda: 3):
                self.x = x()

        async def later():
            return 4

        def items():
            yield 5
        """
    )
    assert subject.entered("double", 1) == {2}
    assert subject.entered("outer", 1) == {5, 2}
    assert subject.entered("outer", 0) == {5, 6}
    assert subject.entered("Box") == {10, 11}
    assert subject.module.Box().x == 3
    assert asyncio.run(subject.module.later()) == 4
    assert list(subject.module.items()) == [5]
    reached = {a.line for n, a in subject.probed.arms if subject.hits[n]}
    assert reached == {10, 11, 14, 17}


def test_docstrings_future_imports_and_names_stay(watch: Watch) -> None:
    subject = watch(
        '''
        """About the module."""
        from __future__ import annotations

        def f(x: Unknown) -> None:
            """About f."""

        class C:
            """About C."""

            def m(self):
                """About m."""
                return 1
        '''
    ).module
    assert subject.__doc__ == "About the module."
    assert subject.f.__doc__ == "About f."
    assert subject.C.__doc__ == "About C."
    assert subject.C.m.__doc__ == "About m."
    assert subject.f.__annotations__ == {"x": "Unknown", "return": "None"}
    assert subject.f(1) is None
    assert inspect.getsource(subject.C.m).count("About m.") == 1


def test_annotations_are_not_probed(watch: Watch) -> None:
    subject = watch(
        """
        from __future__ import annotations
        from typing import Annotated

        class Holder:
            field: Annotated[int, lambda v: v > 0]

        def f(x: Annotated[int, lambda v: v > 0], y: int if True else str) -> None:
            pass
        """
    ).module
    hints = typing.get_type_hints(subject.f, include_extras=True)
    assert hints["x"].__metadata__[0](1) is True
    assert hints["y"] is int
    assert typing.get_type_hints(subject.Holder, include_extras=True)["field"].__metadata__[0](0) is False


def test_nothing_is_added_to_any_namespace(watch: Watch, load_source: Import) -> None:
    source = """
    import sys
    LIMIT = 3 if sys else 4

    def f(x):
        if x:
            return sorted(locals())
        return globals()

    class C:
        size = 1 if LIMIT else 2

        def m(self):
            return dir(self)
    """
    plain = load_source("plain", source)
    probed = watch(source).module
    assert list(vars(probed)) == list(vars(plain))
    assert sorted(vars(probed.C)) == sorted(vars(plain.C))
    assert probed.f(1) == ["x"]
    assert probed.f.__code__.co_varnames == plain.f.__code__.co_varnames
    assert probed.f.__code__.co_names == plain.f.__code__.co_names
    assert probed.C().m() == plain.C().m()


def test_code_objects_can_be_hashed_and_compared(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            return [y for y in x if (lambda z: z)(y)]
        """
    ).module
    assert len({subject.f.__code__, subject.f.__code__}) == 1


def test_tracebacks_point_at_the_same_lines(watch: Watch, load_source: Import) -> None:
    source = """
    def f(x):
        '''Documented.'''
        if x == 1:
            raise ValueError("one")
        for i in range(x):
            if x == 2:
                (lambda v: v[0])(i)
        y = (
            x.absent
            if x == 3
            else h(x) if x == 4
            else 5
        )
        try:
            g(x)
        except KeyError:
            x.missing

    def h(x):
        return (
            x if not x
            else x[0]
        )

    def g(x):
        return {}[
            x
        ]
    """

    def lines(function: Callable[[int], object], x: int) -> list[int | None]:
        with pytest.raises(Exception) as caught:
            function(x)
        return [frame.lineno for frame in traceback.extract_tb(caught.value.__traceback__)[1:]]

    plain, probed = load_source("plain", source), watch(source).module
    for x in (0, 1, 2, 3, 4, -1):
        assert lines(probed.f, x) == lines(plain.f, x)


def test_blocks_for_type_checkers_and_scripts_are_nobodys_branch(watch: Watch) -> None:
    subject = watch(
        """
        import typing
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            from nowhere import Nothing
        if typing.TYPE_CHECKING:
            import nowhere
        if __name__ == "__main__":
            print("a script")
        """
    )
    assert subject.arms() == set()


def test_what_runs_beside_a_block_for_type_checkers_is_counted(watch: Watch) -> None:
    subject = watch(
        """
        from typing import TYPE_CHECKING

        if TYPE_CHECKING:
            def f(x): ...
        else:
            def f(x):
                return x

        if not TYPE_CHECKING:
            def g(x):
                return x
        """
    )
    assert subject.entered("f", 1) == {8}
    assert subject.entered("g", 1) == {12}


def test_each_line_with_a_statement_is_counted_once(watch: Watch) -> None:
    subject = watch(
        """
        import contextlib

        class C:
            size = 1

            def m(self, x):
                with contextlib.suppress(KeyError):
                    x = x + 1
                    if x > 3:
                        return x
                    x = 2
                try:
                    x = x + 1
                finally:
                    x = 0
                for i in range(x):
                    x = i
                return x
        """
    )
    tree = ast.parse(Path(subject.probed.path).read_text())
    statements = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)}
    assert sum(subject.probed.blocks) == len(statements)


def test_lines_behind_a_jump_are_a_block_of_their_own(watch: Watch) -> None:
    subject = watch(
        """
        def f(x):
            if x:
                return 1
            a = 2
            b = 3
            return a + b
        """
    )
    subject.hits[:] = bytes(len(subject.hits))
    subject.module.f(1)
    few = set(set_bits(subject.hits))
    subject.module.f(0)
    everything = set(set_bits(subject.hits))
    implied = subject.probed.implied
    counts = [
        sum(subject.probed.blocks[n] for n in reached | {implied[a] for a in reached if a in implied})
        for reached in (few, everything)
    ]
    assert counts == [2, 5]


def test_numbers_begin_where_the_last_module_ended(write: Write) -> None:
    path = write("later.py", "def f(x):\n    return 1 if x else 2\n")
    probed = probe(ast.parse(path.read_text()), "later", path, 40)
    assert [number for number, _ in probed.arms] == [41, 42, 43]
    hits = Hits(40 + len(probed.blocks))
    names: dict[str, typing.Any] = {}
    exec(patch(probed.code, hits), names)
    names["f"](0)
    assert list(set_bits(hits)) == [40, 43]
    assert probed.implied == {42: 41, 43: 41}  # the function begins with a choice


@pytest.mark.parametrize(
    "source", ["", '"""Only words."""', "# nothing\n", "from __future__ import annotations"]
)
def test_modules_with_nothing_to_run(watch: Watch, source: str) -> None:
    assert watch(source).module.__name__ == "watched"


def test_a_package_finds_its_modules_and_what_is_refused_is_not_imported(
    write: Write, clean_imports: None
) -> None:
    files = {
        "nest": write("nest/__init__.py", "from nest import egg\n"),
        "nest.egg": write("nest/egg.py", "def lay():\n    return 1\n"),
        "nest.snake": write("nest/snake.py", "raise SystemExit\n"),
    }
    probed = [probe(ast.parse(p.read_text()), n, p, 10 * i) for i, (n, p) in enumerate(files.items())]
    hits = Hits(30)
    finder = Finder(probed, hits)
    finder.refuse({"nest.snake": "it bites"})
    finder.install()
    nest = importlib.import_module("nest")
    assert nest.egg.lay() == 1
    assert list(nest.__path__) == [str(files["nest"].parent)]
    with pytest.raises(ImportError, match="it bites"):
        importlib.import_module("nest.snake")


def test_a_module_that_was_there_already_is_imported_anew(
    load_source: Import, clean_imports: None, tmp_path: Path
) -> None:
    old = load_source("ours", "def f():\n    return 1\n")
    path = tmp_path / "ours.py"
    probed = probe(ast.parse(path.read_text()), "ours", path, 0)
    hits = Hits(len(probed.blocks))
    Finder([probed], hits).install()
    new = importlib.import_module("ours")
    assert new is not old
    assert sys.modules["ours"] is new
    hits[:] = bytes(len(hits))
    old.f()
    assert not any(hits)
    new.f()
    assert any(hits)


def test_set_bits() -> None:
    assert list(set_bits(b"")) == []
    assert list(set_bits(bytearray([1, 0, 0, 1, 1]))) == [0, 3, 4]
