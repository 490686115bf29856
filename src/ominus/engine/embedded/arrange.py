"""What is kept so that others can look it up: a collection by its key, or by a part of its values.

An arrangement is built once, however many operators read it.
After its step, its store knows both states: `new`, and `old` as it was before the transaction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT
from ominus.algebra.value import canon, ident
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import PLAIN, Bags, Cells, identity
from ominus.engine.embedded.wave import Wave
from ominus.errors import KeyPresent, NotDeterministic, OminusError, RowAbsent
from ominus.flow.ops import Op

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan

Found = tuple[Hashable, Any, Any, int]
"""One match: its identity, its key, its value, and how many copies there are."""


class Keep(Node):
    """A collection by its key: a table's values, or a multiset for each key."""

    def __init__(self, plan: Plan, op: Op, source: Node) -> None:
        super().__init__(plan, op, source)
        self.kept: Cells | Bags = (Cells if op.kind.shape == "table" else Bags)(plan.clock)

    @property
    def verb(self) -> str:
        return f"keep {self.op.verb}"

    def step(self) -> Wave:
        given = self.inputs[0].wave
        assert given is not None
        if isinstance(self.kept, Cells):
            keep_table(self, self.kept, given)
        else:
            keep_bags(self, self.kept, given)
        return given


def keep_table(node: Node, store: Cells, given: Wave) -> None:
    """Apply a wave to a table."""
    for key, _, _ in given.gone:
        store.put(identity(key), ABSENT)
    for key, _, new in given.moved:
        store.put(identity(key), new)
    for key, value, _ in given.come:
        i = identity(key)
        if i in store.base:
            raise KeyPresent(
                f"{node.verb}: {value!r} at key {key!r}",
                f"{store.base[i]!r} is there, and a table has one value for each key",
                "Group the collection instead: group_by(...).",
            )
        store.admit(i, key)
        store.put(i, value)


def keep_bags(node: Node, store: Bags, given: Wave) -> None:
    """Apply a wave to multisets."""
    for key, value, n in given.leaving():
        left = store.shift(identity(key), identity(value), value, -n)
        if left < 0:
            raise missing(node, key, value)
    for key, value, n in given.joining():
        i = identity(key)
        if i not in store.base:
            store.admit(i, key)
        store.shift(i, identity(value), value, n)


def missing(node: Node, key: Any, value: Any) -> OminusError:
    """The error for a value that goes but is not there."""
    if node.plan.trusting:
        return RowAbsent(
            f"remove {value!r}",
            f"{node.verb} does not hold it" + (f" at key {key!r}" if key != () else ""),
            "A source with keep=False takes removed rows on trust: remove only what was added.",
        )
    return NotDeterministic(
        f"{node.verb}: remove {value!r}" + (f" at key {key!r}" if key != () else ""),
        "it is not there, so a function before it gave another answer than when the row came",
        "Functions must depend on the row alone: no clock, no randomness, no outside state.",
    )


class Index(Node):
    """A collection by a part of its values: what a join looks up."""

    kept: Bags

    def __init__(self, plan: Plan, op: Op, source: Node, on: Any) -> None:
        super().__init__(plan, op, source)
        self.kept = Bags(plan.clock)
        self.on = on

    @property
    def verb(self) -> str:
        return f"index {self.op.verb}"

    def step(self) -> Wave:
        given = self.inputs[0].wave
        assert given is not None
        on, store, rows = self.on, self.kept, self.op.kind.shape == "rows"
        for sign, items in ((-1, given.leaving()), (1, given.joining())):
            for key, value, n in items:
                j = self._at(on, value)
                v = identity(value)
                if not rows:
                    v = (identity(key), v)
                if store.shift(j, v, value, sign * n, key) < 0:
                    raise missing(self, key, value)
        return given

    def _at(self, on: Any, value: Any) -> Hashable:
        try:
            part = canon(on(value))
        except Exception as cause:
            raise self.failed(cause, value) from cause
        return part if type(part) in PLAIN else ident(part)


class Side:
    """One side of a join, as it was and as it is, whichever way it is kept."""

    def __init__(self, node: Node) -> None:
        assert node.kept is not None
        self.store: Any = node.kept
        self.cells = isinstance(node.kept, Cells)
        self.index = isinstance(node, Index)

    def touched(self) -> list[Hashable]:
        """The places that this transaction touched."""
        return list(self.store.before())

    def new(self, j: Hashable) -> Iterator[Found]:
        """What is at a place now."""
        if self.cells:
            value = self.store.new(j)
            if value is not ABSENT:
                yield j, self.store.key_of(j), value, 1
        else:
            yield from self._entries(j, self.store.new(j))

    def old(self, j: Hashable) -> Iterator[Found]:
        """What was at a place before this transaction."""
        if self.cells:
            value = self.store.old(j)
            if value is not ABSENT:
                yield j, self.store.key_of(j), value, 1
        else:
            yield from self._entries(j, self.store.old(j))

    def _entries(self, j: Hashable, bag: dict[Hashable, Any]) -> Iterator[Found]:
        if self.index:
            for v, entry in bag.items():
                yield v, entry[2], entry[0], entry[1]
        else:
            key = self.store.key_of(j)
            for v, entry in bag.items():
                yield v, key, entry[0], entry[1]

    def was(self, j: Hashable) -> bool:
        """Whether anything was at a place before this transaction."""
        if self.cells:
            return self.store.old(j) is not ABSENT
        there = self.store.before().get(j) or {}
        if any(there.values()):
            return True
        return any(v not in there for v in self.store.new(j))

    def net(self, j: Hashable) -> tuple[list[Found], list[Found]]:
        """What went and what came at a place, copies counted; what stayed is not looked at."""
        if self.cells:
            return self._net_cell(j)
        bag = self.store.new(j)
        gone, come = [], []
        key = None if self.index else self.store.key_of(j)
        for v, old in (self.store.before().get(j) or {}).items():
            new = bag.get(v)
            entry = old or new
            if entry is None:
                continue
            before, after = (old[1] if old else 0), (new[1] if new else 0)
            at = entry[2] if self.index else key
            if before > after:
                gone.append((v, at, entry[0], before - after))
            elif after > before:
                come.append((v, at, entry[0], after - before))
        return gone, come

    def _net_cell(self, j: Hashable) -> tuple[list[Found], list[Found]]:
        if self._same_cell(j):
            return [], []
        return list(self.old(j)), list(self.new(j))

    def _same_cell(self, j: Hashable) -> bool:
        old, new = self.store.old(j), self.store.new(j)
        return old is new or (
            old is not ABSENT and new is not ABSENT and bool(ident(old) == ident(new))
        )

    def stayed(self, j: Hashable) -> list[Found]:
        """What was at a place and still is, copies counted."""
        if self.cells:
            return list(self.new(j)) if self._same_cell(j) else []
        there = self.store.before().get(j) or {}
        found = []
        for v, key, value, n in self._entries(j, self.store.new(j)):
            old = there.get(v) if v in there else (value, n)
            if old is not None:
                found.append((v, key, value, min(old[1], n)))
        return found
