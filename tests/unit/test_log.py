"""The shared memory: what one side writes, the other side reads."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator

import pytest

from tanteo.execute import log as log_module
from tanteo.execute.log import COLUMNS, SLOT, VERDICTS, Log
from tanteo.model import Verdict

Pair = tuple[Log, Log]


@pytest.fixture
def small_ring(monkeypatch: pytest.MonkeyPatch) -> int:
    """A ring that is soon full."""
    monkeypatch.setattr(log_module, "RING", 256)
    return 256


@pytest.fixture
def sides() -> Iterator[Pair]:
    """The explorer's and the driver's view of one file."""
    with tempfile.TemporaryFile() as file:
        yield Log(file.fileno(), 3, 10), Log(file.fileno(), 3, 10)


def test_who_is_in_flight(sides: Pair) -> None:
    explorer, driver = sides
    assert (driver.step, driver.in_flight()) == (0, b"")
    explorer.announce(1, b"a long code\n")
    assert (driver.step, driver.in_flight()) == (1, b"a long code\n")
    explorer.announce(2, b"short\n")
    assert (driver.step, driver.in_flight()) == (2, b"short\n")


def test_a_code_that_does_not_fit_is_not_written_down(sides: Pair) -> None:
    explorer, driver = sides
    explorer.announce(1, b"x" * SLOT)
    assert driver.in_flight() == b"x" * SLOT
    explorer.announce(2, b"y" * (SLOT + 1))
    assert (driver.step, driver.in_flight()) == (2, b"")
    explorer.announce(3, b"z")
    assert driver.in_flight() == b"z"


def test_records_are_taken_once_and_in_order(sides: Pair) -> None:
    explorer, driver = sides
    assert list(driver.drain()) == []
    for record in (b"one", b"", b"three\n\0"):
        explorer.append(record)
    assert list(driver.drain()) == [b"one", b"", b"three\n\0"]
    assert list(driver.drain()) == []
    explorer.append(b"four")
    assert list(driver.drain()) == [b"four"]


def test_a_record_that_was_not_taken_to_the_end_comes_again(sides: Pair) -> None:
    explorer, driver = sides
    explorer.append(b"one")
    explorer.append(b"two")
    reading = driver.drain()
    assert next(reading) == b"one"
    del reading
    assert list(driver.drain()) == [b"one", b"two"]


@pytest.mark.parametrize("size", [1, 60, 61, 63, 125, 250, 252])
def test_records_go_round_the_end_of_the_ring(small_ring: int, sides: Pair, size: int) -> None:
    explorer, driver = sides
    for number in range(40):  # several times round; the length itself may be cut in two
        record = bytes([number]) * size
        explorer.append(record)
        assert list(driver.drain()) == [record]


def test_the_writer_waits_until_the_reader_has_made_room(small_ring: int, sides: Pair) -> None:
    explorer, driver = sides
    records = [bytes([n]) * 50 for n in range(100)]

    def fill() -> None:
        for record in records:
            explorer.append(record)

    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    taken: list[bytes] = []
    writer.join(0.05)
    assert writer.is_alive()  # nobody has read yet, and not all fits
    while len(taken) < len(records):
        taken += driver.drain()
    writer.join(5)
    assert not writer.is_alive()
    assert taken == records


def test_counters_and_probes_are_shared(sides: Pair) -> None:
    explorer, driver = sides
    assert len(driver.counts) == 3 * COLUMNS
    assert len(driver.reached) == 10
    column = VERDICTS.index(Verdict.FAULT)
    explorer.counts[2 * COLUMNS + column] += 70_000
    explorer.reached[9] = 1
    explorer.append(b"beside")
    explorer.announce(1, b"code")
    assert sum(driver.counts) == driver.counts[2 * COLUMNS + column] == 70_000
    assert bytes(driver.reached) == b"\0" * 9 + b"\1"


def test_who_left_by_itself(sides: Pair) -> None:
    explorer, driver = sides
    assert not driver.left()
    explorer.leave()
    assert driver.left()
    assert not driver.left()


def test_a_new_explorer_goes_on_where_the_old_one_was_killed() -> None:
    with tempfile.TemporaryFile() as file:
        driver = Log(file.fileno(), 1, 1)
        child = os.fork()
        if child == 0:
            mine = Log(file.fileno(), 1, 1)
            mine.append(b"kept")
            mine.announce(7, b"guilty")
            os._exit(9)
        os.waitpid(child, 0)
        assert list(driver.drain()) == [b"kept"]
        assert (driver.step, driver.in_flight(), driver.left()) == (7, b"guilty", False)
        successor = Log(file.fileno(), 1, 1)
        successor.append(b"next")
        assert list(driver.drain()) == [b"next"]
