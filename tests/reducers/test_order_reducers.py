"""What every reducer of an order promises: laws, histories, merges, pickles, states that stay."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any

import pytest

from ominus import reducers as r
from ominus.algebra.laws import LAWS, orders_agree
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.select import desc
from ominus.errors import FlowError, InvalidDelta, NoneFound, NotOrdered
from order_cases import (
    ALL,
    CROWD,
    FLOATS,
    INTS,
    MIXED,
    NUMBERS,
    OUTSIDE,
    ROWS,
    WORDS,
    check_walks,
    fresh,
    shown,
)

PLAIN = [v for v in NUMBERS if v is not None]
PAIRS = [(a, b) for a in "abc" for b in (1, 2, 2.0)]
LOOSE_PAIRS = [(v, n) for v in OUTSIDE[:5] + CROWD for n in (1, 2)]

CASES: list[tuple[Reducer[Any, Any, Any], list[Any]]] = [
    *((reducer, MIXED) for reducer in (r.min(skip_none=True), r.max(skip_none=False))),
    *((reducer, NUMBERS) for reducer in (r.min(), r.max())),
    (r.min(keep="one", skip_none=False), MIXED),
    (r.max(keep="one", skip_none=True), MIXED),
    (r.arg_min("at", skip_none=False), ROWS),
    (r.arg_max("at", keep="one"), ROWS),
    (r.arg_min("id", keep="one"), ROWS),
    (r.arg_max("id"), ROWS),
    (r.arg_min(1), LOOSE_PAIRS),
    (r.arg_max(1, keep="one"), LOOSE_PAIRS),
    (r.top(3), MIXED),
    (r.bottom(3), MIXED),
    (r.top(3, by="at"), ROWS),
    (r.top(4, by=desc("id")), ROWS),
    (r.top(2, by=1), LOOSE_PAIRS),
    (r.bottom(4, by=("id", desc("at"))), ROWS),
    (r.first(), MIXED),
    (r.last("id", by="at"), ROWS),
    (r.first("at", by=desc("id"), where=lambda row: row["at"] != 2), ROWS),
    (r.last(0, by=1), LOOSE_PAIRS),
    (r.median(), NUMBERS),
    (r.median(skip_none=False), [None, 1, 2.5, 4]),
    (r.median(discrete=True), WORDS),
    (r.quantile((0, 0.1, 0.5, 1)), PLAIN),
    (r.quantile(0.9, discrete=True, skip_none=False), MIXED),
    (r.mode(), MIXED),
    (r.mode(skip_none=True), MIXED),
    (r.list(), ALL),
    (r.set(), ALL),
    (r.multiset(), ALL),
    (r.count_distinct(skip_none=True), ALL),
    (r.count_distinct(skip_none=False), [*CROWD, None]),
    (r.approx_count_distinct(precision=4, skip_none=True), MIXED),
    (r.approx_count_distinct(precision=5), INTS + WORDS),
    (r.approx_quantile((0.1, 0.5, 1.0)), PLAIN),
    (r.approx_quantile(0.5, error=0.1, skip_none=False), [None, *FLOATS]),
]
every = pytest.mark.parametrize(("reducer", "pool"), CASES, ids=[repr(c[0]) for c in CASES])

REFUSING_NONE = [
    *(r.min(), r.max(keep="one"), r.arg_min(), r.arg_max("at"), r.median(), r.quantile(0.5)),
    *(r.count_distinct(), r.approx_count_distinct(), r.approx_quantile(0.5)),
]
NOT_ORDERED = [
    *(r.min(), r.max(keep="one"), r.arg_min(), r.arg_max(keep="one"), r.top(1), r.bottom(1)),
    *(r.top(1, by=0), r.median(discrete=True), r.mode(), r.first(by=0)),
]


@every
def test_any_history_is_what_a_fold_of_the_rest_is(reducer: Any, pool: list[Any]) -> None:
    check_walks(reducer, pool)


@every
def test_every_law_that_asks_holds(reducer: Any, pool: list[Any]) -> None:
    random = Random(5)
    for _ in range(40):
        values = [fresh(random.choice(pool)) for _ in range(random.randint(0, 6))]
        extra = [random.choice(values or pool) for _ in range(2)]
        for law in LAWS.values():
            if law.asks(reducer):
                given = [extra] if law.name == "distributive" else extra[: law.arity]
                given = [values[:3], extra[0]] if law.name == "same_respected" else given
                assert law.holds(reducer, values, *given) is not False, (law.name, values, given)
        assert orders_agree(reducer, values[:4])


@every
def test_states_and_reducers_survive_a_pickle(reducer: Any, pool: list[Any]) -> None:
    random = Random(6)
    values = [fresh(random.choice(pool)) for _ in range(50)]
    state = reducer.fold(values)
    back = pickle.loads(pickle.dumps(state))
    assert reducer.equal(state, back)
    assert shown(reducer.read(back)) == shown(reducer.read(state))
    result = reducer.read(state)
    assert shown(pickle.loads(pickle.dumps(result))) == shown(result)
    if reducer.where is None:
        same = pickle.loads(pickle.dumps(reducer))
        assert repr(same) == repr(reducer)
        assert same.equal(same.fold(values), state)


@every
def test_removing_the_last_row_returns_the_start(reducer: Any, pool: list[Any]) -> None:
    for value in pool:
        state = reducer.remover(reducer.adder(reducer.start(), value), fresh(value))
        assert state is RECOMPUTE or reducer.equal(state, reducer.start())


@every
def test_a_removal_of_what_was_never_there_is_refused(reducer: Any, pool: list[Any]) -> None:
    counted = [v for v in pool if reducer.adder(reducer.start(), v) != reducer.start()]
    with pytest.raises(InvalidDelta, match="there is no copy of it"):
        reducer.remover(reducer.start(), counted[0])


@every
def test_the_reducer_says_whether_it_can_always_take_back(reducer: Any, pool: list[Any]) -> None:
    partial = "keep='one'" in repr(reducer) or reducer.name == "approx_count_distinct"
    assert reducer.inverse == ("partial" if partial else "invertible")
    assert reducer.constant is partial
    assert reducer.kind == ("algebraic" if partial else "holistic")
    assert not reducer.mutates


@pytest.mark.parametrize("reducer", REFUSING_NONE, ids=repr)
def test_none_is_refused_where_nobody_said_what_it_means(reducer: Any) -> None:
    row = {"at": None} if "at" in repr(reducer) else None
    with pytest.raises(NoneFound, match="skip_none"):
        reducer.fold([row])


@pytest.mark.parametrize("reducer", NOT_ORDERED, ids=repr)
def test_a_value_outside_the_order_is_refused_at_once(reducer: Any) -> None:
    row = (1j,) if "by=" in repr(reducer) else 1j
    with pytest.raises(NotOrdered, match="1j"):
        reducer.fold([row])


def test_they_print_as_the_call_that_made_them() -> None:
    assert repr(r.min()) == "min()"
    assert repr(r.max("amount", keep="one", skip_none=False)) == (
        "max('amount', keep='one', skip_none=False)"
    )
    assert repr(r.top(3, by=desc("at"))) == "top(3, by=desc('at'))"
    assert repr(r.quantile((0.5, 0.9), of="ms", discrete=True)) == (
        "quantile((0.5, 0.9), 'ms', discrete=True)"
    )
    assert repr(r.approx_quantile(0.5, error=0.02)) == "approx_quantile(0.5, error=0.02)"
    assert (
        repr(r.approx_count_distinct("user", 14)) == "approx_count_distinct('user', precision=14)"
    )
    assert repr(r.median(discrete=True)) == "median(discrete=True)"
    assert repr(r.first("page", by="at")) == "first('page', by='at')"


@pytest.mark.parametrize(
    "call",
    [
        lambda: r.min(keep="both"),  # type: ignore[arg-type]
        lambda: r.top(-1),
        lambda: r.bottom(True),
        lambda: r.quantile(1.1),
        lambda: r.quantile(True),
        lambda: r.quantile((0.5, "x")),
        lambda: r.quantile(float("nan")),
        lambda: r.approx_quantile(-0.1),
        lambda: r.approx_quantile(0.5, error=0.0),
        lambda: r.approx_quantile(0.5, error=1),
        lambda: r.approx_count_distinct(precision=19),
        lambda: r.approx_count_distinct(precision=3),
    ],
)
def test_what_cannot_be_meant_is_refused_when_it_is_built(call: Any) -> None:
    with pytest.raises(FlowError):
        call()
