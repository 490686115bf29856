"""Views that a user holds: read at the last committed version, or at a snapshot's.

Rows read as their values, a table as a mapping, groups as a mapping to multisets.
An absent key of groups reads as the empty multiset, of a reduce as nothing folded; `in`, `len`,
iteration and `get` see only what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ominus.algebra.change import ABSENT, Change, GroupChange
from ominus.algebra.multiset import Multiset
from ominus.algebra.order import arranged
from ominus.algebra.value import canon
from ominus.engine.embedded import table
from ominus.engine.embedded.clock import Epoch
from ominus.engine.embedded.hearing import Heard, Stream
from ominus.engine.embedded.reading import best_first, empty_value, ranked
from ominus.engine.embedded.store import ROWS, Bags, Cells, identity
from ominus.flow import ops, views
from ominus.flow.types import uniform

if TYPE_CHECKING:
    from ominus.engine.embedded.live import Live

K = TypeVar("K")
V = TypeVar("V")


_WRITES = frozenset(
    "insert insert_many update update_many upsert upsert_many delete delete_many apply".split()
)


def _itself(value: Any) -> Any:
    return value


def _copied(value: Any) -> Any:
    """A value that a reader may change without changing ours."""
    return canon(value, copied=True)


class View:
    """What all views can do: be heard, be streamed, and be taken as a table."""

    def __init__(self, live: Live, name: str, op: ops.Op, store: Any, at: Snapshot | None) -> None:
        self._live = live
        self._name = name
        self._op = op
        self._store = store
        self._at = at
        # What came through a typed door without mutable parts can be handed out as it is.
        self._own = _itself if isinstance(op, ops.Source) and uniform(op.row) else _copied

    @property
    def _epoch(self) -> Epoch | None:
        return None if self._at is None else self._at.epoch

    def _mine(self) -> bool:
        """Whether this is a source read inside its own thread's transaction."""
        return self._at is None and isinstance(self._op, ops.Source) and self._live.writing_here()

    def _pairs(self) -> list[tuple[Any, Any]]:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name in _WRITES:
            raise AttributeError(
                f"{self._name}.{name}: only sources are written, and {self._name} is derived. "
                "Write the sources that it is made of."
                if self._at is None
                else f"{self._name}.{name}: a snapshot is not written. Write the running flow."
            )
        if name == "value":
            # What the property said is lost on the way here: Python asks once more.
            keys = " and ".join(self._op.kind.names)
            raise AttributeError(
                f"{self._name}.value: it has values for each {keys}. "
                f"Read one: live[{self._name!r}][key]"
            )
        raise AttributeError(f"a {type(self).__name__} has no {name!r}")

    def subscribe(self, f: Callable[[list[Any]], Any]) -> Heard:
        """Call `f` with the exact changes of each version that changes this view."""
        if not callable(f):
            raise TypeError(f"subscribe to {self._name}: got {f!r}. Give a function.")
        return self._live.hear((self._name,), self._op, lambda told: f(told[self._name]))

    def stream(self, key: Any = ABSENT, *, initial: bool = False) -> Stream:
        """Changes for `async for`, of all keys or of one; with `initial`, what is there first."""
        return self._live.stream(self._name, self._op, key, initial)

    def to_arrow(self) -> Any:
        """The view as a pyarrow Table: the key's fields, then the value's."""
        return table.to_arrow(table.columns(self._op.kind, self._name, self._pairs()))

    def to_pandas(self) -> Any:
        """The view as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """The view as a polars DataFrame."""
        from importlib import import_module

        return import_module("polars").from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        found = table.columns(self._op.kind, self._name, self._pairs())
        return table.text(found) if found else f"{self._name}: empty"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"


class Snapshot:
    """A committed version, pinned: it stays as it was while writing goes on."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self.epoch = live.plan.clock.pin(self)
        self.version = self.epoch.version
        self.lazies: dict[Hashable, Any] = {}

    def __getitem__(self, which: Any) -> Any:
        return self._live.view(which, self)

    def __repr__(self) -> str:
        return f"snapshot of version {self.version}"


