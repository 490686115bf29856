"""Operators on symbols: arithmetic, comparison, truth and membership, each for exact types."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from enum import Enum
from types import NoneType
from typing import Any

from ominus.trace.expr import Build, Const, Expr, Op, RowPath
from ominus.trace.kinds import SCALARS, Alien, Many, Row, Tuple, Type, members, python_class, spell
from ominus.trace.symbols import rules
from ominus.trace.symbols.members import dunder
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound

_SMALL = frozenset(
    ["len", "ord", ".find()", ".rfind()", ".count()", ".weekday()", ".isoweekday()", ".toordinal()"]
    + [f".{part}" for part in ("year", "month", "day", "hour", "minute", "second", "days", "seconds")]
)


def binary(path: Path, sign: str, left: Any, right: Any) -> Expr:
    """`left sign right`."""
    left, right = one(path, left), one(path, right)
    if sign == "**":
        return _power(path, left, right)
    rule = rules.ARITHMETIC.get((sign, left.type, right.type))
    if rule is not None:
        kind, causes = rule
        return path.op(kind, sign, left, right, causes=prune(causes, left, right))
    return _on_sets(path, sign, left, right) or _on_tuples(path, sign, left, right) or _by_class(
        path, sign, left, right
    )


def one(path: Path, x: Any) -> Expr:
    """An expression of one type, or the end of the trace."""
    if not isinstance(x, Expr):
        path.opaque(f"uses a {type(x).__name__.lower()} as a value")
    return path.pick(x)


def prune(causes: tuple[str, ...], left: Expr, right: Expr) -> tuple[str, ...]:
    """Without what cannot happen for these two."""
    return tuple(c for c in causes if not _cannot(c, left, right))


def _cannot(cause: str, left: Expr, right: Expr) -> bool:
    if cause == "zero":
        return isinstance(right, Const) and bool(right.value)
    if cause == "huge":
        return small(left) and small(right)
    if cause == "shift":
        return isinstance(right, Const) and 0 <= right.value < 10_000
    if cause == "size":
        count = right if right.type in (int, bool) else left
        return isinstance(count, Const) and count.value < 10_000
    return False


def small(x: Expr, depth: int = 8) -> bool:
    """Whether a number is no int, or an int far below what a float holds."""
    if x.type is not int:
        return True
    if isinstance(x, Const):
        return abs(x.value) < 2**64
    if not isinstance(x, Op) or depth == 0:
        return False
    if x.name in _SMALL:
        return True
    if x.name == "%":
        return small(x.args[1], depth - 1)
    return x.name in ("+", "-", "*", "//", "neg", "abs", "min", "max") and all(
        small(a, depth - 1) for a in x.args
    )


def _power(path: Path, base: Expr, exponent: Expr) -> Expr:
    kinds = (base.type, exponent.type)
    if any(k not in (bool, int, float) for k in kinds):
        return _by_class(path, "**", base, exponent)
    if isinstance(exponent, Const) and exponent.type is not float:
        if base.type is float:
            causes = ("power",) if exponent.value < 0 else ("overflow",)
            return path.op(float, "**", base, exponent, causes=causes)
        if exponent.value >= 0:
            return path.op(int, "**", base, exponent, causes=() if exponent.value < 1024 else ("size",))
        return path.op(float, "**", base, exponent, causes=("power",))
    kind = float if float in kinds else int
    return path.op(kind, "power", base, exponent, causes=("power",))


def _on_sets(path: Path, sign: str, left: Expr, right: Expr) -> Expr | None:
    a, b = left.type, right.type
    if not (isinstance(a, Many) and isinstance(b, Many) and a.py in (set, frozenset)) or sign not in "|&-^":
        return None
    if b.py not in (set, frozenset) or not set(_kinds(b)) <= set(_kinds(a)):
        path.opaque(f"`{sign}` of {spell(a)} and {spell(b)}")
    return path.op(a, sign, left, right)


def _kinds(kind: Many) -> tuple[Type, ...]:


    return members(kind.item)


def _on_tuples(path: Path, sign: str, left: Expr, right: Expr) -> Expr | None:
    a, b = left.type, right.type
    if sign == "+" and isinstance(a, Tuple) and isinstance(b, Tuple) and a.py is b.py:
        return path.pool.build(Tuple(a.items + b.items, a.py), (*parts(path, left), *parts(path, right)))
    return None


def parts(path: Path, x: Expr) -> tuple[Expr, ...]:
    """What a tuple of known length, or a row, is made of."""
    if isinstance(x, Build):
        return x.parts
    kind = x.type
    if isinstance(kind, Tuple):
        if isinstance(x, Const):
            return tuple(path.const(v) for v in x.value)
        return tuple(path.pool.get(t, x, i) for i, t in enumerate(kind.items))
    assert isinstance(kind, Row)
    return tuple(path.pool.get(t, x, n) for n, t in kind.fields)


def _by_class(path: Path, sign: str, left: Expr, right: Expr) -> Expr:
    """By the operator that the user's class defines; else a TypeError, if that is certain."""
    name = rules.DUNDER[sign]
    for own, method, other in ((left, f"__{name}__", right), (right, f"__r{name}__", left)):
        found = dunder(own, method)
        if found is not None and _no_surprise(left, right):
            return _answer(path, path.call(Bound(found, own), [other]), sign)
    if left.type in rules.STRANGERS and right.type in rules.STRANGERS:
        if not (sign == "%" and left.type is str):
            path.fail(TypeError)
    path.opaque(f"`{sign}` of {spell(left.type)} and {spell(right.type)}")


