"""The command line: arguments in, one call, events on the terminal, an exit status out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tanteo import __version__, generate
from tanteo.errors import UserError
from tanteo.experiments.command import experiment_command
from tanteo.report.terminal import ProgressDisplay, print_summary
from tanteo.settings import BUILT_IN_FILTERS, Settings, make_settings, read_project
from tanteo.stateful.command import contracts_command, sql_of
from tanteo.stateful.listening import listen
from tanteo.stateful.reading import count_clauses

INTERRUPTED = 130
RANDOM_SHARE = 0.9  # of the time, if stateful testing comes last


class OneLine(click.Group):
    """A group whose mistakes are one line and exit status 2."""

    def main(self, *args: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            status = super().main(*args, **extra)
        except click.exceptions.Exit as done:
            sys.exit(done.exit_code)
        except (click.ClickException, UserError) as error:
            text = error.format_message() if isinstance(error, click.ClickException) else str(error)
            click.echo(f"tanteo: {' '.join(text.split())}", err=True)
            sys.exit(2)
        except (KeyboardInterrupt, click.Abort):
            click.echo("tanteo: interrupted", err=True)
            sys.exit(INTERRUPTED)
        sys.exit(status if isinstance(status, int) else 0)


@click.group(cls=OneLine, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tanteo")
def main() -> None:
    """Writes tests for Python code by itself."""


def subject_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say what the subject is and where it runs."""
    options = [
        click.option("--path", multiple=True, metavar="DIR", help="Import root (default: here, and src)."),
        click.option("--python", metavar="PATH", help="The subject's interpreter."),
        click.option("--private", is_flag=True, default=None, help="Private names too."),
        click.option("--include", multiple=True, metavar="GLOB", help="Only modules like this."),
        click.option("--exclude", multiple=True, metavar="GLOB", help="No modules like this."),
        click.option(
            "--maker", multiple=True, metavar="MODULE:NAME", help="Add a function that makes values."
        ),
        click.option("--fixtures", is_flag=True, default=None, help="Use the fixtures of conftest.py."),
        click.option(
            "--without", multiple=True, metavar="PART", help="Switch a part off, see docs/usage.md."
        ),
        click.option("--allow", metavar="EFFECTS", help="write,network,subprocess: let it happen."),
        click.option("--memory", type=int, metavar="MB", help="Memory for the subject (2048)."),
        click.option("--session", metavar="DIR", help="Where the session is kept (.tanteo)."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def exploring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Targets, and everything that says how they are explored and what is written."""
    options = [
        click.argument("targets", nargs=-1, required=True, metavar="TARGET..."),
        click.option("--time", type=float, metavar="SECONDS", help="For the whole command (60)."),
        click.option("--steps", type=int, metavar="N", help="Stop after N sequences instead; repeatable."),
        click.option("--seed", type=int, metavar="N", help="Where randomness starts (0)."),
        click.option("--jobs", type=int, metavar="N", help="Explorers at the same time (1)."),
        click.option(
            "--strategy", metavar="NAME", help="directed, reset, controlled, autotest, reuse, undirected."
        ),
        click.option(
            "--explore-only",
            is_flag=True,
            default=None,
            help="Write no tests: all the time is for exploring.",
        ),
        click.option("--tune", multiple=True, metavar="KEY=VALUE", help="A parameter of the strategy."),
        click.option(
            "--filter", "filters", multiple=True, metavar="NAME", help="Add a filter: module:function."
        ),
        click.option(
            "--no-filter", multiple=True, metavar="NAME", help="Leave out equality, none, exceptions, size."
        ),
        click.option("--contract", multiple=True, metavar="MODULE:FUNCTION", help="Add a contract."),
        click.option(
            "--call-timeout",
            type=float,
            metavar="SECONDS",
            help="Processor time of one run (1, or less if TIME is short).",
        ),
        click.option("--out", metavar="DIR", help="Where the tests are written (tests/tanteo)."),
        click.option(
            "--faults", metavar="HOW", help="Known faults in the suite: fail (default), xfail or skip."
        ),
        click.option("--accept", multiple=True, metavar="ID", help="Do not report this fault any more."),
        click.option("--max-tests", type=int, metavar="N", help="Write no more passing tests than this."),
        click.option("--json", metavar="FILE", help="Write everything that was found."),
        click.option("--sarif", metavar="FILE", help="Write the faults for code-scanning pages."),
        click.option("--resume/--fresh", default=None, help="Go on with the session, or start anew."),
        click.option("--check", is_flag=True, default=None, help="Exit 1 if a fault was found."),
        click.option("--quiet", is_flag=True, default=None, help="No progress."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command("generate")
@exploring_options
@subject_options
@click.option("--stateful", is_flag=True, help="Stateful testing in the last tenth of the time.")
def generate_command(stateful: bool, **given: Any) -> int:
    """Explore a package, a module, a class or a function: `shop`, `shop.cart:Cart`, `src/shop`."""
    if not stateful:
        return _generate(**given)
    return _infer({**given, "tune": (*given["tune"], f"random_share={RANDOM_SHARE}")})


@main.command("stateful")
@exploring_options
@subject_options
@click.option("--sql", is_flag=True, help="Print what the search has asked its database.")
@click.option("--suite", metavar="PATH", help="A pytest suite of yours, whose calls are looked at first.")
def stateful_command(sql: bool, suite: str | None, **given: Any) -> int:
    """Random testing, then what it has never tried: infers contracts and tries to break them."""
    if suite is not None:
        stated = {k: v for k, v in given.items() if k not in ("resume", "filters", "no_filter")}
        heard = listen(make_settings(read_project(Path.cwd()), _split_allow(stated)), suite)
        given["tune"] = (*given["tune"], f"suite={heard}")
    status = _infer(given)
    if sql:
        click.echo(sql_of(given["session"] or Settings().session), nl=False)
    return status


def _infer(given: dict[str, Any]) -> int:
    """Another strategy first, if one is named, then stateful testing."""
    first = (f"random={given['strategy']}",) if given["strategy"] not in (None, "stateful") else ()
    status = _generate(**{**given, "strategy": "stateful", "tune": (*given["tune"], *first)})
    counted = count_clauses(given["session"] or Settings().session)
    click.echo(f"contracts: {counted}; tanteo contracts shows them")
    return status


def _generate(resume: bool | None, filters: tuple[str, ...], no_filter: tuple[str, ...], **given: Any) -> int:
    project = read_project(Path.cwd())
    for name in no_filter:
        if name not in BUILT_IN_FILTERS:
            raise UserError(f"--no-filter {name}: there are {', '.join(BUILT_IN_FILTERS)}", "bad-value")
    if filters or no_filter:
        stated = project.get("filters", BUILT_IN_FILTERS)
        given["filters"] = (*(f for f in stated if f not in no_filter), *filters)
    settings = make_settings(project, _split_allow(given))
    console = Console(stderr=False, soft_wrap=True)
    display = ProgressDisplay(console, settings.quiet)
    try:
        summary = generate.generate(settings, resume, display.show)
    finally:
        display.stop()
    print_summary(console, summary, settings.session)
    if summary["stopped_by"] == "interrupt":
        return INTERRUPTED
    return int(settings.check and any(f["level"] == "fault" for f in summary["faults"]))


def _split_allow(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("allow"):
        given["allow"] = tuple(part.strip() for part in given["allow"].split(","))
    return given


@main.command("list")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output.")
@click.option("--verbose", "-v", is_flag=True, help="For each parameter every candidate, and who says so.")
@subject_options
def list_command(as_json: bool, verbose: bool, **given: Any) -> int:
    """Show what would be tested, and what is skipped and why."""
    settings = make_settings(read_project(Path.cwd()), _split_allow(given))
    subject = generate.look(settings)
    if as_json:
        click.echo(json.dumps(generate.describe(subject), indent=1))
        return 0
    console = Console(soft_wrap=True)
    rows = generate.describe(subject)["operations"]
    if verbose:
        for row in rows:
            click.echo(f"{row['name']} ({row['kind']})")
            for name, reasons in row["reasons"].items():
                click.echo("".join([f"  {name}", *(f"\n    {reason}" for reason in reasons)]))
    elif console.is_terminal:
        table = Table("operation", "kind", "parameters", box=None, pad_edge=False)
        for row in rows:
            table.add_row(row["name"], row["kind"], row["parameters"])
        console.print(table)
    else:
        for row in rows:
            click.echo(f"{row['name']} ({row['kind']}) {row['parameters']}".rstrip())
    for skip in subject.skipped:
        console.print(f"skipped {skip.name}: {skip.reason}", highlight=False, markup=False)
    for name in subject.unmeasured:
        console.print(f"{name} is a C extension: called, but not measured", highlight=False)
    tested = sum(o.kind != "display" for o in subject.operations)
    console.print(
        f"{tested} operations in {len(subject.modules)} modules, {len(subject.skipped)} skipped",
        highlight=False,
    )
    return 0


main.add_command(experiment_command)
main.add_command(contracts_command)


@main.command("report")
@click.argument("session", default=".tanteo")
@click.option("--session", "session_option", metavar="DIR", help="The same as the argument.")
@click.option("--fault", metavar="ID", help="Only this fault, as source that can be run.")
@click.option("--json", metavar="FILE", help="Write the JSON file again.")
def report_command(session: str, session_option: str | None, fault: str | None, json: str | None) -> int:
    """Print the summary again from a session on disk."""
    session = session_option or session
    summary = generate.read_summary(session, json)
    if fault is None:
        print_summary(Console(soft_wrap=True), summary, session)
        return 0
    for found in summary["faults"]:
        if found["id"] == fault:
            click.echo(f"# {found['operation']}: {found['reason']}\n{found['source']}", nl=False)
            return 0
    raise UserError(f"no fault {fault} in the session {session}", "no-such-fault")
