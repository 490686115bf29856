"""The fields of types of rows, however the class was made."""

from __future__ import annotations

import collections
import dataclasses
import sys
from dataclasses import InitVar, dataclass, field
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    NotRequired,
    Required,
    TypedDict,
    TypeVar,
)

import pytest

from ominus.algebra.record import Record, record_class
from ominus.flow.types import ANY, RecordType, fields_of_type
from ominus.flow.types.fields import required_keys

if TYPE_CHECKING:
    from elsewhere import Unknown

T = TypeVar("T")


@dataclass(frozen=True)
class Order:
    id: int
    lines: list[Line]
    secret: Unknown
    kind: ClassVar[str] = "order"
    seed: InitVar[int] = 0
    total: float = field(init=False, default=0.0)


class Line(NamedTuple):
    price: float
    note: str | None = None


@dataclass(frozen=True)
class Node:
    value: Annotated[int, "positive"]
    next: Node | None


@dataclass(frozen=True)
class Box(Generic[T]):
    inside: T
    several: list[T]


class Person(TypedDict):
    name: str


class Employee(Person, total=False):
    boss: str
    number: Required[int]


class Open(TypedDict):
    a: int
    b: NotRequired[str]


def test_a_dataclass_has_its_fields_and_no_class_variables() -> None:
    assert fields_of_type(Order) == {"id": int, "lines": list[Line], "secret": ANY, "total": float}


def test_a_typed_dict_whose_name_cannot_be_resolved_keeps_the_key() -> None:
    class Made(TypedDict):
        a: int
        b: NowhereToBeFound  # noqa: F821

    assert fields_of_type(Made) == {"a": int, "b": ANY}


def test_one_name_that_cannot_be_resolved_hides_no_other() -> None:
    fields = fields_of_type(Order)
    assert fields is not None
    assert fields["secret"] is ANY
    assert fields["lines"] == list[Line]


def test_a_class_may_mean_itself() -> None:
    assert fields_of_type(Node) == {"value": int, "next": Node | None}


def test_a_class_made_inside_a_function_may_mean_itself() -> None:
    @dataclass
    class Inner:
        next: Inner | None
        other: NowhereToBeFound  # noqa: F821

    assert fields_of_type(Inner) == {"next": Inner | None, "other": ANY}


def test_named_tuples_with_and_without_types() -> None:
    assert fields_of_type(Line) == {"price": float, "note": str | None}
    assert fields_of_type(collections.namedtuple("P", "x y")) == {"x": ANY, "y": ANY}


def test_typed_dicts_know_which_keys_are_required() -> None:
    assert fields_of_type(Employee) == {"name": str, "boss": str, "number": int}
    assert required_keys(Employee) == {"name", "number"}
    assert required_keys(Open) == {"a"}


def test_a_generic_row_has_the_types_that_it_was_given() -> None:
    assert fields_of_type(Box[int]) == {"inside": int, "several": list[int]}


def test_records_have_the_fields_of_their_type() -> None:
    assert fields_of_type(RecordType((("a", int),))) == {"a": int}
    assert fields_of_type(record_class(("a", "b"))) == {"a": ANY, "b": ANY}


@pytest.mark.parametrize("kind", [int, ANY, None, list[int], Record, tuple[int, str], Order | None])
def test_other_kinds_have_no_fields(kind: Any) -> None:
    assert fields_of_type(kind) is None


def test_a_made_dataclass() -> None:
    made = dataclasses.make_dataclass("Made", [("a", int), ("b", "str")])
    assert fields_of_type(made) == {"a": int, "b": str}


def test_attrs_classes() -> None:
    attr = pytest.importorskip("attr", reason="attrs is not installed")

    @attr.define
    class New:
        a: int
        b: str = "x"

    @attr.s
    class Old:
        a = attr.ib(type=int)
        b = attr.ib()

    assert fields_of_type(New) == {"a": int, "b": str}
    assert fields_of_type(Old) == {"a": int, "b": ANY}


def test_msgspec_structs() -> None:
    msgspec = pytest.importorskip("msgspec", reason="msgspec is not installed")
    made = msgspec.defstruct("Made", [("a", int), ("b", str, "x")])
    assert fields_of_type(made) == {"a": int, "b": str}


def test_pydantic_models() -> None:
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    class Model(pydantic.BaseModel):
        a: int
        b: str = "x"

    assert fields_of_type(Model) == {"a": int, "b": str}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are of Python 3.12")
def test_a_generic_row_with_type_parameters() -> None:
    made: dict[str, Any] = {"dataclass": dataclass}
    exec("@dataclass\nclass Crate[A]:\n    inside: A\n    several: list[A]\n", made)
    assert fields_of_type(made["Crate"][int]) == {"inside": int, "several": list[int]}
