"""Variance, covariance, regression and weighted means: exact sums of products, rounded once."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import isfinite, isnan
from typing import Any

from ominus.algebra.record import Record, record_of
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Selector
from ominus.algebra.value import NAN
from ominus.errors import FlowError
from ominus.reducers.catalogue import Both, made, unless
from ominus.reducers.number import quotient, root
from ominus.reducers.powers import Exact, Point, Terms, reading, spoils, steps

Where = Selector | None


def variance(
    of: Selector | None = None,
    ddof: int = 1,
    *,
    where: Where = None,
    skip_none: bool | None = None,
) -> Reducer[Any, Any, Any]:
    """The variance of numbers, exact and rounded once; None of fewer than `ddof + 1`.

    Ints and floats give a float, Fractions a Fraction, Decimals a Decimal of 28 digits.
    An infinity or a NaN makes it NaN, while it is there.

    Fails  NumberRefused, as `sum`.

    >>> variance().fold_read([1, 2, 4]), variance(ddof=0).fold_read([1e200, 1e200])
    (2.3333333333333335, 0.0)
    """
    finish = _finish_variance(ddof, quotient)
    return _of_one("variance", of, ddof, where, skip_none, finish)


def stdev(
    of: Selector | None = None,
    ddof: int = 1,
    *,
    where: Where = None,
    skip_none: bool | None = None,
) -> Reducer[Any, Any, Any]:
    """The standard deviation: the root of the exact variance, rounded once; a float of Fractions.

    Fails  NumberRefused, as `sum`.

    >>> stdev(ddof=0).fold_read([2.0, 4.0, 4.0, 6.0])
    1.4142135623730951
    """
    return _of_one("stdev", of, ddof, where, skip_none, _finish_variance(ddof, root))


def _of_one(
    name: str,
    of: Selector | None,
    ddof: int,
    where: Where,
    skip_none: bool | None,
    finish: Callable[[Any], Any],
) -> Reducer[Any, Any, Any]:
    init, add, remove, merge = steps(_SQUARES, single=True)
    return made(
        name,
        (of,),
        {"ddof": unless(1, ddof), "where": where, "skip_none": skip_none},
        init=init,
        add=add,
        remove=remove,
        merge=merge,
        finish=finish,
        of=of,
        where=where,
        skip_none=skip_none,
        nullable=False,
        none_spoils=True,
    )


def covariance(
    x: Selector,
    y: Selector,
    *,
    ddof: int = 1,
    where: Where = None,
    skip_none: bool | None = None,
) -> Reducer[Any, Any, Any]:
    """The covariance of two numbers of a row, as `variance`; None of fewer than `ddof + 1` rows.

    With `skip_none=True` a row counts only where neither is `None`, as in SQL.

    Fails  NumberRefused, as `sum`.

    >>> covariance(0, 1).fold_read([(1, 2.0), (2, 4.0), (3, 6.0)])
    2.0
    """
    _check_ddof(ddof)

    def finish(state: Any) -> Any:
        exact = reading(state, _PRODUCTS.degrees)
        n, (s, t, p), unit = exact.rows, exact.sums, exact.unit
        if n <= ddof:
            return None
        return _ended(exact) or quotient(n * p - s * t, n * (n - ddof) * unit**2, exact.kind)

    named = {"ddof": unless(1, ddof), "where": where, "skip_none": skip_none}
    return _of_two("covariance", (x, y), named, _PRODUCTS, finish)


def regression(
    x: Selector, y: Selector, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, Any, Record]:
    """The line `y = intercept + slope * x` of least squares: a record, with `r2` and `n`.

    All but `n` are None where every x is the same; `r2` is 1 where every y is, as in SQL.

    Fails  NumberRefused, as `sum`.

    >>> regression(0, 1).fold_read([(0, 1.0), (1, 3.0), (2, 5.0)])
    record(slope=2.0, intercept=1.0, r2=1.0, n=3)
    """
    named = {"where": where, "skip_none": skip_none}
    return _of_two("regression", (x, y), named, _SQUARES_AND_PRODUCTS, _line)


def weighted_mean(
    of: Selector, weight: Selector, *, where: Where = None, skip_none: bool | None = None
) -> Reducer[Any, Any, Any]:
    """The mean of numbers by their weights, exact and rounded once; None if these sum to zero.

    Fails  NumberRefused, as `sum`.

    >>> weighted_mean("price", "shares").fold_read([{"price": 2.0, "shares": 3}])
    2.0
    """
    named = {"where": where, "skip_none": skip_none}
    return _of_two("weighted_mean", (of, weight), named, _WEIGHTED, _weighted)


def _of_two(
    name: str,
    args: tuple[Selector, Selector],
    named: dict[str, Any],
    terms: Terms,
    finish: Callable[[Any], Any],
) -> Reducer[Any, Any, Any]:
    init, add, remove, merge = steps(terms)
    return made(
        name,
        args,
        named,
        init=init,
        add=add,
        remove=remove,
        merge=merge,
        finish=finish,
        of=Both(*args),
        where=named["where"],
        skip_none=named["skip_none"],
        nullable=False,
        none_spoils=True,
    )


def _finish_variance(ddof: int, last: Callable[[int, int, type], Any]) -> Callable[[Any], Any]:
    _check_ddof(ddof)

    def finish(state: Any) -> Any:
        exact = reading(state, _SQUARES.degrees)
        n, (s, q), unit = exact.rows, exact.sums, exact.unit
        if n <= ddof:
            return None
        return _ended(exact) or last(n * q - s * s, n * (n - ddof) * unit**2, exact.kind)

    return finish


def _line(state: Any) -> Record:
    exact = reading(state, _SQUARES_AND_PRODUCTS.degrees)
    n, (s, t, ss, st, tt), unit, kind, _ = exact
    across, both, along = n * ss - s * s, n * st - s * t, n * tt - t * t
    end = _ended(exact)
    if end is not None:
        return record_of(_LINE, (end, end, end, n))
    if not across:
        return record_of(_LINE, (None, None, None, n))
    slope = quotient(both, across, kind)
    intercept = quotient(t * across - both * s, n * across * unit, kind)
    fit = quotient(both * both, across * along, kind) if along else quotient(1, 1, kind)
    return record_of(_LINE, (slope, intercept, fit, n))


_LINE = ("slope", "intercept", "r2", "n")


def _weighted(state: Any) -> Any:
    exact = reading(state, _WEIGHTED.degrees)
    (weights, products), end = exact.sums, exact.endless
    if end is not None and isnan(end):
        return _ended(exact)
    if not weights:
        return None
    if end is not None:
        return _ended(exact._replace(endless=end if weights > 0 else -end))
    return quotient(products, weights * exact.unit, exact.kind)


def _ended(exact: Exact) -> Any:
    """The infinity or NaN that the result is, if it is one."""
    if exact.endless is None:
        return None
    return Decimal(exact.endless) if exact.kind is Decimal else exact.endless


def _check_ddof(ddof: int) -> None:
    if type(ddof) is not int or ddof < 0:
        raise FlowError(
            f"ddof={ddof!r}",
            "the degrees of freedom that are taken off are 0, 1, ...",
            "Say ddof=1 for a sample, ddof=0 for all there are.",
        )


def _squares(sums: Point, point: Point, k: int) -> Point:
    s, ss = sums
    x = point[0]
    return s + k * x, ss + k * x * x


def _products(sums: Point, point: Point, k: int) -> Point:
    s, t, st = sums
    x, y = point
    return s + k * x, t + k * y, st + k * x * y


def _squares_and_products(sums: Point, point: Point, k: int) -> Point:
    s, t, ss, st, tt = sums
    x, y = point
    kx, ky = k * x, k * y
    return s + kx, t + ky, ss + kx * x, st + kx * y, tt + ky * y


def _weights(sums: Point, point: Point, k: int) -> Point:
    weights, products = sums
    x, weight = point
    return weights + k * weight, products + k * weight * x


def _weighted_end(point: Point) -> tuple[Point, float]:
    x, weight = point
    if not _finite(weight):
        return (0, 0), NAN
    if _nan(x) or not weight:
        return (0, weight), NAN
    return (0, weight), float(x) if weight > 0 else -float(x)


def _finite(x: Any) -> bool:
    return bool(x.is_finite()) if type(x) is Decimal else type(x) is not float or isfinite(x)


def _nan(x: Any) -> bool:
    return bool(x.is_nan()) if type(x) is Decimal else isnan(x)


_SQUARES = Terms(_squares, (1, 2), spoils)
_PRODUCTS = Terms(_products, (1, 1, 2), spoils)
_SQUARES_AND_PRODUCTS = Terms(_squares_and_products, (1, 1, 2, 2, 2), spoils)
_WEIGHTED = Terms(_weights, (1, 2), _weighted_end)
