"""What a user writes: every example of the surface, up to a reducer of one's own.

`mypy --strict`, with the plugin and without, and pyright pass on this file; it also runs.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, assert_type

import ominus as om
from ominus import reducers as r
from ominus.algebra.change import Absent
from ominus.flow.port import Live


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    category: str
    amount: float
    status: str = "open"
    paid: bool = False


@dataclass(frozen=True)
class Customer:
    name: str
    region: str


@dataclass(frozen=True)
class Click:
    page: str
    user: str


# Define

orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")
clicks = om.source("clicks", Click)
feed = om.source("feed", Order, key="id", sequence="amount")
trusted = om.source("trusted", Order, key="id", keep=False)
by_both = om.source("pairs", tuple[int, str], key=(0, 1))
anything = om.source("anything")

sales = (
    orders.filter(lambda o: o.status != "cancelled")
    .join(
        customers,
        left_on="customer",
        right_on="name",
        into=lambda o, c: om.record(region=c.region, amount=o.amount),
    )
    .group_by("region")
)

shop = om.flow(
    sales=sales,
    revenue=sales.reduce(r.sum("amount")),
    stats=sales.reduce(orders=r.count(), mean=r.mean("amount"), p95=r.quantile(0.95, of="amount")),
    total=orders.reduce(r.sum("amount")),
    best=orders.group_by("category").top(3, by="amount"),
    clicks=clicks,
)

# The other operators, and the other ways to write these

amounts = orders.map(lambda o: o.amount)
total_of_all: om.Table[tuple[()], float] = orders.reduce(r.sum(lambda o: o.amount))
names: om.Rows[str] = clicks.map(lambda c: c.user).union(customers.map(lambda c: c.name)).distinct()
letters: om.Rows[str] = names.flat_map(lambda name: list(name))
by_page = clicks.group_by("page")
by_length: om.Groups[int, Click] = clicks.group_by(lambda c: len(c.page))
by_two = clicks.group_by("page", "user")
by_computed = clicks.group_by("page", first=lambda c: c.user[:1])
forgotten: om.Rows[Click] = by_page.group_by()
windows = om.source("views", dict[str, Any]).group_by("page", om.window("time", "1h"))
paired: om.Rows[tuple[Order, Customer | None]] = orders.join(
    customers, left_on="customer", right_on="name", how="left"
)
regions: om.Rows[str | None] = orders.join(
    customers,
    left_on=lambda o: o.customer,
    right_on=lambda c: c.name,
    how="left",
    into=lambda o, c: c.region if c is not None else None,
)
both: om.Rows[om.Record] = orders.join(
    customers, left_on="customer", right_on="name", into=om.record
)
buyers: om.Table[Any, Customer] = customers.join(orders, right_on="customer", how="semi")
silent: om.Table[Any, Customer] = customers.join(orders, right_on="customer", how="anti")
crossed: om.Rows[tuple[Order, Customer]] = orders.join(customers, on=())
same = orders.join(
    feed, on=("customer", "id"), match_none=True, into=lambda a, b: a.amount - b.amount
)
counted = by_length.count().join(by_length, into=lambda n, click: (n, click.page))
marked = orders.map_items(lambda key, order: (key, order.status))
as_rows = orders.items()
some = orders.slice(3, 7)
open_end = orders.slice(hi=7)
several = orders.slices((0, 3), (7, 9))
first_two = orders.take(2)
how_many: om.Table[tuple[()], int] = orders.size()
rich = sales.reduce(r.sum("amount")).filter(lambda amount: amount > 100)
latest = clicks.top(3, by=om.desc("page"))
widest: om.Table[int, int] = by_length.compute(lambda group: len(group.distinct()))
spread = om.compute(lambda a, b: (len(a), len(b)), orders, customers)
rates = om.literal([("north", 2.0), ("south", 3.0)])
named = orders.map(lambda o, people: people.get(o.customer), reads=customers)


def insert_amount(
    current: float, change: om.Insert[Order] | om.Delete[Order] | om.Update[Order]
) -> float:
    if isinstance(change, om.Insert):
        return current + change.new.amount
    return current


kept = orders.maintain(lambda group: sum(o.amount for o in group), insert_amount)
lengths = om.maintain(
    lambda a, b: len(a) - len(b),
    clicks,
    customers,
    delta=(lambda n, change, b: n + 1, lambda n, change, a: n - 1),
)


def fibonacci(key: int, own: Any) -> int:
    return key if key < 2 else int(own[key - 1] + own[key - 2])


shown: str = shop.show() + shop.show("mermaid") + sales.show()
numbers = om.lazy(fibonacci)
asked = clicks.map(lambda c, found: found[len(c.page)], reads=numbers)

# What is known of them, whoever checks

pages = clicks.map(lambda c: c.page)
assert_type(pages, om.Rows[str])
assert_type(by_length, om.Groups[int, Click])
assert_type(by_length.map(lambda c: c.user), om.Groups[int, str])
assert_type(by_length.flat_map(lambda c: c.user.split()), om.Groups[int, str])
assert_type(by_length.count(), om.Table[int, int])
assert_type(by_length.top(2, by="user").distinct(), om.Groups[int, Click])
assert_type(
    clicks.group_by(lambda c: c.page, lambda c: len(c.user)), om.Groups[tuple[str, int], Click]
)
assert_type(pages.count(), om.Table[tuple[()], int])
assert_type(by_length.reduce(r.min(lambda c: c.user)), om.Table[int, str | None])
assert_type(by_length.reduce(r.count_distinct("user")), om.Table[int, int])
assert_type(by_length.reduce(r.mean(lambda c: len(c.page))), om.Table[int, float | None])
assert_type(by_length.reduce(r.top(2, by="user")), om.Table[int, tuple[Click, ...]])
assert_type(pages.join(clicks, right_on="page"), om.Rows[tuple[str, Click]])
assert_type(
    pages.join(clicks, right_on="page", how="full"), om.Rows[tuple[str | None, Click | None]]
)
assert_type(pages.join(clicks, right_on="page", how="semi"), om.Rows[str])
assert_type(
    pages.join(clicks, right_on="page", into=lambda p, c: len(p) + len(c.user)), om.Rows[int]
)
assert_type(by_length.join(by_length, into=lambda a, b: a.page), om.Groups[int, str])
assert_type(by_length.count().join(by_length.count()), om.Table[int, tuple[int, int]])
assert_type(pages.compute(len), om.Table[tuple[()], int])
assert_type(spread, om.Table[tuple[()], tuple[int, int]])
assert_type(rates, om.Rows[tuple[str, float]])


# Run, change, read


def run(rows: list[Order], a: Order, b: Order, d: Order, e: Order) -> None:
    with shop.run() as live:
        live["orders"].insert(Order(1, "ada", "books", 30.0))
        live[orders].insert(Order(2, "ada", "books", 30.0))
        live["orders"].update(Order(1, "ada", "books", 35.0))
        live[orders].upsert(a)
        live[orders].delete(key=1)
        live[clicks].delete(Click("home", "ada"), missing_ok=True)
        with live.transaction():
            live[customers].insert(Customer("ada", "north"))
            live[orders].insert_many(rows)
        live[orders].delete_many(keys=[row.id for row in rows])
        live[orders].delete_many([Order(2, "ada", "books", 30.0)], missing_ok=True)
        live[orders].upsert_many([a, b, e, Order(7, "ada", "books", 1.0)])
        version: int = live.apply(
            orders=[om.Update(b), om.Upsert(d), om.Delete(e), om.Delete(key=7)]
        )
        print(version, live["revenue"].get("north"), live["total"].value, live["sales"]["north"])

        heard = live["revenue"].subscribe(print)
        heard.close()
        told = live.subscribe(print, "best", "total")
        told.close()
        then = live.snapshot()
        live.extend(top=orders.top(5, by="amount"))
        print(live["stats"], live.explain(), live.trail, then["total"].value)
        print(om.recompute(shop, orders=rows, customers=[Customer("ada", "north")])["revenue"])

        order: Order = live[orders][a.id]
        found: Order | None = live[orders].get(99)
        amount: float = order.amount
        pages: list[str] = [click.page for click in live[clicks]]
        many: int = live[clicks].count(Click("home", "ada")) + len(live[clicks].value)
        total: Any = live["total"].value
        print(found, amount, pages, many, total)
        for key, row in live[orders].items():
            print(key, row.amount)


async def listen(most: int) -> list[Order | None]:
    heard: list[Order | None] = []
    with shop.run() as live:
        live[orders].insert(Order(3, "ada", "books", 30.0))
        async for change in live[orders].stream(key=3, initial=True):
            heard.append(None if isinstance(change.new, Absent) else change.new)
            if len(heard) == most:
                break
    return heard


def tables(running: Live) -> list[Any]:
    return [running["stats"].to_arrow(), running[orders].to_pandas(), running[clicks].to_polars()]


def typed_reads(running: Live) -> Iterator[int]:
    group: om.Multiset[Click] = running[by_length][4]
    yield len(group)
    yield running[widest][4]
    yield running[how_many].value
    yield running[numbers][10]
    running[total_of_all].subscribe(lambda changes: print(changes[0].key, changes[0].new))


# Reducers and their contract

total = om.Reducer(init=0, add=lambda a, v: a + v, remove=lambda a, v: a - v)
fifteen = total.fold([3, 5, 7])
twelve = total.update(15, removed=[5], added=[2])
low = om.Reducer(
    init=None,
    add=lambda a, v: v if a is None else min(a, v),
    remove=lambda a, v: a if v > a else om.RECOMPUTE,
)
mean = r.record(s=r.sum(), n=r.count()).finish(lambda x: x.s / x.n if x.n else None)
paid = r.sum("amount", where=lambda o: o.paid)
by_status = r.group("status", r.count())

whole = om.Reducer(init=0, add=lambda a, v: a + v, remove=lambda a, v: a - v, values=int)
exact = om.Reducer(init=0, add=lambda a, v: a + v, remove=lambda a, v: a - v, values=float)
of_field = om.Reducer(init=0, add=lambda a, v: a + v, of="amount", where=lambda o: o.paid)
distinct = om.Reducer(frozenset, lambda a, v: a | {v}, finish=len, mutates=True, values=str)

uses = om.flow(
    total=amounts.reduce(total),
    low=amounts.reduce(low),
    mean=amounts.reduce(mean),
    paid=orders.reduce(paid),
    by_status=orders.reduce(by_status),
    exact=amounts.reduce(exact),
    whole=orders.map(lambda o: o.id).reduce(whole),
    of_field=orders.reduce(of_field),
    names=names.reduce(distinct),
)

reducers_of_orders = [
    orders.reduce(r.mean(lambda o: o.amount)),
    orders.reduce(r.variance(lambda o: o.amount, ddof=0)),
    orders.reduce(r.median("amount", skip_none=True)),
    orders.reduce(r.min(lambda o: o.amount, keep="one")),
    orders.reduce(r.arg_max("amount")),
    orders.reduce(r.set(lambda o: o.category)),
    orders.reduce(r.count_distinct("customer")),
    orders.reduce(r.weighted_mean("amount", lambda o: o.id)),
    orders.reduce(r.regression("id", "amount")),
    orders.reduce(r.top(3, by=om.desc("amount"))),
    orders.reduce(r.first("customer", by="id")),
    orders.reduce(r.histogram("amount", edges=[0, 10, 100])),
    orders.reduce(r.frequencies(lambda o: o.status)),
    orders.reduce(r.group(lambda o: o.status, r.sum(lambda o: o.amount))),
    orders.reduce(r.approx_quantile((0.5, 0.9), of="amount")),
    amounts.reduce(r.product()),
]
highest: om.Table[tuple[()], Order | None] = orders.reduce(r.arg_max(lambda o: o.amount))
average: om.Table[tuple[()], float | None] = orders.reduce(r.mean(lambda o: o.amount))

if __name__ == "__main__":
    first, second, third, fourth = (Order(i, "ada", "books", 10.0 * i) for i in range(11, 15))
    run(
        [Order(21, "ada", "books", 1.0), Order(22, "bob", "food", 2.0)],
        first,
        second,
        third,
        fourth,
    )
    assert asyncio.run(listen(1)) == [Order(3, "ada", "books", 30.0)]
