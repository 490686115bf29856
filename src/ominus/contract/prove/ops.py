"""What each operation of the table of meaning is to the solver.

Where the solver's meaning is Python's, the operation is said; every other one is a function of
which nothing is known but that equal arguments give equal results: what is proved then holds
whatever it does.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import z3

from ominus.contract.prove.terms import (
    Leaf,
    Sym,
    Term,
    Untranslatable,
    both,
    choose,
    either,
    is_enum,
    no,
    sort_of,
    text,
)
from ominus.trace.expr import Const, Expr, Op, const_key
from ominus.trace.kinds import spell

_COUNTED = (int, bool)
_EXACT = (int, bool, Fraction)
_ORDERED = (*_EXACT, str, date, timedelta)

Known = Callable[[Op, "list[Leaf]"], "Term | None"]


def apply(node: Op, args: list[Sym]) -> Term:
    """The term of an operation."""
    leaves = [a for a in args if isinstance(a, Leaf)]
    if len(leaves) == len(args) and node.name in KNOWN:
        found = KNOWN[node.name](node, leaves)
        if found is not None:
            return found
    return unknown(node, args)


def unknown(node: Op, args: list[Sym], about: str = "", sort: Any = None) -> Term:
    """A function of which nothing is known."""
    if "Decimal" in {getattr(a.type, "__name__", "") for a in (node, *node.args)}:
        if node.name in _OF_THE_CONTEXT:
            raise Untranslatable(f"`{node.name}` of a Decimal, which depends on the context")
    given, name = [], [node.name, about]
    for expr, arg in zip(node.args, args, strict=True):
        if isinstance(expr, Const):
            name.append(_spelled(expr))
        elif isinstance(arg, Leaf) and arg.term is not None:
            name.append(f"{spell(arg.kind)}#{id(arg.kind) if isinstance(arg.kind, type) else ''}")
            given.append(arg.term)
        else:
            raise Untranslatable(f"`{node.name}` of {spell(expr.type)}")
    sort = sort_of(node.type) if sort is None else sort
    return z3.Function(" ".join(name), *(t.sort() for t in given), sort)(*given)


_OF_THE_CONTEXT = frozenset(
    ["+", "-", "*", "/", "//", "%", "neg", "pos", "abs", "round", "power", "**"]
)


def _spelled(node: Const) -> str:
    key = const_key(node.value)
    if isinstance(key, int):
        raise Untranslatable(f"a constant {spell(node.type)}")
    return repr(key)


# ---- numbers


def _number(x: Leaf, real: bool) -> Term:
    term = z3.If(x.term, z3.IntVal(1), z3.IntVal(0)) if x.kind is bool else x.term
    return z3.ToReal(term) if real and x.kind is not Fraction else term


def _numbers(*args: Leaf) -> list[Term] | None:
    if any(a.kind not in _EXACT for a in args):
        return None
    real = any(a.kind is Fraction for a in args)
    return [_number(a, real) for a in args]


def _arithmetic(act: Callable[..., Term]) -> Known:
    def known(node: Op, args: list[Leaf]) -> Term | None:
        if node.type not in (int, Fraction):
            return None
        numbers = _numbers(*args)
        return None if numbers is None else act(*numbers)

    return known


def _plus(node: Op, args: list[Leaf]) -> Term | None:
    if node.type is str:
        return z3.Concat(args[0].term, args[1].term)
    return _arithmetic(lambda x, y: x + y)(node, args)


def _floor(x: Term, y: Term) -> Term:
    """Rounded down; the solver rounds so that the remainder is not negative."""
    if z3.is_real(x):
        return z3.ToInt(x / y)
    if z3.is_mul(x) and any(y.eq(f) for f in x.children()):
        rest = list(x.children())
        rest.pop(next(i for i, f in enumerate(rest) if y.eq(f)))
        return choose(y == 0, _floor_plain(x, y), z3.Product(*rest))
    return _floor_plain(x, y)


def _floor_plain(x: Term, y: Term) -> Term:
    if z3.is_int_value(y):
        return x / y if y.as_long() > 0 else (-x) / (-y)
    return choose(y > 0, x / y, (-x) / (-y))


def _modulo(x: Term, y: Term) -> Term:
    if z3.is_real(x):
        return x - y * z3.ToReal(z3.ToInt(x / y))
    if z3.is_int_value(y) and y.as_long() > 0:
        return x % y
    return x - y * _floor_plain(x, y)


def _power(node: Op, args: list[Leaf]) -> Term | None:
    exponent = node.args[1]
    if not isinstance(exponent, Const) or not 1 <= exponent.value <= 8:
        return None
    return _arithmetic(lambda x, _: z3.Product(*[x] * exponent.value))(node, args)


def _shift(left: bool) -> Known:
    def known(node: Op, args: list[Leaf]) -> Term | None:
        count = node.args[1]
        if not isinstance(count, Const) or not 0 <= count.value <= 2000:
            return None
        power = z3.IntVal(2 ** int(count.value))
        x = _number(args[0], False)
        return x * power if left else x / power

    return known


def _bits(act: Callable[[Term, Term], Term]) -> Known:
    return lambda node, args: act(args[0].term, args[1].term) if node.type is bool else None


# ---- comparisons


def comparable(a: Leaf, b: Leaf) -> list[Term] | None:
    """Two terms of one ordered sort, if the solver's order is Python's."""
    if a.kind in _EXACT and b.kind in _EXACT:
        return _numbers(a, b)
    return [a.term, b.term] if a.kind is b.kind and a.kind in _ORDERED else None


def _equals(node: Op, args: list[Leaf]) -> Term | None:
    terms = comparable(*args)
    if terms is None and args[0].kind is args[1].kind and is_enum(args[0].kind):
        terms = [a.term for a in args]
    return None if terms is None else terms[0] == terms[1]


def _less(node: Op, args: list[Leaf]) -> Term | None:
    terms = comparable(*args)
    return None if terms is None else terms[0] < terms[1]


def _not_more(node: Op, args: list[Leaf]) -> Term | None:
    terms = comparable(*args)
    return None if terms is None else terms[0] <= terms[1]


def _said_as(name: str, *, turned: bool = False, negated: bool = False) -> Known:
    """One comparison by another, so that what is unknown of both is one function."""

    def known(node: Op, args: list[Leaf]) -> Term | None:
        inner, given = node.args, list(args)
        if turned:
            inner, given = inner[::-1], given[::-1]
        found = apply(Op(node.type, name, inner), list(given))
        return no(found) if negated else found

    return known


def _extreme(sign: str) -> Known:
    """The right where it is less (more) than the left, else the left."""

    def known(node: Op, args: list[Leaf]) -> Term | None:
        if args[0].kind is not args[1].kind:
            return None
        test = apply(Op(bool, sign, node.args[::-1]), [args[1], args[0]])
        return choose(test, args[1].term, args[0].term)

    return known


# ---- strings


def _of_strings(act: Callable[..., Term]) -> Known:
    def known(node: Op, args: list[Leaf]) -> Term | None:
        return act(*(a.term for a in args)) if all(a.kind is str for a in args) else None

    return known


def _starts(act: Callable[[Term, Term], Term]) -> Known:
    def known(node: Op, args: list[Leaf]) -> Term | None:
        if len(args) != 2 or any(a.kind is not str for a in args):
            return None
        return act(args[1].term, args[0].term)

    return known


def _find(node: Op, args: list[Leaf]) -> Term | None:
    if len(args) != 2 or any(a.kind is not str for a in args):
        return None
    return z3.IndexOf(args[0].term, args[1].term, z3.IntVal(0))


def _item(node: Op, args: list[Leaf]) -> Term | None:
    if args[0].kind is not str or args[1].kind is not int:
        return None
    return z3.SubString(args[0].term, _place(args[0].term, args[1].term), z3.IntVal(1))


def _place(string: Term, index: Term) -> Term:
    return choose(index < 0, index + z3.Length(string), index)


def _slice(node: Op, args: list[Leaf]) -> Term | None:
    string, low, high = args
    if string.kind is not str or any(b.kind not in (int, type(None)) for b in (low, high)):
        return None
    zero, end = z3.IntVal(0), z3.Length(string.term)
    first = zero if low.term is None else _clipped(string.term, low.term)
    last = end if high.term is None else _clipped(string.term, high.term)
    return z3.SubString(string.term, first, choose(last > first, last - first, zero))


def _clipped(string: Term, index: Term) -> Term:
    at = _place(string, index)
    return choose(at < 0, z3.IntVal(0), choose(at > z3.Length(string), z3.Length(string), at))


def _concat(node: Op, args: list[Leaf]) -> Term | None:
    if any(a.kind is not str for a in args):
        return None
    terms = [a.term for a in args]
    return z3.Concat(*terms) if len(terms) > 1 else terms[0] if terms else text("")


def _length(node: Op, args: list[Leaf]) -> Term | None:
    return z3.Length(args[0].term) if args[0].kind is str else None


def contains(node: Op, args: list[Sym]) -> Term:
    """`in`: a string in a string, or one of a few constants."""
    item, where = args[0], node.args[1]
    if isinstance(where, Const) and type(where.value) is tuple and isinstance(item, Leaf):
        from ominus.contract.prove.terms import lift

        others = [lift(v) for v in where.value]
        found = [_equals(node, [item, o]) for o in others if isinstance(o, Leaf)]
        if len(found) == len(others) and all(f is not None for f in found):
            return either(*found)
    if all(isinstance(a, Leaf) and a.kind is str for a in args):
        return z3.Contains(args[1].term, args[0].term)  # type: ignore[union-attr]
    return unknown(node, args)


def _as_int(node: Op, args: list[Leaf]) -> Term | None:
    return _number(args[0], False) if len(args) == 1 and args[0].kind in _COUNTED else None


KNOWN: dict[str, Known] = {
    "+": _plus,
    "-": _arithmetic(lambda x, y: x - y),
    "*": _arithmetic(lambda x, y: x * y),
    "/": _arithmetic(lambda x, y: x / y),
    "//": _arithmetic(_floor),
    "%": _arithmetic(_modulo),
    "**": _power,
    "<<": _shift(True),
    ">>": _shift(False),
    "&": _bits(lambda x, y: both(x, y)),
    "|": _bits(lambda x, y: either(x, y)),
    "^": _bits(lambda x, y: x != y),
    "neg": _arithmetic(lambda x: -x),
    "pos": _arithmetic(lambda x: x),
    "invert": _arithmetic(lambda x: -x - 1),
    "abs": _arithmetic(lambda x: choose(x >= 0, x, -x)),
    "int": _as_int,
    "==": _equals,
    "<": _less,
    "<=": _not_more,
    "!=": _said_as("==", negated=True),
    ">": _said_as("<", turned=True),
    ">=": _said_as("<=", turned=True),
    "not": lambda node, args: no(args[0].term),
    "min": _extreme("<"),
    "max": _extreme(">"),
    "len": _length,
    "concat": _concat,
    ".startswith()": _starts(z3.PrefixOf),
    ".endswith()": _starts(z3.SuffixOf),
    ".find()": _find,
    "item": _item,
    "slice": _slice,
}


# ---- what may raise


def raised(node: Expr, cause: str, args: list[Sym]) -> Term:
    """Whether an operation raises for a cause."""
    assert isinstance(node, Op)
    if cause == "zero" and isinstance(args[1], Leaf) and args[1].kind in _EXACT:
        return _number(args[1], False) == 0
    if cause == "index" and all(isinstance(a, Leaf) for a in args):
        string, index = args
        if string.kind is str and index.kind is int:  # type: ignore[union-attr]
            size = z3.Length(string.term)  # type: ignore[union-attr]
            return either(index.term < -size, index.term >= size)  # type: ignore[union-attr]
    return unknown(node, args, f"raises {cause}", z3.BoolSort())
