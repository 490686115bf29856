"""Every reducer of the catalogue under every law that it claims, on random cases."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ominus import reducers as r
from ominus.algebra.laws import LAWS, orders_agree
from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.reducers import CATALOGUE
from ominus.reducers.catalogue import Example

floats = st.sampled_from([0.0, 0.1, -0.1, 1e100, -1e100, 5e-324, float("inf"), float("nan")])
numbers = floats | st.floats() | st.integers(-3, 3)
ROWS: dict[Any, Any] = {
    int: st.integers(-3, 3) | st.integers(),
    float: numbers,
    str: st.text("ab", max_size=2),
    tuple[float, float]: st.tuples(numbers, numbers),
}
VARIANTS = {
    str(example.reducer): example
    for example in (
        Example(r.min(keep="one"), float),
        Example(r.max(keep="one"), float),
        Example(r.arg_min(0, keep="one"), tuple[float, float]),
        Example(r.arg_max(0, keep="one"), tuple[float, float]),
        Example(r.median(discrete=True), float),
        Example(r.sum(0, where=1), tuple[float, float]),
        Example(r.group(0, r.min(1, keep="one")), tuple[float, float]),
        Example(r.group(0, r.record(low=r.min(1), n=r.frequencies(1))), tuple[float, float]),
        Example(r.record(low=r.min(keep="one"), all=r.set()), int),
    )
}
EXAMPLES = CATALOGUE | VARIANTS
every = pytest.mark.parametrize("name", EXAMPLES)


def case(law: Any, m: list[Any], n: list[Any], u: Any, v: Any) -> tuple[Any, ...]:
    """What the law is asked on: two values, a second list, or a list and a value."""
    if law.name == "distributive":
        return (n,)
    if law.name == "same_respected":
        return (n, v)
    return (u, v)[: law.arity]


@every
@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
@settings(max_examples=25)
@given(st.data())
def test_a_law_holds(law: Any, name: str, data: Any) -> None:
    reducer, rows = EXAMPLES[name].reducer, ROWS[EXAMPLES[name].values]
    if not law.asks(reducer):
        return
    m = data.draw(st.lists(rows, max_size=6))
    values = rows if not m else st.sampled_from(m) | rows
    u, v, n = data.draw(values), data.draw(values), data.draw(st.lists(values, max_size=4))
    if "same" in law.name and data.draw(st.booleans()):
        n = data.draw(st.permutations(m))
    assert law.holds(reducer, m, *case(law, m, n, u, v)) is not False


@every
@settings(max_examples=25)
@given(st.data())
def test_all_orders_agree(name: str, data: Any) -> None:
    rows = ROWS[EXAMPLES[name].values]
    assert orders_agree(EXAMPLES[name].reducer, data.draw(st.lists(rows, max_size=4)))


@every
@settings(max_examples=40)
@given(st.data())
def test_an_update_is_a_fold_of_what_is_left(name: str, data: Any) -> None:
    reducer, rows = EXAMPLES[name].reducer, ROWS[EXAMPLES[name].values]
    m, added = data.draw(st.lists(rows, max_size=8)), data.draw(st.lists(rows, max_size=3))
    gone = data.draw(st.lists(st.sampled_from(m), max_size=4)) if m else []
    if reducer.remover is None or not Multiset(gone) <= Multiset(m):
        gone = []
    state = reducer.update(reducer.fold(m), removed=gone, added=added)
    if state is not RECOMPUTE:
        rest = list(Multiset(m) - Multiset(gone) + Multiset(added))
        assert reducer.equal(state, reducer.fold(rest))


@every
def test_a_reducer_pickles_as_its_call(name: str) -> None:
    reducer = EXAMPLES[name].reducer
    again = pickle.loads(pickle.dumps(reducer))
    assert repr(again) == repr(reducer) and repr(reducer).startswith(f"{reducer.name}(")
    assert again.name == reducer.name


@every
@settings(max_examples=30)
@given(st.data())
def test_no_rows_are_no_rows_whatever_came_and_went(name: str, data: Any) -> None:
    reducer, rows = EXAMPLES[name].reducer, ROWS[EXAMPLES[name].values]
    if reducer.remover is None:
        return
    few = data.draw(st.lists(rows, max_size=4))
    state = reducer.update(reducer.fold(few), removed=few)
    assert state is RECOMPUTE or reducer.equal(state, reducer.start())


def test_the_catalogue_has_an_example_of_each_public_reducer() -> None:
    assert set(CATALOGUE) == set(r.__all__)
    assert all(isinstance(example.reducer, Reducer) for example in CATALOGUE.values())
