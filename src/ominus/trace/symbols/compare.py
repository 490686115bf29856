"""Comparisons on symbols: equality, order and identity; of tuples and rows part by part."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from types import NoneType
from typing import Any

from ominus.trace.expr import Const, Expr, RowPath
from ominus.trace.kinds import SCALARS, Alien, Row, Tuple, Type, members, python_class, spell
from ominus.trace.symbols import rules
from ominus.trace.symbols.members import definer, dunder, get, written_by_dataclass
from ominus.trace.symbols.operate import answer_of, no_surprise, one, parts, truth, tuple_type
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound


def compare(path: Path, sign: str, left: Any, right: Any) -> Expr:
    """`left sign right`, a bool; of tuples part by part."""
    left, right = one(path, left), one(path, right)
    a, b = tuple_type(left), tuple_type(right)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and a.py is b.py:
        return _tuples(path, sign, parts(path, left), parts(path, right))
    causes = rules.COMPARABLE.get((a, b))
    if causes is not None:
        quiet = sign in ("==", "!=") and causes == ("aware",)
        return path.op(bool, sign, left, right, causes=() if quiet else causes)
    if sign in ("==", "!="):
        found = _equality(path, left, right)
        return found if sign == "==" else path.negate(found)
    return _ordered_by_class(path, sign, left, right)


def _equality(path: Path, left: Expr, right: Expr) -> Expr:
    a, b = left.type, right.type
    if a in rules.STRANGERS and b in rules.STRANGERS:
        return path.const(a is b)  # None is None; other equal types have a rule
    if a is b and is_plain_enum(a):
        return path.op(bool, "==", left, right)
    if isinstance(a, Row) and isinstance(b, Row) and a.kind in ("namedtuple", "dict", "record"):
        return _equal_rows(path, left, right, a, b)
    for own, other in ((left, right), (right, left)):
        found = dunder(own, "__eq__")
        if dunder(own, "__ne__") is not None:
            path.opaque(f"{spell(own.type)} defines `!=`")
        if written_by_dataclass(found):  # from 3.13 on it asks for identity first
            if python_class(a) is python_class(b):
                return _tuples(path, "==", _compared(path, left), _compared(path, right))
        elif found is not None and no_surprise(left, right):
            answer = path.call(Bound(found, own), [other])
            if not (isinstance(answer, Const) and answer.value is NotImplemented):
                return truth(path, answer)
    if _is_odd_enum(a) or _is_odd_enum(b):
        path.opaque(f"`==` of {spell(a)} and {spell(b)}")
    if None not in (python_class(a), python_class(b)) and (_plain(a) or _plain(b)) and a is not b:
        if (a, b) not in ((date, datetime), (datetime, date)):
            return path.const(False)
    path.opaque(f"`==` of {spell(a)} and {spell(b)}")


def _compared(path: Path, x: Expr) -> tuple[Expr, ...]:
    """The fields that a dataclass compares: those of the class whose `__eq__` it is."""
    cls: Any = python_class(x.type)
    asked = {f.name for f in dataclasses.fields(definer(cls, "__eq__")) if f.compare}
    assert isinstance(x.type, Row)
    return tuple(get(path, x, n) for n, _ in x.type.fields if n in asked)


def _plain(kind: Type) -> bool:
    """Equal only to what a rule names."""
    return kind in SCALARS or is_plain_enum(kind)


def _is_odd_enum(kind: Type) -> bool:
    """An enum that may equal what is no member of it: `class Colour(str, Enum)`, `IntEnum`."""
    return isinstance(kind, type) and issubclass(kind, Enum) and not is_plain_enum(kind)


def _equal_rows(path: Path, left: Expr, right: Expr, a: Row, b: Row) -> Expr:
    if (
        a.kind != b.kind
        or [n for n, _ in a.fields] != [n for n, _ in b.fields]
        or dunder(left, "__eq__")
    ):
        path.opaque(f"`==` of {spell(a)} and {spell(b)}")
    return _tuples(path, "==", parts(path, left), parts(path, right))


def is_plain_enum(kind: Type) -> bool:
    """An enum whose members are compared by identity."""
    return isinstance(kind, type) and issubclass(kind, Enum) and kind.__eq__ is object.__eq__


def same(path: Path, x: Expr, y: Expr) -> Expr:
    """`x is y or x == y`, as containers ask; where both are NaN, only identity tells."""
    x, y = one(path, x), one(path, y)
    if x.type is y.type is Decimal and not (isinstance(x, Const) or isinstance(y, Const)):
        path.opaque("compares Decimals by identity first")
    equal = compare(path, "==", x, y)
    if maybe_nan(x) and maybe_nan(y) and not isinstance(equal, Const):
        if path.decide(path.op(bool, "!=", x, x)) and path.decide(path.op(bool, "!=", y, y)):
            path.fail(RowPath)
    return equal


def maybe_nan(x: Expr) -> bool:
    if isinstance(x, Const):
        return bool(x.value != x.value)
    return isinstance(x.type, type) and x.type.__name__ in ("float", "Decimal")


def _tuples(path: Path, sign: str, left: tuple[Expr, ...], right: tuple[Expr, ...]) -> Expr:
    """The first parts that differ decide; without any, the lengths."""
    if sign in ("==", "!=") and len(left) != len(right):
        return path.const(sign == "!=")
    if sign in ("==", "!="):
        found = path.const(True)
        for x, y in zip(left, right, strict=True):
            if path.decide(found):
                found = same(path, x, y)
        return found if sign == "==" else path.negate(found)
    for x, y in zip(left, right, strict=False):
        if not path.decide(same(path, x, y)):
            return compare(path, sign, x, y)
    by_length: dict[str, Callable[[int, int], bool]] = {
        "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__
    }  # fmt: skip
    return path.const(by_length[sign](len(left), len(right)))


def _ordered_by_class(path: Path, sign: str, left: Expr, right: Expr) -> Expr:
    a, b = left.type, right.type
    if isinstance(a, Row) and isinstance(b, Row) and a.kind == b.kind == "namedtuple":
        if a.py is b.py and dunder(left, f"__{rules.DUNDER[sign]}__") is None:
            return _tuples(path, sign, parts(path, left), parts(path, right))
    pairs = ((left, sign, right), (right, rules.MIRROR[sign], left))
    for own, asked, other in pairs:
        found = dunder(own, f"__{rules.DUNDER[asked]}__")
        if found is not None and no_surprise(left, right):
            return answer_of(path, path.call(Bound(found, own), [other]), sign)
    if a in rules.STRANGERS and b in rules.STRANGERS:
        path.fail(TypeError)
    path.opaque(f"`{sign}` of {spell(a)} and {spell(b)}")


def identical(path: Path, left: Any, right: Any) -> Expr:
    """`left is right`, where types or values tell."""
    if not isinstance(left, Expr) or not isinstance(right, Expr):
        path.opaque("compares identities")
    for x, y in ((left, right), (right, left)):
        if isinstance(y, Const) and y.value is None:
            return _is_none(path, x)
    left, right = path.pick(left), path.pick(right)
    if isinstance(left, Const) and isinstance(right, Const):
        if not isinstance(left.value, (int, float, str, bytes, tuple)) or isinstance(
            left.value, bool
        ):
            return path.const(left.value is right.value)
    a, b = left.type, right.type
    if (a is b is bool) or (a is b and is_plain_enum(a)):
        return _same_bool(path, left, right) if a is bool else path.op(bool, "==", left, right)
    known = python_class(a), python_class(b)
    if None not in known and known[0] is not known[1]:
        return path.const(False)
    path.opaque("compares identities")


def _same_bool(path: Path, left: Expr, right: Expr) -> Expr:
    if isinstance(right, Const):
        return left if right.value else path.negate(left)
    return path.op(bool, "==", left, right)


def _is_none(path: Path, x: Expr) -> Expr:

    kinds = members(x.type)
    if NoneType not in kinds:
        if any(isinstance(k, Alien) for k in kinds) and not isinstance(x, Const):
            return path.op(bool, "is None", x)
        return path.const(isinstance(x, Const) and x.value is None)
    return path.const(True) if len(kinds) == 1 else path.is_a(x, NoneType)
