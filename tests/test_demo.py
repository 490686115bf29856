"""The demo says what is so, the same each time, and fails where a view is wrong."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import ominus as om
from ominus import demo


@cache
def said(flow: om.Flow = demo.SHOP) -> tuple[bool, str]:
    lines: list[str] = []
    return demo.report(lines.append, flow=flow), "\n".join(lines)


def test_every_view_equals_its_recompute_after_every_batch() -> None:
    right, text = said()
    assert right
    assert text.splitlines()[-1].startswith("ok: 35 times")
    assert "DIFFERS" not in text


def test_the_demo_is_the_same_each_time() -> None:
    lines: list[str] = []
    demo.report(lines.append)
    assert "\n".join(lines) == said()[1]


def test_it_fits_in_eighty_columns() -> None:
    assert max(map(len, said()[1].splitlines())) <= 80


def test_a_batch_touches_far_less_than_all() -> None:
    steps = list(demo.play())
    assert steps[0].touched == steps[0].scratch
    assert all(step.touched < step.scratch / 5 for step in steps[1:])


def test_the_feed_updates_deletes_and_moves_customers() -> None:
    kinds: dict[str, set[str]] = {"orders": set(), "customers": set()}
    for batch in demo.Feed().batches():
        kinds["orders"] |= {type(change).__name__ for change in batch.orders}
        kinds["customers"] |= {type(change).__name__ for change in batch.customers}
    assert kinds["orders"] == {"Insert", "Update", "Delete"}
    assert kinds["customers"] == {"Insert", "Update", "Upsert", "Delete"}


def test_a_reducer_that_lies_is_seen_and_said() -> None:
    forgetful: Any = om.Reducer(0, lambda a, v: a + 1, lambda a, v: a)
    right, text = said(om.flow(n=demo.orders.reduce(forgetful), who=demo.customers))
    assert not right
    assert "DIFFERS" in text
    assert text.splitlines()[-1].startswith("WRONG: 4 of 10")


def test_as_data_it_says_the_same() -> None:
    lines: list[str] = []
    assert demo.report(lines.append, as_json=True)
    found = json.loads("".join(lines))
    assert found["ok"] and found["compared"] == 35
    assert [step["batch"] for step in found["steps"]] == [1, 2, 3, 4, 5]
