"""The paper on `reduce`, item by item: every definition, theorem, lemma, remark and example.

A test is named by the paper's number; where the paper is wrong, a test named `..._but_...` shows
the counterexample and what is done here instead.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finite_reducers import all_reducers, commuting_reducers, steps
from ominus import reducers as r
from ominus.algebra.delta import Collection, Delta, diff
from ominus.algebra.laws import LAWS, orders_agree
from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.errors import InvalidDelta, NoInverse
from paper_reducers import (
    AVERAGE,
    CONCATENATION,
    COUNT,
    INFINITY,
    MIN,
    SUM,
    UNION,
    WELL_FORMED,
    AnyReducer,
    collections,
    counted,
    deltas,
    incrementally_correct,
    law,
    multisets,
    orders,
    reduce,
    refolded,
    small,
    well_formed,
)

# Section 2: collections, commutative operations, folds


def test_definition_1_a_collection_maps_every_key_to_a_finite_multiset() -> None:
    c = Collection({"k": [3, 5, 3], "j": []})
    assert c["k"] == Multiset([3, 3, 5])
    assert c["j"] == c["never named"] == Multiset()
    assert Multiset([3]) + Multiset([3]) == Multiset([3, 3])
    assert Multiset([3, 3, 5]) - Multiset([3, 7]) == Multiset([3, 5])
    assert Multiset([3]) <= Multiset([3, 3])
    assert not Multiset([3, 3]) <= Multiset([3, 5])


def test_definition_2_pairwise_commutative_operations() -> None:
    assert law("add_commutes", SUM, range(-2, 3))
    assert law("add_commutes", MIN, range(-2, 3))
    assert not law("add_commutes", CONCATENATION, "ab")


@given(small, st.integers())
def test_definition_3_fold_over_a_sequence(s: list[int], a: int) -> None:
    assert SUM.update(a, added=[]) == a
    for i in range(len(s)):
        assert SUM.update(a, added=s[i:]) == SUM.update(SUM.adder(a, s[i]), added=s[i + 1 :])
    assert SUM.fold(s) == SUM.update(SUM.start(), added=s)


def test_theorem_1_forwards_one_fold_for_each_multiset_implies_commutation() -> None:
    for _, add in steps(3, 2):
        if all(one_fold(add, a, m) for a in range(3) for m in multisets(range(2), 2)):
            assert commutes(add, 3, 2)


def test_theorem_1_backwards_commutation_implies_one_fold_for_each_multiset() -> None:
    found = 0
    for _, add in steps(3, 2):
        if commutes(add, 3, 2):
            found += 1
            assert all(one_fold(add, a, m) for a in range(3) for m in multisets(range(2), 4))
        else:
            assert not all(one_fold(add, a, m) for a in range(3) for m in multisets(range(2), 2))
    assert 0 < found < 3**6


def commutes(add: Any, states: int, values: int) -> bool:
    cases = product(range(states), range(values), range(values))
    return all(add(add(a, u), v) == add(add(a, v), u) for a, u, v in cases)


def one_fold(add: Any, a: int, m: list[int]) -> bool:
    folder: AnyReducer = Reducer(a, add)
    return orders_agree(folder, m)


@given(small, st.randoms(use_true_random=False))
def test_definition_4_fold_over_a_multiset_is_the_fold_of_any_enumeration(
    m: Any, draw: Any
) -> None:
    shuffled = list(m)
    draw.shuffle(shuffled)
    for reducer in WELL_FORMED.values():
        assert reducer.fold(Multiset(m)) == reducer.fold(m) == reducer.fold(shuffled)


@given(small, small)
def test_lemma_1_fold_over_a_union(m: list[int], n: list[int]) -> None:
    for reducer in [*WELL_FORMED.values(), MIN]:
        whole = reducer.fold(Multiset(m) + Multiset(n))
        assert whole == reducer.update(reducer.fold(m), added=n)


# Section 3: the combinator


@given(collections)
def test_definition_5_reduce_folds_each_group_from_the_start(groups: Any) -> None:
    c = Collection(groups)
    assert reduce(SUM, c) == {k: sum(vs) for k, vs in groups.items() if vs}
    assert reduce(COUNT, c) == {k: len(vs) for k, vs in groups.items() if vs}
    assert SUM.fold(c["no such key"]) == 0


# Section 4: reducers, their classes, deltas, the update


def test_definition_6_a_reducer_is_a_start_an_add_and_a_remove_that_commute() -> None:
    for reducer in WELL_FORMED.values():
        assert law("add_commutes", reducer, range(3))
        assert law("remove_commutes", reducer, range(3))


CLEARING: AnyReducer = Reducer(
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] - 1) if a[1] != 1 else (0, 0),
)
"""A right mean state that clears itself at its last removal."""


def test_definition_6_but_removes_need_commute_only_where_the_removed_values_are() -> None:
    remove = CLEARING.remover
    assert remove is not None
    state = CLEARING.fold([1])
    assert remove(remove(state, 2), 1) != remove(remove(state, 1), 2)
    assert incrementally_correct(CLEARING, [1, 2, 5])
    # What we do: the law says nothing there, and holds where it is asked.
    assert LAWS["remove_commutes"].holds(CLEARING, [1], 2, 1) is None
    assert LAWS["remove_commutes"].holds(CLEARING, [1, 2], 2, 1) is True
    assert law("remove_commutes", CLEARING, [1, 2, 5])


def test_definition_6_but_that_removes_commute_follows_where_adds_do_and_remove_inverts() -> None:
    right = 0
    for reducer in all_reducers(2, 2):
        if law("add_commutes", reducer, range(2)) and well_formed(reducer, range(2)):
            right += 1
            assert law("remove_commutes", reducer, range(2))
            assert law("remove_add_commute", reducer, range(2))
    assert right > 0


def test_definition_7_a_well_formed_reducer_takes_back_what_it_added() -> None:
    for reducer in WELL_FORMED.values():
        assert well_formed(reducer, [-1, 0, 2])
    forgetful: AnyReducer = Reducer(-INFINITY, max, lambda a, v: a)
    saturating: AnyReducer = Reducer(0, lambda a, v: min(a + 1, 2), lambda a, v: max(a - 1, 0))
    assert not well_formed(forgetful, [1, 2])
    assert not well_formed(saturating, [1])


def test_definition_7_but_the_inverse_law_alone_is_too_weak_without_add_commutes() -> None:
    assert well_formed(CONCATENATION, "abc")
    incrementally = CONCATENATION.update(CONCATENATION.fold("ab"), added="c")
    from_scratch = CONCATENATION.fold("cab")
    assert Multiset("abc") == Multiset("cab")
    assert (incrementally, from_scratch) == ("abc", "cab")
    # What we do: both laws are needed for a reducer to be right, and say so.
    assert LAWS["add_commutes"].makes_right
    assert LAWS["inverse"].makes_right
    assert not law("add_commutes", CONCATENATION, "ab")


def test_definition_7_but_laws_hold_up_to_an_equality_of_states() -> None:
    # Two trees of one multiset, by the order in which it was added.
    kept: AnyReducer = Reducer(
        (), lambda a, v: (*a, v), lambda a, v: (*a[: a.index(v)], *a[a.index(v) + 1 :]), finish=max
    )
    assert not law("add_commutes", kept, [1, 2])
    up_to = kept.replace(same=lambda a, b: sorted(a) == sorted(b))
    assert law("add_commutes", up_to, [1, 2])
    assert well_formed(up_to, [1, 2])
    assert incrementally_correct(up_to, [1, 2])


def forgetful_mean() -> AnyReducer:
    """Mean and count, compared by the mean alone; its remove forgets to lower the count."""

    def add(a: Any, v: int) -> Any:
        m, n = a
        return (m * n + v) / (n + 1), n + 1

    def remove(a: Any, v: int) -> Any:
        m, n = a
        return ((m * n - v) / (n - 1), n) if n > 1 else (Fraction(0), 0)

    return Reducer(
        (Fraction(0), 0), add, remove, same=lambda a, b: a[0] == b[0], finish=lambda a: a[0]
    )


def test_definition_7_but_that_equality_needs_a_law_of_its_own() -> None:
    mean = forgetful_mean()
    assert law("add_commutes", mean, [10, 20, 40], at_most=4)
    assert well_formed(mean, [10, 20, 40])
    state = mean.update(mean.fold([10]), added=[20])
    state = mean.update(state, removed=[20])
    state = mean.update(state, added=[40])
    assert (mean.read(state), mean.fold_read([10, 40])) == (20, 25)
    # What we do: two states of one multiset must stay one under every step.
    assert LAWS["same_respected"].holds(mean, [10], [20], 40) is False
    assert LAWS["same_respected"].makes_right


def test_remark_1_removes_and_adds_commute_for_an_action_of_an_abelian_group() -> None:
    for a, u, v in product(range(-3, 4), repeat=3):
        assert SUM.update(a - u, added=[v]) == SUM.update(a + v, removed=[u])
    for name in ("sum", "count", "average"):
        assert law("remove_add_commute", WELL_FORMED[name], [1, 2])


@pytest.mark.parametrize("union", [UNION, CLEARING], ids=["union", "a mean that clears"])
def test_remark_1_but_it_fails_where_the_removed_value_is_not_there(union: AnyReducer) -> None:
    remove = union.remover
    assert remove is not None
    empty, x = union.start(), 1
    if union is UNION:
        assert union.adder(remove(empty, x), x) == Multiset([x])
        assert remove(union.adder(empty, x), x) == Multiset()
    else:
        assert union.adder(remove(empty, x), 2) != remove(union.adder(empty, 2), x)
    assert incrementally_correct(union, [1, 2])
    # What we do: the law is asked only where the removed value is in the multiset.
    assert LAWS["remove_add_commute"].holds(union, [], x, x) is None
    assert law("remove_add_commute", union, [1, 2])


@given(small, small)
def test_definition_8_distributive_aggregates(m: list[int], n: list[int]) -> None:
    for reducer in [*WELL_FORMED.values(), MIN]:
        assert reducer.fold([*m, *n]) == reducer.update(reducer.fold(m), added=n)
    for merging in (r.sum(), r.count(), r.min(), r.mean()):
        assert LAWS["distributive"].holds(merging, m, n)


@given(st.text("ab", max_size=3), st.text("ab", max_size=3))
def test_definition_8_but_as_written_it_cannot_fail(m: str, n: str) -> None:
    as_written = CONCATENATION.update(CONCATENATION.fold(m), added=n)
    assert CONCATENATION.fold(m + n) == as_written


def test_definition_8_but_through_a_merge_and_permuted_enumerations_it_can() -> None:
    assert LAWS["distributive"].holds(CONCATENATION, ["a"], ["b"]) is False
    assert not orders_agree(CONCATENATION, ["a", "b"])
    lossy = SUM.replace(merge=lambda a, b: max(a, b))
    assert LAWS["distributive"].holds(lossy, [1], [2]) is False
    assert LAWS["distributive"].holds(SUM.replace(merge=lambda a, b: a + b), [1], [2]) is True


def test_section_4_2_the_classes_of_aggregates_are_told_by_a_stated_rule() -> None:
    assert [SUM.kind, COUNT.kind, MIN.kind] == ["distributive"] * 3
    assert AVERAGE.kind == "algebraic"
    assert UNION.kind == "holistic"
    for holistic in (r.median(), r.quantile(0.9), r.multiset()):
        assert holistic.kind == "holistic"
    assert [w.inverse for w in WELL_FORMED.values()] == ["invertible"] * 4
    assert MIN.inverse == "partial"
    assert Reducer(0, max).inverse == "add-only"


def test_definition_9_a_delta_adds_and_removes_only_what_is_there() -> None:
    c = Collection({"k": [3, 5, 5]})
    assert Delta(removed={"k": [5, 5]}, added={"j": [1]}).valid_for(c)
    for too_much in ({"k": [5, 5, 5]}, {"k": [7]}, {"j": [3]}):
        assert not Delta(removed=too_much).valid_for(c)
    with pytest.raises(InvalidDelta, match="remove 3 of 5 at key 'k': the collection has 2"):
        c.apply(Delta(removed={"k": [5, 5, 5]}))
    assert not Delta(removed={"k": [7]}, added={"k": [7]}).valid_for(c), "removals come first"


@given(collections, st.data())
def test_definition_10_application_removes_and_then_adds(groups: Any, data: st.DataObject) -> None:
    c = Collection(groups)
    gone = {k: [v for v in m if data.draw(st.booleans())] for k, m in c.items()}
    new = data.draw(collections)
    after = c.apply(Delta(removed=gone, added=new))
    for k in {*groups, *new}:
        assert after[k] == (c[k] - Multiset(gone.get(k, []))) + Multiset(new.get(k, []))


@given(collections, collections)
def test_remark_2_the_difference_of_old_and_new_is_disjoint_and_valid(old: Any, new: Any) -> None:
    d, c = diff(old, new), Collection(old)
    assert all(not d.added[k] & d.removed[k] for k in d.keys())
    assert d.valid_for(c)
    assert c.apply(d) == Collection(new)


class Looked:
    """A value that counts how often it is looked at."""

    looks = 0

    def __init__(self, n: int) -> None:
        self.n = n

    def __hash__(self) -> int:
        Looked.looks += 1
        return hash(self.n)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Looked) and self.n == other.n


@pytest.mark.parametrize("size", [10, 1_000])
def test_remark_2_but_a_difference_costs_the_group_and_an_update_the_change(
    size: int,
) -> None:
    old = Multiset([Looked(n) for n in range(size)])
    new = old - Multiset([Looked(0)]) + Multiset([Looked(-1)])
    Looked.looks = 0
    assert len(diff({"k": old}, {"k": new})) == 2
    assert Looked.looks >= size
    # What we do: deltas are propagated, and a difference is taken only of what was recomputed.
    counting, calls = counted(COUNT)
    state = counting.fold(old)
    calls.clear()
    assert counting.update(state, removed=[Looked(0)], added=[Looked(-1)]) == size
    assert len(calls) == 2


def test_definition_11_the_update_folds_removals_and_then_additions() -> None:
    noted, calls = counted(SUM)
    assert noted.update(15, removed=[5, 3], added=[2]) == 9
    assert calls == ["remove", "remove", "add"]
    assert SUM.update(15) == 15
    with pytest.raises(NoInverse):
        Reducer(0, max).update(3, removed=[3])


@given(collections, st.data())
def test_definition_12_incremental_correctness(groups: Any, data: st.DataObject) -> None:
    c = Collection(groups)
    gone = {k: [v for v in m if data.draw(st.booleans())] for k, m in c.items()}
    d: Delta[Any, Any] = Delta(removed=gone, added=data.draw(collections))
    for reducer in WELL_FORMED.values():
        for k in {*c, *d.keys()}:
            updated = reducer.update(reducer.fold(c[k]), removed=d.removed[k], added=d.added[k])
            assert updated == reducer.fold(c.apply(d)[k])


# Section 5: the characterisation


def test_theorem_2_forwards_well_formed_implies_incremental_correctness() -> None:
    found = 0
    for reducer in [*commuting_reducers(2, 2), *commuting_reducers(3, 2)]:
        if well_formed(reducer, range(2)):
            found += 1
            assert incrementally_correct(reducer, range(2))
    assert found > 100


def test_theorem_2_backwards_incremental_correctness_implies_well_formed() -> None:
    wrong = 0
    for reducer in [*commuting_reducers(2, 2), *commuting_reducers(3, 2)]:
        if not well_formed(reducer, range(2)):
            wrong += 1
            assert not incrementally_correct(reducer, range(2))
    assert wrong > 1_000


def test_theorem_2_but_only_on_reachable_states() -> None:
    # Its proof sets out to show (a + v) - v == a for every a; -5 is a state that no fold reaches.
    careful: AnyReducer = Reducer(0, lambda a, v: a + 1, lambda a, v: max(a - 1, 0))
    assert incrementally_correct(careful, [1, 2])
    assert careful.update(careful.update(-5, added=[1]), removed=[1]) != -5
    # What we do: laws are asked on states that folds reach.
    assert well_formed(careful, [1, 2])


def test_theorem_2_but_without_order_free_adds_both_laws_are_needed() -> None:
    """Over all reducers of two states: right in every order iff add_commutes and inverse hold."""
    right = 0
    for reducer in all_reducers(2, 2):
        laws = law("add_commutes", reducer, range(2)) and well_formed(reducer, range(2))
        assert laws is right_in_every_order(reducer)
        right += laws
    assert right > 0


def right_in_every_order(reducer: AnyReducer) -> bool:
    """Incremental correctness where nobody chooses the order of a fold."""
    return all(
        reducer.update(reducer.fold(first), removed=gone, added=new) == reducer.fold(last)
        for m in multisets(range(2), 3)
        for stays, removed, added in deltas(m, [0, 1])
        for first in orders(m)
        for gone in orders(removed)
        for new in orders(added)
        for last in orders(stays + added)
    )


def test_remark_3_where_every_state_is_reachable_the_inverse_law_is_global() -> None:
    seen = set()
    for reducer in commuting_reducers(3, 2):
        if {reducer.fold(m) for m in multisets(range(2), 2)} == {0, 1, 2}:
            cases = product(range(3), range(2))
            everywhere = all(
                reducer.update(reducer.update(a, added=[v]), removed=[v]) == a for a, v in cases
            )
            assert everywhere is well_formed(reducer, range(2))
            seen.add(everywhere)
    assert seen == {True, False}


def test_remark_3_but_a_product_over_rationals_has_no_inverse_at_zero() -> None:
    naive: AnyReducer = Reducer(Fraction(1), lambda a, v: a * v, lambda a, v: a / v)
    assert well_formed(naive, [Fraction(2), Fraction(-1, 3)])
    with pytest.raises(ZeroDivisionError):
        naive.update(naive.fold([2, 0]), removed=[0])
    # What we do: zeros are counted apart.
    apart = r.product()
    state = apart.update(apart.fold([Fraction(2), Fraction(0)]), removed=[Fraction(0)])
    assert apart.read(state) == 2
    assert well_formed(apart, [Fraction(2), Fraction(0)])


def test_remark_4_a_partial_remove_says_recompute_and_the_key_is_folded_again() -> None:
    assert MIN.inverse == "partial"
    group = Multiset([3, 5])
    answer = MIN.update(MIN.fold(group), removed=[3], added=[9])
    assert answer is RECOMPUTE
    assert MIN.fold(group - Multiset([3]) + Multiset([9])) == 5
    assert refolded(MIN, group, removed=[3], added=[9]) == 5
    assert law("inverse", MIN, [1, 2, 3]), "where it does not say recompute, it is right"


@given(small, small, st.data())
def test_remark_4_update_or_recompute_is_always_right(
    m: Any, new: Any, data: st.DataObject
) -> None:
    gone = [v for v in m if data.draw(st.booleans())]
    left = Multiset(m) - Multiset(gone) + Multiset(new)
    assert refolded(MIN, Multiset(m), removed=gone, added=new) == min(left, default=INFINITY)


# Section 7: the cost


@pytest.mark.parametrize("size", [1, 100, 10_000])
@pytest.mark.parametrize("name", ["sum", "count", "average"])
def test_theorem_3_an_update_calls_remove_and_add_once_for_each_value_of_the_delta(
    name: str, size: int
) -> None:
    noted, calls = counted(WELL_FORMED[name])
    state = noted.fold(range(size))
    for gone, new in (([0], []), ([], [7]), ([0], [7, 8]), ([], [])):
        calls.clear()
        noted.update(state, removed=gone, added=new)
        assert calls == ["remove"] * len(gone) + ["add"] * len(new)


def test_theorem_3_a_fold_from_scratch_costs_the_group() -> None:
    noted, calls = counted(SUM)
    noted.fold(range(1_000))
    assert len(calls) == 1_000


def test_theorem_3_but_a_recomputed_key_costs_its_group_again() -> None:
    noted, calls = counted(MIN)
    group = Multiset(range(1_000))
    state = noted.fold(group)
    calls.clear()
    assert noted.update(state, removed=[500]) == 0
    assert len(calls) == 1
    calls.clear()
    assert refolded(noted, group, removed=[0], added=[]) == 1
    assert len(calls) == 1_000 + 1 + 999, "the first fold, the remove, the fold of what is left"
