"""Faults as SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tanteo.report.sarif import as_sarif, write_sarif


def fault(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "id": "0123456789ab",
        "kind": "contract",
        "contract": "equality_is_reflexive",
        "exception": None,
        "file": None,
        "line": 0,
        "function": "shop.cart.Cart",
        "operation": "shop.cart.Cart.add",
        "level": "fault",
        "reason": "no argument excuses this",
        "source": "cart = Cart()\n",
    }
    return {**plain, **changes}


def test_a_rule_for_each_kind_and_a_result_for_each_fault(tmp_path: Path) -> None:
    source = tmp_path / "shop" / "cart.py"
    other = fault(contract=None, exception="KeyError", level="suspicious", file=str(source), line=7)
    summary = {"version": "1", "stopped_by": "time", "faults": [fault(), other, fault(id="ba9876543210")]}
    write_sarif(summary, tmp_path / "out.sarif", tmp_path)
    (run,) = json.loads((tmp_path / "out.sarif").read_text())["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["KeyError", "equality_is_reflexive"]
    assert rules[1]["shortDescription"]["text"] == "equality is reflexive, always"
    first, second, third = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("equality_is_reflexive", 1, "error")
    assert "locations" not in first
    assert second["level"] == "warning"
    place = second["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "shop/cart.py", "uriBaseId": "ROOT"}
    assert place["region"] == {"startLine": 7}
    assert third["partialFingerprints"] == {"tanteoFault/v1": "ba9876543210"}


def test_without_faults_there_are_no_results(tmp_path: Path) -> None:
    made = as_sarif({"version": "1", "stopped_by": "interrupt", "faults": []}, tmp_path)
    assert made["version"] == "2.1.0"
    assert made["runs"][0]["results"] == []
    assert made["runs"][0]["invocations"] == [{"executionSuccessful": False}]


def test_what_is_elsewhere_is_told_in_full(tmp_path: Path) -> None:
    elsewhere = fault(file="/usr/lib/shop.py", line=3)
    made = as_sarif({"version": "1", "stopped_by": "time", "faults": [elsewhere]}, tmp_path)
    place = made["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "file:///usr/lib/shop.py"}
