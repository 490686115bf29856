"""Corners of Python that a trace must not cut, as data."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, NamedTuple, TypedDict


class Status(Enum):
    OPEN = "open"
    CLOSED = "closed"

    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Money:
    cents: int
    currency: str

    def __post_init__(self) -> None:
        if self.cents < 0:
            raise ValueError("negative")

    def __add__(self, other: Money) -> Money:
        return Money(self.cents + other.cents, self.currency)

    def __lt__(self, other: Money) -> bool:
        return self.cents < other.cents

    def __bool__(self) -> bool:
        return self.cents != 0

    def __len__(self) -> int:
        return 7

    def __contains__(self, s: str) -> bool:
        return s == self.currency

    def __getitem__(self, i: int) -> int:
        return self.cents // (i + 1)

    def __call__(self, k: int) -> int:
        return self.cents * k

    def __getattr__(self, name: str) -> str:
        return name.upper()


@dataclass
class Loose:
    a: int
    K = 5

    @staticmethod
    def step(x: int) -> int:
        return x + 1

    @classmethod
    def more(cls, x: int) -> int:
        return cls.K + x

    @property
    def both(self) -> int:
        return self.a + self.K


@dataclass(frozen=True, order=True)
class Ranked:
    rank: float
    name: str


class Slotted(NamedTuple):
    n: int
    s: Status


class Pair(NamedTuple):
    i: int
    t: str


class Card(TypedDict):
    k: int
    o: str | None


def on_scalars(v: int | str | None) -> str:
    match v:
        case None:
            return "none"
        case int():
            return "int"
        case str(s):
            return s


def on_pairs(v: Pair) -> Any:
    match v:
        case Pair(i=0):
            return "zero"
        case Pair(i, t) if i > 3:
            return t
        case (a, b):
            return f"{a}{b}"


def on_cards(v: Card) -> str:
    match v:
        case {"k": 1}:
            return "one"
        case {"k": k, "o": None}:
            return str(k)
        case {"zz": _}:
            return "zz"
        case _:
            return "other"


def on_members(v: Status) -> int | None:
    match v:
        case Status.OPEN:
            return 1
        case Status.CLOSED:
            return 2


def on_numbers(v: float) -> str:
    match v:
        case -1 | 0:
            return "a"
        case x if x > 10:
            return "b"
        case True:
            return "c"
        case _:
            return "d"


def steps(x: int) -> int:
    total, i = 0, 0
    for d in (1, 2, 3):
        total += d * x
    while i < 3:
        total += i
        i += 1
    return total


def halves(s: str) -> str:
    first, second = s.split(" ")
    return second + first


def rest(a: int, b: int, c: int) -> Any:
    first, *others = (a, b, c)
    *before, last = (a, b, c)
    return first, others, before, last


def late(x: int) -> int:
    if x > 0:
        z = 1
    return z


def inner(x: int) -> int:
    def h(y: int) -> int:
        return y + x

    return h(2) * h(3)


def flags(a: int, b: int, c: int) -> int:
    r = 0
    if a > 0:
        r += 1
    if b > 0:
        r += 2
    if c > a:
        r += 4
    if a > 0 and r < 6:
        r += 8
    return r


def loud(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def wrapped(*args: Any) -> Any:
        return f(*args) + 1

    return wrapped


@loud
def decorated(x: int) -> int:
    return x * 2


def checked(x: int) -> int:
    if x > 3:
        raise KeyError(f"too large: {x}")
    return x


CORNERS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (on_scalars, (int | str | None,)),
    (on_pairs, (Pair,)),
    (on_cards, (Card,)),
    (on_members, (Status,)),
    (on_numbers, (int,)),
    (on_numbers, (float,)),
    (on_numbers, (bool,)),
    (steps, (int,)),
    (halves, (str,)),
    (rest, (int, int, int)),
    (late, (int,)),
    (inner, (int,)),
    (flags, (int, int, int)),
    (decorated, (int,)),
    (checked, (int,)),
    (Ranked, (float, str)),
    (len, (str,)),
    (str.upper, (str,)),
    (functools.partial(max, 3), (int,)),
    (lambda m, n: m + n, (Money, Money)),
    (lambda m, n: m < n or m > n, (Money, Money)),
    (lambda m: (1 if m else 2, len(m), "x" in m, m[2], m(3), m.foo), (Money,)),
    (lambda m, n: (m == n, m != n), (Money, Money)),
    (lambda m, n: min(m, n), (Money, Money)),
    (lambda m: replace(m, cents=m.cents - 5), (Money,)),
    (lambda a: (a.step(3) + a.more(a.a), a.both, Loose.K), (Loose,)),
    (lambda a: a.nothing, (Loose,)),
    (lambda a, b: (a < b, a <= b, a == b), (Ranked, Ranked)),
    (lambda s: (s.s is Status.OPEN, s.s.label(), s.s.value, s.s in (Status.OPEN,)), (Slotted,)),
    (lambda p: (p._replace(i=3), p._asdict(), p + (1,), p == (1, "a"), p < p, p[0:1]), (Pair,)),
    (lambda x: ({**x, "k": 2}, x.get("k"), x.get("q", 5), "k" in x, dict(x, k=1)), (Card,)),
    (lambda x: x["q"], (Card,)),
    (lambda x, y: (x, y) == (y, x), (float, float)),
    (lambda x, y: (x, 1) < (y, x), (float, float)),
    (lambda x, y: x in (y, 1.5), (float, float)),
    (lambda x: x in (1.0, 2, True), (float,)),
    (lambda x: 0.0 if x else -0.0, (bool,)),
    (lambda x: 1 if x < 0 else 2 if x >= 0 else 3, (int,)),
    (lambda x: 1 if x < 0 else 2 if x >= 0 else 3, (float,)),
    (lambda x: (1 if x <= 3 else 2, 3 if x > 3 else 4), (int,)),
    (lambda x: (1 if x <= 3 else 2, 3 if x > 3 else 4), (float,)),
    (lambda x: x**0.5, (float,)),
    (lambda x: x**-1, (int,)),
    (lambda x: (x**3, x**0, (-x) ** 2), (float,)),
    (lambda x: len(x) / 3 + len(x) * 0.5, (str,)),
    (lambda x: (x + 0.5, x < 0.5), (int,)),
    (lambda x: (x is True, x is not False, -x, +x, x + x, x & True), (bool,)),
    (lambda x: (not x, bool(x), x or "d", x and x.upper()), (str | None,)),
    (lambda x: (x.__class__.__name__, type(x) is int, isinstance(x, (int, str))), (int | bool,)),
    (lambda x: (any([x > 1, x < 0]), all(v for v in (x, x > 1))), (int,)),
    (lambda s: any(s.startswith(p) for p in ("a", "b")), (str,)),
    (lambda s: [c * 2 for c in (s, s + "x")], (str,)),
    (lambda x: {k: x for k in ("a", "b")}, (int,)),
    (lambda x: (max(x, 2.5), round(x, -1), divmod(x, 3), x << 2, 1 << x % 8), (int,)),
    (lambda x: (round(x), math.floor(x), math.ceil(x), int(x)), (float,)),
    (lambda x: (round(x, 1), abs(x), x.is_integer(), math.copysign(1.0, x), str(x)), (float,)),
    (lambda x: (f"{x:,.2f}", f"{x!r:>9}", f"{x}"), (float,)),
    (lambda x: (f"{x:05d}", f"{x:x}", operator.add(x, 1)), (int,)),
    (lambda x: f"{x:.1f}", (int,)),
    (lambda a, b: ("{}: {:>4}|{{{k!r}}}".format(a, b, k=a), "x".format()), (int, str)),
    (lambda a: "{} {}".format(a), (int,)),  # noqa: F524
    (lambda s: (int(s), float(s)), (str,)),
    (lambda s: (s.split(",")[0], "-".join(s.split()), ",".join([s, "b"])), (str,)),
    (lambda s: (s.partition("a"), s.replace("", "-", 2), s.count(""), s.find("", 9)), (str,)),
    (lambda s, t: s.split(t), (str, str)),
    (lambda s: (s[::2], s[-3:-1], s[5:1], s[:100], s.zfill(5), s.rjust(4, "*")), (str,)),
    (lambda s: s[1] + s[-2], (str,)),
    (lambda d: (d.replace(day=1), (d - date(2020, 1, 1)).days), (date,)),
    (lambda d: (d.isoformat(), d.weekday()), (date,)),
    (lambda d: (f"{d:%Y-%m}", d.strftime("%d.%m.%Y %%")), (date,)),
    (lambda d: f"{d:%H:%M:%S.%f}", (datetime,)),
    (lambda d: d.replace(year=d.year + 1), (date,)),
    (lambda d: (d.replace(hour=0, minute=0, second=0, microsecond=0), d.date()), (datetime,)),
    (lambda a, b: a < b, (datetime, datetime)),
    (lambda a, b: (a == b, a - b), (datetime, datetime)),
    (lambda t: (t.total_seconds(), t.days, t * 2, t // timedelta(hours=1), -t), (timedelta,)),
    (lambda t: (t / 3, t % timedelta(days=1), abs(t), bool(t)), (timedelta,)),
    (lambda a, b: (a | b, a & b, a - b, len(a), 3 in a), (frozenset[int], frozenset[int])),
    (lambda t: (t[0], len(t), bool(t), t[1:]), (list[int],)),
    (lambda x: (x, [x], {"a": x}), (Any,)),
]
