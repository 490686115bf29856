"""Counts, sums, means, histograms: bit for bit what the rest gives, whatever the history."""

from __future__ import annotations

import decimal
import enum
import math
import statistics
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ominus import reducers as r
from ominus.errors import FlowError, NoneFound, NumberRefused
from reducer_cases import (
    HUGE,
    KINDS,
    TINY,
    bits,
    check_history,
    endless,
    exact,
    finite,
    histories,
    kind_of,
    near,
    nearest,
)

some = settings(max_examples=120, deadline=None)
every_kind = pytest.mark.parametrize("kind", KINDS)
INF, NAN = float("inf"), float("nan")


def sum_of(values: list[Any]) -> Any:
    kind = kind_of(values)
    end = endless(values)
    if end is not None:
        return kind(end)
    if kind is Decimal:
        with decimal.localcontext(prec=2000):
            return sum(values)
    if kind is float and float not in map(type, values):
        return sum(values)
    whole = sum(map(exact, values), Fraction(0))
    return whole if kind is Fraction else nearest(whole)


def mean_of(values: list[Any]) -> Any:
    if not values:
        return None
    kind, end = kind_of(values), endless(values)
    if end is not None:
        return kind(end)
    if kind is Decimal:
        return decimal.Context(prec=28).divide(sum_of(values), len(values))
    found = sum(map(exact, values), Fraction(0)) / len(values)
    return found if kind is Fraction else nearest(found)


@every_kind
@some
@given(st.data())
def test_a_sum_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(KINDS[kind]))
    assert bits(check_history(r.sum(), history)) == bits(sum_of(history[1]))


@every_kind
@some
@given(st.data())
def test_a_mean_is_that_of_the_rest_bit_for_bit(kind: str, data: Any) -> None:
    history = data.draw(histories(KINDS[kind]))
    assert bits(check_history(r.mean(), history)) == bits(mean_of(history[1]))


@some
@given(st.lists(st.floats(-1e300, 1e300), max_size=30))
def test_a_sum_of_floats_is_fsum(values: list[float]) -> None:
    found = r.sum().fold_read(values) if values else 0.0
    assert bits(found) == bits(math.fsum(values) + 0.0)


@some
@given(st.lists(near | st.integers(-99, 99) | st.fractions(), min_size=1, max_size=20))
def test_a_mean_is_that_of_the_statistics_module(values: list[Any]) -> None:
    if all(type(v) is int for v in values):
        values.append(0.5)
    expected = statistics.mean(map(exact, values))
    assert r.mean().fold_read(values) == (
        expected if kind_of(values) is Fraction else nearest(expected)
    )


@some
@given(histories(st.lists(finite, max_size=3)))
def test_a_long_history_of_floats_leaves_no_trace(history: Any) -> None:
    values = [v for step in history[0] for v in step[1]]
    s = r.sum()
    state = s.fold([*values, *values, 1, 2])
    state = s.update(state, removed=values[::-1])
    state = s.update(state, removed=values)
    assert state == 3 and type(state) is int


def test_huge_and_tiny_floats_come_and_go() -> None:
    s = r.sum()
    assert s.fold_read([1e100, 1.0, -1e100]) == 1.0
    assert s.fold_read([HUGE, TINY, -HUGE]) == TINY
    assert s.read(s.update(s.fold([HUGE, 0.1]), removed=[HUGE])) == 0.1


def test_infinities_and_nan_come_and_go() -> None:
    s = r.sum()
    state = s.fold([0.1, INF, -INF, NAN])
    assert math.isnan(s.read(state))
    state = s.update(state, removed=[float("nan")])
    assert math.isnan(s.read(state))
    state = s.update(state, removed=[-INF])
    assert s.read(state) == INF
    assert s.update(state, removed=[INF]) == s.fold([0.1])


