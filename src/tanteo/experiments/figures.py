"""The figures of a study, as in the papers: SVG, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tanteo.errors import UserError
from tanteo.experiments.plan import Plan
from tanteo.experiments.statistics import fits, spread, value_at
from tanteo.experiments.tables import Results, faults_over_time, sample

POINTS = 60  # of a curve
MOST_BOXES = 12  # variants side by side; more cannot be told apart


def draw_all(plan: Plan, results: Results, folder: Path) -> list[Path]:
    """Everything that makes sense for this plan."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    if plan.metric == "instances":
        return [_instances(plan, results, subject.name, folder) for subject in plan.subjects]
    for subject in plan.subjects:
        if plan.seconds is not None:
            found.append(_over_time(plan, results, subject.name, folder))
        if len(plan.variants) <= MOST_BOXES:
            found.append(_boxes(plan, results, subject.name, folder))
        if plan.metric == "faults" and len(plan.samples) > 2:
            found.append(_fitted(plan, results, subject.name, folder))
    return found


def _over_time(plan: Plan, results: Results, subject: str, folder: Path) -> Path:
    """The median of all seeds over time, with a band from the first to the third quartile."""
    figure, axes = _sheet(f"{subject}: {plan.metric} over time", "seconds", plan.metric)
    assert plan.seconds is not None
    times = [plan.seconds * n / POINTS for n in range(1, POINTS + 1)]
    for variant in plan.variants[:MOST_BOXES]:
        runs = [results[k]["timeline"] for k in results if k[:2] == (subject, variant.name)]
        if runs:
            bands = [spread([value_at(run, t, plan.metric) for run in runs]) for t in times]
            (line,) = axes.plot(times, [b.median for b in bands], label=variant.name)
            axes.fill_between(
                times, [b.first for b in bands], [b.third for b in bands], alpha=0.2, color=line.get_color()
            )
    axes.legend(fontsize=8)
    return _save(figure, folder / f"{_file(subject)}-over-time.svg")


def _boxes(plan: Plan, results: Results, subject: str, folder: Path) -> Path:
    """The spread over the seeds at the end."""
    figure, axes = _sheet(f"{subject}: spread over {plan.seeds} seeds", "", plan.metric)
    samples = {v.name: sample(plan, results, subject, v.name, None) for v in plan.variants}
    known = {name: values for name, values in samples.items() if values}
    if known:
        axes.boxplot(list(known.values()), tick_labels=list(known))
        axes.tick_params(axis="x", labelrotation=30)
    return _save(figure, folder / f"{_file(subject)}-spread.svg")


def _fitted(plan: Plan, results: Results, subject: str, folder: Path) -> Path:
    """Faults over time with the curve that fits best, and the paper's."""
    figure, axes = _sheet(f"{subject}: faults over time", "seconds", "faults (mean)")
    points = faults_over_time(plan, results, subject, plan.baseline)
    axes.plot([x for x, _ in points], [y for _, y in points], "o", label="measured")
    for fit in [f for n, f in enumerate(fits(points)) if n == 0 or f.name == "a/x + b"]:
        xs = [points[0][0] + (points[-1][0] - points[0][0]) * n / POINTS for n in range(POINTS + 1)]
        axes.plot(xs, [fit.curve(x) for x in xs], label=f"{fit.name}, R² {fit.r2:.2f}")
    axes.legend(fontsize=8)
    return _save(figure, folder / f"{_file(subject)}-faults.svg")


def _instances(plan: Plan, results: Results, subject: str, folder: Path) -> Path:
    """A point for each seed: how many objects of one kind, and of the other (paper 004, figure 4)."""
    counts = {k: r["counts"] for k, r in results.items() if k[0] == subject}
    kinds = sorted({kind for count in counts.values() for kind in count})[:2] or ["", ""]
    figure, axes = _sheet(f"{subject}: instances by seed", kinds[0], kinds[-1])
    for variant in plan.variants:
        mine = [count for key, count in counts.items() if key[1] == variant.name]
        xs, ys = ([count.get(kind, 0) for count in mine] for kind in (kinds[0], kinds[-1]))
        axes.scatter(xs, ys, s=6, alpha=0.5, label=variant.name)
    axes.legend(fontsize=8)
    return _save(figure, folder / f"{_file(subject)}-instances.svg")


def _sheet(title: str, x: str, y: str) -> tuple[Any, Any]:
    try:
        import matplotlib

        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError as error:
        raise UserError(
            "figures need matplotlib: pip install 'tanteo[experiments]'", "missing-extra"
        ) from error
    figure, axes = pyplot.subplots(figsize=(6, 3.6))
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return figure, axes


def _save(figure: Any, file: Path) -> Path:
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    figure.clear()
    return file


def _file(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name)
