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

    __slots__ = ("__weakref__", "maps", "next", "pins", "version")

    def __init__(self, version: int) -> None:
        self.version = version
        self.maps: dict[Store, dict[Any, Any]] = {}
        self.next: Epoch | None = None
        self.pins = 0


class Clock:
    """The versions of one engine: begun, committed or taken back, and pinned by snapshots."""

    def __init__(self) -> None:
        self.version = -1
        self.ticks = 0
        self.tail = Epoch(-1)
        self.epochs: weakref.WeakSet[Epoch] = weakref.WeakSet()
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
            self.epochs.add(epoch)
        weakref.finalize(holder, _unpin, epoch).atexit = False
        return epoch

    def commit(self, *, by: int = 1) -> int:
        """Make what was written the last committed version; `by=0` for what changes no view."""
        with self.mutex:
            pinned = any(epoch.pins for epoch in self.epochs)
            for store in self.touched:
                if pinned:
                    # Into the last epoch even if only an earlier one is pinned: it reads the chain.
                    store.merge(self.tail.maps.setdefault(store, {}))
                store.sweep(pinned)
            self.version += by
            if not pinned and self.tail.maps:
                # Nobody can ask for what the last epoch holds any more.
                self.tail = Epoch(self.version)
            self._clear()
            return self.version

    def restore(self) -> None:
        """Take back all that was written; `forget` ends it."""
        for store in self.touched:
            store.restore()

    def forget(self) -> None:
        """End a transaction that was taken back."""
        with self.mutex:
            pinned = any(epoch.pins for epoch in self.epochs)
            for store in self.touched:
                store.sweep(pinned)
            self._clear()

    def _clear(self) -> None:
        self.ticks += 1
        for store in self.touched:
            store.saved = None
        self.touched = []


def _unpin(epoch: Epoch) -> None:
    # No lock: a collection may run this inside a section that holds it.
    epoch.pins -= 1
