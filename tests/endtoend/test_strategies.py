"""Each strategy through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, Tanteo, read_json

SHOP = str(EXAMPLES / "shop")


@pytest.mark.parametrize("name", ["autotest", "controlled", "reuse"])
def test_each_writes_tests(tanteo: Tanteo, tmp_path: Path, name: str) -> None:
    done = tanteo("generate", SHOP, "--steps", "400", "--strategy", name, "--json", "out.json", "--quiet")
    assert done.returncode in (0, 1), done.stderr
    found = read_json(tmp_path / "out.json")
    assert found["sequences"]["executed"] == 400
    assert found["tests"]["written"] > 3
    assert found["explorers"]["restarts"] == 0


@pytest.mark.parametrize(
    ("name", "tune", "resets"),
    [
        ("adaptive", "slice_=0.1", 0),
        ("autotest", "p_div=0.25", 0),
        ("controlled", "every=0.1", 0),
        ("reset", "period_steps=200", 2),
        ("reuse", "p_reuse=0.9", 0),
    ],
)
def test_steps_make_the_same_run_again(
    tanteo: Tanteo, tmp_path: Path, name: str, tune: str, resets: int
) -> None:
    words = ("--steps", "600", "--strategy", name, "--tune", tune, "--quiet", "--explore-only")
    digests = []
    for out in ("one", "two"):
        folders = ("--session", out, "--out", f"{out}-tests", "--json", f"{out}.json")
        done = tanteo("generate", SHOP, *words, *folders)
        assert done.returncode in (0, 1), done.stderr
        found = read_json(tmp_path / f"{out}.json")
        assert found["sequences"]["executed"] == 600
        assert found["explorers"] == {"restarts": 0, "resets": resets, "hung": 0, "crashed": 0}
        assert found["tests"]["written"] == 0
        digests.append(found["sequences"]["kept_digest"])
    assert digests[0] == digests[1]


def test_what_cannot_be_tuned_is_said_in_one_line(tanteo: Tanteo) -> None:
    done = tanteo("generate", SHOP, "--steps", "10", "--tune", "period=5")
    assert done.returncode == 2
    assert "--tune period=5: directed has no period; there are repetition" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
