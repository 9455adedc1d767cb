"""Same settings, same findings: another hash seed, another directory, one job and two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import EXAMPLES, Tanteo, read_json


def without_times(file: Path) -> dict[str, Any]:
    report = read_json(file)
    del report["elapsed_seconds"]
    for row in report["coverage"]["timeline"]:
        row[0] = 0
    return report


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_same_json(tanteo: Tanteo, tmp_path: Path, jobs: str) -> None:
    common = ("--path", str(EXAMPLES), "--steps", "1500", "--seed", "7", "--jobs", jobs, "--quiet")
    tanteo("generate", "shop", *common, "--json", "one.json", "--session", "a", PYTHONHASHSEED="1")
    deeper = str(tmp_path / "far" / "away")
    tanteo("generate", "shop", *common, "--json", "two.json", "--session", deeper, PYTHONHASHSEED="2")
    one, two = without_times(tmp_path / "one.json"), without_times(tmp_path / "two.json")
    assert one == two
    assert one["sequences"]["executed"] == 1500
    assert one["sequences"]["kept"] > 100
