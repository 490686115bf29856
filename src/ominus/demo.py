"""The demo: a shop's feed of changes, and each view beside its recompute after each batch.

The feed keeps its own copy of the rows, so that the recompute reads nothing that the engine holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import ominus as om
from ominus import reducers as r

WIDTH = 29
SEED = 20
NAMES = "ada ben cleo dan eva fay gus hal ida jon kim leo mia ned ora pia quin rosa sam tess".split()
REGIONS = ("north", "south", "east", "west")
CATEGORIES = {"books": 14.0, "games": 35.0, "garden": 60.0, "music": 11.0, "tools": 80.0}


@dataclass(frozen=True)
class Order:
    """An order of a customer; `status` goes from open to paid, or to cancelled."""

    id: int
    customer: str
    category: str
    amount: float
    status: str = "open"


@dataclass(frozen=True)
class Customer:
    """A customer, who lives in one region at a time."""

    name: str
    region: str


orders: om.Table[int, Order] = om.source("orders", Order, key="id")
customers: om.Table[str, Customer] = om.source("customers", Customer, key="name")

_sold = orders.filter(lambda o: o.status != "cancelled")
_sales: Any = _sold.join(
    customers,
    left_on="customer",
    right_on="name",
    into=lambda o, c: om.record(region=c.region, category=o.category, amount=o.amount),
)
_regions = _sales.group_by("region")

SHOP = om.flow(
    revenue=_regions.reduce(r.sum("amount")),
    orders_in=_regions.count(),
    spread=_regions.reduce(low=r.min("amount"), p95=r.quantile(0.95, of="amount")),
    median=_sales.group_by("category").reduce(r.median("amount")),
    buyers=_sold.reduce(r.count_distinct("customer")),
    best=_sold.group_by("customer").reduce(r.sum("amount")).top(3),
    unknown=orders.join(customers, left_on="customer", right_on="name", how="anti").size(),
)
"""The views of the demo."""


@dataclass
class Batch:
    """One transaction: what it is about, and its changes to each source."""

    title: str
    orders: list[Any] = field(default_factory=list)
    customers: list[Any] = field(default_factory=list)


@dataclass
class Feed:
    """A shop that changes, always in the same way, and the rows as they then are."""

    chance: Random = field(default_factory=lambda: Random(SEED))
    orders: dict[int, Order] = field(default_factory=dict)
    customers: dict[str, Customer] = field(default_factory=dict)

    def batches(self) -> Iterator[Batch]:
        """Five batches; the rows are those after the batch that was given last."""
        yield self._opening()
        yield self._day()
        yield self._corrections()
        yield self._moves()
        yield self._everything()

    def _opening(self) -> Batch:
        for name in NAMES[:-1]:
            self.customers[name] = Customer(name, self.chance.choice(REGIONS))
        batch = Batch("the shop opens: 18 customers, 2,000 orders")
        batch.customers = [om.Insert(row) for row in self.customers.values()]
        batch.orders = self._placed(2_000, NAMES[:-1])
        return batch

    def _day(self) -> Batch:
        paid = [om.Update(self._changed(id, status="paid")) for id in self._some(15)]
        return Batch("30 orders come in, 15 are paid", [*self._placed(30, NAMES), *paid])

    def _corrections(self) -> Batch:
        dear = sorted(self.orders.values(), key=lambda o: -o.amount)[:5]
        batch = Batch("12 amounts are corrected, 8 orders cancelled, the 5 dearest deleted")
        batch.orders = [om.Delete(key=self.orders.pop(order.id).id) for order in dear]
        for id in self._some(12):
            amount = round(self.orders[id].amount * 0.9, 2)
            batch.orders.append(om.Update(self._changed(id, amount=amount)))
        for id in self._some(8):
            batch.orders.append(om.Update(self._changed(id, status="cancelled")))
        return batch

    def _moves(self) -> Batch:
        batch = Batch("ben and mia move east, tess signs up, gus leaves")
        for name in ("ben", "mia"):
            self.customers[name] = Customer(name, "east")
            batch.customers.append(om.Update(self.customers[name]))
        self.customers["tess"] = Customer("tess", "west")
        batch.customers.append(om.Insert(self.customers["tess"]))
        batch.customers.append(om.Delete(self.customers.pop("gus")))
        return batch

    def _everything(self) -> Batch:
        batch = Batch("a bit of everything in one transaction, gus back in the north")
        batch.orders = [om.Delete(key=self.orders.pop(id).id) for id in self._some(10)]
        batch.orders += [om.Update(self._changed(id, customer="ada")) for id in self._some(4)]
        batch.orders += self._placed(20, NAMES)
        self.customers["gus"] = Customer("gus", "north")
        batch.customers = [om.Upsert(self.customers["gus"])]
        return batch

    def _placed(self, n: int, names: list[str]) -> list[Any]:
        return [om.Insert(self._order(names)) for _ in range(n)]

    def _order(self, names: list[str]) -> Order:
        id = max(self.orders, default=0) + 1
        category = self.chance.choice(list(CATEGORIES))
        amount = round(CATEGORIES[category] * self.chance.lognormvariate(0, 0.5), 2)
        status = "open" if self.chance.random() < 0.3 else "paid"
        self.orders[id] = Order(id, self.chance.choice(names), category, amount, status)
        return self.orders[id]

    def _changed(self, id: int, **changes: Any) -> Order:
        self.orders[id] = replace(self.orders[id], **changes)
        return self.orders[id]

    def _some(self, n: int) -> list[int]:
        return self.chance.sample(sorted(self.orders), n)


def play(flow: om.Flow = SHOP, say: Callable[[str], Any] = print) -> bool:
    """Carry out the feed; whether every view was equal to its recompute after every batch."""
    feed, differed, compared = Feed(), 0, 0
    with flow.run() as live:
        for number, batch in enumerate(feed.batches(), start=1):
            live.apply(orders=batch.orders, customers=batch.customers)
            fresh = om.recompute(
                flow, orders=feed.orders.values(), customers=feed.customers.values()
            )
            equal = {name: bool(live[name] == fresh[name]) for name in flow}
            say(f"Batch {number}: {batch.title}\n")
            say(table([line(n, live[n], fresh[n], equal=equal[n]) for n in flow]))
            held = len(feed.orders) + len(feed.customers)
            changed = len(batch.orders) + len(batch.customers)
            say(
                f"\n{changed:,} rows changed, {held:,} held; "
                f"all operators together read {live.trail.rows:,} rows.\n"
            )
            compared += len(equal)
            differed += sum(not same for same in equal.values())
    say(summary(compared, differed))
    return differed == 0


def summary(compared: int, differed: int) -> str:
    """The last line of the demo."""
    if differed:
        return f"WRONG: {differed} of {compared} views differed from their recompute."
    return f"ok: {compared} times a view was compared with its recompute, and each was equal."


def line(name: str, kept: Any, fresh: Any, *, equal: bool) -> tuple[str, ...]:
    """A view, its recompute, and whether they are equal."""
    return name, told(kept), told(fresh), "ok" if equal else "DIFFERS"


def told(view: Mapping[Any, Any]) -> str:
    """The first entries of a view, as many as there is room for."""
    parts = [f"{_short(key)} {_short(value)}".strip() for key, value in _entries(view)]
    text = ", ".join(parts)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _entries(view: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return sorted(view.items(), key=lambda entry: repr(entry[0]))


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.2f}"
    if isinstance(value, om.Record):
        return "/".join(_short(part) for part in value)
    return "" if value == () else f"{value:,}" if isinstance(value, int) else str(value)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as aligned columns under their heads, at most 80 characters wide."""
    head = ("view", "maintained", "from scratch", "")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    lines = [head, tuple("-" * width for width in widths), *rows]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
             for row in lines]
    return "\n".join(shown)
