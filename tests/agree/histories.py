"""Histories: steps that change the sources of a flow, how they are drawn, and how they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import contents as model
import ominus as om
from contents import Contents
from ominus.algebra.change import ABSENT


@dataclass(frozen=True)
class Step:
    """A step of a history: changes of sources, sent in one way or another.

    `how` is alone, apply, each, many, caught (what is refused inside is caught), or abort.
    """

    how: str
    changes: tuple[tuple[str, Any], ...] = ()
    late: str = ""


# How a step is drawn, while the history is lived.


def draw_step(rng: Random, run: Any) -> Step:
    """A random step that mostly fits what the sources hold."""
    if run.program.late and rng.random() < 0.15:
        left = [n for n in run.program.late if n not in run.names]
        if left:
            return Step("extend", late=left[0])
    if not run.sources:
        return Step("apply")
    contents = run.contents.copy()
    chance = rng.random()
    count = 1 if chance < 0.4 else rng.randrange(1, 5) if chance < 0.85 else rng.randrange(4, 14)
    changes: list[tuple[str, Any]] = []
    for _ in range(count):
        changes += draw_changes(rng, run, contents)
    ways = ["apply", "apply", "each", "each", "many", "caught", "abort"]
    how = rng.choice(ways if rng.random() < 0.7 else ["apply", "each"])
    if len(changes) == 1 and rng.random() < 0.6:
        how = "alone"
    if how == "many":
        changes = [
            c
            for c in changes
            if not (isinstance(c[1], om.Update) and c[1].old is not ABSENT)
            and getattr(c[1], "sequence", ABSENT) is ABSENT
        ]
    if rng.random() < 0.05 and how != "many":
        name = rng.choice(run.sources)
        if name not in ("feed", "light"):
            changes.append((name, model.misfit(rng, contents, name)))
    return Step("each" if how == "alone" and len(changes) > 1 else how, tuple(changes))


def draw_changes(rng: Random, run: Any, contents: Contents) -> list[tuple[str, Any]]:
    """One change, or a few that belong together; `contents` moves along."""
    name = rng.choice(run.sources)
    found = []
    if rng.random() < 0.06:
        found = leaving(rng, name, contents)
    else:
        change = model.change(rng, contents, name)
        found = [(name, change)]
        if rng.random() < 0.08 and isinstance(change, om.Insert) and name != "feed":
            found.append((name, om.Delete(change.new)))
    for source, change in found:
        contents.apply(source, change)
    return found


def leaving(rng: Random, name: str, contents: Contents) -> list[tuple[str, Any]]:
    """Many rows leave at once: all, or about half."""
    if name == "feed":
        return []
    share = rng.choice([0.5, 1.0])
    return [(name, om.Delete(row)) for row in contents.rows(name) if rng.random() < share]


# How it is sent.


def runs(changes: list[tuple[str, Any]]) -> list[tuple[str, list[Any]]]:
    """Changes in runs of one source and one kind."""
    found: list[tuple[str, list[Any]]] = []
    for name, change in changes:
        if found and found[-1][0] == name and form(found[-1][1][-1]) == form(change):
            found[-1][1].append(change)
        else:
            found.append((name, [change]))
    return found


def form(change: Any) -> Any:
    return (
        type(change),
        getattr(change, "key", ABSENT) is ABSENT,
        getattr(change, "old", 0) is ABSENT,
    )


def send_many(source: Any, changes: list[Any]) -> None:
    first = changes[0]
    if isinstance(first, om.Insert):
        source.insert_many([c.new for c in changes])
    elif isinstance(first, om.Upsert):
        source.upsert_many([c.new for c in changes])
    elif isinstance(first, om.Update):
        source.update_many([c.new for c in changes])
    elif first.key is ABSENT:
        source.delete_many([c.old for c in changes])
    else:
        source.delete_many(keys=[c.key for c in changes])


def send_one(live: Any, name: str, change: Any) -> None:
    source = live[name]
    if isinstance(change, om.Insert):
        source.insert(change.new)
    elif isinstance(change, om.Upsert):
        source.upsert(change.new)
    elif isinstance(change, om.Update) and change.old is ABSENT:
        source.update(change.new)
    elif isinstance(change, om.Delete) and change.sequence is ABSENT:
        source.delete(key=change.key) if change.old is ABSENT else source.delete(change.old)
    else:
        live.apply(**{name: [change]})
