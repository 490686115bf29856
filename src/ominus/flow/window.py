"""Windows of time, as keys: a window is only a key, so late and deleted rows are simply right.

Intervals are half-open; windows start at multiples of their step from the UTC epoch; naive times
count as UTC, and give naive windows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from ominus.algebra.select import selector
from ominus.errors import FlowError

_UNITS = {
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "m": "minutes",
    "h": "hours",
    "d": "days",
    "w": "weeks",
}


class Window(NamedTuple):
    """A half-open interval of time: `start <= t < end`."""

    start: Any
    end: Any


@dataclass(frozen=True)
class WindowKey:
    """The key function that `window` makes: the window of a row, or several where they slide."""

    of: Any
    size: timedelta
    every: timedelta

    @property
    def many(self) -> bool:
        """Whether a row may be in several windows."""
        return self.every != self.size

    def __call__(self, row: Any) -> Window:
        return self.windows(row)[0]

    def windows(self, row: Any) -> list[Window]:
        """All the windows of a row, the earliest first."""
        at = selector(self.of)(row)
        if not isinstance(at, datetime):
            raise FlowError(
                f"window({self.of!r}) of {row!r}",
                f"the time is {at!r}",
                "Give a field or a function that gives a datetime.",
            )
        epoch = datetime(1970, 1, 1, tzinfo=None if at.tzinfo is None else UTC)
        last = epoch + (at - epoch) // self.every * self.every
        found = []
        start = last
        while at - start < self.size:
            found.append(Window(start, start + self.size))
            start -= self.every
        return found[::-1]


def window(
    of: str | Callable[[Any], Any], size: str | timedelta, *, every: str | timedelta | None = None
) -> WindowKey:
    """The window of a time, for `group_by`: tumbling, or sliding with `every`.

    >>> from datetime import datetime
    >>> window("at", "1h")({"at": datetime(2026, 1, 1, 10, 30)}).start.hour
    10
    """
    length = duration(size)
    return WindowKey(of, length, length if every is None else duration(every))


def duration(text: str | timedelta) -> timedelta:
    """A duration from text such as `90s`, `5m`, `1h`, `2d`.

    >>> duration("1h30m")
    datetime.timedelta(seconds=5400)
    """
    if isinstance(text, timedelta):
        found = text
    else:
        parts = re.findall(r"(\d+)(us|ms|[smhdw])", text)
        if not parts or "".join(n + u for n, u in parts) != text:
            raise FlowError(
                f"the duration {text!r}",
                "not of the form 90s, 5m, 1h30m, 2d",
                "Write a number and a unit of us, ms, s, m, h, d, w.",
            )
        found = timedelta(**{_UNITS[u]: int(n) for n, u in parts})
    if found <= timedelta(0):
        raise FlowError(f"the duration {text!r}", "not positive", "Give a positive duration.")
    return found
