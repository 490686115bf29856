"""How user functions and bounds read whole views inside a transaction, each read noted.

A `Reading` shows a view as it is now, or as it was before; what is read is noted as tokens:
a key, the number of values, or all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from ominus.algebra.change import ABSENT
from ominus.algebra.multiset import Multiset, multiset_of
from ominus.algebra.order import Reversed, arrange, arranged
from ominus.algebra.value import canon
from ominus.engine.embedded.node import Node
from ominus.engine.embedded.store import Bags, Cells, identity
from ominus.flow import ops

ALL: Hashable = "all"
LENGTH: Hashable = "length"


def empty_value(op: ops.Op) -> Any:
    """What an absent key of a view reads as: nothing folded, the empty multiset, or ABSENT."""
    if isinstance(op, ops.Reduce):
        return canon(op.reducer.read(op.reducer.start()))
    if isinstance(op, ops.Size):
        return 0
    return Multiset() if op.kind.shape == "groups" else ABSENT


def best_first(op: ops.Op) -> Callable[[Any, Any], Any] | None:
    """The order in which a `top` iterates, of keys and values; None for all other operators."""
    if not isinstance(op, ops.Top):
        return None
    by = op.by
    return lambda key, value: (Reversed(by(value)), arrange(key), arrange(value))


def ranked(op: ops.Op, entries: dict[Hashable, Any]) -> Multiset[Any]:
    """A multiset of entries; of a `top`, iterated best first."""
    best = best_first(op)
    return multiset_of(entries, by=None if best is None else lambda value: best((), value))


class Bound:
    """A view of one value, read as a bound of a slice."""

    def __init__(self, node: Node, op: ops.Op) -> None:
        self.node = node
        self.op = op

    def value(self, *, old: bool) -> Any:
        """The value, or ABSENT where the view is empty and an empty one shows nothing."""
        store = self.node.kept
        assert store is not None
        if isinstance(store, Cells):
            i = identity(())
            found = store.old(i) if old else store.new(i)
            return empty_value(self.op) if found is ABSENT else found
        assert isinstance(store, Bags)
        bag = store.old(identity(())) if old else store.new(identity(()))
        return next(iter(bag.values()))[0] if len(bag) == 1 else ABSENT


class Reading:
    """A view as a user function sees it during a transaction; reads are noted in `tokens`."""

    def __init__(
        self, node: Node, op: ops.Op, tokens: set[Hashable] | None = None, *, old: bool = False
    ) -> None:
        assert node.kept is not None
        self._store: Any = node.kept
        self._op = op
        self._tokens = set() if tokens is None else tokens
        self._old = old

    def _at(self, i: Hashable) -> Any:
        return self._store.old(i) if self._old else self._store.new(i)

    def _bases(self) -> dict[Hashable, Any]:
        if not self._old:
            return self._store.base  # type: ignore[no-any-return]
        keys = dict.fromkeys([*self._store.base, *self._store.before()])
        found = {i: self._store.old(i) for i in keys}
        return {i: x for i, x in found.items() if x is not ABSENT and x != {}}


class ReadingKeyed(Reading, Mapping[Any, Any]):
    """A table or groups, read by key."""

    def _value(self, i: Hashable) -> Any:
        found = self._at(i)
        if isinstance(self._store, Bags):
            return ranked(self._op, dict(found)) if found else ABSENT
        return found

    def __getitem__(self, key: Any) -> Any:
        i = identity(key)
        self._tokens.add(("key", i))
        found = self._value(i)
        if found is ABSENT:
            found = empty_value(self._op)
            if found is ABSENT:
                raise KeyError(key)
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        i = identity(key)
        self._tokens.add(("key", i))
        found = self._value(i)
        return default if found is ABSENT else found

    def __contains__(self, key: object) -> bool:
        i = identity(key)
        self._tokens.add(("key", i))
        return self._value(i) is not ABSENT

    def __len__(self) -> int:
        self._tokens.add(LENGTH)
        return len(self._bases())

    def __iter__(self) -> Iterator[Any]:
        self._tokens.add(ALL)
        best = best_first(self._op)
        there = {self._store.key_of(i): value for i, value in self._bases().items()}
        if best is None:
            return iter(arranged(there))
        return iter(sorted(there, key=lambda key: best(key, there[key])))

    @property
    def value(self) -> Any:
        """The one value of a view that has one."""
        return self[()]

    def __repr__(self) -> str:
        return repr(dict(self))


class ReadingRows(Reading):
    """Rows, read as a multiset."""

    def _bag(self) -> dict[Hashable, Any]:
        return self._at(identity(()))  # type: ignore[no-any-return]

    @property
    def value(self) -> Multiset[Any]:
        """All the values."""
        self._tokens.add(ALL)
        return ranked(self._op, dict(self._bag()))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def counts(self) -> list[tuple[Any, int]]:
        """The distinct values with their number of copies, in order."""
        return self.value.counts()

    def __len__(self) -> int:
        self._tokens.add(LENGTH)
        return sum(entry[1] for entry in self._bag().values())

    def __contains__(self, value: object) -> bool:
        return self.count(value) > 0

    def count(self, value: object) -> int:
        """How many copies of a value there are."""
        i = identity(value)
        self._tokens.add(("value", i))
        entry = self._bag().get(i)
        return 0 if entry is None else int(entry[1])

    def __repr__(self) -> str:
        return repr(self.value)


def reading(
    node: Node, op: ops.Op, tokens: set[Hashable] | None = None, *, old: bool = False
) -> Any:
    """A view as user functions see it."""
    kind = ReadingRows if op.kind.shape == "rows" else ReadingKeyed
    return kind(node, op, tokens, old=old)


def touched_tokens(node: Node) -> list[Hashable]:
    """The tokens of all that changed in a view in this transaction."""
    store: Any = node.kept
    found: list[Hashable] = []
    if isinstance(store, Cells):
        for i, old, new in store.changed():
            found.append(("key", i))
            if old is ABSENT or new is ABSENT:
                found.append(LENGTH)
    else:
        for i, gone, come in store.changed():
            found += [("key", i), LENGTH]
            found += [("value", identity(entry[0])) for entry in gone + come]
    return [ALL, *dict.fromkeys(found)] if found else []
