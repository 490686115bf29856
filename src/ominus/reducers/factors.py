"""Products that are exact: what is multiplied in can be divided out again.

A state is an int while only ints other than 0 are there, else `Factors`; it depends on the
numbers that are there alone.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isnan
from typing import Any, NamedTuple

from ominus.algebra.value import NAN
from ominus.reducers.exact import EXACT
from ominus.reducers.number import number, quotient, refuse_mix


class Factors(NamedTuple):
    """A product n / d * 2**two * 10**ten, and what was left out of it."""

    n: int
    d: int
    two: int
    ten: int
    zeros: int
    endless: int
    """Infinities; their signs are in `n`."""
    nans: int
    floats: int
    fractions: int
    decimals: int


_ONE = Factors(1, 1, 0, 0, 0, 0, 0, 0, 0, 0)
_ZERO = Factors(1, 1, 0, 0, 1, 0, 0, 0, 0, 0)


def multiplied(a: Any, v: Any) -> Any:
    """The product with one more factor."""
    if type(a) is int and type(v) is int and v:
        return a * v
    return times(a, _factor(number(v)))


def divided(a: Any, v: Any) -> Any:
    """The product without a factor that is there."""
    if type(a) is int and type(v) is int and v:
        return a // v
    x, y = _wide(a), _factor(number(v))
    return _narrow(
        Factors(x.n // y.n, x.d // y.d, *[p - q for p, q in zip(x[2:], y[2:], strict=True)])
    )


def times(a: Any, b: Any) -> Any:
    """The product of both multisets."""
    if type(a) is int and type(b) is int:
        return a * b
    x, y = _wide(a), _wide(b)
    made = Factors(x.n * y.n, x.d * y.d, *[p + q for p, q in zip(x[2:], y[2:], strict=True)])
    if made.decimals and (made.floats or made.fractions):
        raise refuse_mix(_shown(y), "floats or Fractions" if y.decimals else "Decimals")
    return _narrow(made)


def _shown(x: Factors) -> Any:
    return product_of(x) if not (x.floats and x.decimals) else x


def _wide(a: Any) -> Factors:
    return Factors(a, 1, 0, 0, 0, 0, 0, 0, 0, 0) if type(a) is int else a


def _narrow(x: Factors) -> Any:
    return x if x.zeros or x.endless or x.nans or x.floats or x.fractions or x.decimals else x.n


def _factor(v: Any) -> Factors:
    if type(v) is int:
        return Factors(v, 1, 0, 0, 0, 0, 0, 0, 0, 0) if v else _ZERO
    if type(v) is Fraction:
        kind = _ONE._replace(fractions=1)
        return kind._replace(n=v.numerator, d=v.denominator) if v else kind._replace(zeros=1)
    kind = _ONE._replace(floats=1) if type(v) is float else _ONE._replace(decimals=1)
    if v.is_nan() if type(v) is Decimal else isnan(v):
        return kind._replace(nans=1)
    if v in (_INF, -_INF):
        return kind._replace(endless=1, n=1 if v > 0 else -1)
    return _float(v, kind) if type(v) is float else _decimal(v, kind)


_INF = float("inf")


def _float(v: float, kind: Factors) -> Factors:
    if not v:
        return kind._replace(zeros=1)
    n, d = v.as_integer_ratio()
    # An odd n and a power of two: what is even need not be multiplied in.
    even = (n & -n).bit_length() - 1
    return kind._replace(n=n >> even, two=even + 1 - d.bit_length())


def _decimal(v: Decimal, kind: Factors) -> Factors:
    place = int(v.as_tuple().exponent)
    if not v:
        return kind._replace(zeros=1, ten=place)
    return kind._replace(n=int(EXACT.scaleb(v, -place)), ten=place)


def product_of(a: Any) -> Any:
    """The product that a state shows: int, float, Fraction or Decimal, as Python's would be."""
    if type(a) is int:
        return a
    if a.nans or (a.endless and a.zeros):
        return _endless(a, NAN)
    if a.endless:
        return _endless(a, _INF if a.n > 0 else -_INF)
    if a.decimals:
        return EXACT.scaleb(Decimal(0 if a.zeros else a.n), a.ten)
    if a.zeros:
        return 0.0 if a.floats else Fraction(0) if a.fractions else 0
    n, d = (a.n << a.two, a.d) if a.two >= 0 else (a.n, a.d << -a.two)
    return quotient(n, d, float if a.floats else Fraction)


def _endless(a: Factors, value: float) -> Any:
    return Decimal(value) if a.decimals else value
