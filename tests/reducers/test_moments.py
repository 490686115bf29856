"""Variance, covariance, regression, weighted means: exact sums of products, held to Fractions."""

from __future__ import annotations

import decimal
import math
import statistics
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ominus import reducers as r
from ominus.errors import FlowError, NoneFound
from reducer_cases import KINDS, bits, check_history, endless, histories, kind_of, near, nearest

some = settings(max_examples=70)
every_kind = pytest.mark.parametrize("kind", KINDS)
INF, NAN = float("inf"), float("nan")


def given_as(kind: type, x: Fraction) -> Any:
    """An exact result in the type that numbers of that kind give."""
    if kind is Decimal:
        return decimal.Context(prec=28).divide(Decimal(x.numerator), Decimal(x.denominator))
    return x if kind is Fraction else nearest(x)


def covariance_of(xs: list[Any], ys: list[Any], ddof: int) -> Any:
    n, kind = len(xs), kind_of([*xs, *ys])
    if n <= ddof:
        return None
    if endless(xs) is not None or endless(ys) is not None:
        return kind("nan")
    fx, fy = [*map(Fraction, xs)], [*map(Fraction, ys)]
    mx, my = sum(fx) / n, sum(fy) / n
    products = [(x - mx) * (y - my) for x, y in zip(fx, fy, strict=True)]
    return given_as(kind, sum(products) / (n - ddof))


@every_kind
@some
@given(st.data())
def test_a_variance_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history, ddof = data.draw(histories(KINDS[kind])), data.draw(st.integers(0, 2))
    found = check_history(r.variance(ddof=ddof), history)
    assert bits(found) == bits(covariance_of(history[1], history[1], ddof))


@some
@given(st.lists(st.floats(-1e150, 1e150) | st.integers(-9, 9), min_size=2, max_size=9))
def test_a_deviation_is_that_of_the_statistics_module(values: list[float]) -> None:
    assert r.stdev().fold_read(values) == statistics.stdev(map(float, values))
    assert r.stdev(ddof=0).fold_read(values) == statistics.pstdev(map(float, values))
    assert r.variance(ddof=0).fold_read(values) == statistics.pvariance(map(float, values))


@some
@given(st.lists(st.decimals(-999, 999, places=3), min_size=2, max_size=9))
def test_a_deviation_of_decimals_has_28_digits(values: list[Decimal]) -> None:
    found = r.stdev().fold_read(values)
    exact = statistics.variance(map(Fraction, values))
    with decimal.localcontext(prec=80):
        long = (Decimal(exact.numerator) / Decimal(exact.denominator)).sqrt()
    assert type(found) is Decimal and found == decimal.Context(prec=28).plus(long)


@every_kind
@some
@given(st.data())
def test_a_deviation_leaves_no_trace(kind: str, data: Any) -> None:
    check_history(r.stdev(), data.draw(histories(KINDS[kind])))


@every_kind
@some
@given(st.data())
def test_a_covariance_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(st.tuples(KINDS[kind], KINDS[kind]), size=8))
    found = check_history(r.covariance(0, 1), history)
    xs, ys = [x for x, _ in history[1]], [y for _, y in history[1]]
    assert bits(found) == bits(covariance_of(xs, ys, 1))


@every_kind
@some
@given(st.data())
def test_a_regression_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(st.tuples(KINDS[kind], KINDS[kind]), size=8))
    found = check_history(r.regression(0, 1), history)
    xs, ys = [x for x, _ in history[1]], [y for _, y in history[1]]
    assert found.n == len(xs)
    if endless([*xs, *ys]) is not None:
        assert math.isnan(found.slope) and math.isnan(found.intercept) and math.isnan(found.r2)
    elif len({*map(Fraction, xs)}) < 2:
        assert (found.slope, found.intercept, found.r2) == (None, None, None)
    else:
        assert bits(tuple(found)[:3]) == bits(line_of(xs, ys))


def line_of(given_xs: list[Any], given_ys: list[Any]) -> tuple[Any, Any, Any]:
    kind = kind_of([*given_xs, *given_ys])
    xs, ys = [*map(Fraction, given_xs)], [*map(Fraction, given_ys)]
    mx, my = statistics.mean(xs), statistics.mean(ys)
    along = sum((x - mx) ** 2 for x in xs)
    slope = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / along
    rest = sum((y - my - slope * (x - mx)) ** 2 for x, y in zip(xs, ys, strict=True))
    spread = sum((y - my) ** 2 for y in ys)
    fit = 1 - rest / spread if spread else Fraction(1)
    return tuple(given_as(kind, q) for q in (slope, my - slope * mx, fit))  # type: ignore[return-value]


