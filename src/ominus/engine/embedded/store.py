"""Stores: what operators keep, with the old value of whatever a transaction overwrites.

`Cells` holds one value for each key, `Bags` a multiset for each key.
Stores are keyed by `ident` of the key, so that `1`, `1.0` and `True` never meet by accident;
keys that are equal and yet two values are refused, for a reader's mapping could not tell them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from ominus.algebra.change import ABSENT
from ominus.algebra.value import _SELF, ident
from ominus.engine.embedded.clock import Clock, Epoch
from ominus.errors import KeysCollide

PLAIN = _SELF
"""Types whose values stand for themselves."""

ROWS = ident(())
"""The identity of the one key of rows."""


class Store:
    """What one operator keeps."""

    __slots__ = ("base", "clock", "filled", "names", "raws", "saved", "stale")

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.base: dict[Hashable, Any] = {}
        self.saved: dict[Hashable, Any] | None = None
        self.filled: dict[Hashable, Any] | None = None
        self.names: dict[Hashable, Any] = {ROWS: ()}
        self.raws: dict[Any, Hashable] = {}
        self.stale: set[Hashable] = set()

    def _open(self) -> dict[Hashable, Any]:
        # The map must be there before the store is listed: a reader may look at any moment.
        found: dict[Hashable, Any] = {}
        self.saved = found
        self.clock.touched.append(self)
        return found

    def before(self) -> dict[Hashable, Any]:
        """What the writer takes for overwritten: while a new operator is filled, everything."""
        if self.filled is not None:
            return self.filled
        return self.saved or {}

    def pretend_empty(self) -> None:
        """Let operators that are being filled see all that is here as new."""
        raise NotImplementedError

    def key_of(self, i: Hashable) -> Any:
        """The key behind an identity."""
        return self.names.get(i, i)

    def admit(self, i: Hashable, key: Any) -> None:
        """Take in a key that is not there; refuse one that is equal to another and not it.

        Fails  KeysCollide.
        """
        if i is key:
            clash = self.raws.get(key) if self.raws else None
            if clash is not None and self._holds(clash):
                raise self._collision(key, self.names[clash])
            return
        clash = self.raws.get(key)
        plain = key in self.base
        if clash is not None and clash != i and self._holds(clash):
            raise self._collision(key, self.names[clash])
        if plain and self._holds(key):
            raise self._collision(key, next(k for k in self.base if k == key))
        self.names[i] = key
        self.raws[key] = i

    def _holds(self, i: Hashable) -> bool:
        return i in self.base

    @staticmethod
    def _collision(key: Any, other: Any) -> KeysCollide:
        return KeysCollide(
            f"the key {key!r} ({type(key).__name__})",
            f"{other!r} ({type(other).__name__}) is there, which is equal and yet another value",
            "Use one type for the keys, or declare the source's row type.",
        )

    def sweep(self, pinned: bool) -> None:
        """Forget the names of keys that are gone, once no snapshot can ask for them."""
        if len(self.names) == 1:
            return
        self.stale.update(i for i in self.saved or () if i in self.names and i != ROWS)
        if pinned:
            return
        for i in self.stale:
            if i not in self.base:
                key = self.names.pop(i, None)
                if self.raws.get(key) == i:
                    del self.raws[key]
        self.stale.clear()

    def merge(self, into: dict[Hashable, Any]) -> None:
        """Add what this transaction saved to an epoch's map, which wins where it has it."""
        raise NotImplementedError

    def restore(self) -> None:
        """Put back what this transaction overwrote."""
        raise NotImplementedError


class Cells(Store):
    """One value for each key."""

    __slots__ = ()

    def put(self, i: Hashable, value: Any) -> None:
        """Set a key's value; ABSENT drops it."""
        saved = self.saved
        if saved is None:
            saved = self._open()
        if i not in saved:
            saved[i] = self.base.get(i, ABSENT)
        if value is ABSENT:
            self.base.pop(i, None)
        else:
            self.base[i] = value

    def new(self, i: Hashable) -> Any:
        """The value as the writer sees it."""
        return self.base.get(i, ABSENT)

    def old(self, i: Hashable) -> Any:
        """The value before this transaction."""
        before = self.before()
        return before[i] if i in before else self.base.get(i, ABSENT)

    def pretend_empty(self) -> None:
        self.filled = dict.fromkeys(self.base, ABSENT)

    def read(self, i: Hashable, epoch: Epoch | None) -> Any:
        """The value at the last committed version, or at an epoch's; for any thread."""
        while True:
            ticks = self.clock.ticks
            found = self.base.get(i, ABSENT)
            saved = self.saved
            if saved is not None and i in saved:
                found = saved[i]
            for older in _chain(epoch):
                found_there = older.maps.get(self)
                if found_there is not None and i in found_there:
                    found = found_there[i]
                    break
            if self.clock.ticks == ticks:
                return found

    def copy(self, epoch: Epoch | None) -> list[tuple[Any, Any]]:
        """All keys and values at a version."""
        while True:
            ticks = self.clock.ticks
            found = self.base.copy()
            maps = [self.saved or {}, *(e.maps.get(self, {}) for e in reversed(_chain(epoch)))]
            for overwritten in maps:
                _overlay(found, overwritten.copy())
            pairs = [(self.names.get(i, i), x) for i, x in found.items()]
            if self.clock.ticks == ticks:
                return pairs

    def merge(self, into: dict[Hashable, Any]) -> None:
        for i, old in (self.saved or {}).items():
            into.setdefault(i, old)

    def restore(self) -> None:
        for i, old in (self.saved or {}).items():
            if old is ABSENT:
                self.base.pop(i, None)
            else:
                self.base[i] = old

    def changed(self) -> Iterator[tuple[Hashable, Any, Any]]:
        """The keys whose value differs from before: identity, old, new."""
        for i, old in self.before().items():
            new = self.base.get(i, ABSENT)
            if new is not old and (new is ABSENT or old is ABSENT or ident(new) != ident(old)):
                yield i, old, new


