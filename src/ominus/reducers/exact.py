"""Sums that are exact: what is added can be taken away again, bit for bit.

A state depends only on which numbers are there, so that equal multisets have equal states:
an int while only ints are there; a pair (integer on the grid, how many floats) while there are
also floats; `Mixed` or `Decimals` where there is anything else.
"""

from __future__ import annotations

from decimal import (
    MAX_EMAX,
    MAX_PREC,
    MIN_EMIN,
    Context,
    Decimal,
    Inexact,
    InvalidOperation,
    Overflow,
)
from fractions import Fraction
from math import isnan
from typing import Any, NamedTuple

from ominus.algebra.value import NAN
from ominus.reducers.number import (
    CONTEXT,
    FINE,
    GRID,
    SCALE,
    fine,
    number,
    on_grid,
    quotient,
    refuse_mix,
    rounded,
)

EXACT = Context(
    prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[Inexact, InvalidOperation, Overflow]
)
_DEEPER = FINE - GRID
_STEP = 1 / SCALE
_INF = float("inf")


class Mixed(NamedTuple):
    """The state where a float is off the grid, infinite or NaN, or a Fraction is there."""

    sum: int
    """Of ints and finite floats, on the fine grid."""
    floats: int
    off: int
    up: int
    down: int
    nans: int
    fractions: int
    ratio: Fraction


class Decimals(NamedTuple):
    """The state where a Decimal is there; ints are in the sum."""

    sum: Decimal
    finite: int
    places: tuple[tuple[int, int], ...]
    """Each negative exponent, the lowest first, with how many Decimals have it."""
    up: int
    down: int
    nans: int


State = int | tuple[int, int] | Mixed | Decimals


def plus(a: Any, v: Any) -> Any:
    """The sum with one more number."""
    if type(a) is int and type(v) is int:
        return a + v
    if type(v) is float:
        x = v * SCALE
        if x.is_integer():
            if type(a) is tuple:
                return a[0] + int(x), a[1] + 1
            if type(a) is int:
                return (a << GRID) + int(x), 1
    return _step(a, v, 1)


def minus(a: Any, v: Any) -> Any:
    """The sum without a number that is there."""
    if type(a) is int and type(v) is int:
        return a - v
    if type(v) is float and type(a) is tuple:
        x = v * SCALE
        if x.is_integer():
            if a[1] > 1:
                return a[0] - int(x), a[1] - 1
            return (a[0] - int(x)) >> GRID
    return _step(a, v, -1)


def _step(a: Any, given: Any, k: int) -> Any:
    if type(given) is Decimal:
        return _step_decimals(a, given, k)
    v = number(given)
    if v is not given:
        return plus(a, v) if k > 0 else minus(a, v)
    if type(v) is int:
        if type(a) is int:
            return a + k * v
        if type(a) is tuple:
            return a[0] + k * (v << GRID), a[1]
    if type(v) is Decimal or type(a) is Decimals:
        return _step_decimals(a, v, k)
    return _narrow(*_step_mixed(_widen(a, v), v, k))


def _widen(a: Any, v: Any) -> Mixed:
    if type(a) is Mixed:
        return a
    if type(a) is int:
        return Mixed(a << FINE, 0, 0, 0, 0, 0, 0, Fraction(0))
    if type(a) is tuple:
        return Mixed(a[0] << _DEEPER, a[1], 0, 0, 0, 0, 0, Fraction(0))
    raise refuse_mix(v, "Decimals")


def _step_mixed(a: Mixed, v: Any, k: int) -> tuple[Any, ...]:
    total, floats, off, up, down, nans, fractions, ratio = a
    if type(v) is int:
        total += k * (v << FINE)
    elif type(v) is Fraction:
        fractions += k
        ratio += k * v
    elif v - v == 0.0:
        total += k * fine(v)
        floats += k
        off += 0 if on_grid(v) else k
    elif isnan(v):
        nans += k
    elif v > 0:
        up += k
    else:
        down += k
    return total, floats, off, up, down, nans, fractions, ratio


def _narrow(
    total: int,
    floats: int,
    off: int,
    up: int,
    down: int,
    nans: int,
    fractions: int,
    ratio: Fraction,
) -> State:
    if off or up or down or nans or fractions:
        return Mixed(total, floats, off, up, down, nans, fractions, ratio)
    return (total >> _DEEPER, floats) if floats else total >> FINE