def _no_surprise(left: Expr, right: Expr) -> bool:
    """A right operand of a subclass goes first, in Python; that is not followed."""
    a, b = python_class(left.type), python_class(right.type)
    return a is not None and b is not None and (a is b or not issubclass(b, a))


def _answer(path: Path, answer: Any, sign: str) -> Expr:
    if isinstance(answer, Expr) and not (isinstance(answer, Const) and answer.value is NotImplemented):
        return answer
    path.opaque(f"`{sign}` is left to the other operand")


def unary(path: Path, name: str, x: Any) -> Expr:
    """`-x`, `+x` and `~x`."""
    x = one(path, x)
    rule = rules.UNARY.get((name, x.type))
    if rule is not None:
        return path.op(rule[0], name, x, causes=rule[1])
    found = dunder(x, f"__{rules.DUNDER[name]}__")
    if found is not None:
        return _answer(path, path.call(Bound(found, x), []), name)
    if x.type in (str, NoneType):
        path.fail(TypeError)
    path.opaque(f"`{name}` of {spell(x.type)}")


# ---- truth


def truth(path: Path, x: Any) -> Expr:
    """Whether a value is true, as a bool."""
    x = one(path, x)
    kind = x.type
    if kind is bool:
        return x
    if isinstance(x, Const) and not isinstance(kind, Row):
        return path.const(bool(x.value))
    if kind in SCALARS:
        return _scalar_truth(path, x)
    if isinstance(kind, Tuple):
        return path.const(bool(kind.items))
    if isinstance(kind, Many):
        return path.op(bool, "!=", path.op(int, "len", x), path.const(0))
    if isinstance(kind, Row):
        return _row_truth(path, x, kind)
    if isinstance(kind, type) and issubclass(kind, Enum) and kind.__bool__ is Enum.__bool__:  # type: ignore[attr-defined]
        return path.const(True)
    path.opaque(f"asks whether a {spell(kind)} is true")


def _scalar_truth(path: Path, x: Expr) -> Expr:
    kind = x.type
    assert isinstance(kind, type)
    if kind.__name__ in ("date", "datetime"):
        return path.const(True)
    if kind.__name__ in ("Decimal",):
        return path.op(bool, "bool", x)
    return path.op(bool, "!=", x, path.const(kind()))


def _row_truth(path: Path, x: Expr, kind: Row) -> Expr:
    found = dunder(x, "__bool__")
    if found is not None:
        return one(path, path.call(Bound(found, x), []))
    found = dunder(x, "__len__")
    if found is not None:
        return truth(path, path.call(Bound(found, x), []))
    if kind.kind == "record" and (hasattr(kind.py, "__len__") or hasattr(kind.py, "__bool__")):
        return path.const(bool(kind.fields))
    return path.const(bool(kind.fields) or kind.kind == "dataclass")


# ---- comparison


