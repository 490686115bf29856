"""Functions known by name: the built-in ones, and those of `math`, `operator` and `dataclasses`."""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Many, Row, Tuple, python_class, spell
from ominus.trace.like import like
from ominus.trace.symbols import compare, operate
from ominus.trace.symbols.construct import fields, type_call
from ominus.trace.symbols.convert import repr_of
from ominus.trace.symbols.iterate import every
from ominus.trace.symbols.members import attribute, dunder, subscript
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound, Items

Known = Callable[[Path, "list[Any]", "dict[str, Any]"], Any]


def _plain(name: str, least: int, most: int, act: Callable[..., Any]) -> Known:
    """A function of so many positional arguments."""

    def known(path: Path, args: list[Any], keywords: dict[str, Any]) -> Any:
        if keywords:
            path.opaque(f"calls `{name}` with keywords")
        if not least <= len(args) <= most:
            path.fail(TypeError)
        return act(path, *args)

    return known


def _len(path: Path, x: Any) -> Expr:
    x = operate.one(path, x)
    kind = x.type
    if kind in (str, bytes) or isinstance(kind, Many):
        return path.op(int, "len", x)
    if isinstance(x, Const) and type(x.value) is dict:
        return path.const(len(x.value))
    found = dunder(x, "__len__")
    if found is not None:
        return operate.one(path, path.call(Bound(found, x), []))
    if isinstance(kind, Tuple):
        return path.const(len(kind.items))
    if isinstance(kind, Row) and kind.kind in ("namedtuple", "dict"):
        return path.const(len(kind.fields))
    if kind in (int, float, bool, type(None)):
        path.fail(TypeError)
    path.opaque(f"takes the length of a {spell(kind)}")


def _abs(path: Path, x: Any) -> Expr:
    x = operate.one(path, x)
    if x.type is bool:
        return path.op(int, "abs", x)
    if x.type in (int, float):
        return path.op(x.type, "abs", x)
    if x.type in (str, type(None)):
        path.fail(TypeError)
    if x.type is Decimal:
        return path.op(Decimal, "abs", x, causes=("decimal",))
    if x.type is timedelta:
        return path.op(timedelta, "abs", x, causes=("range",))
    found = dunder(x, "__abs__")
    if found is not None:
        return operate.one(path, path.call(Bound(found, x), []))
    path.opaque(f"takes the magnitude of a {spell(x.type)}")


