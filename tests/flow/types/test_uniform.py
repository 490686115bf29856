"""Whether Python's own equality tells values apart as `ident` does."""

from __future__ import annotations

import enum
import sys
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, NewType, TypedDict, TypeVar
from uuid import UUID

import pytest

from ominus.algebra.record import record_class
from ominus.flow.types import ANY, RecordType, either, uniform

T = TypeVar("T")


class Color(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    LOW = 1


class Odd(enum.Enum):
    A = 1

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = enum.Enum.__hash__


@dataclass(frozen=True)
class Frozen:
    id: int
    name: str | None


@dataclass
class Mutable:
    id: int


@dataclass(frozen=True)
class Priced:
    amount: float


@dataclass(frozen=True)
class MaybePriced:
    amount: float | None


@dataclass(frozen=True)
class TupledPrice:
    amount: tuple[float]


@dataclass(frozen=True)
class Nested:
    inner: Frozen
    next: Nested | None


@dataclass(frozen=True)
class Listed:
    items: list[int]


@dataclass(frozen=True)
class Forgetful:
    id: int
    note: str = field(compare=False)


@dataclass(frozen=True, eq=False)
class Identical:
    id: int


@dataclass(frozen=True)
class OwnEquality:
    id: int

    def __eq__(self, other: object) -> bool:
        return True


@dataclass(frozen=True)
class OwnHash:
    id: int

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True)
class Box(Generic[T]):
    inside: T


@dataclass(frozen=True)
class Identified:
    id: int

    def __ident__(self) -> Any:
        return 1


class Pair(NamedTuple):
    a: int
    b: float


class Chain(NamedTuple):
    next: Chain | None


class Doc(TypedDict):
    a: int


class Loose(NamedTuple):
    a: int

    def __eq__(self, other: object) -> bool:
        return True


FIELD_BY_FIELD = sys.version_info >= (3, 13)


@pytest.mark.parametrize(
    "kind",
    [
        *(int, str, bool, bytes, float, date, timedelta, UUID, Fraction, None),
        NewType("UserId", int),
        int | None,
        int | str | None,
        Literal["a", "b", None],
        Literal[1, 2],
        Color,
        Level,
        Color | int,
        tuple[int, str],
        tuple[float, ...],
        tuple[()],
        frozenset[int],
        Frozen,
        Frozen | int,
        Frozen | Nested | None,
        MaybePriced,
        TupledPrice,
        Nested,
        Box[int],
        Pair,
        Chain,
        RecordType((("a", int), ("b", float))),
    ],
)
def test_kinds_that_python_tells_apart_as_we_do(kind: Any) -> None:
    assert uniform(kind)


@pytest.mark.parametrize(
    "kind",
    [
        *(ANY, object, T, Decimal, datetime, time, complex, bytearray, list, tuple, dict),
        int | bool,
        int | float,
        Level | int,
        Literal[1, True],
        Literal[1] | bool,
        tuple[int, ANY],
        tuple[int | bool],
        tuple[int] | Pair,
        either(Pair, RecordType((("a", int),))),
        list[int],
        dict[str, int],
        set[int],
        frozenset[ANY],
        frozenset[int] | set[int],
        Odd,
        Mutable,
        Listed,
        Forgetful,
        Identical,
        OwnEquality,
        OwnHash,
        Identified,
        Box[int | bool],
        Box,
        Doc,
        Loose,
        record_class(("a",)),
        RecordType((("a", ANY),)),
    ],
)
def test_kinds_that_python_does_not_tell_apart_as_we_do(kind: Any) -> None:
    assert not uniform(kind)


def test_a_float_in_a_dataclass_will_do_where_its_fields_are_compared_as_a_tuple() -> None:
    nan = Priced(float("nan"))
    assert (nan == Priced(nan.amount)) is not FIELD_BY_FIELD
    assert uniform(Priced) is not FIELD_BY_FIELD
    assert uniform(tuple[Priced, int]) is not FIELD_BY_FIELD


def test_the_generated_equality_is_known_by_its_name() -> None:
    # If a later Python names it otherwise, `uniform` gets slow, not wrong: this says so.
    assert uniform(Frozen)
