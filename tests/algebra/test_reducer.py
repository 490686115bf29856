"""Reducers as values: frozen, reusable, picklable, and what they say of themselves."""

from __future__ import annotations

import operator
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ominus.algebra.multiset import Multiset
from ominus.algebra.record import record
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.errors import FieldUnknown, FlowError, NoInverse, NoneFound

Any3 = Reducer[Any, Any, Any]

total: Any3 = Reducer(init=0, add=operator.add, remove=operator.sub)
highest: Any3 = Reducer(None, lambda a, v: v if a is None else max(a, v))


def low_add(a: Any, v: Any) -> Any:
    return v if a is None else min(a, v)


def low_remove(a: Any, v: Any) -> Any:
    return a if v > a else RECOMPUTE


lowest: Any3 = Reducer(None, low_add, low_remove)
integers = st.lists(st.integers(), max_size=6)


@given(integers, integers, integers)
def test_update_agrees_with_a_fold_of_what_is_left(kept: Any, gone: Any, new: Any) -> None:
    state = total.update(total.fold(kept + gone), removed=gone, added=new)
    assert state == total.fold(kept + new)
    assert total.update(state) == state


def test_update_removes_before_it_adds() -> None:
    steps: list[str] = []
    noted: Any3 = Reducer(
        0, lambda a, v: steps.append(f"+{v}") or 0, lambda a, v: steps.append(f"-{v}") or 0
    )
    noted.update(0, removed=[1, 2], added=[3])
    assert steps == ["-1", "-2", "+3"]


def test_a_reducer_without_remove_refuses_to_remove() -> None:
    assert highest.update(3, added=[5]) == 5
    assert highest.update(3, removed=[], added=[]) == 3
    with pytest.raises(NoInverse, match=r"remove 3 from a state of Reducer\(\).*has no remove"):
        highest.update(3, removed=[3])
    assert highest.remover is None


def test_a_bare_update_gives_recompute_and_keeps_it() -> None:
    assert lowest.update(3, removed=[5], added=[4]) == 3
    assert lowest.update(3, removed=[3]) is RECOMPUTE
    assert lowest.update(3, removed=[3], added=[1]) is RECOMPUTE
    assert lowest.update(RECOMPUTE, removed=[3], added=[1]) is RECOMPUTE
    assert lowest.update(RECOMPUTE, added=[1]) is RECOMPUTE


def test_of_and_where_receive_the_row() -> None:
    paid: Any3 = Reducer(0, operator.add, operator.sub, of="amount", where=lambda o: o.paid)
    rows = [record(amount=3, paid=True), record(amount=5, paid=False), record(amount=7, paid=True)]
    assert paid.fold(rows) == 10
    assert paid.update(10, removed=[rows[0], rows[1]], added=rows[1:]) == 14
    assert paid.replace(where="paid").fold(rows) == 10
    assert paid.replace(of=0).fold(rows) == 10
    assert total.replace(where=lambda v: v > 1).fold([1, 2, 3]) == 5
    assert (
        total.replace(of=("a", "b"), add=lambda a, v: a + v[1], remove=None).fold(
            [{"a": 1, "b": 2}]
        )
        == 2
    )
    assert (paid.adder(0, rows[0]), paid.remover(3, rows[0])) == (3, 0)  # type: ignore[misc]


def test_a_row_left_out_by_where_is_not_looked_at_by_of() -> None:
    careful = total.replace(of="amount", where=lambda row: "amount" in row)
    assert careful.fold([{"amount": 1}, {}]) == 1
    with pytest.raises(FieldUnknown):
        total.replace(of="amount").fold([{}])


def test_selectors_are_checked_when_the_reducer_is_built() -> None:
    for wrong in ({"of": 1.5}, {"where": [1]}, {"of": True}):
        with pytest.raises(FlowError):
            Reducer(0, operator.add, **wrong)


def test_none_is_skipped_counted_or_refused_as_the_reducer_says() -> None:
    strict = total.replace(nullable=False, of="amount")
    with pytest.raises(NoneFound, match=r"of the row \{'amount': None\}.*skip_none=True"):
        strict.fold([{"amount": 1}, {"amount": None}])
    assert strict.replace(skip_none=True).fold([{"amount": 1}, {"amount": None}]) == 1
    skipping = strict.replace(skip_none=True)
    assert skipping.update(1, removed=[{"amount": None}, {"amount": 1}]) == 0
    assert strict.replace(where=lambda r: r["amount"]).fold([{"amount": None}]) == 0
    assert highest.replace(add=lambda a, v: v).fold([None]) is None
    assert total.replace(nullable=False, skip_none=True).fold([None, 2]) == 2


def test_finish_shows_the_state_and_leaves_it_alone() -> None:
    shown = total.finish(lambda s: s / 2).finish(str)
    assert shown.fold([3, 4]) == 7
    assert shown.read(7) == "3.5"
    assert shown.fold_read([3, 4]) == "3.5"
    assert shown.update(7, removed=[3]) == 4
    assert total.read(7) == 7
    built: Any3 = Reducer(0, operator.add, finish=str)
    assert built.finish(len).fold_read([10]) == 2
    assert total.finish(str).finish(len).finishing == total.finish(str).finish(len).finishing


