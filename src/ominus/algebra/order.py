"""The total order of values, as keys that sort.

None < booleans < numbers (NaN last) < strings < bytes < dates and times < enums
< tuples and lists < sets < mappings < records (by type, then fields).
Values that are one have equal keys, values that are two have different ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, datetime, time, timedelta
from decimal import Context, Decimal
from enum import Enum
from fractions import Fraction
from functools import total_ordering
from numbers import Integral, Real
from typing import Any

from ominus.algebra.record import part_names
from ominus.errors import NotOrdered

Key = tuple[Any, ...]

# Where an object lies in memory says nothing about it.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def order(value: Any) -> Key:
    """A key that sorts values in the total order.

    Fails  NotOrdered, if a part of the value is outside the order.

    >>> sorted([2.5, None, "a", 2, True, float("nan")], key=order)
    [None, True, 2, 2.5, nan, 'a']
    """
    kind = type(value)
    if kind is int:
        return (2, 0, value, "0")
    if kind is str:
        return (3, value, "")
    return (_ORDER.get(kind) or _learn(kind))(value)


def arrange(value: Any) -> Key:
    """A key that sorts any values: as `order`, then those outside the order by type and text."""
    try:
        return order(value)
    except NotOrdered:
        # For showing only: values that are one may differ in text, and two may have the same.
        kind = type(value)
        return (11, kind.__module__, kind.__qualname__, _ADDRESS.sub("", repr(value)))


def arranged(values: Any) -> list[Any]:
    """Values in the total order, those outside it last, by type and text."""
    found = list(values)
    kinds = set(map(type, found))
    if kinds == {int} or kinds == {str}:
        found.sort()
    else:
        found.sort(key=arrange)
    return found


@total_ordering
class Reversed:
    """A sort key turned round."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reversed) and bool(self.key == other.key)

    def __lt__(self, other: Reversed) -> bool:
        return bool(other.key < self.key)

    def __hash__(self) -> int:
        return hash((Reversed, self.key))

    def __repr__(self) -> str:
        return f"Reversed({self.key!r})"


def _number(v: Any, tag: str) -> Key:
    return (2, 1, 0, tag) if v != v else (2, 0, v, tag)


def _decimal(v: Decimal) -> Key:
    # Not str: that depends on the thread's context.
    tag = "3" + _PLAIN.to_sci_string(v)
    return (2, 1, 0, tag) if v.is_nan() else (2, 0, v, tag)


_PLAIN = Context()


def _datetime(v: datetime) -> Key:
    if v.tzinfo is None:
        return (5, 1, v.replace(fold=0), v.fold)
    offset = v.utcoffset() or timedelta(0)
    plain = v.replace(tzinfo=None, fold=0)
    # A length, since an instant near the ends of the calendar may have no datetime in UTC;
    # and the clock too, since a time skipped in spring names the instant of another.
    return (5, 2, plain - datetime.min - offset, plain, _zone(v))


def _time(v: time) -> Key:
    if v.tzinfo is None:
        return (5, 3, v.replace(fold=0), v.fold)
    return (5, 4, v.replace(tzinfo=None, fold=0), _zone(v))


def _zone(v: datetime | time) -> Key:
    # Zones of one name may be at several offsets: those of pytz are.
    offset = v.utcoffset()
    return (name_of(type(v.tzinfo)), str(v.tzinfo), v.fold, () if offset is None else (offset,))


def _sequence(v: Any, name: str) -> Key:
    return (7, tuple(map(order, v)), name)


def _set(v: Any, name: str) -> Key:
    return (8, tuple(sorted(map(order, v))), name)


def _mapping(v: Mapping[Any, Any], name: str) -> Key:
    return (9, tuple(sorted((order(k), order(x)) for k, x in v.items())), name)


_ORDER: dict[type, Callable[[Any], Key]] = {
    type(None): lambda v: (0,),
    bool: lambda v: (1, v),
    float: lambda v: _number(v, "1"),
    Fraction: lambda v: (2, 0, v, "2"),
    Decimal: _decimal,
    bytes: lambda v: (4, v, ""),
    bytearray: lambda v: (4, bytes(v), "bytearray"),
    date: lambda v: (5, 0, v),
    datetime: _datetime,
    time: _time,
    timedelta: lambda v: (5, 5, v),
    tuple: lambda v: _sequence(v, ""),
    list: lambda v: _sequence(v, "list"),
    set: lambda v: _set(v, "set"),
    frozenset: lambda v: _set(v, "frozenset"),
    dict: lambda v: _mapping(v, ""),
}


def _learn(kind: type) -> Callable[[Any], Key]:
    found = _ORDER[kind] = _order_for(kind)
    return found


_namesakes: dict[str, list[type]] = {}


def name_of(kind: type) -> str:
    """The name of a class, with a number where another class that was met has the same.

    A class that is defined twice, as in a notebook, is two classes, and their values are two.
    """
    name = f"{kind.__module__}.{kind.__qualname__}"
    kinds = _namesakes.setdefault(name, [])
    if kind not in kinds:
        kinds.append(kind)
    i = kinds.index(kind)
    return f"{name}#{i + 1}" if i else name


def _order_for(kind: type) -> Callable[[Any], Key]:
    name = name_of(kind)
    own = getattr(kind, "__order__", None)
    if own is not None:
        return own  # type: ignore[no-any-return]
    if issubclass(kind, Enum):
        places = {m.name: i for i, m in enumerate(kind)}
        return lambda v: (6, name, places.get(v.name, len(places)), str(v.value))
    names = part_names(kind)
    if names is not None:
        of = names
        return lambda v: (10, name, of, tuple(order(getattr(v, n)) for n in of))
    for parent, how in _BY_PARENT:
        if issubclass(kind, parent):
            return lambda v: how(v, name)
    return _refuse


def _moment(v: Any, name: str) -> Key:
    # NaT is a datetime by its class alone.
    return (*_datetime(v), name) if v == v else _refuse(v)


def _real(v: Any, name: str) -> Key:
    if v != v or v - v != 0:
        return _number(float(v), "9" + name)
    return (2, 0, Fraction(*v.as_integer_ratio()), "9" + name)


_BY_PARENT: list[tuple[Any, Callable[[Any, str], Key]]] = [
    (str, lambda v, name: (3, str.__str__(v), name)),
    (bytes, lambda v, name: (4, bytes(v), name)),
    (bytearray, lambda v, name: (4, bytes(v), name)),
    (Integral, lambda v, name: (2, 0, int(v), "9" + name)),
    (Fraction, lambda v, name: (2, 0, v, "9" + name)),
    (Decimal, lambda v, name: (*_decimal(v), name)),
    (float, lambda v, name: _number(float(v), "9" + name)),
    (Real, _real),
    (datetime, _moment),
    (date, lambda v, name: (5, 0, date(v.year, v.month, v.day), name)),
    (time, lambda v, name: (*_time(v), name)),
    (timedelta, lambda v, name: (5, 5, v, name)),
    (tuple, _sequence),
    (list, _sequence),
    (AbstractSet, _set),
    (Mapping, _mapping),
]


def _refuse(value: Any) -> Key:
    raise NotOrdered(
        f"the place of {value!r} in the total order",
        f"a {type(value).__qualname__} has none",
        "Order by a field or a function of it: by=lambda v: ...",
    )
