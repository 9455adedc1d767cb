"""A hash table with chains."""

# ruff: noqa: N803 (icontract prescribes the name OLD)

from __future__ import annotations

import icontract

Buckets = list[list[tuple[int, str]]]


def _pairs(buckets: Buckets) -> dict[int, str]:
    """Everything in the buckets as a dictionary."""
    return {key: value for bucket in buckets for key, value in bucket}


def _well_placed(buckets: Buckets) -> bool:
    """Whether every key is in the bucket that it belongs to."""
    return all(key % len(buckets) == place for place, bucket in enumerate(buckets) for key, _ in bucket)


@icontract.invariant(lambda self: self.count == sum(map(len, self.buckets)))
@icontract.invariant(lambda self: len(_pairs(self.buckets)) == self.count)
@icontract.invariant(lambda self: _well_placed(self.buckets))
class HashTable:
    """Strings by numbers."""

    @icontract.ensure(lambda self: self.count == 0)
    def __init__(self) -> None:
        self.buckets: Buckets = [[], []]
        self.count = 0

    @icontract.snapshot(lambda self: _pairs(self.buckets), name="pairs")
    @icontract.ensure(lambda self, key, value, OLD: _pairs(self.buckets) == {**OLD.pairs, key: value})
    def put(self, key: int, value: str) -> None:
        """Store a string under a number, in place of what was there."""
        if self.count >= len(self.buckets):
            self._grow()
        bucket = self.buckets[key % len(self.buckets)]
        for place, (other, _) in enumerate(bucket):
            if other == key:
                bucket[place] = (key, value)
                break
        else:
            bucket.append((key, value))
        self.count += 1

    @icontract.ensure(lambda self, key, default, result: result == _pairs(self.buckets).get(key, default))
    def get(self, key: int, default: str = "") -> str:
        """The string under a number, or a default if there is none."""
        for other, value in self.buckets[key % len(self.buckets)]:
            if other == key:
                return value or default
        return default

    @icontract.require(lambda self, key: key in _pairs(self.buckets))
    @icontract.snapshot(lambda self: _pairs(self.buckets), name="pairs")
    @icontract.ensure(lambda key, result, OLD: result == OLD.pairs[key])
    @icontract.ensure(lambda self, key: key not in _pairs(self.buckets))
    def remove(self, key: int) -> str:
        """Take out the string under a number."""
        bucket = self.buckets[key % len(self.buckets)]
        value = self.get(key)
        bucket.remove((key, value))
        return value

    @icontract.ensure(lambda self, result: sorted(result) == sorted(_pairs(self.buckets)))
    def keys(self) -> list[int]:
        """All numbers in use."""
        return [key for bucket in self.buckets for key, _ in bucket[:1]]

    @icontract.ensure(lambda result: result >= 0)
    def average_chain(self) -> float:
        """How many pairs share a bucket on average, empty buckets aside."""
        used = sum(1 for bucket in self.buckets if bucket)
        return self.count / used

    @icontract.ensure(lambda self: self.count == 0)
    def clear(self) -> None:
        """Remove everything."""
        self.buckets = [[]] * len(self.buckets)
        self.count = 0

    def _grow(self) -> None:
        """Spread the pairs over twice as many buckets."""
        larger: Buckets = [[] for _ in range(2 * len(self.buckets))]
        for key, value in _pairs(self.buckets).items():
            larger[key % len(self.buckets)].append((key, value))
        self.buckets = larger