def test_a_reducer_cannot_be_changed() -> None:
    for change in (
        lambda: setattr(total, "init", 1),
        lambda: setattr(total, "other", 1),
        lambda: delattr(total, "init"),
    ):
        with pytest.raises(AttributeError, match="frozen"):
            change()
    assert total.fold([1]) == 1


def test_replace_gives_another_reducer() -> None:
    assert total.replace(init=5).fold([1]) == 6
    assert total.replace(of="x").fold([{"x": 2}]) == 2
    assert total.replace(finish=str).fold_read([2]) == "2"
    assert total.fold([1]) == 1
    with pytest.raises(TypeError, match="a Reducer has no colour: its parts are init, add"):
        total.replace(colour=1)


def test_what_a_reducer_says_of_itself_follows_what_is_replaced() -> None:
    assert total.replace(remove=None).inverse == "add-only"
    assert total.replace(remove=low_remove).inverse == "partial"
    assert lowest.replace(remove=operator.sub).inverse == "invertible"
    assert total.replace(remove=low_remove, inverse="invertible").inverse == "invertible"
    assert total.replace(init=()).kind == "holistic"
    assert total.replace(init=list, mutates=True).kind == "holistic"
    assert total.replace(init=(), constant=True).kind == "distributive"
    assert total.replace(finish=str).kind == "algebraic"
    assert total.replace(add=max, remove=None).remover is None


@pytest.mark.parametrize(
    ("remove", "inverse"),
    [(operator.sub, "invertible"), (None, "add-only"), (low_remove, "partial")],
)
def test_how_far_a_reducer_inverts_is_told_by_its_remove(remove: Any, inverse: str) -> None:
    assert Reducer(0, operator.add, remove).inverse == inverse


@pytest.mark.parametrize(
    "init",
    [0, 0.0, True, Decimal(0), Fraction(0), None, (0, 0), (0, (1, None)), record(n=0), record()],
)
def test_a_state_of_constant_size_is_distributive_or_algebraic(init: Any) -> None:
    assert Reducer(init, operator.add).kind == "distributive"
    assert Reducer(init, operator.add, finish=str).kind == "algebraic"


@pytest.mark.parametrize("init", [(), [], {}, set(), frozenset(), Multiset(), (0, ()), (0, [])])
def test_a_state_that_grows_with_the_data_is_holistic(init: Any) -> None:
    assert Reducer(init, operator.add).kind == "holistic"
    assert Reducer(init, operator.add, finish=str).kind == "holistic"


def test_a_state_that_is_changed_in_place_begins_afresh() -> None:
    gather: Any3 = Reducer(
        list, lambda a, v: (a.append(v), a)[1], lambda a, v: (a.remove(v), a)[1],
        mutates=True, finish=tuple, same=lambda a, b: sorted(a) == sorted(b),
    )  # fmt: skip
    assert gather.fold([1, 2]) == [1, 2]
    assert gather.fold([3]) == [3]
    assert gather.start() is not gather.start()
    state = gather.fold([1, 2])
    assert gather.update(state, removed=[1], added=[4]) is state
    assert gather.read(state) == (2, 4)
    assert gather.equal([1, 2], [2, 1])
    with pytest.raises(TypeError, match=r"Reducer\(init=\[\], mutates=True\).*init=list"):
        Reducer([], operator.add, mutates=True)


def test_a_callable_start_is_called_only_if_states_are_changed_in_place() -> None:
    kept: Any3 = Reducer(init=len, add=lambda a, v: a)
    assert kept.start() is len


def test_states_are_compared_as_values_unless_same_says_otherwise() -> None:
    assert not total.equal(1, 1.0)
    assert total.equal(float("nan"), float("nan"))
    assert total.replace(same=operator.eq).equal(1, 1.0)
    assert total.replace(same=lambda a, b: 1).equal(0, 5) is True


def test_a_reducer_is_reusable() -> None:
    assert [total.fold(range(n)) for n in range(4)] == [0, 0, 1, 3]
    assert total.fold(v for v in (1, 2)) == 3
    assert total.fold(Multiset([3, 3, 1])) == 7


def test_a_reducer_travels() -> None:
    whole: Any3 = Reducer(
        (0, None),
        operator.add,
        low_remove,
        of=("a", 0),
        where="b",
        same=operator.eq,
        merge=operator.add,
        values=int,
        finish=str,
    ).finish(len)
    for reducer in (total, lowest, highest.replace(add=low_add), whole):
        again = pickle.loads(pickle.dumps(reducer))
        assert again.parts() == reducer.parts()
        assert (again.inverse, again.kind) == (reducer.inverse, reducer.kind)
    assert pickle.loads(pickle.dumps(total)).update(15, removed=[5], added=[2]) == 12


def test_a_reducer_prints_what_it_was_given() -> None:
    assert repr(total) == "Reducer(init=0)"
    assert repr(total.replace(of="x", where=len)) == "Reducer(init=0, of='x', where=len)"
