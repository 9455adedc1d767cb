"""Exact fractions."""

from __future__ import annotations

import fractions
import math

import deal


def _exact(fraction: Fraction) -> fractions.Fraction:
    """A fraction as the standard library has it."""
    return fractions.Fraction(fraction.numerator, fraction.denominator)


@deal.inv(lambda self: self._terms[1] > 0)
@deal.inv(lambda self: math.gcd(*self._terms) == 1)
class Fraction:
    """A fraction in lowest terms with a positive denominator."""

    @deal.pre(lambda _: _.denominator != 0)
    def __init__(self, numerator: int, denominator: int = 1) -> None:
        if denominator < 0:
            numerator, denominator = -numerator, -denominator
        divisor = math.gcd(numerator, denominator)
        self._terms = (numerator // divisor, denominator // divisor)

    @property
    def numerator(self) -> int:
        """What stands above the line."""
        return self._terms[0]

    @property
    def denominator(self) -> int:
        """What stands below the line."""
        return self._terms[1]

    @deal.ensure(lambda self, other, result: _exact(result) == _exact(self) + _exact(other))
    def plus(self, other: Fraction) -> Fraction:
        """The sum of two fractions."""
        numerator = self.numerator * other.denominator + other.numerator * self.denominator
        return Fraction(numerator, self.denominator * other.denominator)

    @deal.ensure(lambda self, other, result: _exact(result) == _exact(self) * _exact(other))
    def times(self, other: Fraction) -> Fraction:
        """The product of two fractions."""
        return Fraction(self.numerator * other.numerator, self.denominator * other.denominator)

    @deal.pre(lambda self: self.numerator != 0)
    @deal.ensure(lambda self, result: _exact(self) * _exact(result) == 1)
    def inverse(self) -> Fraction:
        """What gives 1 if multiplied by this."""
        return Fraction(self.denominator, self.numerator)

    @deal.ensure(lambda self, other, result: (result is None) == (other.numerator == 0))
    def ratio(self, other: Fraction) -> Fraction | None:
        """This divided by another fraction; None if that is zero."""
        if other.numerator == 0:
            return None
        return self.times(other.inverse())

    @deal.pre(lambda self, exponent: -20 <= exponent <= 20)
    @deal.pre(lambda self, exponent: exponent >= 0 or self.numerator != 0)
    @deal.ensure(lambda self, exponent, result: _exact(result) == _exact(self) ** exponent)
    def power(self, exponent: int) -> Fraction:
        """The fraction multiplied by itself so many times."""
        if exponent < 0:
            return self.inverse().power(-exponent)
        return Fraction(self.numerator**exponent, self.denominator**exponent)

    @deal.post(lambda result: result in (-1, 0, 1))
    @deal.ensure(lambda self, other, result: (result < 0) == (_exact(self) < _exact(other)))
    @deal.ensure(lambda self, other, result: (result > 0) == (_exact(self) > _exact(other)))
    def compare(self, other: Fraction) -> int:
        """-1 if this is smaller than another fraction, 1 if it is larger, else 0."""
        left = self.numerator * other.denominator
        right = other.numerator * self.denominator
        return (left > right) - (left < right)

    @deal.ensure(lambda self, result: result <= _exact(self) < result + 1)
    def floor(self) -> int:
        """The largest whole number that is not larger."""
        return self.numerator // self.denominator
