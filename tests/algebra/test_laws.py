"""The laws as data: each can fail, and fails where it should."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from ominus.algebra.laws import LAWS, Law, orders_agree
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.value import one

NUMBERS = [1, 2, 5]
LETTERS = ["a", "b"]

Any3 = Reducer[Any, Any, Any]


def multisets(values: list[Any], at_most: int) -> list[list[Any]]:
    return [list(m) for n in range(at_most + 1) for m in combinations_with_replacement(values, n)]


def cases(law: Law, values: list[Any]) -> Iterator[tuple[Any, ...]]:
    """Every small case of a law."""
    for m in multisets(values, 3):
        if law.name == "distributive":
            yield from ((m, n) for n in multisets(values, 2))
        elif law.name == "same_respected":
            yield from ((m, n, v) for n in multisets(values, 1) for v in values)
        else:
            yield from ((m, *vs) for vs in product(values, repeat=law.arity))


def broken(reducer: Any3, values: list[Any] = NUMBERS) -> set[str]:
    """The laws that a reducer breaks in some small case."""
    return {
        law.name
        for law in LAWS.values()
        if law.asks(reducer)
        and any(law.holds(reducer, *case) is False for case in cases(law, values))
    }


def counted_mean(lower: bool, by: Any) -> Any3:
    """Mean and count as state; `lower=False` forgets to lower the count."""

    def add(state: Any, v: Any) -> Any:
        m, n = state
        return ((m * n + v) / (n + 1), n + 1)

    def remove(state: Any, v: Any) -> Any:
        m, n = state
        if n == 1:
            return (Fraction(0), 0)
        return ((m * n - v) / (n - 1), n - 1 if lower else n)

    return Reducer(
        (Fraction(0), 0), add, remove, same=lambda a, b: by(a) == by(b), finish=lambda s: s[0]
    )


def of_mean(state: Any) -> Any:
    return state[0]


total: Any3 = Reducer(0, lambda a, v: a + v, lambda a, v: a - v, merge=lambda a, b: a + b)
concatenation: Any3 = Reducer("", lambda a, v: a + v, lambda a, v: a[:-1], merge=lambda a, b: a + b)

RIGHT: dict[str, Any3] = {
    "total": total,
    "add-only maximum": Reducer(0, max, merge=max),
    "partial maximum": Reducer(0, max, lambda a, v: a if v < a else RECOMPUTE, merge=max),
    "sorted tuple": Reducer(
        (),
        lambda a, v: tuple(sorted([*a, v])),
        lambda a, v: (*a[: a.index(v)], *a[a.index(v) + 1 :]),
        merge=lambda a, b: tuple(sorted(a + b)),
    ),
    "list up to its order": Reducer(
        list,
        lambda a, v: [*a, v],
        lambda a, v: (a.remove(v), a)[1],
        same=lambda a, b: sorted(a) == sorted(b),
        merge=lambda a, b: [*a, *b],
        finish=max,
        mutates=True,
    ),
    "mean of fractions": counted_mean(True, by=lambda s: s),
    "mean compared by the mean": counted_mean(True, by=of_mean),
    "total of some": total.replace(where=lambda v: v > 1, of=lambda v: v * 2),
}

WRONG: dict[str, tuple[Any3, set[str]]] = {
    "last one wins": (Reducer(None, lambda a, v: v), {"add_commutes"}),
    "maximum that forgets no maximum": (Reducer(0, max, lambda a, v: a), {"inverse"}),
    "total that merges by maximum": (total.replace(merge=max), {"distributive"}),
    "total that shows its steps": (
        Reducer(
            (0, 0),
            lambda a, v: (a[0] + v, a[1] + 1),
            lambda a, v: (a[0] - v, a[1] + 1),
            same=lambda a, b: a[0] == b[0],
            finish=lambda a: a,
        ),
        {"same_respected"},
    ),
    "saturating counter": (
        Reducer(0, lambda a, v: min(a + 1, 2), lambda a, v: max(a - 1, 0)),
        {"inverse", "remove_add_commute"},
    ),
    "mean that keeps its count": (
        counted_mean(False, by=of_mean),
        {"remove_commutes", "remove_add_commute", "same_respected"},
    ),
    "remove that keeps the last one removed": (
        Reducer(0, lambda a, v: 0, lambda a, v: v),
        {"inverse", "remove_commutes", "remove_add_commute"},
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_reducers_break_no_law(name: str) -> None:
    assert broken(RIGHT[name]) == set()


@pytest.mark.parametrize("name", WRONG)
def test_wrong_reducers_break_exactly_the_laws_that_they_break(name: str) -> None:
    reducer, laws = WRONG[name]
    assert broken(reducer) == laws


def test_every_law_is_broken_by_some_reducer() -> None:
    assert set().union(*(laws for _, laws in WRONG.values())) == set(LAWS)


def test_concatenation_is_not_distributive_with_the_obvious_merge() -> None:
    assert broken(concatenation, LETTERS) == {"add_commutes", "remove_add_commute", "distributive"}
    assert LAWS["distributive"].holds(concatenation, ["a"], ["b"]) is False
    assert LAWS["distributive"].holds(concatenation, ["a", "a"], ["a"]) is True


@pytest.mark.parametrize("m", ["ab", "aba", "aabba", "aaaaba"])
def test_distributive_asks_more_orders_than_one(m: str) -> None:
    # The fold of a palindrome is what its reverse gives: one turned order would not tell.
    ends: Any3 = Reducer(
        "", lambda a, v: a + v, merge=lambda a, b: a + b, same=lambda a, b: a in (b, b[::-1])
    )
    law = LAWS["distributive"]
    assert law.holds(ends, list(m), []) is (m == "ab")


def test_the_mean_that_keeps_its_count_passes_the_laws_of_the_paper() -> None:
    forgetful = counted_mean(False, by=of_mean)
    for name in ("add_commutes", "inverse"):
        asked = [LAWS[name].holds(forgetful, *case) for case in cases(LAWS[name], [10, 20, 40])]
        assert set(asked) == {True}
    assert LAWS["same_respected"].holds(forgetful, [10], [20], 40) is False
    folded, reached = LAWS["same_respected"].sides(forgetful, [10], [20], 40) or (0, 0)
    assert (folded[0], reached[0]) == (25, 20)


def test_states_that_only_a_second_remove_tells_apart_break_same_respected_alone() -> None:
    # Every remove after the first takes too much; `same` looks at the total alone.
    sly: Any3 = Reducer(
        (0, 0),
        lambda a, v: (a[0] + v, a[1]),
        lambda a, v: (a[0] - v - a[1], a[1] + 1),
        same=lambda a, b: a[0] == b[0],
        finish=lambda a: a[0],
    )
    assert broken(sly) == {"same_respected"}


def test_a_law_says_nothing_where_a_side_is_recompute_or_a_value_is_not_there() -> None:
    low = RIGHT["partial maximum"]
    assert LAWS["inverse"].holds(low, [1], 5) is None
    assert LAWS["inverse"].holds(low, [5], 1) is True
    assert LAWS["remove_commutes"].holds(total, [1], 1, 1) is None
    assert LAWS["remove_commutes"].holds(total, [1, 1], 1, 1) is True
    assert LAWS["remove_commutes"].holds(low, [5, 1, 2], 5, 1) is None
    assert LAWS["remove_add_commute"].holds(total, [1], 2, 1) is None
    assert LAWS["remove_add_commute"].holds(total, [1], True, 1) is None


def test_a_law_asks_only_what_a_reducer_has() -> None:
    add_only: Any3 = Reducer(0, max)
    assert [n for n, law in LAWS.items() if law.asks(add_only)] == ["add_commutes"]
    assert [n for n, law in LAWS.items() if law.asks(total)] == [
        "add_commutes",
        "remove_commutes",
        "inverse",
        "remove_add_commute",
        "distributive",
    ]
    assert LAWS["same_respected"].asks(total.replace(same=one))


def test_laws_have_the_names_that_are_used_everywhere() -> None:
    assert " ".join(LAWS) == (
        "add_commutes remove_commutes inverse remove_add_commute distributive same_respected"
    )
    assert all(name == law.name and law.says for name, law in LAWS.items())
    assert {n for n, law in LAWS.items() if law.makes_right} == {
        "add_commutes",
        "inverse",
        "same_respected",
    }


def test_laws_see_rows_through_of_and_where() -> None:
    odd = total.replace(of=len, where=lambda row: row != "skip")
    assert broken(odd, ["a", "bb", "skip"]) == set()
    clumsy = odd.replace(remove=lambda a, v: a - 1)
    assert broken(clumsy, ["a", "bb", "skip"]) == {"inverse"}
    assert LAWS["inverse"].holds(clumsy, [], "skip") is True


def test_orders_agree_is_asked_of_every_enumeration() -> None:
    assert orders_agree(total, [1, 2, 3])
    assert not orders_agree(concatenation, ["a", "b", "a"])
    assert orders_agree(concatenation, ["a", "a"])
    assert orders_agree(total, [])
