"""The search finds what is rare, makes it small, prefers what is plain, and ends in time."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import strategies as st

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import Reducer
from ominus.contract.cases import Values, values_of
from ominus.contract.check import check, samples
from ominus.contract.search import Search, cost
from ominus.contract.verdict import Checked, Refuted, Unknown

Any3 = Reducer[Any, Any, Any]


def search(reducer: Any3, values: Any = int, law: str = "inverse", seconds: float = 5) -> Search:
    drawn = values_of(reducer, values, samples)
    assert isinstance(drawn, Values)
    return Search(reducer, LAWS[law], drawn, time.monotonic() + seconds)


def total(wrong: Any) -> Any3:
    return Reducer(0, lambda a, v: a + v, lambda a, v: a - v + wrong(a, v))


def test_a_right_reducer_is_checked_by_so_many_examples() -> None:
    found = search(total(lambda a, v: 0))
    assert found.small() is None
    small = found.examples
    assert found.at_random(50) is None and check(found, 20) is None
    assert found.verdict() == Checked(found.examples)
    assert small > 500 and small + 50 < found.examples <= small + 50 + 25


def test_a_rare_case_is_found_at_random_and_made_small() -> None:
    found = search(total(lambda a, v: a > 200 and v == 11), [11, 60, 70, 80, 90]).at_random(500)
    assert isinstance(found, Refuted)
    values = (*found.witness.values, *found.witness.given)
    assert len(values) == 4 and values[-1] == 11


def test_a_long_case_is_made_as_short_as_it_can_be() -> None:
    stops: Any3 = Reducer(0, lambda a, v: min(a + 1, 12), lambda a, v: max(a - 1, 0))
    found = search(stops).at_random(500)
    assert isinstance(found, Refuted)
    assert found.witness.values == (0,) * 12 and found.witness.given == (0,)


def test_hypothesis_finds_what_a_strategy_alone_can_give() -> None:
    odd = search(total(lambda a, v: v > 10**6), st.integers(0, 10**7))
    found = check(odd, 200)
    assert isinstance(found, Refuted)
    assert found.witness.values == () and found.witness.given[0] > 10**6


def test_plain_numbers_are_shown_before_infinities_and_before_types() -> None:
    floats: Any3 = Reducer(0, lambda a, v: a + v, lambda a, v: a - v)
    found = search(floats, float).small()
    assert isinstance(found, Refuted)
    assert found.witness.left != found.witness.right
    assert all(v - v == 0 for v in (*found.witness.values, *found.witness.given))
    only_type = search(Reducer(0, lambda a, v: a + v, lambda a, v: a - v / 1)).small()
    assert isinstance(only_type, Refuted) and only_type.witness.left == only_type.witness.right


def test_an_add_that_raises_leaves_the_law_unknown() -> None:
    shares: Any3 = Reducer(0, lambda a, v: a + 6 // v, lambda a, v: a - 6 // v)
    found = search(shares)
    assert found.small() is None
    verdict = found.verdict()
    assert isinstance(verdict, Unknown)
    assert "reducer.fold([0]) raises ZeroDivisionError" in verdict.why and "values=" in verdict.why


def test_it_ends_when_the_time_is_over() -> None:
    def slow(a: int, v: int) -> int:
        time.sleep(0.005)
        return a + v

    found = search(Reducer(0, slow, lambda a, v: a - v), seconds=0.2)
    started = time.monotonic()
    assert found.small() is None and found.at_random(10**6) is None and check(found, 10**4) is None
    assert time.monotonic() - started < 5
    assert isinstance(found.verdict(), Checked)


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        (([], 9), ([0], 0)),
        (([1], 1), ([1], 2)),
        (([0.5], 1.0), ([5e-324], 1.0)),
        ((["a"], "b"), (["a"], "bb")),
    ],
)
def test_fewer_values_are_smaller_and_then_plainer_ones(smaller: Any, larger: Any) -> None:
    assert cost(smaller) < cost(larger)


def ceiling() -> Search:
    return search(
        Reducer(0, lambda a, v: min(100, a + v), lambda a, v: max(0, a - v)), list(range(51))
    )


def test_fewer_values_are_simpler_than_smaller_ones() -> None:
    witness = ceiling().refuted(([9, 23, 23, 23], 23)).witness
    assert len(witness.values) + len(witness.given) == 3


def test_of_samples_the_largest_are_among_the_small_cases() -> None:
    found = ceiling().small()
    assert found is not None and max(found.witness.values) > 40
