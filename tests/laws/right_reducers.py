"""Right reducers, written by hand as users would: no law may be refuted of them."""

from __future__ import annotations

from bisect import insort
from collections import Counter
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ominus import reducers as r
from ominus.algebra.reducer import RECOMPUTE, Reducer


class Right(NamedTuple):
    reducer: Reducer[Any, Any, Any]
    values: Any


class Colour(Enum):
    RED = 1
    GREEN = 2


@dataclass(frozen=True)
class Sale:
    cents: int
    region: str
    paid: bool


class Point(NamedTuple):
    x: int
    y: int


RIGHT: dict[str, Right] = {}


def right(name: str, values: Any, init: Any, add: Any, remove: Any = None, **more: Any) -> None:
    RIGHT[name] = Right(Reducer(init, add, remove, **more), values)


def pairwise_sum(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


# Totals.

right("sum", int, 0, lambda a, v: a + v, lambda a, v: a - v, merge=lambda a, b: a + b)
right("count", str, 0, lambda a, v: a + 1, lambda a, v: a - 1, merge=lambda a, b: a + b)
right("sum from 100", int, 100, lambda a, v: a + v, lambda a, v: a - v)
right("sum modulo 97", int, 0, lambda a, v: (a + v) % 97, lambda a, v: (a - v) % 97)
right("xor", int, 0, lambda a, v: a ^ v, lambda a, v: a ^ v, merge=lambda a, b: a ^ b)
right("xor of booleans", bool, False, lambda a, v: a != v, lambda a, v: a != v)
right("parity", int, 0, lambda a, v: (a + v) % 2, lambda a, v: (a - v) % 2)
right("sum of Fractions", Fraction, Fraction(0), lambda a, v: a + v, lambda a, v: a - v)
right(
    "sum of finite floats as Fractions",
    st.floats(allow_nan=False, allow_infinity=False),
    Fraction(0),
    lambda a, v: a + Fraction(v),
    lambda a, v: a - Fraction(v),
    finish=float,
)
right(
    "sum of money",
    st.decimals(-1000, 1000, places=2),
    Decimal("0.00"),
    lambda a, v: a + v,
    lambda a, v: a - v,
)
right(
    "a clamp on amounts that are never negative",
    st.integers(0),
    0,
    lambda a, v: a + v,
    lambda a, v: max(0, a - v),
)
right(
    "a sum with a branch",
    int,
    0,
    lambda a, v: a + v if v > 3 else a - 2 * v,
    lambda a, v: a - v if v > 3 else a + 2 * v,
)
right(
    "a sum of what may be missing, and how much is",
    int | None,
    (0, 0),
    lambda a, v: (a[0], a[1] + 1) if v is None else (a[0] + v, a[1]),
    lambda a, v: (a[0], a[1] - 1) if v is None else (a[0] - v, a[1]),
)
right(
    "revenue of paid sales",
    Sale,
    0,
    lambda a, s: a + s.cents if s.paid else a,
    lambda a, s: a - s.cents if s.paid else a,
)
right(
    "revenue by selectors",
    Sale,
    0,
    lambda a, v: a + v,
    lambda a, v: a - v,
    of="cents",
    where="paid",
)
right(
    "a vector sum",
    Point,
    (0, 0),
    pairwise_sum,
    lambda a, v: (a[0] - v.x, a[1] - v.y),
    merge=pairwise_sum,
)
right("lengths of words", str, 0, lambda a, v: a + len(v), lambda a, v: a - len(v))
right(
    "a fingerprint",
    str,
    0,
    lambda a, v: (a + sum(map(ord, v)) ** 3) % 1_000_003,
    lambda a, v: (a - sum(map(ord, v)) ** 3) % 1_000_003,
)
right(
    "days as numbers",
    date,
    (0, 0),
    lambda a, v: (a[0] + v.toordinal(), a[1] + 1),
    lambda a, v: (a[0] - v.toordinal(), a[1] - 1),
)

# Means and moments.


def welford(a: tuple[int, Any, Any], v: Any) -> tuple[int, Any, Any]:
    n, mean, m2 = a[0] + 1, a[1], a[2]
    d = v - mean
    mean += d / n
    return n, mean, m2 + d * (v - mean)


def unwelford(a: tuple[int, Any, Any], v: Any) -> tuple[int, Any, Any]:
    n, mean, m2 = a[0] - 1, a[1], a[2]
    if n == 0:
        return 0, Fraction(0), Fraction(0)
    d = v - mean
    mean -= d / n
    return n, mean, m2 - d * (v - mean)


def chan(a: tuple[int, Any, Any], b: tuple[int, Any, Any]) -> tuple[int, Any, Any]:
    n = a[0] + b[0]
    if n == 0:
        return a
    d = b[1] - a[1]
    return n, a[1] + d * b[0] / n, a[2] + b[2] + d * d * a[0] * b[0] / n


right(
    "mean",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] - 1),
    merge=pairwise_sum,
    finish=lambda a: a[0] / a[1] if a[1] else None,
)
right(
    "a mean that clears itself at its last removal",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] - 1) if a[1] > 1 else (0, 0),
)
right(
    "variance after Welford",
    Fraction,
    (0, Fraction(0), Fraction(0)),
    welford,
    unwelford,
    merge=chan,
    finish=lambda a: a[2] / (a[0] - 1) if a[0] > 1 else None,
)
right(
    "sums of powers",
    int,
    (0, 0, 0),
    lambda a, v: (a[0] + 1, a[1] + v, a[2] + v * v),
    lambda a, v: (a[0] - 1, a[1] - v, a[2] - v * v),
)
right(
    "weighted mean",
    tuple[int, int],
    (0, 0),
    lambda a, v: (a[0] + v[0] * v[1], a[1] + v[1]),
    lambda a, v: (a[0] - v[0] * v[1], a[1] - v[1]),
)
right(
    "covariance",
    tuple[int, int],
    (0, 0, 0, 0),
    lambda a, v: (a[0] + 1, a[1] + v[0], a[2] + v[1], a[3] + v[0] * v[1]),
    lambda a, v: (a[0] - 1, a[1] - v[0], a[2] - v[1], a[3] - v[0] * v[1]),
)
right(
    "product with its zeros counted",
    int,
    (1, 0),
    lambda a, v: (a[0] * v, a[1]) if v else (a[0], a[1] + 1),
    lambda a, v: (a[0] // v, a[1]) if v else (a[0], a[1] - 1),
    merge=lambda a, b: (a[0] * b[0], a[1] + b[1]),
)

# Extremes.


def heads_add(a: tuple[tuple[int, int], ...], v: int) -> tuple[tuple[int, int], ...]:
    counts = dict(a)
    counts[v] = counts.get(v, 0) + 1
    return tuple(sorted(counts.items(), reverse=True)[:2])


def heads_remove(a: tuple[tuple[int, int], ...], v: int) -> Any:
    counts = dict(a)
    if v not in counts:
        return a
    counts[v] -= 1
    return tuple(sorted(counts.items(), reverse=True)) if counts[v] else RECOMPUTE


right("add-only maximum", int, None, lambda a, v: v if a is None else max(a, v))
right(
    "partial minimum",
    int,
    None,
    lambda a, v: v if a is None else min(a, v),
    lambda a, v: a if v > a else RECOMPUTE,
)
right(
    "partial maximum of floats",
    st.floats(allow_nan=False),
    float("-inf"),
    max,
    lambda a, v: a if v < a else RECOMPUTE,
    merge=max,
)
right(
    "minimum with its copies",
    int,
    None,
    lambda a, v: (v, 1) if a is None or v < a[0] else (a[0], a[1] + (v == a[0])),
    lambda a, v: a if v > a[0] else (a[0], a[1] - 1) if a[1] > 1 else RECOMPUTE,
    merge=lambda a, b: (
        a or b if a is None or b is None else (a[0], a[1] + b[1]) if a[0] == b[0] else min(a, b)
    ),
)
right("the two highest, with their copies", int, (), heads_add, heads_remove)
right(
    "a range that recomputes at its ends",
    int,
    None,
    lambda a, v: (v, v) if a is None else (min(a[0], v), max(a[1], v)),
    lambda a, v: a if a[0] < v < a[1] else RECOMPUTE,
)
right(
    "the best player, the first by name of equal ones",
    tuple[int, str],
    None,
    lambda a, v: v if a is None or (-v[0], v[1]) < (-a[0], a[1]) else a,
    lambda a, v: RECOMPUTE if v == a else a,
)
right(
    "the longest word, the first in the alphabet of equal ones",
    str,
    "",
    lambda a, v: min(a, v, key=lambda w: (-len(w), w)),
    lambda a, v: RECOMPUTE if v == a else a,
)
right(
    "the latest day",
    date,
    date.min,
    max,
    lambda a, v: a if v < a else RECOMPUTE,
)
right("greatest common divisor", int, 0, gcd, lambda a, v: a if v == 0 else RECOMPUTE, merge=gcd)
right(
    "registers of maxima",
    int,
    (0,) * 4,
    lambda a, v: (*a[: v % 4], max(a[v % 4], v), *a[v % 4 + 1 :]),
)

# Sets, counts and lists.


def counted(a: dict[Any, int], v: Any) -> dict[Any, int]:
    return {**a, v: a.get(v, 0) + 1}


def uncounted(a: dict[Any, int], v: Any) -> dict[Any, int]:
    left = {**a, v: a[v] - 1}
    return {k: n for k, n in left.items() if n}


def without(a: Any, v: Any) -> Any:
    i = a.index(v)
    return a[:i] + a[i + 1 :]


def bits(a: tuple[int, ...], v: int, k: int) -> tuple[int, ...]:
    return tuple(n + k * (v >> i & 1) for i, n in enumerate(a))


def inserted(a: list[int], v: int) -> list[int]:
    insort(a, v)
    return a


def taken(a: list[int], v: int) -> list[int]:
    a.remove(v)
    return a


def tallied(a: Counter[str], v: str) -> Counter[str]:
    a[v] += 1
    return a


def untallied(a: Counter[str], v: str) -> Counter[str]:
    a[v] -= 1
    if not a[v]:
        del a[v]
    return a


def pushed(a: list[int], v: int) -> list[int]:
    a.append(v)
    return a


right(
    "counts in a dict",
    int,
    {},
    counted,
    uncounted,
    merge=lambda a, b: dict(Counter(a) + Counter(b)),
)
right("a set with counts", str, {}, counted, uncounted, finish=frozenset)
right("a set that recomputes", int, frozenset(), lambda a, v: a | {v}, lambda a, v: RECOMPUTE)
right("an add-only union", st.frozensets(st.integers(0, 5)), frozenset(), lambda a, v: a | v)
right("a sorted tuple", int, (), lambda a, v: tuple(sorted((*a, v))), without)
right("letters in order", st.sampled_from("abc"), "", lambda a, v: "".join(sorted(a + v)), without)
right(
    "bits with counts",
    st.integers(0, 255),
    (0,) * 8,
    lambda a, v: bits(a, v, 1),
    lambda a, v: bits(a, v, -1),
)
right("a sorted list in place", int, list, inserted, taken, mutates=True, finish=tuple)
right(
    "a heap of values in any order",
    int,
    list,
    pushed,
    taken,
    same=lambda a, b: sorted(a) == sorted(b),
    finish=lambda a: min(a, default=None),
    mutates=True,
)
right("a Counter in place", str, Counter, tallied, untallied, mutates=True, finish=len)
right(
    "plus and minus, compared by what is left",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1]),
    lambda a, v: (a[0], a[1] + v),
    same=lambda a, b: a[0] - a[1] == b[0] - b[1],
    merge=pairwise_sum,
    finish=lambda a: a[0] - a[1],
)
right("any, counted", bool, 0, lambda a, v: a + v, lambda a, v: a - v, finish=bool)
right(
    "signs",
    int,
    (0, 0, 0),
    lambda a, v: (a[0] + (v < 0), a[1] + (v == 0), a[2] + (v > 0)),
    lambda a, v: (a[0] - (v < 0), a[1] - (v == 0), a[2] - (v > 0)),
)
right(
    "a histogram of three",
    int,
    (0, 0, 0),
    lambda a, v: (a[0] + (v < 0), a[1] + (0 <= v < 10), a[2] + (v >= 10)),
    lambda a, v: (a[0] - (v < 0), a[1] - (0 <= v < 10), a[2] - (v >= 10)),
)
right(
    "colours",
    Colour,
    (0, 0),
    lambda a, v: (a[0] + (v is Colour.RED), a[1] + (v is Colour.GREEN)),
    lambda a, v: (a[0] - (v is Colour.RED), a[1] - (v is Colour.GREEN)),
)
right(
    "a median of digits",
    st.integers(0, 9),
    (0,) * 10,
    lambda a, v: (*a[:v], a[v] + 1, *a[v + 1 :]),
    lambda a, v: (*a[:v], a[v] - 1, *a[v + 1 :]),
    finish=lambda a: next((i for i in range(10) if 2 * sum(a[: i + 1]) >= sum(a)), None),
)

# Made of these by combinators.

TOTAL, LOW = RIGHT["sum"].reducer, RIGHT["partial minimum"].reducer
RIGHT["a record of two"] = Right(r.record(total=TOTAL, low=LOW), int)
RIGHT["a total for each side"] = Right(r.group(0, TOTAL.replace(of=1)), tuple[bool, int])
RIGHT["a group of records"] = Right(
    r.group(lambda v: v % 3, r.record(n=r.count(), heap=r.list(), low=LOW)), int
)
RIGHT["a record with a list in place"] = Right(
    r.record(all=RIGHT["a sorted list in place"].reducer, n=r.count()), int
)
