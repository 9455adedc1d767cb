"""`tanteo contracts`: what stateful testing could not break, as text or as code."""

from __future__ import annotations

from pathlib import Path

import click

from tanteo.errors import UserError
from tanteo.stateful.database import saved_calls, saved_questions
from tanteo.stateful.decorators import as_patch
from tanteo.stateful.listing import as_json, as_markdown, as_text
from tanteo.stateful.machine import Call, as_machines
from tanteo.stateful.reading import FILE, read_clauses
from tanteo.store.database import Database
from tanteo.subject import Subject, subject_from_json

FORMATS = ("text", "markdown", "json", "icontract", "deal", "hypothesis", "sql")


@click.command("contracts")
@click.argument("session", default=".tanteo")
@click.option("--session", "session_option", metavar="DIR", help="The same as the argument.")
@click.option("--as", "form", default="text", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")
@click.option("--out", metavar="FILE", help="Write it there instead of printing it.")
def contracts_command(session: str, session_option: str | None, form: str, out: str | None) -> int:
    """Contracts that stateful testing has inferred and could not break."""
    session = session_option or session
    if form not in FORMATS:
        raise UserError(f"--as {form}: there are {', '.join(FORMATS)}", "bad-value")
    rows = read_clauses(session)
    if form == "sql":
        text = sql_of(session)
    elif form == "hypothesis":
        calls = [
            Call(name, bytes(code), outcome) for name, code, outcome in saved_calls(str(Path(session) / FILE))
        ]
        text = as_machines(rows, calls, _subject(session).operations)
    elif form in ("icontract", "deal"):
        text = as_patch(rows, _subject(session).files, form)
    else:
        text = {"text": as_text, "markdown": as_markdown, "json": as_json}[form](rows)
    if out is None:
        click.echo(text, nl=False)
    else:
        Path(out).write_text(text)
    return 0


def _subject(session: str) -> Subject:
    database = Database(Path(session))
    try:
        return subject_from_json(database.fact("subject"))
    finally:
        database.close()


def sql_of(session: str) -> str:
    """What the search has asked the database of a session."""
    return ";\n\n".join(saved_questions(str(Path(session) / FILE))) + "\n"
