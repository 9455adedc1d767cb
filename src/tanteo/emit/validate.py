"""Real pytest runs over written files: no test stays that was not seen to pass."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tanteo.emit import pytest_watch
from tanteo.emit.pytest_watch import FIRST, LEAVING, ORDER, PASSED, SUBJECT, UNDER_WAY, WORK
from tanteo.execute.guard import restrict
from tanteo.execute.nest import OTHER, PINNED, environment
from tanteo.execute.otherday import furnish

STRICT = re.compile(r"filterwarnings\s*=[\s\[\"']*error|-W[\s=\"',]*error")
WATCH = "tanteo_watch"
NOT_READ = "collection failure"  # what pytest says of a whole file
INTERRUPTED = 2  # pytest's exit status if a test made it stop, or if files could not be read


class Coverage(NamedTuple):
    """What the written tests cover, by coverage.py."""

    lines: float
    branches: float


CONFTEST = """\
import os
import runpy
import sys

for path in {!r}:
    sys.path.insert(0, os.path.dirname(path))
    found = runpy.run_path(path, run_name="conftest")
    globals().update((name, thing) for name, thing in found.items() if not name.startswith("__"))
"""


@dataclass(slots=True)
class Result:
    """One run of pytest."""

    passed: set[str] = field(default_factory=set)  # file::name, parameters aside
    failed: dict[str, str] = field(default_factory=dict)  # the same -> why
    finished: bool = True
    trouble: str = ""  # why it did not finish
    stuck: str = ""  # file::name of the test that it did not come back from
    leaving: set[str] = field(default_factory=set)  # tests after which the subject's globals were others
    coverage: Coverage | None = None


@dataclass(frozen=True, slots=True)
class Bench:
    """Where pytest runs: the subject's interpreter, a folder that it may write to, what is measured."""

    python: str
    scratch: Path
    roots: tuple[str, ...]
    modules: tuple[str, ...]
    tools: frozenset[str]  # pytest and coverage, if they are there
    allow: frozenset[str] = frozenset()
    conftests: tuple[Path, ...] = ()  # with fixtures that the tests use

    def run(
        self,
        files: list[Path],
        *,
        seed: int,
        limit: float,
        shuffle: bool = False,
        first: frozenset[str] = frozenset(),
        measure: bool = False,
        project: Path | None = None,
    ) -> Result:
        """Run the files under a hash seed; in another order if asked, these tests first; in the project if
        asked."""
        measure = measure and "coverage" in self.tools
        folder = self.scratch / f"pytest-{seed}"
        report = _prepare(folder, first)
        command = [
            *self._command(folder, report, measure, project is None),
            *(str(f.resolve()) for f in files),
        ]
        setting = self._environment(folder, seed) | ({ORDER: str(seed)} if shuffle else {})
        began = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=project or folder / WORK,
                env=setting,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=max(0.2, limit),
                check=False,
                preexec_fn=self._shut_in,
            )
        except subprocess.TimeoutExpired:
            stuck = "" if report.exists() else "".join(_noted(folder / UNDER_WAY))
            result = Result(finished=False, trouble=f"pytest took too long {stuck}".rstrip(), stuck=stuck)
            result.passed = _noted(folder / PASSED)
            return result
        result = _read(report)
        result.leaving = _noted(folder / LEAVING)
        if done.returncode == INTERRUPTED:
            result.finished, result.stuck = False, "".join(_noted(folder / UNDER_WAY))
        if not result.finished:
            last = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()[-1:]
            result.trouble = f"pytest ended with status {done.returncode}: {' '.join(last)}"[:300]
        if measure:
            result.coverage = self._measured(folder, limit - (time.monotonic() - began))
        return result

    def _command(self, folder: Path, report: Path, measure: bool, alone: bool) -> list[str]:
        """How pytest is started; alone, it looks at no configuration but its own."""
        command = [self.python, "-B", *(["-m", "coverage", *self._coverage(folder)] if measure else [])]
        command += ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", WATCH]
        if alone:
            (folder / "pytest.ini").write_text("[pytest]\n")
            command += ["-c", str(folder / "pytest.ini"), "--rootdir", str(folder)]
            command += ["--confcutdir", str(self.scratch)]
        return [*command, f"--junitxml={report}", "-o", "junit_family=xunit1"]

    @property
    def _packages(self) -> list[str]:
        return list(dict.fromkeys(m.partition(".")[0] for m in self.modules))

    def offer_fixtures(self) -> None:
        """A conftest above the staged files with what those of the project have."""
        if self.conftests:
            (self.scratch / "conftest.py").write_text(CONFTEST.format([str(p) for p in self.conftests]))

    def _shut_in(self) -> None:
        """The subject's code runs here too: it may write to the scratch directory only."""
        restrict(str(self.scratch), self.allow)

    def _environment(self, folder: Path, seed: int) -> dict[str, str]:
        path = os.pathsep.join([str(folder), *self.roots])
        zone = {"TZ": "UTC" if seed % 2 else "America/New_York"}
        pinned = {**(PINNED if seed % 2 else OTHER), **zone, "PYTHONHASHSEED": str(seed)}
        own = {"TMPDIR": str(folder), "HOME": str(folder), "COVERAGE_FILE": str(folder / "coverage")}
        return {**environment(pinned), **own, "PYTHONPATH": path, SUBJECT: " ".join(self._packages)}

    def _coverage(self, folder: Path) -> list[str]:
        sources = _shared(self.modules) or ",".join(self._packages)
        (folder / "coveragerc").write_text("[run]\nbranch = true\n")
        return ["run", f"--rcfile={folder / 'coveragerc'}", f"--source={sources}"]

    def _measured(self, folder: Path, limit: float) -> Coverage | None:
        out = folder / "coverage.json"
        command = [
            self.python,
            "-m",
            "coverage",
            "json",
            "-q",
            f"--rcfile={folder / 'coveragerc'}",
            "-o",
            str(out),
        ]
        try:
            subprocess.run(
                command,
                cwd=folder,
                env=self._environment(folder, 1),
                capture_output=True,
                timeout=max(0.2, limit),
                check=True,
            )
            totals: dict[str, Any] = json.loads(out.read_text())["totals"]
        except (subprocess.SubprocessError, OSError, ValueError, KeyError):
            return None  # no coverage.py there, or nothing was measured
        return Coverage(
            _percent(totals["covered_lines"], totals["num_statements"]),
            _percent(totals["covered_branches"], totals["num_branches"]),
        )


