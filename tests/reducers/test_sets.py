"""Lists, sets and multisets agree with Python's, share structure, and are values themselves."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence, Set
from random import Random
from typing import Any

import pytest

from ominus import reducers as r
from ominus.algebra.multiset import Multiset
from ominus.algebra.order import arranged, order
from ominus.algebra.ordered import differences
from ominus.algebra.value import ident, one
from ominus.errors import NotOrdered
from ominus.reducers.collected import OrderedList, OrderedMultiset, OrderedSet, ordered_list
from order_cases import ALL, CROWD, NAN, OUTSIDE, Crowded, Lookalike, Silent, walk

LARGE = 10_000


def read(reducer: Any, values: Any) -> Any:
    return reducer.fold_read(values)


def test_a_list_is_the_sorted_list_of_what_is_there() -> None:
    for state, there in walk(r.list(), [*range(30)], seed=1, steps=300):
        found = r.list().read(state)
        assert found == sorted(there)
        assert list(found) == sorted(there)
        assert list(reversed(found)) == sorted(there)[::-1]
        assert len(found) == len(there)


def test_the_distinct_are_counted_whatever_they_are() -> None:
    reducer = r.count_distinct(skip_none=False)
    for state, there in walk(reducer, ALL, seed=2, steps=300):
        assert reducer.read(state) == len({ident(v) for v in there})


def test_a_set_holds_each_value_once() -> None:
    for state, there in walk(r.set(), [*range(10)], seed=3, steps=200):
        assert r.set().read(state) == set(there)
        assert list(r.set().read(state)) == sorted(set(there))


def test_a_multiset_is_the_multiset_of_what_is_there() -> None:
    for state, there in walk(r.multiset(), ALL, seed=4, steps=200):
        found = r.multiset().read(state)
        assert found == Multiset(there) and Multiset(there) == found
        assert one(found, Multiset(there)) and hash(found) == hash(Multiset(there))
        assert [found.count(v) for v in ALL] == [Multiset(there).count(v) for v in ALL]
        assert found + Multiset(["x"]) - found == Multiset(["x"])
        assert found <= Multiset(there) + found and (found & found) == found


def test_every_kind_of_value_is_found_again() -> None:
    values = [*ALL, *ALL[::3]]
    found = read(r.list(), Random(5).sample(values, len(values)))
    assert Counter(map(ident, found)) == Counter(map(ident, values))
    assert all(v in found and found.count(v) == found.count(v) > 0 for v in values)
    inside = [v for v in values if not any(one(v, x) for x in [*OUTSIDE, *CROWD])]
    expected = [ident(v) for v in sorted(inside, key=order)]
    assert [ident(v) for v in found][: len(inside)] == expected


@pytest.mark.parametrize("values", [[*range(50)] * 2, ALL * 2, OUTSIDE * 2, []])
def test_an_index_or_a_slice_of_a_list_is_that_of_its_values(values: Any) -> None:
    found = read(r.list(), values)
    plain = list(found)
    for i in range(-len(plain), len(plain)):
        assert one(found[i], plain[i])
    for cut in (
        slice(None),
        slice(3, 9),
        slice(-5, None),
        slice(9, 3),
        slice(1, 99, 7),
        slice(None, None, -1),
    ):
        assert one(found[cut], tuple(plain[cut]))
    for i in (len(plain), -len(plain) - 1):
        with pytest.raises(IndexError, match=f"number {i} of {len(plain)} values"):
            found[i]


def test_the_rank_of_a_value_is_how_many_come_before_it() -> None:
    found = ordered_list([10, 30, 20, 20])
    assert [found.rank(v) for v in (5, 10, 15, 20, 25, 30, 35)] == [0, 0, 1, 1, 3, 3, 4]
    assert found.rank(20.0) == 3
    assert found.rank("a") == found.rank(Silent(1)) == 4
    assert [found.count(v) for v in (10, 20, 20.0)] == [1, 2, 0]
    assert [found.index(v) for v in (10, 20, 30)] == [0, 1, 3]
    assert found.index(20, 2) == 2
    assert found.between(10, 30) == (10, 20, 20)
    assert found.between(None, 15) == (10,)
    for gone in (
        lambda: found.index(15),
        lambda: found.index(20, 3),
        lambda: found.index(30, 0, 3),
    ):
        with pytest.raises(ValueError, match="not among the 4 values"):
            gone()


def test_ranks_of_values_outside_the_order_are_their_places_when_read() -> None:
    found = read(r.list(), [*OUTSIDE, *CROWD, *OUTSIDE, 1, 2])
    plain = list(found)
    for v in [*OUTSIDE, *CROWD]:
        assert found.rank(v) == next(i for i, x in enumerate(plain) if one(x, v))
    with pytest.raises(NotOrdered):
        found.between(1, Silent(1))


def test_a_list_equals_lists_and_tuples_of_the_same_values() -> None:
    found = read(r.list(), [2, 1, NAN])
    assert found == [1, 2, NAN] and found == (1, 2, float("nan")) and [1, 2, NAN] == found
    assert found != [1, 2.0, NAN] and found != [1, 2] and found != {1, 2} and found != [1, NAN, 2]
    assert hash(read(r.list(), [2, 1])) == hash((1, 2))
    assert isinstance(hash(read(r.list(), [{"a": 1}])), int)


def test_a_set_equals_sets_of_the_same_values() -> None:
    found = read(r.set(), [2, 1, 2, "a"])
    assert found == {1, 2, "a"} == found and found == frozenset({1, 2, "a"})
    assert found != {1.0, 2, "a"} and found != {1, 2} and found != [1, 2, "a"]
    assert hash(found) == hash(frozenset({1, 2, "a"}))
    assert found == read(r.set(), [1, 2, "a", "a"]) and 1.0 not in found and 1 in found
    assert found & {1} == {1} and found - {1} == {2, "a"} and found <= {1, 2, "a", "b"}
    assert isinstance(hash(read(r.set(), [{"a": 1}, [1]])), int)


def test_results_are_values_with_a_place_in_the_order() -> None:
    for reducer in (r.list(), r.set(), r.multiset()):
        low, high = read(reducer, [1, 2]), read(reducer, [1, 3, 3])
        assert order(low) < order(high)
        assert arranged([high, low]) == [low, high]
        assert not one(low, high) and one(low, read(reducer, [2, 1]))
        assert read(r.count_distinct(), [low, high, read(reducer, [2, 1])]) == 2
        assert len({ident(low): 1, ident(high): 2, ident(read(reducer, [2, 1])): 3}) == 2
    assert isinstance(read(r.list(), []), Sequence) and isinstance(read(r.set(), []), Set)
    assert not read(r.list(), []) and not read(r.set(), []) and not read(r.multiset(), [])
    arranged([{1}, {1, 2}, read(r.set(), [1]), Multiset([1, 1]), Multiset([1, 2]), frozenset({2})])


def test_a_set_is_the_same_while_only_the_copies_change() -> None:
    one_copy, two = read(r.set(), [1, Crowded(1)]), read(r.set(), [1, 1, Crowded(1), Crowded(1)])
    assert one(one_copy, two) and one_copy == two and hash(one_copy) == hash(two)
    assert not one(read(r.list(), [1]), read(r.multiset(), [1]))
    for reducer in (r.list(), r.multiset()):
        assert not one(read(reducer, [1]), read(reducer, [1, 1]))
        assert not one(read(reducer, [1, 1, 2]), read(reducer, [1, 2, 2]))
        assert not reducer.equal(reducer.fold([1, 1, 2]), reducer.fold([1, 2, 2]))


def test_minus_zero_never_shows() -> None:
    for values in ([-0.0, 0.0], [0.0, -0.0], [-0.0]):
        for reducer in (r.list(), r.set(), r.multiset(), r.min(), r.max(keep="one"), r.mode()):
            assert "-0.0" not in repr(read(reducer, values))
    assert repr(read(r.list(), [{"b": 1, "a": -0.0}])) == "OrderedList([{'a': 0.0, 'b': 1}])"


def test_what_prints_alike_is_two_and_what_prints_apart_may_be_one() -> None:
    assert read(r.count_distinct(), [Lookalike(1), Lookalike(2), Lookalike(1)]) == 2
    assert read(r.count_distinct(), [Silent(1), Silent(1)]) == 1
    assert read(r.count_distinct(), [Crowded(1), Crowded(2), Crowded(2)]) == 2
    state = r.list().fold([Silent(1), Lookalike(1), Lookalike(2), Crowded(1), Crowded(2)])
    state = r.list().update(state, removed=[Silent(1), Lookalike(2), Crowded(1)])
    assert r.list().read(state) == [Crowded(2), Lookalike(1)]


def test_values_found_by_their_hash_survive_a_process_with_other_hashes() -> None:
    code = (
        "import pickle, sys; sys.path[:0] = %r; from order_cases import *; "
        "from ominus import reducers as r; from fractions import Fraction; "
        "s = r.list().fold([Lookalike(i) for i in range(40)] + ['a', 1, ('b', 1j)]); "
        "sys.stdout.buffer.write(pickle.dumps((s, r.list().read(s))))"
    )
    path = [p for p in sys.path if p]
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code % path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        state, result = pickle.loads(run.stdout)
        assert Lookalike(7) in result and ("b", 1j) in result and len(result) == 43
        state = r.list().update(state, removed=[Lookalike(7), ("b", 1j), "a"])
        assert r.list().read(state).count(Lookalike(7)) == 0


@pytest.mark.parametrize("reducer", [r.list(), r.set(), r.multiset(), r.count_distinct()], ids=repr)
def test_one_change_of_a_large_group_leaves_nearly_all_of_it_shared(reducer: Any) -> None:
    old = reducer.fold(range(LARGE))
    new = reducer.update(old, removed=[5000], added=[-1])
    assert len(list(differences(old.tree, new.tree))) == 2
    nodes, others = nodes_of(old.tree), nodes_of(new.tree)
    assert len(nodes) > 300
    assert len(others.keys() - nodes.keys()) <= 8


def nodes_of(tree: Any) -> dict[int, Any]:
    found: dict[int, Any] = {}

    def walk_down(node: Any, height: int) -> None:
        found[id(node)] = node
        for child in node[1] if height else ():
            walk_down(child, height - 1)

    walk_down(tree._root, tree._height)
    return found


@pytest.mark.parametrize("kind", [OrderedList, OrderedSet, OrderedMultiset])
def test_versions_of_a_large_result_are_compared_where_they_differ(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = r.list().fold(range(LARGE))
    new = r.list().update(old, removed=[5000], added=[-1])
    back = r.list().update(new, removed=[-1], added=[5000])
    monkeypatch.setattr(kind, "__plain__", None)
    assert not one(kind(old), kind(new))
    assert one(kind(old), kind(back)) and kind(old) == kind(back)


def test_an_old_result_stays_as_it_was() -> None:
    results = []
    for state, there in walk(r.list(), ALL, seed=6, steps=120):
        results.append((r.list().read(state), r.multiset().read(state), Multiset(there)))
    for listed, multiset, there in results:
        assert Multiset(listed) == there and multiset == there


def test_a_multiset_over_a_tree_pickles_as_one() -> None:
    found = read(r.multiset(), ALL)
    back = pickle.loads(pickle.dumps(found))
    assert type(back) is OrderedMultiset and back == found
    assert repr(read(r.multiset(), [2, 1, 1])) == "Multiset([1, 1, 2])"
    assert read(r.multiset(), [7]).one() == 7
