"""Changes: of a row, as they are sent in; of a view, as they are told.

`Insert | Delete | Update | Upsert` go in; `Update(new)` and `Upsert` become `Update(old, new)`
at the door, where the key says which row was there.
`Change` (of a table) and `GroupChange` (of rows and groups) come out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, final, overload

from ominus.algebra.multiset import Multiset
from ominus.algebra.typevars import Value

K = TypeVar("K")


@final
class Absent:
    """The type of `ABSENT`: no value, which is never `None`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


@final
class Unchanged:
    """The type of `UNCHANGED`: a delta function's answer that the value stays as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNCHANGED"

    def __reduce__(self) -> str:
        return "UNCHANGED"


UNCHANGED: Final = Unchanged()


@dataclass(frozen=True)
class Insert(Generic[Value]):
    """A row that comes; `key` is set where a change of a keyed view is told."""

    new: Value
    key: Any = ABSENT
    sequence: Any = ABSENT


@dataclass(frozen=True)
class Delete(Generic[Value]):
    """A row that goes, named by itself or by its key."""

    old: Value | Absent = ABSENT
    key: Any = ABSENT
    sequence: Any = ABSENT


@dataclass(frozen=True, init=False)
class Update(Generic[Value]):
    """A row that becomes another: `Update(old, new)`, or `Update(new)` where its key says which.

    >>> Update(1, 2), Update(2)
    (Update(1, 2), Update(2))
    """

    old: Value | Absent
    new: Value
    key: Any = ABSENT
    sequence: Any = ABSENT

    @overload
    def __init__(self, new: Value, /, *, key: Any = ..., sequence: Any = ...) -> None: ...
    @overload
    def __init__(
        self, old: Value, new: Value, /, *, key: Any = ..., sequence: Any = ...
    ) -> None: ...
    @overload
    def __init__(
        self, *, old: Value | Absent = ..., new: Value, key: Any = ..., sequence: Any = ...
    ) -> None: ...
    def __init__(
        self,
        *rows: Any,
        old: Any = ABSENT,
        new: Any = ABSENT,
        key: Any = ABSENT,
        sequence: Any = ABSENT,
    ) -> None:
        twice = rows and not (old is ABSENT and new is ABSENT)
        if len(rows) > 2 or twice or (not rows and new is ABSENT):
            raise TypeError("Update(old, new), or Update(new)")
        if rows:
            old, new = rows if len(rows) == 2 else (ABSENT, rows[0])
        for name, value in (("old", old), ("new", new), ("key", key), ("sequence", sequence)):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        rows = f"{self.new!r}" if self.old is ABSENT else f"{self.old!r}, {self.new!r}"
        return f"Update({rows}{_named(self)})"


@dataclass(frozen=True)
class Upsert(Generic[Value]):
    """A row that comes, or replaces the one with its key."""

    new: Value
    sequence: Any = ABSENT


@dataclass(frozen=True)
class Change(Generic[K, Value]):
    """A changed key of a table: its value before and after, `ABSENT` for none."""

    key: K
    old: Value | Absent
    new: Value | Absent


@dataclass(frozen=True)
class GroupChange(Generic[K, Value]):
    """A changed group: what left it and what joined it, never the whole group."""

    key: K
    removed: Multiset[Value]
    added: Multiset[Value]


def _named(change: Any) -> str:
    given = ((n, getattr(change, n)) for n in ("key", "sequence"))
    return "".join(f", {n}={v!r}" for n, v in given if v is not ABSENT)
