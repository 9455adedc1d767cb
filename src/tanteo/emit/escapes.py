"""Backslashes as people write them: raw strings where they are all there is to escape."""

from __future__ import annotations

import ast
import io
import tokenize

QUOTES = ("'", '"')
LONG = ("'''", '"""')


def with_raw_strings(text: str) -> str:
    """The same source; `'\\\\d'` becomes `r'\\d'`."""
    if "\\\\" not in text:
        return text
    lines = text.split("\n")
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        (row, start), (last, end) = token.start, token.end
        if token.type == tokenize.STRING and row == last and (raw := _raw(token.string)) is not None:
            line = lines[row - 1]
            lines[row - 1] = line[:start] + raw + line[end:]
    return "\n".join(lines)


def _raw(source: str) -> str | None:
    """A plain string without its escapes; None if it needs them, or has none."""
    if source[0] not in QUOTES or source.startswith(LONG) or "\\\\" not in source:
        return None
    value = ast.literal_eval(source)
    quote = source[0]
    raw = f"r{quote}{value}{quote}"
    return raw if value.isprintable() and not value.endswith("\\") and quote not in value else None
