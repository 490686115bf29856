"""What comes in and what goes out: Arrow, feeds with a sequence, sources that keep no rows."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ominus as om
from ominus import reducers as r
from ominus.engine.embedded.plan import check
from ominus.errors import (
    ChangeRefused,
    FunctionFailed,
    KeyPresent,
    NeedsRow,
    RowAbsent,
    TransactionRefused,
    TypeMismatch,
)


@dataclass(frozen=True)
class Order:
    id: int
    region: str
    amount: float


orders = om.source("orders", Order, key="id")
ROWS = [Order(1, "n", 1.5), Order(2, "s", 2.0)]


@pytest.mark.parametrize(
    "table",
    [
        pa.table({"id": [1, 2], "region": ["n", "s"], "amount": [1.5, 2.0]}),
        pd.DataFrame({"id": [1, 2], "region": ["n", "s"], "amount": [1.5, 2.0]}),
        pl.DataFrame({"amount": [1.5, 2.0], "region": ["n", "s"], "id": [1, 2]}),
    ],
)
def test_rows_come_from_anything_with_the_arrow_interface(table):
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    live["orders"].insert_many(table)
    assert list(live["orders"].values()) == ROWS and live["total"].value == 3.5
    live["orders"].delete_many(table)
    assert len(live["orders"]) == 0


def test_columns_that_are_not_the_fields_are_refused_by_name():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    with pytest.raises(TypeMismatch, match="there is no amount; price is no field"):
        live["orders"].insert_many(pa.table({"id": [1], "region": ["n"], "price": [1.5]}))
    with pytest.raises(KeyPresent):
        live["orders"].insert_many([*ROWS, ROWS[0]])
    assert len(live["orders"]) == 0


def test_views_go_out_as_arrow_pandas_and_polars_with_their_columns_named():
    by_region = orders.group_by("region")
    live = om.flow(
        groups=by_region,
        revenue=by_region.reduce(r.sum("amount")),
        stats=by_region.reduce(n=r.count(), mean=r.mean("amount")),
    ).run()
    live["orders"].insert_many(ROWS)
    assert live["revenue"].to_arrow().to_pydict() == {"region": ["n", "s"], "revenue": [1.5, 2.0]}
    assert live["stats"].to_pandas().to_dict("list") == {
        "region": ["n", "s"],
        "n": [1, 1],
        "mean": [1.5, 2.0],
    }
    assert live["groups"].to_polars().columns == ["region", "id", "amount"]
    assert pa.RecordBatchReader.from_stream(live["revenue"]).read_all().num_rows == 2
    assert repr(live["revenue"]).splitlines()[0].split() == ["region", "revenue"]


def test_an_empty_view_still_has_its_columns():
    live = om.flow(revenue=orders.group_by("region").reduce(r.sum("amount"))).run()
    assert live["revenue"].to_arrow().column_names == ["region", "revenue"]
    assert live["orders"].to_arrow().column_names == ["id", "region", "amount"]


feed = om.source("feed", dict, key="id", sequence="lsn")


def row(id_, lsn, value):
    return {"id": id_, "lsn": lsn, "value": value}


def test_of_a_feed_with_a_sequence_the_last_change_of_a_key_is_kept():
    live = om.flow(values=feed.map("value")).run()
    live["feed"].insert(row(1, 10, "a"))
    live["feed"].update(row(1, 12, "c"))
    live["feed"].insert(row(1, 11, "b"))
    live["feed"].update(row(1, 12, "twice"))
    assert live["values"][1] == "c"
    live["feed"].delete(key=1, sequence=20)
    live["feed"].insert(row(1, 15, "late"))
    live["feed"].delete(key=9, sequence=5)
    live["feed"].upsert(row(9, 4, "late"))
    assert dict(live["values"]) == {}
    live["feed"].upsert(row(9, 6, "on time"))
    assert dict(live["values"]) == {9: "on time"}
    check(live.plan)


def test_a_change_of_a_feed_without_its_sequence_is_refused():
    live = om.flow(values=feed.map("value")).run()
    with pytest.raises(ChangeRefused, match="lsn"):
        live["feed"].delete(key=1)
    plain = om.flow(rows=orders).run()
    with pytest.raises(ChangeRefused, match="no sequence"):
        plain["orders"].delete(key=1, sequence=3)


passing = om.source("passing", Order, key="id", keep=False)


def test_a_source_that_keeps_no_rows_takes_removals_on_trust():
    live = om.flow(total=passing.group_by("region").reduce(r.sum("amount"))).run()
    live["passing"].insert_many(ROWS)
    live["passing"].delete(ROWS[0])
    live.apply(passing=[om.Update(ROWS[1], Order(2, "s", 5.0))])
    assert dict(live["total"]) == {"s": 5.0}
    with pytest.raises(RowAbsent, match="keep=False"):
        live["passing"].delete(Order(7, "w", 1.0))
    with pytest.raises(NeedsRow):
        live["passing"].delete(key=2)
    with pytest.raises(NeedsRow):
        live["passing"].upsert(ROWS[0])
    assert dict(live["total"]) == {"s": 5.0}


def test_a_reducer_that_needs_rows_keeps_them_where_it_needs_them():
    low = passing.group_by("region").reduce(r.min("amount", keep="one"))
    live = om.flow(low=low).run()
    live["passing"].insert_many(ROWS)
    live["passing"].delete(ROWS[0])
    assert dict(live["low"]) == {"s": 2.0}


def test_a_reducer_whose_remove_gives_up_without_warning_is_folded_again():
    hidden = {"RECOMPUTE": om.RECOMPUTE}
    low = om.Reducer(
        None,
        lambda a, v: v if a is None else min(a, v),
        lambda a, v: a if v > a else hidden[chr(82) + "ECOMPUTE"],
    )
    assert low.inverse == "invertible"
    live = om.flow(low=orders.map("amount").group_by(lambda v: 0).reduce(low)).run()
    live["orders"].insert_many([*ROWS, Order(3, "n", 9.0)])
    live["orders"].delete(key=1)
    assert live["low"][0] == 2.0
    live["orders"].delete(key=2)
    live["orders"].insert(Order(4, "n", 4.0))
    live["orders"].delete(key=4)
    assert live["low"][0] == 9.0
    check(live.plan)


def test_a_view_that_is_added_later_is_filled_from_what_is_there():
    flow = om.flow(total=orders.reduce(r.sum("amount")))
    live = flow.run()
    live["orders"].insert_many(ROWS)
    half = orders.filter(lambda o: o.amount < 2)
    live.extend(
        best=orders.group_by("region").top(1, by="amount"),
        halves=half.map("amount").distinct(),
        pairs=orders.join(orders, on="region"),
        n=orders.size(),
        first=orders.take(1),
        counted=half.count(),
        whole=om.compute(lambda rows: len(rows), orders),
        priced=orders.map(lambda o, all_: len(all_), reads=orders),
    )
    oracle = om.recompute(live.flow, orders=ROWS)
    for name in live.flow.views:
        assert live[name] == oracle[name], name
    more = [*ROWS, Order(3, "n", 0.5)]
    live["orders"].insert(more[-1])
    oracle = om.recompute(live.flow, orders=more)
    for name in live.flow.views:
        assert live[name] == oracle[name], name
    assert "best" not in flow
    check(live.plan)


def test_a_view_that_raises_while_it_is_filled_is_not_there_afterwards():
    live = om.flow(total=orders.reduce(r.sum("amount"))).run()
    live["orders"].insert_many(ROWS)
    wrong = orders.map(lambda o: 1 / (o.amount - 2)).group_by(lambda v: v > 0).count()
    with pytest.raises(FunctionFailed):
        live.extend(wrong=wrong)
    with pytest.raises(KeyError):
        live["wrong"]
    live["orders"].delete(key=2)
    live.extend(wrong=wrong)
    assert dict(live["wrong"]) == {False: 1}
    check(live.plan)


def test_rows_that_were_kept_late_are_not_kept_where_the_transaction_is_taken_back():
    low = om.Reducer(
        None,
        lambda a, v: v if a is None else min(a, v),
        lambda a, v: a if v > a else globals()["om"].__dict__["REC" + "OMPUTE"],
    )
    lowest = orders.map("amount").group_by(lambda v: 0).reduce(low)
    live = om.flow(low=lowest, fussy=lowest.map(lambda v: 1 / (v - 2))).run()
    live["orders"].insert_many([*ROWS, Order(3, "n", 9.0)])
    with pytest.raises(FunctionFailed):
        live["orders"].delete(key=1)
    assert live["low"][0] == 1.5
    with live.transaction():
        live["orders"].delete(key=1)
        live["orders"].delete(key=2)
    assert live["low"][0] == 9.0
    check(live.plan)


def test_a_source_that_keeps_no_rows_is_not_read_as_empty():
    live = om.flow(total=passing.reduce(r.sum("amount"))).run()
    live["passing"].insert_many(ROWS)
    then = live.snapshot()
    for source in (live["passing"], live[passing], then["passing"]):
        for read in (
            len,
            list,
            lambda s: s.value,
            lambda s: s[1],
            lambda s: 1 in s,
            lambda s: s.items(),
            lambda s: s.to_arrow(),
        ):
            with pytest.raises(NeedsRow, match="keep=False"):
                read(source)
        assert "keeps no rows" in repr(source)
    with pytest.raises(NeedsRow):
        live["passing"].subscribe(print)
    with pytest.raises(TransactionRefused, match="snapshot"):
        then["passing"].insert(ROWS[0])
    assert live["total"].value == 3.5
