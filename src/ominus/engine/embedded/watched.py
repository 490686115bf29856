"""Folds that are watched: after each step, what they keep is shown to an observer.

A watched fold keeps its rows, so that the value can be made from scratch.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT, Delete, Insert, Update
from ominus.algebra.multiset import Multiset, multiset_of
from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.value import canon, one
from ominus.engine.embedded.arrange import Keep
from ominus.engine.embedded.clock import Clock
from ominus.engine.embedded.folds import Maintain, Reduce, changes_of
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import reading
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.views import MaintainViews, view_changes
from ominus.engine.embedded.wave import Wave
from ominus.flow.observer import Kept
from ominus.flow.ops import Op

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class WatchedReduce(Reduce):
    """Shows each state that changed, with the fold of the key's rows."""

    def step(self) -> Wave:
        out = super().step()
        observer = self.plan.observer
        given = self.inputs[0].wave
        assert observer is not None and given is not None and self.rows is not None
        rows: Any = self.rows.kept
        for i in list(self.states.before()):
            state = self.states.new(i)
            if state is not ABSENT and observer.wants():
                changes = _of_key(given, i)
                before = multiset_of(dict(rows.old(i)))
                observer.look(self._kept(rows.key_of(i), before, changes, state[1]))
        return out

    def _kept(self, key: Any, before: Multiset[Any], changes: list[Any], state: Any) -> Kept:
        reducer = self.op.reducer

        def replay(n: int) -> tuple[Any, Any]:
            removed, added = _signs(changes[:n])
            after = (before - Multiset(removed)) + Multiset(added)
            if len(after) == len(added):
                # The engine starts afresh where nothing is left.
                return reducer.fold(added), reducer.fold(after)
            if reducer.remove is None and removed:
                return reducer.fold(after), reducer.fold(after)
            found = reducer.update(reducer.fold(before), removed=removed, added=added)
            scratch = reducer.fold(after)
            return (scratch if found is RECOMPUTE else found), scratch

        def same(a: Any, b: Any) -> bool:
            return reducer.equal(a, b) and one(canon(reducer.read(a)), canon(reducer.read(b)))

        return Kept(self.plan.name(self.op), repr(reducer), key, changes, state, replay, same)


class WatchedMaintain(Maintain):
    """Shows each value that changed, with the full function of its group."""

    def step(self) -> Wave:
        out = super().step()
        observer = self.plan.observer
        given, rows = self.inputs[0].wave, self.inputs[1].kept
        assert observer is not None and given is not None and isinstance(rows, Bags)
        for i in list(rows.before()) if self.op.check else ():
            found = self.kept.new(i)
            if found is not ABSENT and observer.wants():
                before = multiset_of(dict(rows.old(i)))
                if before:
                    observer.look(self._kept(rows.key_of(i), before, _of_key(given, i), found))
        return out

    def _kept(self, key: Any, before: Multiset[Any], changes: list[Any], found: Any) -> Kept:
        full, delta = self.op.full, self.op.delta

        def replay(n: int) -> tuple[Any, Any]:
            current = canon(full(before))
            for change in changes[:n]:
                current = _applied(delta, current, change)
                if current is RECOMPUTE:
                    break
            removed, added = _signs(changes[:n])
            scratch = canon(full((before - Multiset(removed)) + Multiset(added)))
            return (scratch if current is RECOMPUTE else current), scratch

        name = getattr(delta, "__name__", repr(delta))
        return Kept(self.plan.name(self.op), name, key, changes, found, replay, one)


class WatchedMaintainViews(MaintainViews):
    """Shows the value that changed, with the full function of the views."""

    def step(self) -> Wave:
        out = super().step()
        observer = self.plan.observer
        assert observer is not None
        if self.op.check and observer.wants():
            changes = [
                (n, change) for n, node in enumerate(self.inputs) for change in view_changes(node)
            ]
            names = [getattr(d, "__name__", repr(d)) for d in self.op.deltas]
            found = self.kept.new(identity(()))
            observer.look(
                Kept(
                    self.plan.name(self.op),
                    ", ".join(names),
                    (),
                    changes,
                    found,
                    lambda n: self._replay(changes[:n]),
                    one,
                )
            )
        return out

    def _replay(self, changes: list[tuple[int, Any]]) -> tuple[Any, Any]:
        """Both values after some changes, on copies of the views as they were before."""
        copies = [_copy(self.plan, node) for node in self.inputs]
        shown = [reading(copy, copy.op) for copy in copies]
        current = canon(self.op.full(*shown))
        for n, change in changes:
            if current is not RECOMPUTE:
                # Of this view the function is told the change; the others it reads.
                others = [view for m, view in enumerate(shown) if m != n]
                current = _applied(self.op.deltas[n], current, change, *others)
            _write(copies[n], change)
        scratch = canon(self.op.full(*shown))
        return (scratch if current is RECOMPUTE else current), scratch


def _applied(delta: Any, current: Any, change: Any, *others: Any) -> Any:
    from ominus.algebra.change import UNCHANGED

    found = delta(current, change, *others)
    if found is UNCHANGED:
        return current
    return found if found is RECOMPUTE else canon(found)


def _of_key(given: Wave, i: Hashable) -> list[Any]:
    return [change for key, change in changes_of(given) if identity(key) == i]


def _signs(changes: list[Any]) -> tuple[list[Any], list[Any]]:
    removed = [c.old for c in changes if isinstance(c, Delete | Update)]
    added = [c.new for c in changes if isinstance(c, Insert | Update)]
    return removed, added


def _copy(plan: Plan, node: Node) -> Keep:
    """A view as it was before the transaction, in a store of its own."""
    op: Op = node.op
    copy = Keep(plan, op, node)
    store: Any = node.kept
    mine: Any = (Cells if isinstance(store, Cells) else Bags)(Clock())
    mine.names, mine.raws = dict(store.names), dict(store.raws)
    keys = dict.fromkeys([*store.base, *store.before()])
    found = {i: store.old(i) for i in keys}
    mine.base = {
        i: dict(x) if isinstance(x, dict) and isinstance(mine, Bags) else x
        for i, x in found.items()
        if x is not ABSENT and x != {}
    }
    copy.kept = mine
    return copy


def _write(copy: Keep, change: Any) -> None:
    key = () if change.key is ABSENT else change.key
    removed, added = _signs([change])
    wave = Wave([(key, value, 1) for value in removed], [(key, value, 1) for value in added])
    copy.inputs = (_Told(copy.plan, copy.op, wave),)
    copy.step()


class _Told(Node):
    """A node whose wave is given."""

    def __init__(self, plan: Plan, op: Op, wave: Wave) -> None:
        super().__init__(plan, op)
        self.wave = wave
