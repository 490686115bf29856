"""What functions say that they give."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NewType, TypeVar

import pytest

from ominus.algebra.record import record
from ominus.flow.types import ANY, RecordType, result_type

T = TypeVar("T")
UserId = NewType("UserId", int)


@dataclass(frozen=True)
class Order:
    id: int
    amount: float

    def doubled(self) -> float:
        return self.amount * 2

    @classmethod
    def empty(cls) -> Order:
        return cls(0, 0.0)

    @staticmethod
    def unit() -> str:
        return ""


class Reader(Generic[T]):
    def __call__(self, row: T) -> list[T]:
        return [row]


def add(a: int, b: str) -> float:
    return a


def nothing(a: int) -> None: ...


def unknown(a: Missing) -> int:  # noqa: F821
    return a


def unresolved(a: int) -> Missing:  # noqa: F821
    return a


def same(value: T) -> T:
    return value


def second(a: int, b: T) -> T:
    return b


def first(values: list[T]) -> T | None:
    return values[0]


async def later() -> int:
    return 1


@functools.wraps(add)
def wrapper(*args: Any) -> Any:
    return add(*args)


@pytest.mark.parametrize(
    ("f", "found"),
    [
        (add, float),
        (nothing, type(None)),
        (unknown, int),
        (unresolved, ANY),
        (lambda v: v, ANY),
        (len, ANY),
        (operator.itemgetter(0), ANY),
        (int, int),
        (Order, Order),
        (UserId, UserId),
        (list[int], list[int]),
        (type, ANY),
        (Order.doubled, float),
        (Order(1, 2.0).doubled, float),
        (Order.empty, Order),
        (Order.unit, str),
        (functools.partial(add, 1), float),
        (wrapper, float),
        (later, ANY),
        (5, ANY),
        (None, ANY),
    ],
)
def test_the_type_of_a_result(f: Any, found: Any) -> None:
    assert result_type(f) == found


def test_type_variables_are_what_the_arguments_are() -> None:
    assert result_type(same, int) is int
    assert result_type(first, list[str]) == str | None
    assert result_type(Reader(), Order) == list[Order]
    assert result_type(functools.partial(second, 1), str) is str


def test_a_local_name_is_found_where_the_function_closes_over_it() -> None:
    @dataclass
    class Local:
        a: int

    def make() -> Local:
        return Local(1)

    assert result_type(make) is Local


def test_a_record_of_rows_has_the_fields_of_all() -> None:
    customer = RecordType((("id", str), ("region", str)))
    found = result_type(record, Order, customer)
    assert found == RecordType((("id", int), ("amount", float), ("region", str)))


@pytest.mark.parametrize("args", [(), (Order, ANY), (Order, int)])
def test_a_record_of_what_is_not_known_is_not_known(args: Any) -> None:
    assert result_type(record, *args) is ANY


def test_a_callable_kind_is_no_function() -> None:
    assert result_type(Callable[[int], int]) == Callable[[int], int]
