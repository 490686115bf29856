"""Random small programs, as source.

The programs are mostly nonsense, and that is their use: they divide strings, compare what cannot
be compared, and raise, each in some order that the trace must keep.
"""

from __future__ import annotations

import math  # noqa: F401
import random
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from edges import EDGES


@dataclass(frozen=True)
class P:
    x: int
    y: float
    s: str
    o: int | None = None

    def __add__(self, other: Any) -> P:
        return P(self.x + other.x, self.y, self.s)

    @property
    def z(self) -> int:
        return self.x * 2


@dataclass(frozen=True, order=True)
class Q:
    a: int
    b: float


class N(NamedTuple):
    i: int
    t: str


K, W, T, D = 3, "green", (1, 2, "a"), {"a": 1, "b": 2.5}
KINDS: list[Any] = [
    int, float, bool, str, int | None, str | None, date, datetime, timedelta, P, N, tuple[int, str],
    int | float, Q, Decimal, Fraction,
]  # fmt: skip
SIGNS = "+ - * / // % < <= == != > >= and or & | ^ in is".split()
LEAVES = "a b c a b c 1 0 2 -3 0.5 -0.0 'a' '' None True K W T 1e300".split()
CALLS = (
    "abs len str int float bool round type repr tuple ord math.floor math.sqrt math.isnan".split()
)
MEMBERS = (
    "upper() lower() strip() x y s o z i t a b year month day hour days isoformat() date() "
    "weekday() title() split() isdigit() real total_seconds() replace('a','bb')"
).split()
FORMS = [
    "({0} {sign} {1})", "({0} {sign} {1})", "({0} {sign} {1})", "({0} {sign} {1})",
    "({0} if {1} else {2})", "(not {0})", "{call}({0})", "{call}({0})", "min({0}, {1})",
    "max({0}, {1})",
    "round({0}, 1)", "round({0}, -1)", "({0}).{member}", "({0}).{member}", "({0}).find({1})",
    "({0}).startswith({1})", "({0}).split({1})", "({0})[0]", "({0})[-1]", "({0})[{1}]", "({0})[1:]",
    "({0})[::-1]", "f'{{a}}-{{b!r}}'", "f'{{c:>5}}{{a:.2f}}'", "({0} < {1} == {2})", "({0}, {1})",
    "({0} in ({1}, {2}))", "isinstance({0}, (int, str))", "({0} is None)", "P({0}, {1}, {2})",
    "N({0}, {1})", "[{0}, {1}]", "{{'k': {0}}}", "Q({0}, {1})", "D.get({0}, {1})", "D[{0}]",
    "timedelta({0})", "date({0}, 1, 1)", "Decimal({0})", "(-{0})", "(~{0})", "({0} ** 2)",
    "({0} ** 0.5)",
]  # fmt: skip


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(LEAVES)
    return rng.choice(FORMS).format(
        *(expression(rng, depth - 1) for _ in range(3)),
        sign=rng.choice(SIGNS),
        call=rng.choice(CALLS),
        member=rng.choice(MEMBERS),
    )


def program(rng: random.Random) -> str:
    if rng.random() < 0.6:
        return f"f = lambda a, b, c: {expression(rng, 3)}"
    x, test, one, other = (expression(rng, 2) for _ in range(4))
    return (
        f"def f(a, b, c):\n x = {x}\n if {test}:\n  return {one}\n"
        f" y = {other}\n return (x, y) if {expression(rng, 1)} else {expression(rng, 2)}"
    )


def scope() -> dict[str, Any]:
    """What the programs refer to."""
    return dict(globals())


def without_slow_ints() -> list[int]:
    """The edges of int, but for the one that makes a string of gigabytes."""
    return [n for n in EDGES[int] if n != 2**31]
