"""Views as plain values that can be compared, and the changes that lead from one to another."""

from __future__ import annotations

from typing import Any

import ominus as om
from ominus.algebra.change import ABSENT
from ominus.algebra.value import ident
from ominus.testing import OnDemand

ASKED = [0, 1, 2, 3, "a", "b", None, (1, 2)]
"""The keys that lazy views are asked for, and by which absent keys are read."""


def told(view: Any, shape: str) -> dict[Any, Any]:
    """What a view holds, by identity."""
    if shape == "rows":
        return counted(view.value)
    if isinstance(view, OnDemand) or shape == "lazy":
        return {ident(key): ident(view[key]) for key in ASKED}
    if shape == "groups":
        return {ident(key): counted(group) for key, group in view.items()}
    return {ident(key): ident(value) for key, value in view.items()}


def counted(values: Any) -> dict[Any, int]:
    return {ident(value): n for value, n in values.counts()}


def applied(shape: str, before: dict[Any, Any], changes: Any) -> dict[Any, Any]:
    """A view after the changes that were told, each of which must fit and say something."""
    after = dict(before)
    seen = set()
    for change in changes:
        key = ident(change.key)
        assert key not in seen, f"two changes of {change.key!r}"
        seen.add(key)
        if shape == "table":
            _apply_change(after, key, change)
        else:
            _apply_group_change(shape, after, key, change)
    return after


def _apply_change(after: dict[Any, Any], key: Any, change: Any) -> None:
    assert type(change) is om.Change, f"{change!r} of a table"
    old, new = (ABSENT if v is ABSENT else ident(v) for v in (change.old, change.new))
    assert old != new, f"{change!r} says nothing"
    assert after.get(key, ABSENT) == old, f"{change!r}, where {after.get(key, ABSENT)!r} was"
    after.pop(key, None)
    if new is not ABSENT:
        after[key] = new


def _apply_group_change(shape: str, after: dict[Any, Any], key: Any, change: Any) -> None:
    assert type(change) is om.GroupChange, f"{change!r} of {shape}"
    gone, come = counted(change.removed), counted(change.added)
    assert gone or come, f"{change!r} says nothing"
    assert not set(gone) & set(come), f"{change!r} removes and adds the same"
    assert shape == "groups" or change.key == (), f"{change!r} of rows"
    group = dict(after) if shape == "rows" else dict(after.get(key, {}))
    for value, n in gone.items():
        assert group.get(value, 0) >= n, f"{change!r} removes what is not there"
        group[value] -= n
    for value, n in come.items():
        group[value] = group.get(value, 0) + n
    group = {value: n for value, n in group.items() if n}
    if shape == "rows":
        after.clear()
        after.update(group)
    elif group:
        after[key] = group
    else:
        after.pop(key, None)


def outcome(view: Any, key: Any) -> Any:
    """What reading a key gives, and whether it is there."""
    try:
        found = ident(view[key])
    except KeyError:
        found = KeyError
    return found, key in view, view.get(key, "nothing") == "nothing"


def best_first(shape: str, live: Any, true: Any) -> list[tuple[Any, Any]]:
    """What iterates best first, of both."""
    if shape == "groups":
        return [(live[key], true[key]) for key in true]
    return [(live, true)]


def show(view: Any, shape: str) -> str:
    return repr(
        view.value
        if hasattr(view, "counts") or shape == "rows" and hasattr(view, "value")
        else dict(view)
        if shape != "lazy"
        else {k: view[k] for k in ASKED}
    )
