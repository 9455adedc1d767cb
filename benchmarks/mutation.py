"""How well a folder of pytest files catches changes of one module: a small mutation tester.

    python benchmarks/mutation.py containers.bin_tree tests/ --path examples --survivors

Counted are `test_tanteo_*.py` (or what `--pattern` says) but not `*_faults.py`. A copy of them runs twice on
the module as it is (for the lines, for the time) and once on each mutant, in a fork that has not imported the
package. Killed means a failed test, an error, a crash, or no end within 3 times the time + 2 s. pytest and
coverage must be installed beside the package (`--python`). Exit status 2: no score, and why.

`--without KIND` takes assertions out of the copy, once the lines are known: the same mutants count with and
without. What an assertion looked at is still evaluated.
    type     `assert isinstance(x, T)`, `assert type(x) is T`, `assert len(x) == n` become `x`
    state    `assert LEFT == y` and `assert LEFT is y` (y may be a pytest.approx) become `LEFT`, if that is an
             attribute, a subscript or the call of a method
    result   the same for any other LEFT: a name, a call, an operator; `name.f()` is no method if name is
             imported
    raises   `with pytest.raises(E)` becomes `with contextlib.suppress(Exception, E)`, whatever the message;
             assertions about what it caught go, too
All other forms (`in`, `!=`, `not x`, `math.isnan(x)`) stay.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import io
import json
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import textwrap
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import decode_source, find_spec, spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
OURS = [str(HERE), str(HERE.parent / "src")]
sys.path += OURS

from ablation import ablate  # noqa: E402

from tanteo.mutants import Site, put, sites  # noqa: E402

GREEN = (0, 5)  # pytest's: all passed, no tests
MEMORY = 2 << 30
LINE = "{module}: {mutants} mutants, {covered} in covered lines, {killed} killed, {percent} %, {seconds} s"
LONGEST = 600.0  # seconds, for the module as it is
SETTING = {
    "PYTHONHASHSEED": "0",
    "PYTHONSAFEPATH": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "TANTEO_MUTATION": "1",
}


@dataclasses.dataclass(frozen=True)
class Suite:
    """The tests below a folder, and the module that they are about."""

    module: str
    file: Path
    tree: ast.Module
    folder: Path
    pattern: str = "test_tanteo_*.py"
    left_out: tuple[str, ...] = ()  # tests that fail anyway

    def tests(self) -> list[Path]:
        """The files that count."""
        found = sorted(self.folder.rglob(self.pattern))
        return [file for file in found if not file.name.endswith("_faults.py")]


class Swap(SourceFileLoader):
    """Finds one module and runs other code for it."""

    def __init__(self, suite: Suite) -> None:
        super().__init__(suite.module, str(suite.file))
        self.code = compile(ast.fix_missing_locations(suite.tree), self.path, "exec", dont_inherit=True)

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """This module only."""
        return spec_from_file_location(fullname, self.path, loader=self) if fullname == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        """Never that of the file, and nothing for its cache."""
        return self.code


class Failures:
    """Remembers which tests failed, and which files could not be read."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of a test."""
        if report.failed:
            self.names.append(f"{report.nodeid} ({report.longreprtext.strip().rpartition(chr(10))[2]})")

    pytest_collectreport = pytest_runtest_logreport


def attempt(suite: Suite, site: Site | None, seconds: float, notes: Path | None) -> NoReturn:
    """All there is for a fork to do: the tests on a mutant; notes are about a run on the module as it is."""
    status = 1
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        processor = int(2 * seconds) + 1  # if nobody is left to end us
        for limit, most in (("AS", MEMORY), ("CORE", 0), ("CPU", processor)):
            resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (most, most))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.chdir(suite.folder)
        if site is not None:
            put(site.parent, site.field, site.index, site.node)
        sys.meta_path.insert(0, Swap(suite))
        status = observe(suite, notes) if notes else run(suite.folder, suite.tests(), ["-x", *_less(suite)])
    finally:
        os._exit(status)


def run(folder: Path, what: Sequence[Path], extra: list[str], plugins: Sequence[object] = ()) -> int:
    """pytest on files of a folder, without the settings of any project."""
    import pytest

    fixed = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(folder)]
    fixed += ["--confcutdir", str(folder)]  # otherwise it looks into all folders above
    return pytest.main([*fixed, *extra, *map(str, what)], plugins=list(plugins))


def _less(suite: Suite) -> list[str]:
    return [word for name in suite.left_out for word in ("--deselect", name)]


def observe(suite: Suite, notes: Path) -> int:
    """A run that tells the executed lines and the failed tests."""
    import coverage

    failures = Failures()
    watch = coverage.Coverage(data_file=None, config_file=False, include=[str(suite.file)])
    watch.start()
    extra = ["--continue-on-collection-errors", *_less(suite)]
    status = run(suite.folder, suite.tests(), extra, [failures])
    watch.stop()
    lines = watch.get_data().lines(str(suite.file)) or []
    notes.write_text(json.dumps({"lines": lines, "failed": failures.names}))
    return status