@some
@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=3, max_size=20))
def test_a_regression_is_near_that_of_numpy(points: list[tuple[int, int]]) -> None:
    xs, ys = zip(*points, strict=True)
    if len(set(xs)) < 2:
        return
    slope, intercept = np.polyfit(xs, ys, 1)
    line = r.regression(0, 1).fold_read(points)
    assert line.slope == pytest.approx(slope, abs=1e-8)
    assert line.intercept == pytest.approx(intercept, abs=1e-6)


@every_kind
@some
@given(st.data())
def test_a_weighted_mean_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(st.tuples(KINDS[kind], KINDS[kind]), size=8))
    found = check_history(r.weighted_mean(0, 1), history)
    xs, weights = [x for x, _ in history[1]], [w for _, w in history[1]]
    kind_found = kind_of([*xs, *weights])
    if endless([*xs, *weights]) is None:
        whole = sum(map(Fraction, weights), Fraction(0))
        products = [Fraction(x) * Fraction(w) for x, w in history[1]]
        expected = given_as(kind_found, sum(products) / whole) if whole else None
        assert bits(found) == bits(expected)
    elif endless(weights) is not None:
        assert math.isnan(found)


@some
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=6))
def test_a_mean_with_equal_weights_is_the_mean(values: list[float]) -> None:
    weighted = r.weighted_mean(0, 1).fold_read([(v, 2.0) for v in values])
    assert bits(weighted) == bits(r.mean().fold_read(values))
    turned = r.weighted_mean(0, 1).fold_read([(v, -2.0) for v in values])
    assert bits(turned) == bits(weighted)


def test_an_infinity_comes_and_goes() -> None:
    for reducer in (r.variance(), r.stdev()):
        state = reducer.fold([1.0, 2.0, INF])
        assert math.isnan(reducer.read(state))
        assert reducer.update(state, removed=[INF]) == reducer.fold([1.0, 2.0])


def test_a_large_offset_takes_nothing_from_a_variance() -> None:
    assert r.variance().fold_read([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]) == 30.0
    assert r.variance().fold_read([1e200, 1e200]) == 0.0


def test_too_few_rows_give_none() -> None:
    assert r.variance().fold_read([]) is None
    assert r.variance().fold_read([5]) is None
    assert r.variance(ddof=0).fold_read([5]) == 0.0
    assert r.covariance(0, 1).fold_read([(1, 2)]) is None
    assert r.weighted_mean(0, 1).fold_read([]) is None
    assert r.weighted_mean(0, 1).fold_read([(3, 1), (4, -1)]) is None
    assert r.regression(0, 1).fold_read([]) == r.regression(0, 1).fold_read([])
    assert tuple(r.regression(0, 1).fold_read([(1, 2)])) == (None, None, None, 1)


def test_a_level_line_fits() -> None:
    assert tuple(r.regression(0, 1).fold_read([(1, 4), (2, 4)])) == (0.0, 4.0, 1.0, 2)


PAIRS = [r.covariance, r.weighted_mean, r.regression]


@pytest.mark.parametrize("make", PAIRS)
def test_none_in_either_is_refused_skipped_or_counted(make: Any) -> None:
    rows = [(1, 2), (None, 3), (4, None), (4, 9)]
    with pytest.raises(NoneFound, match="skip_none"):
        make(0, 1).fold(rows)
    skipping = make(0, 1, skip_none=True)
    assert skipping.fold_read(rows) == make(0, 1).fold_read([(1, 2), (4, 9)])
    counting = make(0, 1, skip_none=False)
    state = counting.fold(rows)
    assert counting.read(state) is None
    rest = counting.update(state, removed=rows[1:3])
    assert counting.read(rest) == make(0, 1).fold_read([(1, 2), (4, 9)])


@pytest.mark.parametrize("ddof", [-1, 0.5, True, None])
def test_other_degrees_of_freedom_are_refused(ddof: Any) -> None:
    with pytest.raises(FlowError, match="ddof"):
        r.variance(ddof=ddof)


@some
@given(st.lists(st.tuples(near, st.integers(-9, 9)), min_size=2, max_size=6))
def test_ints_beside_floats_are_floats(points: list[tuple[float, int]]) -> None:
    as_floats = [(x, float(y)) for x, y in points]
    assert bits(r.covariance(0, 1).fold_read(points)) == bits(
        r.covariance(0, 1).fold_read(as_floats)
    )
