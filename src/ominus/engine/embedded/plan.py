"""The plan: a flow's operators as nodes, in an order in which each comes after what it reads.

In a nutshell, a transaction:
1. sources turn what was written into a wave: what went, what came, what became another;
2. each node whose input changed turns the waves of its inputs into its own, in the plan's order;
3. the clock commits, and what every store saved tells subscribers what changed; or, if a function
   raised, every store takes back what it saved, and nothing has happened.

# Invariants
1. A node stands after all that it reads.
2. Between transactions no node has a wave and no store has saved anything.
3. An arrangement of one collection by one key is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ominus.algebra.select import Field, Item, Parts
from ominus.engine.embedded import (
    folds,
    joins,
    ranked,
    sources,
    stateless,
    tracked,
    views,
    watched,
)
from ominus.engine.embedded.arrange import Index, Keep, keep_bags
from ominus.engine.embedded.clock import Clock
from ominus.engine.embedded.lazily import Lazy
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import Bound
from ominus.engine.embedded.store import Bags, Cells, Store
from ominus.engine.embedded.wave import Wave
from ominus.errors import EngineRefuses, NeedsRow
from ominus.flow import ops
from ominus.flow.observer import Observer
from ominus.flow.ops import Kind, Op
from ominus.flow.same import Prints


class Plan:
    """The nodes of a flow, and the arrangements that they share."""

    def __init__(self, prints: Prints, observer: Observer | None = None) -> None:
        self.prints = prints
        self.observer = observer
        self.names: dict[int, tuple[str, ...]] = {}
        self.reads: dict[int, dict[str, Hashable]] = {}
        self.clock = Clock()
        self.nodes: list[Node] = []
        self.trusting = False
        self._by_op: dict[int, Node] = {}
        self._kept: dict[int, Node] = {}
        self._indexes: dict[Hashable, Index] = {}
        self._keys: dict[int, ranked.Keys] = {}
        self._late: list[tuple[Keep, Node]] = []

    def name(self, op: Op) -> str:
        """What an operator is called in a message: the view's name, or its verb."""
        return ", ".join(self.names.get(id(op), (op.verb,)))

    def node(self, op: Op) -> Node:
        """The node of an operator, made with all that it reads if it is not there."""
        found = self._by_op.get(id(op))
        if found is None:
            build = RULES.get(type(op))
            if build is None:
                raise EngineRefuses(
                    f"run {op.verb}",
                    "the embedded engine has no rule for it",
                    "See the table of engines.",
                )
            found = self._by_op[id(op)] = build(self, op)
            self._add(found)
        return found

    def _add(self, node: Any) -> Any:
        self.nodes.append(node)
        return node

    def keep(self, op: Op) -> Node:
        """The node that keeps a collection by its key."""
        node = self.node(op)
        if node.kept is not None:
            if isinstance(node, sources.Passing):
                raise NeedsRow(
                    f"keep the rows of {node.verb}",
                    "the source says keep=False",
                    "Leave keep=False out, or use a view that needs no rows.",
                )
            return node
        found = self._kept.get(id(op))
        if found is None:
            found = self._kept[id(op)] = self._add(Keep(self, op, node))
        return found

    def index(self, op: Op, on: Callable[..., Any]) -> Index:
        """The index of a collection by a part of its values; one for all that ask."""
        place = (id(op), self.prints.of(on))
        found = self._indexes.get(place)
        if found is None:
            found = self._indexes[place] = self._add(Index(self, op, self.node(op), on))
        return found

    def keys(self, op: Op) -> ranked.Keys:
        """The keys of a collection in order."""
        found = self._keys.get(id(op))
        if found is None:
            kept = self.keep(op)
            found = self._keys[id(op)] = self._add(ranked.Keys(self, op, kept))
        return found

    def rows(self, op: Op) -> Op:
        """A collection as its groups are meant: a table is read as rows."""
        if op.kind.shape != "table":
            return op
        kind = Kind("rows", value=op.kind.value)
        return self.prints.intern(ops.GroupBy(kind=kind, of=op, by=None, many=False))

    def keep_now(self, node: Node, asking: Node) -> Node:
        """The kept rows of a node, filled late: a reducer asked for a key's values after all.

        From the next transaction on they are kept before `asking` runs.
        """
        there = id(node.op) in self._kept
        kept = self.keep(node.op)
        if not isinstance(kept, Keep):
            return kept
        if not there:
            keep_bags(kept, kept.kept, self.content(node.op, kept=False))  # type: ignore[arg-type]
            kept.wave = node.wave
            self._late.append((kept, asking))
        elif kept.wave is None and kept.dirty():
            kept.wave = kept.step()
        if self.nodes.index(kept) > self.nodes.index(asking):
            self.nodes.remove(kept)
            self.nodes.insert(self.nodes.index(asking), kept)
        return kept

    def drop(self, nodes: list[Node]) -> None:
        """Forget nodes that were made in a transaction that is taken back."""
        gone = set(map(id, nodes))
        self.nodes = [node for node in self.nodes if id(node) not in gone]
        tables: list[Any] = [self._by_op, self._kept, self._indexes, self._keys]
        for table in tables:
            for place in [place for place, node in table.items() if id(node) in gone]:
                del table[place]

    def content(self, op: Op, *, kept: bool = True) -> Wave:
        """All that a collection holds now, from its store or, once, from the sources."""
        node = self._by_op[id(op)]
        store = node.kept
        if store is None and kept:
            store = getattr(self._kept.get(id(op)), "kept", None)
        if store is not None and not isinstance(node, sources.Passing):
            return stored(store)
        fresh = Plan(self.prints)
        target = fresh.node(op)
        for other in fresh.nodes:
            if isinstance(other, sources.Source):
                mine = self._by_op[id(other.op)]
                if isinstance(mine, sources.Passing):
                    raise NeedsRow(
                        f"the rows of {mine.verb}",
                        "the source says keep=False",
                        "Leave keep=False out, or define the view from the start.",
                    )
                other.wave = stored(mine.kept)
                if isinstance(other, sources.Table):
                    folds_into_table(other, other.wave)
                else:
                    keep_bags(other, other.kept, other.wave)  # type: ignore[arg-type]
        fresh.run(fresh.nodes, started=True)
        return target.wave or Wave()

    def run(self, nodes: list[Node], *, started: bool = False) -> None:
        """Step the nodes whose inputs changed, in order; new ones also start."""
        for node in list(nodes):
            node.counts = {}
            if node.wave is not None:
                continue
            first = node.start() if started else None
            if first is not None:
                node.wave = first
            elif node.dirty():
                node.wave = node.step()

    def fill(self, new: list[Node]) -> None:
        """Let new nodes see all that old ones hold as if it came now."""
        fresh = set(map(id, new))
        old = {id(i): i for node in new for i in node.inputs if id(i) not in fresh}
        pretending: list[Store] = []
        try:
            for node in old.values():
                node.wave = self.content(node.op, kept=id(self._kept.get(id(node.op))) not in fresh)
                if node.kept is not None:
                    node.kept.pretend_empty()
                    pretending.append(node.kept)
                if isinstance(node, ranked.Keys):
                    node.trees.pretend_empty()
                    pretending.append(node.trees)
            self.run(new, started=True)
        finally:
            for store in pretending:
                store.filled = None
            for node in old.values():
                node.wave = None

    def clear(self) -> None:
        """Forget a transaction that is over."""
        self._late = []
        for node in self.nodes:
            node.clear()

    def undo(self) -> None:
        """Put back what no store could, after an abort."""
        for kept, asking in self._late:
            self.drop([kept])
            asking.inputs = asking.inputs[:-1]
            asking.rows = None  # type: ignore[attr-defined]
        for node in self.nodes:
            node.undo()


