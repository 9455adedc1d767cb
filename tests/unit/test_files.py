"""Test files on disk: whose they are, and what happens to them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tanteo.emit import files
from tanteo.emit.modules import MARKER
from tanteo.emit.validate import Bench
from tanteo.errors import UserError
from tanteo.subject import Subject

OURS = f"{MARKER}\n"


def subject(*modules: str, root: Path | None = None) -> Subject:
    places = {m: str((root or Path("/nowhere")) / m.replace(".", "/")) + ".py" for m in modules}
    return Subject((), modules, (), (), (), (), 0, (), files=places)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(sys.executable, tmp_path / "scratch", (), (), frozenset())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_only_files_that_begin_with_the_marker_are_ours(tmp_path: Path) -> None:
    texts = {
        "ours.py": (f"{MARKER}\nx = 1\n", True),
        "alone.py": (MARKER, True),
        "later.py": (f"\n{MARKER}\n", False),
        "longer.py": (f"{MARKER} not\n", False),
        "empty.py": ("", False),
        "theirs.py": ("x = 1\n", False),
    }
    for name, (text, expected) in texts.items():
        (tmp_path / name).write_text(text)
        assert files.is_ours(tmp_path / name) is expected, name
    (tmp_path / "binary.py").write_bytes(b"\xff\xfe\x00")
    assert not files.is_ours(tmp_path / "binary.py")
    assert not files.is_ours(tmp_path / "missing.py")
    assert not files.is_ours(tmp_path)


def test_names_of_files() -> None:
    assert files.name_of("shop.cart") == "test_tanteo_shop_cart.py"
    assert files.name_of("shop", "_faults") == "test_tanteo_shop_faults.py"


def test_files_are_put_in_place_and_told(out: Path, bench: Bench) -> None:
    texts = {"test_tanteo_json_b.py": OURS + "b\n", "test_tanteo_json_a.py": OURS + "a\n"}
    written = files.publish(out, texts, subject("json.a", "json.b"), bench)
    assert written == [str(out / "test_tanteo_json_a.py"), str(out / "test_tanteo_json_b.py")]
    assert {p.name: p.read_text() for p in out.iterdir()} == texts


def test_a_file_without_the_marker_is_not_overwritten(out: Path, bench: Bench) -> None:
    out.mkdir()
    (out / "test_tanteo_json_a.py").write_text("# mine\n")
    (out / "test_tanteo_json_b.py").write_text(OURS + "old\n")
    texts = {f"test_tanteo_json_{x}.py": OURS + "new\n" for x in "ab"}
    written = files.publish(out, texts, subject("json.a", "json.b"), bench)
    assert written == [str(out / "test_tanteo_json_b.py")]
    assert (out / "test_tanteo_json_a.py").read_text() == "# mine\n"
    assert (out / "test_tanteo_json_b.py").read_text() == OURS + "new\n"


def test_what_is_the_same_is_not_written_again(out: Path, bench: Bench) -> None:
    texts = {"test_tanteo_json_a.py": OURS + "a\n"}
    files.publish(out, texts, subject("json.a"), bench)
    before = (out / "test_tanteo_json_a.py").stat()
    assert files.publish(out, texts, subject("json.a"), bench) == [str(out / "test_tanteo_json_a.py")]
    after = (out / "test_tanteo_json_a.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_stale_files_of_ours_go_and_all_others_stay(out: Path, bench: Bench) -> None:
    out.mkdir()
    stale = ["test_tanteo_json_a.py", "test_tanteo_json_a_faults.py"]
    others = {
        "test_tanteo_json_b.py": "# mine\n",  # of this subject, without the marker
        "test_tanteo_other.py": OURS,  # of another subject
        "test_json_a.py": OURS,
        "notes.txt": "keep\n",
    }
    for name in stale:
        (out / name).write_text(OURS)
    for name, text in others.items():
        (out / name).write_text(text)
    new = {"test_tanteo_json_c.py": OURS}
    files.publish(out, new, subject("json.a", "json.b", "json.c"), bench)
    assert {p.name: p.read_text() for p in out.iterdir()} == {**others, **new}


def test_a_subject_that_python_finds_needs_no_conftest(out: Path, bench: Bench) -> None:
    files.publish(out, {"test_tanteo_json.py": OURS}, subject("json"), bench)
    assert not (out / "conftest.py").exists()


def test_a_subject_that_python_does_not_find_is_made_importable(
    out: Path, bench: Bench, tmp_path: Path
) -> None:
    package = tmp_path / "lib" / "unheard_of"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("X = 5\n")
    tested = subject("unheard_of.part", root=tmp_path / "lib")
    text = OURS + "from unheard_of.part import X\n\n\ndef test_x():\n    assert X == 5\n"
    written = files.publish(out, {"test_tanteo_unheard_of_part.py": text}, tested, bench)
    assert written == [str(out / "test_tanteo_unheard_of_part.py")]
    assert files.is_ours(out / "conftest.py")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(out)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_root_of_a_package_is_found_from_its_init_too(out: Path, bench: Bench, tmp_path: Path) -> None:
    package = Subject(
        (), ("unheard_of",), (), (), (), (), 0, (), files={"unheard_of": f"{tmp_path}/unheard_of/__init__.py"}
    )
    files.publish(out, {}, package, bench)
    assert 'Path(__file__).parent / ".."' in (out / "conftest.py").read_text()


def test_a_conftest_of_the_user_stays(out: Path, bench: Bench) -> None:
    out.mkdir()
    (out / "conftest.py").write_text("# mine\n")
    files.publish(out, {"test_tanteo_unheard_of.py": OURS}, subject("unheard_of"), bench)
    assert (out / "conftest.py").read_text() == "# mine\n"


UNTIDY = f'''{MARKER}
"""Tests."""

import pytest


def test_fine():
    assert len([]) == 0


@pytest.mark.parametrize("x", [1])
@pytest.mark.parametrize("y", [(lambda: undefined_one)])
def test_decorated(x, y):
    assert x


def test_undefined():
    assert undefined_two == 1
'''


def test_the_function_of_a_complaint_is_found(tmp_path: Path) -> None:
    paths = files.stage(tmp_path / "stage", {"test_a.py": UNTIDY, "test_b.py": OURS})
    assert files.untidy(paths) == {"test_a.py::test_decorated", "test_a.py::test_undefined"}
    assert files.untidy(paths[1:]) == set()
    assert files.untidy([]) == set()


def test_a_file_that_is_no_python_is_a_complaint(tmp_path: Path) -> None:
    assert files.untidy(files.stage(tmp_path / "stage", {"test_a.py": "def f(:\n"}))


def test_staged_files_are_formatted_and_alone(tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    files.stage(stage, {"test_old.py": OURS})
    (path,) = files.stage(stage, {"test_new.py": "import os, sys\ndef f( ):\n    return sys.path\n"})
    assert path.read_text() == "import sys\n\n\ndef f():\n    return sys.path\n"
    assert [p.name for p in stage.iterdir()] == ["test_new.py"]
    assert files.formatted(stage, "test_more.py", "x = ( 1 )\n") == "x = 1\n"
    assert {p.name for p in stage.iterdir()} == {"test_new.py", "test_more.py"}


def test_the_settings_of_the_project_around_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\nline-length = 20\n")
    text = "values = [1000, 2000, 3000, 4000]\n"
    assert files.formatted(tmp_path / "stage", "test_a.py", text) == text


def test_a_folder_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    files.check_out(tmp_path / "deep" / "folder")
    assert list((tmp_path / "deep" / "folder").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write tests to"):
        files.check_out(tmp_path / "file")


def test_what_a_fault_needs_is_said_to_be_meant(tmp_path: Path) -> None:
    file = tmp_path / "test_tanteo_shop_faults.py"
    file.write_text("def test_more_than_itself():\n    result = 1\n    _ = result > result\n")
    assert files.hush([file]) == [file]
    assert files.untidy([file]) == set()
    assert "_ = result > result" in file.read_text()
