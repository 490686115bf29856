"""Extremes and ends agree with sorted lists, tell ties apart, and keep what they say they keep."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from ominus import reducers as r
from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.select import desc
from ominus.errors import FieldUnknown, InvalidDelta
from order_cases import NAN, OUTSIDE, Lookalike, Silent, walk


class Sale(NamedTuple):
    item: str
    price: float


SALES = [Sale(item, price) for item in "abcd" for price in (1.0, 2.0, 3.0)]


@pytest.mark.parametrize("keep", ["all", "one"])
def test_min_and_max_agree_with_those_of_python(keep: Any) -> None:
    low, high = r.min(keep=keep), r.max(keep=keep)
    for state, there in walk(low, list(range(20)), seed=1, steps=300):
        assert low.read(state) == min(there, default=None)
    for state, there in walk(high, list(range(20)), seed=2, steps=300):
        assert high.read(state) == max(there, default=None)


@pytest.mark.parametrize("keep", ["all", "one"])
def test_the_row_of_an_extreme_is_the_smallest_of_those_that_tie(keep: Any) -> None:
    low, high = r.arg_min("price", keep=keep), r.arg_max("price", keep=keep)
    for state, there in walk(low, SALES, seed=3, steps=300):
        assert low.read(state) == min(there, key=lambda s: (s.price, s), default=None)
    for state, there in walk(high, SALES, seed=4, steps=300):
        assert high.read(state) == min(there, key=lambda s: (-s.price, s), default=None)


@pytest.mark.parametrize("n", [0, 1, 3, 5, 50])
def test_top_and_bottom_agree_with_a_sort(n: int) -> None:
    top, bottom = r.top(n, by="price"), r.bottom(n, by="price")
    for state, there in walk(top, SALES, seed=5, steps=150):
        assert top.read(state) == tuple(sorted(there, key=lambda s: (-s.price, s))[:n])
    for state, there in walk(bottom, SALES, seed=6, steps=150):
        assert bottom.read(state) == tuple(sorted(there, key=lambda s: (s.price, s))[:n])


def test_top_by_fields_turned_round_agrees_with_a_sort() -> None:
    top = r.top(4, by=("price", desc("item")))
    for state, there in walk(top, SALES, seed=7, steps=150):
        assert top.read(state) == tuple(sorted(there, key=lambda s: (-s.price, s.item))[:4])


def test_first_and_last_agree_with_a_sort() -> None:
    first, last = r.first("item", by="price"), r.last("item", by="price")
    for state, there in walk(first, SALES, seed=8, steps=150):
        expected = min(((s.price, s.item) for s in there), default=(None, None))[1]
        assert first.read(state) == expected
    for state, there in walk(last, SALES, seed=9, steps=150):
        expected = min(((-s.price, s.item) for s in there), default=(None, None))[1]
        assert last.read(state) == expected


@pytest.mark.parametrize("reducer", [r.min(), r.max(keep="one"), r.arg_min(), r.first(), r.last()])
def test_of_nothing_there_is_no_extreme(reducer: Any) -> None:
    assert reducer.fold_read([]) is None


def test_of_nothing_there_is_no_row_on_top() -> None:
    assert r.top(3).fold_read([]) == r.bottom(3, by=0).fold_read([]) == ()


@pytest.mark.parametrize("keep", ["all", "one"])
def test_one_is_no_float_and_true_is_no_one(keep: Any) -> None:
    values = [1.0, 1, True, NAN, 0.5]
    assert repr(r.min(keep=keep).fold_read(values)) == "True"
    assert repr(r.max(keep=keep).fold_read(values)) == "nan"
    assert repr(r.min(keep=keep, where=lambda v: v is not True).fold_read(values)) == "0.5"
    assert repr(r.min(keep=keep).fold_read([1.0, 1])) == "1"


@pytest.mark.parametrize("keep", ["all", "one"])
def test_none_counts_as_the_smallest_where_it_counts(keep: Any) -> None:
    assert r.min(keep=keep, skip_none=False).fold_read([3, None]) is None
    assert r.max(keep=keep, skip_none=False).fold_read([None]) is None
    assert r.min(keep=keep, skip_none=True).fold_read([3, None]) == 3
    assert r.arg_min(0, keep=keep, skip_none=False).fold_read([(3, "a"), (None, "b")]) == (
        None,
        "b",
    )
    assert r.arg_min(0, keep=keep, skip_none=True).fold_read([(3, "a"), (None, "b")]) == (3, "a")


def test_keeping_one_recomputes_only_when_its_last_copy_goes() -> None:
    low = r.min(keep="one")
    state = low.fold([2, 2, 5])
    assert low.update(state, removed=[5]) is state
    assert low.update(state, removed=[2]) == (2, 1)
    assert low.update(state, removed=[2, 2]) is RECOMPUTE
    row = r.arg_max(1, keep="one")
    tied = row.fold([("b", 1), ("a", 1), ("c", 0)])
    assert row.update(tied, removed=[("b", 1)]) is tied
    assert row.update(tied, removed=[("a", 1)]) is RECOMPUTE


@pytest.mark.parametrize(
    ("reducer", "there", "gone"),
    [
        (r.min(keep="one"), [2], 1),
        (r.max(keep="one"), [2], 3),
        (r.arg_min(keep="one"), [2], 1),
        (r.arg_max(keep="one"), [2], 3),
        (r.min(), [2], 3),
        (r.top(1, by=0), [(2,)], (3,)),
    ],
)
def test_removing_what_cannot_be_there_is_refused(reducer: Any, there: Any, gone: Any) -> None:
    with pytest.raises(InvalidDelta, match=r"remove \(?3|remove 1"):
        reducer.update(reducer.fold(there), removed=[gone])


def test_rows_outside_the_order_are_told_apart_by_what_they_are() -> None:
    rows = [(Lookalike(n), 1) for n in (1, 2, 3)]
    for reducer in (r.top(3, by=1), r.bottom(3, by=1)):
        state = reducer.fold(rows)
        for i, row in enumerate(rows):
            state = reducer.update(state, removed=[(Lookalike(row[0].number), 1)])
            assert set(reducer.read(state)) == set(rows[i + 1 :])


@pytest.mark.parametrize("keep", ["all", "one"])
def test_which_row_outside_the_order_is_chosen_has_nothing_to_do_with_history(keep: Any) -> None:
    chosen = set()
    for seed in range(20):
        rows = [(v, 1) for v in OUTSIDE[:5]] + [(Silent(3), 1)]
        chosen.add(r.arg_min(1, keep=keep).fold_read(Random(seed).sample(rows, len(rows))))
    assert len(chosen) == 1


def test_a_field_that_is_not_there_is_named() -> None:
    with pytest.raises(FieldUnknown, match="cost"):
        r.arg_min("cost").fold([SALES[0]])


def test_what_was_read_before_a_change_stays_as_it_was() -> None:
    top = r.top(3)
    state = top.fold(range(100))
    before = top.read(state)
    top.update(state, removed=[99, 98], added=[1000])
    assert before == top.read(state) == (99, 98, 97)


def test_reading_the_top_of_a_large_group_looks_at_few_rows() -> None:
    compared: list[int] = []

    class Seen(int):
        def __lt__(self, other: Any) -> bool:
            compared.append(1)
            return int(self) < int(other)

        def __order__(self) -> Any:
            return (2, 0, self)

    top = r.top(5, by=0)
    state = top.fold([(Seen(i % 9000), i) for i in range(10_000)])
    compared.clear()
    assert [int(row[0]) for row in top.read(state)] == [8999, 8998, 8997, 8996, 8995]
    assert len(compared) < 50
    assert len(r.top(5, by=1).fold_read([(i, 0) for i in range(10_000)])) == 5
