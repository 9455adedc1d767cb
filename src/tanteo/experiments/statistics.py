"""What runs with different seeds say together: spread, differences and their size, faults over time."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tanteo.errors import UserError

COLUMNS = {"steps": 1, "arms": 2, "lines": 3, "faults": 4}  # of a timeline: seconds come first
SURE = 0.05


class Spread(NamedTuple):
    """Five numbers of a sample."""

    least: float
    first: float
    median: float
    third: float
    most: float


class Difference(NamedTuple):
    """One sample against a baseline."""

    increase: float  # of the medians, in per cent
    p: float  # Wilcoxon's rank-sum test, both sides
    a12: float  # how often a value of the sample is larger than one of the baseline (Vargha and Delaney)


class Fit(NamedTuple):
    """A curve through points."""

    name: str
    parameters: tuple[float, ...]
    r2: float
    rmse: float
    curve: Callable[[float], float]


def value_at(timeline: Sequence[Sequence[float]], seconds: float, metric: str) -> float:
    """The last value that a run had by then."""
    found = 0.0
    for moment in timeline:
        if moment[0] > seconds:
            break
        found = float(moment[COLUMNS[metric]])
    return found


def spread(sample: Sequence[float]) -> Spread:
    """Quartiles by linear interpolation."""
    ordered = sorted(sample)
    if len(ordered) == 1:
        return Spread(*[ordered[0]] * 5)
    first, median, third = statistics.quantiles(ordered, n=4, method="inclusive")
    return Spread(ordered[0], first, median, third, ordered[-1])


def a12(sample: Sequence[float], baseline: Sequence[float]) -> float:
    """The chance that a random value of the sample is larger; ties count half."""
    wins = sum((x > y) + 0.5 * (x == y) for x in sample for y in baseline)
    return wins / (len(sample) * len(baseline))


def compare(sample: Sequence[float], baseline: Sequence[float]) -> Difference:
    """How a sample differs from the baseline, and whether that may be chance."""
    ours, theirs = statistics.median(sample), statistics.median(baseline)
    increase = 100.0 * (ours - theirs) / theirs if theirs else (math.inf if ours else 0.0)
    if set(sample) == set(baseline) and len(set(sample)) == 1:
        return Difference(increase, 1.0, 0.5)
    return Difference(increase, float(_scipy().ranksums(sample, baseline).pvalue), a12(sample, baseline))


def fits(points: Sequence[tuple[float, float]]) -> list[Fit]:
    """Curves through (seconds, faults), the best first: a/x + b as in paper 003, and others."""
    usable = [(x, y) for x, y in points if x > 0]
    if len(usable) < 3:
        return []
    found = [
        _linear("a/x + b", usable, lambda x: 1 / x),
        _linear("a*log(x) + b", usable, math.log),
        _linear("a*sqrt(x) + b", usable, math.sqrt),
    ]
    return sorted(found, key=lambda fit: -fit.r2)


def _linear(name: str, points: list[tuple[float, float]], basis: Callable[[float], float]) -> Fit:
    """Least squares for y = a * basis(x) + b."""
    xs, ys = [basis(x) for x, _ in points], [y for _, y in points]
    mean_x, mean_y = statistics.fmean(xs), statistics.fmean(ys)
    around = sum((x - mean_x) ** 2 for x in xs)
    a = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / around if around else 0.0
    b = mean_y - a * mean_x
    wrong = sum((y - a * x - b) ** 2 for x, y in zip(xs, ys, strict=True))
    total = sum((y - mean_y) ** 2 for y in ys)
    r2 = 1.0 - wrong / total if total else 1.0
    return Fit(name, (a, b), r2, math.sqrt(wrong / len(ys)), lambda x: a * basis(x) + b)


def _scipy() -> Any:
    try:
        from scipy import stats
    except ImportError as error:
        raise UserError(
            "statistics need SciPy: pip install 'tanteo[experiments]'", "missing-extra"
        ) from error
    return stats
