"""Imports go one way: read off the sources, without running them."""

from __future__ import annotations

import ast
import graphlib
import sys
from functools import cache
from pathlib import Path

import pytest

import tanteo

ROOT = Path(tanteo.__file__).parent
MODULES = {
    ".".join(("tanteo", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}


def targets(module: str, node: ast.AST) -> set[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if not isinstance(node, ast.ImportFrom):
        return set()
    assert node.level == 0, f"{module} imports relatively"
    assert node.module is not None
    inside = {f"{node.module}.{alias.name}" for alias in node.names}
    return {name if name in MODULES else node.module for name in inside}


@cache
def imports(module: str, everywhere: bool) -> frozenset[str]:
    """What a module imports: at its top, or also inside its functions."""
    tree = ast.parse(MODULES[module].read_text())
    nodes = ast.walk(tree) if everywhere else iter(tree.body)
    return frozenset(name for node in nodes for name in targets(module, node))


def reachable(start: str, everywhere: bool) -> set[str]:
    """Our modules that come along with one; a package comes along with its modules."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        module = todo.pop()
        if module in seen or module not in MODULES:
            continue
        seen.add(module)
        todo += imports(module, everywhere)
        todo.append(module.rpartition(".")[0])
    return seen


def ours(names: frozenset[str]) -> set[str]:
    return {n for n in names if n.partition(".")[0] == "tanteo"}


def test_the_graph_is_read() -> None:
    assert {"tanteo.model", "tanteo.engine", "tanteo.cli", "tanteo.filters"} <= set(MODULES)
    assert "tanteo.model" in imports("tanteo.engine", False)
    assert "click" in imports("tanteo.cli", False)


def test_imports_go_one_way() -> None:
    graph = {module: ours(imports(module, False)) for module in MODULES}
    order = list(graphlib.TopologicalSorter(graph).static_order())  # a circle is an error here
    assert set(order) == set(MODULES)


def test_what_runs_beside_the_subject_needs_only_the_standard_library() -> None:
    explorer = reachable("tanteo.execute.zygote", True) | reachable("tanteo.execute.bootstrap", True)
    explorer |= {
        m for m in MODULES if m.startswith(("tanteo.strategies.", "tanteo.filters.", "tanteo.contracts."))
    }
    assert {"tanteo.engine", "tanteo.execute.explorer", "tanteo.probes"} <= explorer
    foreign = {
        (module, name)
        for module in explorer
        for name in imports(module, True)
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "tanteo"}
    }
    assert foreign == set()


@pytest.mark.parametrize(
    "name", ["cli", "generate", "settings", "report", "store", "execute.supervisor", "execute.nest"]
)
def test_what_runs_beside_the_subject_knows_nothing_of_the_driver(name: str) -> None:
    explorer = reachable("tanteo.execute.zygote", True)
    assert [m for m in explorer if f"{m}.".startswith(f"tanteo.{name}.")] == []


@pytest.mark.parametrize("module", ["tanteo.model", "tanteo.errors"])
def test_model_and_errors_know_nobody(module: str) -> None:
    assert ours(imports(module, True)) == set()


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("tanteo.contracts")])
def test_contracts_see_values_only(module: str) -> None:
    unseen = {"tanteo.session", "tanteo.engine", "tanteo.settings", "tanteo.model"}
    assert reachable(module, True) & unseen == set()


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("tanteo.strategies")])
def test_strategies_never_see_the_engine(module: str) -> None:
    assert "tanteo.engine" not in reachable(module, True)


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith("tanteo.filters")])
def test_filters_see_values_and_verdicts_only(module: str) -> None:
    assert reachable(module, True) <= {"tanteo", "tanteo.model", "tanteo.looks", "tanteo.filters", module}


def test_the_engine_knows_no_report_and_no_driver() -> None:
    known = reachable("tanteo.engine", True)
    assert [m for m in known if m.startswith(("tanteo.report", "tanteo.cli", "tanteo.store"))] == []


def test_sql_is_spoken_in_three_modules_only() -> None:
    speaking = [m for m in MODULES if "sqlite3" in imports(m, True)]
    assert sorted(speaking) == [
        "tanteo.experiments.store",
        "tanteo.stateful.database",
        "tanteo.store.database",
    ]


def test_nobody_but_the_command_line_knows_of_studies() -> None:
    knowing = [m for m in MODULES if any(n.startswith("tanteo.experiments") for n in imports(m, True))]
    assert [m for m in knowing if not m.startswith("tanteo.experiments")] == ["tanteo.cli"]


def test_importing_the_package_brings_nothing_along() -> None:
    assert imports("tanteo", True) == frozenset()
