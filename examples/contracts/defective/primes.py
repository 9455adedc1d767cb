"""Prime numbers by the sieve of Eratosthenes."""

from __future__ import annotations

import math

import deal


def _prime(number: int) -> bool:
    """Whether a number is prime, by trial division."""
    return number > 1 and all(number % divisor for divisor in range(2, math.isqrt(number) + 1))


def _primes(limit: int) -> list[int]:
    """The primes up to a limit, by trial division."""
    return [number for number in range(limit + 1) if _prime(number)]


class Primes:
    """The prime numbers up to a limit."""

    @deal.pre(lambda self, limit: 2 <= limit <= 1000)
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._counts: dict[int, int] = {}
        self._flags = [False, False] + [True] * (limit - 1)
        step = 2
        while step * step < limit:
            for multiple in range(step * step, limit + 1, step):
                self._flags[multiple] = False
            step += 1

    @deal.pre(lambda self, number: 0 <= number <= self.limit)
    @deal.ensure(lambda self, number, result: result == _prime(number))
    def is_prime(self, number: int) -> bool:
        """Whether a number is prime."""
        return self._flags[number]

    @deal.ensure(lambda self, result: result == _primes(self.limit))
    def all(self) -> list[int]:
        """All primes up to the limit, the limit included."""
        return [number for number in range(2, self.limit) if self._flags[number]]

    @deal.pre(lambda self, number: 0 <= number <= self.limit)
    @deal.ensure(lambda self, number, result: result == len(_primes(number)))
    def count(self, number: int) -> int:
        """How many primes there are up to a number."""
        if not self._counts:
            self._counts[0] = sum(self._flags[: number + 1])
        return self._counts[0]

    @deal.pre(lambda self, number: 0 <= number <= self.limit)
    @deal.ensure(lambda self, number, result: result > number and _prime(result))
    @deal.raises(ValueError)
    def following(self, number: int) -> int:
        """The next larger prime; ValueError if it is beyond the limit."""
        for candidate in range(number, self.limit + 1):
            if self._flags[candidate]:
                return candidate
        raise ValueError(f"no prime between {number} and {self.limit}")

    @deal.pre(lambda self, rank: rank >= 1)
    @deal.post(lambda result: _prime(result))
    @deal.raises(ValueError)
    def nth(self, rank: int) -> int:
        """The first prime, the second, and so on; ValueError if it is beyond the limit."""
        primes = [number for number, flag in enumerate(self._flags) if flag]
        if rank > len(primes) + 1:
            raise ValueError(f"only {len(primes)} primes up to {self.limit}")
        return primes[rank - 1]

    @deal.pre(lambda self, number: 2 < number <= self.limit)
    @deal.ensure(lambda self, number, result: result < number and _prime(result))
    def previous(self, number: int) -> int:
        """The next smaller prime."""
        candidate = number - 1
        while not self._flags[candidate]:
            candidate -= 1
        return candidate

    @deal.pre(lambda self, number: 0 <= number <= self.limit)
    @deal.post(lambda result: result >= 0)
    def gap(self, number: int) -> int:
        """How far the next smaller prime is away; 0 if there is none."""
        if number < 2:
            return 0
        return number - self.previous(number)

    @deal.pre(lambda self, number: 2 <= number <= self.limit)
    @deal.post(lambda result: all(map(_prime, result)))
    @deal.ensure(lambda self, number, result: math.prod(result) == number)
    def factors(self, number: int) -> list[int]:
        """The primes whose product is a number."""
        found = []
        divisor = 2
        while divisor * divisor < number:
            while number % divisor == 0:
                found.append(divisor)
                number //= divisor
            divisor += 1
        return [*found, number] if number > 1 else found
