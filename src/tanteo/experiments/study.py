"""A study from plan to page: run what is pending, then write tables, figures and one page."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tanteo.errors import UserError
from tanteo.experiments import figures, tables
from tanteo.experiments.engines import Answer, run_locally, run_on_cluster
from tanteo.experiments.plan import Item, Plan
from tanteo.experiments.store import Store

MOST_TRIES = 3
STYLE = "body{font-family:sans-serif;max-width:60em;margin:2em auto}td,th{padding:.2em .6em;text-align:left}"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a study is."""

    done: int
    running: int
    failed: int
    total: int
    left: float | None  # seconds, about


def run_study(
    plan: Plan,
    store: Store,
    engine: str,
    jobs: int,
    certificates: Path | None,
    listen: Callable[[Standing, str], None],
) -> None:
    """Run what has no result yet; three times what fails."""
    store.expect(plan)
    total, done = len(plan.items()), len(store.results(plan))
    failed = sum(tries >= MOST_TRIES for _, _, _, tries, _ in store.failures(plan))
    began, finished = time.monotonic(), 0
    while pending := store.pending(plan, MOST_TRIES):
        for item, result, reason in _answers(pending, engine, jobs, certificates):
            if result is not None:
                store.finish(item, result)
                finished += 1
                done += 1
            else:
                failed += store.fail(item, reason) >= MOST_TRIES
            left = (time.monotonic() - began) / max(1, finished) * (total - done - failed)
            running = min(jobs, total - done - failed)
            told = f"{item.subject.name} {item.variant.name} {item.seed}: {reason or 'done'}"
            listen(Standing(done, running, failed, total, left if finished else None), told)


def _answers(items: list[Item], engine: str, jobs: int, certificates: Path | None) -> Iterator[Answer]:
    kind, _, address = engine.partition("=")
    if kind == "local" and not address:
        return run_locally(items, jobs)
    if kind == "dask":
        return run_on_cluster(items, address, jobs, certificates)
    raise UserError(f"no engine {engine}; there are local, dask and dask=ADDRESS", "no-such-engine")


def write_report(plan: Plan, store: Store, folder: Path) -> str:
    """Tables as Markdown and CSV, figures as SVG, and all of it in one page; the Markdown is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    results = store.results(plan)
    parts = {"summary": tables.summary(plan, results), "best": tables.best_settings(plan, results)}
    if plan.metric == "faults" and len(plan.samples) > 2:
        parts["fits"] = tables.fitted(plan, results)
    for name, rows in parts.items():
        tables.write_csv(rows, folder / f"{name}.csv")
    drawn = figures.draw_all(plan, results, folder) if results else []
    failures = [["subject", "variant", "seed", "tries", "why"]]
    failures += [[s, v, str(n), str(tries), why] for s, v, n, tries, why in store.failures(plan)]
    if len(failures) > 1:
        parts["without a result"] = failures
    text = "\n\n".join([f"# {plan.name}", plan.about, *(tables.as_markdown(rows) for rows in parts.values())])
    (folder / "report.md").write_text(text + "\n")
    (folder / "index.html").write_text(_page(plan, parts, drawn))
    return text


def _page(plan: Plan, parts: dict[str, tables.Cells], drawn: list[Path]) -> str:
    """Everything in one file that needs no other."""
    body = [f"<h1>{html.escape(plan.name)}</h1><p>{html.escape(plan.about)}</p>"]
    for name, (head, *rows) in parts.items():
        cells = "".join(f"<th>{html.escape(c)}</th>" for c in head)
        lines = ["<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows]
        body.append(f"<h2>{name}</h2><table><tr>{cells}</tr>{''.join(lines)}</table>")
    for file in drawn:
        svg = file.read_text()
        body.append(svg[svg.index("<svg") :])
    top = f"<meta charset=utf-8><title>{html.escape(plan.name)}</title><style>{STYLE}</style>"
    return f"<!doctype html>{top}{''.join(body)}\n"
