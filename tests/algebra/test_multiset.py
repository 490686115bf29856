"""Multisets, against a naive list that is searched from end to end."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_values import OUTSIDE, Point, close, values
from ominus.algebra.multiset import EMPTY, Multiset, multiset_of
from ominus.algebra.order import arrange
from ominus.algebra.record import record
from ominus.algebra.value import ident, one
from ominus.errors import InvalidDelta, NotAValue

POOL: list[Any] = [
    0, 1, 1.0, True, None, "a", "", float("nan"), -0.0, (1, 2), [1, 2], [], {}, {"a": 1},
    {"a": 1.0}, {1, 2}, frozenset({1}), Point(1), record(x=1), b"a", *OUTSIDE,
]  # fmt: skip


class Naive:
    """A multiset as a list of values; everything is a search by `one`."""

    def __init__(self, values: list[Any] | None = None) -> None:
        self.values = list(values or [])

    def count(self, value: Any) -> int:
        return sum(one(value, v) for v in self.values)

    def add(self, other: Naive) -> Naive:
        return Naive(self.values + other.values)

    def subtract(self, other: Naive) -> Naive:
        left = list(self.values)
        for v in other.values:
            for i, x in enumerate(left):
                if one(v, x):
                    del left[i]
                    break
        return Naive(left)

    def meet(self, other: Naive) -> Naive:
        return self.subtract(self.subtract(other))

    def within(self, other: Naive) -> bool:
        return not self.subtract(other).values


def agree(m: Multiset[Any], naive: Naive) -> None:
    assert len(m) == len(naive.values)
    assert bool(m) is bool(naive.values)
    for v in POOL:
        assert m.count(v) == naive.count(v)
        assert (v in m) is (naive.count(v) > 0)
    assert [arrange(v) for v in m] == sorted(arrange(v) for v in naive.values)


def test_thousands_of_steps_agree_with_a_list() -> None:
    draw = random.Random(7)
    m: Multiset[Any] = Multiset()
    naive = Naive()
    for step in range(3_000):
        some = [draw.choice(POOL) for _ in range(draw.randrange(4))]
        match draw.randrange(4 if len(m) < 40 else 5):
            case 0 | 1:
                m, naive = m + Multiset(some), naive.add(Naive(some))
            case 2 | 4:
                some = some + [v for v in naive.values if len(m) >= 40 and draw.random() < 0.5]
                m, naive = m - Multiset(some), naive.subtract(Naive(some))
            case _ if step % 50 == 0:
                m, naive = m & Multiset(POOL), naive.meet(Naive(POOL))
        assert len(m) == len(naive.values)
        if step % 20 == 0:
            agree(m, naive)
            assert m == Multiset(naive.values)
    agree(m, naive)


@settings(max_examples=200)
@given(st.lists(close, max_size=6), st.lists(close, max_size=6))
def test_operators_agree_with_a_list(a: list[Any], b: list[Any]) -> None:
    m, n, x, y = Multiset(a), Multiset(b), Naive(a), Naive(b)
    assert m + n == n + m == Multiset(x.add(y).values)
    assert m - n == Multiset(x.subtract(y).values)
    assert m & n == Multiset(x.meet(y).values)
    assert (m <= n) is (n >= m) is x.within(y)
    assert (m < n) is (n > m) is (x.within(y) and not y.within(x))
    assert (m == n) is (x.within(y) and y.within(x))
    assert (m - n) + (m & n) == m
    assert (m + n) - n == m


@given(st.lists(values, max_size=6), st.randoms(use_true_random=False))
def test_no_history_shows(vs: list[Any], draw: random.Random) -> None:
    shuffled = list(vs)
    draw.shuffle(shuffled)
    plain = Multiset(vs)
    detour = Multiset([*shuffled, *vs]) - Multiset(shuffled)
    grown: Multiset[Any] = Multiset()
    for v in shuffled:
        grown = grown + Multiset([v])
    counted = Multiset.counted([(v, 1) for v in shuffled] + [(v, 0) for v in vs])
    for other in (Multiset(shuffled), detour, grown, counted):
        assert other == plain
        assert hash(other) == hash(plain)
        assert one(other, plain)
        assert [ident(v) for v in other] == [ident(v) for v in plain]


@given(st.lists(values, max_size=4))
def test_pickling_and_copying_give_the_same_multiset(vs: list[Any]) -> None:
    m = Multiset(vs)
    for again in (pickle.loads(pickle.dumps(m)), copy.copy(m), copy.deepcopy(m)):
        assert again == m
        assert hash(again) == hash(m)
        assert list(map(ident, again)) == list(map(ident, m))


def test_iteration_counts_copies_and_goes_in_the_total_order() -> None:
    m = Multiset(["b", 2, None, "a", 2, True])
    assert list(m) == [None, True, 2, 2, "a", "b"]
    assert m.distinct() == [None, True, 2, "a", "b"]
    assert m.counts() == [(None, 1), (True, 1), (2, 2), ("a", 1), ("b", 1)]
    assert list(Multiset([3, 1, 2])) == [1, 2, 3]
    assert list(Multiset("cab")) == ["a", "b", "c"]


def test_an_order_given_by_the_engine_survives_pickling() -> None:
    entries = {v: (v, 1) for v in (1, 2, 3)}
    m = multiset_of(entries, by=lambda v: -v)
    assert list(m) == [3, 2, 1]
    assert list(pickle.loads(pickle.dumps(m))) == [3, 2, 1]
    assert m == Multiset([1, 2, 3])
    assert hash(m) == hash(Multiset([1, 2, 3]))


def test_rows_are_copied_on_the_way_in() -> None:
    row = {"a": [1]}
    m = Multiset([row])
    row["a"].append(2)
    assert m == Multiset([{"a": [1]}])


def test_what_is_handed_out_does_not_lead_back_in() -> None:
    m = Multiset([2, 1])
    m.counts().clear()
    m.distinct().clear()
    assert list(m) == [1, 2]


def test_operators_leave_their_operands_alone() -> None:
    m, n = Multiset([1, 2]), Multiset([2, 3])
    _ = (m + n, m - n, m & n, m <= n)
    assert (list(m), list(n), list(EMPTY)) == ([1, 2], [2, 3], [])


def test_the_one_value_is_given_only_if_there_is_one() -> None:
    assert Multiset([{"a": 1}]).one() == {"a": 1}
    for m in (Multiset(), Multiset([1, 2]), Multiset([1, 1])):
        with pytest.raises(ValueError, match="one value of"):
            m.one()


def test_counted_adds_up_and_refuses_what_is_below_none() -> None:
    assert Multiset.counted([(1, 2), (1, -1), (2, 0), (True, 1)]) == Multiset([1, True])
    with pytest.raises(InvalidDelta, match=r"-1 copies of 'a'.*removed"):
        Multiset.counted([("a", 1), ("a", -2)])


def test_only_multisets_are_compared_and_added() -> None:
    m: Any = Multiset([1])
    assert m != [1]
    assert m != {1}
    for other in ([1], {1}, None):
        for act in (lambda o: m + o, lambda o: m - o, lambda o: m & o, lambda o: m <= o):
            with pytest.raises(TypeError):
                act(other)
        for act in (lambda o: m < o, lambda o: m >= o, lambda o: m > o):
            with pytest.raises(TypeError):
                act(other)


def test_a_multiset_is_a_value_itself() -> None:
    outer = Multiset([Multiset([1]), Multiset([1]), Multiset([2]), {1}])
    assert outer.count(Multiset([1])) == 2
    assert len(outer.distinct()) == 3


def test_a_large_multiset_is_shown_in_part() -> None:
    assert repr(Multiset(range(101))).endswith("18, 19, Ellipsis])")
    assert repr(Multiset([2, 1])) == "Multiset([1, 2])"


def test_what_cannot_be_told_apart_is_refused() -> None:
    class Odd:
        __hash__ = None  # type: ignore[assignment]

    with pytest.raises(NotAValue):
        Multiset([Odd()])
