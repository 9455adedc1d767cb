"""Matrices of whole numbers."""

from __future__ import annotations

import deal

Rows = list[list[int]]


def _rectangular(rows: Rows) -> bool:
    """Whether there are rows, all of one positive length."""
    return len(rows) > 0 and len(rows[0]) > 0 and len({len(row) for row in rows}) == 1


def _shared(rows: Rows, others: Rows) -> bool:
    """Whether two matrices have a row in common, so that a change of one changes the other."""
    return bool({id(row) for row in rows} & {id(row) for row in others})


@deal.inv(lambda self: _rectangular(self.rows))
class Matrix:
    """Numbers in rows and columns."""

    @deal.pre(lambda self, rows: _rectangular(rows))
    @deal.ensure(lambda self, rows, result: self.rows == rows)
    @deal.ensure(lambda self, rows, result: not _shared(self.rows, rows))
    def __init__(self, rows: Rows) -> None:
        self.rows = [list(row) for row in rows]

    @staticmethod
    @deal.pre(lambda height, width, value: 1 <= height <= 6 and 1 <= width <= 6)
    @deal.ensure(lambda height, width, value, result: result.height == height and result.width == width)
    def filled(height: int, width: int, value: int) -> Matrix:
        """A matrix with one number everywhere."""
        return Matrix([[value] * width for _ in range(height)])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @deal.ensure(lambda self, result: result == self.rows)
    @deal.ensure(lambda self, result: not _shared(result, self.rows))
    def lists(self) -> Rows:
        """The numbers as lists, which may be changed."""
        return [list(row) for row in self.rows]

    @deal.ensure(lambda self, result: result.height == self.width and result.width == self.height)
    def transposed(self) -> Matrix:
        """The matrix with rows and columns exchanged."""
        return Matrix([[row[column] for row in self.rows] for column in range(self.width)])

    @deal.pre(lambda self, other: self.width == other.height)
    @deal.ensure(lambda self, other, result: result.height == self.height and result.width == other.width)
    def times(self, other: Matrix) -> Matrix:
        """The product of two matrices."""
        columns = other.transposed().rows
        return Matrix([[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows])

    @deal.pre(lambda self: self.height == self.width)
    @deal.ensure(lambda self, result: result == sum(self.rows[place][place] for place in range(self.height)))
    def trace(self) -> int:
        """The sum of the diagonal."""
        total = 0
        for place in range(self.height):
            total += self.rows[place][place]
        return total

    @deal.pre(lambda self, column: self.height > 1 and self.width > 1)
    @deal.pre(lambda self, column: 0 <= column < self.width)
    @deal.ensure(lambda self, column, result: result.height == self.height - 1)
    @deal.ensure(lambda self, column, result: result.width == self.width - 1)
    def minor(self, column: int) -> Matrix:
        """The matrix without its first row and one of its columns."""
        return Matrix([row[:column] + row[column + 1 :] for row in self.rows[1:]])

    @deal.pre(lambda self: self.height == self.width <= 6)
    @deal.ensure(lambda self, result: self.height > 1 or result == self.rows[0][0])
    @deal.ensure(lambda self, result: len(set(map(tuple, self.rows))) == self.height or result == 0)
    def determinant(self) -> int:
        """The determinant, by expansion along the first row."""
        if self.height == 1:
            return self.rows[0][0]
        if self.height == 2:
            return self.rows[0][0] * self.rows[1][1] - self.rows[0][1] * self.rows[1][0]
        total = 0
        for column, value in enumerate(self.rows[0]):
            total += (-1) ** column * value * self.minor(column).determinant()
        return total

    @deal.pre(lambda self, column: self.width > 1)
    @deal.pre(lambda self, column: 0 <= column < self.width)
    def drop_column(self, column: int) -> None:
        """Remove a column."""
        for row in self.rows:
            del row[column]
