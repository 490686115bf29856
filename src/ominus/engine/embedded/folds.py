"""Folds: reduce, distinct, compute, maintain. What leaves them is net: each key once.

A reduce calls `remove` and `add` once for each value that leaves or joins, whatever the group.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT, Delete, Insert, Update
from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.value import canon, ident
from ominus.engine.embedded.arrange import missing
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.reading import ranked
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.engine.embedded.wave import Wave, single
from ominus.flow import ops

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class _Results(Node):
    """A node that gives one result for each key, and keeps the results."""

    kept: Cells

    def __init__(self, plan: Plan, op: ops.Op, *inputs: Node) -> None:
        super().__init__(plan, op, *inputs)
        self.kept = Cells(plan.clock)

    def show(self, i: Hashable, key: Any, result: Any, out: Wave) -> None:
        """Set a key's result; what is unchanged is not told."""
        old = self.kept.new(i)
        if old is result:
            return
        if old is not ABSENT and result is not ABSENT and ident(old) == ident(result):
            return
        if old is ABSENT:
            self.kept.admit(i, key)
        self.kept.put(i, result)
        wave = single(key, old, result, ABSENT)
        out.gone += wave.gone
        out.come += wave.come
        out.moved += wave.moved


class Reduce(_Results):
    """Keeps for each key how many values it has, their fold, and the result.

    Where the reducer may need a key folded again, the values are kept too, by `rows`.
    """

    op: ops.Reduce

    def __init__(self, plan: Plan, op: ops.Reduce, source: Node, rows: Node | None) -> None:
        super().__init__(plan, op, *([source] if rows is None else [source, rows]))
        self.states = Cells(plan.clock)
        self.rows = rows

    def step(self) -> Wave:
        given = self.inputs[0].wave
        assert given is not None
        work: dict[Hashable, list[Any]] = {}
        self._remove(given, work)
        self._add(given, work)
        out = Wave()
        for i, (key, n, state) in work.items():
            self._settle(i, key, n, state, out)
        self.count("keys", len(work))
        return out

    def _remove(self, given: Wave, work: dict[Hashable, list[Any]]) -> None:
        remove = self.op.reducer.remover
        value, calls = None, 0
        try:
            for key, value, n in given.leaving():
                cell = self._cell(key, work)
                cell[1] -= n
                if cell[1] < 0:
                    raise missing(self, key, value)
                if remove is None:
                    cell[2] = RECOMPUTE
                for _ in range(n):
                    if cell[2] is RECOMPUTE:
                        break
                    assert remove is not None
                    cell[2] = remove(cell[2], value)
                    calls += 1
        except Exception as cause:
            raise self.failed(cause, value) from cause
        self.count("removes", calls)

    def _add(self, given: Wave, work: dict[Hashable, list[Any]]) -> None:
        add = self.op.reducer.adder
        value, calls = None, 0
        try:
            for key, value, n in given.joining():
                cell = self._cell(key, work)
                if cell[1] == 0:
                    # Nothing is left: start afresh, so that no history can show.
                    cell[2] = self.op.reducer.start()
                cell[1] += n
                for _ in range(n):
                    if cell[2] is RECOMPUTE:
                        break
                    cell[2] = add(cell[2], value)
                    calls += 1
        except Exception as cause:
            raise self.failed(cause, value) from cause
        self.count("adds", calls)

    def _cell(self, key: Any, work: dict[Hashable, list[Any]]) -> list[Any]:
        i = identity(key)
        cell = work.get(i)
        if cell is None:
            found = self.states.new(i)
            if found is ABSENT:
                found = (0, self.op.reducer.start())
            if self.op.reducer.mutates:
                # Saved before the state is touched: after an abort this key is folded again.
                self.states.put(i, (found[0], found[1]))
            cell = work[i] = [key, *found]
        return cell

    def _settle(self, i: Hashable, key: Any, n: int, state: Any, out: Wave) -> None:
        if n == 0:
            self.states.put(i, ABSENT)
            self.show(i, key, ABSENT, out)
            return
        if state is RECOMPUTE:
            state = self._refold(i)
        self.states.put(i, (n, state))
        try:
            result = canon(self.op.reducer.read(state))
        except Exception as cause:
            raise self.failed(cause, state) from cause
        self.show(i, key, result, out)

    def _refold(self, i: Hashable) -> Any:
        if self.rows is None:
            self.rows = self.plan.keep_now(self.inputs[0], self)
            self.inputs = (*self.inputs, self.rows)
        bag = self.rows.kept.new(i)  # type: ignore[union-attr]
        reducer = self.op.reducer
        state = reducer.start()
        add = reducer.adder
        value, calls = None, 0
        try:
            for value, n in bag.values():
                for _ in range(n):
                    state = add(state, value)
                calls += n
        except Exception as cause:
            raise self.failed(cause, value) from cause
        self.count("refolded", calls)
        return state

    def undo(self) -> None:
        if not self.op.reducer.mutates or self.states.saved is None:
            return
        for i, old in self.states.saved.items():
            if old is not ABSENT:
                # Folded again when next needed: here the user's function might raise once more.
                self.states.base[i] = (old[0], RECOMPUTE)


