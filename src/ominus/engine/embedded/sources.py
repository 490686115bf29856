"""Sources at work: rows come in through the door, and their net change is a transaction's wave."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from ominus.algebra.change import ABSENT
from ominus.algebra.select import Field
from ominus.algebra.value import canon
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import ROWS, Bags, Cells, identity
from ominus.engine.embedded.wave import Wave
from ominus.errors import (
    ChangeRefused,
    FieldUnknown,
    KeyAbsent,
    KeyPresent,
    NeedsRow,
    NotAValue,
    RowAbsent,
)
from ominus.flow import ops
from ominus.flow.door import door

if TYPE_CHECKING:
    from ominus.engine.embedded.plan import Plan


class Source(Node):
    """What every source can do: bring a row through its door, and find its key."""

    op: ops.Source
    kept: Cells | Bags

    def __init__(self, plan: Plan, op: ops.Source) -> None:
        super().__init__(plan, op)
        self.door: Callable[[Any], Any] = door(op.row)
        self.journal: list[tuple[Any, ...]] = []

    @property
    def verb(self) -> str:
        return self.op.name

    def row(self, given: Any) -> Any:
        """A row as it is kept."""
        row = self.door(given)
        identity(row)
        return row

    def dirty(self) -> bool:
        return bool(self.kept.saved)

    def take_back(self) -> None:
        """Undo what this call has written, in an open transaction."""
        for step in reversed(self.journal):
            step[0](*step[1:])
        self.journal.clear()

    def clear(self) -> None:
        super().clear()
        self.journal.clear()

    def insert(self, row: Any) -> None:
        """Add a row that came through the door."""
        raise NotImplementedError

    def delete(self, row: Any) -> None:
        """Remove a row that came through the door."""
        raise NotImplementedError

    def update(self, old: Any, new: Any) -> None:
        """Let a row become another; `old` is ABSENT where the key says which."""
        raise NotImplementedError


class Table(Source):
    """A source with a key: one row for each."""

    kept: Cells

    def __init__(self, plan: Plan, op: ops.Source) -> None:
        super().__init__(plan, op)
        self.kept = Cells(plan.clock)

    def key(self, row: Any) -> Any:
        """The key of a row."""
        assert self.op.by is not None
        try:
            key = canon(self.op.by(row))
        except Exception as cause:
            raise self.failed(cause, row) from cause
        try:
            hash(key)
        except TypeError as cause:
            raise NotAValue(
                f"the key {key!r} of {row!r} in {self.verb}", "not hashable", "Choose another key."
            ) from cause
        return key

    def there(self, key: Any) -> Any:
        """The row of a key, or ABSENT."""
        return self.kept.new(identity(key))

    def insert(self, row: Any) -> None:
        key = self.key(row)
        found = self.there(key)
        if found is not ABSENT:
            raise KeyPresent(
                f"insert {row!r} into {self.verb}",
                f"key {key!r} has {found!r}",
                "Use update or upsert.",
            )
        self.put(key, row)

    def put(self, key: Any, row: Any) -> None:
        """Write the row of a key, whatever was there."""
        i = identity(key)
        if i not in self.kept.base:
            self.kept.admit(i, key)
        self._set(self.kept, i, row)

    def _set(self, cells: Cells, i: Hashable, value: Any) -> None:
        self.journal.append((cells.put, i, cells.new(i)))
        cells.put(i, value)

    def delete(self, row: Any) -> None:
        key = self.key(row)
        found = self.there(key)
        if found is ABSENT:
            raise self.absent(f"delete {row!r} from {self.verb}", key)
        if identity(found) != identity(row):
            raise RowAbsent(
                f"delete {row!r} from {self.verb}",
                f"key {key!r} has {found!r}",
                f"Delete that row, or by key: delete(key={key!r}).",
            )
        self._set(self.kept, identity(key), ABSENT)

    def delete_key(self, key: Any) -> None:
        """Remove the row of a key."""
        if self.there(key) is ABSENT:
            raise self.absent(f"delete key {key!r} from {self.verb}", key)
        self._set(self.kept, identity(key), ABSENT)

    def update(self, old: Any, new: Any) -> None:
        key = self.key(new)
        if old is not ABSENT:
            before = self.key(old)
            if identity(before) != identity(key):
                if self.there(key) is not ABSENT:
                    raise KeyPresent(
                        f"update {old!r} to {new!r} in {self.verb}",
                        f"key {key!r} has {self.there(key)!r}",
                        "Delete that one first.",
                    )
                self.delete(old)
                self.put(key, new)
                return
        found = self.there(key)
        if found is ABSENT:
            raise self.absent(f"update {new!r} in {self.verb}", key, "Insert it, or upsert.")
        if old is not ABSENT and identity(found) != identity(old):
            raise RowAbsent(
                f"update {old!r} to {new!r} in {self.verb}",
                f"key {key!r} has {found!r}",
                "Update that row, or say Update(new).",
            )
        self._set(self.kept, identity(key), new)

    def upsert(self, row: Any) -> None:
        """Write a row, whatever was there."""
        self.put(self.key(row), row)

    def absent(
        self, asked: str, key: Any, todo: str = "Leave it, or say missing_ok=True."
    ) -> KeyAbsent:
        """The error for a key that is not there."""
        return KeyAbsent(asked, f"key {key!r} is not there", todo)

    def step(self) -> Wave:
        out = Wave()
        for i, old, new in self.kept.changed():
            key = self.kept.key_of(i)
            if old is ABSENT:
                out.come.append((key, new, 1))
            elif new is ABSENT:
                out.gone.append((key, old, 1))
            else:
                out.moved.append((key, old, new))
        return out


class Sequenced(Table):
    """A table whose feed may be late or repeat itself: of each key the last change is kept.

    `marks` has the sequence of each key's last change, deletions included.
    """

    def __init__(self, plan: Plan, op: ops.Source) -> None:
        super().__init__(plan, op)
        self.marks = Cells(plan.clock)

    def newer(self, key: Any, row: Any, sequence: Any) -> bool:
        """Whether a change is later than the last one of its key; then it is noted."""
        if sequence is ABSENT:
            sequence = self._of(row, key)
        i = identity(key)
        mark = self.marks.new(i)
        if not self._comparable(mark, sequence):
            raise ChangeRefused(
                f"a change of key {key!r} in {self.verb} with {self.op.sequence} {sequence!r}",
                "it has no place in an order"
                if mark is ABSENT
                else f"it cannot be compared with {mark!r}, that of the key's last change",
                "Number the changes by one type: whole numbers, text or times; no None, no NaN.",
            )
        if mark is not ABSENT and not mark < sequence:
            self.count("late")
            return False
        self._set(self.marks, i, canon(sequence))
        return True

    @staticmethod
    def _comparable(mark: Any, sequence: Any) -> bool:
        # A NaN is neither before nor after, not even itself: taken, it would hide what follows.
        try:
            before = sequence if mark is ABSENT else mark
            return bool(before < sequence or sequence <= before)
        except TypeError:
            return False

    def _of(self, row: Any, key: Any) -> Any:
        name = self.op.sequence
        try:
            return Field(name or "")(row)
        except FieldUnknown:
            raise ChangeRefused(
                f"a change of key {key!r} in {self.verb}",
                f"it says no {name}",
                f"Give the field {name} in the row, or sequence=... beside it.",
            ) from None

    def write(self, row: Any, sequence: Any) -> None:
        """An insert, update or upsert: whatever is there, the last one stands."""
        key = self.key(row)
        if self.newer(key, row, sequence):
            self.put(key, row)

    def drop(self, key: Any, row: Any, sequence: Any) -> None:
        """A delete, which leaves its mark whether the key is there or not."""
        if self.newer(key, row, sequence):
            i = identity(key)
            if i not in self.kept.base:
                self.kept.admit(i, key)
            self._set(self.kept, i, ABSENT)


class Rows(Source):
    """A source without a key: a multiset of rows."""

    kept: Bags

    def __init__(self, plan: Plan, op: ops.Source) -> None:
        super().__init__(plan, op)
        self.kept = Bags(plan.clock)
        self.moves: list[tuple[Any, Any]] = []

    def insert(self, row: Any) -> None:
        self._shift(row, 1)

    def _shift(self, row: Any, by: int) -> None:
        i = identity(row)
        self.journal.append((self.kept.shift, ROWS, i, row, -by))
        self.kept.shift(ROWS, i, row, by)

    def delete(self, row: Any) -> None:
        i = identity(row)
        if i not in self.kept.new(ROWS):
            raise RowAbsent(
                f"delete {row!r} from {self.verb}",
                "it is not there",
                "Delete what was inserted, or say missing_ok=True.",
            )
        self._shift(row, -1)

    def update(self, old: Any, new: Any) -> None:
        if old is ABSENT:
            raise NeedsRow(
                f"update to {new!r} in {self.verb}",
                "rows without a key: nothing says which row is meant",
                "Give both: update(old, new), or om.Update(old, new).",
            )
        self.delete(old)
        self.insert(new)
        self.moves.append((old, new))
        self.journal.append((self.moves.pop,))

    def step(self) -> Wave:
        gone: dict[Hashable, list[Any]] = {}
        come: dict[Hashable, list[Any]] = {}
        for _, went, came in self.kept.changed():
            gone = {identity(e[0]): [e[0], e[1]] for e in went}
            come = {identity(e[0]): [e[0], e[1]] for e in came}
        out = Wave()
        for old, new in self.moves:
            was, now = gone.get(identity(old)), come.get(identity(new))
            if was and now and was[1] and now[1]:
                out.moved.append(((), was[0], now[0]))
                was[1] -= 1
                now[1] -= 1
        out.gone = [((), value, n) for value, n in gone.values() if n]
        out.come = [((), value, n) for value, n in come.values() if n]
        return out

    def clear(self) -> None:
        super().clear()
        self.moves = []


class Passing(Source):
    """A source with `keep=False`: keeps no rows, and takes what is removed on trust."""

    def __init__(self, plan: Plan, op: ops.Source) -> None:
        super().__init__(plan, op)
        self.kept = Bags(plan.clock)
        self.net: dict[Hashable, list[Any]] = {}
        plan.trusting = True

    def _shift(self, row: Any, by: int) -> None:
        self.journal.append((self._add, row, -by))
        self._add(row, by)

    def _add(self, row: Any, by: int) -> None:
        found = self.net.setdefault(identity(row), [row, 0])
        found[1] += by

    def insert(self, row: Any) -> None:
        self._shift(row, 1)

    def delete(self, row: Any) -> None:
        self._shift(row, -1)

    def update(self, old: Any, new: Any) -> None:
        if old is ABSENT:
            raise NeedsRow(
                f"update to {new!r} in {self.verb}",
                "a source with keep=False keeps no rows",
                "Give both rows: om.Update(old, new).",
            )
        self.delete(old)
        self.insert(new)

    def dirty(self) -> bool:
        return any(n for _, n in self.net.values())

    def step(self) -> Wave:
        by = self.op.by
        out = Wave()
        for row, n in self.net.values():
            key = () if by is None else canon(by(row))
            if n:
                (out.come if n > 0 else out.gone).append((key, row, abs(n)))
        return out

    def clear(self) -> None:
        super().clear()
        self.net = {}


class Literal(Node):
    """Rows of the definition: there from the start."""

    op: ops.Literal_

    def start(self) -> Wave:
        return Wave(come=[((), row, 1) for row in self.op.rows])

    def dirty(self) -> bool:
        return False

    def step(self) -> Wave:
        return Wave()


def source_node(plan: Plan, op: ops.Source) -> Source:
    """The node that fits a source."""
    if not op.keep:
        return Passing(plan, op)
    if op.sequence is not None:
        return Sequenced(plan, op)
    return Rows(plan, op) if op.by is None else Table(plan, op)
