"""When two values are one, and what a value looks like once it is inside.

Two values are one where they are equal, their types agree, part by part, and no function could
tell them apart: `1`, `1.0` and `True` are three values, NaN is one, `0.0` and `-0.0` are one.
`ident(v)` is a hashable that is equal for two values exactly if they are one.
`canon(v)` is the value as it is kept: one NaN, no `-0.0`, mappings in the order of their keys.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Hashable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any
from uuid import UUID

from ominus.algebra.record import field_names
from ominus.errors import NotAValue

NAN = float("nan")
"""The one NaN that collections hold."""

_SELF = frozenset({int, str, bytes, type(None), date, timedelta, UUID})
_TRUE, _FALSE, _NAN = (bool, True), (bool, False), (float, "nan")


def ident(value: Any) -> Hashable:
    """A hashable that is equal for two values exactly if they are one.

    Fails  NotAValue, if a part is neither hashable nor of a structure that we know.

    >>> ident(1) == ident(1.0), ident(float("nan")) == ident(float("nan")), ident([1]) == ident([1])
    (False, True, True)
    """
    kind = type(value)
    if kind in _SELF:
        return value  # type: ignore[no-any-return]
    return (_IDENT.get(kind) or _learn_ident(kind))(value)


def one(a: Any, b: Any) -> bool:
    """Whether two values are one."""
    return a is b or ident(a) == ident(b)


def _ident_float(v: float) -> Hashable:
    if v != v:
        return _NAN
    # An int equals only a float without fraction: all others can stand for themselves.
    return (float, v) if v.is_integer() else v


def _ident_datetime(v: datetime) -> Hashable:
    if v.tzinfo is None:
        return (datetime, v.replace(fold=0), 1) if v.fold else v
    return (datetime, v.replace(tzinfo=None, fold=0), v.fold, _zone(v))


def _ident_time(v: time) -> Hashable:
    return (time, v.replace(tzinfo=None, fold=0), v.fold, _zone(v))


def _zone(v: datetime | time) -> Hashable:
    zone = v.tzinfo
    return None if zone is None else (type(zone), str(zone), v.utcoffset())


def _ident_complex(v: complex) -> Hashable:
    return (complex, ident(v.real), ident(v.imag))


def _ident_set(v: Any) -> Hashable:
    return (type(v), frozenset(map(ident, v)))


def _ident_sequence(v: Any) -> Hashable:
    return (type(v), *map(ident, v))


def _ident_mapping(v: Any) -> Hashable:
    return (type(v), frozenset((ident(k), ident(x)) for k, x in v.items()))


_IDENT: dict[type, Callable[[Any], Hashable]] = {
    bool: lambda v: _TRUE if v else _FALSE,
    float: _ident_float,
    complex: _ident_complex,
    datetime: _ident_datetime,
    time: _ident_time,
    Decimal: lambda v: (Decimal, v.as_tuple()),
    Fraction: lambda v: (Fraction, v.numerator, v.denominator),
    bytearray: lambda v: (bytearray, bytes(v)),
    tuple: _ident_sequence,
    list: _ident_sequence,
    set: _ident_set,
    frozenset: _ident_set,
    dict: _ident_mapping,
}


def _learn_ident(kind: type) -> Callable[[Any], Hashable]:
    found = _IDENT[kind] = _ident_for(kind)
    return found


def _ident_for(kind: type) -> Callable[[Any], Hashable]:
    own = getattr(kind, "__ident__", None)
    if own is not None:
        return own  # type: ignore[no-any-return]
    if issubclass(kind, Enum):
        return lambda v: (kind, v.name)
    names = field_names(kind)
    if names is not None:
        if issubclass(kind, tuple):
            return lambda v: (kind, *map(ident, tuple(v)))
        return lambda v: (kind, *[ident(getattr(v, n)) for n in names])
    for parent, how in _BY_PARENT.items():
        if issubclass(kind, parent):
            return lambda v: (kind, how(v))
    if getattr(kind, "__hash__", None) is None:
        raise NotAValue(
            f"a value of type {kind.__name__}",
            "it is neither hashable nor of a structure that ominus knows",
            "Make it a frozen dataclass or a record, or give it __eq__ and __hash__.",
        )
    return lambda v: (kind, v)


_BY_PARENT: dict[type, Callable[[Any], Hashable]] = {
    Mapping: lambda v: frozenset((ident(k), ident(x)) for k, x in v.items()),
    list: lambda v: tuple(map(ident, v)),
    tuple: lambda v: tuple(map(ident, v)),
    set: lambda v: frozenset(map(ident, v)),
    frozenset: lambda v: frozenset(map(ident, v)),
    bytearray: bytes,
    str: str.__str__,
    float: lambda v: ident(float(v)),
    int: int.__int__,
}


_AS_IS = frozenset({int, str, bytes, type(None), bool, date, timedelta, UUID, datetime})


def canon(value: Any, *, copied: bool = False) -> Any:
    """The value as a collection keeps it; the same object where nothing had to change.

    With `copied`, mutable containers are copied as deep as they go: the way in.

    >>> canon({"b": -0.0, "a": [1]})
    {'a': [1], 'b': 0.0}
    """
    kind = type(value)
    if kind in _AS_IS:
        return value
    if kind is float:
        return NAN if value != value else value or 0.0
    how = _CANON.get(kind) or _learn_canon(kind)
    return how(value, copied)


def _canon_decimal(v: Decimal, copied: bool) -> Decimal:
    return _DECIMAL_NANS.setdefault(str(v), v) if v.is_nan() else v


_DECIMAL_NANS: dict[str, Decimal] = {}


def _canon_sequence(v: Any, copied: bool) -> Any:
    parts = [canon(x, copied=copied) for x in v]
    if all(a is b for a, b in zip(parts, v, strict=True)) and not (copied and type(v) is list):
        return v
    return type(v)(parts)


def _canon_set(v: Any, copied: bool) -> Any:
    parts = [canon(x, copied=copied) for x in v]
    same = all(a is b for a, b in zip(parts, v, strict=True))
    return v if same and not (copied and type(v) is set) else type(v)(parts)


def _canon_dict(v: dict[Any, Any], copied: bool) -> dict[Any, Any]:
    from ominus.algebra.order import order

    keys = sorted(v, key=order) if len(v) > 1 else list(v)
    parts = {canon(k): canon(v[k], copied=copied) for k in keys}
    if not copied and all(a is b and parts[a] is v[a] for a, b in zip(parts, v, strict=True)):
        return v
    return parts


def _as_it_is(v: Any, copied: bool) -> Any:
    return v


def _copied(v: Any, copied: bool) -> Any:
    return copy.deepcopy(v) if copied else v


_CANON: dict[type, Callable[[Any, bool], Any]] = {
    Decimal: _canon_decimal,
    tuple: _canon_sequence,
    list: _canon_sequence,
    set: _canon_set,
    frozenset: _canon_set,
    dict: _canon_dict,
    bytearray: _copied,
}


def _learn_canon(kind: type) -> Callable[[Any, bool], Any]:
    found = _CANON[kind] = _canon_for(kind)
    return found


def _canon_for(kind: type) -> Callable[[Any, bool], Any]:
    if issubclass(kind, Enum) or hasattr(kind, "__ident__"):
        return _as_it_is
    names = field_names(kind)
    if names is not None:
        if issubclass(kind, tuple):
            return _canon_named_tuple
        frozen = is_frozen(kind)
        return lambda v, copied: _canon_fields(v, names, copied, frozen)
    if issubclass(kind, Mapping | list | set | bytearray):
        return _copied
    return _as_it_is


def _canon_named_tuple(v: Any, copied: bool) -> Any:
    parts = [canon(x, copied=copied) for x in tuple(v)]
    if all(a is b for a, b in zip(parts, tuple(v), strict=True)):
        return v
    return tuple.__new__(type(v), parts)


def _canon_fields(v: Any, names: tuple[str, ...], copied: bool, frozen: bool) -> Any:
    changed = {}
    for name in names:
        old = getattr(v, name)
        new = canon(old, copied=copied)
        if new is not old:
            changed[name] = new
    if not changed and (frozen or not copied):
        return v
    return replaced(v, changed)


def replaced(row: Any, changed: Mapping[str, Any]) -> Any:
    """A copy of a row with some fields changed, its constructor not called."""
    if isinstance(row, tuple):
        fields = field_names(type(row)) or ()
        values = [changed.get(n, x) for n, x in zip(fields, row, strict=True)]
        return tuple.__new__(type(row), values)
    if hasattr(type(row), "__struct_fields__"):
        return copy.replace(row, **changed) if hasattr(copy, "replace") else _struct(row, changed)
    new = copy.copy(row)
    for name, value in changed.items():
        object.__setattr__(new, name, value)
    return new


def _struct(row: Any, changed: Mapping[str, Any]) -> Any:
    kind = type(row)
    return kind(**{n: changed.get(n, getattr(row, n)) for n in kind.__struct_fields__})


def is_frozen(kind: type) -> bool:
    """Whether rows of this class cannot be changed after they were made."""
    params = getattr(kind, "__dataclass_params__", None)
    if params is not None:
        return bool(params.frozen)
    config = getattr(kind, "__struct_config__", None)
    if config is not None:
        return bool(config.frozen)
    model = getattr(kind, "model_config", None)
    if isinstance(model, dict):
        return bool(model.get("frozen"))
    return "_frozen" in getattr(kind.__setattr__, "__name__", "")


def key_problem(new: Any, old: Any) -> bool:
    """Whether two keys that a dict takes for one are two values."""
    return type(new) is not type(old) or (type(new) not in _SELF and ident(new) != ident(old))


def is_nan(value: Any) -> bool:
    """Whether the value is a NaN, of whatever type."""
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float) and math.isnan(value)
