"""False reducers that people write: each with its values, and a law that it breaks.

`small` is how many values the smallest witness needs, where that is more than three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import gcd, lcm
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ominus.algebra.reducer import RECOMPUTE, Reducer


class Lie(NamedTuple):
    reducer: Reducer[Any, Any, Any]
    values: Any
    breaks: str
    small: int = 3


class Size(Enum):
    S = "s"
    M = "m"
    L = "l"


@dataclass(frozen=True)
class Order:
    amount: int
    status: str


LIES: dict[str, Lie] = {}


def lie(
    name: str, breaks: str, values: Any, init: Any, add: Any, remove: Any = None, **more: Any
) -> None:
    small = more.pop("small", 3)
    LIES[name] = Lie(Reducer(init, add, remove, **more), values, breaks, small)


# Totals.

lie(
    "a count that forgets to take back zeros",
    "inverse",
    int,
    0,
    lambda a, v: a + 1,
    lambda a, v: a - (v != 0),
)
lie("a sum that takes back amounts", "inverse", int, 0, lambda a, v: a + v, lambda a, v: a - abs(v))
lie(
    "a sum that wraps in one direction",
    "inverse",
    int,
    0,
    lambda a, v: (a + v) % 1000,
    lambda a, v: a - v,
)
lie(
    "a sum that is wrong for 777",
    "inverse",
    int,
    0,
    lambda a, v: a + v,
    lambda a, v: a - v + (v == 777),
)
lie(
    "a sum of lengths that is wrong for a word",
    "inverse",
    str,
    0,
    lambda a, v: a + len(v),
    lambda a, v: a - len(v) + (1 if v == "refund" else 0),
)
lie(
    "a counter that stops at ten",
    "inverse",
    int,
    0,
    lambda a, v: min(a + 1, 10),
    lambda a, v: max(a - 1, 0),
    small=11,
)
lie(
    "a total with a ceiling",
    "inverse",
    st.integers(0, 50),
    0,
    lambda a, v: min(100, a + v),
    lambda a, v: max(0, a - v),
)
lie(
    "a sum that rounds at each step",
    "inverse",
    float,
    0.0,
    lambda a, v: round(a + v, 2),
    lambda a, v: round(a - v, 2),
)
lie("a sum of floats", "inverse", float, 0.0, lambda a, v: a + v, lambda a, v: a - v)
lie("a sum of floats that starts at 0", "inverse", float, 0, lambda a, v: a + v, lambda a, v: a - v)
lie(
    "a sum of Decimals that are rounded to cents",
    "add_commutes",
    Decimal,
    Decimal("0.00"),
    lambda a, v: round(a + v, 2),
    None,
)
lie("a removal that makes floats", "inverse", int, 0, lambda a, v: a + v, lambda a, v: a - v / 1)
lie(
    "a parity that is not flipped back",
    "inverse",
    int,
    0,
    lambda a, v: (a + v) % 2,
    lambda a, v: a,
)
lie("an xor that is taken back by a sum", "inverse", int, 0, lambda a, v: a ^ v, lambda a, v: a + v)
lie(
    "a product that divides by zero",
    "inverse",
    int,
    1,
    lambda a, v: a * v,
    lambda a, v: a // v,
)
lie(
    "a positive total that takes back everything",
    "inverse",
    int,
    0,
    lambda a, v: a + v if v > 0 else a,
    lambda a, v: a - v,
)
lie(
    "revenue that looks at another status when it goes",
    "inverse",
    Order,
    0,
    lambda a, o: a + o.amount if o.status == "paid" else a,
    lambda a, o: a - o.amount if o.status != "open" else a,
)
lie(
    "a value that may be missing, taken back as 1",
    "inverse",
    int | None,
    0,
    lambda a, v: a if v is None else a + v,
    lambda a, v: a - (v or 1),
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
    return n, mean, m2 - d * d


lie(
    "a mean that keeps count 1 at zero",
    "inverse",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, max(1, a[1] - 1)),
)
lie(
    "a variance that takes back the wrong square",
    "inverse",
    Fraction,
    (0, Fraction(0), Fraction(0)),
    welford,
    unwelford,
)
lie(
    "a weighted mean that keeps the weight",
    "inverse",
    tuple[int, int],
    (0, 0),
    lambda a, v: (a[0] + v[0] * v[1], a[1] + v[1]),
    lambda a, v: (a[0] - v[0] * v[1], a[1]),
)
lie(
    "a covariance that takes back a sum too many",
    "inverse",
    tuple[int, int],
    (0, 0, 0),
    lambda a, v: (a[0] + v[0], a[1] + v[1], a[2] + v[0] * v[1]),
    lambda a, v: (a[0] - v[0], a[1] - v[1], a[2] - a[0] * v[1]),
)
lie(
    "a moving average",
    "add_commutes",
    float,
    0.0,
    lambda a, v: 0.5 * a + 0.5 * v,
    lambda a, v: 2 * a - v,
)
lie(
    "an estimate of the median that steps",
    "add_commutes",
    int,
    0,
    lambda a, v: a + (v > a) - (v < a),
)

# Extremes.

lie(
    "a minimum that keeps what goes",
    "inverse",
    int,
    10**9,
    min,
    lambda a, v: a if v >= a else RECOMPUTE,
)
lie(
    "a minimum with its count, which stays when none is left",
    "inverse",
    int,
    (10**9, 0),
    lambda a, v: (v, 1) if v < a[0] else (a[0], a[1] + (v == a[0])),
    lambda a, v: (a[0], a[1] - 1) if v == a[0] else a,
)
lie(
    "a minimum that says null when it goes",
    "inverse",
    int,
    None,
    lambda a, v: v if a is None else min(a, v),
    lambda a, v: None if v == a else a,
)
lie(
    "the highest and the next, without a third",
    "inverse",
    int,
    (),
    lambda a, v: tuple(sorted((*a, v), reverse=True)[:2]),
    lambda a, v: a[1:] if a and v == a[0] else a[:1] if v in a else a,
)
lie(
    "a range that does not shrink",
    "inverse",
    int,
    None,
    lambda a, v: (v, v) if a is None else (min(a[0], v), max(a[1], v)),
    lambda a, v: a if a[0] < v < a[1] else None,
)
lie(
    "the best player, the last of equal ones",
    "add_commutes",
    tuple[int, str],
    (0, ""),
    lambda a, v: v if v[0] >= a[0] else a,
)
lie(
    "the longest word, the first of equal ones",
    "add_commutes",
    str,
    "",
    lambda a, v: v if len(v) > len(a) else a,
)
lie(
    "the latest day, forgotten when it goes",
    "inverse",
    date,
    None,
    lambda a, v: v if a is None or v > a else a,
    lambda a, v: a if v < a else None,
)
lie("a largest fall", "add_commutes", int, (0, 0), lambda a, v: (max(a[0], v), max(a[1], a[0] - v)))

# Sets, counts and lists.


def raised(counts: dict[Any, int], v: Any) -> dict[Any, int]:
    return {**counts, v: counts.get(v, 0) + 1}


def lowered(counts: dict[Any, int], v: Any) -> dict[Any, int]:
    return {**counts, v: counts[v] - 1}


def dropped_early(counts: dict[Any, int], v: Any) -> dict[Any, int]:
    left = lowered(counts, v)
    return {k: n for k, n in left.items() if k != v or n > 1}


def in_place(a: Any, do: Callable[[Any], Any]) -> Any:
    do(a)
    return a


lie("counts that stay at zero", "inverse", int, {}, raised, lowered)
lie("counts that go when one is left", "inverse", str, {}, raised, dropped_early)
lie(
    "a set of bits without counts",
    "inverse",
    st.integers(0, 9),
    0,
    lambda a, v: a | 1 << v,
    lambda a, v: a & ~(1 << v),
)
lie(
    "a filter whose removal clears shared bits",
    "inverse",
    int,
    0,
    lambda a, v: a | 1 << v % 8 | 1 << v % 5,
    lambda a, v: a & ~(1 << v % 8 | 1 << v % 5),
)
lie(
    "letters in order, each once",
    "inverse",
    st.sampled_from("abc"),
    "",
    lambda a, v: "".join(sorted({*a, v})),
    lambda a, v: a.replace(v, ""),
)
lie(
    "a list that loses every copy",
    "inverse",
    int,
    (),
    lambda a, v: tuple(sorted((*a, v))),
    lambda a, v: tuple(x for x in a if x != v),
)
lie("the last three", "add_commutes", int, (), lambda a, v: (*a, v)[-3:])
lie(
    "an any without a count",
    "inverse",
    bool,
    False,
    lambda a, v: a or v,
    lambda a, v: a and not v,
)
lie(
    "sizes that are counted in the wrong box when they go",
    "inverse",
    Size,
    (0, 0, 0),
    lambda a, v: tuple(n + (s is v) for n, s in zip(a, Size, strict=True)),
    lambda a, v: tuple(n - (s is v or (s, v) == (Size.S, Size.L)) for n, s in zip(a, Size)),
)
lie(
    "a histogram whose edge moves",
    "inverse",
    int,
    (0, 0),
    lambda a, v: (a[0] + 1, a[1]) if v < 10 else (a[0], a[1] + 1),
    lambda a, v: (a[0] - 1, a[1]) if v <= 10 else (a[0], a[1] - 1),
)
lie(
    "a list that takes back the last one, whichever it was",
    "same_respected",
    int,
    list,
    lambda a, v: in_place(a, lambda a: a.append(v)),
    lambda a, v: in_place(a, lambda a: a.pop()),
    same=lambda a, b: sorted(a) == sorted(b),
    finish=lambda a: tuple(sorted(a)),
    mutates=True,
)

# Order, divisors, and other functions of a sequence.

lie(
    "a checksum",
    "add_commutes",
    int,
    7,
    lambda a, v: a * 31 + v,
    lambda a, v: (a - v) // 31,
)
lie("a greatest common divisor that stays", "inverse", int, 0, gcd, lambda a, v: a)
lie(
    "a least common multiple that is divided",
    "inverse",
    st.integers(1, 20),
    1,
    lcm,
    lambda a, v: a // v,
)
lie(
    "words, joined as they come",
    "add_commutes",
    str,
    "",
    lambda a, v: a + v,
    lambda a, v: a[: len(a) - len(v)],
)
lie("a balance that never goes below zero", "add_commutes", int, 0, lambda a, v: max(0, a + v))


def ascending(a: int, v: int) -> int:
    if v < a:
        raise ValueError(f"{v} after {a}")
    return v


lie("values that must ascend", "add_commutes", int, -(10**9), ascending)

# Merges.

lie(
    "a merge that forgets the count of the right",
    "distributive",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] - 1),
    merge=lambda a, b: (a[0] + b[0], a[1]),
)
lie(
    "a merge that takes the larger total",
    "distributive",
    int,
    0,
    lambda a, v: a + v,
    lambda a, v: a - v,
    merge=max,
)
lie(
    "a merge that puts one list after the other",
    "distributive",
    int,
    (),
    lambda a, v: tuple(sorted((*a, v))),
    merge=lambda a, b: a + b,
)
lie(
    "a merge of minima that forgets ties",
    "distributive",
    int,
    (10**9, 0),
    lambda a, v: (v, 1) if v < a[0] else (a[0], a[1] + (v == a[0])),
    merge=min,
)
lie(
    "a merge that raises for an empty side",
    "distributive",
    int,
    None,
    lambda a, v: v if a is None else max(a, v),
    merge=lambda a, b: max(a, b),
)
lie(
    "a merge that counts the start twice",
    "distributive",
    int,
    100,
    lambda a, v: a + v,
    merge=lambda a, b: a + b,
)

# Equalities.

lie(
    "lists that are one where they are as long",
    "same_respected",
    int,
    (),
    lambda a, v: tuple(sorted((*a, v))),
    lambda a, v: a[:-1],
    same=lambda a, b: len(a) == len(b),
)
lie(
    "totals that are one up to tens",
    "same_respected",
    int,
    0,
    lambda a, v: a + v,
    lambda a, v: a - v + 10,
    same=lambda a, b: a % 10 == b % 10,
)
lie(
    "states that are always one",
    "same_respected",
    int,
    0,
    lambda a, v: a + v,
    lambda a, v: a,
    same=lambda a, b: True,
)
lie(
    "a total that shows how often it changed",
    "same_respected",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] + 1),
    same=lambda a, b: a[0] == b[0],
    finish=lambda a: f"{a[0]} after {a[1]} changes",
)

lie(
    "an equality in one direction",
    "same_respected",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1]),
    lambda a, v: (a[0] - v, a[1] + 1),
    same=lambda a, b: a[0] == b[0] and a[1] <= b[1],
    finish=lambda a: a[0],
)
lie(
    "an equality up to two",
    "same_respected",
    int,
    (0, 0),
    lambda a, v: (a[0] + v, a[1]),
    lambda a, v: (a[0] - v, a[1] + (1 if v > 0 else -1)),
    same=lambda a, b: a[0] == b[0] and abs(a[1] - b[1]) <= 2,
    finish=lambda a: a[0],
)

# States that are changed behind the reducer's back.

lie(
    "a list that is appended to, and does not say so",
    "inverse",
    int,
    [],
    lambda a, v: in_place(a, lambda a: a.append(v)),
    lambda a, v: in_place(a, lambda a: a.remove(v)),
    same=lambda a, b: sorted(a) == sorted(b),
)
lie(
    "counts in a dict that is written to, and does not say so",
    "add_commutes",
    str,
    {},
    lambda a, v: in_place(a, lambda a: a.update({v: a.get(v, 0) + 1})),
)
SHARED: list[int] = []
lie(
    "a factory that gives the same list each time",
    "inverse",
    int,
    lambda: SHARED,
    lambda a, v: in_place(a, lambda a: a.append(v)),
    lambda a, v: in_place(a, lambda a: a.remove(v)),
    same=lambda a, b: sorted(a) == sorted(b),
    mutates=True,
)
