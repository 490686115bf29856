"""Annotations without their wrapping."""

from __future__ import annotations

import collections.abc
import sys
import typing
from typing import Annotated, Any, Final, Literal, NewType, Optional, TypeVar, Union

import pytest

from ominus.flow.types import ANY, RecordType, either, may_be_none, members, plain, shown

T = TypeVar("T")
UserId = NewType("UserId", int)


class Named(typing.Protocol):
    name: str


@typing.runtime_checkable
class Hashed(typing.Protocol):
    def __hash__(self) -> int: ...


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        (int, int),
        (None, type(None)),
        (object, ANY),
        (T, ANY),
        ("Forward", ANY),
        (Annotated[int, "positive"], int),
        (Annotated[UserId, "known"], int),
        (NewType("Inner", UserId), int),
        (Final[int], int),
        (typing.Required[str], str),
        (typing.NotRequired[str], str),
        (typing.LiteralString, str),
        (list[int], list[int]),
    ],
)
def test_a_kind_is_what_its_annotation_wraps(kind: Any, meant: Any) -> None:
    assert plain(kind) == meant


def test_unions_are_laid_flat() -> None:
    assert members(Union[Optional[UserId], Annotated[str, 1], None]) == (int, type(None), str)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the type statement is of Python 3.12")
def test_a_type_statement_means_its_value_even_where_it_means_itself() -> None:
    made: dict[str, Any] = {}
    exec(
        "type Json = dict[str, Json] | list[Json] | str | None\n"
        "type Pair[A] = tuple[A, A]\ntype Round = Round\ntype Late = NotThere",
        made,
    )
    assert str in members(made["Json"])
    assert may_be_none(made["Json"]) is True
    assert plain(made["Pair"][int]) == tuple[int, int]
    assert plain(made["Round"]) is ANY
    assert plain(made["Late"]) is ANY


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        (None, True),
        (int | None, True),
        (Optional[Union[str, int]], True),
        (Literal["a", None], True),
        (Annotated[int | None, 1], True),
        (Optional[Any], True),
        (int, False),
        (int | str, False),
        (list[int | None], False),
        (tuple[None, None], False),
        (Literal["a"], False),
        (UserId, False),
        (RecordType((("a", int),)), False),
        (collections.abc.Callable[[int], int], False),
        (ANY, None),
        (object, None),
        (T, None),
        (Hashed, None),
        (Named, None),
        (collections.abc.Hashable, None),
    ],
)
def test_whether_a_value_may_be_none(kind: Any, answer: bool | None) -> None:
    assert may_be_none(kind) is answer


def test_a_kind_or_nothing_known_is_nothing_known() -> None:
    assert either(int, ANY) is ANY
    assert members(either(RecordType(()), None)) == (RecordType(()), type(None))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (int, "int"),
        (None, "None"),
        (Optional[int], "int | None"),
        (dict[str, list[float]], "dict[str, list[float]]"),
        (typing.Mapping[str, Any], "Mapping[str, Any]"),
        (tuple[int, ...], "tuple[int, ...]"),
        (tuple[()], "tuple[()]"),
        (Literal["a", 1], "Literal['a', 1]"),
        (UserId, "UserId"),
        (RecordType((("a", int | None),)), "record(a: int | None)"),
    ],
)
def test_kinds_are_shown_as_a_user_writes_them(kind: Any, text: str) -> None:
    assert shown(kind) == text
