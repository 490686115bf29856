"""Reducers that look right and are not: the laws must catch every one of them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from ominus.algebra.laws import LAWS, orders_agree
from ominus.algebra.reducer import Reducer

INTS = [-20, -1, 0, 1, 1, 2, 3, 5, 10]
FLOATS = [1e100, -1e100, 1.0, 0.1, 0.2]


def lie(init: Any, add: Any, remove: Any = None, **more: Any) -> Reducer[Any, Any, Any]:
    return Reducer(init, add, remove, **more)


def second_and_count(a: tuple[int, int], v: int) -> tuple[int, int]:
    return (a[0] - v, max(1, a[1] - 1))


def top_two(a: tuple[int, ...], v: int) -> tuple[int, ...]:
    return tuple(sorted([*a, v])[-2:])


def without(a: tuple[int, ...], v: int) -> tuple[int, ...]:
    return tuple(x for i, x in enumerate(a) if i != (a.index(v) if v in a else -1))


def running_mean(a: tuple[float, int], v: int) -> tuple[float, int]:
    return ((a[0] * a[1] + v) / (a[1] + 1), a[1] + 1)


LIES = {
    "a mean that keeps count 1 at zero": (
        lie((0, 0), lambda a, v: (a[0] + v, a[1] + 1), second_and_count),
        INTS,
        {"inverse"},
    ),
    "last write wins": (lie(0, lambda a, v: v, lambda a, v: a), INTS, {"add_commutes", "inverse"}),
    "first write wins": (
        lie(None, lambda a, v: v if a is None else a, lambda a, v: None if a == v else a),
        INTS,
        {"add_commutes"},
    ),
    "a counter that stops at three": (
        lie(0, lambda a, v: min(3, a + 1), lambda a, v: max(0, a - 1)),
        INTS,
        {"inverse"},
    ),
    "a total that never goes below zero": (
        lie(0, lambda a, v: max(0, a + v), lambda a, v: a - v),
        INTS,
        {"add_commutes", "inverse"},
    ),
    "concatenation": (
        lie("", lambda a, v: a + v, lambda a, v: a[: -len(v)], merge=lambda a, b: a + b),
        ["a", "b", "cc"],
        {"add_commutes"},
    ),
    "a maximum that does not see its maximum go": (
        lie(None, lambda a, v: v if a is None else max(a, v), lambda a, v: a),
        INTS,
        {"inverse"},
    ),
    "a set that forgets how many copies there are": (
        lie(frozenset(), lambda a, v: a | {v}, lambda a, v: a - {v}),
        INTS,
        {"inverse"},
    ),
    "a top two that does not refill": (lie((), top_two, without), INTS, {"inverse"}),
    "a sum of floats as they come": (
        lie(0.0, lambda a, v: a + v, lambda a, v: a - v),
        FLOATS,
        {"add_commutes", "inverse"},
    ),
    "a product without a count of zeros": (
        lie(1, lambda a, v: a * v, lambda a, v: a // v if v else 1),
        INTS,
        {"inverse"},
    ),
    "means that are merged as if they weighed the same": (
        lie(
            (0, 0),
            lambda a, v: (a[0] + v, a[1] + 1),
            lambda a, v: (a[0] - v, a[1] - 1),
            merge=lambda a, b: ((a[0] + b[0]) // 2, a[1] + b[1]),
        ),
        INTS,
        {"distributive"},
    ),
    "an equality that does not look at the count": (
        lie(
            (0.0, 0),
            running_mean,
            lambda a, v: (a[0], a[1]) if a[1] < 2 else ((a[0] * a[1] - v) / (a[1] - 1), a[1]),
            same=lambda a, b: abs(a[0] - b[0]) < 1e-6,
        ),
        [10, 20, -20, 40],
        {"same_respected"},
    ),
    "a sum that is wrong for one value": (
        lie(0, lambda a, v: a + v, lambda a, v: a - v + (v == 5)),
        INTS,
        {"inverse"},
    ),
    "a removal that depends on the order": (
        lie((), lambda a, v: tuple(sorted((*a, v))), lambda a, v: a[:-1]),
        INTS,
        {"inverse"},
    ),
}


def refuted(reducer: Reducer[Any, Any, Any], values: list[Any], cases: int = 600) -> set[str]:
    """The laws that a few hundred random cases find broken."""
    found, draw = set(), random.Random(7)
    for _ in range(cases):
        m, n = ([draw.choice(values) for _ in range(draw.randrange(5))] for _ in "mn")
        u, v = (draw.choice([*m, *values]) for _ in "uv")
        for law in LAWS.values():
            extra = {"distributive": (n,), "same_respected": (n, v)}
            if law.asks(reducer):
                asked = extra.get(law.name, (u, v)[: law.arity])
                if law.holds(reducer, m, *asked) is False:
                    found.add(law.name)
    return found


@pytest.mark.parametrize("name", LIES)
def test_the_laws_catch(name: str) -> None:
    reducer, values, broken = LIES[name]
    assert broken <= refuted(reducer, values)


def test_the_laws_accuse_no_right_reducer() -> None:
    right = lie((0, 0), lambda a, v: (a[0] + v, a[1] + 1), lambda a, v: (a[0] - v, a[1] - 1))
    partial = LIES["a maximum that does not see its maximum go"][0].replace(remove=None)
    assert refuted(right, INTS) == set() == refuted(partial, INTS)


def test_concatenation_satisfies_the_inverse_and_the_papers_distributive_law() -> None:
    concatenation = LIES["concatenation"][0]
    assert "inverse" not in refuted(concatenation, ["a", "b", "cc"])
    assert not orders_agree(concatenation, ["a", "b"])


def test_a_mean_that_keeps_count_one_at_zero_is_wrong_after_10_10_4() -> None:
    mean = LIES["a mean that keeps count 1 at zero"][0].finish(lambda a: a[0] / a[1])
    state = mean.update(mean.update(mean.fold([10]), removed=[10]), added=[4])
    assert mean.read(state) == 2.0 and mean.fold_read([4]) == 4.0
