"""Random types and random values: what the door promises, and what is said of types, hold.

The kinds are made of a small stock of scalars, containers, rows and unions; the values are drawn
from one small pool, so that they often nearly fit, and often meet.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Mapping, Sequence
from dataclasses import make_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypedDict, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ominus.algebra.record import record_of
from ominus.algebra.value import canon, ident
from ominus.errors import KeysCollide, NotAValue, TypeMismatch
from ominus.flow.door import door
from ominus.flow.types import ANY, RecordType, fields_of_type, never_equal, uniform

np = pytest.importorskip("numpy", reason="numpy is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")


class Color(enum.Enum):
    RED = 1


class Level(enum.IntEnum):
    ONE = 1


class Pair(NamedTuple):
    a: int
    b: float


class Doc(TypedDict):
    a: int
    b: float


Frozen = make_dataclass("Frozen", [("a", int), ("b", float)], frozen=True)
Below = make_dataclass("Below", [("c", str)], bases=(Frozen,), frozen=True)
Slotted = make_dataclass("Slotted", [("a", int | None), ("b", str)], frozen=True, slots=True)
Mutable = make_dataclass("Mutable", [("a", list[float]), ("b", Any)])
Plain = make_dataclass("Plain", [("a", int)], frozen=True)
PlainBelow = make_dataclass("PlainBelow", [("b", list[int])], bases=(Plain,), frozen=True)
ROWS = (Frozen, Below, Slotted, Mutable, Plain, PlainBelow, Pair)

NOON = datetime(2026, 1, 1, 12)
SCALARS: dict[Any, list[Any]] = {
    int: [0, 1, 2**53 + 1],
    bool: [True, False],
    float: [0.0, -0.0, 1.0, 1.5, float("nan"), float("nan"), float("inf")],
    complex: [0j, complex(-0.0, -0.0), 1 + 0j],
    str: ["", "a", "b"],
    bytes: [b"a"],
    Decimal: [Decimal("1.0"), Decimal("1.00"), Decimal("NaN")],
    Fraction: [Fraction(1), Fraction(1, 2)],
    date: [date(2026, 1, 1)],
    datetime: [
        NOON,
        NOON.replace(fold=1),
        NOON.replace(tzinfo=UTC),
        NOON.replace(hour=14, tzinfo=timezone(timedelta(hours=2))),
    ],
    time: [time(12), time(12, fold=1)],
    timedelta: [timedelta(1)],
    Color: [Color.RED],
    Level: [Level.ONE],
    type(None): [None],
    Literal["a", 1]: ["a", 1],
}
FOREIGN = [np.int64(1), np.float64(1.0), np.float32("nan"), np.bool_(True), np.str_("a"), pd.NaT]
FOREIGN += [pd.NA, pd.Timestamp(NOON), np.datetime64(1, "ns"), pd.Timedelta(1, "D")]
POOL = [value for values in SCALARS.values() for value in values] + FOREIGN


def kinds() -> st.SearchStrategy[Any]:
    leaves = st.sampled_from([*SCALARS, ANY, Doc, *ROWS])
    return st.recursive(leaves, _around, max_leaves=5)


def _around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda k: list[k]),
        inner.map(lambda k: tuple[k, ...]),
        inner.map(lambda k: Sequence[k]),
        inner.map(lambda k: dict[str, k]),
        inner.map(lambda k: Mapping[Union[int, str, None], k]),
        inner.map(lambda k: frozenset[k]),
        st.lists(inner, max_size=3).map(lambda ks: tuple[tuple(ks)]),
        st.lists(inner, min_size=2, max_size=3).map(lambda ks: Union[tuple(ks)]),
        st.lists(inner, min_size=1, max_size=3).map(_record_type),
        st.lists(inner, min_size=1, max_size=3).map(_frozen_row),
    )


def _record_type(inner: list[Any]) -> Any:
    return RecordType(tuple((f"f{i}", kind) for i, kind in enumerate(inner)))


def _frozen_row(inner: list[Any]) -> Any:
    return make_dataclass("Row", [(f"f{i}", k) for i, k in enumerate(inner)], frozen=True)


def values(kind: Any, near: bool = True) -> st.SearchStrategy[Any]:
    """Values that are of the kind, or nearly."""
    exact = _values(kind)
    return st.one_of(exact, exact, exact, st.sampled_from(POOL)) if near else exact


def _values(kind: Any) -> st.SearchStrategy[Any]:
    origin, args = get_origin(kind), get_args(kind)
    if kind in SCALARS:
        return st.sampled_from(SCALARS[kind])
    if kind is ANY:
        return st.one_of(st.sampled_from(POOL), st.lists(st.sampled_from([1, -0.0]), max_size=2))
    if origin is Union or type(kind).__name__ in ("UnionType", "Union"):
        return st.one_of([values(k) for k in args])
    if isinstance(kind, RecordType):
        parts = st.tuples(*[values(k) for _, k in kind.fields])
        return parts.map(lambda v: record_of(tuple(n for n, _ in kind.fields), v))
    if kind is Doc:
        return st.fixed_dictionaries({"b": values(float), "a": values(int)})
    fields = fields_of_type(kind)
    if fields is not None:
        made = st.tuples(*[values(k) for k in fields.values()]).map(lambda v: kind(*v))
        below = {Frozen: Below, Plain: PlainBelow}.get(kind)
        return st.one_of(made, _values(below)) if below else made
    if origin is tuple and args[1:] != (Ellipsis,):
        return st.tuples(*[values(k) for k in args])
    if origin in (dict, Mapping):
        return st.dictionaries(_hashable(values(args[0])), values(args[1]), max_size=3)
    if origin is frozenset:
        return st.frozensets(_hashable(values(args[0])), max_size=3)
    several = st.lists(values(args[0]), max_size=3)
    if origin is list:
        return several
    return several.map(tuple) if origin is tuple else st.one_of(several, several.map(tuple))


def _hashable(found: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def hashes(value: Any) -> bool:
        if isinstance(value, np.generic | pd.Timestamp | pd.Timedelta):
            return False  # some of these raise where a set compares them
        try:
            hash(value)
        except (TypeError, ValueError):
            return False
        return True

    return found.filter(hashes)


def entered(enter: Any, value: Any) -> Any:
    """What is kept of a value, or the refusal's class."""
    try:
        return enter(value)
    except (TypeMismatch, KeysCollide, NotAValue) as no:
        return type(no)