class Distinct(Node):
    """Reads the counts that its arrangement keeps: a value is there while its count is not zero."""

    op: ops.Distinct

    def step(self) -> Wave:
        store = self.inputs[0].kept
        assert isinstance(store, Bags)
        out = Wave()
        for i, there in store.before().items():
            bag = store.new(i)
            key = store.key_of(i)
            for v, old in there.items():
                new = bag.get(v)
                if old is not None and new is None:
                    out.gone.append((key, old[0], 1))
                elif old is None and new is not None:
                    out.come.append((key, new[0], 1))
        return out


class Compute(_Results):
    """Calls the function once for each group that changed."""

    op: ops.Compute

    def step(self) -> Wave:
        store = self.inputs[0].kept
        assert isinstance(store, Bags)
        out = Wave()
        for i, _, _ in list(store.changed()):
            key = store.key_of(i)
            self.count("groups")
            self.show(i, key, compute_group(self, self.op.f, store, i), out)
        return out


def compute_group(node: Node, f: Any, store: Bags, i: Hashable) -> Any:
    """`f` of a group as it is now; ABSENT if it is empty."""
    bag = store.new(i)
    if not bag:
        return ABSENT
    try:
        return canon(f(ranked(node.inputs[-1].op, bag.copy())))
    except Exception as cause:
        raise node.failed(cause, store.key_of(i)) from cause


class Maintain(_Results):
    """Calls the delta function once for each change, or the full one where it says so."""

    op: ops.Maintain

    def step(self) -> Wave:
        store = self.inputs[1].kept
        given = self.inputs[0].wave
        assert isinstance(store, Bags) and given is not None
        changes: dict[Hashable, list[Any]] = {}
        for made in changes_of(given):
            changes.setdefault(identity(made[0]), []).append(made[1])
        out = Wave()
        for i, group in changes.items():
            self.show(i, store.key_of(i), self._result(i, group, store), out)
        return out

    def _result(self, i: Hashable, changes: list[Any], store: Bags) -> Any:
        old = self.kept.new(i)
        if not store.new(i):
            return ABSENT
        if old is ABSENT:
            return compute_group(self, self.op.full, store, i)
        return apply_delta(
            self, self.op.delta, old, changes, lambda: compute_group(self, self.op.full, store, i)
        )


def changes_of(wave: Wave) -> list[tuple[Any, Any]]:
    """The single changes of a wave with their keys: deletes, then updates, then inserts."""
    found: list[tuple[Any, Any]] = []
    for key, value, n in wave.gone:
        found += [(key, Delete(value))] * n
    found += [(key, Update(old, new)) for key, old, new in wave.moved]
    for key, value, n in wave.come:
        found += [(key, Insert(value))] * n
    return found


def apply_delta(
    node: Node, delta: Any, current: Any, changes: list[Any], full: Any, *others: Any
) -> Any:
    """A value after changes, each by the delta function, which may ask for the full one."""
    from ominus.algebra.change import UNCHANGED

    change = None
    try:
        for change in changes:
            node.count("deltas")
            found = delta(current, change, *others)
            if found is RECOMPUTE:
                return full()
            if found is not UNCHANGED:
                current = canon(found)
    except Exception as cause:
        raise node.failed(cause, change) from cause
    return current
