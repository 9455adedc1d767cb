"""One failing test per fault: the shortest way to it, and why it is the code's fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Sequence as Listing
from typing import Any

from tanteo.emit.bodies import fixtures_of
from tanteo.emit.cases import Case
from tanteo.emit.modules import Module
from tanteo.emit.source import Writer, render
from tanteo.emit.words import snake, subject_words
from tanteo.execute.codec import decode
from tanteo.model import UNSURE_ENDS, Sequence
from tanteo.subject import Operation, Subject

Short = tuple[str, list[int], list[str]]  # code, values that a contract is about, message and reason
LONGEST = 160  # characters of a message
LIMIT = 5  # seconds that a call is given which should not take any time at all


def without_faults(cases: list[Case], faults: Iterable[dict[str, Any]]) -> list[Case]:
    """The cases without those that take for granted what a fault is reported for."""
    told = [(f["exception"], f["function"]) for f in faults if f["level"] == "fault" and f["exception"]]
    places = tuple(f"{error.rpartition('.')[2]} at {function}:" for error, function in told)
    return [case for case in cases if not case.raises or not case.outcome.startswith(places)]


def add_faults(
    faults: dict[str, dict[str, Any]], short: dict[str, Short], subject: Subject, how: str
) -> dict[Module, dict[str, str]]:
    """Modules with a failing test for each fault, and which test is whose."""
    modules: dict[str, Module] = {}
    ids: dict[str, dict[str, str]] = {}
    for name, found in sorted(faults.items()):
        if found["level"] != "fault" and (found["kind"] != "crash" or found.get("message") in UNSURE_ENDS):
            continue
        code, about, words = short.get(name, (found["code"], found.get("about", []), []))
        fault = with_words(found, words)
        made = decode(code.encode())
        operation = subject.operations[made.statements[-1].operation]
        module = modules.setdefault(
            operation.module, Module(operation.module, subject.operations, faulty=True)
        )
        lines = _lines(made, fault, tuple(about), module)
        title = snake(f"test {_subject(made, fault, subject.operations)} {_expectation(fault)}")
        asked = ", ".join(fixtures_of(made, subject.operations))
        test = module.add(title, lines, _head(how, name), _doc(name, fault), asked)
        if test is not None:
            ids.setdefault(operation.module, {})[test.name] = name
    return {module: ids[name] for name, module in modules.items() if name in ids}


def _subject(made: Sequence, fault: dict[str, Any], operations: Listing[Operation]) -> str:
    """The class that breaks a contract; else what is called, with the class that the object is made of."""
    last = made.statements[-1]
    operation = operations[last.operation]
    words = subject_words(operation)
    if fault["contract"] and ": " not in fault["contract"]:
        owner = fault["function"].rpartition(".")[0] if fault["exception"] else fault["function"]
        return snake(owner) or words
    if "{0}" not in operation.form or not last.inputs or " " not in words:
        return words
    maker = made.statements[len(made) - 1 + last.inputs[0]].operation
    made_by = operations[maker] if maker >= 0 else operation
    return f"{subject_words(made_by)} {words.partition(' ')[2]}" if made_by.kind == "constructor" else words


def with_words(fault: dict[str, Any], words: list[str]) -> dict[str, Any]:
    """A fault with what its shortest sequence says; a longer one may have said something else."""
    return {**fault, **dict(zip(("message", "reason"), words, strict=False))}


def _expectation(fault: dict[str, Any]) -> str:
    """What the code should do, in a few words."""
    kind, declared, _ = (fault["contract"] or "").partition(": ")
    if kind == "result":
        return "returns what it declares"
    if declared:
        return "respects what it calls" if "calls" in kind else f"keeps its {kind}"
    if fault["contract"]:
        return str(fault["contract"])
    return f"does not raise {fault['exception']}" if fault["exception"] else f"does not {fault['kind']}"


def _head(how: str, name: str) -> str:
    if how == "fail":
        return ""
    return f'@pytest.mark.{how}(reason="known fault {name}")'


def _doc(name: str, fault: dict[str, Any]) -> str:
    what = fault["contract"].replace("_", " ") if fault["contract"] else fault["exception"] or fault["kind"]
    message = " ".join(fault.get("message", "").split())[:LONGEST]
    seen = [f"Seen: {message}"] if message and not fault["reason"].startswith(message) else []
    accept = f'Accept: accept = ["{name}"] under [tool.tanteo] in pyproject.toml'
    again = f"Again: tanteo report --fault {name}"
    lines = [f"{what}.", "", *seen, f"Why: {fault['reason']}", again, accept]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")
    return text + "\n"


def _lines(made: Sequence, fault: dict[str, Any], about: tuple[int, ...], module: Module) -> list[str]:
    if fault["kind"] in ("hang", "crash"):
        killed = fault.get("message", "").startswith("signal")
        good = (
            "in (0, 1)" if fault["kind"] == "crash" else "== 0"
        )  # an exception that nobody catches is no crash
        return _in_a_child(made, module.operations, ">= 0" if killed else good)
    taken = {"pytest", *module.imports.values(), *fixtures_of(made, module.operations)}
    writer = Writer(module.operations, frozenset(taken))
    writer.imports = module.imports
    uses = Counter(p + i for p, s in enumerate(made.statements) for i in s.inputs)
    for position, statement in enumerate(made.statements):
        writer.write(statement, position, uses[position] + (position in about))
    writer.claim(fault.get("assertion", ""), about)
    return writer.lines


def _in_a_child(made: Sequence, operations: Listing[Operation], good: str) -> list[str]:
    """It would take pytest with it, or never end; a signal is a status below nought, an exception is not."""
    source = render(made, operations).rstrip()
    return [
        "import subprocess",
        "import sys",
        "",
        f"code = {source!r}",
        f'done = subprocess.run([sys.executable, "-c", code], timeout={LIMIT}, check=False)',
        f"assert done.returncode {good}",
    ]
