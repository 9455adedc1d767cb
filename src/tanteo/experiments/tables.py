"""The tables of a study, as Markdown and CSV."""

from __future__ import annotations

import csv
import statistics
from pathlib import Path
from typing import Any

from tanteo.experiments.plan import Plan
from tanteo.experiments.statistics import Difference, Fit, compare, fits, spread, value_at

Results = dict[tuple[str, str, int], dict[str, Any]]  # by subject, variant, seed
Cells = list[list[str]]


def sample(plan: Plan, results: Results, subject: str, variant: str, seconds: float | None) -> list[float]:
    """The metric of all seeds, at a time or at the end."""
    found = []
    for seed in range(plan.seeds):
        result = results.get((subject, variant, seed))
        if result is None:
            continue
        if seconds is not None:
            found.append(value_at(result["timeline"], seconds, plan.metric))
        else:
            found.append(float(len(result["faults"]) if plan.metric == "faults" else result[plan.metric]))
    return found


def summary(plan: Plan, results: Results) -> Cells:
    """Median and quartiles for each subject and variant at each time, and the difference to the baseline."""
    rows = [["subject", "variant", "seconds", "n", "median", "quartiles", "increase %", "p", "A12", "steps"]]
    for subject in plan.subjects:
        for seconds in plan.samples or (None,):
            base = sample(plan, results, subject.name, plan.baseline, seconds)
            for variant in plan.variants:
                found = sample(plan, results, subject.name, variant.name, seconds)
                if not found:
                    continue
                five = spread(found)
                row = [
                    subject.name,
                    variant.name,
                    "end" if seconds is None else f"{seconds:g}",
                    str(len(found)),
                ]
                row += [f"{five.median:g}", f"{five.first:g} to {five.third:g}"]
                other = variant.name != plan.baseline and len(base) > 1 and len(found) > 1
                steps = [r["steps"] for k, r in results.items() if k[:2] == (subject.name, variant.name)]
                told = _told(compare(found, base) if other else None)
                rows.append([*row, *told, f"{statistics.median(steps):.0f}"])
    return rows


def _told(difference: Difference | None) -> list[str]:
    if difference is None:
        return ["", "", ""]
    return [f"{difference.increase:+.1f}", f"{difference.p:.3f}", f"{difference.a12:.2f}"]


def best_settings(plan: Plan, results: Results) -> Cells:
    """The variant with the largest mean for each subject and time, and the best one over all subjects."""
    rows = [["subject", "seconds", "best", "mean", "worst", "mean"]]
    for seconds in plan.samples or (None,):
        shares: dict[str, list[float]] = {}
        for subject in plan.subjects:
            means = {}
            for variant in plan.variants:
                found = sample(plan, results, subject.name, variant.name, seconds)
                if found:
                    means[variant.name] = statistics.fmean(found)
            if not means:
                continue
            best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
            when = "end" if seconds is None else f"{seconds:g}"
            rows.append([subject.name, when, best, f"{means[best]:.1f}", worst, f"{means[worst]:.1f}"])
            for name, mean in means.items():
                shares.setdefault(name, []).append(mean / means[best] if means[best] else 1.0)
        full = {n: statistics.fmean(s) for n, s in shares.items() if len(s) == len(plan.subjects)}
        if full and len(plan.subjects) > 1:
            best, worst = max(full, key=full.__getitem__), min(full, key=full.__getitem__)
            when = "end" if seconds is None else f"{seconds:g}"
            rows.append(
                ["(all, share of the best)", when, best, f"{full[best]:.2f}", worst, f"{full[worst]:.2f}"]
            )
    return rows


def faults_over_time(plan: Plan, results: Results, subject: str, variant: str) -> list[tuple[float, float]]:
    """The mean number of faults at each sampling time."""
    points = []
    for seconds in plan.samples:
        found = sample(plan, results, subject, variant, seconds)
        if found:
            points.append((seconds, statistics.fmean(found)))
    return points


def fitted(plan: Plan, results: Results) -> Cells:
    """The curves through faults over time, for the baseline."""
    rows = [["subject", "curve", "a", "b", "R²", "RMSE"]]
    for subject in plan.subjects:
        found: list[Fit] = fits(faults_over_time(plan, results, subject.name, plan.baseline))
        for fit in found:
            a, b = fit.parameters
            rows.append([subject.name, fit.name, f"{a:.2f}", f"{b:.2f}", f"{fit.r2:.3f}", f"{fit.rmse:.2f}"])
    return rows


def as_markdown(rows: Cells) -> str:
    """A table."""
    head, *rest = rows
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rest)])


def write_csv(rows: Cells, file: Path) -> None:
    """The same for other programs."""
    with file.open("w", newline="") as stream:
        csv.writer(stream).writerows(rows)
