"""The type of the part of a row that a selector means; a field that cannot be there is refused."""

from __future__ import annotations

import difflib
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from types import NoneType
from typing import Any, get_args, get_origin
from uuid import UUID

from ominus.algebra.select import Desc, Field, Item, Parts, itself, selector
from ominus.errors import FieldUnknown
from ominus.flow.types.fields import RecordType, fields_of_type, hints, is_typed_dict
from ominus.flow.types.meet import never_equal
from ominus.flow.types.plain import ANY, either, members, shown
from ominus.flow.types.results import result_type

_CLOSED = frozenset(
    {int, bool, float, complex, str, bytes, bytearray, Decimal, Fraction, date, datetime, time}
    | {timedelta, UUID, tuple, list, set, frozenset, NoneType}
)
"""Types whose values have no attributes but those of the class."""


def part_type(kind: Any, part: Any, *, asked: str) -> Any:
    """The type of the part of a row that a selector means.

    `asked` is the user's call, for the error.

    Fails  FieldUnknown, if no value of the kind has that part.

    >>> part_type(RecordType((("a", int), ("b", str))), ("b", 0), asked="rows.group_by('b', 0)")
    tuple[str, int]
    """
    if part is None or part is itself:
        return kind
    if isinstance(part, str | Field):
        name = part if isinstance(part, str) else part.name
        return _of_any(kind, lambda k: _field(k, name), asked)
    if isinstance(part, Item) or (isinstance(part, int) and not isinstance(part, bool)):
        index = part.index if isinstance(part, Item) else part
        return _of_any(kind, lambda k: _item(k, index), asked)
    if isinstance(part, tuple | Parts):
        inner = part if isinstance(part, tuple) else part.parts
        return tuple[tuple(part_type(kind, p, asked=asked) for p in inner)]  # type: ignore[misc]
    if isinstance(part, Desc):
        return part_type(kind, part.of, asked=asked)
    return result_type(selector(part), kind)


class _Absent(Exception):
    """No value of this kind has the part: what was found, and what to do."""

    def __init__(self, found: str, todo: str) -> None:
        super().__init__(found, todo)
        self.found, self.todo = found, todo


def _of_any(kind: Any, read: Callable[[Any], Any], asked: str) -> Any:
    """The part of any member of a union that has it: a `None` may be filtered out before."""
    found, absent = [], None
    for member in members(kind):
        if member is ANY:
            return ANY
        try:
            found.append(read(member))
        except _Absent as no:
            absent = absent if member is NoneType and absent else no
    if not found and absent:
        raise FieldUnknown(asked, absent.found, absent.todo)
    return either(*found)


def _field(kind: Any, name: str) -> Any:
    row = get_origin(kind) or kind
    fields = fields_of_type(kind)
    if fields and name in fields:
        return fields[name]
    if is_typed_dict(row) or isinstance(kind, RecordType):
        raise _no_field(kind, name, fields or ())
    if not isinstance(row, type):
        return ANY
    if issubclass(row, Mapping):
        return _value(kind, name)
    return _attribute(kind, row, name, fields)


def _value(kind: Any, key: Any) -> Any:
    """What a mapping holds under a key."""
    args = get_args(kind)
    if len(args) != 2:
        return ANY
    if never_equal(args[0], type(key)):
        raise _Absent(
            f"the keys of {shown(kind)} are {shown(args[0])}, never {key!r}",
            f"Write a function: lambda v: v[...], with a key that is {shown(args[0])}.",
        )
    return args[1]


def _attribute(kind: Any, row: type, name: str, fields: dict[str, Any] | None) -> Any:
    found = inspect.getattr_static(row, name, None)
    if isinstance(found, property | cached_property):
        return result_type(found.fget if isinstance(found, property) else found.func, kind)
    if inspect.isroutine(found):
        raise _Absent(
            f"{name!r} is a method of {shown(kind)}, not a field", f"Call it: lambda v: v.{name}()."
        )
    if found is not None or hasattr(row, name) or hasattr(row, "__getattr__"):
        return hints(row).get(name, ANY)
    if fields is not None:
        raise _no_field(kind, name, fields)
    if row in _CLOSED:
        raise _no_field(kind, name, [n for n in dir(row) if _is_data(row, n)])
    return hints(row).get(name, ANY)


def _is_data(row: type, name: str) -> bool:
    return not name.startswith("_") and not inspect.isroutine(inspect.getattr_static(row, name))


def _no_field(kind: Any, name: str, fields: Iterable[str]) -> _Absent:
    has = list(fields)
    close = difflib.get_close_matches(name, has, 1)
    found = f"its fields are {', '.join(has)}" if has else "it has none"
    if close:
        todo = f"Did you mean {close[0]!r}?"
    elif has:
        todo = "Name one of these, or give a function: lambda v: ..."
    else:
        todo = "Give a position or a function: lambda v: ..., or nothing for the value itself."
    return _Absent(f"{shown(kind)} has no field {name!r}; {found}", todo)


def _item(kind: Any, index: int) -> Any:
    row = get_origin(kind) or kind
    fields = fields_of_type(kind)
    if isinstance(kind, RecordType) or (isinstance(row, type) and issubclass(row, tuple)):
        return _position(kind, index, fields)
    if not isinstance(row, type):
        return ANY
    if issubclass(row, Mapping) or is_typed_dict(row):
        return _value(dict[str, Any] if is_typed_dict(row) else kind, index)
    if row is str:
        return str
    if issubclass(row, bytes | bytearray):
        return int
    if issubclass(row, Sequence):
        return (*get_args(kind), ANY)[0]
    reader = getattr(row, "__getitem__", None)
    if reader is not None:
        return result_type(reader)
    if fields is None and row not in _CLOSED:
        return ANY
    todo = "Name a field instead." if fields else "Give nothing for the value itself."
    raise _Absent(f"{shown(kind)} has no positions", todo)


def _position(kind: Any, index: int, fields: dict[str, Any] | None) -> Any:
    args = get_args(kind)
    if fields is not None:
        args = tuple(fields.values())
    elif get_origin(kind) is not tuple or any(map(_unpacked, args)):
        return ANY
    elif len(args) == 2 and args[1] is Ellipsis:
        return args[0]
    if -len(args) <= index < len(args):
        return args[index]
    raise _Absent(
        f"{shown(kind)} has {len(args)} positions, none of them {index}",
        f"Give a position from 0 to {len(args) - 1}." if args else "It is always empty.",
    )


def _unpacked(kind: Any) -> bool:
    return bool(getattr(kind, "__unpacked__", False)) or get_origin(kind) is typing.Unpack
