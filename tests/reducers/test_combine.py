"""Records and groups of reducers: what each part would say alone, and facts that follow."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ominus import reducers as r
from ominus.algebra.ordered import Ordered
from ominus.algebra.record import record as row
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.value import ident
from ominus.errors import FlowError, InvalidDelta, NoneFound, NotOrdered
from ominus.reducers.buckets import Buckets, buckets_of
from reducer_cases import bits, check_history, floats, histories

some = settings(max_examples=80)
NAN = float("nan")

low: Reducer[Any, Any, Any] = Reducer(
    None,
    lambda a, v: v if a is None else min(a, v),
    lambda a, v: a if v > a else RECOMPUTE,
)
seen: Reducer[Any, Any, Any] = Reducer(frozenset(), lambda a, v: a | {v})
listed: Reducer[Any, Any, Any] = Reducer(
    list,
    lambda a, v: a.append(v) or a,
    lambda a, v: a.remove(v) or a,
    finish=lambda a: tuple(sorted(a)),
    same=lambda a, b: sorted(a) == sorted(b),
    mutates=True,
)
pairs = st.tuples(st.sampled_from(["a", "b", 1, 1.0, True, None, NAN, ("x", 2)]), floats)


@given(histories(floats))
@some
def test_a_record_says_what_its_parts_would(history: Any) -> None:
    parts = {"s": r.sum(), "n": r.count(where=lambda v: v > 0), "v": r.variance()}
    found = check_history(r.record(**parts), history)
    assert bits(tuple(found)) == bits(tuple(p.fold_read(history[1]) for p in parts.values()))
    assert found._fields == ("s", "n", "v")


def test_records_nest() -> None:
    nested = r.record(all=r.record(s=r.sum(0)), by=r.group(1, r.record(n=r.count())))
    found = nested.fold_read([(1, "x"), (2, "y"), (3, "y")])
    assert found.all.s == 6 and found.by["y"].n == 2


def test_a_part_that_must_recompute_makes_its_record_recompute() -> None:
    reducer = r.record(low=low, n=r.count())
    assert reducer.inverse == "partial"
    assert reducer.update(reducer.fold([1, 2]), removed=[1]) is RECOMPUTE
    assert reducer.update(reducer.fold([1, 2]), removed=[2]) == (1, 1)


def test_a_part_without_remove_recomputes_for_the_rows_that_it_sees() -> None:
    reducer = r.record(seen=seen.replace(where=lambda v: v > 0), n=r.count())
    assert reducer.inverse == "add-only"
    state = reducer.fold([1, -1])
    assert reducer.update(state, removed=[1]) is RECOMPUTE
    assert reducer.update(state, removed=[-1]) == (frozenset({1}), 1)


def test_a_record_tells_its_facts_from_its_parts() -> None:
    small, large = r.record(s=r.sum(), n=r.count()), r.record(n=r.count(), g=r.frequencies())
    assert (small.inverse, small.constant, small.kind) == ("invertible", True, "algebraic")
    assert (large.inverse, large.constant, large.kind) == ("invertible", False, "holistic")
    assert small.merge is not None and r.record(low=low).merge is None
    assert r.group("x", r.sum()).kind == "holistic" and r.group("x", low).inverse == "partial"
    assert r.sum().kind == "algebraic" and r.count().kind == "distributive"


@given(histories(st.integers(0, 5)))
@some
def test_a_record_of_a_part_that_changes_in_place_owns_its_state(history: Any) -> None:
    reducer = r.record(rows=listed, n=r.count())
    assert reducer.mutates and reducer.start() is not reducer.start()
    assert reducer.start()[0] is not reducer.start()[0]
    found = check_history(reducer, history)
    assert found == row(rows=tuple(sorted(history[1])), n=len(history[1]))


def test_a_record_of_nothing_or_of_no_reducer_is_refused() -> None:
    for parts in ({}, {"n": 3}, {"n": r.count}):
        with pytest.raises(FlowError, match=r"Write record\("):
            r.record(**parts)


def test_a_part_refuses_none_by_its_own_name() -> None:
    with pytest.raises(NoneFound, match="sum"):
        r.record(s=r.sum(), n=r.count()).fold([None])


@given(histories(pairs))
@some
def test_a_group_says_for_each_bucket_what_its_rows_would(history: Any) -> None:
    found = check_history(r.group(0, r.sum(1)), history)
    buckets = {ident(k): k for k, _ in history[1]}
    assert len(found) == len(buckets)
    for i, bucket in buckets.items():
        rows = [v for k, v in history[1] if ident(k) == i]
        assert bits(found[bucket]) == bits(r.sum().fold_read(rows))


@given(histories(st.sampled_from("abcdef"), size=30))
@some
def test_frequencies_are_those_of_a_counter(history: Any) -> None:
    found = check_history(r.frequencies(), history)
    assert found == Counter(history[1]) and found == dict(Counter(history[1]))
    assert list(found) == sorted(set(history[1]))
    assert repr(found) == repr(dict(sorted(Counter(history[1]).items())))


def test_a_bucket_goes_with_its_last_row() -> None:
    reducer = r.group(0, low.replace(of=1))
    state = reducer.fold([("a", 1), ("b", 2), ("b", 3)])
    rest = reducer.update(state, removed=[("a", 1)])
    assert dict(reducer.read(rest)) == {"b": 2}
    assert reducer.update(rest, removed=[("b", 2)]) is RECOMPUTE
    assert dict(reducer.read(reducer.update(rest, removed=[("b", 3)]))) == {"b": 2}
    assert dict(reducer.read(state)) == {"a": 1, "b": 2}


def test_where_filters_rows_before_they_have_a_bucket() -> None:
    reducer = r.group(0, r.count(where=lambda row: row[1] > 1), where=lambda row: row[1] > 0)
    assert reducer.fold_read([("a", 0), ("b", 1), ("c", 2)]) == {"b": 0, "c": 1}


def test_removing_from_a_bucket_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidDelta, match="bucket 'b'"):
        r.frequencies().update(r.frequencies().fold("a"), removed="b")


def test_a_group_of_a_reducer_that_changes_in_place_is_refused() -> None:
    with pytest.raises(FlowError, match="in place"):
        r.group("x", listed)
    with pytest.raises(FlowError, match="no reducer"):
        r.group("x", 3)  # type: ignore[arg-type]


class Blur:
    """Two of these look alike, and are outside the order."""

    def __repr__(self) -> str:
        return "Blur()"


def test_buckets_that_cannot_be_told_apart_in_order_are_refused_not_mixed() -> None:
    reducer, one = r.frequencies(), Blur()
    assert reducer.read(reducer.fold([one, one]))[one] == 2
    assert Blur() not in reducer.read(reducer.fold([one]))
    with pytest.raises(NotOrdered, match="__order__"):
        reducer.fold([one, Blur()])


def test_a_change_in_a_large_group_leaves_most_of_it_as_it_was() -> None:
    calls = []
    counting = Reducer(
        0, lambda a, v: calls.append(v) or a + 1, lambda a, v: calls.append(v) or a - 1
    )
    reducer = r.group(None, counting)
    state = reducer.fold(range(5000))
    calls.clear()
    after = reducer.update(state, removed=[7], added=[3])
    assert calls == [3]
    assert isinstance(after, Ordered) and len(after) == 4999 and len(state) == 5000


def test_buckets_are_values() -> None:
    a, b = buckets_of({"y": 2, "x": 1}), r.frequencies().fold_read("xyy")
    assert a == b and hash(a) == hash(b) and ident(a) == ident(b)
    assert a != buckets_of({"x": 1}) and a != 3 and a != {"x": 1, "y": 3}
    assert pickle.loads(pickle.dumps(b)) == b and isinstance(a, Buckets)
    assert b.get("z") is None and "z" not in b and [*b.items()] == [("x", 1), ("y", 2)]
    with pytest.raises(KeyError):
        b["z"]


def test_buckets_tell_numbers_of_other_types_apart() -> None:
    found = r.frequencies().fold_read([1, 1.0, True, 1, -0.0, 0.0])
    assert [found[1], found[1.0], found[True], found[0.0]] == [2, 1, 1, 2]


def test_a_reducer_of_a_mutable_bucket_keeps_its_own() -> None:
    bucket = [1]
    reducer = r.frequencies()
    state = reducer.fold([bucket])
    bucket.append(2)
    assert list(reducer.read(state)) == [[1]]
