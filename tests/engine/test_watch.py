"""A watched engine finds the function, the key and the change that broke a value."""

from __future__ import annotations

import pytest

import ominus as om
from ominus import reducers as r
from ominus.errors import DefinitionChanged, Diverged, RowChanged

numbers = om.source("numbers", int)
pairs = om.source("pairs", tuple[str, int])

keeps_one = om.Reducer(
    (0, 0),
    lambda a, v: ((a[0] * a[1] + v) / (a[1] + 1), a[1] + 1),
    lambda a, v: ((a[0] * a[1] - v) / (a[1] - 1), a[1] - 1) if a[1] > 1 else (0, 1),
)
no_op_max = om.Reducer(0, max, lambda a, v: a)


def test_a_wrong_remove_is_named_with_its_key_and_change():
    live = om.flow(high=pairs.group_by(0).map(1).reduce(no_op_max)).run(watch=1)
    live["pairs"].insert_many([("a", 3), ("a", 5), ("a", 4), ("b", 7)])
    with pytest.raises(Diverged) as found, live.transaction():
        live["pairs"].delete(("a", 3))
        live["pairs"].delete(("b", 7))
        live["pairs"].delete(("a", 5))
        live["pairs"].insert(("a", 1))
    error = found.value
    assert "high" in str(error) and error.key == "a" and error.change == om.Delete(5)
    assert (error.found_value, error.expected) == (5, 4)
    assert live["high"]["a"] == 5 and live["high"]["b"] == 7
    live["pairs"].delete(("a", 3))


def test_without_a_watch_the_same_flow_goes_wrong_in_silence():
    live = om.flow(high=pairs.group_by(0).map(1).reduce(no_op_max)).run(watch=0)
    live["pairs"].insert_many([("a", 3), ("a", 5)])
    live["pairs"].delete(("a", 5))
    assert live["high"]["a"] == 5


def test_the_mean_that_keeps_count_one_at_zero_is_saved_by_starting_afresh():
    live = om.flow(mean=numbers.reduce(keeps_one)).run(watch=1)
    live["numbers"].insert(10)
    live["numbers"].delete(10)
    live["numbers"].insert(4)
    assert live["mean"].value == (4.0, 1)


def test_a_wrong_delta_function_is_named():
    def keep_sorted(current, change):
        if isinstance(change, om.Insert):
            return tuple(sorted([*current, change.new]))
        return current[1:]

    view = numbers.maintain(lambda group: tuple(group), keep_sorted)
    live = om.flow(view=view).run(watch=1)
    live["numbers"].insert_many([5, 3])
    live["numbers"].delete(3)
    live["numbers"].insert(1)
    with pytest.raises(Diverged) as found, live.transaction():
        live["numbers"].delete(1)
        live["numbers"].delete(5)
        live["numbers"].insert_many([8, 9])
        live["numbers"].insert(5)
        live["numbers"].delete(9)
        live["numbers"].insert(9)
        live["numbers"].delete(8)
        live["numbers"].insert(2)
        live["numbers"].delete(5)
        live["numbers"].insert(1)
        live["numbers"].delete(2)
    assert found.value.function == "keep_sorted" and found.value.change == om.Delete(5)
    unchecked = om.flow(view=numbers.maintain(lambda g: 0, lambda c, d: c + 1, check=False))
    unchecked.run(watch=1)["numbers"].insert_many([1, 2])


def test_deletes_of_one_transaction_do_not_accuse_a_right_function():
    def resorted(current, change):
        found = list(current)
        if isinstance(change, om.Delete):
            found.remove(change.old)
        else:
            found.append(change.new)
        return tuple(sorted(found))

    live = om.flow(view=numbers.maintain(lambda g: tuple(sorted(g)), resorted)).run(watch=1)
    live["numbers"].insert_many([3, 1, 2])
    with live.transaction():
        live["numbers"].delete(1)
        live["numbers"].delete(2)
    assert live["view"].value == (3,)


def test_a_wrong_delta_function_of_one_of_two_views_is_named():
    def full(a, b):
        return sum(a) * len(b)

    def on_a(current, change, b):
        return current + (change.new if isinstance(change, om.Insert) else -change.old) * len(b)

    def wrong_on_b(current, change, a):
        return current + sum(a)

    other = om.source("other", int)
    right = om.maintain(
        full,
        numbers,
        other,
        delta=(on_a, lambda c, d, a: c + sum(a) * (1 if isinstance(d, om.Insert) else -1)),
    )
    live = om.flow(right=right).run(watch=1)
    with live.transaction():
        live["numbers"].insert_many([1, 2, 3])
        live["other"].insert_many([7, 8])
    with live.transaction():
        live["numbers"].delete(1)
        live["other"].delete(8)
    assert live["right"].value == 5
    live = om.flow(wrong=om.maintain(full, numbers, other, delta=(on_a, wrong_on_b))).run(watch=1)
    live.apply(numbers=[om.Insert(2)], other=[om.Insert(1)])
    with pytest.raises(Diverged) as found:
        live.apply(numbers=[om.Insert(5)], other=[om.Delete(1)])
    assert found.value.change == (1, om.Delete(1))
    assert live["wrong"].value == 2


def test_the_catalogue_is_watched_without_alarm():
    live = om.flow(
        stats=pairs.group_by(0).reduce(
            n=r.count(),
            s=r.sum(1),
            low=r.min(1, keep="one"),
            p=r.median(1),
            top=r.top(2, by=1),
            v=r.variance(1),
        ),
        seen=pairs.map(0).reduce(r.set()),
    ).run(watch=1)
    rows = [("ab"[i % 2], i % 5) for i in range(30)]
    live["pairs"].insert_many(rows)
    for row in rows[:25]:
        live["pairs"].delete(row)


def test_a_rate_looks_at_a_share():
    from ominus.contract.watch import Watch

    watch = Watch(0.25)
    assert 150 < sum(watch.wants() for _ in range(1000)) < 350
    with pytest.raises(ValueError, match="between 0 and 1"):
        Watch(2)


def test_a_function_that_changes_its_row_is_named():
    def spoil(row):
        row["x"] += 1
        return row

    things = om.source("things", dict, key="id")
    live = om.flow(spoiled=things.map(spoil)).run(watch=1)
    with pytest.raises(RowChanged, match="spoil"):
        live["things"].insert({"id": 1, "x": 2})
    joined = om.flow(spoiled=things.join(things, into=lambda a, b: spoil(a))).run(watch=1)
    with pytest.raises(RowChanged):
        joined["things"].insert({"id": 1, "x": 2})


RATE = 2


def test_a_global_that_changes_under_a_function_is_named():
    global RATE
    live = om.flow(scaled=numbers.map(lambda n: n * RATE)).run(watch=1)
    live["numbers"].insert(1)
    RATE = 3
    try:
        with pytest.raises(DefinitionChanged, match="RATE"):
            live["numbers"].insert(2)
    finally:
        RATE = 2
    live["numbers"].insert(2)
    assert live["scaled"].value == om.Multiset([2, 4])


def test_a_closure_cell_that_changes_under_a_function_is_named():
    least = 1
    live = om.flow(kept=numbers.filter(lambda n: n >= least)).run(watch=1)
    live["numbers"].insert(1)
    least = 5
    with pytest.raises(DefinitionChanged, match="least"):
        live["numbers"].delete(1)
