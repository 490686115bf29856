"""The demo: a shop's feed of changes, and each view beside its recompute after each batch.

The feed keeps its own copy of the rows, so that the recompute reads nothing that the engine holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

import ominus as om
from ominus import reducers as r

WIDTH = 29
SEED = 20
NAMES = (
    *("ada", "ben", "cleo", "dan", "eva", "fay", "gus", "hal", "ida", "jon"),
    *("kim", "leo", "mia", "ned", "ora", "pia", "quin", "rosa", "sam", "tess"),
)
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


orders = om.source("orders", Order, key="id")
customers = om.source("customers", Customer, key="name")

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
        batch = Batch("the shop opens with 19 customers and 2,000 orders")
        batch.customers = [om.Insert(row) for row in self.customers.values()]
        batch.orders = self._placed(2_000, NAMES[:-1])
        return batch

    def _day(self) -> Batch:
        paid = [om.Update(self._changed(id, status="paid")) for id in self._some(15)]
        return Batch("30 orders come in, 15 are paid", [*self._placed(30, NAMES), *paid])

    def _corrections(self) -> Batch:
        dear = sorted(self.orders.values(), key=lambda o: -o.amount)[:5]
        batch = Batch("12 amounts corrected, 8 orders cancelled, the 5 dearest deleted")
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
        batch = Batch("a bit of everything in one transaction; gus is back")
        batch.orders = [om.Delete(key=self.orders.pop(id).id) for id in self._some(10)]
        batch.orders += [om.Update(self._changed(id, customer="ada")) for id in self._some(4)]
        batch.orders += self._placed(20, NAMES)
        self.customers["gus"] = Customer("gus", "north")
        batch.customers = [om.Upsert(self.customers["gus"])]
        return batch

    def _placed(self, n: int, names: tuple[str, ...]) -> list[Any]:
        return [om.Insert(self._order(names)) for _ in range(n)]

    def _order(self, names: tuple[str, ...]) -> Order:
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


@dataclass(frozen=True)
class Compared:
    """A view after a batch: as it is kept, as it is from scratch, and whether they are equal."""

    view: str
    maintained: str
    recomputed: str
    equal: bool


@dataclass(frozen=True)
class Step:
    """What a batch did: rows changed, rows held then, and values that the operators touched.

    `scratch` is what they touch when all that is held comes at once.
    """

    batch: int
    title: str
    changed: int
    held: int
    touched: int
    scratch: int
    views: tuple[Compared, ...]


def play(flow: om.Flow = SHOP) -> Iterator[Step]:
    """Carry out the feed on the engine; each batch as it is done."""
    feed = Feed()
    with flow.run() as live:
        for number, batch in enumerate(feed.batches(), start=1):
            live.apply(orders=batch.orders, customers=batch.customers)
            rows = {"orders": feed.orders.values(), "customers": feed.customers.values()}
            fresh = om.recompute(flow, **rows)
            yield Step(
                number,
                batch.title,
                changed=len(batch.orders) + len(batch.customers),
                held=sum(map(len, rows.values())),
                touched=live.trail.rows,
                scratch=touched_by(flow, rows),
                views=tuple(compared(name, live[name], fresh[name]) for name in flow),
            )


def touched_by(flow: om.Flow, rows: Mapping[str, Iterable[Any]]) -> int:
    """How many values all operators touch when these rows come at once."""
    with flow.run() as live:
        live.apply(**{source: map(om.Insert, given) for source, given in rows.items()})
        return int(live.trail.rows)


def compared(name: str, kept: Any, fresh: Any) -> Compared:
    """A view beside its recompute; equal is the whole of them, not what is shown."""
    return Compared(name, told(kept), told(fresh), bool(kept == fresh))


def report(say: Callable[[str], Any], *, flow: om.Flow = SHOP, as_json: bool = False) -> bool:
    """Say what each batch did; whether every view was equal to its recompute each time."""
    steps = []
    for step in play(flow):
        steps.append(step)
        if not as_json:
            say(text(step))
    views = [view for step in steps for view in step.views]
    differed = sum(not view.equal for view in views)
    if as_json:
        done = {"ok": not differed, "compared": len(views), "differed": differed}
        say(json.dumps({**done, "steps": [asdict(step) for step in steps]}, indent=2))
    else:
        say(summary(len(views), differed))
    return not differed


def summary(compared: int, differed: int) -> str:
    """The last line of the demo."""
    if differed:
        return f"WRONG: {differed} of {compared} views differ from their recompute."
    return f"ok: {compared} times a view was compared with its recompute, and each was equal."


def text(step: Step) -> str:
    """A batch as a table, and what it cost."""
    rows = [
        (view.view, view.maintained, view.recomputed, "ok" if view.equal else "DIFFERS")
        for view in step.views
    ]
    return (
        f"Batch {step.batch}: {step.title}\n\n"
        f"{table([('view', 'maintained', 'from scratch', ''), *rows])}\n\n"
        f"{step.changed:,} rows changed of {step.held:,}: "
        f"{step.touched:,} rows touched, {step.scratch:,} from scratch.\n"
    )


def told(view: Mapping[Any, Any]) -> str:
    """The first entries of a view, as many as there is room for."""
    found = sorted(view.items(), key=lambda entry: repr(entry[0]))
    parts = [f"{_short(key)} {_short(value)}".strip() for key, value in found]
    line = ", ".join(parts) or "none"
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _short(value: Any) -> str:
    if isinstance(value, int | float):
        return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
    if isinstance(value, om.Record):
        return "/".join(map(_short, value))
    return "" if value == () else str(value)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as aligned columns, the first one as their heads; at most 80 characters wide."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    ruled = [rows[0], tuple("-" * width for width in widths), *rows[1:]]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in ruled)
    return "\n".join(lines)
