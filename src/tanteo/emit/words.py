"""Words for operations, values and messages, as they stand in the names of tests."""

from __future__ import annotations

import re

from tanteo.emit.source import HUMP
from tanteo.operators import PICKLING
from tanteo.subject import Operation

WORD = re.compile(r"[^0-9a-z]+")
MESSAGE_WORD = re.compile(r"[A-Za-z](?:[A-Za-z0-9]|\+(?=\d))*")  # `U+005F` is one
QUOTED = re.compile(r"""b?'[^']*'|b?"[^"]*\"""")  # what is quoted in a message is of this one call
GENERIC = ("list[", "dict[", "tuple[", "set[", "frozenset[", "type[")
COMPLEX = re.compile(r"\(.*j\)")
MOST_WORDS = 5  # of a message
# Words that a phrase does not end with.
OPEN = re.compile(
    "(a|an|and|as|at|be|but|by|can|cannot|either|for|from|has|have|in|is|it|its|must|neither|no|nor|not|of|on"
    "|or|should|than|that|the|their|this|to|was|were|when|which|while|will|with|if|because|until|unless)"
)
AGAINST = frozenset({"cannot", "neither", "no", "nor", "not"})  # without which a message says the opposite
SPECIAL = {
    "len": "length",
    "contains": "contains",
    "getitem": "item",
    "setitem": "item assignment",
    "delitem": "item deletion",
    "iter": "iteration",
    "eq": "equality",
    "ne": "inequality",
    "lt": "less than",
    "le": "at most",
    "gt": "greater than",
    "ge": "at least",
    "add": "sum",
    "radd": "reflected sum",
    "iadd": "in place sum",
    "sub": "difference",
    "mul": "product",
    "imul": "in place product",
    "truediv": "quotient",
    "bool": "truth",
    **dict.fromkeys((name.strip("_") for name in PICKLING), "pickled"),
    "get": "as attribute",
    "set_name": "as attribute of a class",
    "getattr": "attribute",
    "enter": "context",
    "call": "call",
}
KINDS = frozenset(  # words that, as a value, would be taken for the kind of it
    ("bool", "boolean", "bytes", "dict", "empty", "false", "float", "int", "integer", "list", "mapping")
) | frozenset(("none", "null", "number", "object", "set", "str", "string", "text", "true", "tuple", "type"))
VALUES = {
    "None": "none",
    "True": "true",
    "False": "false",
    "''": "empty string",
    "b''": "empty bytes",
    "[]": "empty list",
    "()": "empty tuple",
    "{}": "empty dict",
    "set()": "empty set",
}


def snake(text: str) -> str:
    """Words with underscores between them."""
    return WORD.sub("_", HUMP.sub("_", text).lower()).strip("_")


def subject_words(operation: Operation) -> str:
    """Class and method, or the function; the module is in the name of the file."""
    inside = operation.name.removeprefix(operation.module).strip(".")
    *owners, last = inside.split(".")
    if operation.kind == "attribute write":
        last = f"setting {last}"
    if last.startswith("__") and last.endswith("__"):
        last = SPECIAL.get(last.strip("_"), last.strip("_"))
    return " ".join(snake(part) for part in (*owners, last))


def value_words(source: str) -> str:
    """A value in a name: itself if it is short, or its kind."""
    if source in VALUES:
        return VALUES[source]
    if source.startswith("re.compile("):
        return "pattern"
    if re.fullmatch(r"-?\d{1,6}", source):
        return source.replace("-", "minus ")
    if re.fullmatch(r"'[A-Za-z][A-Za-z0-9]{1,14}'", source):
        word = source.strip("'")
        return "text" if word in VALUES or word.lower() in KINDS else word  # 'None' is not None
    if COMPLEX.fullmatch(source):
        return "complex"
    kinds = {"'": "text", '"': "text", "[": "list", "(": "tuple"}
    if source[0] in kinds:
        return kinds[source[0]]
    if source.startswith(("b'", 'b"')):
        return "bytes"
    if source.startswith("{"):
        return "mapping" if ":" in source else "set"
    if re.fullmatch(r"-?[\d.e+-]+", source):
        return "number"
    return snake(re.split(r"[(\s]", source)[0])


def shown_words(text: str) -> str:
    """What shows itself like this: a container, or the first name in it."""
    if text.startswith(GENERIC):
        return "generic alias"
    first = re.search(r"[A-Za-z][\w.]*", text)
    return value_words(text) if text[:1] in "[({" or first is None else snake(first[0].rpartition(".")[2])


def in_brief(message: str, detail: int) -> str:
    """The first words of a message; in more detail those behind them, where another one begins alike."""
    for short, long in (("can't", "cannot"), ("Can't", "Cannot"), ("n't", " not")):
        message = message.replace(short, long)
    unquoted = QUOTED.sub(" ", message)
    message = unquoted if len(MESSAGE_WORD.findall(unquoted)) > 1 else message
    words = MESSAGE_WORD.findall(message)
    head = MESSAGE_WORD.findall(message.partition(":")[0])
    first = (head if len(head) > 1 else words)[:MOST_WORDS]
    gone = ""
    while len(first) > 1 and OPEN.fullmatch(first[-1].lower()):
        gone = first.pop()
    told = len(first)
    while len(first) > 1 and gone == "to" and (first[-1][-2:] == "ed" or OPEN.fullmatch(first[-1])):
        first.pop()  # `was required to be one of`: nobody has said that it was required
    if detail == 1:
        return " ".join(first)
    sentence = MESSAGE_WORD.findall(re.split(r"[.:;] ", message)[0])
    more = (sentence if len(sentence) > told else words)[told:][:MOST_WORDS]
    while len(more) > 1 and OPEN.fullmatch(more[0].lower()) and more[0].lower() not in AGAINST:
        more.pop(0)
    while len(more) > 1 and OPEN.fullmatch(more[-1].lower()):
        more.pop()
    return " ".join(first if all(OPEN.fullmatch(word.lower()) for word in more) else more)
