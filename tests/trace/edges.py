"""Random values of a type, its edges first: what a traced function is tried on."""

from __future__ import annotations

import itertools
import random
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any

from ominus.trace.kinds import Alien, Many, Row, Tuple, Type, Union

EDGES: dict[Any, list[Any]] = {
    bool: [False, True],
    NoneType: [None],
    int: [
        0, -1, 1, 2, 3, -7, 5, 100, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**30, 10**400,
    ],
    float: [
        0.0, -0.0, 1.0, -1.5, 0.1, 0.5, 2.5, 2.675, 99.0, 3e300, 1e308, -1e308, 5e-324,
        float("inf"), float("-inf"), float("nan"), 2.0**53 + 2,
    ],
    str: [
        "", "a", "e", "A b ", "open", "books", "green", "VERDE x", "ß", "ǆx", "İ", "日本", "a@b.C",
        "12",
        " 7_0 ", "-3", "nan", "\x1c", "e\u0301", "a a", "None", "{}", "'", "1e5", "٣", "#",
        "\U0001f600z",
    ],
    bytes: [b"", b"a", b"\xff\x00"],
    date: [date.min, date.max, date(1970, 1, 1), date(2024, 2, 29), date(2023, 12, 31)],
    datetime: [
        datetime.min, datetime.max, datetime(2024, 2, 29, 23, 59, 59, 999999), datetime(1970, 1, 1),
        datetime(2024, 1, 1, 12, tzinfo=timezone.utc),
        datetime(2024, 1, 1, 12, fold=1, tzinfo=timezone(timedelta(hours=-5))),
    ],
    timedelta: [
        timedelta(0), timedelta(microseconds=-1), timedelta(days=7), timedelta.max, timedelta.min,
    ],
    Decimal: [
        Decimal(s)
        for s in "0 -0 1.10 1.1 -2.5 1E+30 0.01 NaN Infinity sNaN".split()
    ],
    Fraction: [Fraction(s) for s in "0 1 -1 1/2 -7/3 1/1000000007".split()] + [Fraction(10**40, 7)],
}  # fmt: skip


def value(kind: Type, rng: random.Random) -> Any:
    """One value of the type, an edge about half the time."""
    match kind:
        case type() if issubclass(kind, Enum):
            return rng.choice(list(kind))
        case type():
            return rng.choice(EDGES[kind]) if rng.random() < 0.6 else _plain(kind, rng)
        case Tuple(items, py):
            return py(value(t, rng) for t in items)
        case Many(item, py):
            return py(value(item, rng) for _ in range(rng.randrange(4)))
        case Row("namedtuple", _, fields, make):
            return make(*(value(t, rng) for _, t in fields))
        case Row(_, _, fields, make):
            return make(**{n: value(t, rng) for n, t in fields})
        case Union(inner):
            return value(rng.choice(inner), rng)
        case Alien():
            return rng.choice([None, 1, "x", (1, 2)])
    raise AssertionError(kind)


def _plain(kind: Any, rng: random.Random) -> Any:
    if kind is int:
        return rng.randrange(-150, 150)
    if kind is float:
        return rng.uniform(-200, 200)
    if kind is str:
        return "".join(rng.choice("aeoxAE @1 .ß") for _ in range(rng.randrange(6)))
    if kind is Decimal:
        return Decimal(rng.randrange(-10_000, 10_000)) / 100
    if kind in (date, datetime):
        return kind(2000, 1, 1) + timedelta(days=rng.randrange(10_000), hours=rng.randrange(24))
    if kind is timedelta:
        return timedelta(seconds=rng.randrange(-(10**6), 10**6))
    return rng.choice(EDGES[kind])


def rows(kinds: tuple[Type, ...], count: int, seed: int) -> Any:
    """So many argument lists; where few are possible, each edge with each."""
    rng = random.Random(seed)
    edges = [EDGES.get(k) if isinstance(k, type) else None for k in kinds]
    if all(e is not None for e in edges):
        product = list(itertools.product(*edges))  # type: ignore[arg-type]
        yield from product if len(product) <= 400 else rng.sample(product, 400)
    for _ in range(count):
        try:
            yield tuple(value(k, rng) for k in kinds)
        except ValueError:  # a class that refuses some of its values
            continue
