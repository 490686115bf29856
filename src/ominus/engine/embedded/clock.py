"""Versions: what lets readers see one consistent state while one writer writes.

A writer saves the old value before it overwrites; a reader looks in the base, then in what was
saved. The other order would tear: a value saved and overwritten between the two looks is lost.

# Invariants
1. `saved` of a store has the value at the last committed version of whatever differs from it.
2. A pinned epoch has, of each store, the value at its version of whatever was overwritten since,
   except for what a later epoch in its chain, or `saved`, has.
3. `ticks` changes before `saved` is cleared, so a reader that raced a commit or an abort sees it.
"""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ominus.engine.embedded.store import Store


class Epoch:
    """What has been overwritten since a version that a snapshot still reads."""

    __slots__ = ("maps", "next", "pins", "version", "__weakref__")

    def __init__(self, version: int) -> None:
        self.version = version
        self.maps: dict[Store, dict[Any, Any]] = {}
        self.next: Epoch | None = None
        self.pins = 0


class Clock:
    """The versions of one engine: begun, committed or taken back, and pinned by snapshots."""

    def __init__(self) -> None:
        self.version = 0
        self.ticks = 0
        self.tail = Epoch(0)
        self.touched: list[Store] = []
        self.mutex = threading.Lock()

    def pin(self, holder: object) -> Epoch:
        """Pin the last committed version for as long as `holder` lives."""
        with self.mutex:
            if self.tail.version != self.version:
                epoch = Epoch(self.version)
                self.tail.next = epoch
                self.tail = epoch
            epoch = self.tail
            epoch.pins += 1
        weakref.finalize(holder, self._unpin, epoch).atexit = False
        return epoch

    def _unpin(self, epoch: Epoch) -> None:
        # No lock: a collection may run this inside a section that holds it.
        epoch.pins -= 1

    def commit(self) -> int:
        """Make what was written the last committed version."""
        with self.mutex:
            if self.tail.pins > 0:
                for store in self.touched:
                    store.merge(self.tail.maps.setdefault(store, {}))
            self.version += 1
            self.ticks += 1
            self._clear()
            return self.version

    def abort(self) -> None:
        """Take back all that was written."""
        for store in self.touched:
            store.restore()
        with self.mutex:
            self.ticks += 1
            self._clear()

    def _clear(self) -> None:
        for store in self.touched:
            store.saved = None
        self.touched = []
