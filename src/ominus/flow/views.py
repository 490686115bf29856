"""What a view of a running flow can do: be read and heard, and where it is a source, changed.

Engines make the classes that do it; these say what they are for type checkers and for readers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar, overload

from ominus.algebra.change import (
    ABSENT,
    Absent,
    Change,
    Delete,
    GroupChange,
    Insert,
    Update,
    Upsert,
)
from ominus.algebra.multiset import Multiset

K = TypeVar("K")
V = TypeVar("V")
K_contra = TypeVar("K_contra", contravariant=True)
V_co = TypeVar("V_co", covariant=True)
Told = TypeVar("Told")


class Heard(Protocol):
    """A subscription; `close()` ends it."""

    def close(self) -> None:
        """Hear no more."""


class Arrow(Protocol):
    """Anything with the Arrow interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows, as Arrow hands them on."""


class View(Generic[Told]):
    """What all views can do: be heard, be streamed, and be taken as a table."""

    @abstractmethod
    def subscribe(self, f: Callable[[list[Told]], Any]) -> Heard:
        """Call `f` with the exact changes of each version that changes this view."""

    @abstractmethod
    def stream(self, key: Any = ABSENT, *, initial: bool = False) -> AsyncIterator[Told]:
        """Changes for `async for`, of all keys or of one; with `initial`, what is there first."""

    @abstractmethod
    def to_arrow(self) -> Any:
        """The view as a pyarrow Table: the key's fields, then the value's."""

    @abstractmethod
    def to_pandas(self) -> Any:
        """The view as a pandas DataFrame."""

    @abstractmethod
    def to_polars(self) -> Any:
        """The view as a polars DataFrame."""

    @abstractmethod
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class RowsView(View[GroupChange[tuple[()], V]], Collection[V]):
    """Rows: read as their values, copies counted."""

    @property
    @abstractmethod
    def value(self) -> Multiset[V]:
        """All the rows."""

    @abstractmethod
    def count(self, value: object) -> int:
        """How many copies of a row there are."""


class TableView(View[Change[K, V]], Mapping[K, V]):
    """A table: one value for each key."""

    @property
    @abstractmethod
    def value(self) -> V:
        """The one value of a view of everything."""


class GroupsView(View[GroupChange[K, V]], Mapping[K, Multiset[V]]):
    """Groups: a multiset for each key; an absent one reads as empty."""


class LazyView(Protocol[K_contra, V_co]):
    """Lazy values: computed for the keys that are read."""

    def __getitem__(self, key: K_contra, /) -> V_co:
        """The value of a key, computed now or remembered."""


class Writable(Generic[V]):
    """What all sources can do: every call is all or nothing."""

    @abstractmethod
    def insert(self, row: V, *, sequence: Any = ABSENT) -> None:
        """Add a row."""

    @overload
    def update(self, new: V, /, *, sequence: Any = ABSENT) -> None: ...
    @overload
    def update(self, old: V, new: V, /, *, sequence: Any = ABSENT) -> None: ...
    @abstractmethod
    def update(self, *rows: V, sequence: Any = ABSENT) -> None:
        """Replace a row: `update(new)` by its key, or `update(old, new)`, which checks `old`."""

    @abstractmethod
    def delete(
        self,
        row: V | Absent = ABSENT,
        *,
        key: Any = ABSENT,
        sequence: Any = ABSENT,
        missing_ok: bool = False,
    ) -> None:
        """Remove a row, or the row of a key."""

    @abstractmethod
    def insert_many(self, rows: Iterable[V] | Arrow) -> None:
        """Add rows, or anything with the Arrow interface, all or none."""

    @abstractmethod
    def update_many(self, rows: Iterable[V] | Arrow) -> None:
        """Replace rows by their keys, all or none."""

    @abstractmethod
    def delete_many(
        self,
        rows: Iterable[V] | Arrow | Absent = ABSENT,
        *,
        keys: Iterable[Any] | None = None,
        missing_ok: bool = False,
    ) -> None:
        """Remove rows, or the rows of keys, all or none."""

    @abstractmethod
    def apply(self, changes: Iterable[Insert[V] | Update[V] | Upsert[V] | Delete[V]]) -> None:
        """Carry out Inserts, Updates, Upserts and Deletes in their order, all or none."""


class RowsSource(RowsView[V], Writable[V]):
    """A source without a key, to be changed and read."""


class TableSource(TableView[K, V], Writable[V]):
    """A source with a key, to be changed and read."""

    @abstractmethod
    def upsert(self, row: V, *, sequence: Any = ABSENT) -> None:
        """Add a row, or replace the one with its key."""

    @abstractmethod
    def upsert_many(self, rows: Iterable[V] | Arrow) -> None:
        """Add rows, or replace those with their keys, all or none."""
