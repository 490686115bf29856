"""Each corner of Python is traced, and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, StrEnum
from typing import Any, TypedDict

import pytest

from against_python import check, outcome
from corners import CORNERS
from ominus.trace import Opaque, Traced, trace


class Partly(TypedDict, total=False):
    k: int


def name_of(value: Any) -> str:
    return getattr(value, "__name__", type(value).__name__)


@pytest.mark.parametrize(("f", "kinds"), CORNERS, ids=name_of)
def test_a_corner_of_python_is_kept(f: Callable[..., Any], kinds: tuple[Any, ...]) -> None:
    assert check(f, kinds, pickled=False) is None


def test_where_only_python_can_tell_the_row_leaves() -> None:
    found = trace(lambda x, y: (x, 1) == (y, 1), float, float)
    assert isinstance(found, Traced)
    nan, other = float("nan"), float("nan")
    assert found(nan, nan) is True
    assert found(nan, other) is False


def test_an_assertion_raises_where_it_does_not_hold() -> None:
    scope: dict[str, Any] = {}  # pytest writes the assertions of a test module anew
    exec("def f(x):\n assert x > 0, 'positive'\n return x", scope)
    found = trace(scope["f"], int)
    assert isinstance(found, Traced) and found(1) == 1
    with pytest.raises(AssertionError, match="positive"):
        found(0)


def test_a_key_that_may_be_absent_is_no_field() -> None:
    assert isinstance(trace(lambda p: p["k"], Partly), Opaque)


def test_an_answer_that_is_complex_leaves_the_columns() -> None:
    found = trace(lambda x: x**0.5, float)
    assert isinstance(found, Traced) and found.type is float
    assert isinstance(found(-4.0), complex)


class Word(StrEnum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


class Odd(Enum):
    ONE = 1

    def __eq__(self, other: object) -> bool:
        return other == "one" or self is other

    __hash__ = Enum.__hash__


class Right(Flag):
    READ = 1
    WRITE = 2


@pytest.mark.parametrize(
    ("f", "value"),
    [
        (lambda v: v == "red", Word.RED),
        (lambda v: v in ("red", "blue"), Word.RED),
        (lambda v: v != 1, Level.LOW),
        (lambda v: v == 1.0, Level.LOW),
        (lambda v: {"one": 1}.get(v, 0) or v == "one", Odd.ONE),
    ],
)
def test_an_enum_may_equal_what_is_no_member_of_it(f: Callable[[Any], Any], value: Enum) -> None:
    found = trace(f, type(value))
    assert isinstance(found, Opaque) or found(value) == f(value)


def test_a_flag_has_more_values_than_members() -> None:
    found = trace(lambda v: v.value, Right)
    assert isinstance(found, Opaque) or found(Right.READ | Right.WRITE) == 3


@dataclass(frozen=True)
class Named:
    name: str


@dataclass(frozen=True, eq=False)
class Aged(Named):
    age: int


def test_an_equality_that_is_inherited_compares_what_it_was_written_for() -> None:
    found = trace(lambda a, b: a == b, Aged, Aged)
    assert isinstance(found, Opaque) or found(Aged("ada", 1), Aged("ada", 2)) is True


OF_ITS_OWN = """
@dataclass(frozen=True)
class Own:
    x: int
    y: int

    def __init__(self, x, y):
        object.__setattr__(self, "x", x * 2)
        object.__setattr__(self, "y", y)

    def __eq__(self, other):
        return self.x == other.x
"""


def test_methods_of_evaluated_text_are_the_users_own() -> None:
    scope: dict[str, Any] = {"dataclass": dataclass, "__name__": __name__}
    exec(OF_ITS_OWN, scope)
    own = scope["Own"]
    equal, made = trace(lambda a, b: a == b, own, own), trace(lambda v: own(v, v).x, int)
    assert isinstance(equal, Opaque) or equal(own(1, 2), own(1, 3)) is True
    assert isinstance(made, Opaque) or made(3) == 6


@pytest.mark.parametrize("start", ["", b"", 0.5])
def test_a_sum_that_starts_with_no_int_is_pythons(start: Any) -> None:
    found = trace(lambda v: sum((), start), int)
    if isinstance(found, Traced):
        assert outcome(found, (1,)) == outcome(lambda v: sum((), start), (1,))