def _extreme(name: str, sign: str) -> Known:
    def extreme(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
        if keywords:
            path.opaque(f"calls `{name}` with `{next(iter(keywords))}`")
        values = every(path, args[0]) if len(args) == 1 else args
        if not values:
            path.fail(ValueError if args else TypeError)
        best = operate.one(path, values[0])
        for value in values[1:]:
            best = _better(path, name, sign, best, operate.one(path, value))
        return best

    return extreme


def _better(path: Path, name: str, sign: str, best: Expr, value: Expr) -> Expr:
    test = compare.compare(path, sign, value, best)
    if best.type is value.type and best.type in (int, float, str, bool):
        return path.op(best.type, name, best, value)
    return value if path.decide(operate.truth(path, test)) else best


def _round(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    if not 1 <= len(args) + len(keywords) <= 2 or not keywords.keys() <= {"ndigits", "number"}:
        path.fail(TypeError)
    x = operate.one(path, args[0] if args else keywords["number"])
    digits = operate.one(path, args[1]) if len(args) > 1 else keywords.get("ndigits")
    if digits is None or (isinstance(digits, Const) and digits.value is None):
        return _to_int(path, x)
    if (
        x.type not in (int, bool, float, Decimal)
        or digits.type is not int
        or not isinstance(digits, Const)
    ):
        path.opaque(f"rounds a {spell(x.type)} to digits that are not constant")
    if x.type in (int, bool):
        return path.op(int, "round", x, digits)
    if abs(digits.value) > 20:
        path.opaque(f"rounds to {digits.value} digits")
    causes = "decimal" if x.type is Decimal else "overflow"
    safe = x.type is float and digits.value >= 0
    return path.op(x.type, "round", x, digits, causes=() if safe else (causes,))


def _to_int(path: Path, x: Expr) -> Expr:
    if x.type in (int, bool):
        return path.op(int, "int", x) if x.type is bool else x
    causes: dict[Any, str] = {float: "not finite", Decimal: "decimal"}
    if x.type not in causes:
        path.opaque(f"rounds a {spell(x.type)}")
    return path.op(int, "round", x, causes=(causes[x.type],))


def _isinstance(path: Path, x: Any, classes: Any) -> Expr:
    if not isinstance(x, Expr) or not isinstance(classes, Expr):
        path.opaque("asks for the class of what is no value")
    given = _classes(path, classes)
    x = path.pick(x)
    cls = type(x.value) if isinstance(x, Const) else python_class(x.type)
    if cls is None:
        path.opaque(f"the type of `{x}` is not known")
    return path.const(any(issubclass(cls, c) for c in given))


def _classes(path: Path, x: Expr) -> list[type]:
    from types import UnionType

    if isinstance(x.type, Tuple):
        return [c for part in operate.parts(path, x) for c in _classes(path, part)]
    value = getattr(x, "value", None)
    if isinstance(value, UnionType):
        return [type(None) if c is None else c for c in value.__args__]
    if not isinstance(value, type) or type(value).__module__ not in ("builtins", "abc", "enum"):
        path.opaque("asks `isinstance` of what is no plain class")
    return [value]


def _issubclass(path: Path, x: Any, classes: Any) -> Expr:
    if not isinstance(x, Const) or not isinstance(x.value, type):
        path.opaque("asks `issubclass` of what is no class")
    return path.const(any(issubclass(x.value, c) for c in _classes(path, classes)))


def _sum(path: Path, x: Any, *start: Any) -> Expr:
    total = operate.one(path, start[0]) if start else path.const(0)
    values = [operate.one(path, v) for v in every(path, x)]
    if any(v.type not in (int, bool) for v in (total, *values)):
        path.opaque("sums what are no ints")  # floats are summed with compensation from 3.12 on
    for value in values:
        total = operate.binary(path, "+", total, value)
    return total


def _all(wanted: bool) -> Callable[..., Expr]:
    def walk(path: Path, x: Any) -> Expr:
        from ominus.trace.symbols.iterate import iterate
        from ominus.trace.symbols.values import NULL

        source = iterate(path, x)
        while (value := source.next()) is not NULL:
            if path.decide(operate.truth(path, value)) is not wanted:
                return path.const(not wanted)
        return path.const(wanted)

    return walk


def _getattr(path: Path, x: Any, name: Any, *default: Any) -> Any:
    if default or not isinstance(name, Const) or not isinstance(name.value, str):
        path.opaque("calls `getattr` with a default, or a name that is not constant")
    return attribute(path, x, name.value)


def _divmod(path: Path, x: Any, y: Any) -> Expr:
    x, y = operate.one(path, x), operate.one(path, y)
    if x.type not in (int, float, bool) or y.type not in (int, float, bool):
        path.opaque(f"calls `divmod` of {spell(x.type)} and {spell(y.type)}")
    pair = operate.binary(path, "//", x, y), operate.binary(path, "%", x, y)
    return path.pool.build(Tuple((pair[0].type, pair[1].type)), pair)


def _pow(path: Path, x: Any, y: Any) -> Expr:
    return operate.binary(path, "**", x, y)


def _character(name: str, kind: type, result: type) -> Callable[..., Expr]:
    def act(path: Path, x: Any) -> Expr:
        x = operate.one(path, x)
        if x.type is not kind:
            path.opaque(f"calls `{name}` of a {spell(x.type)}")
        return path.op(result, name, x, causes=("code point",))

    return act


def _range(path: Path, *bounds: Any) -> Expr:
    if not all(isinstance(b, Const) and type(b.value) is int for b in bounds):
        path.opaque("loops over a range that is not constant")
    return path.const(range(*(b.value for b in bounds)))


def _enumerate(path: Path, x: Any) -> Items:
    return _pairs(path, [path.const(i) for i in range(64)], every(path, x))


def _zip(path: Path, x: Any, y: Any) -> Items:
    return _pairs(path, every(path, x), every(path, y))


def _pairs(path: Path, left: list[Any], right: list[Any]) -> Items:
    made = [
        path.pool.build(Tuple((a.type, b.type)), (a, b)) for a, b in zip(left, right, strict=False)
    ]
    return Items(made)


# ---- math

_FLOATS: dict[str, tuple[type, tuple[str, ...]]] = {
    "sqrt": (float, ("domain",)), "log": (float, ("domain",)), "log2": (float, ("domain",)),
    "log10": (float, ("domain",)), "exp": (float, ("domain",)), "fabs": (float, ()),
    "isnan": (bool, ()), "isinf": (bool, ()), "isfinite": (bool, ()),
    **dict.fromkeys(("floor", "ceil", "trunc"), (int, ("not finite",))),
}  # fmt: skip


def _of_math(name: str) -> Callable[..., Expr]:
    result, causes = _FLOATS[name]

    def act(path: Path, value: Any) -> Expr:
        x = operate.one(path, value)
        if x.type not in (int, float, bool):
            path.opaque(f"`math.{name}` of {spell(x.type)}")
        if result is int and x.type is int:
            return x
        wide = (
            ("huge",)
            if x.type is int and not operate.small(x) and name not in ("log", "log2", "log10")
            else ()
        )
        return path.op(result, f"math.{name}", x, causes=causes + wide)

    return act


def _pair_of_math(
    name: str, kinds: tuple[type, ...], result: type, causes: tuple[str, ...]
) -> Callable[..., Expr]:
    def act(path: Path, x: Any, y: Any) -> Expr:
        x, y = operate.one(path, x), operate.one(path, y)
        if x.type not in kinds or y.type not in kinds:
            path.opaque(f"`math.{name}` of {spell(x.type)} and {spell(y.type)}")
        return path.op(result, f"math.{name}", x, y, causes=causes)

    return act


# ---- rows


def _replace(path: Path, args: list[Any], keywords: dict[str, Any]) -> Any:
    x = operate.one(path, args[0])
    if not isinstance(x.type, Row) or x.type.kind != "dataclass" or len(args) != 1:
        path.opaque("calls `replace` of what is no dataclass")
    return path.call(path.const(x.type.py), [], fields(path, x) | keywords)


def _like(path: Path, text: Any, pattern: Any) -> Expr:
    text, pattern = operate.one(path, text), operate.one(path, pattern)
    if text.type is not str or pattern.type is not str or not isinstance(pattern, Const):
        path.opaque("calls `like` of what is no str, or with a pattern that is not constant")
    return path.op(bool, "like", text, pattern)


def _equality(sign: str) -> Callable[..., Expr]:
    return lambda path, x, y: compare.compare(path, sign, x, y)


def _arithmetic(sign: str) -> Callable[..., Expr]:
    return lambda path, x, y: operate.binary(path, sign, x, y)


KNOWN: dict[int, Known] = {
    id(f): act
    for f, act in [
        (len, _plain("len", 1, 1, _len)),
        (abs, _plain("abs", 1, 1, _abs)),
        (min, _extreme("min", "<")),
        (max, _extreme("max", ">")),
        (round, _round),
        (isinstance, _plain("isinstance", 2, 2, _isinstance)),
        (issubclass, _plain("issubclass", 2, 2, _issubclass)),
        (type, _plain("type", 1, 1, type_call)),
        (repr, _plain("repr", 1, 1, repr_of)),
        (sum, _plain("sum", 1, 2, _sum)),
        (all, _plain("all", 1, 1, _all(True))),
        (any, _plain("any", 1, 1, _all(False))),
        (getattr, _plain("getattr", 2, 3, _getattr)),
        (divmod, _plain("divmod", 2, 2, _divmod)),
        (pow, _plain("pow", 2, 2, _pow)),
        (ord, _plain("ord", 1, 1, _character("ord", str, int))),
        (chr, _plain("chr", 1, 1, _character("chr", int, str))),
        (range, _plain("range", 1, 3, _range)),
        (enumerate, _plain("enumerate", 1, 1, _enumerate)),
        (zip, _plain("zip", 2, 2, _zip)),
        (like, _plain("like", 2, 2, _like)),
        (dataclasses.replace, _replace),
        (operator.getitem, _plain("getitem", 2, 2, subscript)),
        (operator.not_, _plain("not_", 1, 1, lambda path, x: path.negate(operate.truth(path, x)))),
        (math.copysign, _plain("copysign", 2, 2, _pair_of_math("copysign", (float,), float, ()))),
        (math.gcd, _plain("gcd", 2, 2, _pair_of_math("gcd", (int,), int, ()))),
        (math.pow, _plain("pow", 2, 2, _pair_of_math("pow", (float,), float, ("domain",)))),
        *((getattr(math, n), _plain(n, 1, 1, _of_math(n))) for n in _FLOATS),
        *((getattr(operator, n), _plain(n, 2, 2, _equality(s))) for n, s in
          [("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")]),
        *((getattr(operator, n), _plain(n, 2, 2, _arithmetic(s))) for n, s in
          [("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("mod", "%")]),
    ]
}  # fmt: skip
