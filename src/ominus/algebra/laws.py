"""The laws of reducers, as data: one name each, in code, tests, proofs and docs.

Each law is asked on reachable states: those that folds of multisets reach.
A law gives two sides for a case; it holds there if the sides are one up to the reducer's `same`.
A side that is `RECOMPUTE` promises nothing, so the case says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any, NamedTuple

from ominus.algebra.multiset import Multiset
from ominus.algebra.reducer import RECOMPUTE, Reducer
from ominus.algebra.value import one

AnyReducer = Reducer[Any, Any, Any]
Sides = tuple[Any, Any] | None
"""Two states that must be one; None where the law does not ask."""


@dataclass(frozen=True)
class Shown:
    """A result, where a law compares what states show and not the states."""

    result: Any


@dataclass(frozen=True)
class Law:
    """A law: its name, what it says, how many values it takes, and its two sides.

    `sides(reducer, values, *extra)`: `values` is the multiset behind the state, as a list; `extra`
    are the values that the law names, or a second list of values for the laws of `merge`.
    """

    name: str
    says: str
    arity: int
    sides: Callable[..., Sides]
    needs: tuple[str, ...] = ()
    makes_right: bool = False

    def asks(self, reducer: AnyReducer) -> bool:
        """Whether the reducer has what this law is about."""
        return all(getattr(reducer, part) is not None for part in self.needs)

    def holds(self, reducer: AnyReducer, values: list[Any], *extra: Any) -> bool | None:
        """Whether the law holds in a case; None where it says nothing."""
        sides = self.sides(reducer, values, *extra)
        if sides is None or sides[0] is RECOMPUTE or sides[1] is RECOMPUTE:
            return None
        return _agree(reducer, *sides)


def _agree(reducer: AnyReducer, a: Any, b: Any) -> bool:
    return one(a.result, b.result) if isinstance(a, Shown) else reducer.equal(a, b)


def _add(reducer: AnyReducer, state: Any, value: Any) -> Any:
    return RECOMPUTE if state is RECOMPUTE else reducer.adder(state, value)


def _remove(reducer: AnyReducer, state: Any, value: Any) -> Any:
    if state is RECOMPUTE or reducer.remover is None:
        return RECOMPUTE
    return reducer.remover(state, value)


def _add_commutes(r: AnyReducer, m: list[Any], u: Any, v: Any) -> Sides:
    return _add(r, _add(r, r.fold(m), u), v), _add(r, _add(r, r.fold(m), v), u)


def _remove_commutes(r: AnyReducer, m: list[Any], u: Any, v: Any) -> Sides:
    if not Multiset([u, v]) <= Multiset(m):
        return None
    return (_remove(r, _remove(r, r.fold(m), u), v), _remove(r, _remove(r, r.fold(m), v), u))


def _inverse(r: AnyReducer, m: list[Any], v: Any) -> Sides:
    return _remove(r, _add(r, r.fold(m), v), v), r.fold(m)


def _remove_add_commute(r: AnyReducer, m: list[Any], u: Any, v: Any) -> Sides:
    if u not in Multiset(m):
        return None
    return _add(r, _remove(r, r.fold(m), u), v), _remove(r, _add(r, r.fold(m), v), u)


def _merge(r: AnyReducer, a: Any, b: Any) -> Any:
    assert r.merge is not None
    return r.merge(a, b)


def _distributive(r: AnyReducer, m: list[Any], n: list[Any]) -> Sides:
    """`merge` of two folds against the fold of both, in the first order that tells them apart."""
    sides: Sides = None
    for values in enumerations([*m, *n]):
        sides = _merge(r, r.fold(m), r.fold(n)), r.fold(values)
        if not r.equal(*sides):
            break
    return sides


def enumerations(values: list[Any]) -> Iterable[Sequence[Any]]:
    """All orders of a few values; of more, four that move every one of them."""
    if len(values) <= 4:
        return permutations(values)
    half = len(values) // 2
    turned = [*values[half:], *values[:half]]
    return values, values[::-1], turned, [*values[::2], *values[1::2]]


Detour = tuple[list[Any], list[Any]]
"""What is added and then removed, in this order, on the way to a state."""


class Step(NamedTuple):
    """What can follow on a state: `add`, `remove` or `merge` of what is given, or `read`.

    `equal` compares it with the state of another detour, which is one with the folded state too.
    """

    name: str
    given: Any = None


class Difference(NamedTuple):
    """Two states of one multiset that `same` calls one, and the step that tells them apart.

    The first one is folded, the second one reached by a detour.
    """

    detour: Detour
    step: Step
    sides: tuple[Any, Any]
    agree: bool


def _same_respected(r: AnyReducer, m: list[Any], n: list[Any], v: Any) -> Sides:
    """Two states of `m`, one folded and one that took a way round by removes.

    Where `same` calls them one, they stay one under every step, and show one result; and `same` is
    an equivalence. The first pair that does not hold, else the last.
    """
    sides: Sides = None
    for found in _differences(r, m, n, v):
        sides = found.sides
        if not found.agree:
            break
    return sides


def first_difference(r: AnyReducer, m: list[Any], n: list[Any], v: Any) -> Difference | None:
    """The first step that tells two states apart which `same` calls one."""
    return next((found for found in _differences(r, m, n, v) if not found.agree), None)


def _differences(r: AnyReducer, m: list[Any], n: list[Any], v: Any) -> Iterator[Difference]:
    for detour in _detours(m, n, v):
        for step in _steps(r, m, n, v):
            folded, reached = r.fold(m), _reached(r, *detour)
            if reached is RECOMPUTE or not r.equal(folded, reached):
                break
            after = _stepped(r, folded, step), _stepped(r, reached, step)
            if not any(x is RECOMPUTE for x in after):
                yield Difference(detour, step, after, _agree(r, *after))
    yield from _unequal(r, m, n, v)


def _unequal(r: AnyReducer, m: list[Any], n: list[Any], v: Any) -> Iterator[Difference]:
    """States that are one with the folded one, and not with each other, or not the other way."""
    folded = r.fold(m)
    ways = [(detour, _reached(r, *detour)) for detour in _detours(m, n, v)]
    ones = [(d, s) for d, s in ways if s is not RECOMPUTE and r.equal(folded, s)]
    for (detour, state), (other, second) in product(ones, [(([*m], []), folded), *ones]):
        if not r.equal(state, second):
            yield Difference(detour, Step("equal", other), (Shown(False), Shown(True)), False)


def _detours(m: list[Any], n: list[Any], v: Any) -> list[Detour]:
    """What is added and then removed, in this order, so that `m` is left."""
    return [
        ([*m, v], [v]),
        ([*m, *m], m),
        ([*m, *n], n),
        ([*n, *m], n),
        ([*m, v, *n], [*reversed(n), v]),
        (m[::-1], []),
    ]


def _reached(r: AnyReducer, added: list[Any], removed: list[Any]) -> Any:
    state = r.fold(added)
    for value in removed:
        state = _remove(r, state, value)
    return state


def _steps(r: AnyReducer, m: list[Any], n: list[Any], v: Any) -> list[Step]:
    """Every step that can follow on `m`; what an empty group shows is never asked."""
    steps = [Step("add", v), *(Step("remove", u) for u in m[:4])]
    if r.merge is not None:
        steps += [Step("merge", n), Step("merge", [v])]
    return [*steps, Step("read")] if m else steps


def _stepped(r: AnyReducer, state: Any, step: Step) -> Any:
    if step.name == "add":
        return _add(r, state, step.given)
    if step.name == "remove":
        return _remove(r, state, step.given)
    if step.name == "merge":
        return _merge(r, state, r.fold(step.given))
    return Shown(r.read(state))


LAWS: dict[str, Law] = {
    law.name: law
    for law in (
        Law("add_commutes", "(a + u) + v == (a + v) + u", 2, _add_commutes, makes_right=True),
        Law(
            "remove_commutes",
            "(a - u) - v == (a - v) - u, where u and v are in the multiset",
            2,
            _remove_commutes,
            ("remove",),
        ),
        Law("inverse", "(a + v) - v == a", 1, _inverse, ("remove",), makes_right=True),
        Law(
            "remove_add_commute",
            "(a - u) + v == (a + v) - u, where u is in the multiset",
            2,
            _remove_add_commute,
            ("remove",),
        ),
        Law(
            "distributive",
            "merge(fold(m), fold(n)) == fold(m + n), however m + n is enumerated",
            1,
            _distributive,
            ("merge",),
        ),
        Law(
            "same_respected",
            "states of one multiset that `same` calls one stay one under every step, and show one",
            2,
            _same_respected,
            ("same",),
            makes_right=True,
        ),
    )
}
"""Every law by its name."""


def orders_agree(reducer: AnyReducer, values: list[Any]) -> bool:
    """Whether every enumeration of a small multiset folds to one state: what Definition 8 misses.

    >>> concatenation = Reducer("", lambda a, v: a + v, lambda a, v: a[:-1])
    >>> orders_agree(concatenation, ["a", "b"])
    False
    """
    states = [reducer.fold(list(p)) for p in permutations(values)]
    return all(reducer.equal(states[0], s) for s in states[1:])
