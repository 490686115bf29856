"""What a reducer is, found in its code: linear, a semilattice, or neither.

*Linear*: `add` is `a + f(v)` and `remove` is `a - f(v)`, part by part of the state, so that any
engine can run it as a signed sum. *Semilattice*: `add` is `a` joined with `f(v)` by min, max, or,
and, union or intersection, so that order and repetition do not matter. Never found by a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ominus.trace.expr import Cond, Const, Expr, Op, Pool, walk
from ominus.trace.hints import type_of, type_of_value
from ominus.trace.kinds import Row, Tuple, Type, members, spell
from ominus.trace.lattice import Joined, joined
from ominus.trace.sums import Sum, Sums, TooLarge
from ominus.trace.symbols.path import Constructor, Shared
from ominus.trace.trace import Opaque, Traced, trace_in
from ominus.trace.tree import Raise, choose

Key: TypeAlias = tuple["str | int", ...]


@dataclass(frozen=True, slots=True)
class Linear:
    """This part of the state is a sum; `term` is what a value (argument 1) adds to it."""

    at: Key
    term: Expr


@dataclass(frozen=True, slots=True)
class Semilattice:
    """This part is `by` of what it was and `term`, for values where `where` holds (None: all).

    `empty` says that the state is None until the first value.
    """

    at: Key
    by: Literal["min", "max", "or", "and", "union", "intersection"]
    term: Expr
    where: Expr | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class General:
    """Nothing is known of this part, and why; `witness` is (state, value) that shows it."""

    at: Key
    why: str
    witness: tuple[Any, Any] | None = None


Part: TypeAlias = Linear | Semilattice | General


@dataclass(frozen=True, slots=True)
class Shape:
    """What `derive` found: one word, each part of the state, and why not more.

    `raises` is what `add` may raise: a row where it does has no term.
    """

    kind: Literal["linear", "semilattice", "general"]
    parts: tuple[Part, ...]
    why: str = ""
    raises: tuple[Raise, ...] = ()


def derive(
    init: Any,
    add: Callable[[Any, Any], Any],
    remove: Callable[[Any, Any], Any] | None = None,
    *,
    value: Any,
    state: Any = None,
    constructors: Mapping[Any, Constructor] | None = None,
) -> Shape:
    """Say what the reducer `(init, add, remove)` is for values of this type.

    `state` is the type of what it keeps, by default that of `init`; without `remove`, a linear
    `add` says what it would be.
    """
    kept = type_of_value(init) if state is None else type_of(state)
    shared = Shared(constructors or {})
    added = trace_in(shared, add, kept, type_of(value))
    taken = None if remove is None else trace_in(shared, remove, kept, type_of(value))
    if isinstance(added, Opaque):
        return _general(f"add {added.why} (line {added.line})")
    return _Deriver(shared.pool, kept, added, taken).shape()


def _general(why: str) -> Shape:
    return Shape("general", (General((), why),), why)


class _Deriver:
    """One question: what `added` does to each part of a state."""

    def __init__(
        self, pool: Pool, kept: Type, added: Traced, taken: Traced | Opaque | None
    ) -> None:
        self.pool, self.kept, self.added, self.taken = pool, kept, added, taken
        self.sums = Sums(pool)
        self.state = pool.arg(kept, 0, "")

    def shape(self) -> Shape:
        parts = tuple(self._part(at, kind) for at, kind in _leaves(self.kept, ()))
        kind: Literal["linear", "semilattice", "general"] = "general"
        if parts and all(isinstance(p, Linear) for p in parts):
            kind = "linear"
        elif parts and all(isinstance(p, Semilattice) for p in parts):
            kind = "semilattice"
        why = next((p.why for p in parts if isinstance(p, General)), "")
        unsafe = None if why else self._of_state(self.added)
        if unsafe:
            return _general(f"add {unsafe}")
        mixed = "its parts are of several kinds" if kind == "general" and not why else why
        return Shape(kind, parts, mixed, self.added.raises)

    def _of_state(self, traced: Traced) -> str | None:
        """Why the state takes part in more than it may, if it does."""
        for one in traced.raises:
            if self._depends(one.node) or self._depends(one.guard):
                return f"may raise, depending on the state (line {one.line})"
        return None

    def _depends(self, x: Expr) -> bool:
        return any(node is self.state for node in walk(x))

    def _part(self, at: Key, kind: Type) -> Part:
        before, after = self._at(self.state, at), self._at(self.added.expr, at)
        if before is None or after is None:
            return General(
                at, f"add gives {spell(self.added.type)} for a state of {spell(self.kept)}"
            )
        lattice = joined(self.pool, before, after, lambda x: not self._depends(x))
        if lattice is not None and set(members(after.type)) <= set(members(kind)):
            return _semilattice(at, kind, lattice)
        try:
            return self._linear(at, kind, before, after)
        except TooLarge:
            return General(at, "the sum is too large to look at")

    def _linear(self, at: Key, kind: Type, before: Expr, after: Expr) -> Part:
        term = self._term(before, after)
        if term is None:
            return General(at, "add is no sum of the state and a term of the value")
        if kind is not int:
            return _inexact(at, kind, self.added)
        if after.type is not int:
            return General(at, f"add gives {spell(after.type)} for a state of int")
        unlike = self._taken(at, before, term)
        return General(at, unlike) if unlike else Linear(at, self._written(before, after, term))

    def _term(self, before: Expr, after: Expr) -> Sum | None:
        """What is added, if `after` is `before` plus something free of the state."""
        found = self.sums.read(after).plus(self.sums.read(before), -1)
        free = all(not self._depends(self.sums.atoms[a]) for p in found.products for a in p)
        return found if free else None

    def _taken(self, at: Key, before: Expr, term: Sum) -> str | None:
        """Why `remove` does not take away what `add` adds, if it does not."""
        if self.taken is None:
            return None
        if isinstance(self.taken, Opaque):
            return f"remove {self.taken.why} (line {self.taken.line})"
        why = self._of_state(self.taken)
        if why:
            return f"remove {why}"
        if not {id(r.node) for r in self.taken.raises} <= {id(r.node) for r in self.added.raises}:
            return "remove may raise where add does not"
        after = self._at(self.taken.expr, at)
        found = None if after is None or after.type is not int else self._term(before, after)
        if found is None:
            return "remove is no difference of the state and a term of the value"
        if found.plus(term).products:
            taken, added = self.sums.write(found), self.sums.write(term)
            return f"remove changes the state by {taken}, add by {added}"
        return None

    def _written(self, before: Expr, after: Expr, term: Sum) -> Expr:
        """The term as the user wrote it, where it stands by itself."""
        stripped = self._stripped(before, after)
        return self.sums.write(term) if stripped is None else stripped

    def _stripped(self, before: Expr, x: Expr) -> Expr | None:
        zero = self.pool.const(0, int)
        if x is before:
            return zero
        match x:
            case Op(_, "+", (a, b)):
                left, other = (a, b) if self._depends(a) else (b, a)
                rest = self._stripped(before, left)
                if rest is None or self._depends(other):
                    return None
                more = other if other.type is int else self.pool.op(int, "int", (other,))
                return more if rest is zero else self.pool.op(int, "+", (rest, more))
            case Cond(_, test, then, other):
                yes, no = self._stripped(before, then), self._stripped(before, other)
                if yes is None or no is None or self._depends(test):
                    return None
                return yes if yes is no else self.pool.cond(int, test, yes, no)
        return None

    def _at(self, x: Expr, at: Key) -> Expr | None:
        """The part of a state that stands under a key, looked for through conditions."""
        for key in at:
            found = self._under(x, key)
            if found is None:
                return None
            x = found
        return x

    def _under(self, x: Expr, key: str | int) -> Expr | None:
        kind = x.type
        if isinstance(x, Cond):
            then, other = self._under(x.then, key), self._under(x.other, key)
            if then is None or other is None:
                return None
            return choose(self.pool, x.test, then, other)
        if isinstance(kind, Tuple) and isinstance(key, int) and key < len(kind.items):
            if isinstance(x, Const):
                return self.pool.const(x.value[key], type_of_value(x.value[key]))
            return self.pool.get(kind.items[key], x, key)
        if isinstance(kind, Row) and isinstance(key, str) and kind.field(key) is not None:
            found = kind.field(key)
            assert found is not None
            return None if isinstance(x, Const) else self.pool.get(found, x, key)
        return None


def _leaves(kind: Type, at: Key) -> list[tuple[Key, Type]]:
    """The parts of a state that are no tuple or row themselves."""
    if isinstance(kind, Tuple):
        return [leaf for i, t in enumerate(kind.items) for leaf in _leaves(t, (*at, i))]
    if isinstance(kind, Row):
        return [leaf for n, t in kind.fields for leaf in _leaves(t, (*at, n))]
    return [(at, kind)]


def _semilattice(at: Key, kind: Type, found: Joined) -> Part:
    if found.by in ("min", "max") and found.term.type is float:
        why = f"refuted over floats: {found.by} keeps a NaN or not, by the order"
        return General(at, why, (1.0, float("nan")))
    return Semilattice(at, found.by, found.term, found.where, found.empty)


def _inexact(at: Key, kind: Type, added: Traced) -> Part:
    if kind is float:
        return General(at, "refuted over floats: what is rounded is not taken back", _lost(added))
    return General(at, f"sums of {spell(kind)} are not known to be exact")


def _lost(added: Traced) -> tuple[Any, Any] | None:
    """A state and a value whose sum forgets the value, where both are floats."""
    if added.types != (float, float):
        return None
    for a, v in ((1e16, 1.0), (1.0, 1e16), (1e16, -1.0), (1e308, 1e308), (0.1, 0.2)):
        try:
            if added.run(a, v) - added.run(0.0, v) != a:
                return a, v
        except ArithmeticError:
            continue
    return None
