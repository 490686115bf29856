"""When two values are one, and what a value looks like once it is inside.

Two values are one where they are equal, their types agree, part by part, and no function could
tell them apart: `1`, `1.0` and `True` are three values, NaN is one, `0.0` and `-0.0` are one.
`ident(v)` is a hashable that is equal for two values exactly if they are one.
`canon(v)` is the value as it is kept: one NaN, no `-0.0`, mappings in the order of their keys.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Hashable, Mapping, MutableMapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag
from fractions import Fraction
from numbers import Complex, Integral, Number, Real
from types import MappingProxyType
from typing import Any
from uuid import UUID

from ominus.algebra.order import arranged
from ominus.algebra.record import is_frozen as is_frozen
from ominus.algebra.record import part_names
from ominus.algebra.record import replaced as replaced
from ominus.errors import KeysCollide, NotAValue

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


def _ident_moment(v: Any) -> Hashable:
    if v != v:
        return _NAN
    return (v.replace(tzinfo=None, fold=0), v.fold, _zone(v))


def _zone(v: datetime | time) -> Hashable:
    zone = v.tzinfo
    return None if zone is None else (type(zone), str(zone), v.utcoffset())


def _ident_complex(v: complex) -> Hashable:
    return (type(v), ident(v.real), ident(v.imag))


def _ident_scalar(v: Any) -> Hashable:
    """Scalars of array libraries: their NaN and NaT differ from themselves."""
    return (type(v), str(getattr(v, "dtype", "")), v if v == v else _NAN)


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
    if issubclass(kind, Flag):
        return lambda v: (kind, v.value)
    if issubclass(kind, Enum):
        return lambda v: (kind, v.name)
    names = part_names(kind)
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
    if issubclass(kind, Complex) and not issubclass(kind, Real):
        return _ident_complex
    if hasattr(kind, "dtype") or issubclass(kind, Number):
        return _ident_scalar
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
    Decimal: lambda v: v.as_tuple(),
    datetime: _ident_moment,
    time: _ident_moment,
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
        if value != value:
            return NAN
        return value if value or math.copysign(1.0, value) > 0.0 else 0.0
    how = _CANON.get(kind) or _learn_canon(kind)
    return how(value, copied)


def _canon_decimal(v: Decimal, copied: bool) -> Decimal:
    return _NANS.setdefault((Decimal, str(v)), v) if v.is_nan() else v


def _canon_real(v: Any, copied: bool) -> Any:
    """Floats of other types than Python's: the same two rules."""
    if v != v:
        return _NANS.setdefault((type(v), "nan"), v)
    return v if v or math.copysign(1.0, v) > 0.0 else abs(v)


def _canon_complex(v: Any, copied: bool) -> Any:
    made = type(v)(complex(canon(float(v.real)), canon(float(v.imag))))
    return v if str(made) == str(v) else made


_NANS: dict[tuple[type, str], Any] = {}


def _canon_sequence(v: Any, copied: bool) -> Any:
    parts = [canon(x, copied=copied) for x in v]
    if _unchanged(parts, v) and not (copied and isinstance(v, list)):
        return v
    if type(v) is tuple or type(v) is list:
        return type(v)(parts)
    if isinstance(v, tuple):
        return tuple.__new__(type(v), parts)
    new = copy.copy(v)
    new[:] = parts
    return new


def _canon_set(v: Any, copied: bool) -> Any:
    parts = [canon(x, copied=copied) for x in v]
    same = _unchanged(parts, v)
    return v if same and not (copied and isinstance(v, set)) else type(v)(parts)


def _canon_dict(v: Any, copied: bool) -> Any:
    parts = {canon(k): canon(x, copied=copied) for k, x in v.items()}
    if len(parts) != len(v):
        raise KeysCollide(f"the mapping {v!r}", "two of its keys are one", "Keep one of them.")
    keys = arranged(parts)
    if not copied and _unchanged(keys, v) and all(parts[k] is v[k] for k in keys):
        return v
    made = {k: parts[k] for k in keys}
    if type(v) is dict:
        return made
    if isinstance(v, MappingProxyType):
        return MappingProxyType(made)
    new = copy.copy(v)
    new.clear()
    for k, x in made.items():
        new[k] = x
    return new


def _unchanged(parts: list[Any], old: Any) -> bool:
    return all(a is b for a, b in zip(parts, old, strict=True))


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
    MappingProxyType: _canon_dict,
    bytearray: _copied,
    complex: _canon_complex,
}


def _learn_canon(kind: type) -> Callable[[Any, bool], Any]:
    found = _CANON[kind] = _canon_for(kind)
    return found


def _canon_for(kind: type) -> Callable[[Any, bool], Any]:
    if issubclass(kind, Enum) or hasattr(kind, "__ident__"):
        return _as_it_is
    names = part_names(kind)
    if names is not None and not issubclass(kind, tuple):
        frozen = is_frozen(kind)
        return lambda v, copied: _canon_fields(v, names, copied, frozen)
    for parent, how in _CANON_BY_PARENT:
        if issubclass(kind, parent):
            return how
    return _as_it_is


_CANON_BY_PARENT: list[tuple[Any, Callable[[Any, bool], Any]]] = [
    (tuple | list, _canon_sequence),
    (set | frozenset, _canon_set),
    (MutableMapping, _canon_dict),
    (Mapping | bytearray, _copied),
    (Decimal, _canon_decimal),
    (Fraction, _as_it_is),
    (Integral, _as_it_is),
    (Real, _canon_real),
    (Complex, _canon_complex),
]


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


def key_problem(new: Any, old: Any) -> bool:
    """Whether two keys that a dict takes for one are two values."""
    return type(new) is not type(old) or (type(new) not in _SELF and ident(new) != ident(old))


def is_nan(value: Any) -> bool:
    """Whether the value is a NaN, of whatever type."""
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, Number) and bool(value != value)
