"""A reducer of the catalogue is its call: it prints, pickles and compares as that."""

from __future__ import annotations

import operator
import pickle

import pytest

from ominus import reducers as r
from ominus.errors import NoneFound
from ominus.reducers.catalogue import Both, unless

CALLS = [
    (r.sum("amount", where=operator.truth), "sum('amount', where=truth)"),
    (r.count(), "count()"),
    (r.count(where="paid", skip_none=True), "count(where='paid', skip_none=True)"),
    (r.variance("x", ddof=1), "variance('x')"),
    (r.stdev("x", ddof=0), "stdev('x', ddof=0)"),
    (r.covariance("x", 1, skip_none=False), "covariance('x', 1, skip_none=False)"),
    (r.histogram("x", [0, 10]), "histogram('x', (0, 10))"),
    (r.group(("a", "b"), r.sum("x")), "group(('a', 'b'), sum('x'))"),
    (r.frequencies(), "frequencies()"),
    (r.record(s=r.sum("x"), n=r.count()), "record(s=sum('x'), n=count())"),
]


@pytest.mark.parametrize("reducer, call", CALLS, ids=[c for _, c in CALLS])
def test_it_prints_as_its_call(reducer: object, call: str) -> None:
    assert repr(reducer) == call
    assert repr(pickle.loads(pickle.dumps(reducer))) == call


def test_it_pickles_with_what_it_was_told() -> None:
    rows = [{"x": 1.5, "ok": True}, {"x": 2.5, "ok": False}, {"x": None, "ok": True}]
    for reducer in (
        r.sum("x", where="ok", skip_none=True),
        r.group("ok", r.mean("x", skip_none=True)),
        r.record(v=r.variance("x", ddof=0, skip_none=False), n=r.count()),
    ):
        again = pickle.loads(pickle.dumps(reducer))
        assert again.fold_read(rows) == reducer.fold_read(rows)
        state = pickle.loads(pickle.dumps(reducer.fold(rows)))
        assert again.equal(state, reducer.fold(rows))


def test_the_guard_against_none_shows_the_call_and_the_row() -> None:
    with pytest.raises(NoneFound, match=r"sum\('x'\) of the row \{'x': None\}"):
        r.sum("x").fold([{"x": None}])


def test_both_reads_two_parts_or_none() -> None:
    both = Both("x", 1)
    assert both == Both("x", 1) and hash(both) == hash(Both("x", 1)) and both != Both("x", 2)
    assert Both(0, 1)((1, 2)) == (1, 2)
    assert Both(0, 1)((None, 2)) is None and Both(0, 1)((2, None)) is None
    assert repr(both) == "('x', 1)"


def test_a_default_need_not_be_said() -> None:
    assert unless(1, 1) is None and unless(1, 0) == 0 and unless(1, True) is True
