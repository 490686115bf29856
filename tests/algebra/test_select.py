"""Selectors: fields, positions, tuples of these, functions, and orders."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any

import pytest

from mixed_values import Pair, Point, Word
from ominus.algebra.record import record
from ominus.algebra.select import Desc, Field, Item, Order, desc, itself, selector
from ominus.errors import FieldUnknown, FlowError, NotOrdered


def test_nothing_selects_the_value_itself() -> None:
    row = [1]
    assert selector(None)(row) is row
    assert selector(None) is itself


@pytest.mark.parametrize("row", [{"x": 7}, Point(7), Pair(7), record(x=7)], ids=repr)
def test_a_string_is_a_field(row: Any) -> None:
    assert selector("x")(row) == 7


def test_a_field_of_a_mapping_is_an_item_never_an_attribute() -> None:
    assert selector("items")({"items": 3}) == 3
    with pytest.raises(FieldUnknown, match="its fields are a"):
        selector("items")({"a": 3})


def test_a_field_that_is_missing_is_named_with_those_that_are_there() -> None:
    with pytest.raises(FieldUnknown) as caught:
        selector("z")(Pair(1, 2))
    assert str(caught.value) == (
        "field 'z' of Pair(x=1, y=2): a Pair; its fields are x, y. "
        "Name a field that is there, or give a function."
    )
    with pytest.raises(FieldUnknown, match="a int; it has no fields"):
        selector("z")(3)


@pytest.mark.parametrize(
    ("row", "name"), [((1, 2), "count"), (Pair(1), "index"), ("abc", "upper"), (3, "bit_length")]
)
def test_a_method_is_not_a_field(row: Any, name: str) -> None:
    with pytest.raises(FieldUnknown, match=name):
        selector(name)(row)


def test_what_is_no_method_of_the_row_is_a_field() -> None:
    def callback() -> None: ...

    @dataclass(frozen=True)
    class Job:
        run: Any

    assert selector("run")(Job(callback)) is callback
    assert selector("run")(Job([].append)).__name__ == "append"
    assert selector("count")(record(count=3)) == 3
    assert selector("hour")(datetime(2024, 1, 1, 7)) == 7


def test_an_integer_is_a_position() -> None:
    assert selector(1)((5, 6)) == 6
    assert selector(-1)([5, 6]) == 6
    assert selector(0)(record(x=7)) == 7
    with pytest.raises(FieldUnknown, match=r"position 2 of .*a tuple of 2"):
        selector(2)((5, 6))
    with pytest.raises(FieldUnknown, match="position 0 of 3: a int"):
        selector(0)(3)


def test_a_tuple_selects_a_tuple() -> None:
    row = record(a=1, b=(2, 3))
    assert selector(("b", "a"))(row) == ((2, 3), 1)
    assert selector(("a", ("a", 0), lambda r: r.b[1]))(row) == (1, (1, 1), 3)
    assert selector(())(row) == ()
    assert selector(("a",))(row) == (1,)


def test_a_function_is_called() -> None:
    assert selector(itemgetter("a"))({"a": 1}) == 1
    assert selector(len)([1, 2]) == 2


@pytest.mark.parametrize(
    "wrong", [True, False, 1.5, [1], {"a"}, desc("a"), ("a", 2.5), ("a", True)]
)
def test_what_selects_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(FlowError, match="a field's name, a position, a tuple of these"):
        selector(wrong)


def test_selectors_are_values() -> None:
    for of in ("x", 0, ("x", 0), (("x",), "y"), None, Word.A):
        made = selector(of)
        assert made == selector(of)
        assert hash(made) == hash(selector(of))
        assert pickle.loads(pickle.dumps(made)) == made
    assert repr(selector(("x", 0))) == "('x', 0)"
    assert Field("x") != Item(0)


ROWS = [
    record(name="b", age=1),
    record(name="a", age=2),
    record(name="a", age=None),
    record(name=None, age=3),
]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (None, [3, 2, 1, 0]),
        ("name", [3, 1, 2, 0]),
        (("name", "age"), [3, 2, 1, 0]),
        (("name", desc("age")), [3, 1, 2, 0]),
        ((desc("name"), "age"), [0, 2, 1, 3]),
        (desc(("name", "age")), [0, 1, 2, 3]),
        (desc(desc("name")), [3, 1, 2, 0]),
        (desc(lambda r: r.age), [3, 1, 0, 2]),
        (lambda r: (r.name, r.age), [3, 2, 1, 0]),
        (1, [2, 0, 1, 3]),
    ],
)
def test_rows_are_ordered_by_what_is_selected(by: Any, expected: list[int]) -> None:
    ranked = sorted(ROWS, key=Order(by))
    assert [ROWS.index(row) for row in ranked] == expected


def test_an_order_is_total_over_parts_of_mixed_types() -> None:
    assert sorted([{"k": "a"}, {"k": 1}, {"k": None}], key=Order("k"))[0] == {"k": None}
    with pytest.raises(NotOrdered):
        Order("k")({"k": object()})


def test_orders_are_values() -> None:
    for by in ("name", ("name", desc("age")), desc(), None):
        assert Order(by) == Order(by)
        assert hash(Order(by)) == hash(Order(by))
        again = pickle.loads(pickle.dumps(Order(by)))
        assert again == Order(by)
        assert sorted(ROWS, key=again) == sorted(ROWS, key=Order(by))
    assert Order("name") != Order(desc("name"))
    assert repr(desc("age")) == "desc('age')"
    assert desc("age") == Desc("age")
    with pytest.raises(FlowError):
        Order(1.5)
