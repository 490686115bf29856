"""What is known with the plugin alone: the fields of records, and what a string names."""

from dataclasses import dataclass
from typing import NamedTuple, TypedDict, assert_type

import ominus as om
from ominus import reducers as r


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    amount: float
    paid: bool = False


class Customer(NamedTuple):
    name: str
    region: str


class Note(TypedDict):
    about: int
    text: str


orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")
notes = om.source("notes", Note)
sales = orders.join(
    customers,
    left_on="customer",
    right_on="name",
    into=lambda o, c: om.record(region=c.region, amount=o.amount),
).group_by("region")
stats = sales.reduce(orders=r.count(), mean=r.mean("amount"), low=r.min("amount"))
both = orders.join(customers, left_on="customer", right_on="name", into=om.record)
outer = orders.join(customers, left_on="customer", right_on="name", how="left", into=om.record)
share = r.record(s=r.sum(), n=r.count()).finish(lambda x: x.n)

# Keys
assert_type(orders, om.Table[int, Order])
assert_type(
    om.source("pairs", tuple[int, str], key=(0, 1)), om.Table[tuple[int, str], tuple[int, str]]
)
assert_type(orders.group_by("customer"), om.Groups[str, Order])
assert_type(orders.group_by("customer", "paid"), om.Groups[tuple[str, bool], Order])
assert_type(
    orders.group_by("customer", half=lambda o: o.amount / 2), om.Groups[tuple[str, float], Order]
)

# Values
assert_type(orders.map("amount"), om.Table[int, float])
assert_type(orders.map(("id", "customer")).map(1), om.Table[int, str])
assert_type(notes.map("text"), om.Rows[str])

# Reducers
assert_type(sales.reduce(r.sum("amount")), om.Table[str, float])
assert_type(orders.reduce(r.mean("amount")), om.Table[tuple[()], float | None])
assert_type(orders.reduce(r.sum("id", where="paid")), om.Table[tuple[()], int])
assert_type(orders.map("amount").reduce(r.sum()), om.Table[tuple[()], float])
assert_type(orders.reduce(r.first("amount", by="id")), om.Table[tuple[()], float | None])
assert_type(orders.map("amount").reduce(share), om.Table[tuple[()], int])


def read(live: om.Flow) -> None:
    with live.run() as running:
        row = running[stats]["north"]
        assert_type(row.orders, int)
        assert_type(row.mean, float | None)
        assert_type(row[2], float | None)
        for sale in running[sales]["north"]:
            assert_type(sale.region, str)
        for pair in running[both]:
            assert_type(pair.amount, float)
            assert_type(pair.region, str)
        for found in running[outer]:
            assert_type(found.amount, float)
            assert_type(found.region, str | None)


longer = om.record(om.record(a=1, b="x"), b=2.0, count=True)
assert_type(longer.a, int)
assert_type(longer.b, float)
assert_type(longer.count, bool)
