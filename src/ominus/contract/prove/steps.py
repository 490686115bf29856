"""The steps of a reducer on whole rows, as terms, for states of every type that adds reach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.contract.prove.hooks import Hooks
from ominus.contract.prove.partly import trace_partly
from ominus.contract.prove.smt import Reading, mentions, strange
from ominus.contract.prove.solve import impossible
from ominus.contract.prove.terms import (
    FALSE,
    Sym,
    Term,
    both,
    either,
    equal,
    fits,
    fresh,
    is_whole,
    lift,
    no,
)
from ominus.trace.expr import Const, Expr, walk
from ominus.trace.hints import type_of, type_of_value
from ominus.trace.kinds import Row, Tuple, Type, members, spell, union
from ominus.trace.symbols.path import Shared
from ominus.trace.trace import Opaque, Traced

AnyReducer = Reducer[Any, Any, Any]
_ROUNDS = 5


class Blocked(Exception):
    """Why a reducer's steps are not known."""


class Function:
    """A traced function: its value for symbolic arguments, and whether it raises.

    What raises whatever the first argument is lies outside what the reducer takes: `outside`.
    """

    def __init__(self, traced: Traced, whys: tuple[Opaque, ...]) -> None:
        self.traced, self.whys = traced, whys
        self.of_value = self._of_value()

    def _of_value(self) -> tuple[bool, ...]:
        """Which entries of `raises` have nothing to do with the first argument."""
        (one, of_one), *others = (fresh(k, f"arg{i}") for i, k in enumerate(self.traced.types))
        (other, of_other), rest = fresh(self.traced.types[0], "another"), [x[0] for x in others]
        here, there = Reading([one, *rest]), Reading([other, *rest])
        found = [
            not strange(r) and not mentions(here.raised(r), "arg0") for r in self.traced.raises
        ]
        # One error on each branch is one error, wherever the state may have sent the path.
        left = [r for r, own in zip(self.traced.raises, found, strict=True) if not own]
        if left and not any(map(strange, left)):
            x, y = (either(*(reading.raised(r) for r in left)) for reading in (here, there))
            known = [*of_one, *of_other, *(fact for _, facts in others for fact in facts)]
            if impossible([*known, x != y]):
                return (True,) * len(found)
        return tuple(found)

    def __call__(self, *args: Sym) -> Sym:
        return Reading(args).value(self.traced.expr)

    def outside(self, *args: Sym) -> Term:
        """Whether it raises for these values whatever the state is."""
        return self._raised(args, True)

    def fails(self, *args: Sym) -> Term:
        """Whether it raises for this state and others not, or only Python can tell what it does."""
        return self._raised(args, False)

    def raises(self, *args: Sym) -> Term:
        """Whether it raises at all."""
        return either(self.outside(*args), self.fails(*args))

    def _raised(self, args: tuple[Sym, ...], of_value: bool) -> Term:
        reading = Reading(args)
        pairs = zip(self.traced.raises, self.of_value, strict=True)
        return either(*(reading.raised(r) for r, own in pairs if own is of_value))

    def constants(self) -> set[int]:
        """The ints that are written in it."""
        found = (n.value for n in walk(self.traced.expr) if isinstance(n, Const))
        return {v for v in found if type(v) is int and abs(v) < 10**6}


class Steps:
    """`init`, `add`, `remove`, `merge`, `same` and what is read, over terms."""

    def __init__(self, reducer: AnyReducer, kind: Any) -> None:
        if reducer.mutates:
            raise Blocked("its state is changed in place")
        self.reducer = reducer
        self.value_type = type_of(kind)
        self.state_type, self.add = self._added()
        self.init = lift(reducer.init)
        pair = self.state_type, self.value_type
        twice = self.state_type, self.state_type
        self.remove = self._step("remove", reducer.remover, *pair)
        self._given: dict[str, tuple[Any, tuple[Type, ...]]] = {
            "merge": (reducer.merge, twice),
            "same": (reducer.same, twice),
            "finish": (reducer.finishing, (self.state_type,)),
        }
        self._known: dict[str, Function | None] = {}

    def part(self, name: str) -> Function | None:
        """`merge`, `same` or `finish`, if there is one."""
        if name not in self._known:
            f, kinds = self._given[name]
            self._known[name] = self._step(name, f, *kinds)
        return self._known[name]

    def _added(self) -> tuple[Type, Function]:
        state = type_of_value(self.reducer.init)
        for _ in range(_ROUNDS):
            add = _function("add", self.reducer.adder, state, self.value_type)
            if any(_is_recompute(n) for n in walk(add.traced.expr)):
                raise Blocked("add may give RECOMPUTE")
            wider = widened(state, add.traced.type)
            if wider == state:
                return state, add
            state = wider
        raise Blocked(f"the type of the state grows: {spell(state)[:80]}")

    def _step(self, name: str, f: Callable[..., Any] | None, *kinds: Type) -> Function | None:
        return None if f is None else _function(name, f, *kinds)

    def state(self, name: str) -> tuple[Sym, list[Term]]:
        """Any state of the type."""
        return fresh(self.state_type, name)

    def value(self, name: str) -> tuple[Sym, list[Term]]:
        """Any value that `add` takes, whatever the state."""
        made, known = fresh(self.value_type, name)
        anything, of_state = fresh(self.state_type, "anything")
        return made, [*known, *of_state, no(self.add.outside(anything, made))]

    def one(self, a: Sym, b: Sym) -> Term:
        """Whether two states are one, up to `same`."""
        same = self.part("same")
        if same is None:
            return equal(a, b)
        found = truth(same(a, b))
        inside = both(fits(a, self.state_type), fits(b, self.state_type))
        return both(inside, no(same.raises(a, b)), found)

    def promised(self, state: Sym, expected: Sym) -> Term:
        """Whether a state is `RECOMPUTE`, or the one that is expected."""
        return either(is_whole(state, RECOMPUTE), self.one(state, expected))


def truth(value: Sym) -> Term:
    """A value as a condition; false where it is no bool."""
    term = getattr(value, "term", None)
    return term if getattr(value, "kind", None) is bool else FALSE


def _function(name: str, f: Callable[..., Any], *kinds: Type) -> Function:
    traced, whys = trace_partly(Shared(Hooks()), f, *kinds)
    if isinstance(traced, Opaque):
        raise Blocked(f"{name} {traced.why} (line {traced.line})")
    return Function(traced, whys)


def _is_recompute(node: Expr) -> bool:
    return isinstance(node, Const) and node.value is RECOMPUTE


def widened(a: Type, b: Type) -> Type:
    """The type of values of both types; tuples and rows of one shape are widened part by part."""
    found = list(members(a))
    for kind in members(b):
        at = next((i for i, k in enumerate(found) if _one_shape(k, kind)), None)
        if at is None:
            found.append(kind)
        else:
            found[at] = _widened_parts(found[at], kind)
    return union(*found)


def _one_shape(a: Type, b: Type) -> bool:
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return a.py is b.py and len(a.items) == len(b.items)
    if isinstance(a, Row) and isinstance(b, Row):
        return a.py is b.py and [n for n, _ in a.fields] == [n for n, _ in b.fields]
    return a == b


def _widened_parts(a: Type, b: Type) -> Type:
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        return Tuple(tuple(widened(x, y) for x, y in zip(a.items, b.items, strict=True)), a.py)
    if isinstance(a, Row) and isinstance(b, Row):
        pairs = zip(a.fields, b.fields, strict=True)
        return Row(a.kind, a.py, tuple((n, widened(x, y)) for (n, x), (_, y) in pairs), a.make)
    return a
