"""A dashboard of services: each tile hears what changed, once for each batch of requests."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import ominus as om
from ominus import reducers as r


class Request(NamedTuple):
    service: str
    status: int
    millis: float


requests = om.source("requests", Request)
by_service = requests.group_by("service")
flow = om.flow(
    load=by_service.count(),
    errors=by_service.reduce(
        r.record(bad=r.count(where=lambda q: q.status >= 500), all=r.count()).finish(
            lambda x: x.bad / x.all if x.all else 0.0
        )
    ),
    latency=by_service.reduce(r.quantile((0.5, 0.95), of="millis")),
)
tiles: dict[tuple[str, str], object] = {}


def redraw(changes: dict[str, list[om.Change]]) -> None:
    """Keep what is on the screen by the changes alone."""
    for tile, several in changes.items():
        for change in several:
            if change.new is om.ABSENT:
                del tiles[tile, change.key]
            else:
                tiles[tile, change.key] = change.new


def arriving(chance: Random) -> Iterator[Request]:
    for _ in range(40):
        status = chance.choice([200] * 9 + [503])
        yield Request(chance.choice(["cart", "search"]), status, chance.expovariate(0.02))


with flow.run() as live:
    live.subscribe(redraw, "load", "errors", "latency")
    chance, window = Random(3), []
    for _ in range(6):
        batch = list(arriving(chance))
        old = window.pop(0) if len(window) == 3 else []
        window.append(batch)
        with live.transaction():
            live["requests"].insert_many(batch)
            live["requests"].delete_many(old)

    shown = {(name, key): value for name in flow for key, value in live[name].items()}
    assert tiles == shown and live["load"]["cart"] + live["load"]["search"] == 120
    print(live["load"], live["errors"], live["latency"], sep="\n\n")
