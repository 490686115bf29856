"""Whether Python's own equality will do for the values of a type.

It will where `a is b or a == b`, as a dict asks, says of two values that the door let in what
`ident` says of them, and both hash alike: then an engine may keep them in a plain dict.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterable
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from datetime import date, timedelta
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any, get_args, get_origin
from uuid import UUID

from ominus.algebra.record import Record
from ominus.algebra.value import ident
from ominus.flow.types.fields import RecordType, fields_of_type
from ominus.flow.types.plain import ANY, is_alias, members

_FAMILY: dict[Any, str] = {
    int: "number",
    bool: "number",
    float: "number",
    Fraction: "number",
    str: "str",
    bytes: "bytes",
    date: "date",
    timedelta: "timedelta",
    UUID: "uuid",
    NoneType: "none",
}
"""Scalars of which two are equal only if they are one; those of one family may be equal.

Not here: Decimal (1.0 and 1.00), datetime and time (fold), complex (NaN).
"""

_ASKS_FIELD_BY_FIELD = sys.version_info >= (3, 13)
"""Whether a dataclass compares its fields one by one: then a NaN differs from itself."""

Seen = frozenset[Any]


def uniform(kind: Any) -> bool:
    """Whether Python's own `==` and `hash` tell the values of this kind apart as `ident` does.

    >>> uniform(tuple[int, str]), uniform(int | bool), uniform(ANY)
    (True, False, False)
    """
    return _families(kind, frozenset()) is not None


def _families(kind: Any, seen: Seen) -> set[str] | None:
    """The families of values that the kind has; None where equality does not tell them apart."""
    found: set[str] = set()
    if is_alias(kind):
        if kind in seen:
            return None
        seen = seen | {kind}
    for member in members(kind):
        more = _of_member(member, seen)
        if more is None or found & more:
            return None
        found |= more
    return found


def _of_member(kind: Any, seen: Seen) -> set[str] | None:
    if isinstance(kind, RecordType):
        return {"tuple"} if _all([k for _, k in kind.fields], seen) else None
    origin = get_origin(kind) or kind
    if origin is typing.Literal:
        return _literal(get_args(kind))
    if kind is ANY or not isinstance(origin, type):
        return None
    if origin in _FAMILY:
        return {_FAMILY[origin]}
    if issubclass(origin, Enum):
        return _enum(origin)
    if origin is tuple:
        parts = [k for k in get_args(kind) if k is not Ellipsis]
        return {"tuple"} if (parts or kind == tuple[()]) and _all(parts, seen) else None
    if origin is frozenset:
        return {"set"} if get_args(kind) and _all(get_args(kind), seen) else None
    return _row(kind, origin, seen)


def _all(kinds: Iterable[Any], seen: Seen) -> bool:
    return all(_families(kind, seen) is not None for kind in kinds)


def _literal(values: tuple[Any, ...]) -> set[str] | None:
    families: set[str] = set()
    for value in values:
        more = _of_member(type(value), frozenset())
        if more is None:
            return None
        families |= more
    return families if len(set(values)) == len({ident(v) for v in values}) else None


def _enum(kind: type[Enum]) -> set[str] | None:
    if kind.__eq__ is object.__eq__:
        return _only(kind)
    for mixed in (int, str):
        if kind.__eq__ is mixed.__eq__:
            return {_FAMILY[mixed]}
    return None


def _row(kind: Any, origin: type, seen: Seen) -> set[str] | None:
    fields = fields_of_type(kind)
    if fields is None or hasattr(origin, "__ident__"):
        return None
    own = {"tuple"} if issubclass(origin, tuple) else _only(origin)
    if kind in seen:  # a row inside a row of its own kind: it is as the outer one is
        return own
    if not _compares_its_fields(origin, fields):
        return None
    return own if _all(fields.values(), seen | {kind}) else None


def _compares_its_fields(kind: type, fields: dict[str, Any]) -> bool:
    """Whether two rows of the class are equal exactly where their fields are."""
    if issubclass(kind, tuple):
        own = Record if issubclass(kind, Record) else tuple
        return kind.__eq__ is own.__eq__ and kind.__hash__ is own.__hash__
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return False
    if _ASKS_FIELD_BY_FIELD and any(map(_may_be_nan, fields.values())):
        return False
    made = all(_made(kind, name) for name in ("__eq__", "__hash__"))
    return made and all(f.compare for f in dataclass_fields(kind))


def _made(kind: type, name: str) -> bool:
    """Whether `dataclass` made the method, not the user."""
    code = getattr(getattr(kind, name), "__code__", None)
    return code is not None and code.co_qualname.startswith("__create_fn__.")


def _may_be_nan(kind: Any) -> bool:
    found = members(kind)
    # At the door a NaN becomes None where the field may be None.
    return float in found and NoneType not in found


def _only(kind: type) -> set[str]:
    """The family of values that equal none of another class."""
    return {f"{kind.__qualname__} {id(kind)}"}
