"""Work is counted: what a change touches, whatever there is."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import ominus as om
from ominus import reducers as r
from ominus.engine.embedded.arrange import Side


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    region: str
    amount: float


@dataclass(frozen=True)
class Customer:
    name: str
    tier: int


orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")


def many(n: int, *, regions: int = 1) -> list[Order]:
    return [Order(i, f"c{i % 50}", f"r{i % regions}", float(i)) for i in range(n)]


def counting() -> tuple[om.Reducer, dict[str, int]]:
    calls = {"add": 0, "remove": 0}

    def add(a, v):
        calls["add"] += 1
        return a + v.amount

    def remove(a, v):
        calls["remove"] += 1
        return a - v.amount

    return om.Reducer(0.0, add, remove), calls


def test_calls_of_add_and_remove_are_the_size_of_the_delta():
    reducer, calls = counting()
    live = om.flow(total=orders.group_by("region").reduce(reducer)).run()
    live["orders"].insert_many(many(10_000))
    calls.update(add=0, remove=0)
    with live.transaction():
        live["orders"].delete(key=0)
        live["orders"].update(Order(1, "c1", "r0", 7.0))
        live["orders"].insert(Order(10_000, "c1", "r0", 3.0))
    assert calls == {"add": 2, "remove": 2}
    assert (live.trail.total("adds"), live.trail.total("removes")) == (2, 2)


@pytest.mark.parametrize("size", [10, 10_000])
def test_one_row_of_a_group_of_any_size_touches_as_many_accumulators(size):
    flow = om.flow(
        total=orders.group_by("region").reduce(r.sum("amount")),
        low=orders.group_by("region").reduce(r.min("amount")),
        spread=orders.group_by("region").reduce(n=r.count(), p50=r.median("amount")),
        best=orders.group_by("region").top(3, by="amount"),
        tiers=orders.join(customers, left_on="customer", right_on="name").reduce(r.count()),
        names=orders.map("customer").distinct(),
        how_many=orders.size(),
        first=orders.take(3),
    )
    live = flow.run()
    live["customers"].insert_many([Customer(f"c{i}", i) for i in range(50)])
    live["orders"].insert_many(many(size))
    live["orders"].update(Order(5, "c5", "r0", 0.5))
    trail = live.trail
    assert trail.total("keys") <= 8
    assert trail.total("refolded") == 0
    assert trail.total("places") <= 20
    assert trail.rows <= 60


def test_what_a_change_touches_does_not_depend_on_the_base():
    rows = []
    for size in (100, 10_000):
        live = om.flow(
            total=orders.group_by("region").reduce(r.sum("amount")),
            tiers=orders.join(
                customers, left_on="customer", right_on="name", into=lambda o, c: c.tier
            ).distinct(),
        ).run()
        live["customers"].insert_many([Customer(f"c{i}", i) for i in range(50)])
        live["orders"].insert_many(many(size, regions=7))
        live["orders"].insert(Order(-1, "c3", "r3", 2.0))
        rows.append((live.trail.rows, live.trail.total("pairs")))
    assert rows[0] == rows[1]


def test_removing_the_extreme_of_keep_one_folds_that_key_alone():
    live = om.flow(low=orders.group_by("region").reduce(r.min("amount", keep="one"))).run()
    live["orders"].insert_many(many(1_000, regions=10))
    live["orders"].delete(key=999)
    assert live.trail.total("refolded") == 0
    live["orders"].delete(key=0)
    assert live.trail.total("refolded") == 99
    assert live["low"]["r0"] == 10.0


def test_an_index_is_built_once_however_many_joins_use_it():
    flow = om.flow(
        **{
            f"view{i}": orders.join(
                customers,
                left_on="customer",
                right_on="name",
                into=lambda o, c, i=i: (o.id, c.tier, i),
            )
            for i in range(5)
        }
    )
    live = flow.run()
    indexes = [line for line in live.explain().splitlines() if line.strip().startswith("index")]
    assert len(indexes) == 2


def test_the_same_sub_flow_written_twice_is_one_operator():
    def paid():
        return orders.filter(lambda o: o.amount > 3).group_by("region")

    flow = om.flow(
        a=paid().reduce(r.sum("amount")), b=paid().reduce(r.sum("amount")), c=paid().count()
    )
    assert flow.views["a"] is flow.views["b"]
    assert len([op for op in flow.order() if op.verb == "filter"]) == 1


def test_sub_flows_that_differ_in_a_closure_value_are_two():
    def above(least):
        return orders.filter(lambda o: o.amount > least)

    flow = om.flow(a=above(1), b=above(2), c=above(1.0))
    assert len({id(op) for op in flow.views.values()}) == 3


def test_an_unchanged_result_emits_nothing():
    live = om.flow(many=orders.reduce(r.count()).map(lambda n: n > 0)).run()
    heard = []
    live["many"].subscribe(heard.append)
    live["orders"].insert_many(many(3))
    live["orders"].delete(key=1)
    live["orders"].update(Order(0, "c0", "r0", 99.0))
    assert heard == [[om.Change((), om.ABSENT, True)]]


def test_a_bound_that_moves_touches_only_what_it_crosses():
    levels = om.source("levels", int, key=None)
    bound = levels.reduce(r.max())
    live = om.flow(above=orders.slice(bound)).run()
    live["levels"].insert(0)
    live["orders"].insert_many(many(5_000))
    live["levels"].insert(3)
    assert live.trail.of("slice")[0].counts["keys"] == 3
    assert len(live["above"]) == 4_997
    assert 2 not in live["above"] and 3 in live["above"]


def test_a_read_of_another_view_is_tracked_by_key():
    calls = []

    def priced(order, tiers):
        calls.append(order.id)
        return tiers.get(order.customer, Customer("", 0)).tier * order.amount

    live = om.flow(priced=orders.map(priced, reads=customers)).run()
    live["orders"].insert_many(many(500))
    calls.clear()
    live["customers"].insert(Customer("c7", 2))
    assert len(calls) == 10 and {i % 50 for i in calls} == {7}


@pytest.mark.parametrize("how", ["inner", "left", "right", "full", "semi", "anti"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_join_does_not_look_at_the_rows_that_stay(how, turned, monkeypatch):
    looked = []
    entries = Side._entries

    def counted(self, j, bag):
        for found in entries(self, j, bag):
            looked.append(found)
            yield found

    sides = [(orders, "customer"), (customers, "name")]
    (left, left_on), (right, right_on) = reversed(sides) if turned else sides
    live = om.flow(x=left.join(right, left_on=left_on, right_on=right_on, how=how)).run()
    live["customers"].insert(Customer("ada", 1))
    live["orders"].insert_many([Order(i, "ada", "north", 1.0) for i in range(1_000)])
    monkeypatch.setattr(Side, "_entries", counted)
    live["orders"].update(Order(7, "ada", "north", 2.0))
    assert len(looked) <= 10


def test_one_change_of_many_buckets_reads_only_what_differs():
    shown = []

    def seen(state):
        shown.append(state)
        return state

    totals = r.group("customer", r.sum("amount").finish(seen))
    live = om.flow(totals=orders.group_by("region").reduce(totals)).run()
    live["orders"].insert_many([Order(i, f"c{i}", "r0", float(i)) for i in range(2_000)])
    shown.clear()
    live["orders"].update(Order(7, "c7", "r0", 1.5))
    assert len(shown) <= 4
    assert live["totals"]["r0"]["c7"] == 1.5


def test_a_bucket_that_turns_from_an_int_into_a_float_is_told():
    last = om.Reducer(None, lambda a, v: v.amount, lambda a, v: om.RECOMPUTE)
    live = om.flow(last=orders.group_by("region").reduce(r.group("customer", last))).run()
    heard = []
    live["last"].subscribe(heard.extend)
    with_int = Order(1, "c", "r0", 1.0)
    live["orders"].insert(with_int)
    live["orders"].insert(Order(2, "c", "r0", 2.0))
    assert [repr(change.new) for change in heard] == ["{'c': 1.0}", "{'c': 2.0}"]