def check(plan: Plan) -> None:
    """The invariants above, in their order; for tests."""
    places = {id(node): at for at, node in enumerate(plan.nodes)}
    for at, node in enumerate(plan.nodes):
        assert all(places[id(i)] < at for i in node.inputs), f"{node.verb} before what it reads"
    assert not plan.clock.touched, "a store is still open"
    for node in plan.nodes:
        assert node.wave is None, f"{node.verb} still has a wave"
        assert node.kept is None or (node.kept.saved is None and node.kept.filled is None)
    arranged = [
        (id(node.op), repr(node.on))
        for node in plan.nodes
        if isinstance(node, Index) and isinstance(node.on, Field | Item | Parts)
    ]
    assert len(set(arranged)) == len(arranged), "an index is there twice"


def stored(store: Any) -> Wave:
    """All that a store holds, as a wave that comes."""
    out = Wave()
    if isinstance(store, Cells):
        out.come = [(store.key_of(i), value, 1) for i, value in store.base.items()]
    else:
        assert isinstance(store, Bags)
        for i, bag in store.base.items():
            key = store.key_of(i)
            out.come += [(key, entry[0], entry[1]) for entry in bag.values()]
    return out


def folds_into_table(node: sources.Table, wave: Wave) -> None:
    """Write a table's rows as they are."""
    for key, row, _ in wave.come:
        node.put(key, row)


