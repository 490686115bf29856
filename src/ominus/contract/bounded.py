"""A reducer that gives up: when the time of a search is over, or its state has grown too large.

`GaveUp` is no `Exception`, for what a user's function raises says something of a law, and this
says nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ominus.algebra.reducer import Reducer

LARGEST = 100_000
"""Bits of an int, or length of a string or a sequence, beyond which a state is let go."""


class GaveUp(BaseException):
    """The time is over, or the state too large to go on: the case says nothing."""


def bounded(reducer: Reducer[Any, Any, Any], until: Callable[[], float]) -> Reducer[Any, Any, Any]:
    """The same reducer, whose steps give up when the time that `until` gives is over."""

    def step(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def stepped(state: Any, value: Any) -> Any:
            if time.monotonic() > until():
                raise GaveUp
            found = f(state, value)
            if _is_large(found):
                raise GaveUp
            return found

        return stepped

    remove = None if reducer.remove is None else step(reducer.remove)
    return reducer.replace(add=step(reducer.add), remove=remove, inverse=reducer.inverse)


def _is_large(state: Any) -> bool:
    kind = type(state)
    if kind is int:
        return bool(state.bit_length() > LARGEST)
    if kind is tuple:
        return len(state) > LARGEST or any(type(x) is int and _is_large(x) for x in state[:8])
    return kind in (str, bytes, list) and len(state) > LARGEST
