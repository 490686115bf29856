"""The watch: a running engine's values compared with their recompute, once per transaction.

Where they differ, the change that broke the value is found by bisection, and the error names it.
"""

from __future__ import annotations

import random
from typing import Any

from ominus.errors import Diverged


class Watch:
    """An observer of an engine that looks at a share of the values that it keeps.

    `rate` is that share: 1 looks at all, 0.01 at one in a hundred.
    """

    def __init__(self, rate: float = 1.0, *, seed: int = 0) -> None:
        if not 0 <= rate <= 1:
            raise ValueError(f"watch at a rate of {rate}: give a share between 0 and 1")
        self.rate = rate
        self.looked = 0
        self._random = random.Random(seed)

    def wants(self) -> bool:
        """Whether to look at the next value."""
        return self.rate >= 1 or self._random.random() < self.rate

    def look(self, kept: Any) -> None:
        """Compare a kept value with its recompute.

        Fails  Diverged, which names the function, the key, the change, expected and found.
        """
        self.looked += 1
        changes = list(kept.changes)
        _, expected = kept.replay(len(changes))
        if kept.same(kept.found, expected):
            return
        found, change = kept.found, None
        broken = _first_broken(kept, len(changes))
        if broken is not None:
            found, expected = kept.replay(broken)
            change = changes[broken - 1]
        raise diverged(kept, change, expected, found)


def _first_broken(kept: Any, size: int) -> int | None:
    """How many changes it takes to break the value: bisected, for each try costs a recompute."""
    if size == 0 or kept.same(*kept.replay(size)) or not kept.same(*kept.replay(0)):
        return None
    right, wrong = 0, size
    while wrong - right > 1:
        middle = (right + wrong) // 2
        if kept.same(*kept.replay(middle)):
            right = middle
        else:
            wrong = middle
    return wrong


def diverged(kept: Any, change: Any, expected: Any, found: Any) -> Diverged:
    """The error for a value that is not its recompute."""
    at = "" if kept.key == () else f" at key {kept.key!r}"
    after = f" after {change!r}" if change is not None else ""
    error = Diverged(
        f"{kept.view}{at}, kept by {kept.function}",
        f"{found!r}{after}, where a recompute gives {expected!r}",
        "Verify it: om.verify(reducer) shows a smallest case; a delta function must give what "
        "the full function gives."
        if change is not None
        else "No single change shows it: does a function read outside state, or change its row?",
    )
    error.function, error.key, error.change = kept.function, kept.key, change
    error.expected, error.found_value = expected, found
    return error
