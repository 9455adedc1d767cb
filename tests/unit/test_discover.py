"""Targets name modules; nothing is imported, and what is left out has a reason."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from pathlib import Path

import pytest

from tanteo.discover import Found, find, parse
from tanteo.errors import UserError
from tests.unit.conftest import Write

BOMB = "raise SystemExit('imported')\n"


def reasons(found: Found) -> dict[str, str]:
    return {s.name: s.reason for s in found.skipped}


@pytest.fixture
def bazaar(write: Write, tmp_path: Path, clean_imports: None) -> Path:
    """A package with everything that may stand in one."""
    for name in (
        "__init__",
        "stall",
        "__main__",
        "setup",
        "conftest",
        "test_stall",
        "stall_test",
        "not-a-name",
        "inner/__init__",
        "inner/deep",
        "tests/__init__",
        "tests/helpers",
        "loose/thing",
    ):
        write(f"bazaar/{name}.py", BOMB)
    (tmp_path / "bazaar" / f"fast{importlib.machinery.EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    (tmp_path / "bazaar" / "data.txt").write_text("no module")
    sys.path.insert(0, str(tmp_path))
    return tmp_path / "bazaar"


EVERYTHING = ["bazaar", "bazaar.inner", "bazaar.inner.deep", "bazaar.stall"]
LEFT_OUT = {
    "bazaar.__main__": "a script, not a library module",
    "bazaar.setup": "a script, not a library module",
    "bazaar.conftest": "a script, not a library module",
    "bazaar.test_stall": "tests",
    "bazaar.stall_test": "tests",
    "bazaar.tests": "tests",
    "bazaar.not-a-name": "cannot be imported by this name",
}


def test_a_package_is_walked_without_importing_it(bazaar: Path) -> None:
    found = find(["bazaar"], [], [])
    assert next(iter(found.sources)) == "bazaar"
    assert sorted(found.sources) == EVERYTHING
    assert found.sources["bazaar.inner"] == bazaar / "inner" / "__init__.py"
    assert reasons(found) == LEFT_OUT
    assert found.extensions == ["bazaar.fast"]
    assert not [name for name in sys.modules if name.startswith("bazaar")]


def test_a_package_is_found_by_its_path(bazaar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sys.path.remove(str(bazaar.parent))
    for target in (str(bazaar), f"{bazaar}/"):
        found = find([target], [], [])
        assert sorted(found.sources) == EVERYTHING
        assert reasons(found) == LEFT_OUT
    assert str(bazaar.parent) in sys.path
    monkeypatch.chdir(bazaar)
    assert sorted(find(["."], [], []).sources) == EVERYTHING


def test_a_module_is_found_by_its_path_under_its_full_name(bazaar: Path) -> None:
    assert list(find([str(bazaar / "inner" / "deep.py")], [], []).sources) == ["bazaar.inner.deep"]
    assert list(find([str(bazaar / "__init__.py")], [], []).sources) == ["bazaar"]
    assert sorted(find([str(bazaar / "inner")], [], []).sources) == ["bazaar.inner", "bazaar.inner.deep"]


def test_a_path_may_be_relative(write: Write, clean_imports: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write("single.py", "").parent)
    assert list(find(["single.py"], [], []).sources) == ["single"]
    assert list(find(["./single.py"], [], []).sources) == ["single"]


def test_modules_and_packages_are_found_by_name(bazaar: Path) -> None:
    assert list(find(["bazaar.stall"], [], []).sources) == ["bazaar.stall"]
    assert sorted(find(["bazaar.inner"], [], []).sources) == ["bazaar.inner", "bazaar.inner.deep"]
    both = find(["bazaar.stall", "bazaar.inner.deep"], [], [])
    assert sorted(both.sources) == ["bazaar.inner.deep", "bazaar.stall"]


def test_a_folder_of_modules(write: Write, tmp_path: Path, clean_imports: None) -> None:
    for name in ("src/one.py", "src/pack/__init__.py", "src/pack/two.py", "src/setup.py", "src/notes/x.py"):
        write(name, BOMB)
    found = find([str(tmp_path / "src")], [], [])
    assert list(found.sources) == ["one", "pack", "pack.two"]
    assert reasons(found) == {"setup": "a script, not a library module"}
    assert sys.path[0] == str(tmp_path / "src")


def test_tests_beside_the_modules_of_a_folder_are_left_out(
    write: Write, tmp_path: Path, clean_imports: None
) -> None:
    for name in ("one.py", "tests/__init__.py", "tests/helpers.py", "test/__init__.py", "test_one.py"):
        write(name, BOMB)
    found = find([str(tmp_path)], [], [])
    assert list(found.sources) == ["one"]
    assert reasons(found) == {"tests": "tests", "test": "tests", "test_one": "tests"}


def test_a_name_inside_a_module_is_chosen(bazaar: Path) -> None:
    found = find(["bazaar.stall:Stall", "bazaar.stall:Stall.open", "bazaar:buy"], [], [])
    assert found.chosen == {"bazaar.stall": ["Stall", "Stall.open"], "bazaar": ["buy"]}
    assert sorted(found.sources) == ["bazaar", "bazaar.stall"]


def test_include_and_exclude(bazaar: Path) -> None:
    found = find(["bazaar"], ["bazaar.*"], ["*.deep"])
    assert sorted(found.sources) == ["bazaar.inner", "bazaar.stall"]
    assert reasons(found)["bazaar"] == "not in --include"
    assert reasons(found)["bazaar.inner.deep"] == "in --exclude"


def test_extensions_have_no_source(clean_imports: None) -> None:
    found = find(["_struct", "sys"], [], [])
    assert found.extensions == ["_struct", "sys"]
    assert found.sources == {}


def test_a_namespace_package_is_walked(write: Write, tmp_path: Path, clean_imports: None) -> None:
    write("spacious/module.py", "x = 1\n")
    sys.path.insert(0, str(tmp_path))
    found = find(["spacious"], [], [])
    assert list(found.sources) == ["spacious.module"]
    assert [p.name for p in parse(found)[0]] == ["spacious.module"]


@pytest.mark.parametrize(
    ("target", "words", "slug"),
    [
        ("bazar", "no module named bazar; did you mean bazaar?", "no-such-module"),
        ("bazaar.stal", "no module named bazaar.stal; did you mean bazaar.stall?", "no-such-module"),
        ("bazaar.inner.dep", "did you mean bazaar.inner.deep?", "no-such-module"),
        ("bazaar.stall.nothing", "no module named bazaar.stall.nothing", "no-such-module"),
        ("qqxxzzqq", "install it, or name its folder with --path", "no-such-module"),
        ("bazaar..stall", "not a module name or a path", "bad-target"),
        ("not-a-name", "not a module name or a path", "bad-target"),
        ("./nowhere", "no such file or folder", "no-such-path"),
        ("nowhere.py", "no such file or folder", "no-such-path"),
    ],
)
def test_mistakes_are_told_with_a_way_out(bazaar: Path, target: str, words: str, slug: str) -> None:
    with pytest.raises(UserError) as caught:
        find([target], [], [])
    assert words in str(caught.value)
    assert caught.value.slug == slug


def test_a_syntax_error_is_told_with_file_and_line(write: Write, clean_imports: None) -> None:
    path = write("wrong.py", "x = 1\n\ndef f(:\n    pass\n")
    with pytest.raises(UserError) as caught:
        parse(find([str(path)], [], []))
    assert f"syntax error in {path}, line 3: " in str(caught.value)
    assert caught.value.slug == "syntax-error"


@pytest.mark.parametrize(
    "content",
    [b"x = '\xff'\n", b"# coding: no-such-coding\n", b"x = 1\x00\n"],
    ids=["text", "coding", "null"],
)
def test_a_file_that_cannot_be_decoded_is_a_syntax_error(
    tmp_path: Path, clean_imports: None, content: bytes
) -> None:
    path = tmp_path / "bytes_.py"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"syntax error in .*bytes_\.py, line 1: "):
        parse(find([str(path)], [], []))


def test_one_wrong_module_among_others_is_skipped(write: Write, clean_imports: None) -> None:
    write("mixed/__init__.py", "")
    write("mixed/good.py", "x = 1\n")
    bad = write("mixed/bad.py", "x =\n")
    found = find([str(bad.parent)], [], [])
    parsed, _ = parse(found)
    assert sorted(p.name for p in parsed) == ["mixed", "mixed.good"]
    assert reasons(found)["mixed.bad"].startswith(f"syntax error in {bad}, line 1")


def test_the_declared_coding_is_used(tmp_path: Path, clean_imports: None) -> None:
    path = tmp_path / "latin.py"
    path.write_bytes("# coding: latin-1\nname = 'é'\n".encode("latin-1"))
    parsed, _ = parse(find([str(path)], [], []))
    assert "'é'" in __import__("ast").unparse(parsed[0].tree)


def test_the_digest_knows_the_source_and_nothing_else(write: Write, clean_imports: None) -> None:
    path = write("digested.py", "x = 1\n")
    found = find([str(path)], [], [])
    first = parse(found)[1]
    os.utime(path, (1, 1))
    assert parse(found)[1] == first
    path.write_text("x = 2\n")
    assert parse(found)[1] != first


def test_of_a_module_and_what_was_compiled_from_it_the_latter_is_imported(bazaar: Path) -> None:
    (bazaar / "fast.py").write_text("")
    found = find(["bazaar"], [], [])
    assert found.extensions == ["bazaar.fast"]
    assert "bazaar.fast" not in found.sources