def test_a_total_beyond_all_floats_is_infinite_and_comes_back() -> None:
    s = r.sum()
    state = s.fold([HUGE, HUGE, 1.0])
    assert s.read(state) == INF
    assert s.read(s.update(state, removed=[HUGE])) == HUGE
    assert s.fold_read([-HUGE, -HUGE]) == -INF
    assert r.mean().fold_read([HUGE, HUGE]) == HUGE


def test_many_floats_of_the_grid_overflow_to_infinity() -> None:
    big = 2.0**843
    s = r.sum()
    assert s.fold_read([big] * 4) == 4 * big
    assert s.merge is not None
    state = s.fold([big])
    for _ in range(200):
        state = s.merge(state, state)
    assert s.read(state) == INF


def test_a_negative_zero_is_zero() -> None:
    assert bits(r.sum().fold_read([-0.0])) == bits(0.0)
    assert bits(r.mean().fold_read([-TINY, 0.0, 0.0])) == bits(0.0)
    assert bits(r.sum().fold_read([Decimal("-0")])) == bits(Decimal("0"))


def test_the_type_follows_what_is_there() -> None:
    s = r.sum()
    state = s.fold([1, 0.5])
    assert bits(s.read(state)) == bits(1.5)
    assert bits(s.read(s.update(state, removed=[0.5]))) == bits(1)
    assert bits(s.fold_read([1, Fraction(1, 2)])) == bits(Fraction(3, 2))
    assert bits(s.fold_read([True, True])) == bits(2)


def test_decimals_are_exact_whatever_the_context() -> None:
    values = [Decimal("1E+30"), Decimal("0.000000000000000000000000000001"), Decimal("-1E+30")]
    with decimal.localcontext(prec=3):
        assert str(r.sum().fold_read(values)) == "1E-30"
        assert (
            str(r.mean().fold_read([Decimal(1), Decimal(2), Decimal(2)])) == "1." + "6" * 26 + "7"
        )


def test_the_places_of_a_decimal_go_with_it() -> None:
    s = r.sum()
    state = s.fold([Decimal("1.5"), Decimal("0.250"), 1])
    assert str(s.read(state)) == "2.750"
    assert str(s.read(s.update(state, removed=[Decimal("0.250")]))) == "2.5"


class Level(enum.IntEnum):
    LOW = 1


@pytest.mark.parametrize(
    "value, base",
    [
        (np.float64(0.5), 0.5),
        (np.float32(0.5), 0.5),
        (np.int64(7), 7),
        (Level.LOW, 1),
        (True, 1),
        (type("D", (Decimal,), {})("1.50"), Decimal("1.50")),
        (type("F", (Fraction,), {})(1, 2), Fraction(1, 2)),
    ],
)
@pytest.mark.parametrize("make", [r.sum, r.mean, r.variance, r.stdev, r.product])
def test_what_derives_from_a_number_counts_as_it(make: Any, value: Any, base: Any) -> None:
    reducer = make()
    assert bits(reducer.fold_read([value, 3, 4])) == bits(reducer.fold_read([base, 3, 4]))
    assert reducer.equal(
        reducer.update(reducer.fold([3, value]), removed=[base]), reducer.fold([3])
    )


@pytest.mark.parametrize("make", [r.sum, r.mean, r.variance, r.stdev, r.product])
@pytest.mark.parametrize(
    "values",
    [["a"], [1, "a"], [1j], [Decimal(1), 0.5], [0.5, Decimal(1)], [Decimal(1), Fraction(1, 2)]],
)
def test_what_has_no_sum_is_refused(make: Any, values: list[Any]) -> None:
    with pytest.raises(NumberRefused, match=r"Give|Make"):
        make().fold(values)


@pytest.mark.parametrize("make", [r.sum, r.mean, r.product, r.variance])
def test_merging_decimals_with_floats_is_refused(make: Any) -> None:
    reducer = make()
    with pytest.raises(NumberRefused):
        reducer.merge(reducer.fold([Decimal(1)]), reducer.fold([0.5]))
    with pytest.raises(NumberRefused):
        reducer.merge(reducer.fold([0.5]), reducer.fold([Decimal(1)]))


