"""Whether values of two types can be one."""

from __future__ import annotations

import enum
import numbers
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, NewType, NotRequired, TypedDict, TypeVar

import pytest

from ominus.algebra.record import Record
from ominus.flow.types import ANY, RecordType, never_equal

T = TypeVar("T")
UserId = NewType("UserId", int)


class Color(enum.Enum):
    RED = 1


class Size(enum.Enum):
    S = 1


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    A = "a"


@dataclass(frozen=True)
class Order:
    id: int


@dataclass(frozen=True)
class Special(Order):
    note: str


@dataclass(frozen=True)
class Customer:
    name: str


@dataclass(frozen=True)
class Node:
    next: Node | None


@dataclass(frozen=True)
class Box(Generic[T]):
    inside: T


class Pair(NamedTuple):
    a: int
    b: str


class Other(NamedTuple):
    a: int
    b: str


class Doc(TypedDict):
    a: int


class TextDoc(TypedDict):
    a: str


class MaybeDoc(TypedDict):
    a: NotRequired[str]


class Plain: ...


class Mixin: ...


A_INT = RecordType((("a", int),))
A_STR = RecordType((("a", str),))
B_INT = RecordType((("b", int),))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (int, str),
        (int, float),
        (int, bool),
        (int, Decimal),
        (float, Fraction),
        (date, datetime),
        (str, bytes),
        (UserId, str),
        (int | str, float | bytes),
        (int, None),
        (Color, Size),
        (Color, int),
        (Level, int),
        (Word, str),
        (Literal[1], Literal[True]),
        (Literal[1, 2], Literal["a"]),
        (Literal["a"], int),
        (Order, Customer),
        (Order, int),
        (Plain, int),
        (tuple[int, str], tuple[int, int]),
        (tuple[int, str], tuple[int]),
        (tuple[int, ...], tuple[str, str]),
        (tuple[int, str], list[int]),
        (tuple[int, str], int),
        (tuple[()], tuple[int]),
        (list[int], set[int]),
        (set[int], frozenset[int]),
        (dict[str, int], list[int]),
        (Pair, Other),
        (Pair, tuple[int, int]),
        (Pair, Order),
        (A_INT, A_STR),
        (A_INT, B_INT),
        (A_INT, Order),
        (A_INT, int),
        (Doc, TextDoc),
        (Doc, list[int]),
        (Order, tuple[int]),
        (type[int], int),
    ],
)
def test_types_whose_values_are_never_one(a: Any, b: Any) -> None:
    assert never_equal(a, b)
    assert never_equal(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (int, int),
        (int, UserId),
        (ANY, int),
        (object, int),
        (T, int),
        (int | None, str | None),
        (int | str, str | bytes),
        (Literal[1], int),
        (Literal[1, 2], Literal[2, 3]),
        (Literal["a"], str | int),
        (Color, Color),
        (Literal[Color.RED], Color),
        (Order, Special),
        (Order, Order | None),
        (Box[int], Box[str]),
        (Node, Node),
        (Plain, Mixin),
        (Plain, Order),
        (Hashable, int),
        (numbers.Number, int),
        (tuple[int, str], tuple[int, str]),
        (tuple[int, ANY], tuple[int, str]),
        (tuple[int, ...], tuple[int, int]),
        (tuple[int, ...], tuple[str, ...]),
        (tuple, tuple[int, str]),
        (list[int], list[str]),
        (list[int], Sequence[str]),
        (dict[str, int], Mapping[str, int]),
        (Pair, tuple[int, str]),
        (Pair, tuple[int, ...] | tuple[int, str]),
        (A_INT, A_INT),
        (A_INT, RecordType((("a", ANY),))),
        (A_INT, Record),
        (Doc, dict[str, int]),
        (Doc, MaybeDoc),
    ],
)
def test_types_whose_values_may_be_one(a: Any, b: Any) -> None:
    assert not never_equal(a, b)
    assert not never_equal(b, a)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement is of Python 3.12")
def test_types_that_mean_themselves_and_have_no_bottom_may_be_one() -> None:
    made: dict[str, Any] = {}
    exec("type A = tuple[A, int] | str\ntype B = tuple[B, int] | bytes", made)
    assert not never_equal(made["A"], made["B"])
    assert never_equal(made["A"], int)
