"""Faults as SARIF 2.1.0, which code-scanning pages read: a rule for each kind, a result for each fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"fault": "error", "suspicious": "warning", "suggestion": "note"}


def write_sarif(summary: dict[str, Any], file: Path, root: Path) -> None:
    """One run of the tool; places of the subject are told from the root where they are below it."""
    file.write_text(json.dumps(as_sarif(summary, root), indent=1) + "\n")


def as_sarif(summary: dict[str, Any], root: Path) -> dict[str, Any]:
    """The whole file as data."""
    faults = summary["faults"]
    rules = sorted({_rule(fault): _sentence(fault) for fault in faults}.items())
    places = {name: number for number, (name, _) in enumerate(rules)}
    driver = {
        "name": "tanteo",
        "version": summary["version"],
        "rules": [{"id": name, "shortDescription": {"text": sentence}} for name, sentence in rules],
    }
    results = [_result(fault, places[_rule(fault)], root) for fault in faults]
    done = {"executionSuccessful": summary["stopped_by"] != "interrupt"}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {"ROOT": {"uri": f"{root.resolve().as_uri()}/"}},
        "columnKind": "unicodeCodePoints",
        "invocations": [done],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(fault: dict[str, Any]) -> str:
    """What broke: a contract, or a kind of exception; or the kind of fault."""
    return str(fault["contract"] or fault["exception"] or fault["kind"])


def _sentence(fault: dict[str, Any]) -> str:
    if fault["contract"]:
        return f"{fault['contract'].replace('_', ' ')}, always"
    return f"{fault['exception']} escapes" if fault["exception"] else f"a {fault['kind']}"


def _result(fault: dict[str, Any], rule: int, root: Path) -> dict[str, Any]:
    what = f"{fault['operation']}: {_sentence(fault)}. {fault['reason']}"
    found: dict[str, Any] = {
        "ruleId": _rule(fault),
        "ruleIndex": rule,
        "level": LEVELS.get(fault["level"], "warning"),
        "message": {"text": f"{what}\n{fault['source']}"},
        "partialFingerprints": {"tanteoFault/v1": fault["id"]},
    }
    if fault["file"]:
        place: dict[str, Any] = {"artifactLocation": _artifact(Path(fault["file"]), root)}
        if fault["line"]:
            place["region"] = {"startLine": fault["line"]}
        logical = [{"fullyQualifiedName": fault["function"] or fault["operation"], "kind": "function"}]
        found["locations"] = [{"physicalLocation": place, "logicalLocations": logical}]
    return found


def _artifact(file: Path, root: Path) -> dict[str, str]:
    resolved = file.resolve()
    if resolved.is_relative_to(root.resolve()):
        return {"uri": resolved.relative_to(root.resolve()).as_posix(), "uriBaseId": "ROOT"}
    return {"uri": resolved.as_uri()}
