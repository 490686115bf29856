"""Whether values of two types can ever be one value."""

from __future__ import annotations

import typing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin
from uuid import UUID

from ominus.algebra.record import Record
from ominus.algebra.value import one
from ominus.flow.types.fields import RecordType, fields_of_type, is_typed_dict, required_keys
from ominus.flow.types.plain import ANY, members

EXACT = frozenset(
    {int, bool, float, complex, str, bytes, bytearray, Decimal, Fraction, date, datetime, time}
    | {timedelta, UUID, NoneType}
)
"""Scalars: what is declared so is of this very class, for the door lets no other in."""

_DEEP = 20


def never_equal(a: Any, b: Any) -> bool:
    """Whether no value of one type can be a value of the other; False where that is not sure.

    >>> never_equal(int, float), never_equal(int | None, str | None), never_equal(int, ANY)
    (True, False, False)
    """
    return _never(a, b, _DEEP)


def _never(a: Any, b: Any, depth: int) -> bool:
    # Types that mean themselves have no bottom: what is not known by then may be equal.
    if not depth:
        return False
    return all(_apart(x, y, depth - 1) for x in members(a) for y in members(b))


def _apart(a: Any, b: Any, depth: int) -> bool:
    if a is ANY or b is ANY or a == b:
        return False
    for x, y in ((a, b), (b, a)):
        if get_origin(x) is typing.Literal:
            return all(_not_in(value, y, depth) for value in get_args(x))
    if isinstance(a, RecordType) or isinstance(b, RecordType):
        return _records(a, b, depth)
    left, right = get_origin(a) or a, get_origin(b) or b
    if not isinstance(left, type) or not isinstance(right, type):
        return False
    if is_typed_dict(left) and is_typed_dict(right):
        return _typed_dicts(a, b, depth)
    left, right = (dict if is_typed_dict(k) else k for k in (left, right))
    if _classes(left, right):
        return True
    if issubclass(left, tuple) and issubclass(right, tuple):
        return _tuples(_positions(a), _positions(b), depth)
    return False


def _not_in(value: Any, kind: Any, depth: int) -> bool:
    if get_origin(kind) is typing.Literal:
        return not any(one(value, other) for other in get_args(kind))
    return _never(type(value), kind, depth)


def _classes(a: type, b: type) -> bool:
    """Whether no object is of both classes."""
    if a is b or (a in EXACT and b in EXACT):
        return a is not b
    try:
        related = issubclass(a, b) or issubclass(b, a)
    except TypeError:  # a protocol that cannot be asked
        return False
    if related:
        # A declared int takes no member of an IntEnum, but an int is also a Number.
        return any(x in EXACT and issubclass(y, x) for x, y in ((a, b), (b, a)))
    return _settled(a) or _settled(b) or (_is_row(a) and _is_row(b))


def _settled(kind: type) -> bool:
    """Whether an unrelated class can have no subclass in common with this one."""
    builtin = (tuple, list, set, frozenset, dict)
    final = issubclass(kind, Enum) and len(kind) > 0
    return final or kind in EXACT or kind in builtin


def _is_row(kind: type) -> bool:
    return fields_of_type(kind) is not None


def _records(a: Any, b: Any, depth: int) -> bool:
    if isinstance(b, RecordType) and isinstance(a, RecordType):
        same = [n for n, _ in a.fields] == [n for n, _ in b.fields]
        if not same:
            return True
        return any(_never(x, y, depth) for (_, x), (_, y) in zip(a.fields, b.fields, strict=True))
    other = get_origin(b if isinstance(a, RecordType) else a) or (
        b if isinstance(a, RecordType) else a
    )
    if not isinstance(other, type):
        return False
    return _classes(Record, other) or (_is_row(other) and not issubclass(other, Record))


def _typed_dicts(a: Any, b: Any, depth: int) -> bool:
    x, y = fields_of_type(a) or {}, fields_of_type(b) or {}
    both = required_keys(get_origin(a) or a) & required_keys(get_origin(b) or b)
    return any(_never(x[n], y[n], depth) for n in both)


def _positions(kind: Any) -> tuple[Any, ...] | None:
    """The types of a tuple's positions; None where they are not known."""
    fields = fields_of_type(kind)
    if fields is not None:
        return tuple(fields.values())
    args = get_args(kind)
    fixed = get_origin(kind) is tuple and not any(get_origin(x) is typing.Unpack for x in args)
    fixed = fixed and not any(getattr(x, "__unpacked__", False) for x in args)
    return args if fixed else None


def _tuples(a: tuple[Any, ...] | None, b: tuple[Any, ...] | None, depth: int) -> bool:
    if a is None or b is None:
        return False
    if Ellipsis in a and Ellipsis in b:
        return False  # both may be empty
    if Ellipsis in a:
        a = a[:1] * len(b)
    elif Ellipsis in b:
        b = b[:1] * len(a)
    return len(a) != len(b) or any(_never(x, y, depth) for x, y in zip(a, b, strict=True))
