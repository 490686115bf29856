"""An inventory fed by a queue that delivers late, twice and out of order."""

from dataclasses import dataclass
from itertools import permutations

import ominus as om
from ominus import reducers as r


@dataclass(frozen=True)
class Level:
    sku: str
    shelf: str
    stock: int
    at: int


levels = om.source("levels", Level, key="sku", sequence="at")
flow = om.flow(
    stock=levels.group_by("shelf").reduce(r.sum("stock")),
    low=levels.filter(lambda level: level.stock < 3),
    total=levels.reduce(r.sum("stock")),
)

told = [
    om.Upsert(Level("lamp", "a", 5, at=1)),
    om.Upsert(Level("rug", "a", 2, at=2)),
    om.Upsert(Level("lamp", "b", 4, at=3)),
    om.Delete(key="rug", sequence=4),
    om.Upsert(Level("vase", "b", 9, at=5)),
]


def after(messages: list[object]) -> dict[str, int]:
    """The stock of each shelf after these messages, each delivered twice."""
    with flow.run() as live:
        for message in messages:
            live.apply(levels=[message, message])
        assert "rug" not in live["levels"] and len(live["low"]) == 0
        return dict(live["stock"])


orders = [after(list(order)) for order in permutations(told)]
print(f"{len(orders)} orders of delivery, each message twice: {orders[0]}")
assert all(found == {"b": 13} for found in orders)

with flow.run() as live:
    live.apply(levels=told)
    live["levels"].upsert(Level("lamp", "a", 50, at=2))
    print("a late message changes nothing:", live["total"].value)
    assert live["total"].value == 13
