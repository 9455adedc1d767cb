"""`tanteo experiment`: a study from the command line."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console

from tanteo.experiments.plan import read_plan, shipped
from tanteo.experiments.store import Store
from tanteo.experiments.study import Standing, run_study, write_report


@click.command("experiment")
@click.argument("plan", required=False)
@click.option("--list", "list_", is_flag=True, help="The plans that come with tanteo.")
@click.option("--scale", type=float, default=1.0, metavar="F", help="A smaller study: times F.")
@click.option("--seeds", type=int, metavar="N", help="Another number of seeds.")
@click.option("--engine", default="local", metavar="NAME", help="local, dask or dask=tls://host:8786.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="Runs at the same time.")
@click.option("--certificates", metavar="DIR", help="ca.pem, cert.pem and key.pem of a cluster with TLS.")
@click.option("--out", default="experiments", metavar="DIR", help="Where results and report are kept.")
@click.option("--report", "only_report", is_flag=True, help="Run nothing, write the report again.")
@click.option("--dry-run", is_flag=True, help="Say what would run and what it costs.")
def experiment_command(
    plan: str | None,
    list_: bool,
    scale: float,
    seeds: int | None,
    engine: str,
    jobs: int,
    certificates: str | None,
    out: str,
    only_report: bool,
    dry_run: bool,
) -> int:
    """Run a study: a file, or the name of one that comes with tanteo. It goes on where it was stopped."""
    console = Console(soft_wrap=True, highlight=False)
    if list_ or plan is None:
        for name, about in shipped().items():
            console.print(f"{name}: {about}", markup=False)
        return 0
    study = read_plan(plan, scale, seeds)
    folder = Path(out) / study.name
    count, hours = len(study.items()), study.cost() / 3600
    console.print(f"{study.name}: {count} runs, about {hours:.1f} hours on one core", markup=False)
    if dry_run:
        return 0
    store = Store(folder / "results.db")
    try:
        if not only_report:
            ca = Path(certificates) if certificates else None
            run_study(study, store, engine, jobs, ca, lambda standing, told: _tell(console, standing, told))
        console.print(write_report(study, store, folder), markup=False)
        console.print(f"the page: {folder / 'index.html'}", markup=False)
        return int(bool(store.failures(study)))
    finally:
        store.close()


def _tell(console: Console, standing: Standing, told: str) -> None:
    left = f", about {standing.left / 60:.0f} min left" if standing.left is not None else ""
    counts = f"{standing.done} of {standing.total} done, {standing.running} running, {standing.failed} failed"
    console.print(f"{counts}{left}: {told}", markup=False)
