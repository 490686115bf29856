"""Operators of whole views: compute from scratch, maintain by a delta function for each view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT, Delete, Insert, Update
from ominus.algebra.value import canon
from ominus.engine.embedded.folds import _Results, apply_delta
from ominus.engine.embedded.lazily import Lazy
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import reading
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.wave import Wave
from ominus.flow import ops

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class ComputeViews(_Results):
    """Calls the function once in each transaction that changes a view it takes."""

    op: ops.ComputeViews

    def step(self) -> Wave:
        out = Wave()
        self.show(identity(()), (), self._full(), out)
        return out

    start = step

    def dirty(self) -> bool:
        return any(changed(node) for node in self.inputs)

    def _full(self) -> Any:
        try:
            views = [
                node.asked(set()) if isinstance(node, Lazy) else reading(node, node.op)
                for node in self.inputs
            ]
            return canon(self.op.f(*views))
        except Exception as cause:
            raise self.failed(cause, ()) from cause


class MaintainViews(_Results):
    """Hands each view's changes to its function, earlier views as after, later ones as before."""

    op: ops.MaintainViews

    def __init__(self, plan: Plan, op: ops.MaintainViews, *views: Node) -> None:
        super().__init__(plan, op, *views)

    def dirty(self) -> bool:
        return any(changed(node) for node in self.inputs)

    def start(self) -> Wave | None:
        out = Wave()
        self.show(identity(()), (), self._full(), out)
        return out

    def step(self) -> Wave:
        current = self.kept.new(identity(()))
        asked = False

        def full() -> Any:
            nonlocal asked
            asked = True
            return self._full()

        for n, (node, delta) in enumerate(zip(self.inputs, self.op.deltas, strict=True)):
            changes = view_changes(node)
            if changes:
                others = [
                    reading(other, other.op, old=m > n)
                    for m, other in enumerate(self.inputs)
                    if m != n
                ]
                current = apply_delta(self, delta, current, changes, full, *others)
            if asked:
                break
        out = Wave()
        self.show(identity(()), (), current, out)
        return out

    def _full(self) -> Any:
        try:
            return canon(self.op.full(*[reading(node, node.op) for node in self.inputs]))
        except Exception as cause:
            raise self.failed(cause, ()) from cause


def changed(node: Node) -> bool:
    """Whether a kept view differs from before this transaction."""
    if isinstance(node, Lazy):
        return bool(node.dropped)
    store: Any = node.kept
    return next(iter(store.changed()), None) is not None


def view_changes(node: Node) -> list[Any]:
    """The net changes of a kept view: deletes, then updates, then inserts, with their keys."""
    store: Any = node.kept
    deletes, updates, inserts = [], [], []
    if isinstance(store, Cells):
        for i, old, new in store.changed():
            key = store.key_of(i)
            if old is ABSENT:
                inserts.append(Insert(new, key=key))
            elif new is ABSENT:
                deletes.append(Delete(old, key=key))
            else:
                updates.append(Update(old, new, key=key))
        return [*deletes, *updates, *inserts]
    assert isinstance(store, Bags)
    for i, gone, come in store.changed():
        key = store.key_of(i)
        named = {} if node.op.kind.shape == "rows" else {"key": key}
        for entry in gone:
            deletes += [Delete(entry[0], **named)] * entry[1]
        for entry in come:
            inserts += [Insert(entry[0], **named)] * entry[1]
    return [*deletes, *inserts]
