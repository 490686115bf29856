"""One case of a law, run: what breaks it is told as two calls, what raises is told apart."""

from __future__ import annotations

from typing import Any

import pytest

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import Reducer
from ominus.contract.verdict import Raised, Witness
from ominus.contract.witness import Outside, look, refute

LAST: Reducer[Any, Any, Any] = Reducer(
    0, lambda a, v: v, lambda a, v: a, merge=lambda a, b: a, same=lambda a, b: a == b
)
TOTAL: Reducer[Any, Any, Any] = Reducer(0, lambda a, v: a + v, lambda a, v: a - v)
CASES = {
    "add_commutes": ([5], 1, 2),
    "remove_commutes": ([1, 2], 1, 2),
    "inverse": ([5], 1),
    "remove_add_commute": ([1], 1, 2),
    "distributive": ([1], [2]),
}
TEXTS = {
    "add_commutes": ("reducer.fold([5, 1, 2])", "reducer.fold([5, 2, 1])"),
    "inverse": ("reducer.update(reducer.fold([5, 1]), removed=[1])", "reducer.fold([5])"),
    "distributive": (
        "reducer.merge(reducer.fold([1]), reducer.fold([2]))",
        "reducer.fold([1, 2])",
    ),
    "remove_commutes": (
        "reducer.update(reducer.fold([1, 2]), removed=[1, 2])",
        "reducer.update(reducer.fold([1, 2]), removed=[2, 1])",
    ),
    "remove_add_commute": (
        "reducer.update(reducer.fold([1]), removed=[1], added=[2])",
        "reducer.update(reducer.fold([1, 2]), removed=[1])",
    ),
}
OTHERS = {
    "remove_commutes": Reducer(0, lambda a, v: a, lambda a, v: v),
    "remove_add_commute": Reducer(0, lambda a, v: a + v, lambda a, v: v),
}


@pytest.mark.parametrize("law", TEXTS)
def test_a_witness_is_two_calls_on_the_public_surface(law: str) -> None:
    reducer = OTHERS.get(law, LAST)
    witness = refute(reducer, law, *CASES[law])
    assert witness is not None
    assert (witness.call, witness.expected) == TEXTS[law]
    assert (eval(witness.call), eval(witness.expected)) == (witness.left, witness.right)
    assert witness.left != witness.right and witness.todo


@pytest.mark.parametrize("law", TEXTS)
def test_a_case_that_holds_is_no_witness(law: str) -> None:
    right = TOTAL.replace(merge=lambda a, b: a + b)
    assert refute(right, law, *CASES[law]) is None
    assert look(right, LAWS[law], CASES[law]) is True


def test_a_remove_that_raises_where_add_did_not_breaks_the_law() -> None:
    product: Reducer[Any, Any, Any] = Reducer(1, lambda a, v: a * v, lambda a, v: a // v)
    witness = refute(product, "inverse", [], 0)
    assert witness is not None and isinstance(witness.left, Raised) and witness.right == 1
    assert "ZeroDivisionError" in repr(witness.left)


def test_an_add_that_raises_in_every_order_is_outside() -> None:
    shares: Reducer[Any, Any, Any] = Reducer(0, lambda a, v: a + 6 // v, lambda a, v: a - 6 // v)
    for law, case in (("inverse", ([1], 0)), ("add_commutes", ([2], 0, 1))):
        found = look(shares, LAWS[law], case)
        assert isinstance(found, Outside) and found.why.startswith("reducer.fold([0]) raises Zero")


def test_an_add_that_raises_in_one_order_breaks_the_law() -> None:
    def ascending(a: int, v: int) -> int:
        if v < a:
            raise ValueError(f"{v} after {a}")
        return v

    found = look(Reducer(0, ascending), LAWS["add_commutes"], ([], 1, 2))
    assert isinstance(found, Witness) and isinstance(found.right, Raised)


def test_a_merge_or_a_same_that_raises_breaks_its_law() -> None:
    largest: Reducer[Any, Any, Any] = Reducer(
        None, lambda a, v: v if a is None else max(a, v), merge=max
    )
    assert isinstance(look(largest, LAWS["distributive"], ([], [1])), Witness)


def test_a_finish_that_raises_for_what_a_recompute_shows_is_outside() -> None:
    picky = TOTAL.replace(same=lambda a, b: a == b).finish(lambda a: 1 // 0)
    assert isinstance(look(picky, LAWS["same_respected"], ([1], [], 2)), Outside)


def test_an_add_that_raises_after_a_remove_alone_breaks_the_law() -> None:
    broken = TOTAL.replace(add=lambda a, v: a + v if a >= 0 else 1 // 0, remove=lambda a, v: -9)
    assert isinstance(look(broken, LAWS["remove_add_commute"], ([1], 1, 2)), Witness)


class Identical:
    """A state that is compared by identity."""


def test_states_that_are_compared_by_identity_are_named_as_that() -> None:
    fresh: Reducer[Any, Any, Any] = Reducer(Identical(), lambda a, v: Identical(), lambda a, v: a)
    witness = refute(fresh, "inverse", [1], 2)
    assert witness is not None and "give it __eq__" in witness.todo


class NoHash:
    __hash__ = None  # type: ignore[assignment]


def test_states_that_cannot_be_compared_are_outside() -> None:
    fresh: Reducer[Any, Any, Any] = Reducer(NoHash(), lambda a, v: NoHash())
    found = look(fresh, LAWS["add_commutes"], ([], 1, 2))
    assert isinstance(found, Outside) and "cannot be compared" in found.why


@pytest.mark.parametrize(
    ("reducer", "law", "case", "todo"),
    [
        (
            Reducer(None, lambda a, v: v, lambda a, v: None),
            "inverse",
            ([1], 1),
            "om.RECOMPUTE, not",
        ),
        (Reducer(0, lambda a, v: a + v, lambda a, v: a - v), "inverse", ([], 0.0), "two values"),
        (Reducer(0.0, lambda a, v: a + v, lambda a, v: a - v), "inverse", ([0.1], 1.0), "r.sum()"),
        (Reducer(0.0, lambda a, v: a + v, lambda a, v: a), "inverse", ([0.5], 1.0), "undo add"),
        (
            Reducer(0.0, lambda a, v: a + v, lambda a, v: a - v),
            "inverse",
            ([], float("inf")),
            "NaN and infinities",
        ),
    ],
)
def test_it_says_how_to_repair(reducer: Any, law: str, case: Any, todo: str) -> None:
    witness = refute(reducer, law, *case)
    assert witness is not None and todo in witness.todo