def judge(
    suite: Suite, tries: Sequence[Site | None], limit: float, jobs: int, notes: Path | None = None
) -> list[str]:
    """What became of each try: killed, timeout or survived."""
    verdicts = ["killed"] * len(tries)
    waiting = list(enumerate(tries))[::-1]
    running: dict[int, tuple[int, int, float]] = {}  # by descriptor: number, process, deadline
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, site = waiting.pop()
                process = os.fork()
                if process == 0:
                    attempt(suite, site, limit, notes)
                os.setpgid(process, process)
                running[os.pidfd_open(process)] = number, process, time.monotonic() + limit
            left = min(deadline for _, _, deadline in running.values()) - time.monotonic()
            ended = select.select(list(running), [], [], max(0.0, left))[0]
            late = [fd for fd, (_, _, d) in running.items() if d <= time.monotonic() and fd not in ended]
            for descriptor in [*ended, *late]:
                number, process, _ = running.pop(descriptor)
                if descriptor in late:
                    os.killpg(process, signal.SIGKILL)
                    verdicts[number] = "timeout"
                if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) in GREEN:
                    verdicts[number] = "survived"
                os.close(descriptor)
    finally:
        for _, process, _ in running.values():
            os.killpg(process, signal.SIGKILL)
    return verdicts


def stop(reason: str) -> NoReturn:
    """No score."""
    print(f"mutation: {reason}", file=sys.stderr)
    sys.exit(2)


def locate(module: str) -> Path:
    """The file of a module; nothing is imported."""
    names, places = module.split("."), None
    for position in range(len(names)):
        spec = PathFinder.find_spec(".".join(names[: position + 1]), places)
        places = list((spec and spec.submodule_search_locations) or [])
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        stop(f"no source found for {module}: is --path or --python missing?")
    return Path(spec.origin).resolve()


def measure(suite: Suite, options: argparse.Namespace) -> dict[str, Any]:
    """The score and what belongs to it."""
    notes = suite.folder.parent / "notes.json"
    if judge(suite, [None], LONGEST, 1, notes) != ["survived"] and options.lenient and notes.exists():
        failed = json.loads(notes.read_text())["failed"]
        suite = dataclasses.replace(suite, left_out=tuple(name.partition(" (")[0] for name in failed))
    if judge(suite, [None], LONGEST, 1, notes) != ["survived"]:
        failed = json.loads(notes.read_text())["failed"] if notes.exists() else []
        stop("fails on the unchanged module: " + (", ".join(failed) or "it does not end by itself"))
    for test in suite.tests() if options.without else ():
        test.write_text(ablate(test.read_text(), options.without))
    began = time.monotonic()
    if judge(suite, [None], LONGEST, 1) != ["survived"]:
        stop("passes on the unchanged module, but not again" + " without assertions" * bool(options.without))
    limit = 3 * (time.monotonic() - began) + 2
    chosen = list(sites(suite.tree))
    if len(chosen) > options.most:
        numbers = random.Random(options.seed).sample(range(len(chosen)), options.most)
        chosen = [chosen[number] for number in sorted(numbers)]
    lines = set(json.loads(notes.read_text())["lines"])
    covered = [site for site in chosen if site.statement in lines]
    verdicts = judge(suite, covered, limit, options.jobs)
    survivors = [s.mutant for s, v in zip(covered, verdicts, strict=True) if v == "survived"]
    killed = len(covered) - len(survivors)
    return {
        "module": suite.module,
        "without": sorted(options.without),
        "mutants": len(chosen),
        "covered": len(covered),
        "killed": killed,
        "timeouts": verdicts.count("timeout"),
        "percent": round(100 * killed / max(1, len(covered)), 1),
        "survivors": [dataclasses.asdict(mutant) for mutant in survivors],
    }


def read_options() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("module")
    parser.add_argument("tests", type=Path)
    parser.add_argument(
        "--path", type=Path, action="append", default=[], help="where the package is; several"
    )
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--most", type=int, default=300, help="more mutants than this are sampled")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--without", action="append", default=[], choices=["result", "state", "raises", "type"]
    )
    parser.add_argument("--pattern", default="test_tanteo_*.py", help="which files count")
    parser.add_argument("--lenient", action="store_true", help="leave out tests that fail anyway")
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Set up, measure, print."""
    options = read_options()
    if "TANTEO_MUTATION" not in os.environ:  # the same hashes each time; this folder hides no package
        os.execvpe(options.python, [options.python, __file__, *sys.argv[1:]], {**os.environ, **SETTING})
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the forks end with us
    sys.path[:0] = [str(path.resolve()) for path in options.path]
    sys.path[:] = [p for p in sys.path if p not in OURS]  # containers.py must not hide that package
    if not (find_spec("pytest") and find_spec("coverage")):
        stop(f"{sys.executable} lacks pytest or coverage")
    file = locate(options.module)
    with tempfile.TemporaryDirectory(prefix="tanteo-mutation-") as name:
        sys.pycache_prefix = f"{name}/cache"  # rewritten tests are read again by each fork
        with contextlib.redirect_stdout(io.StringIO()):
            run(Path(name), [Path(name)], [])  # no tests, so that forks find all of pytest imported
        if options.module in sys.modules:
            stop(f"{options.module} is used by pytest itself")
        tree = ast.parse(decode_source(file.read_bytes()))
        suite = Suite(options.module, file, tree, Path(name) / "tests", options.pattern)
        shutil.copytree(options.tests, suite.folder, ignore=shutil.ignore_patterns("__pycache__"))
        if not suite.tests():
            stop(f"no {options.pattern} in {options.tests}")
        result = measure(suite, options)
    result["seconds"] = round(time.monotonic() - began, 1)
    print(LINE.format(**result))
    for survivor in result["survivors"] if options.survivors else ():
        before, after = (textwrap.shorten(survivor[key], 70) for key in ("before", "after"))
        print("  {line}:{column} {kind}:".format(**survivor), before, "->", after)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
