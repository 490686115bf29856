"""The table of steps: which function carries out which instruction."""

from __future__ import annotations

from collections.abc import Callable

from ominus.trace.symbols.frame import Frame

Step = Callable[[Frame, int], None]
ALL: dict[str, Step] = {}


def step(*names: str) -> Callable[[Step], Step]:
    """Say which instructions a function carries out."""

    def keep(act: Step) -> Step:
        ALL.update(dict.fromkeys(names, act))
        return act

    return keep
