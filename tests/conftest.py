"""What all tests share: the examples can be imported, and the command can be run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(EXAMPLES))

Tanteo = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def tanteo(tmp_path: Path) -> Tanteo:
    """Runs the command line in an empty folder."""

    def run(*words: str, timeout: float = 120, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tanteo", *words],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run


def read_json(file: Path) -> dict[str, Any]:
    """A JSON file."""
    found: dict[str, Any] = json.loads(file.read_text())
    return found
