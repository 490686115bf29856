"""A leaderboard: scores come, are corrected and struck out; the best three stay right."""

from dataclasses import dataclass
from typing import Any

import ominus as om
from ominus import reducers as r


@dataclass(frozen=True)
class Run:
    id: int
    player: str
    track: str
    points: int


runs = om.source("runs", Run, key="id")
totals = runs.group_by("player").reduce(r.sum("points"))
flow = om.flow(
    podium=totals.top(3),
    records=runs.group_by("track").reduce(r.arg_max("points")),
    players=totals.size(),
)


def podium(live: Any) -> str:
    return ", ".join(f"{player} {points}" for player, points in live["podium"].items())


with flow.run() as live:
    live["runs"].insert_many(
        [
            Run(1, "ada", "river", 50),
            Run(2, "ben", "river", 70),
            Run(3, "cleo", "hill", 40),
            Run(4, "dan", "hill", 65),
            Run(5, "ada", "hill", 30),
        ]
    )
    print("after the first day: ", podium(live))
    assert podium(live) == "ada 80, ben 70, dan 65"

    live["runs"].update(Run(3, "cleo", "hill", 90))
    print("a lap was forgotten: ", podium(live))
    assert podium(live) == "cleo 90, ada 80, ben 70"

    live["runs"].delete(key=2)
    print("ben is disqualified: ", podium(live))
    assert podium(live) == "cleo 90, ada 80, dan 65"
    assert live["records"]["river"].player == "ada"
    assert live["players"].value == 3

    fresh = om.recompute(flow, runs=live["runs"].values())
    assert all(live[name] == fresh[name] for name in flow)
