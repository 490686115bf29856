"""The strategies give what they say, and find what is planted."""

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

import ominus as om
from ominus import reducers as r
from ominus.algebra.order import order
from ominus.errors import NotOrdered
from ominus.testing import strategies as s

LOOKING = settings(max_examples=2_000, database=None, phases=[Phase.generate])


def example(strategy, wanted):
    """The first example that is wanted, as it comes."""
    return find(strategy, wanted, settings=LOOKING)


@given(s.values())
def test_values_are_one_with_themselves(value):
    assert om.Multiset([value, value]).count(value) == 2


@given(s.values(hashable=True))
def test_hashable_values_can_be_keys(value):
    assert {value: 1}


@given(s.values(ordered=True))
def test_ordered_values_have_a_place(value):
    order(value)


@pytest.mark.parametrize(
    "kind", [type(None), bool, int, float, str, bytes, tuple, list, dict, set, frozenset]
)
def test_values_are_of_every_kind(kind):
    assert type(example(s.values(), lambda v: type(v) is kind)) is kind


def test_values_are_also_outside_the_order():
    def outside(value):
        try:
            order(value)
        except NotOrdered:
            return True
        return False

    assert outside(example(s.values(), outside))


@given(s.multisets(st.integers(0, 2)))
def test_multisets_hold_the_values_of_their_strategy(m):
    assert set(m) <= {0, 1, 2}


def test_multisets_hold_copies():
    assert example(s.multisets(), lambda m: any(n > 1 for _, n in m.counts()))


@given(st.data())
def test_deltas_remove_only_what_is_there(data):
    collection = data.draw(s.collections(st.integers(0, 3)))
    delta = data.draw(s.deltas(collection, st.integers(0, 3)))
    assert delta.valid_for(collection)
    assert collection.apply(delta).apply(delta.inverted()) == collection


@given(s.histories(r.sum(), st.integers()))
def test_histories_remove_only_what_is_there(history):
    there = om.Multiset()
    for step in history:
        assert om.Multiset(step.removed) <= there
        there = (there - om.Multiset(step.removed)) + om.Multiset(step.added)


@given(s.histories(r.sum(), st.integers()))
def test_a_right_reducer_follows_every_history(history):
    assert followed(r.sum(), history)


def followed(reducer, history):
    state, there = reducer.start(), om.Multiset()
    for step in history:
        state = reducer.update(state, removed=step.removed, added=step.added)
        there = (there - om.Multiset(step.removed)) + om.Multiset(step.added)
    return state is om.RECOMPUTE or reducer.equal(state, reducer.fold(there))


FALSE = {
    "last write wins": om.Reducer(0, lambda a, v: v, lambda a, v: a),
    "saturating": om.Reducer(0, lambda a, v: min(a + 1, 3), lambda a, v: a - 1),
    "a max that forgets": om.Reducer(
        None, lambda a, v: v if a is None or v > a else a, lambda a, v: a
    ),
    "a mean that keeps one": om.Reducer(
        (0, 0),
        lambda a, v: (a[0] + v, a[1] + 1),
        lambda a, v: (a[0] - v, max(1, a[1] - 1)),
    ),
    "wrong for one value": om.Reducer(
        0, lambda a, v: a + (1 if v == 777 else v), lambda a, v: a - v
    ),
}


@pytest.mark.parametrize("reducer", FALSE.values(), ids=FALSE)
def test_histories_find_false_reducers(reducer):
    assert example(s.histories(reducer), lambda history: not followed(reducer, history))


def test_a_reducer_without_remove_is_not_asked_to_remove():
    reducer = om.Reducer(0, lambda a, v: a + v)
    with pytest.raises(NoSuchExample):
        find(
            s.histories(reducer),
            lambda history: any(step.removed for step in history),
            settings=settings(max_examples=50, database=None),
        )


rows = st.builds(lambda k, v: {"k": k, "v": v}, st.integers(0, 2), st.integers(0, 3))


@given(s.changes(rows, key="k", there=[{"k": 9, "v": 0}]))
def test_changes_of_a_table_fit(changes):
    live = om.flow(view=om.source("t", key="k").count()).run()
    live.apply(t=[om.Insert({"k": 9, "v": 0})])
    live.apply(t=changes)


@given(s.changes(st.integers(0, 2), there=[1, 1]))
def test_changes_of_rows_fit(changes):
    live = om.flow(view=om.source("t").count()).run()
    live.apply(t=[om.Insert(1), om.Insert(1)])
    live.apply(t=changes)
