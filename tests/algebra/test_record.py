"""Records: tuples that know their fields."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import msgspec
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mixed_values import Loose, Pair, Point, close
from ominus.algebra.record import Record, field_names, fields_of, record, record_class, record_of
from ominus.algebra.value import one
from ominus.errors import FieldsDiffer, FieldUnknown

names = st.sampled_from(["a", "b", "count", "index", "x y", "class", "ä", "_", "__len", "self"])
rows = st.dictionaries(names.filter(lambda n: not n.startswith("__")), close, max_size=4)


@given(rows)
def test_a_record_is_read_by_name_and_by_position(fields: dict[str, Any]) -> None:
    row = record(**fields)
    assert len(row) == len(fields)
    for i, (name, value) in enumerate(fields.items()):
        assert getattr(row, name) is value
        assert row[i] is value
    assert tuple(row) == tuple(fields.values())
    assert fields_of(row) == fields
    assert type(row) is record_class(tuple(fields))


@given(rows)
def test_records_travel(fields: dict[str, Any]) -> None:
    row = record(**fields)
    for again in (pickle.loads(pickle.dumps(row)), copy.copy(row), copy.deepcopy(row)):
        assert one(again, row)
        assert type(again) is type(row)


def test_fields_and_their_order_are_the_type() -> None:
    assert record(a=1) == record(a=1)
    assert record(a=1) != record(b=1)
    assert record(a=1, b=2) != record(b=2, a=1)
    assert record(a=1) != (1,)
    assert (1,) != record(a=1)
    assert len({record(a=1), record(a=1), record(b=1)}) == 2
    assert type(record(a=1)) is type(record(a="x"))
    assert isinstance(record(), Record)


def test_a_record_cannot_be_changed() -> None:
    row: Any = record(a=1)
    with pytest.raises(AttributeError):
        row.a = 2
    with pytest.raises(AttributeError):
        row.b = 2
    with pytest.raises(TypeError):
        row[0] = 2


def test_a_missing_field_is_named_with_those_that_are_there() -> None:
    with pytest.raises(FieldUnknown) as caught:
        _ = record(a=1, b=2).amount
    assert str(caught.value) == (
        "field 'amount' of record(a=1, b=2): its fields are a, b. Write one of these."
    )
    assert not hasattr(record(a=1), "amount")
    assert getattr(record(), "a", 7) == 7


def test_a_record_joins_the_fields_of_rows() -> None:
    assert record(Point(1, 2), z=3) == record(x=1, y=2, z=3)
    assert record({"a": 1}, Pair(2, 3)) == record(a=1, x=2, y=3)
    assert record(record(a=1, b=2), record(b=2, c=3)) == record(a=1, b=2, c=3)
    assert record(record(a=1, b=2), a=3) == record(a=3, b=2)
    assert record(record(a=float("nan")), record(a=float("nan"))).a != 0


def test_rows_that_disagree_are_refused_unless_the_field_is_named() -> None:
    left, right = record(a=1, b=2), record(b=3)
    with pytest.raises(FieldsDiffer, match=r"field 'b' is 2 in one and 3 in another.*b=\.\.\."):
        record(left, right)
    assert record(left, right, b=4) == record(a=1, b=4)
    with pytest.raises(FieldsDiffer):
        record(record(a=1), record(a=True))


@pytest.mark.parametrize("name", ["__class__", "__len", "_fields"])
def test_names_that_belong_to_python_are_refused(name: str) -> None:
    with pytest.raises(FieldUnknown, match="belongs to Python"):
        record(**{name: 1})


class Struct(msgspec.Struct):
    x: int


class Model(pydantic.BaseModel):
    x: int


@pytest.mark.parametrize("row", [Struct(1), Model(x=1), record(x=1), {"x": 1}], ids=repr)
def test_fields_of_every_kind_of_row_are_known(row: Any) -> None:
    assert fields_of(row) == {"x": 1}


def test_fields_of_classes() -> None:
    assert field_names(Point) == field_names(Loose) == field_names(Pair) == ("x", "y")
    assert field_names(Struct) == field_names(Model) == ("x",)
    for kind in (int, tuple, dict, object, str):
        assert field_names(kind) is None
    with pytest.raises(FieldUnknown, match="3 is a int, which has none"):
        fields_of(3)


def test_a_record_prints_as_it_is_written() -> None:
    row = record(region="north", amount=3.5)
    assert repr(row) == "record(region='north', amount=3.5)"
    assert eval(repr(row)) == row
    assert record_of(("region", "amount"), ("north", 3.5)) == row
