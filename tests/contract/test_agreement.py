"""Every reducer of two states and two values: verify says ok of exactly those that are right."""

from __future__ import annotations

from itertools import islice, product
from typing import Any

import pytest

from finite_reducers import all_reducers
from ominus.algebra.reducer import Reducer
from ominus.contract import verify as module
from ominus.contract.verify import verify

VALUES = (0, 1)


def reachable(reducer: Reducer[Any, Any, Any]) -> set[int]:
    found = [reducer.init]
    for state in found:
        steps = (reducer.add(state, v) for v in VALUES)
        found += [s for s in dict.fromkeys(steps) if s not in found]
    return set(found)


def is_right(reducer: Reducer[Any, Any, Any]) -> bool:
    """The two laws, on every state that adds reach: there are only two."""
    add, remove = reducer.add, reducer.remove
    assert remove is not None
    states = reachable(reducer)
    commutes = all(
        add(add(a, u), v) == add(add(a, v), u) for a, u, v in product(states, VALUES, VALUES)
    )
    return commutes and all(remove(add(a, v), v) == a for a, v in product(states, VALUES))


@pytest.mark.parametrize("start", range(4))
def test_verify_is_right_of_every_small_reducer(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_prover", lambda: None)
    some = list(islice(all_reducers(2, 2), start, None, 4))
    wrong = [r for r in some if verify(r, list(VALUES), examples=20).ok is not is_right(r)]
    assert some and wrong == []


def test_some_of_them_are_right_and_most_are_not() -> None:
    right = sum(map(is_right, all_reducers(2, 2)))
    assert 5 < right < 100