NUMBERS = [r.sum, r.mean, r.variance, r.stdev, r.product]


@pytest.mark.parametrize("make", NUMBERS)
def test_none_is_refused_where_nobody_said_what_it_means(make: Any) -> None:
    with pytest.raises(NoneFound, match="skip_none"):
        make("x").fold([{"x": None}])


@pytest.mark.parametrize("make", NUMBERS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_skipped_nones_leave_no_trace(make: Any, data: Any) -> None:
    steps, there = data.draw(histories(near | st.none()))
    found = check_history(make(skip_none=True), (steps, there))
    assert bits(found) == bits(make().fold_read([v for v in there if v is not None]))


@pytest.mark.parametrize("make", NUMBERS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_nones_that_count_make_the_result_none_while_they_are_there(make: Any, data: Any) -> None:
    steps, there = data.draw(histories(near | st.none()))
    found = check_history(make(skip_none=False), (steps, there))
    if None in there:
        assert found is None
    else:
        assert bits(found) == bits(make().fold_read(there))


@pytest.mark.parametrize(
    "reducer, empty",
    [
        (r.count(), 0),
        (r.sum(), 0),
        (r.mean(), None),
        (r.product(), 1),
        (r.any(), False),
        (r.all(), True),
        (r.histogram(None, [1]), (0, 0)),
    ],
    ids=str,
)
def test_of_nothing(reducer: Any, empty: Any) -> None:
    assert bits(reducer.fold_read([])) == bits(empty)
    value = 3
    assert reducer.update(reducer.fold([value]), removed=[value]) == reducer.init


def test_count_of_a_field_counts_where_it_is_not_none() -> None:
    rows = [{"x": 1}, {"x": None}]
    assert r.count(skip_none=True).fold_read([1, None]) == 1
    assert r.count("x", skip_none=True).fold_read(rows) == 1
    assert r.count("x", skip_none=False).fold_read(rows) == 2
    assert r.count().fold_read([None, None]) == 2
    with pytest.raises(NoneFound):
        r.count("x").fold(rows)


@given(histories(st.integers(-2, 2)))
@some
def test_any_and_all_are_those_of_the_rest(history: Any) -> None:
    assert check_history(r.any(), history) is any(history[1])
    assert check_history(r.all(), history) is all(history[1])
    positive = check_history(r.count(where=lambda v: v > 0), history)
    assert positive == len([v for v in history[1] if v > 0])


@given(histories(near | st.just(NAN)), st.lists(near, min_size=1, max_size=5, unique=True))
@some
def test_a_histogram_counts_the_rest(history: Any, edges: list[float]) -> None:
    edges = sorted({e + 0.0 for e in edges})
    bounds = [-INF, *edges, INF]
    found = check_history(r.histogram(None, edges), history)
    last = len([v for v in history[1] if not v < edges[-1]])
    assert found[-1] == last
    assert found[:-1] == tuple(
        len([v for v in history[1] if lo <= v < hi]) for lo, hi in pairwise(bounds[:-1])
    )


def test_a_nan_is_in_the_last_bucket() -> None:
    assert r.histogram(None, [0, 10]).fold_read([NAN, Decimal("NaN"), 5]) == (0, 1, 2)


@pytest.mark.parametrize("edges", [[], [1, 1], [2, 1], [NAN], [1, NAN]])
def test_edges_that_do_not_ascend_are_refused(edges: list[float]) -> None:
    with pytest.raises(FlowError, match="lowest first"):
        r.histogram("x", edges)


def test_where_and_of_get_the_row() -> None:
    rows = [{"paid": True, "amount": 2}, {"paid": False, "amount": 5}]
    paid = r.sum("amount", where="paid")
    assert paid.fold_read(rows) == 2
    assert paid.update(2, removed=rows) == 0
    large = r.mean(lambda row: row["amount"], where=lambda row: row["amount"] > 2)
    assert large.fold_read(rows) == 5.0
