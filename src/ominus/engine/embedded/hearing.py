"""Subscribers and streams: what each committed version changed, told in order."""

from __future__ import annotations

import asyncio
import logging
import threading
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable
from typing import Any

from ominus.algebra.change import Change, GroupChange
from ominus.algebra.multiset import multiset_of
from ominus.algebra.order import arrange
from ominus.algebra.value import canon, one
from ominus.engine.embedded.store import Bags, Cells, identity

log = logging.getLogger("ominus")
Told = dict[str, list[Any]]


def changes(store: Any) -> list[Any]:
    """The net changes of a kept view in the transaction that is being committed."""
    found: list[Any] = []
    if isinstance(store, Cells):
        found = [Change(store.key_of(i), _told(old), _told(new)) for i, old, new in store.changed()]
    else:
        assert isinstance(store, Bags)
        for i, gone, come in store.changed():
            found.append(GroupChange(store.key_of(i), _bag(gone), _bag(come)))
    found.sort(key=lambda change: arrange(change.key))
    return found


def _bag(entries: list[Any]) -> Any:
    return multiset_of({identity(e[0]): (_told(e[0]), e[1]) for e in entries})


def _told(value: Any) -> Any:
    """A value that a subscriber may change without changing ours."""
    return canon(value, copied=True)


class Heard:
    """A subscription; `close()` ends it."""

    def __init__(self, names: tuple[str, ...], f: Callable[[Told], Any], since: int) -> None:
        self.names = names
        self.f = f
        self.since = since
        self.open = True

    def close(self) -> None:
        """Hear no more."""
        self.open = False

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Board:
    """The subscriptions of one engine, and the versions that are still to be told."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._heard: list[Heard] = []
        self._waiting: deque[tuple[int, Told]] = deque()
        self._due: deque[tuple[Heard, Told]] = deque()
        self._telling = threading.Lock()

    def add(self, heard: Heard) -> Heard:
        """Take in a subscription."""
        self._heard = [h for h in self._heard if h.open] + [heard]
        return heard

    def wanted(self) -> set[str]:
        """The names of the views that somebody hears."""
        return {name for h in self._heard if h.open for name in h.names}

    def post(self, version: int, told: Told) -> None:
        """Queue a committed version."""
        if told:
            self._waiting.append((version, told))

    def tell(self) -> None:
        """Tell what waits, in order; a write from a subscriber is told after it."""
        while self._waiting or self._due:
            if not self._telling.acquire(blocking=False):
                return
            try:
                while self._waiting or self._due:
                    # What a KeyboardInterrupt leaves due is told with the next version.
                    if not self._due:
                        version, told = self._waiting.popleft()
                        self._due.extend((h, told) for h in self._heard if h.since < version)
                        continue
                    heard, told = self._due.popleft()
                    if heard.open:
                        _call(heard, told)
            finally:
                self._telling.release()


def _call(heard: Heard, told: Told) -> None:
    mine = {name: told[name] for name in heard.names if name in told}
    if not mine:
        return
    try:
        heard.f(mine)
    except Exception:
        log.exception(
            "a subscriber of %s raised; the others were told, nothing was taken back",
            ", ".join(heard.names),
        )


class Pending:
    """What a stream has not yet given: one change for each key."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}

    def add(self, given: list[Any]) -> None:
        """Join later changes to what waits."""
        for change in given:
            i = identity(change.key)
            mine = self._found.get(i)
            joined = change if mine is None else _joined(mine, change)
            if joined is None:
                del self._found[i]
            else:
                self._found[i] = joined

    def pop(self) -> list[Any]:
        """All that waits."""
        found, self._found = list(self._found.values()), {}
        return found


def _joined(first: Any, then: Any) -> Any:
    if isinstance(first, Change):
        if first.old is then.new or one(first.old, then.new):
            return None
        return Change(then.key, first.old, then.new)
    removed = first.removed + (then.removed - first.added)
    added = (first.added - then.removed) + then.added
    both = removed & added
    if removed == both and added == both:
        return None
    return GroupChange(then.key, removed - both, added - both)


class Stream(AsyncIterator[Any]):
    """Changes of a view for `async for`, one change for each key that waits."""

    def __init__(self, wants: Callable[[Any], bool]) -> None:
        self.heard: Heard | None = None
        self._wants = wants
        self._pending = Pending()
        self._ready: deque[Any] = deque()
        self._mutex = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event: asyncio.Event | None = None

    def pushing(self, name: str) -> Callable[[Told], None]:
        """What the board calls: it does not keep a stream alive that nobody reads any more."""
        mine = weakref.ref(self)

        def push(told: Told) -> None:
            stream = mine()
            if stream is not None:
                stream.push(told[name])

        return push

    def __del__(self) -> None:
        # A `break` out of `async for` closes nothing: the last reference does.
        if self.heard is not None:
            self.heard.close()

    def begin(self, found: list[Any]) -> None:
        """Give what was there first, before any change."""
        self._ready.extend(change for change in found if self._wants(change))

    def push(self, given: list[Any]) -> None:
        """Take in changes, from any thread."""
        mine = [change for change in given if self._wants(change)]
        if not mine:
            return
        with self._mutex:
            self._pending.add(mine)
        loop, event = self._loop, self._event
        if loop is not None and event is not None and not loop.is_closed():
            loop.call_soon_threadsafe(event.set)

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> Any:
        if self._event is None:
            self._event = asyncio.Event()
            self._loop = asyncio.get_running_loop()
        while not self._ready:
            self._event.clear()
            with self._mutex:
                self._ready.extend(self._pending.pop())
            if self._ready:
                break
            if self.heard is not None and not self.heard.open:
                raise StopAsyncIteration
            await self._event.wait()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Hear no more."""
        self.close()

    def close(self) -> None:
        """Hear no more; a reader that waits is let go."""
        if self.heard is not None:
            self.heard.close()
        loop, event = self._loop, self._event
        if loop is not None and event is not None and not loop.is_closed():
            loop.call_soon_threadsafe(event.set)
