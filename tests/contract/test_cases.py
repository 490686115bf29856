"""Where values come from: given, else the reducer's own, else hints; and what they look like."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, make_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, NewType, TypedDict

import pytest
from hypothesis import strategies as st

from ominus.algebra.laws import LAWS
from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import Reducer
from ominus.contract.cases import NO_VALUES, Values, magnitude, random_case, small_cases, values_of
from ominus.contract.check import samples
from ominus.contract.constants import constants
from ominus.contract.makers import maker
from ominus.contract.verdict import Refuted, Unknown
from ominus.contract.verify import verify


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Order:
    amount: int
    status: str


class Pair(NamedTuple):
    x: int
    y: float


class Named(TypedDict):
    name: str


Cents = NewType("Cents", int)
Any3 = Reducer[Any, Any, Any]
ADD: Any3 = Reducer(0, lambda a, v: a)


def found(reducer: Any3, given: Any = None) -> Values:
    values = values_of(reducer, given, samples)
    assert isinstance(values, Values)
    return values


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (int, lambda v: type(v) is int),
        (bool, lambda v: type(v) is bool),
        (float, lambda v: type(v) is float),
        (str, lambda v: type(v) is str),
        (bytes, lambda v: type(v) is bytes),
        (Decimal, lambda v: type(v) is Decimal),
        (Fraction, lambda v: type(v) is Fraction),
        (date, lambda v: type(v) is date),
        (datetime, lambda v: type(v) is datetime),
        (None, lambda v: v is None),
        (int | None, lambda v: v is None or type(v) is int),
        (Literal["a", "b"], lambda v: v in ("a", "b")),
        (Annotated[int, "cents"], lambda v: type(v) is int),
        (Cents, lambda v: type(v) is int),
        (Colour, lambda v: isinstance(v, Colour)),
        (Order, lambda v: type(v) is Order and type(v.status) is str),
        (Pair, lambda v: type(v) is Pair and type(v.y) is float),
        (Named, lambda v: type(v) is dict and list(v) == ["name"]),
        ({"x": int, "y": str}, lambda v: list(v) == ["x", "y"] and type(v["x"]) is int),
        (tuple[int, str], lambda v: type(v) is tuple and list(map(type, v)) == [int, str]),
        (tuple[int, ...], lambda v: type(v) is tuple),
        (list[int], lambda v: type(v) is list),
        (frozenset[str], lambda v: type(v) is frozenset),
        (dict[str, int], lambda v: type(v) is dict),
        (complex, lambda v: type(v) is complex),
        (st.integers(3, 5), lambda v: v in (3, 4, 5)),
        ([4, 5], lambda v: v in (4, 5)),
        (Multiset(["x", "y"]), lambda v: v in ("x", "y")),
    ],
    ids=repr,
)
def test_values_are_of_the_type_the_strategy_or_the_samples(kind: Any, check: Any) -> None:
    if kind is None:
        made = maker(None)
        assert made is not None and made.small == (None,)
        return
    values = found(ADD, kind)
    rng = random.Random(1)
    drawn = [*values.small, *(values.draw(rng) for _ in range(100))]
    assert all(map(check, drawn))
    assert len(values.small) >= 2


def test_small_values_come_first() -> None:
    assert found(ADD, int).small[:4] == (0, 1, -1, 2)
    assert found(ADD, Order).small[0] == Order(0, "")
    assert found(ADD, st.integers()).small[0] == 0
    assert sorted([3, -1, 0], key=magnitude) == [0, -1, 3]


def test_values_are_as_they_are_kept() -> None:
    drawn = found(ADD, st.just(-0.0)).small
    assert str(drawn[0]) == "0.0"


def hinted(state: int, value: int) -> int:
    return state + value


def of_order(order: Order) -> int:
    return order.amount


class Step:
    def __call__(self, state: int, value: str) -> int:
        return state


@pytest.mark.parametrize(
    ("reducer", "kind"),
    [
        (Reducer(0, hinted), int),
        (Reducer(0, lambda a, v: a, hinted), int),
        (Reducer(0, hinted, of=of_order), Order),
        (Reducer(0, hinted, where=of_order), Order),
        (Reducer(0, Step()), str),
        (Reducer(0, hinted, values=float), float),
    ],
)
def test_values_are_inferred_from_hints(reducer: Any3, kind: Any) -> None:
    assert found(reducer).kind is kind


def anything(state: Any, value: Any) -> Any:
    return state


def iterated(state: int, value: Iterable[Any]) -> int:
    return state


@pytest.mark.parametrize(
    "reducer",
    [ADD, Reducer(0, hinted, of="amount"), Reducer(0, anything), Reducer(0, max)],
)
def test_where_nothing_says_the_values_that_is_the_answer(reducer: Any3) -> None:
    assert values_of(reducer, None, samples) == NO_VALUES


@pytest.mark.parametrize("given", [[], st.nothing(), int | type(anything)])
def test_where_nothing_can_be_drawn_that_is_the_answer(given: Any) -> None:
    assert isinstance(values_of(ADD, given, lambda kind: []), Unknown)


LIMIT = 4321


def test_constants_of_the_code_are_seeded() -> None:
    far, word = 98765, "refund"
    reducer: Any3 = Reducer(
        0, lambda a, v: a + (v == 777), lambda a, v: a if v in (5, LIMIT, far) else word
    )
    assert {777, 5, 4321, 98765, "refund"} <= set(constants(reducer))
    small = found(reducer, int).small
    assert {776, 777, 778, 4321, 98765} <= set(small) and "refund" not in small
    assert Order(0, "refund") in found(reducer, Order).small


@pytest.mark.parametrize("kind", [float, Decimal, Fraction])
def test_a_constant_is_among_the_values_of_another_type_of_number(kind: Any) -> None:
    wrong = Reducer(0, lambda a, v: a + 1, lambda a, v: a - 1 - (v == 777))
    values = values_of(wrong, kind)
    assert isinstance(values, Values) and kind(777) in values.small
    assert isinstance(verify(wrong, kind)["inverse"], Refuted)
    third = values_of(Reducer(0, lambda a, v: a + (v < 0.1)), int)
    assert isinstance(third, Values) and all(type(v) is int for v in third.small)


def test_a_row_of_many_fields_has_few_small_values() -> None:
    Wide = make_dataclass("Wide", [(f"f{i}", int) for i in range(60)], frozen=True)
    made = maker(Wide)
    assert made is not None and made.small[0] == Wide(*[0] * 60)
    assert Wide(*[0] * 59, 1) in made.small and len(made.small) <= 48


def test_constants_of_helpers_and_of_callables_are_seeded() -> None:
    assert 555 in constants(Reducer(0, lambda a, v: helper(a)))
    assert 444 in constants(Reducer(0, Asking()))


def helper(state: int) -> int:
    return state + 555


class Asking:
    def __call__(self, state: int, value: int) -> int:
        return state + 444


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
def test_cases_are_what_the_law_takes(law: Any) -> None:
    reducer: Any3 = Reducer(
        0,
        lambda a, v: a + v,
        lambda a, v: a - v,
        merge=lambda a, b: a + b,
        same=lambda a, b: a == b,
    )
    values, rng = found(reducer, int), random.Random(3)
    small = list(small_cases(law, values))
    asked = [law.holds(reducer, *case) for case in small]
    asked += [law.holds(reducer, *random_case(law, values, rng)) for _ in range(200)]
    assert False not in asked and asked.count(True) > 0.9 * len(asked)
    sizes = [sum(len(x) if isinstance(x, list) else 1 for x in case) for case in small]
    if not law.name.startswith("remove"):  # these name what is in the multiset
        assert sizes == sorted(sizes) and sizes[-1] == 3


def test_random_cases_have_many_duplicates_and_some_are_long() -> None:
    rng = random.Random(5)
    values = found(ADD, int)
    lists = [random_case(LAWS["inverse"], values, rng)[0] for _ in range(300)]
    assert sum(max(Counter(m).values(), default=0) > 1 for m in lists) > 150
    assert any(len(m) > 20 for m in lists)


def test_sizes_that_the_code_asks_about_are_drawn() -> None:
    rng = random.Random(5)
    values = found(Reducer(0, lambda a, v: min(a + 1, 17)), int)
    assert {len(random_case(LAWS["inverse"], values, rng)[0]) for _ in range(300)} >= {16, 17, 18}
