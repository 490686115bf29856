"""Sources that a user writes: each call is one transaction, or part of the one that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from ominus.algebra.change import ABSENT, Delete, Insert, Update, Upsert
from ominus.algebra.value import canon
from ominus.engine.embedded import sources, table
from ominus.engine.embedded.view import RowsView, TableView, View
from ominus.errors import ChangeRefused, KeyAbsent, NeedsRow, RowAbsent, TransactionRefused
from ominus.flow import views

K = TypeVar("K")
V = TypeVar("V")


class Writing(View, Generic[V]):
    """What all sources can do: every call is all or nothing."""

    def _node(self) -> Any:
        return self._live.source(self._op)

    def _do(self, *changes: Any, missing_ok: bool = False) -> None:
        if self._at is not None:
            raise TransactionRefused(
                f"a write to {self._name} in a {self._at!r}",
                "a snapshot stays as it is",
                "Write the running flow.",
            )
        node = self._node()
        self._live.write(node, [_step(node, change, missing_ok) for change in changes])

    def insert(self, row: Any, *, sequence: Any = ABSENT) -> None:
        """Add a row.

        Fails  KeyPresent, if the source has a key and a row is there.
        """
        self._do(Insert(row, sequence=sequence))

    def update(self, *rows: Any, sequence: Any = ABSENT) -> None:
        """Replace a row: `update(new)` by its key, or `update(old, new)`, which checks the old one.

        Fails  KeyAbsent, RowAbsent, if it is not there.
        """
        self._do(Update(*rows, sequence=sequence))

    def upsert(self, row: Any, *, sequence: Any = ABSENT) -> None:
        """Add a row, or replace the one with its key."""
        self._do(Upsert(row, sequence=sequence))

    def upsert_many(self, rows: Any) -> None:
        """Add rows, or replace those with their keys, all or none."""
        self._do(*map(Upsert, self._rows(rows)))

    def delete(
        self,
        row: Any = ABSENT,
        *,
        key: Any = ABSENT,
        sequence: Any = ABSENT,
        missing_ok: bool = False,
    ) -> None:
        """Remove a row, or the row of a key.

        Fails  KeyAbsent, RowAbsent, if it is not there, unless `missing_ok`.
        """
        self._do(Delete(row, key=key, sequence=sequence), missing_ok=missing_ok)

    def insert_many(self, rows: Any) -> None:
        """Add rows, or anything with the Arrow interface, all or none."""
        self._do(*map(Insert, self._rows(rows)))

    def update_many(self, rows: Any) -> None:
        """Replace rows by their keys, all or none."""
        self._do(*map(Update, self._rows(rows)))

    def delete_many(
        self, rows: Any = ABSENT, *, keys: Iterable[Any] | None = None, missing_ok: bool = False
    ) -> None:
        """Remove rows, or the rows of keys, all or none."""
        if (rows is ABSENT) == (keys is None):
            raise ChangeRefused(
                f"{self._name}.delete_many",
                "rows or keys=, one of them",
                "Give delete_many(rows), or delete_many(keys=[...]).",
            )
        made = (
            [Delete(key=key) for key in keys]
            if keys is not None
            else [Delete(row) for row in self._rows(rows)]
        )
        self._do(*made, missing_ok=missing_ok)

    def apply(self, changes: Iterable[Any]) -> None:
        """Carry out Inserts, Updates, Upserts and Deletes in their order, all or none."""
        self._do(*changes)

    def _rows(self, rows: Any) -> list[Any]:
        source: Any = self._op
        return table.rows_from_arrow(rows, source.row) if table.is_arrow(rows) else list(rows)


class TableSource(Writing[V], TableView[K, V], views.TableSource[K, V]):
    """A source with a key, to be changed and read."""


class RowsSource(Writing[V], RowsView[V], views.RowsSource[V]):
    """A source without a key, to be changed and read."""


class PassingSource(Writing[Any]):
    """A source with `keep=False`: it can be changed, and there is nothing to be read."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise NeedsRow(
            f"read {self._name}",
            "the source says keep=False, so its rows are not there",
            "Read a view that is made from it, or leave keep=False out.",
        )

    __iter__ = __len__ = __contains__ = __getitem__ = _pairs = get = count = _refuse
    value = items = keys = values = property(_refuse)

    def __repr__(self) -> str:
        return f"{self._name}: a source that keeps no rows"


def steps_of(node: Any, changes: Iterable[Any]) -> list[Callable[[], None]]:
    """The changes of one source as calls, their rows through the door."""
    return [_step(node, change, False) for change in changes]


def _step(node: Any, change: Any, missing_ok: bool) -> Callable[[], None]:
    if isinstance(change, Delete):
        return _delete(node, change, missing_ok)
    if not isinstance(change, Insert | Update | Upsert):
        raise ChangeRefused(
            f"apply {change!r} to {node.verb}",
            f"a {type(change).__name__}",
            "Give om.Insert(row), om.Update(row), om.Upsert(row), om.Delete(row).",
        )
    new = node.row(change.new)
    if isinstance(node, sources.Sequenced):
        return lambda: node.write(new, change.sequence)
    _no_sequence(node, change)
    if isinstance(change, Insert):
        return lambda: node.insert(new)
    if isinstance(change, Upsert):
        if not isinstance(node, sources.Table):
            raise NeedsRow(
                f"upsert {new!r} into {node.verb}",
                "the source keeps no rows by key",
                "Give it a key, or say om.Update(old, new).",
            )
        return lambda: node.upsert(new)
    old = change.old if change.old is ABSENT else node.row(change.old)
    return lambda: node.update(old, new)


def _delete(node: Any, change: Any, missing_ok: bool) -> Callable[[], None]:
    asked = f"delete from {node.verb}"
    if (change.old is ABSENT) == (change.key is ABSENT):
        raise ChangeRefused(
            asked, "a row or a key=, one of them", "Give delete(row), or delete(key=...)."
        )
    if change.key is not ABSENT and not isinstance(node, sources.Table):
        raise NeedsRow(
            f"delete key {change.key!r} from {node.verb}",
            "the source keeps no rows by key",
            "Give the row that goes.",
        )
    row = ABSENT if change.old is ABSENT else node.row(change.old)
    if isinstance(node, sources.Sequenced):
        key = canon(change.key) if row is ABSENT else node.key(row)
        return lambda: node.drop(key, row, change.sequence)
    _no_sequence(node, change)

    def step() -> None:
        try:
            if row is ABSENT:
                node.delete_key(canon(change.key))
            else:
                node.delete(row)
        except (KeyAbsent, RowAbsent):
            if not missing_ok:
                raise

    return step


def _no_sequence(node: Any, change: Any) -> None:
    if change.sequence is not ABSENT:
        raise ChangeRefused(
            f"a change of {node.verb} with sequence={change.sequence!r}",
            "the source has no sequence",
            "Declare it: source(..., key=..., sequence=...).",
        )
