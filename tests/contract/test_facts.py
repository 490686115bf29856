"""What is found of a reducer is kept on it, and goes where it goes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest

import ominus as om
from ominus import reducers as r
from ominus.contract.facts import shape_of


@dataclass(frozen=True)
class Order:
    id: int
    amount: int
    status: str


@pytest.mark.parametrize(
    "reducer",
    [
        r.count(),
        r.sum("amount"),
        r.mean("amount"),
        om.Reducer(
            0,
            lambda a, v: a + v.amount if v.status == "paid" else a,
            lambda a, v: a - v.amount if v.status == "paid" else a,
        ),
        om.Reducer(
            (0, 0),
            lambda a, v: (a[0] + v.amount * 2, a[1] + 1),
            lambda a, v: (a[0] - v.amount - v.amount, a[1] - 1),
        ),
    ],
)
def test_a_linear_reducer_is_found_by_what_it_does(reducer):
    assert shape_of(reducer, Order).kind == "linear"


@pytest.mark.parametrize(
    "reducer",
    [
        om.Reducer(0, lambda a, v: max(a, v.amount), lambda a, v: om.RECOMPUTE),
        om.Reducer(False, lambda a, v: a or v.amount > 3, lambda a, v: om.RECOMPUTE),
    ],
)
def test_a_semilattice_is_found_by_what_it_does(reducer):
    assert shape_of(reducer, Order).kind == "semilattice"


@pytest.mark.parametrize(
    "reducer",
    [
        r.min("amount"),
        r.multiset(),
        om.Reducer(0, lambda a, v: a * 2 + v.amount, lambda a, v: (a - v.amount) // 2),
        om.Reducer(0, lambda a, v: a + v.amount, lambda a, v: a - v.id),
        om.Reducer(list, lambda a, v: [*a, v], mutates=True),
    ],
)
def test_what_is_neither_says_why(reducer):
    shape = shape_of(reducer, Order)
    assert shape.kind == "general" and shape.why


def test_over_floats_a_plain_sum_is_not_linear():
    plain = om.Reducer(0.0, lambda a, v: a + v, lambda a, v: a - v)
    assert shape_of(plain, float).kind == "general"


def test_verify_keeps_what_it_found_on_the_reducer_and_a_pickle_has_it():
    total = r.sum("amount")
    om.verify(total, values=Order)
    assert total.facts["shape"][Order].kind == "linear"
    assert pickle.loads(pickle.dumps(total)).facts["shape"][Order].kind == "linear"
