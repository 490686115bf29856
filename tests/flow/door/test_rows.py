"""Rows at the door: every kind of class, what is kept, what is copied, what is refused and how."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, NewType, NotRequired, TypedDict, TypeVar

import pytest

from ominus.algebra.record import record
from ominus.algebra.value import NAN, canon, ident
from ominus.errors import TypeMismatch
from ominus.flow.door import door
from ominus.flow.types import RecordType

T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    id: int
    customer: str
    category: str
    amount: float
    status: str = "open"


@dataclass(frozen=True)
class Rush(Order):
    until: float = 0.0


@dataclass(frozen=True)
class Line:
    item: str
    price: float


@dataclass(frozen=True)
class Basket:
    id: int
    lines: tuple[Line, ...]
    best: Line | None = None
    notes: Mapping[str, float] = field(default_factory=dict)


@dataclass
class Draft:
    id: int
    lines: list[Draft]
    amount: float = 0.0


@dataclass(frozen=True)
class Node:
    value: float
    next: Node | None = None


@dataclass(frozen=True, slots=True)
class Slotted:
    a: float
    b: list[int]


@dataclass(frozen=True)
class Checked:
    a: float
    seed: InitVar[int] = 0
    twice: float = field(init=False)

    def __post_init__(self, seed: int) -> None:
        if type(self.a) is float:
            raise AssertionError("the constructor was called")
        object.__setattr__(self, "twice", self.a * 2)

    @cached_property
    def half(self) -> float:
        return self.a / 2


@dataclass(frozen=True)
class Box(Generic[T]):
    inside: T


@dataclass(frozen=True)
class Anything:
    value: Any


class Point(NamedTuple):
    x: float
    y: float


class Deep(Point):
    __slots__ = ()


@dataclass(frozen=True)
class Unpriced:
    id: int


@dataclass(frozen=True)
class WithList(Unpriced):
    items: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class WithNote(Unpriced):
    note: str = ""


class Doc(TypedDict):
    name: str
    pages: float


class Loose(TypedDict):
    name: str
    tags: NotRequired[list[str]]


Priced = RecordType((("region", str), ("amount", float)))
OrderId = NewType("OrderId", Order)


def test_a_row_of_the_exact_types_comes_in_as_it_is() -> None:
    row = Order(1, "ada", "books", 30.0)
    assert door(Order)(row) is row
    assert door(OrderId)(row) is row
    nothing = Order(1, "ada", "books", 0.0)
    assert door(Order)(nothing) is nothing


def test_the_quick_path_is_one_condition_over_the_types_of_all_fields() -> None:
    text = door(Order).__doc__
    assert text is not None
    for part in ("type(row) is Order", "type(row.id) is int", "type(row.status) is str"):
        assert part in text
    assert text.count("if") == 1


def test_a_field_that_is_converted_makes_a_new_row() -> None:
    given = Order(1, "ada", "books", 30)
    kept = door(Order)(given)
    assert repr(kept) == "Order(id=1, customer='ada', category='books', amount=30.0, status='open')"
    assert type(given.amount) is int
    assert hash(kept) == hash(Order(1, "ada", "books", 30.0))


@pytest.mark.parametrize("nan", [float("nan"), NAN, -math.nan])
def test_a_nan_becomes_the_one_nan(nan: float) -> None:
    assert door(Order)(Order(1, "a", "b", nan)).amount is NAN


def test_a_negative_zero_becomes_zero() -> None:
    kept = door(Order)(Order(1, "a", "b", -0.0))
    assert math.copysign(1.0, kept.amount) == 1.0


def test_a_changed_row_is_made_without_its_constructor() -> None:
    kept = door(Checked)(Checked(2))
    assert (kept.a, kept.twice) == (2.0, 4.0)
    assert type(kept.a) is float


def test_a_row_made_by_hand_with_a_slot_left_empty_is_refused() -> None:
    row = object.__new__(Slotted)
    object.__setattr__(row, "a", 1.0)
    with pytest.raises(TypeMismatch) as refused:
        door(Slotted)(row)
    assert "its field b has no value" in refused.value.found


def test_rows_inside_rows_are_converted_and_kept_where_nothing_changed() -> None:
    line, given = Line("a", 1.0), Line("b", 2)
    kept = door(Basket)(Basket(1, (line, given), line, {"z": 1, "a": 2.0}))
    assert kept.lines[0] is line
    assert kept.best is line
    assert repr(kept.lines[1]) == "Line(item='b', price=2.0)"
    assert repr(kept.notes) == "{'a': 2.0, 'z': 1.0}"


def test_a_class_may_mean_itself() -> None:
    whole = Node(1.0, Node(2.0))
    assert door(Node)(whole) is whole
    assert repr(door(Node)(Node(1.0, Node(2, Node(-0.0))))) == repr(Node(1.0, Node(2.0, Node(0.0))))
    with pytest.raises(TypeMismatch) as refused:
        door(Node)(Node(1.0, Node(2.0, Node(True))))
    assert "its field next.next.value is True" in refused.value.found


def test_a_mutable_row_is_copied_as_deep_as_it_can_be_changed() -> None:
    given = Draft(1, [Draft(2, [])])
    kept = door(Draft)(given)
    given.lines[0].lines.append(Draft(4, []))
    given.lines[0].id = 9
    given.lines.append(Draft(3, []))
    given.id = 8
    assert repr(kept) == repr(Draft(1, [Draft(2, [])]))


def test_a_mutable_row_is_copied_even_where_no_field_changed() -> None:
    @dataclass
    class Quick:
        a: int

    @dataclass
    class Slow:
        a: tuple[int, ...]

    for kind, value, other in ((Quick, 1, 2), (Slow, (1,), (2,))):
        given = kind(value)
        kept, inside = door(kind)(given), door(tuple[kind])((given,))
        given.a = other
        assert kept.a == inside[0].a == value


def test_a_list_in_a_frozen_row_is_copied() -> None:
    given = Slotted(1.0, [1])
    kept = door(Slotted)(given)
    given.b.append(2)
    assert kept.b == [1]


def test_what_is_in_a_field_of_any_type_is_copied() -> None:
    given = Anything({"a": [1]})
    kept = door(Anything)(given)
    given.value["a"].append(2)
    assert kept.value == {"a": [1]}
    frozen = Anything((1, "a"))
    assert door(Anything)(frozen) is frozen


def test_generic_rows_are_checked_as_they_were_given() -> None:
    assert type(door(Box[float])(Box(1)).inside) is float
    assert type(door(Box)(Box(1)).inside) is int
    with pytest.raises(TypeMismatch):
        door(Box[int])(Box("a"))


def test_named_tuples_stay_named_tuples() -> None:
    whole = Point(1.0, 2.0)
    assert door(Point)(whole) is whole
    kept = door(Point)(Point(1, -0.0))
    assert type(kept) is Point
    assert repr(kept) == "Point(x=1.0, y=0.0)"


def test_records_have_the_fields_of_their_type() -> None:
    whole = record(region="north", amount=1.0)
    assert door(Priced)(whole) is whole
    assert repr(door(Priced)(record(region="north", amount=1))) == repr(whole)
    for other in (record(amount=1.0, region="north"), ("north", 1.0), {"region": "north"}):
        with pytest.raises(TypeMismatch) as refused:
            door(Priced)(other)
        assert "where record(region: str, amount: float) is declared" in refused.value.found


def test_a_typed_dict_takes_a_mapping_with_its_keys_and_keeps_them_in_order() -> None:
    given = {"pages": 3, "name": "x"}
    kept = door(Doc)(given)
    assert list(kept.items()) == [("name", "x"), ("pages", 3.0)]
    assert list(door(Doc)({"pages": 3.0, "name": "x"}).items()) == list(kept.items())
    assert door(Doc)(MappingProxyType(given)) == kept
    given["pages"] = 4
    assert kept["pages"] == 3.0


def test_a_typed_dict_may_lack_what_is_not_required() -> None:
    assert door(Loose)({"name": "x"}) == {"name": "x"}
    tags = ["a"]
    kept = door(Loose)({"tags": tags, "name": "x"})
    tags.append("b")
    assert list(kept.items()) == [("name", "x"), ("tags", ["a"])]


def test_a_subclass_comes_in_as_it_is_its_own_fields_checked_too() -> None:
    row = Rush(1, "a", "b", 2.0)
    assert door(Order)(row) is row
    converted = door(Order)(Rush(1, "a", "b", 2, until=3))
    assert repr(converted).startswith("Rush(")
    assert type(converted.amount) is type(converted.until) is float
    with pytest.raises(TypeMismatch) as refused:
        door(Order)(Rush(1, "a", "b", 2.0, until="x"))
    assert "its field until is 'x'" in refused.value.found


def test_a_subclass_that_equality_would_confuse_is_refused() -> None:
    enter = door(Unpriced)
    assert enter(WithNote(1, "x")) == WithNote(1, "x")
    with pytest.raises(TypeMismatch) as refused:
        enter(WithList(1, [2]))
    assert "told apart by ==" in refused.value.found
    assert refused.value.todo == "Give a row of Unpriced itself, or declare WithList."
    with pytest.raises(TypeMismatch):
        door(Point)(Deep(1.0, 2.0))  # equal to Point(1.0, 2.0), and another value


@pytest.mark.parametrize(
    ("kind", "given", "asked", "found", "todo"),
    [
        (
            Order,
            Order(1, "ada", "books", "30"),
            "the row Order(id=1, customer='ada', category='books', amount='30', status='open')",
            "its field amount is '30', a str, where float is declared",
            "Convert the text to float first, or declare str.",
        ),
        (
            Order,
            Order(True, "ada", "books", 30.0),
            "the row Order(id=True,",
            "its field id is True, a bool, where int is declared",
            "Write int(True) if that is meant, or declare bool.",
        ),
        (
            Basket,
            Basket(1, (Line("a", 1.0), Line("b", None))),
            "the row Basket(",
            "its field lines[1].price is None, where float is declared",
            "Declare float | None, or give a value.",
        ),
        (
            Basket,
            Basket(1, (), None, {"a": "x"}),
            "the row Basket(",
            "its field notes['a'] is 'x', a str, where float is declared",
            "Convert the text",
        ),
        (
            Basket,
            Basket(1, (), Line(1, 2.0)),
            "the row Basket(",
            "its field best.item is 1, an int, where str is declared",
            "Write str(1) if that is meant, or declare int.",
        ),
        (
            Order,
            {"id": 1, "customer": "ada"},
            "the row {'id': 1",
            "it is {'id': 1, 'customer': 'ada'}, a dict, where Order is declared",
            "Write Order(**row).",
        ),
        (
            Order,
            (1, "ada"),
            "the row (1, 'ada')",
            "it is (1, 'ada'), a tuple, where Order is declared",
            "Write Order(*row).",
        ),
        (
            Order,
            Point(1.0, 2.0),
            "the row Point",
            "it is Point(x=1.0, y=2.0), a Point, where Order is declared",
            "Give an Order, or declare Point.",
        ),
        (Order, None, "the row None", "it is None, where Order is declared", "Declare Order | No"),
        (
            Doc,
            {"name": "x", "pages": 1.0, "more": 2},
            "the row {'name'",
            "it has a key 'more', which Doc does not declare",
            "Leave it out, or declare it.",
        ),
        (
            Doc,
            {"name": "x"},
            "the row {'name'",
            "it has no key 'pages'",
            "Give it, or declare it NotRequired.",
        ),
        (
            Doc,
            {"name": 1, "pages": 1.0},
            "the row {'name'",
            "its field name is 1, an int",
            "Write str(1)",
        ),
        (Doc, [1], "the row [1]", "it is [1], a list, where Doc", "Give a dict with the keys"),
    ],
)
def test_what_is_refused(kind: Any, given: Any, asked: str, found: str, todo: str) -> None:
    with pytest.raises(TypeMismatch) as refused:
        door(kind)(given)
    assert refused.value.asked.startswith(asked)
    assert found in refused.value.found
    assert refused.value.todo.startswith(todo)
    assert str(refused.value) == (
        f"{refused.value.asked}: {refused.value.found}. {refused.value.todo}"
    )


def test_the_error_names_the_source_and_keeps_a_long_row_short() -> None:
    with pytest.raises(TypeMismatch) as refused:
        door(Order, source="orders")(Order("x" * 1000, "a", "b", 1.0))
    assert refused.value.asked.endswith("... of 'orders'")
    assert len(str(refused.value)) < 700
    assert pickle.loads(pickle.dumps(refused.value)).found == refused.value.found


def test_a_row_that_cannot_be_shown_is_refused_all_the_same() -> None:
    @dataclass(frozen=True)
    class Broken:
        a: int

        def __repr__(self) -> str:
            raise ValueError("no text")

    with pytest.raises(TypeMismatch) as refused:
        door(Broken)(Broken("x"))
    assert "Broken>" in refused.value.asked


def test_names_of_fields_and_classes_that_the_generated_code_uses_itself() -> None:
    @dataclass(frozen=True)
    class type_:
        row: int
        part1: float
        slow: str
        type: float | None

    type_.__name__ = "type"
    whole = type_(1, 2.0, "a", None)
    assert door(type_)(whole) is whole
    assert repr(door(type_)(type_(1, 2, "a", 3))) == repr(type_(1, 2.0, "a", 3.0))


def test_classes_of_one_name_are_not_mixed_up() -> None:
    first = NamedTuple("Same", [("a", int)])
    second = NamedTuple("Same", [("a", first)])
    assert door(second)(second(first(1))) == second(first(1))
    with pytest.raises(TypeMismatch):
        door(second)(second(second(first(1))))


def test_attrs_classes() -> None:
    attrs = pytest.importorskip("attrs", reason="attrs is not installed")

    @attrs.frozen
    class Frozen:
        a: float

    @attrs.define
    class Mutable:
        a: float
        b: list

    whole = Frozen(1.0)
    assert door(Frozen)(whole) is whole
    assert repr(door(Frozen)(Frozen(1))) == repr(whole)
    given = Mutable(1.0, [1])
    kept = door(Mutable)(given)
    given.a = 2.0
    given.b.append(2)
    assert (kept.a, kept.b) == (1.0, [1])
    with pytest.raises(TypeMismatch) as refused:
        door(Frozen)({"a": 1.0})
    assert refused.value.todo.startswith("Write Frozen(**row)")


def test_msgspec_structs() -> None:
    msgspec = pytest.importorskip("msgspec", reason="msgspec is not installed")

    Frozen = msgspec.defstruct("Frozen", [("a", float)], frozen=True)
    Mutable = msgspec.defstruct("Mutable", [("a", float), ("b", list)])
    whole = Frozen(1.0)
    assert door(Frozen)(whole) is whole
    assert repr(door(Frozen)(Frozen(1))) == repr(whole)
    given = Mutable(1.0, [1])
    kept = door(Mutable)(given)
    given.a = 2.0
    given.b.append(2)
    assert (kept.a, kept.b) == (1.0, [1])


def test_pydantic_models() -> None:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    class Frozen(pydantic.BaseModel, frozen=True):
        a: float

    class Open(pydantic.BaseModel, extra="allow"):
        a: float
        when: datetime

    whole = Frozen(a=1.0)
    assert door(Frozen)(whole) is whole
    assert type(door(Frozen)(Frozen.model_construct(a=1)).a) is float
    more = [1]
    given = Open(a=1.0, when=datetime(2026, 1, 1, tzinfo=UTC), more=more)
    kept = door(Open)(given)
    given.a = 2.0
    more.append(2)
    assert (kept.a, kept.more) == (1.0, [1])
    assert ident(kept) != ident(Open(a=1.0, when=kept.when, more=[2]))
    with pytest.raises(TypeMismatch) as refused:
        door(Frozen)({"a": 1.0})
    assert refused.value.todo.startswith("Write Frozen.model_validate(row)")


def test_a_class_with_an_identity_of_its_own_is_not_looked_into() -> None:
    @dataclass
    class Own:
        a: int

        def __ident__(self) -> Any:
            return self.a

    row = Own("x")  # type: ignore[arg-type]
    assert door(Own)(row) is row
    assert canon(row) is row
