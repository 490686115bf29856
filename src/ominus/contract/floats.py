"""Floats in a case: which have no end, and what they are exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any


def is_endless(value: Any) -> bool:
    """Whether an infinity or a NaN is in a value or a case: others are shown before it.

    >>> is_endless(([1.0], float("inf"))), is_endless(([1.0], 2))
    (True, False)
    """
    if isinstance(value, list | tuple):
        return any(map(is_endless, value))
    if isinstance(value, Decimal):
        return not value.is_finite()
    return isinstance(value, float) and value - value != 0


def as_fractions(value: Any) -> Any:
    """A value with a Fraction in place of each finite float.

    >>> as_fractions(([0.5, 1], "a"))
    ([Fraction(1, 2), 1], 'a')
    """
    if type(value) is float and value - value == 0:
        return Fraction(value)
    if type(value) in (list, tuple):
        return type(value)(map(as_fractions, value))
    return value
