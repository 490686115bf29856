"""Numbers in buckets whose width grows with them, counted: a sketch that takes numbers back.

A bucket holds what one number stands for within a relative error; zero, the infinities, NaN and
`None` have buckets of their own.
A state is a tree of bucket -> count: what it says of a multiset, no history can change.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, exp, inf, log, log1p
from sys import float_info
from typing import Any

from ominus.algebra.value import NAN, is_nan
from ominus.reducers.counted import Tree, changed
from ominus.reducers.number import number

Bucket = tuple[int, int]
"""Which side of zero a number is on, and which power of the growth it is near."""

_NONE, _LOWEST, _BELOW, _ZERO, _ABOVE, _HIGHEST, _NAN = range(7)
_ALONE: dict[int, Any] = {_NONE: None, _LOWEST: -inf, _ZERO: 0.0, _HIGHEST: inf, _NAN: NAN}

LOG10 = log(10)
LARGEST = float_info.max


class Buckets:
    """The steps on buckets of a relative error."""

    __slots__ = ("error", "growth", "middle")

    def __init__(self, error: float) -> None:
        self.error = error
        # A little narrower than asked, so that no rounding of a logarithm takes a number out.
        inner = error * (1 - 2**-20)
        self.growth = log1p(inner) - log1p(-inner)
        self.middle = log1p(-inner)

    def find(self, value: Any) -> Bucket:
        """The bucket of a number or `None`; buckets sort as what is in them does.

        Fails  NumberRefused, if it is neither.
        """
        if value is None:
            return _NONE, 0
        v = number(value)
        if is_nan(v):
            return _NAN, 0
        if not v:
            return _ZERO, 0
        if v in (inf, -inf):
            return (_HIGHEST if v > 0 else _LOWEST), 0
        power = ceil(logarithm(abs(v)) / self.growth)
        return (_ABOVE, power) if v > 0 else (_BELOW, -power)

    def value(self, bucket: Bucket) -> Any:
        """The number that stands for a bucket: within the error of all that are in it."""
        side, power = bucket
        if side == _ABOVE:
            return self._power(power)
        return -self._power(-power) if side == _BELOW else _ALONE[side]

    def _power(self, power: int) -> float:
        edge = power * self.growth
        return exponential(edge + self.middle, below=edge - self.growth)

    def add(self, tree: Tree, value: Any) -> Tree:
        """The counts after one more number."""
        return tree.change(self.find(value), None, 1)

    def remove(self, tree: Tree, value: Any) -> Tree:
        """The counts after one number less.

        Fails  InvalidDelta, if there is none like it.
        """
        return changed(tree, self.find(value), None, -1)


def logarithm(v: Any) -> float:
    """The natural logarithm of a positive number, of whatever size.

    >>> round(logarithm(10**400) / LOG10, 9), round(logarithm(Decimal("1e-9999")) / LOG10, 9)
    (400.0, -9999.0)
    """
    if isinstance(v, Fraction):
        return log(v.numerator) - log(v.denominator)
    if isinstance(v, Decimal):
        _, digits, power = v.as_tuple()
        assert isinstance(power, int)
        leading = digits[:20]
        return log(int("".join(map(str, leading)))) + (power + len(digits) - len(leading)) * LOG10
    return log(v)


def exponential(x: float, *, below: float) -> float:
    """e**x, at most the largest float if there are floats from e**below on; else infinite.

    >>> exponential(0.0, below=-1.0), exponential(1000.0, below=999.0)
    (1.0, inf)
    """
    try:
        return exp(x)
    except OverflowError:
        return LARGEST if below < log(LARGEST) else inf