def _reads(plain: type[Node]) -> Callable[[Plan, Any], Node]:
    def build(plan: Plan, op: Any) -> Node:
        if op.reads is None:
            return plain(plan, op, plan.node(op.of))
        return tracked.Tracked(plan, op, plan.node(op.of), _read(plan, op.reads))

    return build


def _read(plan: Plan, op: Op) -> Node:
    return plan.node(op) if isinstance(op, ops.Lazy) else plan.keep(op)


def _plain(kind: type[Node]) -> Callable[[Plan, Any], Node]:
    return lambda plan, op: kind(plan, op, plan.node(op.of))


def _join(plan: Plan, op: ops.Join) -> Node:
    sides = [
        plan.keep(side) if on is None else plan.index(side, on)
        for side, on in ((op.left, op.left_on), (op.right, op.right_on))
    ]
    return joins.Join(plan, op, *sides)


def _reduce(plan: Plan, op: ops.Reduce) -> Node:
    of = plan.rows(op.of)
    source = plan.node(of)
    needs = op.reducer.inverse != "invertible" or op.reducer.mutates
    if plan.observer is not None:
        return watched.WatchedReduce(plan, op, source, plan.keep(of))
    return folds.Reduce(plan, op, source, plan.keep(of) if needs else None)


def _grouped(kind: type[Node]) -> Callable[[Plan, Any], Node]:
    return lambda plan, op: kind(plan, op, plan.keep(plan.rows(op.of)))


def _maintain(plan: Plan, op: ops.Maintain) -> Node:
    of = plan.rows(op.of)
    kind = folds.Maintain if plan.observer is None else watched.WatchedMaintain
    return kind(plan, op, plan.node(of), plan.keep(of))


def _slice(plan: Plan, op: ops.Slice) -> Node:
    bounds = {id(b): Bound(_read(plan, b), b) for r in op.ranges for b in r if isinstance(b, Op)}
    if not bounds:
        return ranked.Ranges(plan, op, plan.node(op.of))
    return ranked.Slice(plan, op, plan.keep(op.of), plan.keys(op.of), bounds)


def _whole(kind: type[Node]) -> Callable[[Plan, Any], Node]:
    return lambda plan, op: kind(plan, op, *[_read(plan, view) for view in op.of])


def _maintain_views(plan: Plan, op: ops.MaintainViews) -> Node:
    kind = views.MaintainViews if plan.observer is None else watched.WatchedMaintainViews
    return _whole(kind)(plan, op)


RULES: dict[type[Op], Callable[[Plan, Any], Node]] = {
    ops.Source: sources.source_node,
    ops.Literal_: sources.Literal,
    ops.Filter: _reads(stateless.Filter),
    ops.Map: _reads(stateless.Map),
    ops.FlatMap: _reads(stateless.FlatMap),
    ops.MapItems: _plain(stateless.MapItems),
    ops.Items: _plain(stateless.Items),
    ops.GroupBy: _plain(stateless.GroupBy),
    ops.Join: _join,
    ops.Union: lambda plan, op: stateless.Union(plan, op, *map(plan.node, op.of)),
    ops.Distinct: _grouped(folds.Distinct),
    ops.Reduce: _reduce,
    ops.Top: _plain(ranked.Top),
    ops.Slice: _slice,
    ops.Take: lambda plan, op: ranked.Take(plan, op, plan.keep(op.of), plan.keys(op.of)),
    ops.Size: lambda plan, op: ranked.Size(plan, op, plan.keep(op.of)),
    ops.Compute: _grouped(folds.Compute),
    ops.ComputeViews: _whole(views.ComputeViews),
    ops.Maintain: _maintain,
    ops.MaintainViews: _maintain_views,
    ops.Lazy: _whole(Lazy),
}
"""A rule for every operator: how its node is made."""
REFUSED: dict[type[Op], str] = {}
"""Operators that this engine does not run, with the reason."""
