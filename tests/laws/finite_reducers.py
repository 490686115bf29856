"""Every reducer of a few states and values, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

from ominus.algebra.reducer import Reducer

Step = Callable[[int, int], int]


def steps(states: int, values: int) -> Iterator[tuple[tuple[int, ...], Step]]:
    """Every step of so many states and values, with its table."""
    for table in product(range(states), repeat=states * values):
        yield table, step_of(table, values)


def step_of(table: tuple[int, ...], values: int) -> Step:
    return lambda a, v: table[a * values + v]


@cache
def commuting_steps(states: int, values: int) -> list[Step]:
    """The steps that are pairwise commutative (Definition 2)."""
    cases = list(product(range(states), range(values), range(values)))
    return [
        step
        for _, step in steps(states, values)
        if all(step(step(a, u), v) == step(step(a, v), u) for a, u, v in cases)
    ]


def all_reducers(states: int, values: int) -> Iterator[Reducer[int, int, int]]:
    """Every add with every remove, from state 0."""
    some = [step for _, step in steps(states, values)]
    return (Reducer(0, add, remove) for add, remove in product(some, some))


@cache
def commuting_reducers(states: int, values: int) -> list[Reducer[int, int, int]]:
    """Every reducer in the sense of Definition 6, from state 0."""
    some = commuting_steps(states, values)
    return [Reducer(0, add, remove) for add, remove in product(some, some)]
