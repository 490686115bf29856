"""A running flow: write its sources, read its views, hear their changes.

One writer at a time, any number of readers, who never wait: they see the last committed version.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ominus.algebra.change import ABSENT, Delete, Insert, Update, Upsert
from ominus.engine.embedded import trail as trails
from ominus.engine.embedded.explain import explain
from ominus.engine.embedded.hearing import Board, Heard, Stream, Told, changes
from ominus.engine.embedded.lazily import Lazy
from ominus.engine.embedded.plan import Plan
from ominus.engine.embedded.sources import Passing
from ominus.engine.embedded.store import identity
from ominus.engine.embedded.trail import Trail
from ominus.engine.embedded.view import (
    GroupsView,
    LazyView,
    RowsView,
    Snapshot,
    TableView,
)
from ominus.engine.embedded.writing import PassingSource, RowsSource, TableSource, steps_of
from ominus.errors import Closed, NeedsRow, TransactionRefused
from ominus.flow import ops, port
from ominus.flow.observer import Observer
from ominus.flow.shapes import Shape
from ominus.flow.spec import Flow


class Live:
    """A flow that runs in this process.

    `live["name"]` is a view or a source, by name or by what defined it; `with live.transaction()`
    makes several writes one; `live.snapshot()` is this version, whatever is written later.
    """

    def __init__(self, flow: Flow, observer: Observer | None = None) -> None:
        self.flow = Flow.__new__(Flow)
        self.flow.prints, self.flow.views = flow.prints, dict(flow.views)
        self.flow.sources = dict(flow.sources)
        self.plan = Plan(flow.prints, observer)
        self.trail = Trail(0, [])
        self._board = Board()
        self._lock = threading.Lock()
        self._owner: int | None = None
        self._committing = False
        self._closed = False
        self._streams: weakref.WeakSet[Stream] = weakref.WeakSet()
        self._added: dict[int, int] = {}
        self._name_views()
        for op in [*self.flow.sources.values(), *self.flow.views.values()]:
            self._hold(op)
        self._settle(started=True)

    def _name_views(self) -> None:
        self._names: dict[int, tuple[str, ...]] = {}
        for name, op in self.flow.views.items():
            self._names[id(op)] = (*self._names.get(id(op), ()), name)
        self.plan.names = self._names

    def _hold(self, op: ops.Op) -> None:
        if isinstance(op, ops.Lazy) or (isinstance(op, ops.Source) and not op.keep):
            self.plan.node(op)
        else:
            self.plan.keep(op)

    # Reading

    def __getitem__(self, which: str | Shape) -> Any:
        return self.view(which, None)

    def view(self, which: Any, at: Snapshot | None) -> Any:
        """A view or source, now or at a snapshot."""
        op = self.flow.op(which)
        if id(op) not in self._names and self.flow.sources.get(getattr(op, "name", "")) is not op:
            raise KeyError(f"{which!r} is not a view of this flow. Add it: live.extend(name=...)")
        name = which if isinstance(which, str) else self._name(op)
        if at is not None and self._added.get(id(op), at.version) > at.version:
            raise KeyError(
                f"{name!r} was added at version {self._added[id(op)]}, after this {at!r}. "
                "Read it in a later snapshot."
            )
        return self.read(op, name, at)

    def read(self, op: Any, name: str, at: Snapshot | None) -> Any:
        """An operator that is kept, as something to be read."""
        if isinstance(op, ops.Lazy):
            return LazyView(self, name, op, at)
        if isinstance(op, ops.Source):
            kind: Any = RowsSource if op.by is None else TableSource
            if not op.keep:
                return PassingSource(self, name, op, self.source(op).kept, at)
            if at is not None:
                kind = RowsView if op.by is None else TableView
            return kind(self, name, op, self.source(op).kept, at)
        kind = {"rows": RowsView, "table": TableView, "groups": GroupsView}[op.kind.shape]
        return kind(self, name, op, self.plan.keep(op).kept, at)

    def _name(self, op: ops.Op) -> str:
        if isinstance(op, ops.Source):
            return op.name
        return next((n for n, view in self.flow.views.items() if view is op), op.verb)

    @property
    def version(self) -> int:
        """The last committed version; the empty flow is 0."""
        return self.plan.clock.version

    def snapshot(self) -> Snapshot:
        """This version, to be read whatever is written later."""
        return Snapshot(self)

    def lazy_value(self, op: ops.Lazy, key: Any, at: Snapshot | None) -> Any:
        """A lazy value: remembered where the writer is idle, else computed for this version."""
        node = self.plan.node(op)
        assert isinstance(node, Lazy)
        if at is None and self._lock.acquire(blocking=False):
            try:
                self._owner, self._committing = threading.get_ident(), True
                return node.value(key)
            finally:
                # What a read remembers changes no view: it is kept without a new version.
                self.plan.clock.commit(by=0)
                self.plan.clear()
                self._owner, self._committing = None, False
                self._lock.release()
        here = at or self.snapshot()
        return _LazyAt(self, node, here)[key]

    # Writing

    def source(self, op: Any) -> Any:
        """The node of a source."""
        return self.plan.node(op)

    def writing_here(self) -> bool:
        """Whether this thread has a transaction open."""
        return self._owner == threading.get_ident()

    @contextmanager
    def transaction(self) -> Iterator[Live]:
        """Make several writes one: all or nothing, one version.

        Fails  TransactionRefused, if this thread has one open.
        """
        if self.writing_here():
            raise TransactionRefused(
                "a transaction inside another",
                "this thread has one open",
                "Write into the open one.",
            )
        with self._writing():
            yield self
        self._board.tell()

    @contextmanager
    def _writing(self, *, run: bool = True) -> Iterator[None]:
        if self._closed:
            raise Closed("a write", "the flow has been closed", "Run it again: flow.run().")
        self._lock.acquire()
        self._owner = threading.get_ident()
        try:
            yield
            self._commit(run=run)
        except BaseException:
            self._abort()
            raise
        finally:
            self._owner = None
            self._lock.release()

    def write(self, node: Any, steps: list[Callable[[], None]]) -> None:
        """Carry out the changes of one call: all or none."""
        if self.writing_here():
            self._carry_out(node, steps)
            return
        with self._writing():
            self._carry_out(node, steps)
        self._board.tell()

    def _carry_out(self, node: Any, steps: list[Callable[[], None]]) -> None:
        if self._committing:
            raise TransactionRefused(
                f"a write to {node.verb} from a function of the flow",
                "the transaction is being carried out",
                "Functions only compute; write from a subscriber.",
            )
        node.journal.clear()
        try:
            for step in steps:
                step()
        except BaseException:
            node.take_back()
            raise

    def apply(self, **changes: Any) -> int:
        """Carry out changes of several sources as one transaction; returns the version."""
        made = []
        for name, given in changes.items():
            op = self.flow.sources.get(name)
            if op is None:
                raise KeyError(
                    f"no source named {name!r}: there are {', '.join(self.flow.sources)}"
                )
            node = self.source(op)
            one = isinstance(given, Insert | Update | Upsert | Delete)
            made.append((node, steps_of(node, [given] if one else given)))
        if self.writing_here():
            for node, steps in made:
                self._carry_out(node, steps)
            return self.version
        with self.transaction():
            for node, steps in made:
                self._carry_out(node, steps)
        return self.version

    def _commit(self, *, run: bool) -> None:
        self._committing = True
        try:
            if run:
                self.plan.run(self.plan.nodes)
            self._settle()
        finally:
            self._committing = False

    def _settle(self, *, started: bool = False) -> None:
        """Commit what the plan has run, and queue what it told."""
        if started:
            self.plan.run(self.plan.nodes, started=True)
        changed = bool(self.plan.clock.touched) or any(node.wave for node in self.plan.nodes)
        if not changed and not started:
            self.plan.clear()
            return
        with self._board.lock:
            told = self._told()
            version = self.plan.clock.commit()
            self._board.post(version, told)
        self.trail = Trail(version, trails.raw(self.plan, self._names))
        self.plan.clear()

    def _told(self) -> Told:
        found: Told = {}
        for name in self._board.wanted():
            made = changes(self.plan.keep(self.flow.op(name)).kept)
            if made:
                found[name] = made
        return found

    def _abort(self) -> None:
        self.plan.clock.restore()
        self.plan.undo()
        self.plan.clock.forget()
        self.plan.clear()

    # Hearing

    def subscribe(self, f: Callable[[Told], Any], *names: str) -> Heard:
        """Call `f` with the changes of several views, once for each version that changes any."""
        for name in names:
            self._hearable(name, self.flow.op(name))
        return self._hear(names, f)

    def hear(self, names: tuple[str, ...], op: ops.Op, f: Callable[[Told], Any]) -> Heard:
        """Call `f` with the changes of one view."""
        self._hearable(names[0], op)
        return self._hear(names, f)

    def _hear(self, names: tuple[str, ...], f: Callable[[Told], Any]) -> Heard:
        if not callable(f):
            raise TypeError(f"subscribe to {', '.join(names)}: got {f!r}. Give a function.")
        with self._board.lock:
            return self._board.add(Heard(names, f, self.version))

    def _hearable(self, name: str, op: ops.Op) -> None:
        if isinstance(self.plan.node(op), Lazy | Passing):
            raise NeedsRow(
                f"hear {name}",
                "it keeps nothing whose changes could be told",
                "Hear a view that is made from it.",
            )

    def stream(self, name: str, op: ops.Op, key: Any, initial: bool) -> Stream:
        """A stream of a view's changes, with no gap after what is there."""
        self._hearable(name, op)
        wanted = identity(key)
        made = Stream(
            (lambda change: True)
            if key is ABSENT
            else (lambda change: identity(change.key) == wanted)
        )
        with self._board.lock:
            made.heard = self._board.add(Heard((name,), made.pushing(name), self.version))
            here = self.snapshot()
        if initial:
            made.begin(here[name].initial)
        self._streams.add(made)
        return made

    # The rest

    def extend(self, **views: Shape) -> None:
        """Add views, filled from what is there; what they share with others is shared."""
        if self.writing_here():
            raise TransactionRefused(
                "extend inside a transaction",
                "this thread has one open",
                "Extend before or after it.",
            )
        before, names = len(self.plan.nodes), dict(self.flow.views)
        there = set(self._names)
        sources = dict(self.flow.sources)
        try:
            with self._writing(run=False):
                for name, shape in views.items():
                    self._hold(self.flow.add(name, shape.op))
                self._name_views()
                self.plan.fill(self.plan.nodes[before:])
        except BaseException:
            self.plan.drop(self.plan.nodes[before:])
            self.flow.views, self.flow.sources = names, sources
            self._name_views()
            raise
        self._added.update((i, self.version) for i in self._names if i not in there)

    def explain(self) -> str:
        """What each operator keeps, and why."""
        return explain(self.plan, self.flow)

    def close(self) -> None:
        """Take no more writes, and end the streams; views can still be read."""
        self._closed = True
        for stream in list(self._streams):
            stream.close()

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"live {', '.join(self.flow.views)} at version {self.version}"


