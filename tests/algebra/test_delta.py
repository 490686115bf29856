"""Collections and deltas: the laws of `apply`, `then`, `inverted` and `diff`."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_values import close
from ominus.algebra.delta import Collection, Delta, diff
from ominus.algebra.multiset import Multiset
from ominus.errors import InvalidDelta, KeysCollide

keys = st.sampled_from(["a", "b", 1, None, ()])
groups = st.dictionaries(keys, st.lists(close, max_size=4), max_size=3)


@st.composite
def histories(draw: st.DrawFn, steps: int = 2) -> tuple[Collection[Any, Any], list[Any]]:
    """A collection, and deltas that are valid one after the other."""
    start = now = Collection(draw(groups))
    deltas = []
    for _ in range(steps):
        removed = {k: [v for v in m if draw(st.booleans())] for k, m in now.items()}
        delta: Delta[Any, Any] = Delta(removed=removed, added=draw(groups))
        deltas.append(delta)
        now = now.apply(delta)
    return start, deltas


@given(histories(1))
def test_apply_removes_first_and_then_adds(history: Any) -> None:
    c, (d,) = history
    after = c.apply(d)
    for k in {*c, *d.keys()}:
        assert after[k] == (c[k] - d.removed[k]) + d.added[k]
        assert len(after[k]) == len(c[k]) - len(d.removed[k]) + len(d.added[k])


@settings(max_examples=200)
@given(histories(3))
def test_deltas_compose(history: Any) -> None:
    c, (d, e, f) = history
    assert c.apply(d.then(e)) == c.apply(d).apply(e)
    assert c.apply(d.then(e).then(f)) == c.apply(d.then(e.then(f))) == c.apply(d).apply(e).apply(f)
    assert d.then(Delta()) == d == Delta().then(d)


@given(histories(2))
def test_an_inverse_takes_a_delta_back(history: Any) -> None:
    c, (d, e) = history
    assert c.apply(d).apply(d.inverted()) == c
    assert c.apply(d.then(d.inverted())) == c
    assert d.inverted().inverted() == d
    both = d.then(e)
    assert c.apply(both).apply(both.inverted()) == c
    assert c.apply(d).apply(e).apply(e.inverted().then(d.inverted())) == c


@given(groups, groups)
def test_diff_leads_from_old_to_new_by_disjoint_parts(old: Any, new: Any) -> None:
    d = diff(old, new)
    assert Collection(old).apply(d) == Collection(new)
    for k in d.keys():
        assert not d.removed[k] & d.added[k]
        assert d.removed[k] <= Collection(old)[k]
        assert d.added[k] <= Collection(new)[k]
    assert d.inverted() == diff(new, old)
    assert len(diff(old, old)) == 0


@given(histories(1))
def test_no_delta_to_the_same_end_is_shorter_than_diff(history: Any) -> None:
    c, (d,) = history
    assert len(diff(c, c.apply(d))) <= len(d)


@given(groups, groups, groups)
def test_a_delta_is_valid_exactly_if_what_it_removes_is_there(c: Any, gone: Any, new: Any) -> None:
    there, d = Collection(c), Delta(removed=gone, added=new)
    contained = all(m <= there[k] for k, m in d.removed.items())
    assert d.valid_for(there) is contained
    if contained:
        d.check(there)
        there.apply(d)
    else:
        with pytest.raises(InvalidDelta):
            there.apply(d)


def test_an_invalid_delta_names_key_value_and_counts() -> None:
    c = Collection({"k": [5, 5, 7]})
    with pytest.raises(InvalidDelta) as caught:
        c.apply(Delta(removed={"k": [5, 5, 5, 7]}, added={"k": [5]}))
    assert str(caught.value) == (
        "remove 3 of 5 at key 'k': the collection has 2 there. "
        "Remove only what is there, or add it first."
    )
    with pytest.raises(InvalidDelta, match=r"remove 1 of 7 at key 'absent'.*has 0"):
        c.apply(Delta(removed={"absent": [7]}))
    assert c == Collection({"k": [5, 5, 7]})


def test_values_of_another_type_are_not_there() -> None:
    with pytest.raises(InvalidDelta, match="remove 1 of True"):
        Collection({"k": [1]}).apply(Delta(removed={"k": [True]}))


def test_every_key_has_a_group_and_empty_groups_are_no_keys() -> None:
    c = Collection({"a": [], "b": [1]})
    assert c["a"] == c["nowhere"] == Multiset()
    assert (list(c), len(c), "a" in c, "b" in c) == (["b"], 1, False, True)
    emptied = c.apply(Delta(removed={"b": [1]}))
    assert emptied == Collection() == Collection({})
    assert list(emptied) == []


def test_a_history_does_not_show_in_a_collection() -> None:
    one = Collection({"b": [2], "a": [1]})
    other = Collection({"a": [1]}).apply(Delta(added={"b": [2]}))
    assert one == other
    assert hash(one) == hash(other)
    assert list(one) == list(other) == ["a", "b"]
    assert repr(one) == repr(other) == "Collection({'a': [1], 'b': [2]})"


def test_a_key_is_what_its_type_makes_it() -> None:
    c = Collection({1: ["x"]})
    assert c[True] == c[1.0] == Multiset()
    assert True not in c
    assert Collection({1: ["x"]}) != Collection({True: ["x"]})


def test_keys_that_are_equal_and_yet_two_values_are_refused_where_they_meet() -> None:
    c, d = Collection({1: ["x"]}), Delta(added={True: ["y"]})
    for meet in (
        lambda: c.apply(d),
        lambda: c.apply(Delta(removed={True: ["x"]})),
        lambda: Delta(added={1: ["x"]}).then(d),
        lambda: Delta(added={1: ["x"]}, removed={True: ["x"]}),
        lambda: diff(c, {1.0: ["x"]}),
    ):
        with pytest.raises(KeysCollide, match="Use one type of keys"):
            meet()


def test_nan_and_zero_are_one_key_each() -> None:
    c = Collection({float("nan"): [1], -0.0: [2]})
    assert c[float("nan")] == Multiset([1])
    assert c[0.0] == Multiset([2])
    assert str(list(c)) == "[0.0, nan]"
    gone = c.apply(Delta(removed={float("nan"): [1], 0.0: [2]}))
    assert gone == Collection()
    assert diff({float("nan"): [1]}, {float("nan"): [1]}) == Delta()


def test_the_size_of_a_delta_is_what_it_removes_and_adds() -> None:
    d = Delta(removed={"a": [1, 1]}, added={"a": [1], "b": [2, 3]})
    assert len(d) == 5
    assert not Delta()
    assert d.keys() == ["a", "b"]
    assert repr(d) == "Delta(removed={'a': [1, 1]}, added={'a': [1], 'b': [2, 3]})"
    assert repr(Delta()) == "Delta()"


def test_collections_and_deltas_are_values() -> None:
    c, d = Collection({"k": [[1], {2}]}), Delta(added={"k": [1]}, removed={"j": [{}]})
    for x in (c, d):
        again = pickle.loads(pickle.dumps(x))
        assert again == x
        assert hash(again) == hash(x)
    assert c != {"k": [[1], {2}]}
    assert d != c
    assert Collection(c) == c
