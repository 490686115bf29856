"""What makes two values one, and how a value is kept."""

from __future__ import annotations

import copy
import math
import pickle
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, is_dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any
from uuid import UUID

import attrs
import msgspec
import numpy as np
import pandas as pd
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mixed_values import (
    BERLIN,
    OUTSIDE,
    Bag,
    Colour,
    Loose,
    Metres,
    Name,
    Pair,
    Point,
    Right,
    Size,
    Slotted,
    Word,
    close,
    made,
    values,
)
from ominus.algebra.multiset import Multiset
from ominus.algebra.record import part_names, record, replaced
from ominus.algebra.value import NAN, canon, ident, is_frozen, is_nan, key_problem, one
from ominus.errors import KeysCollide, NotAValue

nan, other_nan = float("nan"), math.inf - math.inf


def alike(a: Any, b: Any) -> bool:
    """Equality part by part with types, written the long way: no hash, no key."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float | Fraction | int | str | bytes | bytearray | None.__class__):
        return (a != a and b != b) or a == b
    if isinstance(a, Decimal):
        return repr(a) == repr(b)
    if isinstance(a, datetime | time):
        same = a.replace(tzinfo=None, fold=0) == b.replace(tzinfo=None, fold=0)
        return same and repr(a.tzinfo) == repr(b.tzinfo) and a.fold == b.fold
    if isinstance(a, Multiset):
        return matched(list(a), list(b))
    if is_dataclass(a) or (isinstance(a, tuple) and hasattr(a, "_fields")):
        names = part_names(type(a)) or ()
        return all(alike(getattr(a, n), getattr(b, n)) for n in names)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, set | frozenset):
        return matched(list(a), list(b))
    if isinstance(a, dict):
        return matched(list(a.items()), list(b.items()))
    return bool(a == b)


def matched(a: list[Any], b: list[Any]) -> bool:
    left = list(b)
    for x in a:
        found = [i for i, y in enumerate(left) if alike(x, y)]
        if not found:
            return False
        del left[found[0]]
    return not left


@settings(max_examples=300)
@given(close | values, close | values)
def test_ident_agrees_with_equality_of_types_and_parts(a: Any, b: Any) -> None:
    a, b = canon(a), canon(b)
    assert (ident(a) == ident(b)) is alike(a, b)
    assert one(a, b) is alike(a, b)


@given(values)
def test_every_value_is_one_with_its_copies(v: Any) -> None:
    assert one(v, v)
    assert one(v, copy.deepcopy(v))
    assert one(v, pickle.loads(pickle.dumps(v)))
    assert hash(ident(v)) == hash(ident(copy.deepcopy(v)))


@given(st.lists(close, min_size=3, max_size=6))
def test_ident_is_an_equivalence_that_containers_inherit(vs: list[Any]) -> None:
    for a in vs:
        for b in vs:
            assert one(a, b) is one(b, a)
            assert one([a], [b]) is one((a,), (b,)) is one({"k": a}, {"k": b}) is one(a, b)
            assert one(Point(a), Point(b)) is one(record(x=a), record(x=b)) is one(a, b)
            for c in vs:
                assert not (one(a, b) and one(b, c)) or one(a, c)


@pytest.mark.parametrize(
    "several",
    [
        [1, 1.0, True, Decimal(1), Fraction(1), 1 + 0j, Size.SMALL, Metres(1), np.int64(1)],
        [np.float64(1), np.float32(1), np.int32(1), np.bool_(True), 1.0],
        [Decimal("1.0"), Decimal("1.00"), Decimal("1")],
        [0, 0.0, False, Decimal(0), Decimal("-0"), "", b"", None, (), [], set(), frozenset(), {}],
        ["a", b"a", bytearray(b"a"), Name("a"), Word.A, np.str_("a")],
        [(1, 2), [1, 2], Pair(1, 2), Bag([1, 2]), record(x=1, y=2), record(y=1, x=2), Point(1, 2)],
        [Loose(1, 2), Point(1, 2), (Point, 1, 2), {"x": 1, "y": 2}, Slotted(1, 2), Slotted(1, 3)],
        [
            {"a": 1},
            OrderedDict(a=1),
            defaultdict(int, a=1),
            Counter("a"),
            MappingProxyType({"a": 1}),
        ],
        [{1}, frozenset({1}), Multiset([1]), Multiset([1, 1]), {True}, [1], {1: 1}],
        [
            nan,
            Decimal("NaN"),
            Decimal("sNaN"),
            Decimal("-NaN"),
            Metres(nan),
            np.float32(nan),
            "nan",
        ],
        [(bool, True), True, (float, "nan"), nan, (Decimal, Decimal(1).as_tuple())],
        [complex(1, nan), complex(2, nan), complex(nan, 1), np.complex64(1)],
        [Right.READ, Right.READ | Right.WRITE, Right(0), 1, Colour.RED],
        [np.datetime64("2024-01-01"), np.datetime64("2024-01-01T00"), np.datetime64("NaT")],
    ],
    ids=str,
)
def test_these_are_all_different_values(several: list[Any]) -> None:
    for i, a in enumerate(several):
        assert [j for j, b in enumerate(several) if one(a, b)] == [i]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (nan, other_nan),
        ([nan], [other_nan]),
        (Metres(nan), Metres(other_nan)),
        (np.float64(nan), np.float64(other_nan)),
        (np.float32(nan), np.float32(other_nan)),
        (np.datetime64("NaT"), np.datetime64("NaT")),
        (pd.NaT, pd.NaT),
        (Decimal("sNaN"), Decimal("sNaN")),
        (complex(1, nan), complex(1, other_nan)),
        (0.0, -0.0),
        (complex(0.0, -0.0), 0j),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (OrderedDict(a=1, b=2), OrderedDict(b=2, a=1)),
        ([{"a": {1, 2}}], [{"a": {2, 1}}]),
        (UUID(int=1), UUID(int=1)),
        (Right.READ | Right.WRITE, Right(3)),
    ],
    ids=str,
)
def test_these_are_one_value(a: Any, b: Any) -> None:
    assert one(a, b)
    assert hash(ident(a)) == hash(ident(b))


def test_one_instant_in_two_zones_is_two_values() -> None:
    noon = datetime(2024, 7, 1, 12, tzinfo=UTC)
    elsewhere = noon.astimezone(timezone(timedelta(hours=2)))
    assert noon == elsewhere
    assert not one(noon, elsewhere)
    assert not one(noon.astimezone(BERLIN), elsewhere)
    assert not one(pd.Timestamp(noon), pd.Timestamp(elsewhere))
    assert not one(pd.Timestamp(noon), noon)
    assert not one(pd.Timestamp(noon), pd.Timestamp(noon) + pd.Timedelta(1, "ns"))
    assert not one(time(12, tzinfo=UTC), time(13, tzinfo=timezone(timedelta(hours=1))))


@pytest.mark.parametrize("zone", [None, BERLIN])
def test_the_two_halves_of_a_repeated_hour_are_two_values(zone: Any) -> None:
    early = datetime(2024, 10, 27, 2, 30, tzinfo=zone)
    assert early == early.replace(fold=1)
    assert not one(early, early.replace(fold=1))
    assert one(early.replace(fold=1), early.replace(fold=1))
    assert not one(time(2, 30), time(2, 30, fold=1))


@dataclass(eq=False)
class Nameless:
    x: int


@attrs.define
class Loosely:
    x: Any
    _hidden: Any = 0


@attrs.frozen
class Firmly:
    x: Any


class Struct(msgspec.Struct):
    x: Any
    y: Any = 0

    def __post_init__(self) -> None:
        made.append(self)


class Fixed(msgspec.Struct, frozen=True):
    x: Any

    def __post_init__(self) -> None:
        made.append(self)


class Model(pydantic.BaseModel):
    x: Any
    y: Any = 0

    def model_post_init(self, context: Any, /) -> None:
        made.append(self)


class Firm(pydantic.BaseModel, frozen=True):
    x: Any


class Open(pydantic.BaseModel, extra="allow"):
    x: Any


@dataclass(frozen=True)
class Hand:
    """Slots written by hand, which `copy.copy` cannot fill in a frozen class."""

    __slots__ = ("x",)
    x: Any


CLASSES = [Point, Loose, Slotted, Hand, Pair, Loosely, Firmly, Struct, Fixed, Model, Firm, Open]
FROZEN = {Point, Slotted, Hand, Firmly, Fixed, Firm}


@pytest.mark.parametrize("kind", CLASSES)
def test_rows_of_classes_are_one_where_their_fields_are(kind: Any) -> None:
    assert one(kind(x=[1]), kind(x=[1]))
    assert not one(kind(x=[1]), kind(x=[1.0]))
    assert not one(kind(x=1), kind(x=True))


@pytest.mark.parametrize("kind", CLASSES)
def test_rows_of_classes_are_kept_without_minus_zero_and_never_made_again(kind: Any) -> None:
    row = kind(x=[-0.0])
    made.clear()
    kept = canon(row, copied=True)
    assert math.copysign(1, kept.x[0]) == 1
    assert math.copysign(1, row.x[0]) == -1, "the user's own row stays as it was"
    assert type(kept) is kind
    assert kept == row
    assert made == []


@pytest.mark.parametrize("kind", CLASSES)
def test_a_row_is_copied_at_the_door_if_it_can_change(kind: Any) -> None:
    if kind is not Pair:
        assert is_frozen(kind) is (kind in FROZEN)
    plain = kind(x=1)
    assert canon(plain) is plain
    assert (canon(plain, copied=True) is plain) is (kind in FROZEN or kind is Pair)
    deep = kind(x={"k": [1]})
    kept = canon(deep, copied=True)
    deep.x["k"].append(2)
    assert kept.x == {"k": [1]}


@pytest.mark.parametrize("kind", CLASSES)
def test_replacing_a_field_calls_no_constructor(kind: Any) -> None:
    row = kind(x=1)
    made.clear()
    new = replaced(row, {"x": 2})
    assert (new.x, row.x, made) == (2, 1, [])
    assert type(new) is kind


def test_fields_that_a_model_allows_beyond_its_own_are_part_of_the_value() -> None:
    assert one(Open(x=1, z=2), Open(x=1, z=2))
    assert not one(Open(x=1, z=2), Open(x=1, z=3))
    inside = [1]
    kept = canon(Open(x=1, z=inside), copied=True)
    inside.append(2)
    assert kept.z == [1]


def test_a_class_without_equality_of_its_own_is_compared_by_its_fields() -> None:
    assert Nameless(1) != Nameless(1)
    assert one(Nameless(1), Nameless(1))


def test_a_computed_attribute_is_not_carried_into_a_changed_copy() -> None:
    @dataclass(frozen=True)
    class Line:
        price: int

        @cached_property
        def doubled(self) -> int:
            return self.price * 2

    line = Line(2)
    assert line.doubled == 4
    assert replaced(line, {"price": 5}).doubled == 10


@given(values)
def test_canon_is_idempotent_and_changes_no_value(v: Any) -> None:
    kept = canon(v, copied=True)
    assert one(kept, v)
    assert canon(kept) is kept
    assert one(canon(kept, copied=True), v)


@given(values)
def test_canon_calls_no_constructor(v: Any) -> None:
    made.clear()
    canon(v, copied=True)
    assert made == []


@given(values)
def test_what_is_kept_shares_nothing_that_can_change(v: Any) -> None:
    before = ident(v)
    kept = canon(v, copied=True)
    spoil(v)
    assert ident(kept) == before


def spoil(v: Any) -> None:
    """Change everything that can be changed, as deep as it goes."""
    if isinstance(v, dict):
        for x in v.values():
            spoil(x)
        v["spoiled"] = 1
    elif isinstance(v, list):
        for x in v:
            spoil(x)
        v.append("spoiled")
    elif isinstance(v, set):
        v.add("spoiled")
    elif isinstance(v, bytearray):
        v.append(1)
    elif isinstance(v, tuple):
        for x in v:
            spoil(x)
    elif is_dataclass(v):
        for n in part_names(type(v)) or ():
            spoil(getattr(v, n))
        if isinstance(v, Loose):
            v.x = "spoiled"


@pytest.mark.parametrize(
    "v", [0.0, 1, "a", (0.0, 1), [1, 2.5], {"a": 0.0, "b": 1}, {1}, Point(0.0)]
)
def test_canon_gives_the_same_object_where_nothing_had_to_change(v: Any) -> None:
    assert canon(v) is v


def test_there_is_one_nan_object_and_no_minus_zero() -> None:
    assert canon(other_nan) is NAN
    assert canon([other_nan])[0] is NAN
    assert canon(Decimal("NaN")) is canon(Decimal("NaN"))
    assert canon(np.float32(nan)) is canon(np.float32(other_nan))
    assert canon(Metres(nan)) is canon(Metres(other_nan))
    for zero in (-0.0, np.float64(-0.0), np.float32(-0.0), Metres(-0.0)):
        assert math.copysign(1, canon(zero)) == 1
    kept = canon(complex(-0.0, -0.0))
    assert (math.copysign(1, kept.real), math.copysign(1, kept.imag)) == (1, 1)


def test_parts_inside_containers_of_every_kind_are_kept_canonical() -> None:
    for held in ([-0.0], (-0.0,), Bag([-0.0]), {-0.0}, frozenset({-0.0}), Pair(-0.0), Point(-0.0)):
        inside = held.x if isinstance(held, Point) else next(iter(canon(held)))
        assert math.copysign(1, inside if not isinstance(held, Point) else canon(held).x) == 1
        assert type(canon(held)) is type(held)
    for kind in (dict, OrderedDict, Counter, MappingProxyType):
        kept = canon(kind({"a": -0.0}))
        assert type(kept) is kind
        assert math.copysign(1, kept["a"]) == 1


def test_a_mapping_is_kept_in_the_order_of_its_keys() -> None:
    for kind in (dict, OrderedDict, Counter, MappingProxyType):
        assert list(canon(kind({"b": 1, "a": 2}))) == ["a", "b"]
    assert list(canon({1: 0, None: 0, "a": 0})) == [None, 1, "a"]
    assert canon(defaultdict(list, b=1, a=2)).default_factory is list


def test_a_mapping_may_have_keys_outside_the_total_order() -> None:
    keys = [UUID(int=2), UUID(int=1), 1j]
    assert canon(dict.fromkeys(keys)) == dict.fromkeys(keys)
    assert list(canon(dict.fromkeys(keys))) == list(canon(dict.fromkeys(reversed(keys))))


def test_a_mapping_with_nan_twice_among_its_keys_is_refused() -> None:
    with pytest.raises(KeysCollide, match="nan"):
        canon({nan: 1, other_nan: 2})


def test_what_is_neither_hashable_nor_known_is_refused() -> None:
    class Odd:
        __hash__ = None  # type: ignore[assignment]

    for v in (Odd(), np.array([1]), [np.array([1])], Point(np.array([1]))):
        with pytest.raises(NotAValue, match="neither hashable nor"):
            ident(v)


def test_hashable_values_of_unknown_types_stand_for_themselves() -> None:
    for v in OUTSIDE:
        assert one(v, v)
        assert canon(v, copied=True) is v


@pytest.mark.parametrize(
    ("a", "b", "collide"),
    [
        (1, True, True),
        (1, 1.0, True),
        (Decimal("1.0"), Decimal("1.00"), True),
        ((1,), (True,), True),
        (1, 1, False),
        ("a", "a", False),
        ((1, "a"), (1, "a"), False),
        (0.0, -0.0, False),
    ],
)
def test_keys_that_are_equal_and_yet_two_values_are_a_problem(a: Any, b: Any, collide: Any) -> None:
    assert a == b
    assert key_problem(a, b) is collide


def test_nan_is_known_in_every_type() -> None:
    for v in (nan, Decimal("NaN"), Decimal("sNaN"), np.float32(nan), Metres(nan), complex(0, nan)):
        assert is_nan(v)
    for v in (1, 1.0, "nan", None, Decimal(1), math.inf, [nan], np.array([nan])):
        assert not is_nan(v)