def compare(path: Path, sign: str, left: Any, right: Any) -> Expr:
    """`left sign right`, a bool; of tuples part by part."""
    left, right = one(path, left), one(path, right)
    a, b = left.type, right.type
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
        if found is not None and _no_surprise(left, right):
            answer = path.call(Bound(found, own), [other])
            if not (isinstance(answer, Const) and answer.value is NotImplemented):
                return truth(path, answer)
    if None not in (python_class(a), python_class(b)) and (_plain(a) or _plain(b)) and a is not b:
        if (a, b) not in ((rules.date, rules.datetime), (rules.datetime, rules.date)):
            return path.const(False)
    path.opaque(f"`==` of {spell(a)} and {spell(b)}")


def _plain(kind: Type) -> bool:
    """Equal only to what a rule names."""
    return kind in SCALARS or is_plain_enum(kind)


def _equal_rows(path: Path, left: Expr, right: Expr, a: Row, b: Row) -> Expr:
    if a.kind != b.kind or [n for n, _ in a.fields] != [n for n, _ in b.fields] or dunder(left, "__eq__"):
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
        if found is not None and _no_surprise(left, right):
            return _answer(path, path.call(Bound(found, own), [other]), sign)
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
        if not isinstance(left.value, (int, float, str, bytes, tuple)) or isinstance(left.value, bool):
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
            path.opaque(f"the type of `{x}` is not known")
        return path.const(isinstance(x, Const) and x.value is None)
    return path.const(True) if len(kinds) == 1 else path.is_a(x, NoneType)


# ---- membership


def contains(path: Path, item: Any, container: Any) -> Expr:
    """`item in container`."""
    item, container = one(path, item), one(path, container)
    kind = container.type
    if kind in (str, bytes):
        if item.type is not kind:
            if kind is str and item.type in rules.STRANGERS:
                path.fail(TypeError)
            path.opaque(f"looks for a {spell(item.type)} in {spell(kind)}")
        return path.op(bool, "in", item, container)
    if isinstance(container, Const) and type(container.value) in (tuple, list, set, frozenset, dict):
        return _among(path, item, container)
    if isinstance(kind, Row) and kind.kind == "dict" and isinstance(item, Const):
        return path.const(any(n == item.value for n, _ in kind.fields))
    if isinstance(kind, Tuple) or (isinstance(kind, Row) and kind.kind == "namedtuple"):
        if dunder(container, "__contains__") is None:
            return _one_of(path, item, parts(path, container))
    if isinstance(kind, Many) and kind.item is item.type and item.type in SCALARS:
        _refuse_nan(path, item)
        return path.op(bool, "in", item, container)
    found = dunder(container, "__contains__")
    if found is not None:
        return truth(path, path.call(Bound(found, container), [item]))
    path.opaque(f"`in` a {spell(kind)}")


def _refuse_nan(path: Path, item: Expr) -> None:
    if maybe_nan(item) and path.decide(path.op(bool, "!=", item, item)):

        path.fail(RowPath)


def _among(path: Path, item: Expr, container: Const) -> Expr:
    """Among constants: those that can be equal at all, as one node."""
    values = list(container.value)
    if type(container.value) in (set, frozenset, dict) and not hashable(item.type):
        path.opaque(f"looks for a {spell(item.type)}, which may not be hashable")
    if item.type not in SCALARS and not is_plain_enum(item.type):
        return _one_of(path, item, tuple(path.const(v) for v in values))
    kept = []
    for value in values:
        other = path.const(value)
        if other.type is item.type or (item.type, other.type) in rules.COMPARABLE:
            if isinstance(value, float) and math.isnan(value):
                _refuse_nan(path, item)
            kept.append(value)
        elif not (item.type in rules.STRANGERS and other.type in rules.STRANGERS):
            path.opaque(f"looks for a {spell(item.type)} among {spell(other.type)}")
    if item.type is NoneType or not kept:
        return path.const(None in kept)
    if any(path.const(v).type in (Decimal, datetime) for v in kept) or item.type in (Decimal, datetime):
        return _one_of(path, item, tuple(path.const(v) for v in kept))
    return path.op(bool, "in", item, path.const(tuple(kept)))


def hashable(kind: Type) -> bool:
    """Whether every value of this type can be hashed; a signalling Decimal cannot."""
    if isinstance(kind, Tuple):
        return kind.py is tuple and all(map(hashable, kind.items))
    return (kind in SCALARS and kind is not Decimal) or is_plain_enum(kind)


def _one_of(path: Path, item: Expr, others: tuple[Expr, ...]) -> Expr:
    found = path.const(False)
    for other in others:
        if path.decide(found):
            return path.const(True)
        found = same(path, item, other)
    return found
