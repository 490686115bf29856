"""Quantiles agree with numpy, pandas' definition and exact arithmetic; the mode with a Counter."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from statistics import median, median_low
from typing import Any

import numpy as np
import pytest

from ominus import reducers as r
from ominus.algebra.order import order
from ominus.errors import NumberRefused
from order_cases import FLOATS, INF, NAN, WORDS, walk

SHARES = (0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.95, 0.999, 1)
FINITE = [v for v in FLOATS if v - v == 0]
HUGE = 1.7976931348623157e308


@pytest.mark.parametrize("pool", [[*range(-50, 50)], [x / 7 for x in range(99)]], ids=str)
def test_quantiles_agree_with_those_of_numpy(pool: list[Any]) -> None:
    reducer = r.quantile(SHARES)
    for state, there in walk(reducer, pool, seed=1, steps=200):
        expected = np.quantile(there, SHARES) if there else [None] * len(SHARES)
        assert reducer.read(state) == (
            pytest.approx(expected, rel=1e-12, abs=1e-12) if there else tuple(expected)
        )


def test_a_quantile_is_the_exact_one_rounded_once() -> None:
    random = Random(2)
    for _ in range(300):
        values = sorted(random.choice(FINITE) for _ in range(random.randint(1, 9)))
        q = Fraction(random.randint(0, 20), 20)
        place = q * (len(values) - 1)
        low, w = int(place), place - int(place)
        high = min(low + 1, len(values) - 1)
        exact = Fraction(values[low]) * (1 - w) + Fraction(values[high]) * w
        assert r.quantile(q).fold_read(values) == float(exact)


def test_a_share_means_what_was_written() -> None:
    assert 0.29 * 100 < 29
    assert r.quantile(0.29).fold_read(range(101)) == 29.0
    assert r.quantile(0.1, discrete=True).fold_read(range(1, 11)) == 1
    assert r.quantile(Decimal("0.1"), discrete=True).fold_read(range(1, 11)) == 1
    assert r.quantile(Fraction(1, 3)).fold_read([0, 3]) == 1.0


def test_the_median_agrees_with_that_of_statistics() -> None:
    reducer = r.median()
    for state, there in walk(reducer, [*range(9)], seed=3, steps=200):
        assert reducer.read(state) == (median(there) if there else None)


def test_a_discrete_quantile_is_the_first_value_that_reaches_the_share() -> None:
    reducer = r.quantile(SHARES, discrete=True)
    for state, there in walk(reducer, WORDS, seed=4, steps=200):
        ranked, n = sorted(there), len(there)
        expected = [
            next((v for i, v in enumerate(ranked) if (i + 1) / n >= q), None) for q in SHARES
        ]
        assert reducer.read(state) == tuple(expected)
    for state, there in walk(r.median(discrete=True), WORDS, seed=5, steps=100):
        expected_one = median_low(there) if there else None
        assert r.median(discrete=True).read(state) == expected_one


def test_of_nothing_there_is_no_quantile() -> None:
    assert r.median().fold_read([]) is None
    assert r.quantile((0.1, 0.2)).fold_read([]) == (None, None)
    assert r.quantile(()).fold_read([1]) == ()
    assert r.quantile([0.5]).fold_read([1]) == (1.0,)


def test_a_quantile_of_ints_and_floats_is_a_float() -> None:
    for values in ([1], [1, 2], [1, 2, 3], [True, False], [1.0, 2]):
        assert type(r.median().fold_read(values)) is float


def test_nothing_overflows_between_the_largest_floats() -> None:
    assert r.median().fold_read([-HUGE, HUGE]) == 0.0
    assert r.median().fold_read([HUGE, HUGE]) == HUGE
    assert r.quantile(0.75).fold_read([-HUGE, HUGE]) == HUGE / 2
    assert r.median().fold_read([5e-324, 5e-324]) == 5e-324
    assert r.median().fold_read([2**53 + 1, 2**53 + 3]) == float(2**53 + 2)
    assert r.median().fold_read([10**400, -(10**400)]) == 0.0
    assert r.median().fold_read([10**400]) == INF
    assert r.median().fold_read([Decimal("1e400"), Decimal("3e400")]) == Decimal("2e400")


def test_infinities_and_nan_stand_at_the_ends() -> None:
    assert r.median().fold_read([INF, 1.0]) == INF
    assert r.median().fold_read([-INF, 1.0]) == -INF
    assert r.median().fold_read([-INF, 1.0, INF]) == 1.0
    assert r.median().fold_read([INF, INF]) == INF
    assert np.isnan(r.median().fold_read([-INF, INF]))
    assert np.isnan(r.median().fold_read([1.0, NAN]))
    assert r.median().fold_read([1.0, NAN, 0.5]) == 1.0
    assert r.quantile(0).fold_read([NAN, 3.0]) == 3.0
    assert r.median().fold_read([Decimal("Infinity"), Fraction(1)]) == Decimal("Infinity")
    assert r.quantile(1).fold_read([Decimal("sNaN"), 1]).is_snan()
    assert np.isnan(r.approx_quantile(1).fold_read([Decimal("sNaN"), 1]))


def test_nan_and_infinities_can_be_taken_back() -> None:
    state = r.median().fold([NAN, INF, 1, -INF, 2])
    assert r.median().read(r.median().update(state, removed=[NAN, INF, -INF])) == 1.5


def test_decimals_and_fractions_stay_what_they_are_whatever_the_context() -> None:
    with localcontext(prec=3):
        found = r.quantile((0.5, 1)).fold_read([Decimal("1.00001"), Decimal("2.00002")])
    assert str(found) == "(Decimal('1.500015'), Decimal('2.00002'))"
    assert r.median().fold_read([Fraction(1, 3), 1]) == Fraction(2, 3)
    assert r.median().fold_read([Decimal(1), 0.5]) == 0.75


def test_none_is_the_first_where_it_counts() -> None:
    reducer = r.quantile((0, 0.25, 0.5, 1), skip_none=False)
    assert reducer.fold_read([None, 1, 3]) == (None, None, 1.0, 3.0)
    assert r.median(skip_none=True).fold_read([None, 1, None]) == 1.0


@pytest.mark.parametrize("value", ["a", b"1", (1,), 1j, [1]])
def test_what_is_no_number_has_no_quantile_between(value: Any) -> None:
    with pytest.raises(NumberRefused):
        r.median().fold([value])


def test_the_mode_agrees_with_a_counter() -> None:
    reducer = r.mode()
    pool = [1, 1.0, True, None, "a", NAN, (1,)]
    for state, there in walk(reducer, pool, seed=6, steps=300):
        counts = Counter(order(v) for v in there)
        expected = min(((-n, place) for place, n in counts.items()), default=None)
        found = reducer.read(state)
        assert (found is None) if expected is None else (order(found) == expected[1])


def test_what_was_read_before_a_change_stays_as_it_was() -> None:
    for reducer in (r.median(), r.mode()):
        states = [state for state, _ in walk(reducer, [*range(9)], seed=7, steps=80)]
        theres = [there for _, there in walk(reducer, [*range(9)], seed=7, steps=80)]
        for state, there in zip(states, theres):
            assert reducer.read(state) == reducer.fold_read(there)
