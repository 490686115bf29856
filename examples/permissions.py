"""Permissions: who may see which document, by membership in groups; revoking is one delete."""

from typing import NamedTuple

import ominus as om


class Member(NamedTuple):
    user: str
    team: str


class Grant(NamedTuple):
    team: str
    document: str


class Ban(NamedTuple):
    user: str
    document: str


members = om.source("members", Member)
grants = om.source("grants", Grant)
bans = om.source("bans", Ban)

granted = members.join(grants, on="team", into=lambda m, g: Ban(m.user, g.document)).distinct()
allowed = granted.join(bans, how="anti")
flow = om.flow(
    may_see=allowed.group_by("user").map("document"),
    readers=allowed.group_by("document").count(),
)

with flow.run() as live:
    live["grants"].insert_many([Grant("sales", "plan"), Grant("staff", "plan")])
    live["grants"].insert(Grant("staff", "menu"))
    live["members"].insert_many([Member("ada", "sales"), Member("ada", "staff")])
    live["members"].insert(Member("ben", "staff"))
    print(live["may_see"])
    assert list(live["may_see"]["ada"]) == ["menu", "plan"]

    # Two ways lead to the plan: losing one takes nothing away, so nobody hears of it.
    heard: list[object] = []
    live["may_see"].subscribe(heard.extend)
    live["members"].delete(Member("ada", "sales"))
    assert heard == []

    live["bans"].insert(Ban("ben", "plan"))
    print("\nben is banned from the plan:", *heard)
    assert live["readers"]["plan"] == 1

    live["members"].delete(Member("ada", "staff"))
    assert "ada" not in live["may_see"] and len(live["may_see"]["ada"]) == 0
    print("\n", live["may_see"], sep="")
