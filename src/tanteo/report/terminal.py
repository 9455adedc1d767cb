"""What a person sees: live progress on a terminal, plain lines otherwise, and the summary."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.syntax import Syntax
from rich.text import Text

from tanteo.events import Event, Progress, Restarted, Started

PLAIN_EVERY = 5.0  # seconds between two lines when there is no terminal
MOST_FAULTS = 10


class ProgressDisplay:
    """Listens to events; quiet if asked to be."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self.console, self.quiet = console, quiet
        self._live: Live | None = None
        self._next = PLAIN_EVERY
        self._arms = 0
        self._restarts = 0

    def show(self, event: Event) -> None:
        """React to one event."""
        if self.quiet:
            return
        if isinstance(event, Started):
            self._start(event)
        elif isinstance(event, Restarted):
            self._restarts += 1
        elif isinstance(event, Progress):
            self._progress(event)

    def _start(self, event: Started) -> None:
        subject = event.subject
        self._arms = len(subject.arms)
        tested = sum(o.kind != "display" for o in subject.operations)
        going_on = " (going on with an unfinished session)" if event.resumed else ""
        self.console.print(
            f"{len(subject.modules)} modules, {tested} operations, {self._arms} arms, "
            f"{len(subject.skipped)} names skipped{going_on}",
            highlight=False,
        )
        for name in subject.unmeasured:
            self.console.print(f"{name} is a C extension: called, but not measured", highlight=False)
        if self.console.is_terminal:
            self._live = Live("", console=self.console, refresh_per_second=4, transient=True)
            self._live.start()

    def _progress(self, event: Progress) -> None:
        line = self._line(event)
        if self._live is not None:
            self._live.update(Text(line))
        elif event.elapsed >= self._next:
            self._next = event.elapsed + PLAIN_EVERY
            self.console.print(line, highlight=False)

    def _line(self, event: Progress) -> str:
        rate = event.steps / event.elapsed if event.elapsed else 0.0
        left = f"{max(0.0, event.left):.0f} s left" if event.left is not None else ""
        if not left and event.steps_total:
            left = f"step {event.steps:,} of {event.steps_total:,}"
        share = f" ({100 * event.arms / self._arms:.0f} %)" if self._arms else ""
        again = f", {self._restarts} restarts" if self._restarts else ""
        return (
            f"{left}, {event.steps:,} sequences ({rate:,.0f}/s), "
            f"{event.arms:,} of {self._arms:,} arms{share}, {event.faults} faults{again}"
        )

    def stop(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def print_summary(console: Console, summary: dict[str, Any], session: str) -> None:
    """What was done and written, then the faults, each with a line to paste."""
    faults = [f for f in summary["faults"] if f["level"] == "fault"]
    suspicious = [f for f in summary["faults"] if f["level"] == "suspicious"]
    coverage, sequences = summary["coverage"], summary["sequences"]
    lines = f"{coverage['lines_covered']:,} of {coverage['lines_total']:,} lines"
    console.print(
        f"{sequences['executed']:,} sequences, {summary['calls']:,} calls, "
        f"{sequences['kept']:,} kept; {coverage['arms_covered']:,} of {coverage['arms_total']:,} arms, "
        f"{lines}; {summary['elapsed_seconds']} s, stopped by {summary['stopped_by']}",
        highlight=False,
    )
    explorers = summary["explorers"]
    if explorers["restarts"]:
        console.print(
            f"explorers restarted {explorers['restarts']} times "
            f"({explorers['crashed']} crashed, {explorers['hung']} hung)",
            highlight=False,
        )
    for row in summary["operations"]:
        if row["note"]:
            console.print(f"note: {row['name']}: {row['note']}", highlight=False, markup=False)
    _print_tests(console, summary["tests"])
    suggested = sum(f["level"] == "suggestion" for f in summary["faults"])
    more = f", {suggested} suggestions" if suggested else ""
    console.print(f"[bold]{len(faults)} faults[/bold], {len(suspicious)} suspicious{more}", highlight=False)
    for fault in faults[:MOST_FAULTS]:
        console.print()
        _print_fault(console, fault, session)
    if len(faults) > MOST_FAULTS:
        console.print(f"… and {len(faults) - MOST_FAULTS} more faults (see --json)", highlight=False)


def _print_tests(console: Console, tests: dict[str, Any]) -> None:
    """What was written, and what was not."""
    for name, why in tests.get("changed", {}).items():
        console.print(f"behaviour has changed: {name}: {why}", highlight=False, markup=False)
    causes = ", ".join(f"{number} {cause}" for cause, number in tests["dropped"].items())
    if not tests["files"]:
        why = tests.get("note") or causes or "the time was too short"
        console.print(f"no tests written: {why}", highlight=False, markup=False)
        return
    covered = tests.get("coverage")
    how_much = (
        f", {covered['branches_pct']} % of branches, {covered['lines_pct']} % of lines" if covered else ""
    )
    console.print(
        f"{tests['written']:,} passing tests in {len(tests['files'])} files{how_much}",
        highlight=False,
    )
    for file in tests["files"]:
        console.print(f"  {file}", highlight=False, markup=False)
    if causes:
        console.print(f"not written: {causes}", highlight=False)


def _print_fault(console: Console, fault: dict[str, Any], session: str) -> None:
    what = fault["contract"] or fault["exception"] or fault["kind"]
    title = what.replace("_", " ") if fault["contract"] else what
    console.print(f"[bold red]FAULT {fault['id']}[/bold red] {escape(fault['operation'])}: {escape(title)}")
    if fault["message"]:
        console.print(f"  {fault['message']}", highlight=False, markup=False)
    if fault["line"]:
        console.print(
            f"  at {fault['file']}:{fault['line']} in {fault['function']}",
            highlight=False,
            markup=False,
        )
    console.print(f"  why: {fault['reason']}", highlight=False, markup=False)
    source = _written_test(fault["test"]) or fault["source"].rstrip()
    if console.is_terminal:
        console.print(Syntax(source, "python", background_color="default", padding=(0, 4)))
    else:
        for line in source.splitlines():
            console.print(f"    {line}".rstrip(), highlight=False, markup=False, soft_wrap=True)
    where = "" if session == ".tanteo" else f" --session {session}"
    again = f"pytest {fault['test']}" if fault["test"] else f"tanteo report{where} --fault {fault['id']}"
    console.print(f"  again: {again}", highlight=False, markup=False)


def _written_test(place: str | None) -> str:
    """The test function as it stands in its file, without what its docstring repeats."""
    file, _, name = (place or "").partition("::")
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError):
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            node.body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            return "\n".join([*_imports(tree, used), "", ast.unparse(node)])
    return ""


def _imports(tree: ast.Module, used: set[str]) -> list[str]:
    """The imports of a file, as far as one test needs them."""
    found = []
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [a for a in node.names if (a.asname or a.name).partition(".")[0] in used]
            found += [ast.unparse(node)] if node.names else []
    return found
