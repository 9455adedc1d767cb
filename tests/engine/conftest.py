"""The examples are loaded with probes, for one test each."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import EXAMPLES

NAMES = frozenset(file.stem for file in EXAMPLES.iterdir())


@pytest.fixture(autouse=True)
def own_imports() -> Iterator[None]:
    """Whoever has imported the examples before; and probed modules and finders do not outlive the test."""
    for name in [n for n in sys.modules if n.partition(".")[0] in NAMES]:
        del sys.modules[name]
    before, path, finders = dict(sys.modules), list(sys.path), list(sys.meta_path)
    state = random.getstate()
    yield
    for name in set(sys.modules) - set(before):
        del sys.modules[name]
    sys.path[:], sys.meta_path[:] = path, finders
    random.setstate(state)
