"""Operators that need an order: top, slice, take, size.

The order is kept in persistent counted trees, so the old one is there beside the new one, and a
change of d values in a group of any size touches those d values and d places at the edge.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT
from ominus.algebra.order import Reversed, order
from ominus.algebra.ordered import EMPTY, Ordered
from ominus.engine.embedded.arrange import Side
from ominus.engine.embedded.folds import _Results
from ominus.engine.embedded.joins import paired
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.wave import Item, Wave
from ominus.flow import ops

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan

Tree = Ordered[Any, Any]


class Top(Node):
    """Keeps each group (of a table: all its rows) in order; the last of the order is the best."""

    op: ops.Top

    def __init__(self, plan: Plan, op: ops.Top, source: Node) -> None:
        super().__init__(plan, op, source)
        self.trees = Cells(plan.clock)
        self.table = op.kind.shape == "table"

    def step(self) -> Wave:
        given = self.inputs[0].wave
        assert given is not None
        moved: dict[Hashable, tuple[Any, dict[Any, Any]]] = {}
        for sign, items in ((-1, given.leaving()), (1, given.joining())):
            for key, value, n in items:
                group = () if self.table else key
                place = self._place(key, value)
                places = moved.setdefault(identity(group), (group, {}))[1]
                by = places[place][1] if place in places else 0
                places[place] = ((key, value), by + sign * n)
        out = Wave()
        for i, (group, places) in moved.items():
            self._window(i, group, places, out)
        return paired(out) if self.table else out

    def _place(self, key: Any, value: Any) -> Any:
        try:
            best = self.op.by(value)
        except Exception as cause:
            raise self.failed(cause, value) from cause
        tie = (order(key), order(value)) if self.table else order(value)
        return (best, Reversed(tie))

    def _window(self, i: Hashable, group: Any, places: dict[Any, Any], out: Wave) -> None:
        old = new = self.trees.new(i) if i in self.trees.base else EMPTY
        for place, (item, by) in places.items():
            if by:
                new = new.change(place, item, by)
        if i not in self.trees.base:
            self.trees.admit(i, group)
        self.trees.put(i, new if new else ABSENT)
        affected = {place: item for place, (item, by) in places.items() if by}
        reach = sum(abs(by) for _, by in places.values())
        for tree in (old, new):
            affected.update(self._edge(tree, reach))
        for place, (key, value) in affected.items():
            by = self._within(new, place) - self._within(old, place)
            if by < 0:
                out.gone.append((key, value, -by))
            elif by > 0:
                out.come.append((key, value, by))
        self.count("places", len(affected))

    def _edge(self, tree: Tree, reach: int) -> dict[Any, Any]:
        """The entries within `reach` copies of the edge between kept and not kept."""
        edge = tree.total - self.op.n
        found: dict[Any, Any] = {}
        if not tree:
            return found
        at = tree.at(min(max(0, edge - reach), tree.total - 1))[3]
        for place, item, n in tree.entries_from(at):
            if at > edge + reach:
                break
            found[place] = item
            at += n
        return found

    def _within(self, tree: Tree, place: Any) -> int:
        """How many copies of an entry are among the n last."""
        there = tree.get(place)
        if there is None:
            return 0
        above = tree.total - tree.rank(place) - there[1]
        return max(0, min(there[1], self.op.n - above))


class Keys(Node):
    """The keys of a collection in the total order: what slices and takes look up."""

    def __init__(self, plan: Plan, op: ops.Op, kept: Node) -> None:
        super().__init__(plan, op, kept)
        self.trees = Cells(plan.clock)
        self.side = Side(kept)

    @property
    def verb(self) -> str:
        return f"keys of {self.op.verb}"

    def step(self) -> Wave:
        tree = self.tree()
        for i in self.side.touched():
            key = self.side.store.key_of(i)
            there = next(self.side.new(i), None) is not None
            place = order(key)
            tree = tree.put(place, i, 1 if there else 0)
        self.trees.put((), tree)
        return Wave()

    def dirty(self) -> bool:
        return bool(self.side.touched())

    def tree(self) -> Tree:
        """The keys now."""
        found: Tree = self.trees.base.get((), EMPTY)
        return found

    def old_tree(self) -> Tree:
        """The keys before this transaction."""
        found = self.trees.old(())
        return EMPTY if found is ABSENT else found


class Take(Node):
    """Reads the order of keys before and after; only keys at the edge and changed ones count."""

    op: ops.Take

    def __init__(self, plan: Plan, op: ops.Take, kept: Node, keys: Keys) -> None:
        super().__init__(plan, op, kept, keys)
        self.keys = keys
        self.side = Side(kept)

    def step(self) -> Wave:
        n, old, new = self.op.n, self.keys.old_tree(), self.keys.tree()
        touched = self.side.touched()
        affected: dict[Hashable, Any] = dict.fromkeys(touched)
        for tree in (old, new):
            for _, i, _ in _near(tree, n, len(touched)):
                affected.setdefault(i)
        out = Wave()
        for i in affected:
            place = order(self.side.store.key_of(i))
            was = place in old and old.rank(place) < n
            now = place in new and new.rank(place) < n
            cross(self.side, i, was, now, out)
        return paired(out) if self.op.kind.shape == "table" else out


def _near(tree: Tree, n: int, reach: int) -> list[tuple[Any, Any, int]]:
    found = []
    for left, entry in enumerate(tree.entries_from(max(0, n - reach))):
        if left > 2 * reach:
            break
        found.append(entry)
    return found


def cross(side: Side, i: Hashable, was: bool, now: bool, out: Wave) -> None:
    """The wave of one key that was within, or is now, or both."""
    if was and now:
        gone, come = side.net(i)
    else:
        gone = list(side.old(i)) if was else []
        come = list(side.new(i)) if now else []
    out.gone += [(key, value, n) for _, key, value, n in gone]
    out.come += [(key, value, n) for _, key, value, n in come]


class Ranges(Node):
    """A slice whose bounds are values: each key on its own, nothing kept."""

    op: ops.Slice

    def step(self) -> Wave:
        given = self.inputs[0].wave
        assert given is not None
        spans = [_span(lo, hi) for lo, hi in self.op.ranges]
        keeps = lambda item: within(spans, order(item[0]))
        return Wave(
            list(filter(keeps, given.gone)),
            list(filter(keeps, given.come)),
            list(filter(keeps, given.moved)),
        )


Span = tuple[Any, Any]
"""Sort keys of two bounds; ABSENT for none, and a span of (None, None) holds nothing."""


def _span(lo: Any, hi: Any) -> Span:
    return (lo if lo is ABSENT else order(lo), hi if hi is ABSENT else order(hi))


def within(spans: list[Span], place: Any) -> bool:
    """Whether a place lies in one of the spans."""
    return any(
        span != (None, None)
        and (span[0] is ABSENT or span[0] <= place)
        and (span[1] is ABSENT or place < span[1])
        for span in spans
    )


class Slice(Node):
    """A slice whose bounds are views: when one moves, only the keys that it crosses are touched."""

    op: ops.Slice

    def __init__(
        self, plan: Plan, op: ops.Slice, kept: Node, keys: Keys, bounds: dict[int, Any]
    ) -> None:
        nodes = [reader.node for reader in bounds.values()]
        super().__init__(plan, op, kept, keys, *nodes)
        self.keys = keys
        self.side = Side(kept)
        self.bounds = bounds
        self.was: list[Span] = []

    def step(self) -> Wave:
        spans_old = self._spans(old=True)
        spans_new = self._spans(old=False)
        affected: dict[Hashable, Any] = dict.fromkeys(self.side.touched())
        if spans_old != spans_new:
            for i in self._crossed(spans_old, spans_new):
                affected.setdefault(i)
        out = Wave()
        for i in affected:
            place = order(self.side.store.key_of(i))
            cross(self.side, i, within(spans_old, place), within(spans_new, place), out)
        self.count("keys", len(affected))
        return paired(out) if self.op.kind.shape == "table" else out

    def _spans(self, *, old: bool) -> list[Span]:
        return [self._bounded(lo, hi, old) for lo, hi in self.op.ranges]

    def _bounded(self, lo: Any, hi: Any, old: bool) -> Span:
        ends: list[Any] = []
        for bound in (lo, hi):
            if isinstance(bound, ops.Op):
                value = self.bounds[id(bound)].value(old=old)
                if value is ABSENT:
                    return (None, None)
                ends.append(order(value))
            else:
                ends.append(bound if bound is ABSENT else order(bound))
        return (ends[0], ends[1])

    def _crossed(self, old: list[Span], new: list[Span]) -> list[Hashable]:
        """The keys between neighbouring bounds where the two answers differ."""
        marks = sorted(
            {end for span in old + new if span != (None, None) for end in span if end is not ABSENT}
        )
        found: list[Hashable] = []
        tree = self.keys.tree()
        for lo, hi in zip([None, *marks], [*marks, None], strict=True):
            probe = lo if lo is not None else (-1,)
            if within(old, probe) != within(new, probe):
                found += [i for _, i, _ in tree.entries(lo, hi)]
        return found


class Size(_Results):
    """Counts the keys of its arrangement by those that appear and disappear."""

    op: ops.Size

    def __init__(self, plan: Plan, op: ops.Size, kept: Node) -> None:
        super().__init__(plan, op, kept)
        self.side = Side(kept)

    def step(self) -> Wave:
        by = 0
        for i in self.side.touched():
            by += next(self.side.new(i), None) is not None
            by -= self.side.was(i)
        out = Wave()
        i = identity(())
        old = self.kept.new(i)
        n = (0 if old is ABSENT else old) + by
        self.show(i, (), n if n else ABSENT, out)
        return out


__all__ = ["Bags", "Item", "Keys", "Ranges", "Size", "Slice", "Take", "Top"]
