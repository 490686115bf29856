"""A question about integers and reals as one about reals alone, which the solver can decide.

Integers are reals: what holds of no reals holds of no integers. Only for an answer "unsat".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

Term = Any
_SAME = frozenset(
    [
        z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL, z3.Z3_OP_UMINUS, z3.Z3_OP_DIV,
        z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_LT, z3.Z3_OP_GT, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT,
        z3.Z3_OP_ITE, z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES,
    ]
)  # fmt: skip


class NotOfReals(Exception):
    """The question has more in it than sums, products, quotients and comparisons."""


def of_reals(terms: Iterable[Term]) -> list[Term] | None:
    """The same question over reals; None if it mixes none, or has more in it."""
    reading = _Reading()
    try:
        found = [reading.read(t) for t in terms]
    except NotOfReals:
        return None
    return found if reading.mixed else None


class _Reading:
    def __init__(self) -> None:
        self.known: dict[int, Term] = {}
        self.mixed = False

    def read(self, term: Term) -> Term:
        found = self.known.get(term.get_id())
        if found is None:
            found = self.known[term.get_id()] = self._read(term)
        return found

    def _read(self, term: Term) -> Term:
        kind = term.decl().kind()
        if z3.is_int_value(term):
            return z3.RealVal(term.as_long())
        if z3.is_rational_value(term) or z3.is_true(term) or z3.is_false(term):
            return term
        if kind == z3.Z3_OP_TO_REAL:
            self.mixed = True
            return self.read(term.arg(0))
        if z3.is_const(term) and kind == z3.Z3_OP_UNINTERPRETED:
            return self._variable(term)
        if kind not in _SAME:
            raise NotOfReals
        return _again(kind, [self.read(c) for c in term.children()])

    def _variable(self, term: Term) -> Term:
        if z3.is_int(term):
            return z3.Real(f"{term.decl().name()} as a real")
        if z3.is_real(term) or z3.is_bool(term):
            return term
        raise NotOfReals


def _again(kind: int, args: list[Term]) -> Term:
    match kind:
        case z3.Z3_OP_ADD:
            return z3.Sum(*args)
        case z3.Z3_OP_MUL:
            return z3.Product(*args)
        case z3.Z3_OP_SUB:
            first, *rest = args
            return first - z3.Sum(*rest)
        case z3.Z3_OP_UMINUS:
            return -args[0]
        case z3.Z3_OP_DIV:
            return args[0] / args[1]
        case z3.Z3_OP_DISTINCT:
            return z3.Distinct(*args)
        case z3.Z3_OP_ITE:
            return z3.If(*args)
        case z3.Z3_OP_AND:
            return z3.And(*args)
        case z3.Z3_OP_OR:
            return z3.Or(*args)
        case z3.Z3_OP_NOT:
            return z3.Not(args[0])
        case z3.Z3_OP_IMPLIES:
            return z3.Implies(*args)
    left, right = args
    if kind == z3.Z3_OP_EQ:
        return left == right
    if kind in (z3.Z3_OP_LE, z3.Z3_OP_GE):
        return left <= right if kind == z3.Z3_OP_LE else left >= right
    return left < right if kind == z3.Z3_OP_LT else left > right
