"""Polynomials in one variable."""

from __future__ import annotations

import deal


def _value(polynomial: Polynomial, x: int) -> int:
    """The value of a polynomial, term by term."""
    return sum(factor * x**power for power, factor in enumerate(polynomial.factors))


@deal.inv(lambda self: not self.factors or self.factors[-1] != 0)
class Polynomial:
    """A polynomial with whole factors, that of the lowest power first."""

    @deal.pre(lambda self, factors: len(factors) <= 20)
    def __init__(self, factors: list[int]) -> None:
        end = len(factors)
        if end > 0 and factors[end - 1] == 0:
            end -= 1
        self.factors = tuple(factors[:end])

    @deal.post(lambda result: result >= -1)
    def degree(self) -> int:
        """The highest power; -1 if the polynomial is zero."""
        return len(self.factors) - 1

    @deal.ensure(lambda self, x, result: result == _value(self, x))
    def at(self, x: int) -> int:
        """The value of the polynomial."""
        value = 0
        for factor in self.factors:
            value = value * x + factor
        return value

    @deal.ensure(lambda self, other, result: _value(result, 2) == _value(self, 2) + _value(other, 2))
    def plus(self, other: Polynomial) -> Polynomial:
        """The sum of two polynomials."""
        longer, shorter = self.factors, other.factors
        total = list(longer)
        for power, factor in enumerate(shorter):
            total[power] += factor
        return Polynomial(total)

    @deal.pre(lambda self, other: len(self.factors) + len(other.factors) <= 20)
    @deal.ensure(lambda self, other, result: _value(result, 2) == _value(self, 2) * _value(other, 2))
    def times(self, other: Polynomial) -> Polynomial:
        """The product of two polynomials."""
        product = [0] * (len(self.factors) + len(other.factors))
        for left, a in enumerate(self.factors):
            for right, b in enumerate(other.factors):
                product[left + right] = a * b
        return Polynomial(product)

    @deal.ensure(lambda self, result: len(result.factors) == max(len(self.factors) - 1, 0))
    def derivative(self) -> Polynomial:
        """The first derivative."""
        return Polynomial([power * factor for power, factor in enumerate(self.factors)])

    @deal.pre(lambda self: len(self.factors) > 0)
    @deal.post(lambda result: result != 0)
    def leading(self) -> int:
        """The factor of the highest power."""
        return self.factors[-1]

    @deal.ensure(lambda self, result: (result == 0) == (len(self.factors) == 0))
    def sign_far_right(self) -> int:
        """The sign of the values for all large arguments."""
        if self.degree() == 0:
            return 0
        return 1 if self.leading() > 0 else -1

    @deal.pre(lambda self, root: len(self.factors) > 0)
    @deal.ensure(lambda self, root, result: result[1] == _value(self, root))
    @deal.ensure(lambda self, root, result: _value(result[0], 1) * (1 - root) + result[1] == _value(self, 1))
    def divided_by_root(self, root: int) -> tuple[Polynomial, int]:
        """Quotient and remainder of the division by x minus a root."""
        quotient: list[int] = []
        carry = 0
        for factor in reversed(self.factors):
            quotient.insert(0, carry)
            carry = carry * -root + factor
        return Polynomial(quotient), carry
