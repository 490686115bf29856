"""Functions that cannot be traced, as data: why, and on which line from the first."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

seen = 0
LOG: list[int] = []
LARGE = 10**6


@dataclass
class Box:
    size: int
    things: list[int] = field(default_factory=list)

    @cached_property
    def double(self) -> int:
        return self.size * 2


@dataclass(frozen=True)
class Guarded:
    size: int

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)


def divides_with_a_handler(x: int) -> float | None:
    try:
        return 1 / x
    except ZeroDivisionError:
        return None


def divides_before_finally(x: int) -> float:
    try:
        y = 1 / x
    finally:
        LOG.append(1)
    return y


def calls_what_raises_under_a_handler(x: int) -> float | None:
    try:
        return inverse(x)
    except ZeroDivisionError:
        return None


def inverse(x: int) -> float:
    return 1 / x


def reads_a_file(x: str) -> str:
    with Path(x).open() as f:
        return f.read()


def counts(x: int) -> int:
    global seen
    seen += 1
    return x


def grows(box: Box) -> Box:
    box.size += 1
    return box


def appends(box: Box) -> list[int]:
    box.things.append(1)
    return box.things


def adds_in_place(box: Box) -> list[int]:
    t = box.things
    t += [1]
    return t


def loops(s: str) -> int:
    n = 0
    for _ in s:
        n += 1
    return n


def waits(x: int) -> int:
    while x > 0:
        x -= 1
    return x


def factorial(n: int) -> int:
    return n * factorial(n - 1) if n else 1


def imports(x: float) -> float:
    import math

    return math.sqrt(x)


async def later(x: int) -> int:
    return x


def yields(x: int) -> Any:
    yield x


def doors(a: int, b: int, c: int, d: int, e: int, f: int, g: int) -> int:
    n = 0
    if a:
        n += 1
    if b:
        n += 2
    if c:
        n += 4
    if d:
        n += 8
    if e:
        n += 16
    if f:
        n += 32
    if g:
        n += 64
    return n


# Where a line would say nothing: in a helper, in one of many branches, before the first line.
WITHOUT_LINE = (calls_what_raises_under_a_handler, doors, later, yields)

OPAQUE: dict[Callable[..., Any], tuple[tuple[Any, ...], str, int]] = {
    divides_with_a_handler: ((int,), "a `try` or `with` covers", 2),
    divides_before_finally: ((int,), "a `try` or `with` covers", 2),
    calls_what_raises_under_a_handler: ((int,), "a `try` or `with` covers", 2),
    reads_a_file: ((str,), "calls `Path`", 1),
    counts: ((int,), "changes a global variable", 2),
    grows: ((Box,), "changes an attribute", 1),
    appends: ((Box,), "calls `.append`", 1),
    adds_in_place: ((Box,), "changes a value in place", 2),
    loops: ((str,), "loops over the value", 2),
    waits: ((int,), "more than 64 paths", 1),
    factorial: ((int,), "calls itself too deeply", 1),
    imports: ((float,), "imports a module", 1),
    later: ((int,), "is asynchronous", 0),
    yields: ((int,), "returns a generator", 0),
    doors: ((int,) * 7, "more than 64 paths", 12),
}


INLINE: dict[str, tuple[Callable[..., Any], Any, str]] = {
    "random": (lambda x: random.random() < x, float, "calls `random.random`"),
    "print": (lambda x: print(x), int, "calls `print`"),
    "the clock": (lambda d: d < datetime.now(), datetime, "calls `datetime.now`"),
    "identity": (lambda x: x is LARGE, int, "compares identities"),
    "callable": (lambda x: callable(x), int, "calls `callable`"),
    "hash": (lambda x: hash(x), str, "calls `hash`"),
    "a strange global": (lambda x: LOG.append(x), int, "calls `.append`"),
    "a mutable global given out": (lambda x: LOG, int, "a mutable value"),
    "a cached property": (lambda b: b.double, Box, "is a cached_property"),
    "a class that guards its fields": (lambda g: g.size, Guarded, "defines `__getattribute__`"),
    "a value of no known type": (lambda x: x + 1, Any, "`+` of Any"),
    "a format of the locale": (lambda x: f"{x:n}", int, "formats a int"),
    "a date's name in the locale": (lambda d: f"{d:%B}", datetime, "formats a date by '%B'"),
    "a default factory": (lambda x: Box(x), int, "made by a factory"),
    "an unknown name": (lambda x: nothing_of_this_name + x, int, "not defined"),  # type: ignore[name-defined]  # noqa: F821
    "a sum of floats, compensated from 3.12 on": (lambda x: sum([x, x]), float, "sums what are no"),
    "a sort": (lambda x: sorted([x, 1]), int, "calls `sorted`"),
    "what nests too deeply": (
        eval("lambda x: " + " + ".join(["x"] * 400), {}),
        int,
        "nests too deeply",
    ),
    "eval": (lambda x: eval("x"), int, "calls `eval`"),
}