Entry = tuple[Any, ...]
"""A value, how many copies of it, and for indexes the key under which it is elsewhere."""


class Bags(Store):
    """A multiset for each key: entries by identity of the value."""

    __slots__ = ()

    def shift(self, i: Hashable, v: Hashable, value: Any, by: int, *rest: Any) -> int:
        """Add copies of a value under a key, or take them away; how many there are then.

        The caller refuses a negative result: the bag then holds what it should not.
        """
        bag = self.base.get(i)
        if bag is None:
            bag = self.base[i] = {}
        entry = bag.get(v)
        saved = self.saved
        if saved is None:
            saved = self._open()
        there = saved.get(i)
        if there is None:
            there = saved[i] = {}
        if v not in there:
            there[v] = entry
        n = by if entry is None else entry[1] + by
        if n == 0:
            if entry is not None:
                del bag[v]
            if not bag:
                del self.base[i]
        else:
            bag[v] = (value if entry is None else entry[0], n, *rest)
        return n

    def new(self, i: Hashable) -> dict[Hashable, Entry]:
        """The entries under a key as the writer sees them; not to be changed."""
        return self.base.get(i) or {}

    def old(self, i: Hashable) -> dict[Hashable, Entry]:
        """The entries under a key before this transaction."""
        now = self.base.get(i) or {}
        there = self.before().get(i)
        if not there:
            return now
        found = now.copy()
        _overlay(found, there, None)
        return found

    def pretend_empty(self) -> None:
        self.filled = {i: dict.fromkeys(bag) for i, bag in self.base.items()}

    def read(self, i: Hashable, epoch: Epoch | None) -> dict[Hashable, Entry]:
        """The entries under a key at a version; a copy, for any thread."""
        while True:
            ticks = self.clock.ticks
            bag = self.base.get(i)
            found = {} if bag is None else bag.copy()
            maps = [self.saved or {}, *(e.maps.get(self, {}) for e in reversed(_chain(epoch)))]
            for overwritten in maps:
                there = overwritten.get(i)
                if there:
                    _overlay(found, there.copy(), None)
            if self.clock.ticks == ticks:
                return found

    def read_entry(self, i: Hashable, v: Hashable, epoch: Epoch | None) -> Entry | None:
        """One entry at a version; for any thread."""
        while True:
            ticks = self.clock.ticks
            found: Entry | None = (self.base.get(i) or {}).get(v)
            maps = [self.saved or {}, *(e.maps.get(self, {}) for e in reversed(_chain(epoch)))]
            for overwritten in maps:
                there = overwritten.get(i)
                if there and v in there:
                    found = there[v]
            if self.clock.ticks == ticks:
                return found

    def keys_at(self, epoch: Epoch | None) -> list[Any]:
        """The keys that have values at a version."""
        while True:
            ticks = self.clock.ticks
            found = dict.fromkeys(list(self.base))
            maps = [self.saved or {}, *(e.maps.get(self, {}) for e in _chain(epoch))]
            suspects = [i for overwritten in maps for i in list(overwritten)]
            for i in suspects:
                if self.read(i, epoch):
                    found[i] = None
                else:
                    found.pop(i, None)
            keys = [self.names.get(i, i) for i in found]
            if self.clock.ticks == ticks:
                return keys

    def merge(self, into: dict[Hashable, Any]) -> None:
        for i, there in (self.saved or {}).items():
            bag = into.get(i)
            if bag is None:
                into[i] = dict(there)
            else:
                for v, entry in there.items():
                    bag.setdefault(v, entry)

    def restore(self) -> None:
        for i, there in (self.saved or {}).items():
            bag = self.base.get(i)
            if bag is None:
                bag = self.base[i] = {}
            _overlay(bag, there, None)
            if not bag:
                del self.base[i]

    def changed(self) -> Iterator[tuple[Hashable, list[Entry], list[Entry]]]:
        """The keys that differ from before, with the entries that went and that came.

        An entry that went or came has the number of copies by which it changed.
        """
        for i, there in self.before().items():
            bag = self.base.get(i) or {}
            gone, come = [], []
            for v, old in there.items():
                new = bag.get(v)
                by = (0 if new is None else new[1]) - (0 if old is None else old[1])
                if by < 0:
                    assert old is not None
                    gone.append((old[0], -by, *old[2:]))
                elif by > 0:
                    assert new is not None
                    come.append((new[0], by, *new[2:]))
            if gone or come:
                yield i, gone, come


def _overlay(base: dict[Hashable, Any], over: dict[Hashable, Any], absent: Any = ABSENT) -> None:
    for i, old in over.items():
        if old is absent:
            base.pop(i, None)
        else:
            base[i] = old


def _chain(epoch: Epoch | None) -> list[Epoch]:
    found: list[Epoch] = []
    while epoch is not None:
        found.append(epoch)
        epoch = epoch.next
    return found


def identity(key: Any) -> Hashable:
    """`ident`, with the common case first."""
    return key if type(key) in PLAIN else ident(key)
