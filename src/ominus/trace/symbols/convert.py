"""Conversions between scalars, and values as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import spell
from ominus.trace.symbols import operate
from ominus.trace.symbols.members import dunder
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound

_SPEC = re.compile(r"(?:.?[<>=^])?[-+ ]?[z#]*0?\d{0,3}[,_]?(?:\.\d{1,3})?[bdeEfFgGosxX%]?")


def _one(path: Path, args: list[Any], keywords: dict[str, Any], name: str) -> Expr:
    if keywords or len(args) != 1:
        path.opaque(f"calls `{name}` with more than a value")
    return operate.one(path, args[0])


def _is_none(x: Expr) -> bool:
    return isinstance(x, Const) and x.value is None


def to_int(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    if not args and not keywords:
        return path.const(0)
    x = _one(path, args, keywords, "int")
    if x.type is int:
        return x
    if x.type is bool:
        return path.op(int, "int", x)
    if _is_none(x):
        path.fail(TypeError)
    causes = {float: "not finite", str: "parse", Decimal: "decimal"}
    return _convert(path, int, x, causes, "__int__")


def _convert(path: Path, kind: type, x: Expr, causes: dict[Any, str], own: str) -> Expr:
    if x.type in causes:
        return path.op(kind, kind.__name__, x, causes=(causes[x.type],))
    found = dunder(x, own)
    if found is not None:
        made = operate.one(path, path.call(Bound(found, x), []))
        if made.type is kind:
            return made
    path.opaque(f"makes {kind.__name__} of {spell(x.type)}")


def to_float(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    if not args and not keywords:
        return path.const(0.0)
    x = _one(path, args, keywords, "float")
    if x.type is float:
        return x
    kind: Any = x.type
    if kind is bool or (kind is int and operate.small(x)):
        return path.op(float, "float", x)
    if _is_none(x):
        path.fail(TypeError)
    return _convert(path, float, x, {int: "huge", str: "parse", Decimal: "decimal"}, "__float__")


def to_bool(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    return operate.truth(path, _one(path, args, keywords, "bool")) if args else path.const(False)


def to_str(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    return text_of(path, _one(path, args, keywords, "str")) if args else path.const("")


def text_of(path: Path, value: Any) -> Expr:
    """`str(x)`."""
    x = operate.one(path, value)
    kind = x.type
    if kind is str:
        return x
    if kind is int and not operate.small(x):
        return path.op(str, "str", x, causes=("digits",))
    if kind in (int, bool, float, date, datetime, timedelta, Decimal, NoneType):
        return path.op(str, "str", x)
    found = dunder(x, "__str__")
    if found is not None:
        return operate.one(path, path.call(Bound(found, x), []))
    path.opaque(f"prints a {spell(kind)}")


def repr_of(path: Path, x: Any, name: str = "repr") -> Expr:
    """`repr(x)` or `ascii(x)`."""
    x = operate.one(path, x)
    if x.type is int and not operate.small(x):
        return path.op(str, name, x, causes=("digits",))
    if x.type not in (int, bool, float, str, bytes, NoneType):
        path.opaque(f"prints a {spell(x.type)}")
    return path.op(str, name, x)


def formatted(path: Path, x: Any, conversion: int, spec: Any) -> Expr:
    """A piece of an f-string; `conversion` is 0, or 1, 2, 3 for `!s`, `!r`, `!a`."""
    if conversion:
        x = (
            text_of(path, x)
            if conversion == 1
            else repr_of(path, x, ("repr", "ascii")[conversion - 2])
        )
    x = operate.one(path, x)
    if spec is None or (isinstance(spec, Const) and spec.value == ""):
        if dunder(x, "__format__") is not None:
            path.opaque("defines `__format__`")
        return text_of(path, x)
    if not isinstance(spec, Const) or not isinstance(spec.value, str):
        path.opaque("formats by a specification that is not constant")
    return _by_spec(path, x, spec)


_SAMPLES: dict[Any, Any] = {int: 65, bool: True, float: 1.5, str: "a"}


_DIRECTIVES = re.compile(r"(?:[^%]|%[YmdHMSjf%])*")


def dated(path: Path, x: Expr, spec: Expr) -> Expr:
    """`x.strftime(spec)`, by the directives that no locale changes."""
    if not isinstance(spec, Const) or not isinstance(spec.value, str):
        path.opaque("formats a date by what is not constant")
    if not _DIRECTIVES.fullmatch(spec.value) or not spec.value.isascii():
        path.opaque(f"formats a date by {spec.value!r}")
    return path.op(str, "strftime", x, spec, causes=("format",))


def _by_spec(path: Path, x: Expr, spec: Const) -> Expr:
    if x.type in (date, datetime):
        return dated(path, x, spec)
    if x.type not in _SAMPLES or spec.value.endswith("n"):
        path.opaque(f"formats a {spell(x.type)} by {spec.value!r}")
    try:
        format(_SAMPLES[x.type], spec.value)
    except ValueError:
        path.fail(ValueError)
    safe = x.type in (str, float, bool) and _SPEC.fullmatch(spec.value) is not None
    return path.op(str, "format", x, spec, causes=() if safe else ("format",))


CONVERT: dict[type, Callable[[Path, list[Any], dict[str, Any]], Expr]] = {
    int: to_int, float: to_float, bool: to_bool, str: to_str
}  # fmt: skip
