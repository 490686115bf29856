"""What flows between operators in one transaction: values that go, come, and become others.

`gone` and `come` hold (key, value, copies), `moved` holds (key, old, new).
Every value in `gone`, and every `old`, is of the state before; every value in `come`, and every
`new`, of the state after: so user functions never see a state that never was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Item = tuple[Any, Any, int]
Move = tuple[Any, Any, Any]


class Wave:
    """The changes of one collection in one transaction."""

    __slots__ = ("come", "gone", "moved")

    def __init__(
        self,
        gone: list[Item] | None = None,
        come: list[Item] | None = None,
        moved: list[Move] | None = None,
    ) -> None:
        self.gone: list[Item] = [] if gone is None else gone
        self.come: list[Item] = [] if come is None else come
        self.moved: list[Move] = [] if moved is None else moved

    def __bool__(self) -> bool:
        return bool(self.gone or self.come or self.moved)

    def __len__(self) -> int:
        return len(self.gone) + len(self.come) + 2 * len(self.moved)

    def leaving(self) -> Iterator[Item]:
        """All that goes, the old values of what moved included."""
        yield from self.gone
        for key, old, _ in self.moved:
            yield key, old, 1

    def joining(self) -> Iterator[Item]:
        """All that comes, the new values of what moved included."""
        yield from self.come
        for key, _, new in self.moved:
            yield key, new, 1


def single(key: Any, old: Any, new: Any, absent: Any) -> Wave:
    """The wave of one key of a table."""
    if old is absent:
        return Wave(come=[(key, new, 1)])
    if new is absent:
        return Wave(gone=[(key, old, 1)])
    return Wave(moved=[(key, old, new)])