class _LazyAt:
    """Lazy values at a snapshot: computed from its views, remembered with it."""

    def __init__(self, live: Live, node: Lazy, at: Snapshot, path: tuple[Any, ...] = ()) -> None:
        self._live, self._node, self._at, self._path = live, node, at, path

    __iter__ = None  # else Python would ask for the keys 0, 1, 2 and so on, without end

    def __getitem__(self, key: Any) -> Any:
        place = (id(self._node), identity(key))
        if place not in self._at.lazies:
            self._at.lazies[place] = self._compute(key)
        return self._at.lazies[place]

    def _compute(self, key: Any) -> Any:
        own = _LazyAt(self._live, self._node, self._at, (*self._path, key))
        views = [
            _LazyAt(self._live, i, self._at)
            if isinstance(i, Lazy)
            else self._live.read(i.op, i.op.verb, self._at)
            for i in self._node.inputs
        ]
        return self._node.compute(key, own, views, list(self._path))


def run(flow: Flow, *, watch: float | None = None) -> port.Live:
    """Run a flow in this process.

    `watch` is the share of kept values that are compared with their recompute after each
    transaction: 1 while debugging, 0.01 in production; nothing unless said, or `om.debug()`.
    """
    rate = port.engine("debug rate")() if watch is None else watch
    return Live(flow, port.engine("watch")(rate) if rate else None)
