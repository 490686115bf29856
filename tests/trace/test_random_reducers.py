"""Random reducers: what is said to be linear or a semilattice is so on every value tried."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ominus.trace import Linear, Semilattice, derive, evaluate

TERMS = ["v", "1", "2 * v", "v * v", "-v", "abs(v)", "v % 3", "(v > 0)", "(v if v > 1 else 0)"]
TESTS = ["v > 0", "v == 2", "v < 0 or v > 5", "a > 0", "a > v", "a < v", "not v", "v >= a"]
STATES = [
    "a + {t}", "{t} + a", "a - {t}", "{t}", "a", "a * {t}", "min(a, {t})", "max({t}, a)", "a | {t}",
    "a & v", "({s} if {q} else {s})", "({s} if {q} else a)", "(a if {q} else {s})", "{s} + {t}",
]  # fmt: skip
TRIED = [(a, v) for a in range(-4, 7) for v in range(-4, 8)]


def state(rng: random.Random, deep: int) -> str:
    form = rng.choice(STATES if deep else STATES[:10])
    while "{s}" in form:
        form = form.replace("{s}", f"({state(rng, deep - 1)})" if deep else "a", 1)
    return form.format(t=rng.choice(TERMS), q=rng.choice(TESTS))


def made(source: str) -> Callable[[int, int], Any]:
    function: Callable[[int, int], Any] = eval(f"lambda a, v: {source}")
    return function


def test_what_is_said_of_a_random_reducer_is_so() -> None:
    rng = random.Random(5)
    said = {"linear": 0, "semilattice": 0, "general": 0}
    for _ in range(1500):
        source = state(rng, 2)
        other = source.replace("+", "\0").replace("-", "+").replace("\0", "-")
        add, remove = made(source), made(rng.choice([other, state(rng, 1)]))
        shape = derive(0, add, remove, value=int)
        said[shape.kind] += 1
        (part,) = shape.parts
        if isinstance(part, Linear):
            for a, v in TRIED:
                term = evaluate(part.term, (None, v))
                assert add(a, v) == a + term and remove(a, v) == a - term, source
        if isinstance(part, Semilattice):
            for a, v in TRIED:
                assert add(add(a, v), v) == add(a, v), source
                assert all(add(add(a, v), w) == add(add(a, w), v) for w in range(-3, 7)), source
                used = part.where is None or evaluate(part.where, (None, v))
                assert add(a, v) == (joined(part, a, v) if used else a), source
    assert min(said.values()) > 20, said


def joined(part: Semilattice, a: int, v: int) -> Any:
    term = evaluate(part.term, (None, v))
    by: dict[str, Callable[[int, int], int]] = {
        "min": min, "max": max, "or": int.__or__, "and": int.__and__
    }  # fmt: skip
    return by[part.by](a, term)
