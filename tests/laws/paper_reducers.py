"""The paper's reducers, and its definitions as checks of every small case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from hypothesis import strategies as st

from ominus.algebra.delta import Collection
from ominus.algebra.laws import LAWS
from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import RECOMPUTE, Reducer

AnyReducer = Reducer[Any, Any, Any]

SUM: AnyReducer = Reducer(0, lambda a, v: a + v, lambda a, v: a - v)
COUNT: AnyReducer = Reducer(0, lambda a, v: a + 1, lambda a, v: a - 1)
AVERAGE: AnyReducer = Reducer(
    (0, 0),
    lambda a, v: (a[0] + v, a[1] + 1),
    lambda a, v: (a[0] - v, a[1] - 1),
    finish=lambda a: Fraction(a[0], a[1]) if a[1] else None,
)
INFINITY = float("inf")
MIN: AnyReducer = Reducer(INFINITY, min, lambda a, v: a if v > a else RECOMPUTE)
UNION: AnyReducer = Reducer(
    Multiset(), lambda a, v: a + Multiset([v]), lambda a, v: a - Multiset([v])
)
CONCATENATION: AnyReducer = Reducer(
    "", lambda a, v: a + v, lambda a, v: a[:-1], merge=lambda a, b: a + b
)
WELL_FORMED = {"sum": SUM, "count": COUNT, "average": AVERAGE, "union": UNION}

small = st.lists(st.integers(-3, 3), max_size=5)
collections = st.dictionaries(st.sampled_from("abc"), small, max_size=3)


def multisets(values: Iterable[Any], at_most: int) -> list[list[Any]]:
    some = list(values)
    return [list(m) for n in range(at_most + 1) for m in combinations_with_replacement(some, n)]


def orders(m: Iterable[Any]) -> list[list[Any]]:
    return [list(p) for p in dict.fromkeys(permutations(m))]


def reduce(reducer: AnyReducer, c: Collection[Any, Any]) -> dict[Any, Any]:
    """The view of Definition 5."""
    return {k: reducer.fold(c[k]) for k in c}


def law(name: str, reducer: AnyReducer, values: Iterable[Any], at_most: int = 3) -> bool:
    """Whether a law of one or two values holds in every small case."""
    found, some = LAWS[name], list(values)
    return all(
        found.holds(reducer, m, *vs) is not False
        for m in multisets(some, at_most)
        for vs in product(some, repeat=found.arity)
    )


def well_formed(reducer: AnyReducer, values: Iterable[Any]) -> bool:
    """Definition 7, in every small case."""
    return law("inverse", reducer, values)


def deltas(m: list[Any], values: list[Any]) -> Iterator[tuple[list[Any], list[Any], list[Any]]]:
    """What stays of a multiset, what is removed and what is added, in every small way."""
    for keep in product([True, False], repeat=len(m)):
        stays = [v for v, k in zip(m, keep, strict=True) if k]
        gone = [v for v, k in zip(m, keep, strict=True) if not k]
        yield from ((stays, gone, new) for new in multisets(values, 1))


def incrementally_correct(reducer: AnyReducer, values: Iterable[Any]) -> bool:
    """Definition 12, in every small case."""
    some = list(values)
    return all(
        reducer.equal(
            reducer.update(reducer.fold(m), removed=gone, added=new), reducer.fold(s + new)
        )
        for m in multisets(some, 3)
        for s, gone, new in deltas(m, some)
    )


def counted(reducer: AnyReducer) -> tuple[AnyReducer, list[str]]:
    """A reducer that notes each call of its add and its remove."""
    calls: list[str] = []
    add, remove = reducer.add, reducer.remove
    assert remove is not None
    noted = reducer.replace(
        add=lambda a, v: (calls.append("add"), add(a, v))[1],
        remove=lambda a, v: (calls.append("remove"), remove(a, v))[1],
    )
    return noted, calls


def refolded(reducer: AnyReducer, group: Multiset[Any], *, removed: Any, added: Any) -> Any:
    """What a runtime does with a partial reducer."""
    state = reducer.update(reducer.fold(group), removed=removed, added=added)
    left = group - Multiset(removed) + Multiset(added)
    return reducer.fold(left) if state is RECOMPUTE else state
