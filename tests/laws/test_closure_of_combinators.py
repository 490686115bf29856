"""Each combinator of right reducers is right, and proved to be."""

from __future__ import annotations

import pytest

import ominus as om
from ominus import Proved
from ominus import reducers as r

TOTAL = om.Reducer(0, lambda a, v: a + v, lambda a, v: a - v)

COMBINED = {
    "where": r.sum(where=lambda v: v > 0),
    "of": r.sum(lambda v: v * 2),
    "of and where of one's own": om.Reducer(
        0, lambda a, v: a + v, lambda a, v: a - v, of=lambda v: v + 1, where=lambda v: v != 3
    ),
    "finish": r.sum().finish(lambda s: s * 10),
    "finish of one's own": TOTAL.finish(str),
    "record": r.record(n=r.count(), total=r.sum(), own=TOTAL),
    "record of records": r.record(a=r.record(n=r.count()), b=r.mean()),
    "group": r.group(lambda v: v % 3, r.sum()),
    "group of records": r.group(lambda v: v % 3, r.record(n=r.count(), mean=r.mean())),
    "record of groups": r.record(per=r.group(lambda v: v % 3, r.count()), n=r.count()),
    "frequencies": r.frequencies(),
    "skip_none": r.sum(skip_none=True),
}


@pytest.mark.parametrize("reducer", COMBINED.values(), ids=COMBINED)
def test_a_combinator_of_proved_reducers_is_proved(reducer):
    verdicts = om.verify(reducer, values=int, seconds=30)
    assert verdicts.ok
    for law in ("add_commutes", "inverse"):
        assert isinstance(verdicts[law], Proved), (law, verdicts[law])


WRONG = om.Reducer(0, lambda a, v: a + v, lambda a, v: a - abs(v))


@pytest.mark.parametrize(
    "reducer",
    [
        WRONG.finish(str),
        r.record(n=r.count(), wrong=WRONG),
        r.group(lambda v: v % 3, WRONG),
    ],
    ids=["finish", "record", "group"],
)
def test_a_combinator_of_a_false_reducer_is_refuted(reducer):
    assert om.verify(reducer, values=int).refuted
