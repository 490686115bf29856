"""What a number is for the reducers, and how an exact result is rounded: once, at the end.

Numbers are int, float, Decimal and Fraction; what derives from them or stands for them (bool,
`IntEnum`, NumPy's scalars) counts as its base.
A float is an integer on a grid: `GRID` for almost all, 2**-1074 for all.
"""

from __future__ import annotations

import numbers
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import isnan, isqrt
from typing import Any

from ominus.errors import NumberRefused

GRID = 180
"""The common grid is 2**-GRID: it has every float of 3e-39 and above, and all of 32 bits."""
FINE = 1074
"""The fine grid is 2**-FINE: it has every float."""
SCALE = 2.0**GRID

CONTEXT = Context(prec=28, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
"""How a Decimal result that has no end is rounded, whatever the context of the thread."""


def number(value: Any) -> Any:
    """The int, float, Decimal or Fraction that a value is.

    Fails  NumberRefused, if it is none.
    """
    kind = type(value)
    if kind is int or kind is float or kind is Decimal or kind is Fraction:
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal):
        return Decimal(value)
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, numbers.Real):
        near = float(value)
        if near == value or isnan(near):
            return near
    raise NumberRefused(
        f"the number {value!r}",
        f"a {type(value).__name__}",
        "Give int, float, Decimal or Fraction, or a function of the row that does.",
    )


def refuse_mix(value: Any, others: str) -> NumberRefused:
    """The error for a Decimal among floats or Fractions, or the other way round."""
    return NumberRefused(
        f"{value!r} together with {others}",
        f"a {type(value).__name__} and {others} have no exact sum in Python",
        "Make them one type: of=lambda row: Decimal(...), or float(...).",
    )


def on_grid(value: float) -> bool:
    """Whether a float is on the common grid, in the terms of the quick ways of the reducers."""
    return (value * SCALE).is_integer()


def fine(value: float) -> int:
    """A finite float as an integer on the fine grid."""
    n, d = value.as_integer_ratio()
    return n << (FINE + 1 - d.bit_length())


def rounded(n: int, d: int) -> float:
    """The float next to n / d, for d > 0; infinite where it overflows.

    >>> rounded(1, 3), rounded(-(10**400), 1)
    (0.3333333333333333, -inf)
    """
    try:
        return n / d or 0.0
    except OverflowError:
        return float("inf") if n > 0 else float("-inf")


def quotient(n: int, d: int, kind: type) -> Any:
    """The number n / d as a float, Fraction or Decimal of 28 digits, rounded once."""
    if d < 0:
        n, d = -n, -d
    if kind is Fraction:
        return Fraction(n, d)
    if kind is Decimal:
        return CONTEXT.divide(Decimal(n), Decimal(d))
    return rounded(n, d)


def root(n: int, d: int, kind: type) -> Any:
    """The square root of n / d as a float, or a Decimal of 28 digits, rounded once.

    >>> root(2, 1, float), root(9, 4, Decimal)
    (1.4142135623730951, Decimal('1.5'))
    """
    base = 10 if kind is Decimal else 2
    short = 120 + d.bit_length() - n.bit_length()
    places = max(short, 0) // 2 + 1
    whole = n * base ** (2 * places)
    r = isqrt(whole // d)
    # One more digit says whether anything was cut off, so that no tie is made up.
    r = r * base + (r * r * d != whole)
    return quotient(r, int(base ** (places + 1)), kind)
