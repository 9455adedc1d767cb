"""The main job, without a terminal: settings in, events while it works, a summary out."""

from __future__ import annotations

import json
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tanteo.emit.files import check_out
from tanteo.emit.rounds import Rounds
from tanteo.emit.study import Study
from tanteo.emit.suite import Suite
from tanteo.emit.validate import warnings_are_errors
from tanteo.errors import UserError
from tanteo.events import Event
from tanteo.execute.supervisor import Supervisor
from tanteo.report.json_file import NO_TESTS, summarise
from tanteo.report.sarif import write_sarif
from tanteo.settings import Settings
from tanteo.store.database import FORMAT, Database
from tanteo.subject import Subject, subject_as_json, subject_from_json
from tanteo.tally import Job, Tally, tally_from_json


def generate(settings: Settings, resume: bool | None, listen: Callable[[Event], None]) -> dict[str, Any]:
    """Explore the targets and keep what is learned in the session."""
    started = time.monotonic()
    for file in (settings.json, settings.sarif):
        _check_writable(file)
    check_out(Path(settings.out))
    database = Database(Path(settings.session))
    supervisor = Supervisor(settings, database, started)
    rounds: Rounds | None = None
    try:
        subject = supervisor.load()
        tally, resumed = _continue_or_begin(database, settings, subject, resume)
        supervisor.spent = 0.0 if resume else tally.elapsed  # asked for by hand: a budget of its own
        strict = warnings_are_errors(Path.cwd())
        study = Study(settings, subject, supervisor.scratch / "suite", supervisor.nest(), strict)
        rounds = None if settings.explore_only else Rounds(Suite(study), supervisor)
        with _in_order(supervisor.interrupt):
            for event in supervisor.explore(tally, resumed):
                listen(event)
                if rounds is not None:
                    rounds.consider(database, tally)
        interrupted = supervisor.stopped_by == "interrupt"
        _keep_findings(supervisor.scratch, database.folder)
        if rounds is not None:
            rounds.finish(database, tally)
        elapsed = tally.elapsed + supervisor.elapsed()
        tests = rounds.report() if rounds is not None else {**NO_TESTS, "note": "asked to explore only"}
        facts = {"finished": not interrupted, "stopped_by": supervisor.stopped_by, "tests": tests}
        database.save([], elapsed=elapsed, **facts)
        summary = _write(_summary(database, subject, tally), settings.json)
        if settings.sarif is not None:
            write_sarif(summary, Path(settings.sarif), Path.cwd())
        return summary
    finally:
        if rounds is not None:
            rounds.close()
        supervisor.close()
        database.close()


def _keep_findings(scratch: Path, session: Path) -> None:
    """Databases that a strategy has left stay with the session."""
    for file in scratch.glob("*.db"):
        shutil.copyfile(file, session / file.name)


@contextmanager
def _in_order(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C ends exploring wherever we are, and what was found is written; the second ends us."""

    def ring(*_: object) -> None:
        stop()
        signal.signal(signal.SIGINT, before)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, ring)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def look(settings: Settings) -> Subject:
    """What is under test, without exploring it."""
    with tempfile.TemporaryDirectory(prefix="tanteo-") as folder:
        settings = replace(settings, session=folder)
        database = Database(Path(folder))
        supervisor = Supervisor(settings, database, time.monotonic())
        try:
            return supervisor.load()
        finally:
            supervisor.close()
            database.close()


def describe(subject: Subject) -> dict[str, Any]:
    """A subject for people: operations with their parameters in words."""
    rows = []
    for operation in subject.operations:
        if operation.kind == "display":
            continue
        words = []
        for parameter in operation.parameters:
            star = "*" if parameter.variadic else ""
            optional = "" if parameter.required or star else " = …"
            words.append(f"{star}{parameter.name}: {' | '.join(parameter.types)}{optional}")
        reasons = {p.name: list(p.reasons) for p in operation.parameters if p.reasons}
        row = {"name": operation.name, "kind": operation.kind, "parameters": ", ".join(words)}
        rows.append({**row, "reasons": reasons})
    return {
        "operations": rows,
        "skipped": [{"name": s.name, "reason": s.reason} for s in subject.skipped],
        "modules": list(subject.modules),
        "unmeasured": list(subject.unmeasured),
    }


def read_summary(session: str, json_file: str | None) -> dict[str, Any]:
    """The summary of a session on disk."""
    folder = Path(session)
    if not (folder / "session.db").is_file():
        raise UserError(f"no session in {session}; make one with tanteo generate", "no-session")
    database = Database(folder)
    try:
        stored = database.fact("subject")
        if stored is None or database.fact("tally") is None:
            raise UserError(f"the session in {session} has not begun to explore yet", "no-session")
        tally = tally_from_json(database.fact("tally"))
        return _write(_summary(database, subject_from_json(stored), tally), json_file)
    finally:
        database.close()


def _continue_or_begin(
    database: Database, settings: Settings, subject: Subject, resume: bool | None
) -> tuple[Tally, bool]:
    """Only an unfinished session of the same run goes on, unless the user decides by hand."""
    identity = {**settings.identity(), "digest": subject.digest, "python": subject.python}
    stored = database.fact("tally")
    same = database.fact("identity") == identity and database.fact("format") == FORMAT
    if resume is True and not (same and stored):
        raise UserError(
            "nothing to resume: the session is of another target, setting or source; use --fresh",
            "nothing-to-resume",
        )
    go_on = stored is not None and same and resume is not False
    if go_on and (resume or database.fact("finished") is False):
        return tally_from_json(stored), True
    database.clear()
    tally = Tally(len(subject.operations), [Job(n) for n in range(settings.jobs)])
    database.save(
        [],
        format=FORMAT,
        identity=identity,
        subject=subject_as_json(subject),
        finished=False,
        tally=tally.as_json(),
    )
    return tally, False


def _summary(database: Database, subject: Subject, tally: Tally) -> dict[str, Any]:
    identity = database.fact("identity")
    return summarise(
        subject,
        tally,
        identity={k: v for k, v in identity.items() if k not in ("digest", "python")},
        elapsed=database.fact("elapsed") or tally.elapsed,
        stopped_by=database.fact("stopped_by") or "interrupt",
        kept_codes=[row.code for row in database.kept()],
        tests=database.fact("tests"),
    )


def _check_writable(file: str | None) -> None:
    """Before the work, not after it."""
    if file is None:
        return
    try:
        with Path(file).open("a"):
            pass
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}", "unwritable-output") from error


def _write(summary: dict[str, Any], file: str | None) -> dict[str, Any]:
    if file is not None:
        Path(file).write_text(json.dumps(summary, indent=1) + "\n")
    return summary
