"""A small study on this machine, and on a cluster with TLS whose worker is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES, Tanteo

PLAN = """
about = "two subjects, one of which cannot be loaded"
seeds = 3
steps = 150

[[subject]]
name = "shop"
target = "{shop}"

[[subject]]
name = "broken"
target = "{broken}"

[[variant]]
name = "directed"

[[variant]]
name = "reuse"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    broken = tmp_path / "broken.py"
    broken.write_text("import ctypes\n\nctypes.string_at(0)\n\ndef f(): pass\n")
    file = tmp_path / "small.toml"
    file.write_text(PLAN.format(shop=EXAMPLES / "shop", broken=broken))
    return file


def results(folder: Path) -> dict[tuple[str, str, int], str | None]:
    """The digest of each item that has a result."""
    rows = sqlite3.connect(folder / "small" / "results.db").execute(
        "SELECT subject, variant, seed, result FROM item"
    )
    return {(s, v, n): r and json.loads(r)["digest"] for s, v, n, r in rows}


def test_a_study_says_what_failed_and_goes_on_where_it_stopped(
    tanteo: Tanteo, plan: Path, tmp_path: Path
) -> None:
    done = tanteo("experiment", str(plan), "--out", "here", "--jobs", "2")
    assert done.returncode == 1, done.stderr
    assert "6 of 12 done, 0 running, 6 failed" in done.stdout
    assert "| broken | directed | 0 | 3 | exit 2:" in done.stdout
    known = results(tmp_path / "here")
    assert [known["shop", v, n] is not None for v in ("directed", "reuse") for n in range(3)] == [True] * 6
    assert (tmp_path / "here" / "small" / "index.html").stat().st_size > 1000
    began = time.monotonic()
    again = tanteo("experiment", str(plan), "--out", "here")
    assert "done," not in again.stdout
    assert time.monotonic() - began < 10


def test_what_cannot_be_done_is_said_in_one_line(tanteo: Tanteo, plan: Path) -> None:
    for words, told in (
        (("nothing.toml",), "no plan nothing.toml"),
        ((str(plan), "--engine", "cloud"), "no engine cloud"),
        ((str(plan), "--engine", "dask=tls://127.0.0.1:1"), "needs --certificates DIR"),
    ):
        done = tanteo("experiment", *words)
        assert done.returncode == 2
        assert told in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    folder = tmp_path / "tls"
    folder.mkdir()
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost")
    files = ("-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem"))
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *subject]
    subprocess.run(words, check=True, capture_output=True)
    shutil.copy(folder / "cert.pem", folder / "ca.pem")
    return folder


@pytest.fixture
def cluster(tmp_path: Path, certificates: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and three workers, started by command."""
    keys = [
        f"--tls-{option}={certificates / file}"
        for option, file in (("ca-file", "ca.pem"), ("cert", "cert.pem"), ("key", "key.pem"))
    ]
    told = tmp_path / "scheduler.json"

    def start(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, *keys]
        return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    plain = ("--host", "127.0.0.1", "--protocol", "tls", "--no-dashboard")
    processes = [start("scheduler", *plain, "--port", "0", "--scheduler-file", str(told))]
    try:
        deadline = time.monotonic() + 30
        while not (told.exists() and told.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(told.read_text())["address"]
        alone = ("--nthreads", "1", "--no-nanny", *plain)
        processes += [start("worker", address, *alone) for _ in range(3)]
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_gives_what_this_machine_gives_though_a_worker_is_killed(
    tanteo: Tanteo,
    plan: Path,
    tmp_path: Path,
    certificates: Path,
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    words = [sys.executable, "-m", "tanteo", "experiment", str(plan), "--out", "there"]
    words += ["--engine", f"dask={address}", "--certificates", str(certificates)]
    study = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert study.stdout is not None
    for line in study.stdout:
        if " done" in line and "0 of" not in line:
            break  # something has come back
    os.kill(workers[0].pid, signal.SIGKILL)
    out, err = study.communicate(timeout=120)
    assert study.returncode == 1, err
    tanteo("experiment", str(plan), "--out", "here", "--jobs", "2")
    there, here = results(tmp_path / "there"), results(tmp_path / "here")
    assert there == here
    assert sum(digest is not None for digest in there.values()) == 6
    assert "exit 2:" in out
