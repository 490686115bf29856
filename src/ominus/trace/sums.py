"""Integer expressions as sums of products, in one form: what makes two ways to write a sum equal.

A condition counts as an indicator, 1 where it holds and 0 elsewhere: `v if t else 0` is `[t] * v`,
and an indicator times itself is itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from ominus.trace.expr import Cond, Const, Expr, Op, Pool
from ominus.trace.symbols.path import canonical

Product = tuple[int, ...]  # the ids of its atoms, sorted
_MOST = 400


class TooLarge(Exception):
    """The sum has more products than it is worth to look at."""


class Sum:
    """A sum of integer multiples of products of atoms."""

    def __init__(self, products: dict[Product, int]) -> None:
        if len(products) > _MOST:
            raise TooLarge
        self.products = {p: c for p, c in products.items() if c}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sum) and self.products == other.products

    __hash__ = None  # type: ignore[assignment]

    def plus(self, other: Sum, times: int = 1) -> Sum:
        found = dict(self.products)
        for p, c in other.products.items():
            found[p] = found.get(p, 0) + times * c
        return Sum(found)


ONE = Sum({(): 1})


class Sums:
    """Reads expressions of one pool as sums; remembers which atoms are indicators."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.atoms: dict[int, Expr] = {}
        self.indicators: set[int] = set()

    def read(self, x: Expr) -> Sum:
        """An expression of numbers as a sum."""
        if x.type is bool:
            return self.indicator(x)
        match x:
            case Const(_, int() as value):
                return Sum({(): int(value)})
            case Op(_, "+" | "-" as name, (a, b)):
                return self.read(a).plus(self.read(b), 1 if name == "+" else -1)
            case Op(_, "*", (a, b)):
                return self.times(self.read(a), self.read(b))
            case Op(_, "neg", (a,)):
                return Sum({}).plus(self.read(a), -1)
            case Op(_, "int" | "pos", (a,)) if a.type in (int, bool):
                return self.read(a)
            case Op(_, "**", (a, Const(_, 2))):
                return self.times(self.read(a), self.read(a))
            case Cond(_, test, then, other):
                below = self.read(other)
                return below.plus(self.times(self.indicator(test), self.read(then).plus(below, -1)))
        return self.atom(x)

    def indicator(self, x: Expr) -> Sum:
        """A condition as 1 or 0."""
        match x:
            case Const(_, value):
                return Sum({(): int(value)})
            case Op(_, "and", (a, b)):
                return self.times(self.indicator(a), self.indicator(b))
            case Op(_, "or", (a, b)):
                one, other = self.indicator(a), self.indicator(b)
                return one.plus(other).plus(self.times(one, other), -1)
            case Cond(_, test, then, other):
                below = self.indicator(other)
                return below.plus(
                    self.times(self.indicator(test), self.indicator(then).plus(below, -1))
                )
        asked, flipped = canonical(self.pool, x)
        if isinstance(asked, Const):
            return Sum({(): int(bool(asked.value) is not flipped)})
        self.indicators.add(id(asked))
        found = self.atom(asked)
        return ONE.plus(found, -1) if flipped else found

    def atom(self, x: Expr) -> Sum:
        self.atoms[id(x)] = x
        return Sum({(id(x),): 1})

    def times(self, one: Sum, other: Sum) -> Sum:
        found: dict[Product, int] = {}
        for p, c in one.products.items():
            for q, d in other.products.items():
                key = self._joined((*p, *q))
                found[key] = found.get(key, 0) + c * d
                if len(found) > _MOST:
                    raise TooLarge
        return Sum(found)

    def _joined(self, atoms: Iterable[int]) -> Product:
        kept: list[int] = []
        for atom in sorted(atoms):
            if not (kept and kept[-1] == atom and atom in self.indicators):
                kept.append(atom)
        return tuple(kept)

    def write(self, found: Sum) -> Expr:
        """A sum as an expression again."""
        total: Expr | None = None
        for product, times in found.products.items():
            term = self._write_product(product, times)
            total = term if total is None else self.pool.op(int, "+", (total, term))
        return self.pool.const(0, int) if total is None else total

    def _write_product(self, product: Product, times: int) -> Expr:
        factors = [self.atoms[a] for a in product if a not in self.indicators]
        term = factors[0] if factors else self.pool.const(times, int)
        for factor in factors[1:]:
            term = self.pool.op(int, "*", (term, factor))
        if factors and times != 1:
            term = self.pool.op(int, "*", (term, self.pool.const(times, int)))
        for atom in product:
            if atom in self.indicators:
                term = self.pool.cond(int, self.atoms[atom], term, self.pool.const(0, int))
        return term