def _prepare(folder: Path, first: frozenset[str]) -> Path:
    """A folder as for the first run, with our plug-in in it; where the report will be."""
    (folder / WORK).mkdir(parents=True, exist_ok=True)
    furnish(str(folder / WORK))
    report = folder / "report.xml"
    for old in (report, folder / UNDER_WAY, folder / LEAVING, folder / PASSED):
        old.unlink(missing_ok=True)
    shutil.copy(pytest_watch.__file__, folder / f"{WATCH}.py")
    (folder / FIRST).write_text("\n".join(sorted(first)))
    return report


def _noted(notes: Path) -> set[str]:
    """The tests that our plug-in has noted, as file::name without parameters."""
    try:
        lines = notes.read_text().splitlines()
    except OSError:
        return set()
    names = [line.partition("[")[0].partition("::") for line in lines]
    return {f"{Path(file).name}::{test}" for file, _, test in names if test}


def _shared(modules: tuple[str, ...]) -> str:
    """The package, or module, that all modules are in."""
    parts = []
    for names in zip(*(m.split(".") for m in modules), strict=False):
        if len(set(names)) > 1:
            break
        parts.append(names[0])
    return ".".join(parts)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 100.0


def _read(report: Path) -> Result:
    """The report of a run; tests that are not in it did not run."""
    result = Result()
    try:
        root = ElementTree.parse(report).getroot()
    except (OSError, ElementTree.ParseError):
        return Result(finished=False)
    for case in root.iter("testcase"):
        file = case.get("file") or (case.get("classname") or "").rpartition(".")[2] + ".py"
        name = f"{Path(file).name}::{(case.get('name') or '').partition('[')[0]}"
        trouble = case.find("failure")
        trouble = case.find("error") if trouble is None else trouble
        if trouble is not None and trouble.get("message") == NOT_READ:
            result.failed[f"{(case.get('name') or '').rpartition('.')[2]}.py"] = (
                "it cannot be imported any more"
            )
        elif trouble is None:
            result.passed.add(name)
        else:
            result.failed[name] = (trouble.get("message") or "error").splitlines()[0][:200]
    result.passed -= set(result.failed)
    return result


def interpreter(python: str | None) -> str:
    """The interpreter that pytest runs under: the subject's."""
    return python or sys.executable


def find_tools(python: str) -> frozenset[str]:
    """Which of pytest and coverage the subject's environment has."""
    code = "import importlib.util as u; print([t for t in ('pytest', 'coverage') if u.find_spec(t)])"
    done = subprocess.run([python, "-P", "-c", code], capture_output=True, text=True, check=False)
    return frozenset(tool for tool in ("pytest", "coverage") if tool in done.stdout)


def warnings_are_errors(project: Path) -> bool:
    """Whether the project's pytest takes warnings for errors; a test that warns cannot stay there."""
    for name in ("pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"):
        file = project / name
        if file.is_file() and STRICT.search(file.read_text(errors="replace")):
            return True
    return False


def has_own_configuration(project: Path) -> bool:
    """Whether pytest would find settings in this folder."""
    if (project / "pytest.ini").is_file():
        return True
    for name, mark in (
        ("pyproject.toml", "[tool.pytest"),
        ("setup.cfg", "[tool:pytest]"),
        ("tox.ini", "[pytest]"),
    ):
        file = project / name
        if file.is_file() and mark in file.read_text(errors="replace"):
            return True
    return False
