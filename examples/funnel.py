"""A conversion funnel: how many users reached each stage, and what share of the stage before."""

from itertools import pairwise
from typing import NamedTuple

import ominus as om
from ominus import reducers as r

STAGES = ("visit", "cart", "order")


class Step(NamedTuple):
    user: str
    stage: str
    country: str


def shares(reached: om.Record) -> om.Record:
    """What share of each stage went on to the next."""
    return om.record(
        **{
            f"{before}_to_{after}": round(reached[i + 1] / reached[i], 2) if reached[i] else None
            for i, (before, after) in enumerate(pairwise(STAGES))
        }
    )


def reached(stage: str) -> om.Reducer:
    return r.count_distinct("user", where=lambda step: step.stage == stage)


steps = om.source("steps", Step)
stages = r.record(**{stage: reached(stage) for stage in STAGES})
flow = om.flow(
    funnel=steps.group_by("country").reduce(stages),
    rates=steps.group_by("country").reduce(stages).map(shares),
)

with flow.run() as live:
    live["steps"].insert_many(
        Step(f"{country}{n}", stage, country)
        for country, counts in {"de": (8, 4, 1), "fr": (5, 5, 3)}.items()
        for stage, count in zip(STAGES, counts, strict=True)
        for n in range(count)
    )
    print(live["funnel"], live["rates"], sep="\n\n")
    assert live["rates"]["de"] == om.record(visit_to_cart=0.5, cart_to_order=0.25)

    # A user asks to be forgotten: all steps go, every number follows.
    forgotten = [step for step in live["steps"] if step.user == "de0"]
    live["steps"].delete_many(forgotten)
    print("\nde0 is forgotten:", live["rates"]["de"])
    assert live["funnel"]["de"] == om.record(visit=7, cart=3, order=0)
    assert live["rates"]["de"] == om.record(visit_to_cart=0.43, cart_to_order=0.0)
