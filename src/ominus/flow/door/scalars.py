"""The ways in of scalars: exactly the declared class, after conversions that lose nothing."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any
from uuid import UUID

from ominus.algebra.value import canon, ident
from ominus.flow.door.check import Check, Source, Test, exactly
from ominus.flow.door.foreign import MISSING, python
from ominus.flow.door.refuse import Keep, Refused, short
from ominus.flow.types import class_name, shown

_AS_IS = (int, str, bytes, date, time, timedelta, UUID, Fraction, bool)


def scalar(kind: Any) -> Check | None:
    """The check of a scalar type; None for other kinds."""
    return _CHECKS.get(kind) if isinstance(kind, type) else None


def _way(kind: type, fix: Keep | None = None, convert: Keep | None = None) -> Keep:
    """In comes what is of the class, fixed; else what is so after it was made Python's."""

    def keep(value: Any) -> Any:
        if type(value) is kind:
            return fix(value) if fix else value
        own = python(value)
        if type(own) is kind:
            return fix(own) if fix else own
        if convert and own is not MISSING:
            own = convert(own)
            if type(own) is kind:
                return own
        raise refusal(value, kind, missing=own is MISSING)

    return keep


def refusal(value: Any, kind: Any, *, missing: bool = False) -> Refused:
    """The refusal of a value that is not of the declared kind, with what to write instead."""
    if missing:
        return Refused(value, kind, todo=f"Declare {shown(kind)} | None, or give a value.")
    return Refused(value, kind, todo=_advice(value, kind))


def _advice(value: Any, kind: Any) -> str:
    given, wanted = type(value), shown(kind)
    declare = f"declare {class_name(given)}"
    if given is str and kind is not bytes and isinstance(kind, type):
        return f"Convert the text to {wanted} first, or declare str."
    if given in (bool, int, float) and kind in (bool, int, float, Decimal, str, Fraction):
        return f"Write {wanted}({short(value)}) if that is meant, or {declare}."
    if isinstance(value, str | int | float | bytes) and kind in given.__mro__:
        return f"Write {wanted}(...), or {declare}."
    if given is datetime and kind is date:
        return "Write .date(), or declare datetime."
    if given is Decimal and kind is float:
        return "Write float(...) if rounding is meant, or declare Decimal."
    return ""


def _float_of(value: Any) -> Any:
    if type(value) is not int:
        return value
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if found != value:
        raise Refused(
            value,
            float,
            why="no float is exactly that",
            todo="Write float(...) if rounding is meant, or declare int.",
        )
    return found


def plain_zero(value: float) -> bool:
    """Whether it is `0.0`, the one zero."""
    return value == 0.0 and math.copysign(1.0, value) > 0.0


def _float_test(value: str, source: Source) -> str:
    local = source.local()
    zero = source.name(plain_zero)
    return (
        f"type({local} := {value}) is {source.name(float)}"
        f" and ({local} > 0.0 or {local} < 0.0 or {zero}({local}))"
    )


def in_utc(value: datetime) -> datetime:
    """A naive datetime as it is, an aware one in UTC."""
    if value.tzinfo is None or (value.tzinfo is UTC and not value.fold):
        return value
    if value.utcoffset() is None:
        raise Refused(
            value,
            datetime,
            why="its zone gives no offset",
            todo="Give it a zone that does, or none: .replace(tzinfo=None).",
        )
    try:
        return value.astimezone(UTC).replace(fold=0)
    except OverflowError:
        raise Refused(
            value,
            datetime,
            why="it is out of range in UTC",
            todo="Give a time within years 1 to 9999 of UTC.",
        ) from None


def _datetime_test(value: str, source: Source) -> str:
    local = source.local()
    naive, utc = f"{local}.tzinfo is None", f"{source.name(in_utc)}({local}) is {local}"
    return f"type({local} := {value}) is {source.name(datetime)} and ({naive} or {utc})"


def _decimal_test(value: str, source: Source) -> str:
    local = source.local()
    return f"type({local} := {value}) is {source.name(Decimal)} and not {local}.is_nan()"


def _keep_none(value: Any) -> None:
    if value is not None and python(value) is not MISSING:
        raise Refused(value, NoneType)


_CHECKS: dict[Any, Check] = {
    **{kind: Check(_way(kind), exactly(kind)) for kind in _AS_IS},
    float: Check(_way(float, canon, _float_of), _float_test),
    complex: Check(_way(complex, canon)),
    Decimal: Check(_way(Decimal, canon), _decimal_test),
    datetime: Check(_way(datetime, in_utc), _datetime_test),
    bytearray: Check(_way(bytearray, bytearray)),
    NoneType: Check(_keep_none, lambda value, source: f"{value} is None"),
}


def enum(kind: type[Enum]) -> Check:
    """The check of an enum: its members."""

    def keep(value: Any) -> Any:
        if isinstance(value, kind):
            return value
        raise Refused(value, kind, todo=_member_of(kind, value))

    return Check(keep, exactly(kind))


def _member_of(kind: type[Enum], value: Any) -> str:
    try:
        return f"Write {class_name(kind)}.{kind(value).name}, which has this value."
    except Exception:  # a class may say in its own way that it has no such member
        names = ", ".join(m.name for m in kind)
        return f"Give one of its members: {names}."


def literal(values: tuple[Any, ...]) -> Check:
    """The check of `Literal[...]`: these values and no others."""
    known = {ident(value): value for value in values}
    kinds = frozenset(map(type, values))

    def keep(value: Any) -> Any:
        own = value if type(value) in kinds else python(value)
        own = None if own is MISSING else own
        if type(own) in kinds and ident(own) in known:
            return known[ident(own)]
        listed = ", ".join(map(repr, values))
        raise Refused(value, f"Literal[{listed}]", todo=f"Give one of {listed}.")

    return Check(keep, _literal_test(known) if kinds == {str} else None)


def _literal_test(values: Any) -> Test:
    texts = frozenset(values)

    def test(value: str, source: Source) -> str:
        local = source.local()
        return f"type({local} := {value}) is str and {local} in {source.name(texts, 'texts')}"

    return test
