"""The command as a user types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, Tanteo, read_json

SHOP = str(EXAMPLES / "shop")


def test_generate_prints_a_fault_as_source_that_shows_it(tanteo: Tanteo, tmp_path: Path) -> None:
    done = tanteo("generate", SHOP, "--steps", "20000", "--json", "out.json")
    assert done.returncode == 0, done.stderr
    assert "UnboundLocalError" in done.stdout
    report = read_json(tmp_path / "out.json")
    fault = next(f for f in report["faults"] if f["exception"] == "UnboundLocalError")
    assert fault["source"].splitlines()[-1].strip() in done.stdout
    shown = subprocess.run(
        [sys.executable, "-c", fault["source"]],
        env={**os.environ, "PYTHONPATH": str(EXAMPLES)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "UnboundLocalError" in shown.stderr


def test_json_has_the_promised_fields(tanteo: Tanteo, tmp_path: Path) -> None:
    tanteo("generate", SHOP, "--steps", "500", "--json", "out.json", "--quiet")
    report = read_json(tmp_path / "out.json")
    assert (report["tool"], report["format"], report["command"]) == ("tanteo", 1, "generate")
    assert report["stopped_by"] == "steps"
    assert report["sequences"]["executed"] == 500
    assert 0 < report["coverage"]["arms_covered"] <= report["coverage"]["arms_total"]
    assert 0 < report["coverage"]["lines_covered"] <= report["coverage"]["lines_total"]
    assert report["coverage"]["timeline"][-1][2] == report["coverage"]["arms_covered"]
    verdicts = ("normal", "expected", "invalid", "faults", "hung", "crashed")
    for row in report["operations"]:
        assert row["attempts"] == sum(row[v] for v in verdicts)
    assert sum(row["attempts"] for row in report["operations"]) == 500


def test_report_prints_the_summary_again(tanteo: Tanteo) -> None:
    first = tanteo("generate", SHOP, "--steps", "2000", "--quiet")
    again = tanteo("report")
    assert again.returncode == 0
    assert again.stdout == first.stdout


def test_fault_line_to_paste_prints_its_source(tanteo: Tanteo) -> None:
    first = tanteo("generate", SHOP, "--steps", "2000", "--quiet")
    name = next(part.split()[1] for part in first.stdout.splitlines() if part.startswith("FAULT "))
    shown = tanteo("report", "--fault", name)
    assert shown.returncode == 0
    assert "from shop." in shown.stdout


def test_fault_line_to_paste_runs_its_test(tanteo: Tanteo, tmp_path: Path) -> None:
    first = tanteo("generate", SHOP, "--steps", "2000", "--quiet")
    line = next(part for part in first.stdout.splitlines() if "again: pytest " in part)
    place = line.split("again: pytest ")[1]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", place]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed" in done.stdout


def test_check_turns_a_fault_into_exit_status_1(tanteo: Tanteo) -> None:
    assert tanteo("generate", SHOP, "--steps", "4000", "--check", "--quiet").returncode == 1
    sound = str(EXAMPLES / "stone")
    assert tanteo("generate", sound, "--steps", "200", "--check", "--quiet").returncode == 0


def test_list_shows_operations_and_reasons(tanteo: Tanteo) -> None:
    done = tanteo("list", str(EXAMPLES / "containers"))
    assert "containers.tree_map.TreeMap.put" in done.stdout
    assert "skipped containers._record" in done.stdout


def test_time_is_kept(tanteo: Tanteo) -> None:
    began = time.monotonic()
    done = tanteo("generate", SHOP, "--time", "8", "--quiet")
    assert done.returncode == 0
    assert time.monotonic() - began < 8.8 + 1.5  # to start this interpreter, while other tests run


def test_settings_of_the_project(tanteo: Tanteo, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.tanteo]\nsteps = 77\nseed = 5\njson = 'out.json'\n")
    assert tanteo("generate", SHOP, "--seed", "6", "--quiet").returncode == 0
    report = read_json(tmp_path / "out.json")
    assert (report["sequences"]["executed"], report["seed"]) == (77, 6)


def test_one_class_and_one_method(tanteo: Tanteo, tmp_path: Path) -> None:
    arguments = ("--path", str(EXAMPLES), "--steps", "50", "--json", "out.json", "--quiet")
    tanteo("generate", "containers.tree_map:TreeMap.put", *arguments)
    names = [row["name"] for row in read_json(tmp_path / "out.json")["operations"]]
    assert names == ["containers.tree_map.TreeMap", "containers.tree_map.TreeMap.put"]


def test_standard_library_module(tanteo: Tanteo, tmp_path: Path) -> None:
    tanteo("generate", "textwrap", "--steps", "500", "--json", "out.json", "--quiet")
    assert read_json(tmp_path / "out.json")["coverage"]["arms_covered"] > 20


def test_own_contract(tanteo: Tanteo, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "def stones_are_white(x):\n    return None if not hasattr(x, 'black') else not x.black\n"
    )
    stone = str(EXAMPLES / "stone")
    options = ("--steps", "100", "--contract", "mine:stones_are_white", "--json", "out.json", "--quiet")
    tanteo("generate", stone, *options)
    assert read_json(tmp_path / "out.json")["faults"][0]["contract"] == "stones_are_white"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("generate", "textwrp"), "no module named textwrp; did you mean textwrap?"),
        (("generate", "no/such/folder"), "no such file or folder"),
        (("generate", "textwrap", "--time", "-1"), "--time must be more than 0"),
        (("generate", "textwrap", "--jobs", "many"), "is not a valid integer"),
        (("generate", "textwrap", "--strategy", "psychic"), "no strategy named psychic"),
        (("generate", "textwrap", "--contract", "nowhere:f"), "cannot load nowhere:f"),
        (("generate", "textwrap:Wrapper"), "textwrap has no Wrapper"),
        (("generate", "textwrap", "--json", "no/such/file"), "cannot write no/such/file"),
        (("generate", "textwrap", "--python", "/no/python"), "cannot start /no/python"),
        (("generate", "textwrap", "--allow", "everything"), "--allow must be of write"),
        (("generate", "this_is_empty.py"), "nothing to test"),
        (("generate", "broken.py"), "broken.py, line 2"),
        (("report", "nowhere"), "no session in nowhere"),
        (("generate",), "Missing argument"),
    ],
)
def test_a_mistake_is_one_line_and_exit_status_2(
    tanteo: Tanteo, tmp_path: Path, words: tuple[str, ...], expected: str
) -> None:
    (tmp_path / "this_is_empty.py").write_text("X = 1\n")
    (tmp_path / "broken.py").write_text("x = 1\ndef f(:\n")
    done = tanteo(*words)
    assert done.returncode == 2, done.stdout + done.stderr
    assert expected in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stdout + done.stderr


def test_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tanteo", "generate", SHOP, "--time", "60", "--json", "out.json"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    time.sleep(12)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "UnboundLocalError" in out
    report = read_json(tmp_path / "out.json")
    assert report["stopped_by"] == "interrupt"
    assert report["sequences"]["kept"] > 0


def test_stateful_testing_ends_with_contracts(tanteo: Tanteo, tmp_path: Path) -> None:
    target, session = str(EXAMPLES / "shop"), str(tmp_path / "session")
    words = ["--steps", "6000", "--seed", "1", "--explore-only", "--session", session, "--quiet"]
    done = tanteo("stateful", target, *words)
    assert done.returncode == 0
    assert "tanteo contracts shows them" in done.stdout
    told = tanteo("contracts", session)
    assert "shop.cart.Cart.redeem\n  requires discount.code not in self._discounts" in told.stdout
    patch = tanteo("contracts", session, "--as", "icontract").stdout
    assert "+    @icontract.require(lambda self, discount: discount.code not in self._discounts)" in patch
    assert (
        "FROM (SELECT state FROM state WHERE kind = ?" in tanteo("contracts", session, "--as", "sql").stdout
    )
    machine = tmp_path / "test_machine.py"
    assert tanteo("contracts", session, "--as", "hypothesis", "--out", str(machine)).returncode == 0
    assert "class CartMachine(RuleBasedStateMachine):" in machine.read_text()
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(machine), "-k", "Money"]
    setting = {**os.environ, "PYTHONPATH": str(EXAMPLES)}
    ran = subprocess.run(words, env=setting, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout.decode()
    wrong = tanteo("contracts", session, "--as", "poetry")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert tanteo("contracts", str(tmp_path / "nowhere")).returncode == 2


SUITE = """
from stateful.linked_list import LinkedList

def words(*texts):
    made = LinkedList()
    for text in texts:
        made.extend(text)
    return made

def test_merge():
    for n in range(4):
        a, b = words(*["abc"] * n), words("def", "ghi", "jkl")
        a.merge_left(b)
        assert len(a) == n + 3

def test_equal():
    for n in range(5):
        assert words(*["abc"] * n).is_equal(words(*["abc"] * n))
"""


def test_a_suite_of_the_user_is_listened_to(tanteo: Tanteo, tmp_path: Path) -> None:
    (tmp_path / "test_lists.py").write_text(SUITE)
    words = ["--path", str(EXAMPLES), "--steps", "600", "--tune", "random_share=0.05", "--explore-only"]
    done = tanteo("stateful", "stateful.linked_list", "--suite", "test_lists.py", *words, "--quiet")
    assert done.returncode == 0, done.stderr
    assert "linked_list.merge_left(linked_list_2)" in done.stdout, "lists that the suite only compared"
    assert tanteo("stateful", "stateful.linked_list", "--suite", "nowhere", *words).returncode == 2
