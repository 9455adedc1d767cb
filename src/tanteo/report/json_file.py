"""The JSON file, format 1: a promise to others. Fields are added, never changed."""

from __future__ import annotations

import hashlib
from typing import Any

from tanteo import __version__
from tanteo.emit.faults import with_words
from tanteo.emit.source import render
from tanteo.execute.codec import decode
from tanteo.execute.log import COLUMNS, REFUSED, VERDICTS
from tanteo.subject import Subject
from tanteo.tally import Tally

MOST_MOMENTS = 100
OF_FAULTS = ("faults", "short", "passing", "accepted")  # what is told with the faults, not with the tests
NO_TESTS: dict[str, Any] = {"written": 0, "files": [], "dropped": {}, **{key: {} for key in OF_FAULTS}}
LEVELS = {"fault": 0, "suspicious": 1, "suggestion": 2}


def summarise(
    subject: Subject,
    tally: Tally,
    *,
    identity: dict[str, Any],
    elapsed: float,
    stopped_by: str,
    kept_codes: list[bytes],
    tests: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Everything that a run has to say, as plain data."""
    tests = tests or NO_TESTS
    accepted = tests["accepted"]
    return {
        "tool": "tanteo",
        "format": 1,
        "version": __version__,
        "python": subject.python,
        "command": "generate",
        "targets": list(subject.targets),
        "seed": identity["seed"],
        "settings": identity,
        "elapsed_seconds": round(elapsed, 2),
        "stopped_by": stopped_by,
        "sequences": {
            "executed": tally.steps(),
            "kept": tally.kept,
            "kept_digest": _digest(kept_codes),
            "discarded": _discarded(tally),
        },
        "calls": sum(job.calls for job in tally.jobs),
        "coverage": _coverage(subject, tally, by_steps=identity["steps"] is not None),
        "tests": {k: v for k, v in tests.items() if k not in OF_FAULTS},
        "faults": _ranked(
            [_fault(name, tally, subject, tests) for name in tally.faults if name not in accepted]
        ),
        "accepted": [name for name in tally.faults if name in accepted],
        "operations": _operations(subject, tally),
        "skipped": [{"name": s.name, "reason": s.reason} for s in subject.skipped],
        "unmeasured": list(subject.unmeasured),
        "mishaps": tally.mishaps,
        "explorers": {
            "restarts": tally.restarts,
            "resets": tally.resets,
            "hung": tally.hung,
            "crashed": tally.crashed,
        },
    }


def _discarded(tally: Tally) -> dict[str, int]:
    reasons = {reason for job in tally.jobs for reason in job.discarded}
    return {reason: sum(job.discarded.get(reason, 0) for job in tally.jobs) for reason in sorted(reasons)}


def _coverage(subject: Subject, tally: Tally, *, by_steps: bool) -> dict[str, Any]:
    probes, arms = _reached_at_all(tally, subject), set(subject.arm_numbers)
    return {
        "measured_by": "probes",
        "arms_total": len(arms),
        "arms_covered": len(probes & arms),
        "lines_total": subject.lines,
        "lines_covered": sum(subject.blocks[p] for p in probes),
        "timeline": _timeline(subject, tally, by_steps),
    }


def _digest(codes: list[bytes]) -> str:
    total = hashlib.sha256()
    for code in codes:
        total.update(code + b"\0")
    return total.hexdigest()


def _numbers(probes: str) -> list[int]:
    return [int(p) for p in probes.split(",") if p]


def _reached_at_all(tally: Tally, subject: Subject) -> set[int]:
    found = set(subject.imported)
    for _, _, _, probes in tally.moments:
        found.update(_numbers(probes))
    return found


def _timeline(subject: Subject, tally: Tally, by_steps: bool) -> list[list[float]]:
    """Coverage and faults over time: one row whenever something was new, thinned out."""
    events = [(m[0], m[2], m[1], m[3], "") for m in tally.moments]
    events += [(f[0], f[2], f[1], "", f[3]) for f in tally.found]
    events.sort(key=lambda e: e[1:] if by_steps else e)
    arms, reached = set(subject.arm_numbers), set(subject.imported)
    faults: set[str] = set()
    steps = [0] * max(1, len(tally.jobs))
    rows: list[list[float]] = []
    for seconds, step, job, probes, fault in [(0.0, 0, 0, "", ""), *events]:
        reached.update(_numbers(probes))
        faults |= {fault} - {""}
        steps[job] = max(steps[job], step)
        lines = sum(subject.blocks[p] for p in reached)
        rows.append([seconds, sum(steps), len(reached & arms), lines, len(faults)])
    every = max(1, len(rows) // MOST_MOMENTS)
    return rows[::every] + (rows[-1:] if (len(rows) - 1) % every else [])


def _ranked(faults: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(faults, key=lambda f: (LEVELS[f["level"]], f["id"]))


def _fault(name: str, tally: Tally, subject: Subject, tests: dict[str, Any]) -> dict[str, Any]:
    fault = tally.faults[name]
    code, about, words = tests["short"].get(name, (fault["code"], fault["about"], []))
    fault = with_words(fault, words)
    sequence = decode(code.encode())
    level, reason = fault["level"], fault["reason"]
    if name in tests.get("passing", ()) and level == "fault":  # it needs what went before
        level, reason = "suspicious", f"{reason}; alone in a new interpreter it did not happen again"
    return {
        "id": name,
        **{
            key: fault[key]
            for key in ("kind", "contract", "exception", "message", "file", "line", "function")
        },
        "operation": fault["operation"],
        "level": level,
        "keys": {
            "place": f"{fault['file']}:{fault['line']} {fault['exception'] or fault['kind']}",
            "clause": fault["contract"],
            "last_call": fault["operation"],
        },
        "calls": sequence.calls,
        "runs": sum(tally.runs.get(name, {}).values()) or 1,
        "test": tests["faults"].get(name),
        "reason": reason,
        "source": render(sequence, subject.operations, tuple(about), fault["assertion"]),
        "sequence": code,
    }


def _operations(subject: Subject, tally: Tally) -> list[dict[str, Any]]:
    rows = []
    for operation in subject.operations:
        if operation.kind == "display":
            continue
        start = operation.index * COLUMNS
        counts = tally.counts[start : start + COLUMNS]
        by_name = {v.value: counts[n] for n, v in enumerate(VERDICTS)}
        rows.append(
            {
                "name": operation.name,
                "attempts": sum(counts[: len(VERDICTS)]),
                "normal": by_name["normal"],
                "expected": by_name["expected"],
                "invalid": by_name["invalid"],
                "faults": by_name["fault"],
                "hung": by_name["hung"],
                "crashed": by_name["crashed"],
                "refused": counts[REFUSED],
                "note": tally.notes.get(str(operation.index), ""),
            }
        )
    return rows
