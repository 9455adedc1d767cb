"""What parameters may want by their words: docstrings (Sphinx, Google, NumPy) and names."""

from __future__ import annotations

import datetime
import decimal
import pathlib
import re
from collections.abc import Iterator
from typing import Any

from tanteo.model import Literal
from tanteo.types import FUNCTION, Guess, Want

WORDS: dict[str, type] = {  # of docstrings
    "int": int,
    "integer": int,
    "float": float,
    "number": float,
    "str": str,
    "string": str,
    "unicode": str,
    "text": str,
    "bytes": bytes,
    "bool": bool,
    "boolean": bool,
    "list": list,
    "sequence": list,
    "iterable": list,
    "iterator": list,
    "array": list,
    "tuple": tuple,
    "dict": dict,
    "dictionary": dict,
    "mapping": dict,
    "set": set,
    "callable": FUNCTION,
    "function": FUNCTION,
    "func": FUNCTION,
    "type": type,
    "class": type,
    "datetime": datetime.datetime,
    "date": datetime.date,
    "timedelta": datetime.timedelta,
    "decimal": decimal.Decimal,
    "path": pathlib.Path,
    "none": type(None),
}
NAMED: tuple[tuple[re.Pattern[str], type], ...] = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (
            r"n|i|j|k|num.*|.*count|.*size|.*length|.*width|.*height|.*index|.*limit|max.*|min.*|.*depth|year|month",
            int,
        ),
        (
            r"day|hour|minute|second|.*seconds|start|stop|end|step|offset|level|position|ndigits|digits|.*len",
            int,
        ),
        (
            r"s|.*name|.*text|.*string|.*str|.*path|file|filename|url|uri|prefix|suffix|sep.*|delimiter|.*title",
            str,
        ),
        (
            r".*message|msg|label|word|.*format|fmt|encoding|pattern|line|expression|expr|char.*|selector|version",
            str,
        ),
        (
            r"scheme|host|domain|query|fragment|authority|user|password|userinfo|email|locale|lang.*|language",
            str,
        ),
        (r"port", int),
        (
            r"is_.*|has_.*|.*flag|verbose|strict|ignore.*|allow.*|use_.*|with_.*|reverse|enable.*|as_.*|keep.*",
            bool,
        ),
        (
            r"f|fn|func.*|function|callback|key|predicate|pred|factory|.*_func|.*_fn|handler|method|mapper|coll_func",
            FUNCTION,
        ),
        (r"iterable.*|items|values|seq.*|lst|.*list|elements|iterables|data|args|xs|colls?|rows|lines", list),
        (r"d|.*dict|mapping|.*map|options|config|kwargs|headers|params|attrs|settings|kw", dict),
        (r"cls|klass|.*type|typ|tp|t|type_|class_|.*_class|hint|annotation", type),
        (r"dt|.*datetime|when|.*_at|now", datetime.datetime),
        (r".*date", datetime.date),
        (r".*delta|td|duration", datetime.timedelta),
        (r".*bytes|raw|buf.*|b", bytes),
        (r"exc|exception|error|err", Exception),
        (r"ratio|x|y|z|value|amount|.*factor", float),
    )
)
SPHINX = re.compile(r":(?:param|type)\s+(?:(?P<before>[^:]+?)\s+)?(?P<name>\w+)\s*:(?P<after>[^\n]*)")
GOOGLE = re.compile(r"^\s+\*{0,2}(?P<name>\w+)\s*\((?P<type>[^)]*)\)\s*:", re.MULTILINE)
NUMPY = re.compile(r"^\s*(?P<name>\w+)\s*:\s*(?P<type>[^\n]+)\n\s+\S", re.MULTILINE)
# Where a description speaks of a parameter, and where it has ended.
ABOUT = r"`+{0}`+|:(?:param|type)\s+(?:[^:\n]+\s)?{0}\s*:|^\s*\*{{0,2}}{0}\s*(?:\([^)\n]*\))?\s*:"
ENDED = re.compile(r"\n\s*(?:\n|`+\w+`|:\w+|\*{0,2}\w+\s*(?:\([^)\n]*\))?\s*:)")
QUOTED = re.compile(r"""(?<![\w'"])(?:"([\w.+-]{1,20})"|'([\w.+-]{1,20})')(?![\w'"])""")
FEWEST_CHOICES = 2  # one alone is perhaps an example of something else


def by_name(parameter: str, required: bool = False) -> Iterator[Guess]:
    """What something of this name usually is; a key that one must give is looked up, and no function."""
    if parameter == "key" and required:
        yield Guess(Want(str), 1.5, "name")
        return
    for pattern, kind in NAMED:
        if pattern.fullmatch(parameter.lower().lstrip("_")):
            yield Guess(Want(kind), 1.5, "name")
            return


def by_docstring(function: Any, parameter: str) -> Iterator[Guess]:
    """The types that its description names."""
    text = getattr(function, "__doc__", None)
    if not isinstance(text, str) or parameter not in text:
        return
    words = ""
    for match in SPHINX.finditer(text):
        if match["name"] == parameter:
            words += f" {match['before'] or ''} {match['after']}"
    for pattern in (GOOGLE, NUMPY):
        words += "".join(f" {m['type']}" for m in pattern.finditer(text) if m["name"] == parameter)
    for word in dict.fromkeys(re.findall(r"[a-z]+", words.lower())[:12]):
        kind = WORDS.get(word) or WORDS.get(word.removesuffix("s"))
        if kind is not None:
            yield Guess(Want(kind), 2.0, "docstring")
    choices = tuple(Literal(choice, repr(choice)) for choice in _choices(text, parameter))
    if len(choices) >= FEWEST_CHOICES:
        yield Guess(Want(str, choices=choices), 4.0, "docstring")


def _choices(text: str, parameter: str) -> list[str]:
    """The words that a description quotes where it speaks of a parameter: one of "left", "right"."""
    found: list[str] = []
    for mark in re.finditer(ABOUT.format(re.escape(parameter)), text, re.MULTILINE):
        ended = ENDED.search(text, mark.end())
        passage = text[mark.end() : ended.start() if ended else len(text)]
        found += [one or other for one, other in QUOTED.findall(passage)]
    return list(dict.fromkeys(found))
