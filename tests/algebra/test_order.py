"""The total order: every value has one place."""

from __future__ import annotations

import random
from collections import OrderedDict
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal, localcontext
from enum import Enum
from fractions import Fraction
from itertools import permutations, product
from typing import Any
from uuid import UUID

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_values import (
    BERLIN,
    OUTSIDE,
    ZONES,
    Bag,
    Colour,
    Metres,
    Name,
    Pair,
    Point,
    Right,
    Size,
    close,
    numbers,
    values,
)
from ominus.algebra.multiset import Multiset
from ominus.algebra.order import Reversed, arrange, arranged, order
from ominus.algebra.record import record
from ominus.algebra.select import Order, desc
from ominus.algebra.value import canon, is_nan, one
from ominus.errors import NotOrdered

nan, inf = float("nan"), float("inf")

CLASSES: list[list[Any]] = [
    [None],
    [False, True],
    [-inf, -(10**400), -1, Fraction(-1, 3), 0, 0.5, 1, 10**400, inf, nan],
    ["", "a", "b", "ä"],
    [b"", b"a", b"b"],
    [date.min, date.max],
    [datetime.min, datetime.max],
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)],
    [time.min, time.max],
    [timedelta(-1), timedelta(1)],
    [Colour.RED, Colour.BLUE],
    [(), (None,), [1], (1, 2), (2,), [[]]],
    [set(), {1}, frozenset({1, 2}), {2}],
    [{}, {"a": 1}, {"a": 2}, {"b": 0}],
    [Pair(1), Point(1), Point(2)],
]
"""The classes of the order, each with members in their order."""


def test_the_classes_come_in_the_order_that_is_promised() -> None:
    expected = [v for members in CLASSES for v in members]
    shuffled = list(expected)
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled, key=order) == expected


@settings(max_examples=300)
@given(close | values, close | values)
def test_equal_keys_mean_one_value_and_only_that(a: Any, b: Any) -> None:
    a, b = canon(a), canon(b)
    assert (order(a) == order(b)) is one(a, b)


@settings(max_examples=200)
@given(st.lists(values | close, min_size=3, max_size=6))
def test_the_order_is_total_on_mixed_values(vs: list[Any]) -> None:
    keys = [order(canon(v)) for v in vs]
    for a, b in product(keys, keys):
        assert (a < b) + (a == b) + (b < a) == 1
    for a, b, c in permutations(keys, 3):
        assert not (a < b < c) or a < c


@settings(max_examples=200)
@given(st.lists(numbers, min_size=2, max_size=5))
def test_numbers_are_ordered_by_what_they_are_whatever_their_types(vs: list[Any]) -> None:
    ranked = sorted(vs, key=order)
    plain = [exact(v) for v in ranked if not is_nan(v)]
    assert plain == sorted(plain)
    assert [is_nan(v) for v in ranked] == sorted(is_nan(v) for v in vs)


def exact(v: Any) -> tuple[int, Fraction]:
    if v in (inf, -inf):
        return (1 if v > 0 else -1), Fraction(0)
    if isinstance(v, Decimal) and abs(v.adjusted()) > 1000:
        # Exact fractions of these would not fit; their order among the samples is their sign's.
        return (0, Fraction(10) ** 1001 * (1 if v > 0 else -1)) if v else (0, Fraction(0))
    return 0, Fraction(v)


def test_nan_is_the_last_number_of_any_type() -> None:
    nans = [nan, Decimal("NaN"), Decimal("sNaN"), Metres(nan), np.float32(nan)]
    for n, v in product(
        nans, [inf, Decimal("Infinity"), 10**400, Decimal("1e999999"), Metres(inf)]
    ):
        assert order(v) < order(n) < order("")
    assert sorted([nan, 1], key=order)[0] == 1
    assert sorted([[nan, 1], [inf, 2], [nan, 0]], key=order)[0] == [inf, 2]


def test_numbers_beyond_floats_are_compared_exactly() -> None:
    big = 2**53
    ranked = [big, float(big), big + 1, Fraction(2 * big + 3, 2), big + 2]
    assert sorted(reversed(ranked), key=order) == ranked
    assert order(0.1) != order(Decimal("0.1"))
    assert order(Decimal("0.1")) < order(0.1)
    assert order(Fraction(1, 3)) > order(1 / 3)
    assert order(10**400) < order(inf)
    assert order(np.float32(0.1)) > order(0.1)


def test_decimals_with_huge_exponents_are_compared_without_being_written_out() -> None:
    # As fractions these would not end in an hour.
    large, small = Decimal("1e999999999999"), Decimal("9e-999999999999")
    for other in (1, 1.5, Fraction(1, 3), 10**400, Fraction(10**400, 3), Decimal(2)):
        assert order(large) > order(other) > order(small)
        assert order(large.copy_negate()) < order(-other) < order(small.copy_negate())
    assert order(small) > order(0) > order(small.copy_negate())
    assert order(Decimal("-Infinity")) < order(large) < order(inf)
    assert order(Decimal("1e999999999998")) < order(large)


def test_the_order_does_not_depend_on_the_context_of_decimals() -> None:
    before = order(Decimal("1.00E+20"))
    with localcontext() as context:
        context.capitals, context.prec = 0, 1
        assert order(Decimal("1.00E+20")) == before
        assert order(Decimal("0.333333333333333")) < order(Fraction(1, 3))


