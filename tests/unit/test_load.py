"""A target is found, probed, imported and read in one go."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tanteo.errors import UserError
from tanteo.execute.load import Loaded, Wanted, load
from tanteo.subject import subject_as_json, subject_from_json
from tests.unit.conftest import Write


@pytest.fixture
def larder(write: Write, tmp_path: Path, clean_imports: None) -> Path:
    write("larder/__init__.py", "")
    write(
        "larder/jar.py",
        """
        SIZE = 77

        class Jar:
            def fill(self, amount: int):
                if amount > SIZE:
                    return "full"
                return amount

        def open_jar(jar: Jar): ...
        """,
    )
    write("larder/broken.py", "raise ValueError('bad\\n  day')\n")
    write("larder/leaves.py", "raise SystemExit(3)\n")
    write("larder/wrong.py", "def (:\n")
    sys.path.insert(0, str(tmp_path))
    return tmp_path


def names(loaded: Loaded) -> set[str]:
    return {o.name for o in loaded.subject.operations if o.kind != "display"}


def test_a_package_is_loaded_and_what_cannot_be_is_skipped(larder: Path) -> None:
    loaded = load(Wanted(("larder",)))
    subject = loaded.subject
    assert names(loaded) == {"larder.jar.Jar", "larder.jar.Jar.fill", "larder.jar.open_jar"}
    assert subject.modules == ("larder", "larder.jar")
    reasons = {s.name: s.reason for s in subject.skipped}
    assert reasons["larder.broken"] == "cannot be imported: ValueError: bad day"
    assert reasons["larder.leaves"] == "cannot be imported: SystemExit: 3"
    assert "line 1" in reasons["larder.wrong"]


def test_arms_belong_to_probes_and_runs_reach_them(larder: Path) -> None:
    loaded = load(Wanted(("larder",)))
    subject = loaded.subject
    assert len(loaded.hits) == len(subject.blocks)
    assert {a.module for a in subject.arms} == {"larder.jar"}
    arms = dict(zip(subject.arm_numbers, subject.arms, strict=True))
    assert not set(subject.imported) & set(arms)
    jar = sys.modules["larder.jar"].Jar()
    before = bytes(loaded.hits)
    jar.fill(1)
    reached = [n for n in arms if loaded.hits[n] and not before[n]]
    assert [arms[n].kind for n in reached] == ["else"]
    assert arms[loaded.implied[reached[0]]].kind == "function"
    jar.fill(100)
    assert {arms[n].kind for n in arms if loaded.hits[n]} == {"else", "if"}


def test_constants_are_mined(larder: Path) -> None:
    loaded = load(Wanted(("larder.jar",)))
    code = loaded.literals.statement(int, 77).code
    assert code == b"=77\n"
    assert "'full'" in {s.literal.source for s in loaded.literals._mined["larder.jar"][str] if s.literal}


def test_the_subject_survives_the_way_over_the_pipe(larder: Path) -> None:
    subject = load(Wanted(("larder",))).subject
    assert subject_from_json(subject_as_json(subject)) == subject
    import json

    assert subject_from_json(json.loads(json.dumps(subject_as_json(subject)))) == subject


def test_modules_that_failed_their_trial_are_not_imported(larder: Path) -> None:
    loaded = load(Wanted(("larder",)), lambda found, finder: {n: "it bites" for n in found if "jar" not in n})
    assert "larder.broken" not in sys.modules
    assert {s.reason for s in loaded.subject.skipped if s.name == "larder.leaves"} == {"it bites"}


@pytest.mark.parametrize(
    ("target", "slug", "words"),
    [
        ("larder.jar:Jra", "no-such-name", "larder.jar has no Jra"),
        ("larder.jar:Jar.empty", "no-such-name", "larder.jar has no Jar.empty"),
        ("larder.broken", "nothing-to-test", "larder.broken: cannot be imported: ValueError"),
        ("larder.wrong", "syntax-error", "line 1"),
    ],
)
def test_mistakes(larder: Path, target: str, slug: str, words: str) -> None:
    with pytest.raises(UserError) as caught:
        load(Wanted((target,)))
    assert caught.value.slug == slug
    assert words in str(caught.value)
