"""What an engine shows to whoever watches it: each kept value, and how to make it again.

The contract's watch is such an observer; an engine only calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Kept:
    """A value that an engine has just brought up to date, for one key of one view.

    `replay(n)` makes the value after the first `n` of `changes` twice: as the engine does, by the
    function that is watched, and from scratch.
    """

    view: str
    function: str
    key: Any
    changes: Sequence[Any]
    found: Any
    replay: Callable[[int], tuple[Any, Any]]
    same: Callable[[Any, Any], bool]


class Observer(Protocol):
    """Who watches an engine."""

    def wants(self) -> bool:
        """Whether to look at the next value: a sampling rate."""

    def look(self, kept: Kept) -> None:
        """Look at a value; raise, and the transaction is taken back."""