@given(st.lists(st.datetimes(timezones=st.sampled_from(ZONES[1:])), min_size=2, max_size=4))
def test_aware_datetimes_are_ordered_by_their_instant(vs: list[datetime]) -> None:
    ranked = sorted(vs, key=order)
    instants = [v.replace(tzinfo=None) - (v.utcoffset() or timedelta(0)) for v in safe(ranked)]
    assert instants == sorted(instants)


def safe(vs: list[datetime]) -> list[datetime]:
    return [v for v in vs if 1 < v.year < 9999]


def test_datetimes_at_the_ends_of_the_calendar_have_a_place() -> None:
    west, east = timezone(timedelta(hours=-12)), timezone(timedelta(hours=12))
    last = datetime.max.replace(tzinfo=west)
    first = datetime.min.replace(tzinfo=east)
    assert order(first) < order(datetime.min.replace(tzinfo=UTC))
    assert order(datetime.max.replace(tzinfo=UTC)) < order(last)


def test_times_that_a_clock_skips_or_repeats_have_places_of_their_own() -> None:
    skipped = datetime(2024, 3, 31, 2, 30, tzinfo=BERLIN)
    shown = datetime(2024, 3, 31, 3, 30, tzinfo=BERLIN)
    assert skipped.astimezone(UTC) == shown.astimezone(UTC)
    early = datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN)
    several = [skipped, skipped.replace(fold=1), shown, early, early.replace(fold=1)]
    several += [v.astimezone(UTC) for v in several[2:]]
    for a, b in product(several, several):
        assert (order(a) == order(b)) is one(a, b)
    assert order(early) < order(early.replace(fold=1))


def test_subclasses_are_ordered_among_their_parents() -> None:
    assert sorted(["b", Name("a"), "a"], key=order) == ["a", "a", "b"]
    assert order("a") < order(Name("a")) < order("b")
    assert order(1.0) < order(Metres(1)) < order(1.5)
    assert order([1]) < order([1, 0])
    assert order([1]) != order(Bag([1])) != order((1,))
    assert order(np.int64(1)) < order(np.int64(2)) < order(2.5)
    assert order(pd.Timestamp(2024, 1, 1)) > order(datetime(2024, 1, 1))
    assert order(OrderedDict(a=1)) != order({"a": 1})


def test_enums_are_ordered_as_they_are_written() -> None:
    assert sorted([Colour.BLUE, Colour.RED], key=order) == [Colour.RED, Colour.BLUE]
    assert order(Size.SMALL) > order(10**9), "an enum of ints is an enum"
    assert order(Size.SMALL) < order(Size.LARGE)
    assert len({order(Right(n)) for n in range(4)}) == 4

    class Mood(Enum):
        SAD = "z"
        GLAD = "a"

    assert order(Mood.SAD) < order(Mood.GLAD)


def test_records_are_ordered_by_type_and_then_by_fields() -> None:
    assert order(record(a=9)) < order(record(b=1))
    assert order(record(a=1, b=2)) < order(record(a=1, b=3)) < order(record(a=2, b=0))
    assert order(record(a=1)) < order(record(a=1.0)) < order(record(a=2))


def test_a_multiset_is_ordered_among_sets() -> None:
    several = [set(), Multiset(), {1}, Multiset([1]), Multiset([1, 1]), {1, 2}, Multiset([2])]
    for a, b in product(several, several):
        assert (order(a) < order(b)) + (order(a) == order(b)) + (order(b) < order(a)) == 1
        assert (order(a) == order(b)) is one(a, b)
    assert sorted(reversed(several), key=order) == sorted(several, key=order)


@pytest.mark.parametrize("v", [*OUTSIDE, pd.NaT, np.array([1])], ids=str)
def test_other_values_are_refused_and_yet_can_be_arranged(v: Any) -> None:
    for inside in (v, (1, v), {"k": v}, Point(v), [[v]]):
        with pytest.raises(NotOrdered, match=r"total order.*Order by a field"):
            order(inside)
        assert arrange(inside)[0] == 11
        assert arranged([inside, "a", None]) == [None, "a", inside]


def test_values_outside_the_order_are_arranged_by_type_and_text() -> None:
    several = [UUID(int=2), 2j, UUID(int=1), 1j, "a", 1]
    for some in permutations(several):
        assert arranged(some) == [1, "a", 1j, 2j, UUID(int=1), UUID(int=2)]


@given(st.lists(st.integers() | st.booleans() | st.text(max_size=2), max_size=5))
def test_arranged_is_sorted_by_the_order(vs: list[Any]) -> None:
    assert [order(v) for v in arranged(vs)] == sorted(map(order, vs))
    assert arranged(reversed(vs)) == arranged(vs)


@given(st.lists(values, min_size=2, max_size=4))
def test_desc_turns_the_order_round(vs: list[Any]) -> None:
    up, down = Order(None), Order(desc())
    for a, b in permutations(vs, 2):
        assert (up(a) < up(b)) is (down(b) < down(a))
        assert (up(a) <= up(b)) is (down(b) <= down(a))
        assert (up(a) == up(b)) is (down(a) == down(b))


def test_reversed_keys_compare_hash_and_print() -> None:
    low, high = Reversed(1), Reversed(2)
    assert high < low and low > high and low >= Reversed(1) and low <= Reversed(1)
    assert low == Reversed(1) != high
    assert low != 1
    assert len({low, Reversed(1), high}) == 2
    assert repr(low) == "Reversed(1)"
