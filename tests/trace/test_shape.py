"""What a reducer is said to be, and that it is so."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from ominus.trace import General, Linear, Semilattice, derive, evaluate


@dataclass(frozen=True)
class Mean:
    total: int
    count: int


@dataclass(frozen=True)
class Sale:
    amount: int
    paid: bool
    note: str | None = None


def add_paid(a: int, s: Sale) -> int:
    if not s.paid:
        return a
    return a + s.amount


def remove_paid(a: int, s: Sale) -> int:
    return a - s.amount if s.paid else a


def add_mean(a: Mean, v: int) -> Mean:
    return Mean(a.total + v, a.count + 1)


def remove_mean(a: Mean, v: int) -> Mean:
    return replace(a, total=a.total - v, count=a.count - 1)


LINEAR = {
    "sum": (0, lambda a, v: a + v, lambda a, v: a - v, int),
    "the other way round": (0, lambda a, v: v + a, lambda a, v: -v + a, int),
    "count": (0, lambda a, v: a + 1, lambda a, v: a - 1, str),
    "positive ones": (
        0,
        lambda a, v: a + v if v > 0 else a,
        lambda a, v: a - v if v > 0 else a,
        int,
    ),
    "as a product": (0, lambda a, v: a + v if v > 0 else a, lambda a, v: a - v * (v > 0), int),
    "a condition twice": (
        0,
        lambda a, v: a + (v if v > 0 else 0) * (v > 0),
        lambda a, v: a - v if v > 0 else a,
        int,
    ),
    "how many": (0, lambda a, v: a + (v > 3), lambda a, v: a - 1 if v > 3 else a, int),
    "or, and its parts": (
        0,
        lambda a, v: a + 1 if v < 0 or v > 9 else a,
        lambda a, v: a - 1 if v < 0 else a - (v > 9),
        int,
    ),
    "squares": (
        (0, 0),
        lambda a, v: (a[0] + v * v, a[1] + 2 * v),
        lambda a, v: (a[0] - v**2, a[1] - v - v),
        int,
    ),
    "a row's field": (0, add_paid, remove_paid, Sale),
    "a dataclass as state": (Mean(0, 0), add_mean, remove_mean, int),
    "a part that stays": (
        (0, 7),
        lambda a, v: (a[0] + v, a[1]),
        lambda a, v: (a[0] - v, a[1]),
        int,
    ),
    "what may be None": (
        0,
        lambda a, v: a if v is None else a + v,
        lambda a, v: a - v if v is not None else a,
        int | None,
    ),
    "nested": (
        ((0, 0), 0),
        lambda a, v: ((a[0][0] + v, a[0][1] + 1), a[1] + v * 3),
        lambda a, v: ((a[0][0] - v, a[0][1] - 1), a[1] - v * 3),
        int,
    ),
}


def values(kind: object, rng: random.Random) -> object:
    if kind is Sale:
        return Sale(rng.randrange(-9, 9), rng.random() < 0.5)
    if kind is str:
        return rng.choice(["", "a"])
    if kind == int | None and rng.random() < 0.3:
        return None
    return rng.randrange(-20, 20)


@pytest.mark.parametrize("name", LINEAR)
def test_a_linear_reducer_is_a_signed_sum_of_its_terms(name: str) -> None:
    init, add, remove, kind = LINEAR[name]
    shape = derive(init, add, remove, value=kind)
    assert shape.kind == "linear", shape.why
    rng = random.Random(1)
    state = init
    for _ in range(40):
        value, sign = values(kind, rng), rng.choice([1, -1])
        expected = (add if sign == 1 else remove)(state, value)
        for part in shape.parts:
            assert isinstance(part, Linear)
            term = evaluate(part.term, (None, value))
            assert type(term) is int
            assert at(expected, part.at) == at(state, part.at) + sign * term
        state = expected


def at(state: object, key: tuple[str | int, ...]) -> object:
    for k in key:
        state = state[k] if isinstance(k, int) else getattr(state, k)  # type: ignore[index]
    return state


SEMILATTICE = {
    "min": ("min", None, lambda a, v: v if a is None else min(a, v), int | None, int),
    "max, by hand": ("max", None, lambda a, v: v if a is None or v > a else a, int | None, int),
    "max, the other way": ("max", 0, lambda a, v: a if a > v else v, int, int),
    "min, kept by >=": ("min", 0, lambda a, v: v if a >= v else a, int, int),
    "any": ("or", False, lambda a, v: a or v > 3, bool, int),
    "all": ("and", True, lambda a, v: a and v > 3, bool, int),
    "bits": ("or", 0, lambda a, v: a | v, int, int),
    "union": ("union", frozenset(), lambda a, v: a | {v}, frozenset[int], int),
    "intersection": (
        "intersection",
        frozenset(),
        lambda a, v: a & v,
        frozenset[int],
        frozenset[int],
    ),
    "only some": ("max", 0, lambda a, v: max(a, v) if v < 10 else a, int, int),
    "strings": ("max", "", lambda a, v: max(a, v), str, str),
}


@pytest.mark.parametrize("name", SEMILATTICE)
def test_a_semilattice_is_recognised_by_what_it_does(name: str) -> None:
    by, init, add, state, value = SEMILATTICE[name]
    shape = derive(init, add, value=value, state=state)
    assert shape.kind == "semilattice", shape.why
    (part,) = shape.parts
    assert isinstance(part, Semilattice) and part.by == by
    assert part.empty is (init is None)
    assert (part.where is not None) is (name == "only some")


GENERAL = {
    "a product": (1, lambda a, v: a * v, None, int, int, "no sum"),
    "a clamp": (0, lambda a, v: max(0, a + v), None, int, int, "no sum"),
    "a sum that doubles": (0, lambda a, v: a + a + v, None, int, int, "no sum"),
    "a condition on the state": (0, lambda a, v: a + v if a > 0 else a, None, int, int, "no sum"),
    "a remove that forgets": (
        0, lambda a, v: a + v if v > 0 else a, lambda a, v: a - v, int, int, "remove changes",
    ),
    "a remove that raises more": (
        0, lambda a, v: a + 1, lambda a, v: a - v // v, int, int, "remove may raise",
    ),
    "a division by the state": (0, lambda a, v: a + v // a, None, int, int, "no sum"),
    "a concatenation": ("", lambda a, v: a + v, None, str, str, "not known to be exact"),
    "Decimals": (Decimal(0), lambda a, v: a + v, None, Decimal, Decimal, "not known to be exact"),
    "a float in an int": (0, lambda a, v: a + v, None, int, float, "sums of int"),
    "the last one": (0, lambda a, v: v, None, int, int, "no sum"),
    "what is opaque": (0, lambda a, v: a + hash(v), None, int, str, "calls `hash`"),
}  # fmt: skip


@pytest.mark.parametrize("name", GENERAL)
def test_what_is_neither_is_general_and_says_why(name: str) -> None:
    init, add, remove, state, value, why = GENERAL[name]
    shape = derive(init, add, remove, value=value, state=state)
    assert shape.kind == "general"
    if name != "a float in an int":
        assert why in shape.why


def test_what_raises_by_the_state_is_not_linear() -> None:
    def add(a: int, v: int) -> int:
        _ = 1 / a
        return a + v

    shape = derive(1, add, value=int)
    assert shape.kind == "general" and "depending on the state" in shape.why


def test_a_sum_of_floats_is_refuted_with_a_state_and_a_value_that_is_lost() -> None:
    shape = derive(0.0, lambda a, v: a + v, lambda a, v: a - v, value=float)
    (part,) = shape.parts
    assert isinstance(part, General) and "refuted over floats" in part.why
    assert part.witness is not None
    state, value = part.witness
    assert (state + value) - value != state


def test_the_least_of_floats_is_refuted_by_a_nan() -> None:
    shape = derive(0.0, lambda a, v: min(a, v), value=float)
    (part,) = shape.parts
    assert isinstance(part, General) and part.witness is not None
    state, value = part.witness
    assert str(min(state, value)) != str(min(value, state)) and math.isnan(value)


def test_a_state_of_several_kinds_says_what_each_part_is() -> None:
    shape = derive((0, 0), lambda a, v: (max(a[0], v), a[1] + 1), value=int)
    assert shape.kind == "general"
    assert [type(p) for p in shape.parts] == [Semilattice, Linear]


def test_what_add_may_raise_is_kept_for_the_rows_that_have_no_term() -> None:
    shape = derive(0, lambda a, v: a + 10 // v, lambda a, v: a - 10 // v, value=int)
    assert shape.kind == "linear"
    assert [r.causes for r in shape.raises] == [("zero",)]
