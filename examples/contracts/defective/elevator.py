"""An elevator with its door and its stops."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


@icontract.invariant(lambda self: 0 <= self.floor < self.floors)
@icontract.invariant(lambda self: self.direction in (-1, 0, 1))
@icontract.invariant(lambda self: self.direction == 0 or not self.door_open)
@icontract.invariant(lambda self: self.direction == 0 or len(self.stops) > 0)
@icontract.invariant(lambda self: self.floor not in self.stops)
@icontract.invariant(lambda self: len(set(self.stops)) == len(self.stops))
class Elevator:
    """A cabin that goes from floor to floor, to the oldest stop first."""

    @icontract.require(lambda floors: floors >= 2)
    @icontract.require(lambda floors, floor: 0 <= floor < floors)
    @icontract.ensure(lambda self: self.direction == 0)
    def __init__(self, floors: int, floor: int = 0) -> None:
        self.floors = floors
        self.floor = floor
        self.direction = 0
        self.door_open = False
        self.stops: list[int] = []

    @icontract.require(lambda self, floor: 0 <= floor < self.floors)
    @icontract.ensure(lambda self, floor: floor == self.floor or floor in self.stops)
    def call(self, floor: int) -> None:
        """Ask the cabin to stop at a floor."""
        if floor not in self.stops:
            self.stops.append(floor)

    @icontract.require(lambda self: self.direction == 0)
    @icontract.require(lambda self: not self.door_open)
    @icontract.ensure(lambda self: self.door_open)
    def open_door(self) -> None:
        """Open the door of a cabin that stands."""
        self.door_open = True

    @icontract.require(lambda self: self.door_open)
    @icontract.ensure(lambda self: not self.door_open)
    def close_door(self) -> None:
        """Close the door."""
        self.door_open = False

    @icontract.require(lambda self: self.direction == 0)
    @icontract.require(lambda self: not self.door_open)
    @icontract.require(lambda self: len(self.stops) > 0)
    @icontract.ensure(lambda self: self.direction * (self.stops[0] - self.floor) > 0)
    def start(self) -> None:
        """Set off towards the oldest stop."""
        self.direction = 1 if self.stops[-1] > self.floor else -1

    @icontract.require(lambda self: self.direction != 0)
    @icontract.snapshot(lambda self: self.floor, name="floor")
    @icontract.ensure(lambda self, OLD: abs(self.floor - OLD.floor) == 1)
    @icontract.ensure(lambda self: self.door_open == (self.direction == 0))
    def step(self) -> None:
        """Move by one floor; open the door if it is a stop."""
        self.floor += self.direction
        if self.floor in self.stops:
            self.stops.remove(self.floor)
            self.open_door()
            self.direction = 0

    @icontract.ensure(lambda self: len(self.stops) == 0)
    def cancel(self) -> None:
        """Forget all stops and stand still."""
        self.stops = []

    @icontract.require(lambda self, floor: 0 <= floor < self.floors)
    @icontract.ensure(lambda self, result: 0 <= result < self.floors)
    def distance(self, floor: int) -> int:
        """How many floors away a floor is."""
        return floor - self.floor

    @icontract.ensure(lambda self, result: (result is None) == (len(self.stops) == 0))
    def next_stop(self) -> int | None:
        """Where the cabin stops next, if anywhere."""
        if self.stops is None:
            return None
        return self.stops[0]
