"""A bank account."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract


@icontract.invariant(lambda self: self.balance == sum(self.movements))
@icontract.invariant(lambda self: self.balance >= -self.limit)
@icontract.invariant(lambda self: self.limit >= 0)
class Account:
    """An account that may be overdrawn up to a limit."""

    @icontract.require(lambda limit: limit >= 0)
    @icontract.ensure(lambda self: self.balance == 0)
    def __init__(self, limit: int = 0) -> None:
        self.limit = limit
        self.balance = 0
        self.movements: list[int] = []

    @icontract.require(lambda amount: amount > 0)
    @icontract.snapshot(lambda self: self.balance, name="balance")
    @icontract.ensure(lambda self, amount, OLD: self.balance == OLD.balance + amount)
    def deposit(self, amount: int) -> None:
        """Put money in."""
        self.movements.append(amount)
        self.balance += amount

    @icontract.require(lambda amount: amount > 0)
    @icontract.require(lambda self, amount: amount <= self.balance + self.limit)
    @icontract.snapshot(lambda self: self.balance, name="balance")
    @icontract.ensure(lambda self, amount, OLD: self.balance == OLD.balance - amount)
    def withdraw(self, amount: int) -> None:
        """Take money out."""
        self.movements.append(-amount)
        self.balance -= amount

    @icontract.require(lambda self, other: other is not self)
    @icontract.require(lambda amount: amount > 0)
    @icontract.require(lambda self, amount: amount <= self.balance + self.limit)
    @icontract.snapshot(lambda self: self.balance, name="mine")
    @icontract.snapshot(lambda other: other.balance, name="theirs")
    @icontract.ensure(lambda self, amount, OLD: self.balance == OLD.mine - amount)
    @icontract.ensure(lambda other, amount, OLD: other.balance == OLD.theirs + amount)
    def transfer(self, other: Account, amount: int) -> None:
        """Move money to another account."""
        self.withdraw(amount)
        other.deposit(amount)

    @icontract.require(lambda limit: limit >= 0)
    @icontract.require(lambda self, limit: self.balance >= -limit)
    def change_limit(self, limit: int) -> None:
        """Allow the account to be overdrawn by more or less."""
        self.limit = limit

    @icontract.require(lambda self: len(self.movements) > 0)
    @icontract.require(lambda self: sum(self.movements[:-1]) >= -self.limit)
    @icontract.snapshot(lambda self: self.movements[:-1], name="earlier")
    @icontract.ensure(lambda self, OLD: self.movements == OLD.earlier)
    def undo(self) -> None:
        """Take the latest movement back."""
        self.balance -= self.movements.pop()

    @icontract.ensure(lambda self, result: result == self.movements)
    @icontract.ensure(lambda self, result: result is not self.movements)
    def statement(self) -> list[int]:
        """All movements, oldest first."""
        return list(self.movements)

    @icontract.ensure(lambda self, result: min([0, *self.movements]) <= result <= max([0, *self.movements]))
    def average(self) -> int:
        """The average movement, rounded down; 0 if there was none."""
        if not self.movements:
            return 0
        return self.balance // len(self.movements)

    @icontract.ensure(lambda self, result: result == max([0, *self.movements]))
    def largest_deposit(self) -> int:
        """The largest amount that was ever put in; 0 if there was none."""
        largest = 0
        deposits = [amount for amount in self.movements if amount > 0]
        if deposits:
            largest = max(deposits)
        return largest
