"""Operators on symbols: arithmetic and truth, each for exact types."""

from __future__ import annotations

from enum import Enum
from types import BuiltinFunctionType, FunctionType, NoneType
from typing import Any

from ominus.trace.expr import Build, Const, Expr, Op
from ominus.trace.kinds import SCALARS, Many, Row, Tuple, Type, members, python_class, spell
from ominus.trace.symbols import rules
from ominus.trace.symbols.members import dunder, lookup
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound

_SMALL = frozenset(
    ["len", "ord", ".find()", ".rfind()", ".count()", ".weekday()", ".isoweekday()", ".toordinal()"]
    + [
        f".{part}"
        for part in ("year", "month", "day", "hour", "minute", "second", "days", "seconds")
    ]
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
    return (
        _on_sets(path, sign, left, right)
        or _on_tuples(path, sign, left, right)
        or _by_class(path, sign, left, right)
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
        return bool(abs(x.value) < 2**64)
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
            return path.op(
                int, "**", base, exponent, causes=() if exponent.value < 1024 else ("size",)
            )
        return path.op(float, "**", base, exponent, causes=("power",))
    kind = float if float in kinds else int
    return path.op(kind, "power", base, exponent, causes=("power",))


def _on_sets(path: Path, sign: str, left: Expr, right: Expr) -> Expr | None:
    a, b = left.type, right.type
    if (
        not (isinstance(a, Many) and isinstance(b, Many) and a.py in (set, frozenset))
        or sign not in "|&-^"
    ):
        return None
    if b.py not in (set, frozenset) or not set(_kinds(b)) <= set(_kinds(a)):
        path.opaque(f"`{sign}` of {spell(a)} and {spell(b)}")
    return path.op(a, sign, left, right)


def _kinds(kind: Many) -> tuple[Type, ...]:

    return members(kind.item)


def _on_tuples(path: Path, sign: str, left: Expr, right: Expr) -> Expr | None:
    a, b = tuple_type(left), tuple_type(right)
    if sign == "+" and isinstance(a, Tuple) and isinstance(b, Tuple) and a.py is b.py:
        return path.pool.build(
            Tuple(a.items + b.items, a.py), (*parts(path, left), *parts(path, right))
        )
    return None


def tuple_type(x: Expr) -> Type:
    """The type of a value, of a NamedTuple that of the tuple which it is."""
    kind = x.type
    if isinstance(kind, Row) and kind.kind == "namedtuple":
        own = [lookup(kind.py, f"__{n}__") for n in rules.DUNDER.values()]
        if not any(isinstance(f, FunctionType) for f in own):
            return Tuple(tuple(t for _, t in kind.fields))
    return kind


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
        if found is not None and no_surprise(left, right):
            return answer_of(path, path.call(Bound(found, own), [other]), sign)
    if left.type in rules.STRANGERS and right.type in rules.STRANGERS:
        if not (sign == "%" and left.type is str):
            path.fail(TypeError)
    path.opaque(f"`{sign}` of {spell(left.type)} and {spell(right.type)}")


def no_surprise(left: Expr, right: Expr) -> bool:
    """A right operand of a subclass goes first, in Python; that is not followed."""
    a, b = python_class(left.type), python_class(right.type)
    return a is not None and b is not None and (a is b or not issubclass(b, a))


def answer_of(path: Path, answer: Any, sign: str) -> Expr:
    if isinstance(answer, Expr) and not (
        isinstance(answer, Const) and answer.value is NotImplemented
    ):
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
        return answer_of(path, path.call(Bound(found, x), []), name)
    if x.type in (str, NoneType):
        path.fail(TypeError)
    path.opaque(f"`{name}` of {spell(x.type)}")


# ---- truth


_COLLECTIONS = (tuple, list, dict, set, frozenset, FunctionType, BuiltinFunctionType)


def truth(path: Path, value: Any) -> Expr:
    """Whether a value is true, as a bool."""
    x = one(path, value)
    kind: Any = x.type
    if kind is bool:
        return x
    if isinstance(x, Const) and (kind in SCALARS or type(x.value) in _COLLECTIONS):
        return path.const(bool(x.value))
    if kind in SCALARS:
        return _scalar_truth(path, x)
    if isinstance(kind, Tuple):
        return path.const(bool(kind.items))
    if isinstance(kind, Many):
        return path.op(bool, "!=", path.op(int, "len", x), path.const(0))
    if isinstance(kind, Row):
        return _row_truth(path, x, kind)
    if isinstance(kind, type) and issubclass(kind, Enum) and not _asks_itself(kind):
        return path.const(True)
    path.opaque(f"asks whether a {spell(kind)} is true")


def _asks_itself(kind: type) -> bool:
    return lookup(kind, "__bool__") is not None or lookup(kind, "__len__") is not None


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
