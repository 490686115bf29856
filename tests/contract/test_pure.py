"""What changes its state, its value or its mind is reported as that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from ominus.algebra.reducer import Reducer
from ominus.contract.verify import verify
from ominus.reducers import CATALOGUE

Any3 = Reducer[Any, Any, Any]
CALLS = count()
ONE: list[int] = []


def done(a: Any, do: Callable[[Any], Any]) -> Any:
    do(a)
    return a


def appended(a: list[int], v: int) -> list[int]:
    return done(a, lambda a: a.append(v))


def without(a: list[int], v: int) -> list[int]:
    return done(a, lambda a: a.remove(v))


def same(a: Any, b: Any) -> bool:
    return sorted(a) == sorted(b)


IMPURE: dict[str, tuple[Any3, Any, str]] = {
    "add in place": (Reducer([], appended, same=same), int, "add changes its state in place"),
    "remove in place": (
        Reducer([], lambda a, v: [*a, v], without, same=same),
        int,
        "remove changes its state in place",
    ),
    "add in place, on a state that add made": (
        Reducer(None, lambda a, v: [v] if a is None else appended(a, v)),
        int,
        "add changes its state in place",
    ),
    "merge in place": (
        Reducer((), lambda a, v: [*a, v], merge=lambda a, b: done(a, lambda a: a and a.extend(b))),
        int,
        "merge changes its state in place",
    ),
    "finish in place": (
        Reducer(list, appended, without, same=same, finish=lambda a: a.pop(), mutates=True),
        int,
        "finish changes the state",
    ),
    "one start for all": (
        Reducer(lambda: ONE, appended, without, same=same, mutates=True),
        int,
        "init gives one object each time",
    ),
    "another answer each time": (
        Reducer(0, lambda a, v: a + next(CALLS)),
        int,
        "add gives another state each time",
    ),
    "the value in place": (
        Reducer(0, lambda a, v: a + (v.pop() if v else 0)),
        list[int],
        "changes the value",
    ),
}


@pytest.mark.parametrize("name", IMPURE)
def test_it_is_reported_as_what_it_is(name: str) -> None:
    reducer, values, todo = IMPURE[name]
    verdicts = verify(reducer, values)
    assert not verdicts.ok
    assert {v.witness.todo for v in verdicts.refuted} and len(verdicts.refuted) == len(verdicts)
    assert all(todo in v.witness.todo for v in verdicts.refuted), verdicts
    assert len(verdicts.refuted[0].witness.values) <= 2


def test_the_users_own_start_is_left_as_it_was() -> None:
    start: list[int] = []
    verify(Reducer(start, appended, same=same), int)
    assert start == []


def test_a_heap_may_be_tidied_while_it_is_read() -> None:
    tidied: Any3 = Reducer(
        list, appended, without, same=same, finish=lambda a: a.sort() or a[0], mutates=True
    )
    assert verify(tidied, int).ok


class Identical:
    """A value that is compared by identity, and so is no copy of itself."""

    def __init__(self, x: int) -> None:
        self.x = x


def test_values_that_are_compared_by_identity_are_not_accused() -> None:
    total: Any3 = Reducer(0, lambda a, v: a + v.x, lambda a, v: a - v.x)
    assert verify(total, Identical).ok
    assert verify(total, [Identical(1), Identical(2)]).ok


def test_the_catalogue_keeps_its_hands_off() -> None:
    for example in CATALOGUE.values():
        found = verify(example.reducer, example.values, laws=["add_commutes"], examples=20)
        assert not found.refuted, found