class TableView(View, views.TableView[K, V]):
    """A table: one value for each key."""

    _store: Cells

    def _found(self, key: Any) -> Any:
        i = identity(key)
        return self._store.new(i) if self._mine() else self._store.read(i, self._epoch)

    def __getitem__(self, key: Any) -> Any:
        found = self._found(key)
        if found is ABSENT:
            found = empty_value(self._op)
            if found is ABSENT:
                raise KeyError(key)
        return self._own(found)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default if it is not there."""
        found = self._found(key)
        return default if found is ABSENT else self._own(found)

    def __contains__(self, key: object) -> bool:
        return self._found(key) is not ABSENT

    def __len__(self) -> int:
        return len(self._raw())

    def _raw(self) -> list[tuple[Any, Any]]:
        if self._mine():
            return [(self._store.key_of(i), x) for i, x in self._store.base.items()]
        return self._store.copy(self._epoch)

    def _pairs(self) -> list[tuple[Any, Any]]:
        pairs = [(key, self._own(value)) for key, value in self._raw()]
        best = best_first(self._op)
        if best is not None:
            return sorted(pairs, key=lambda pair: best(*pair))
        there = dict(pairs)
        return [(key, there[key]) for key in arranged(there)]

    def __iter__(self) -> Iterator[Any]:
        return iter([key for key, _ in self._pairs()])

    def items(self) -> Any:
        """Keys and values of one version, in order."""
        return dict(self._pairs()).items()

    def values(self) -> Any:
        """Values of one version, in the order of their keys."""
        return dict(self._pairs()).values()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    @property
    def value(self) -> Any:
        """The one value of a view of everything."""
        if self._op.kind.names:
            raise AttributeError(
                f"{self._name}.value: it has a value for each {' and '.join(self._op.kind.names)}. "
                f"Read one: live[{self._name!r}][key]"
            )
        return self[()]

    @property
    def initial(self) -> list[Any]:
        """What is there, as changes."""
        return [Change(key, ABSENT, value) for key, value in self._pairs()]


class GroupsView(View, views.GroupsView[K, V]):
    """Groups: a multiset for each key."""

    _store: Bags

    @property
    def value(self) -> Any:
        """Refused: groups have a multiset for each key."""
        raise AttributeError(
            f"{self._name}.value: it has values for each {' and '.join(self._op.kind.names)}. "
            f"Read one group: live[{self._name!r}][key]"
        )

    def _found(self, key: Any) -> Multiset[Any]:
        return _bag(self, identity(key))

    def __getitem__(self, key: Any) -> Multiset[Any]:
        return self._found(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The values of a key, or the default if there are none."""
        return self._found(key) or default

    def __contains__(self, key: object) -> bool:
        return bool(self._found(key))

    def __len__(self) -> int:
        return len(self._store.keys_at(self._epoch))

    def __iter__(self) -> Iterator[Any]:
        return iter(arranged(self._store.keys_at(self._epoch)))

    def items(self) -> Any:
        """Keys and multisets of one version, in order."""
        at = self._at or Snapshot(self._live)
        one = self._live.read(self._op, self._name, at)
        return {key: one._found(key) for key in one}.items()

    def values(self) -> Any:
        """Multisets of one version, in the order of their keys."""
        return dict(self.items()).values()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def _pairs(self) -> list[tuple[Any, Any]]:
        return [(key, value) for key, group in self.items() for value in group]

    @property
    def initial(self) -> list[Any]:
        """What is there, as changes."""
        return [GroupChange(key, Multiset(), group) for key, group in self.items()]


class RowsView(View, views.RowsView[V]):
    """Rows: read as their values, copies counted."""

    _store: Bags

    @property
    def value(self) -> Multiset[Any]:
        """All the rows."""
        return _bag(self, ROWS)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __contains__(self, value: object) -> bool:
        return self.count(value) > 0

    def count(self, value: object) -> int:
        """How many copies of a row there are."""
        i = identity(value)
        entry = (
            self._store.new(ROWS).get(i)
            if self._mine()
            else self._store.read_entry(ROWS, i, self._epoch)
        )
        return 0 if entry is None else int(entry[1])

    def __eq__(self, other: object) -> bool:
        mine = self.value
        return mine == (other.value if isinstance(other, RowsView) else other)

    __hash__ = None  # type: ignore[assignment]

    def _pairs(self) -> list[tuple[Any, Any]]:
        return [((), value) for value in self.value]

    @property
    def initial(self) -> list[Any]:
        """What is there, as changes."""
        found = self.value
        return [GroupChange((), Multiset(), found)] if found else []


def _bag(view: Any, i: Hashable) -> Multiset[Any]:
    entries = dict(view._store.new(i)) if view._mine() else view._store.read(i, view._epoch)
    if view._own is _copied:
        entries = {v: (_copied(e[0]), *e[1:]) for v, e in entries.items()}
    return ranked(view._op, entries)


class LazyView:
    """Lazy values: computed for the keys that are read."""

    def __init__(self, live: Live, name: str, op: ops.Lazy, at: Snapshot | None) -> None:
        self._live = live
        self._name = name
        self._op = op
        self._at = at

    def __getitem__(self, key: Any) -> Any:
        return self._live.lazy_value(self._op, key, self._at)

    # Without this, Python would iterate by asking for the keys 0, 1, 2 and so on, without end.
    __iter__ = None

    def __repr__(self) -> str:
        return f"{self._name}: lazy, computed for the keys that are read"
