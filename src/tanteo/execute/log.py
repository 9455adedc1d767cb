"""The memory that an explorer shares with the driver: what is in flight, what was kept, counts, coverage.

An explorer may die at any moment; whatever it wrote here is still there. One writer and one reader, no
locks: the writer moves `head` after the bytes are in place, the reader moves `tail` after it took them.

    header | in-flight slot | counters per operation | probes reached | ring of records
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Iterator

from tanteo.model import Verdict

HEADER = 64  # 64-bit numbers: step, head, tail, size of what is in flight, left, replays
SLOT = 1 << 18
RING = 1 << 23
VERDICTS = tuple(Verdict)
COLUMNS = len(VERDICTS) + 1  # and how often the guard refused
REFUSED = len(VERDICTS)
LENGTH = struct.Struct("<I")


class Log:
    """One explorer's shared memory, seen from either side."""

    def __init__(self, descriptor: int, operations: int, probes: int) -> None:
        self._counts_at = HEADER + SLOT
        self._reached_at = self._counts_at + 4 * COLUMNS * operations
        self._ring_at = self._reached_at + probes
        size = self._ring_at + RING
        if os.fstat(descriptor).st_size < size:
            os.ftruncate(descriptor, size)
        self._map = mmap.mmap(descriptor, size)
        view = memoryview(self._map)
        self._numbers = view[:HEADER].cast("Q")
        self._slot = view[HEADER : HEADER + SLOT]
        self.counts = view[self._counts_at : self._reached_at].cast("I")
        self.reached = view[self._reached_at : self._ring_at]
        self._ring = view[self._ring_at :]

    # the explorer's side

    def announce(self, step: int, code: bytes) -> None:
        """Who is in flight; the step is also the heartbeat."""
        numbers = self._numbers
        size = len(code)
        if size <= SLOT:
            self._slot[:size] = code
        numbers[3] = size
        if numbers[0] == step:  # only looked at again, and no step: a sign of life all the same
            numbers[5] += 1
        numbers[0] = step

    def beat(self) -> None:
        """A replay is not a step, but a sign of life."""
        self._numbers[5] += 1

    def append(self, record: bytes) -> None:
        """Add a record; waits while the driver has not read enough."""
        if len(record) > RING - LENGTH.size:
            return  # nobody can use a sequence of millions of characters
        data = LENGTH.pack(len(record)) + record
        numbers = self._numbers
        head = numbers[1]
        while head + len(data) - numbers[2] > RING:
            time.sleep(0.002)
        start = head % RING
        room = RING - start
        if len(data) <= room:
            self._ring[start : start + len(data)] = data
        else:
            self._ring[start:] = data[:room]
            self._ring[: len(data) - room] = data[room:]
        numbers[1] = head + len(data)

    def leave(self) -> None:
        """The explorer ends by its own will; whoever ends without this was killed by the subject."""
        self._numbers[4] = 1

    # the driver's side

    def left(self) -> bool:
        """Whether the explorer ended by its own will; forgets it for the next one."""
        by_itself = self._numbers[4] == 1
        self._numbers[4] = 0
        return by_itself

    @property
    def pulse(self) -> int:
        """Changes as long as the explorer gets on."""
        return self._numbers[0] + self._numbers[5]

    @property
    def step(self) -> int:
        """The step that was begun last."""
        return self._numbers[0]

    def in_flight(self) -> bytes:
        """The code of the sequence that was begun last; empty if it was too long to be written down."""
        size = self._numbers[3]
        return bytes(self._slot[:size]) if size <= SLOT else b""

    def drain(self) -> Iterator[bytes]:
        """Take every finished record."""
        numbers = self._numbers
        head, tail = numbers[1], numbers[2]
        while tail < head:
            (size,) = LENGTH.unpack(self._read(tail, LENGTH.size))
            yield self._read(tail + LENGTH.size, size)
            tail += LENGTH.size + size
            numbers[2] = tail

    def _read(self, position: int, size: int) -> bytes:
        start = position % RING
        room = RING - start
        if size <= room:
            return bytes(self._ring[start : start + size])
        return bytes(self._ring[start:]) + bytes(self._ring[: size - room])