def several(kind: Any) -> st.SearchStrategy[list[Any]]:
    return st.lists(values(kind), min_size=2, max_size=8)


def inside_of(kind: Any, given_values: list[Any]) -> list[Any]:
    enter = door(kind)
    return [kept for v in given_values if not refused(kept := entered(enter, v))]


def refused(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, Exception)


@given(kinds().flatmap(lambda kind: st.tuples(st.just(kind), values(kind))))
def test_what_is_kept_is_canonical_and_comes_in_again_as_it_is(case: Any) -> None:
    kind, value = case
    enter = door(kind)
    kept = entered(enter, value)
    if refused(kept):
        return
    assert canon(kept) is kept
    again = enter(kept)
    assert ident(again) == ident(kept)
    assert repr(again) == repr(kept)


@given(kinds().flatmap(lambda kind: st.tuples(st.just(kind), values(kind))))
def test_a_later_change_of_what_was_given_does_not_show(case: Any) -> None:
    kind, value = case
    kept = entered(door(kind), value)
    if refused(kept):
        return
    before = copy.deepcopy(kept)
    _change(value)
    assert repr(kept) == repr(before)


def _change(value: Any) -> None:
    """Change every part of a value that can be changed."""
    if isinstance(value, list):
        for part in value:
            _change(part)
        value.append("changed")
    elif isinstance(value, dict):
        for part in value.values():
            _change(part)
        value["changed"] = 1
    elif isinstance(value, tuple | frozenset):
        for part in value:
            _change(part)
    elif type(value) in ROWS or type(value).__name__ == "Row":
        for name in fields_of_type(type(value)) or ():
            _change(getattr(value, name))
        if isinstance(value, Mutable):
            value.b = "changed"


@given(kinds().flatmap(lambda kind: st.tuples(st.just(kind), values(kind))))
def test_a_row_around_a_value_keeps_what_the_door_of_the_value_keeps(case: Any) -> None:
    kind, value = case
    alone = entered(door(kind), value)
    for around, row, read in (
        (_frozen_row([kind]), None, lambda v: v.f0),
        (tuple[kind], (value,), lambda v: v[0]),
        (make_dataclass("Other", [("f0", kind)]), None, lambda v: v.f0),
        (list[kind], [value], lambda v: v[0]),
    ):
        inside = entered(door(around), around(value) if row is None else row)
        assert refused(inside) == refused(alone)
        if not refused(alone):
            assert repr(read(inside)) == repr(alone)
            assert ident(read(inside)) == ident(alone)


@given(kinds().filter(uniform).flatmap(lambda k: st.tuples(st.just(k), several(k))))
def test_where_a_kind_is_uniform_python_tells_its_values_apart_as_we_do(case: Any) -> None:
    kind, found = case
    inside = inside_of(kind, found)
    for a in inside:
        for b in inside:
            same = a is b or a == b
            assert same == (ident(a) == ident(b)), (kind, a, b)
            assert not same or hash(a) == hash(b)


@given(
    st.tuples(kinds(), kinds())
    .filter(lambda both: never_equal(*both))
    .flatmap(lambda both: st.tuples(st.just(both), several(both[0]), several(both[1])))
)
def test_types_that_never_meet_have_no_value_in_common(case: Any) -> None:
    (a, b), *found = case
    given_values = found[0] + found[1]
    left = set(map(ident, inside_of(a, given_values)))
    assert not left & set(map(ident, inside_of(b, given_values)))