def _step_decimals(a: Any, v: Any, k: int) -> State:
    if type(a) is Decimals and type(v) is Decimal and v.same_quantum(a.sum):
        total, finite, places, up, down, nans = a
        if not places:
            if finite + k or up or down or nans:
                return _decimals((_moved(total, v, k), finite + k, places, up, down, nans))
        elif (n := places[0][1] + k) > 0:
            places = ((places[0][0], n), *places[1:])
            return _decimals((_moved(total, v, k), finite + k, places, up, down, nans))
    return _step_any_decimals(a, v, k)


def _decimals(parts: tuple[Any, ...]) -> Decimals:
    return tuple.__new__(Decimals, parts)


def _step_any_decimals(a: Any, v: Any, k: int) -> State:
    if type(a) is not Decimals:
        if type(a) is not int:
            raise refuse_mix(v, "floats or Fractions")
        a = Decimals(Decimal(a), 0, (), 0, 0, 0)
    total, finite, places, up, down, nans = a
    if type(v) is int:
        total = _moved(total, Decimal(v), k)
    elif type(v) is not Decimal:
        raise refuse_mix(v, "Decimals")
    elif v.is_finite():
        finite += k
        places = _placed(places, _place(a, v), k)
        total = _moved(total, v, k)
        if k < 0:
            total = _at_place(total, places[0][0] if places else 0)
    elif v.is_nan():
        nans += k
    elif v > 0:
        up += k
    else:
        down += k
    if finite or up or down or nans:
        return Decimals(total, finite, places, up, down, nans)
    return int(total)


def _moved(total: Decimal, v: Decimal, k: int) -> Decimal:
    return EXACT.add(total, v) if k > 0 else EXACT.subtract(total, v)


def _place(a: Decimals, v: Decimal) -> int:
    if v.same_quantum(a.sum):
        return a.places[0][0] if a.places else 0
    return int(v.as_tuple().exponent)


def _at_place(total: Decimal, place: int) -> Decimal:
    return EXACT.quantize(total, Decimal((0, (1,), place)))


def _placed(places: tuple[tuple[int, int], ...], place: int, k: int) -> tuple[Any, ...]:
    if place >= 0:
        return places
    if len(places) == 1 and places[0][0] == place:
        left = places[0][1] + k
        return ((place, left),) if left else ()
    counts = dict(places)
    counts[place] = counts.get(place, 0) + k
    return tuple(sorted((p, n) for p, n in counts.items() if n))


def together(a: Any, b: Any) -> Any:
    """The sum of both multisets."""
    if type(a) is int and type(b) is int:
        return a + b
    if type(a) is tuple and type(b) is tuple:
        return a[0] + b[0], a[1] + b[1]
    if type(a) is Decimals or type(b) is Decimals:
        return _together_decimals(a, b)
    wide: Any = zip(_widen(a, a), _widen(b, b), strict=True)
    return _narrow(*[x + y for x, y in wide])


def _together_decimals(a: Any, b: Any) -> State:
    if type(a) is not Decimals:
        a, b = b, a
    if type(b) is int:
        return _step_decimals(a, b, 1)
    if type(b) is not Decimals:
        raise refuse_mix(total(a), "floats or Fractions")
    places = a.places
    for place, n in b.places:
        places = _placed(places, place, n)
    return Decimals(
        EXACT.add(a.sum, b.sum),
        a.finite + b.finite,
        places,
        a.up + b.up,
        a.down + b.down,
        a.nans + b.nans,
    )


def total(a: Any) -> Any:
    """The sum that a state shows: int, float, Fraction or Decimal, as the numbers are."""
    if type(a) is int:
        return a
    if type(a) is tuple:
        try:
            # An int times a float is rounded once, and the power of two is exact on this grid.
            return a[0] * _STEP
        except OverflowError:
            return rounded(a[0], 1 << GRID)
    if type(a) is Decimals and not (a.up or a.down or a.nans):
        return a.sum
    return share(a, 1)


def share(a: Any, n: int) -> Any:
    """The sum divided by a count, rounded once: a Decimal to 28 digits, ints to a float."""
    if type(a) is int:
        return rounded(a, n)
    if type(a) is tuple:
        return rounded(a[0], n << GRID)
    if a.nans or (a.up and a.down):
        endless = NAN
    elif a.up or a.down:
        endless = _INF if a.up else -_INF
    else:
        return _share_finite(a, n)
    return Decimal(endless) if type(a) is Decimals else endless


def _share_finite(a: Any, n: int) -> Any:
    if type(a) is Decimals:
        return CONTEXT.divide(a.sum, Decimal(n))
    exact = Fraction(a.sum, 1 << FINE) + a.ratio
    return quotient(exact.numerator, exact.denominator * n, float if a.floats else Fraction)
