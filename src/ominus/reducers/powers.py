"""Sums of powers and products that are exact: what variance, regression and their like are read of.

A state is `(rows, floats, sums)` while all numbers are ints, or ints and floats on the grid: the
sums are integers, a product of two numbers on the grid of both; else it is `Odd`, of Fractions.
It depends on the numbers that are there alone.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import isfinite, isnan, lcm
from operator import add as plus
from typing import Any, NamedTuple

from ominus.algebra.value import NAN
from ominus.reducers.number import GRID, SCALE, number, on_grid, refuse_mix

Point = tuple[Any, ...]
Step = Callable[[Any, Any], Any]
_INF = float("inf")


class Odd(NamedTuple):
    """The state where a row has a float off the grid, infinite or NaN, a Fraction or a Decimal."""

    rows: int
    floats: int
    sums: tuple[Fraction, ...]
    off: int
    fractions: int
    decimals: int
    up: int
    down: int
    nans: int


class Exact(NamedTuple):
    """A state as it is read: `sums[i] / unit ** degree` are the exact sums."""

    rows: int
    sums: tuple[int, ...]
    unit: int
    kind: type
    endless: float | None


class Terms(NamedTuple):
    """Which products are summed: `moved(sums, point, k)` adds those of a point, k times.

    `degrees` says of how many numbers each is a product;
    `tame` says what an endless point adds to the sums, and what the result tends to.
    """

    moved: Callable[[Point, Point, int], Point]
    degrees: tuple[int, ...]
    tame: Callable[[Point], tuple[Point, float]]


def spoils(point: Point) -> tuple[Point, float]:
    """An infinite number makes the result NaN: the way of variance and its like."""
    return (0,) * len(point), NAN


def steps(terms: Terms, *, single: bool = False) -> tuple[Any, Step, Step, Step]:
    """`init`, `add`, `remove` and `merge` of the state; values are points, or numbers if single."""
    moved = terms.moved
    scales = tuple([GRID * d for d in terms.degrees])

    def step(state: Any, point: Point, k: int) -> Any:
        if type(state) is tuple:
            rows, floats, sums = state
            quick = _on_grid(point) if floats else _ints(point)
            if quick is not None and (not floats or floats + k * quick[0] > 0):
                return rows + k, floats + k * quick[0], moved(sums, quick[1], k)
        return _narrow(_moved(_widen(state, scales), terms, point, k), scales)

    def merge(a: Any, b: Any) -> Any:
        if type(a) is tuple and type(b) is tuple and (a[1] > 0) is (b[1] > 0):
            return a[0] + b[0], a[1] + b[1], tuple(map(plus, a[2], b[2]))
        x, y = _widen(a, scales), _widen(b, scales)
        sums = tuple(map(plus, x.sums, y.sums))
        made = Odd(x.rows + y.rows, x.floats + y.floats, sums, *map(plus, x[3:], y[3:]))
        _check_kinds(made, "one group")
        return _narrow(made, scales)

    def add(state: Any, value: Any) -> Any:
        return step(state, (value,) if single else value, 1)

    def remove(state: Any, value: Any) -> Any:
        return step(state, (value,) if single else value, -1)

    return (0, 0, (0,) * len(scales)), add, remove, merge


def _ints(point: Point) -> tuple[int, Point] | None:
    for x in point:
        if type(x) is not int:
            return None
    return 0, point


def _on_grid(point: Point) -> tuple[int, Point] | None:
    """The point as integers on the grid, with 1 before it if there is a float in it."""
    found, any_float = [], 0
    for x in point:
        if type(x) is float:
            y = x * SCALE
            if not y.is_integer():
                return None
            found.append(int(y))
            any_float = 1
        elif type(x) is int:
            found.append(x << GRID)
        else:
            return None
    return any_float, tuple(found)


def _widen(state: Any, scales: tuple[int, ...]) -> Odd:
    if type(state) is Odd:
        return state
    rows, floats, sums = state
    exact = [
        Fraction(s, 1 << scale if floats else 1) for s, scale in zip(sums, scales, strict=True)
    ]
    return Odd(rows, floats, tuple(exact), 0, 0, 0, 0, 0, 0)


def _narrow(state: Odd, scales: tuple[int, ...]) -> Any:
    rows, floats, sums = state[:3]
    if state.off or state.fractions or state.decimals or state.up or state.down or state.nans:
        return state
    shifts = scales if floats else (0,) * len(scales)
    return rows, floats, tuple([int(s * (1 << g)) for s, g in zip(sums, shifts, strict=True)])


def _moved(state: Odd, terms: Terms, given: Point, k: int) -> Odd:
    point = tuple(map(number, given))
    kinds = {*map(type, point)}
    ends = not all(map(_is_finite, point))
    tamed, limit = terms.tame(point) if ends else (point, 0.0)
    made = Odd(
        state.rows + k,
        state.floats + k * (float in kinds),
        terms.moved(state.sums, tuple(map(Fraction, tamed)), k),
        state.off + k * (not all(map(_is_near, point))),
        state.fractions + k * (Fraction in kinds),
        state.decimals + k * (Decimal in kinds),
        state.up + k * (limit == _INF),
        state.down + k * (limit == -_INF),
        state.nans + k * (isnan(limit)),
    )
    _check_kinds(made, given)
    return made


def _is_finite(x: Any) -> bool:
    return x.is_finite() if type(x) is Decimal else type(x) is not float or isfinite(x)


def _is_near(x: Any) -> bool:
    return type(x) is not float or on_grid(x)


def _check_kinds(state: Odd, given: Any) -> None:
    if state.decimals and (state.floats or state.fractions):
        raise refuse_mix(given, "Decimals with floats or Fractions")


def reading(state: Any, degrees: tuple[int, ...]) -> Exact:
    """A state as integers over powers of one unit, with the type of the result."""
    rows, floats, sums = state[:3]
    if type(state) is tuple:
        return Exact(rows, sums, 1 << GRID if floats else 1, float, None)
    kind = Decimal if state.decimals else Fraction if state.fractions and not floats else float
    endless = None
    if state.nans or (state.up and state.down):
        endless = NAN
    elif state.up or state.down:
        endless = _INF if state.up else -_INF
    unit = lcm(*[s.denominator for s in sums])
    whole = tuple([int(s * unit**d) for s, d in zip(sums, degrees, strict=True)])
    return Exact(rows, whole, unit, kind, endless)
