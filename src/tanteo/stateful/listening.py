"""Runs a user's own test suite and keeps the calls that it makes into the subject."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tanteo.errors import UserError
from tanteo.execute import bootstrap
from tanteo.execute.nest import environment, import_roots
from tanteo.settings import Settings
from tanteo.stateful.listener import ORDER

PLUGIN = """import importlib.util
import sys

spec = importlib.util.spec_from_file_location("tanteo_bootstrap", {bootstrap!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.meta_path.insert(0, module.OwnFinder({package!r}))
from tanteo.stateful.listener import *
"""
LIMIT = 600.0  # seconds


def listen(settings: Settings, suite: str) -> Path:
    """The file with the calls; tests that fail do no harm, what they did before counts."""
    if not Path(suite).exists():
        raise UserError(f"--suite {suite}: there is no such file or directory", "no-such-path")
    folder = Path(settings.session).resolve() / "suite"
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "calls.jsonl"
    out.unlink(missing_ok=True)
    here = Path(bootstrap.__file__).resolve()
    text = PLUGIN.format(bootstrap=str(here), package=str(here.parents[1]))
    (folder / "tanteo_listening.py").write_text(text)
    command = [settings.python or sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "tanteo_listening", suite]
    setting = {
        **environment(),
        "PYTHONPATH": os.pathsep.join([str(folder), *import_roots(settings)]),
        ORDER: json.dumps({"targets": list(settings.targets), "out": str(out)}),
    }
    try:
        done = subprocess.run(command, env=setting, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise UserError(f"--suite {suite}: pytest did not end within {LIMIT:.0f} s", "too-slow") from error
    if not out.exists() or not out.read_text():
        last = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()[-1:]
        raise UserError(f"--suite {suite}: no calls of the subject were heard: {''.join(last)}", "no-calls")
    return out
