"""What a selector means of a type, and what it cannot mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, NamedTuple, TypedDict

import pytest

from ominus.algebra.select import Field, Item, Parts, desc, itself
from ominus.errors import FieldUnknown, FlowError, OminusError
from ominus.flow.types import ANY, RecordType, part_type


@dataclass(frozen=True)
class Order:
    id: int
    region: str
    amount: float | None = None

    @property
    def label(self) -> str:
        return f"{self.id}"

    @cached_property
    def big(self) -> bool:
        return False

    def total(self) -> float:
        return 0.0


class Line(NamedTuple):
    price: float
    count: int


class Doc(TypedDict):
    name: str
    pages: int


class Loose:
    def __getitem__(self, index: int) -> str:
        return ""


@dataclass
class Proxy:
    inner: int

    def __getattr__(self, name: str) -> Any:
        return name


Both = RecordType((("a", int), ("b", str)))


def region(order: Order) -> str:
    return order.region


@pytest.mark.parametrize(
    ("kind", "part", "found"),
    [
        (Order, "region", str),
        (Order, "amount", float | None),
        (Order, "label", str),
        (Order, "big", bool),
        (Order | None, "region", str),
        (Order, Field("id"), int),
        (Order, ("id", "region"), tuple[int, str]),
        (Order, Parts((Field("id"), region)), tuple[int, str]),
        (Order, (), tuple[()]),
        (Order, ("id", ("region", None)), tuple[int, tuple[str, Order]]),
        (Order, None, Order),
        (Order, itself, Order),
        (Order, desc("region"), str),
        (Order, region, str),
        (Order, lambda o: o.region, ANY),
        (Order, str, str),
        (Line, "price", float),
        (Line, 1, int),
        (Line, -1, int),
        (Doc, "pages", int),
        (Both, "b", str),
        (Both, 0, int),
        (Both, Item(1), str),
        (tuple[int, str], 1, str),
        (tuple[int, ...], 7, int),
        (tuple, 7, ANY),
        (list[int], 0, int),
        (Sequence[str], 3, str),
        (dict[str, int], "a", int),
        (dict[int, str], 5, str),
        (Mapping[str, int | None], "a", int | None),
        (dict, "a", ANY),
        (str, 0, str),
        (bytes, 0, int),
        (Loose, 0, str),
        (Loose, "anything", ANY),
        (Proxy, "anything", ANY),
        (datetime, "year", ANY),
        (ANY, "a", ANY),
        (ANY, 0, ANY),
        (ANY, ("a", 0), tuple[ANY, ANY]),
        (Order | Line, "id", int),
        (Order | Any, "id", ANY),
        (Order | Proxy, "id", ANY),
    ],
)
def test_the_type_of_a_part(kind: Any, part: Any, found: Any) -> None:
    assert part_type(kind, part, asked="rows.group_by(...)") == found


def test_a_part_of_either_type_is_of_either_type() -> None:
    assert part_type(tuple[int] | tuple[str], 0, asked="x") == int | str


@pytest.mark.parametrize(
    ("kind", "part", "found", "todo"),
    [
        (
            Order,
            "regoin",
            "Order has no field 'regoin'; its fields are id, region, amount",
            "Did you mean 'region'?",
        ),
        (
            Order,
            "zzz",
            "Order has no field 'zzz'; its fields are id, region, amount",
            "Name one of these, or give a function: lambda v: ...",
        ),
        (
            Order,
            "total",
            "'total' is a method of Order, not a field",
            "Call it: lambda v: v.total().",
        ),
        (Order, 0, "Order has no positions", "Name a field instead."),
        (
            Order | None,
            "regoin",
            "Order has no field 'regoin'; its fields are id, region, amount",
            "Did you mean 'region'?",
        ),
        (
            Line,
            2,
            "Line has 2 positions, none of them 2",
            "Give a position from 0 to 1.",
        ),
        (Both, "c", "record(a: int, b: str) has no field 'c'; its fields are a, b", "Name one of"),
        (Both, 2, "record(a: int, b: str) has 2 positions, none of them 2", "Give a position"),
        (Doc, "page", "Doc has no field 'page'; its fields are name, pages", "Did you mean 'page"),
        (Doc, 0, "the keys of dict[str, Any] are str, never 0", "Write a function"),
        (tuple[int, str], 2, "tuple[int, str] has 2 positions, none of them 2", "Give a position"),
        (tuple[()], 0, "tuple[()] has 0 positions, none of them 0", "It is always empty."),
        (tuple[int, str], "a", "tuple[int, str] has no field 'a'; it has none", "Give a position"),
        (str, "name", "str has no field 'name'; it has none", "Give a position"),
        (str, "upper", "'upper' is a method of str, not a field", "Call it"),
        (date, "yaer", "date has no field 'yaer'; its fields are", "Did you mean 'year'?"),
        (int, 0, "int has no positions", "Give nothing for the value itself."),
        (dict[int, str], "a", "the keys of dict[int, str] are int, never 'a'", "Write a function"),
        (None, "a", "None has no field 'a'", "Give a position"),
        (Order, ("id", "regoin"), "Order has no field 'regoin'", "Did you mean 'region'?"),
    ],
)
def test_a_part_that_cannot_be_there_is_refused(
    kind: Any, part: Any, found: str, todo: str
) -> None:
    with pytest.raises(FieldUnknown) as refused:
        part_type(kind, part, asked="orders.group_by('regoin')")
    assert refused.value.asked == "orders.group_by('regoin')"
    assert refused.value.found.startswith(found)
    assert refused.value.todo.startswith(todo)


@pytest.mark.parametrize("part", [True, 1.5, ["a"]])
def test_what_is_no_selector_is_refused_as_such(part: Any) -> None:
    with pytest.raises(FlowError):
        part_type(Order, part, asked="x")


def test_the_refusal_is_what_the_first_row_would_meet() -> None:
    with pytest.raises(OminusError):
        Field("regoin")(Order(1, "north"))
