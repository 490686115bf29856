"""What arithmetic and comparison give for two built-in types, and what they may raise: a table."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, TypeAlias

Rule: TypeAlias = tuple[type, tuple[str, ...]]

_INTS = (bool, int)
_NUMBERS = (bool, int, float)
_DECIMALS = ((Decimal, Decimal), (Decimal, int), (int, Decimal), (Decimal, bool), (bool, Decimal))
_FRACTIONS = (
    (Fraction, Fraction), (Fraction, int), (int, Fraction), (Fraction, bool), (bool, Fraction),
)  # fmt: skip

# Between these, an operation without a rule is a TypeError and an equality is False.
STRANGERS = frozenset({bool, int, float, str, NoneType})


def _pairs(*kinds: type) -> Iterable[tuple[type, type]]:
    return ((a, b) for a in kinds for b in kinds)


def _huge(a: type, b: type) -> tuple[str, ...]:
    return ("huge",) if (a is float) != (b is float) and int in (a, b) else ()


def _arithmetic() -> dict[tuple[str, Any, Any], Rule]:
    table: dict[tuple[str, Any, Any], Rule] = {}
    for a, b in _pairs(*_NUMBERS):
        kind = float if float in (a, b) else int
        for sign in "+-*":
            table[sign, a, b] = (kind, _huge(a, b))
        for sign in ("//", "%"):
            table[sign, a, b] = (kind, ("zero", *_huge(a, b)))
        wide = ("huge",) if int in (a, b) else ()
        table["/", a, b] = (float, ("zero", *wide))
    for a, b in _pairs(*_INTS):
        for sign in "&|^":
            table[sign, a, b] = (bool if a is b is bool else int, ())
        table["<<", a, b] = table[">>", a, b] = (int, ("shift",))
    for text in (str, bytes):
        table["+", text, text] = (text, ())
        for n in _INTS:
            table["*", text, n] = table["*", n, text] = (text, ("size",))
    for a, b in _DECIMALS:
        for sign in ("+", "-", "*", "/", "//", "%"):
            table[sign, a, b] = (Decimal, ("decimal",))
    for a, b in _FRACTIONS:
        for sign in "+-*":
            table[sign, a, b] = (Fraction, ())
        table["/", a, b] = table["%", a, b] = (Fraction, ("zero",))
        table["//", a, b] = (int, ("zero",))
    return table | _times()


def _times() -> dict[tuple[str, Any, Any], Rule]:
    table: dict[tuple[str, Any, Any], Rule] = {}
    for kind in (date, datetime):
        table["+", kind, timedelta] = table["+", timedelta, kind] = (kind, ("range",))
        table["-", kind, timedelta] = (kind, ("range",))
    table["-", date, date] = (timedelta, ())
    table["-", datetime, datetime] = (timedelta, ("aware", "range"))
    table["+", timedelta, timedelta] = table["-", timedelta, timedelta] = (timedelta, ("range",))
    for n in _NUMBERS:
        table["*", timedelta, n] = table["*", n, timedelta] = (timedelta, ("range",))
        table["/", timedelta, n] = (timedelta, ("zero", "range"))
    for n in _INTS:
        table["//", timedelta, n] = (timedelta, ("zero", "range"))
    table["/", timedelta, timedelta] = (float, ("zero",))
    table["//", timedelta, timedelta] = (int, ("zero",))
    table["%", timedelta, timedelta] = (timedelta, ("zero",))
    return table


def _comparable() -> dict[tuple[Any, Any], tuple[str, ...]]:
    table: dict[tuple[Any, Any], tuple[str, ...]] = dict.fromkeys(_pairs(*_NUMBERS), ())
    table |= dict.fromkeys([(k, k) for k in (str, bytes, date, timedelta)], ())
    table |= dict.fromkeys([*_DECIMALS, (Decimal, float), (float, Decimal)], ("decimal",))
    table |= dict.fromkeys(_FRACTIONS, ())
    table[datetime, datetime] = ("aware",)
    return table


ARITHMETIC = _arithmetic()
COMPARABLE = _comparable()

UNARY: dict[tuple[str, Any], Rule] = {
    **{("neg", k): (k, ()) for k in (int, float, Fraction)},
    **{("pos", k): (k, ()) for k in (int, float, Fraction, timedelta)},
    ("neg", bool): (int, ()),
    ("pos", bool): (int, ()),
    ("invert", int): (int, ()),
    ("neg", timedelta): (timedelta, ("range",)),
    ("neg", Decimal): (Decimal, ("decimal",)),
    ("pos", Decimal): (Decimal, ("decimal",)),
}

DUNDER = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift", "@": "matmul",
    "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
    "neg": "neg", "pos": "pos", "invert": "invert",
}  # fmt: skip
MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
