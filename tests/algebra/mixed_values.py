"""Values of every kind that a collection may hold, and small pools in which copies meet."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from ominus.algebra.multiset import Multiset
from ominus.algebra.record import record
from ominus.algebra.value import ident

made: list[object] = []
"""Every row whose `__post_init__` ran."""


class Colour(Enum):
    RED = 1
    BLUE = 2


class Size(IntEnum):
    SMALL = 1
    LARGE = 2


class Word(StrEnum):
    A = "a"
    B = "b"


class Right(Flag):
    READ = 1
    WRITE = 2


@dataclass(frozen=True)
class Point:
    x: Any
    y: Any = 0

    def __post_init__(self) -> None:
        made.append(self)


@dataclass
class Loose:
    x: Any
    y: Any = 0


@dataclass(frozen=True, slots=True)
class Slotted:
    x: Any
    tags: Any = field(default=(), compare=False)


class Pair(NamedTuple):
    x: Any
    y: Any = 0


class Name(str):
    __slots__ = ()


class Metres(float):
    __slots__ = ()


class Bag(list):  # type: ignore[type-arg]
    pass


BERLIN = ZoneInfo("Europe/Berlin")
ZONES = (None, UTC, timezone(timedelta(hours=1)), BERLIN, ZoneInfo("America/New_York"))

numbers = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 2**53, 2**53 + 1]),
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, 0.5, float("inf"), float("-inf"), 2.0**53]),
    st.fractions(),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(1, 3), Fraction(10**400, 3)]),
    st.decimals(),
    st.sampled_from(
        [
            Decimal(text)
            for text in "0 -0 1 1.0 1.00 0.5 Infinity -Infinity NaN sNaN 1e999999 -1e999999".split()
        ]
    ),
    st.sampled_from([Metres(1.0), Metres(0.5)]),
)

datetimes = st.builds(
    lambda at, zone, fold: at.replace(tzinfo=zone, fold=fold),
    st.one_of(
        st.datetimes(),
        st.sampled_from(
            [
                datetime(2024, 3, 31, 2, 30),
                datetime(2024, 3, 31, 3, 30),
                datetime(2024, 3, 31, 1, 30),
                datetime(2024, 10, 27, 2, 30),
                datetime.min,
                datetime.max,
            ]
        ),
    ),
    st.sampled_from(ZONES),
    st.integers(0, 1),
)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.text(max_size=3),
    st.sampled_from(["a", "b", Name("a"), b"a", bytearray(b"a"), Word.A, Colour.RED, Colour.BLUE]),
    st.sampled_from([Right.READ, Right.READ | Right.WRITE, Right(0), Size.SMALL, Size.LARGE]),
    st.binary(max_size=3),
    st.dates(),
    datetimes,
    st.builds(lambda at, fold: at.replace(fold=fold), st.times(), st.integers(0, 1)),
    st.sampled_from([time(1, tzinfo=UTC), time(1), date(2024, 3, 31), timedelta(1)]),
    st.timedeltas(),
)

hashable_scalars = scalars.filter(
    lambda v: not isinstance(v, bytearray) and not (isinstance(v, Decimal) and v.is_snan())
)


def containers(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    few = st.lists(parts, max_size=3)
    return st.one_of(
        few,
        few.map(tuple),
        few.map(Bag),
        few.map(Multiset),
        st.frozensets(hashable_scalars, max_size=3),
        st.sets(hashable_scalars, max_size=3),
        # Two NaN keys of a dict are one value: such a mapping is refused.
        st.dictionaries(hashable_scalars, parts, max_size=3).filter(
            lambda d: len(set(map(ident, d))) == len(d)
        ),
        st.dictionaries(st.sampled_from("abc"), parts, max_size=3).map(OrderedDict),
        st.builds(Point, parts, parts),
        st.builds(Loose, parts, parts),
        st.builds(Slotted, parts, parts),
        st.builds(Pair, parts, parts),
        st.builds(lambda x: record(x=x), parts),
        st.builds(lambda x, y: record(x=x, y=y), parts, parts),
    )


values = st.recursive(scalars, containers, max_leaves=6)
"""Every value that has a place in the total order."""

close = st.recursive(
    st.sampled_from([0, 1, 1.0, True, None, "a", 0.0, -0.0, Decimal("1.0"), Decimal("1.00")])
    | st.floats(allow_nan=True, width=16),
    lambda parts: (
        st.lists(parts, max_size=2)
        | st.tuples(parts)
        | st.dictionaries(st.sampled_from("ab"), parts, max_size=2)
        | st.builds(Point, parts)
    ),
    max_leaves=3,
)
"""A small pool, so that two draws are often one value or nearly so."""

OUTSIDE = [UUID(int=1), UUID(int=2), 1j, complex(0, float("nan")), Colour, len, range(2), object()]
"""Hashable values that the total order does not know."""

__all__ = ["OUTSIDE", "Counter", "close", "defaultdict", "scalars", "values"]
