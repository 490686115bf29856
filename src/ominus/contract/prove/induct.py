"""Invariants of reachable states: guessed, then kept where `init` has them and `add` keeps them.

What is kept holds by induction over the adds, all of it together (Houdini's way: one that an add
can break is dropped, until none is).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from operator import eq, ge, le
from typing import Any

import z3

from ominus.contract.prove.solve import Budget
from ominus.contract.prove.steps import Steps
from ominus.contract.prove.terms import (
    Leaf,
    Parts,
    Sym,
    Term,
    both,
    either,
    equal,
    key_of,
    leaves,
    no,
    options,
)

_MOST = 160
_PAIRS = 8


class View:
    """A state, its scalars by their place, and whether it is the start."""

    def __init__(self, state: Sym, steps: Steps) -> None:
        self.state = state
        self.at: dict[str, list[tuple[Term, Leaf]]] = {}
        for guard, where, leaf in leaves(state):
            self.at.setdefault(where, []).append((guard, leaf))
        self.start = equal(state, steps.init)

    def scalars(self, at: str, *kinds: Any) -> list[tuple[Term, Term]]:
        """The terms of a place, each with when it is there."""
        return [(g, x.term) for g, x in self.at.get(at, ()) if x.kind in kinds]


@dataclass(frozen=True)
class Guess:
    """Something that may be true of every reachable state."""

    says: str
    of: Callable[[View], Term]


def invariants(steps: Steps, budget: Budget) -> list[Guess]:
    """What holds of every state that adds reach, as far as it was guessed."""
    start = View(steps.init, steps)
    guesses = [g for g in list(_guesses(steps))[:_MOST] if z3.is_true(z3.simplify(g.of(start)))]
    state, known = steps.state("s")
    value, of_value = steps.value("w")
    after = steps.add(state, value)
    always = [*known, *of_value, no(steps.add.fails(state, value))]
    before, later = View(state, steps), View(after, steps)
    kept = [(g, g.of(before), g.of(later)) for g in guesses]
    while kept:
        answer, model = budget.ask(
            [*always, *_before(kept), no(both(*(k[2] for k in kept)))], share=0.25
        )
        if answer == "unsat":
            return [k[0] for k in kept]
        if answer == "unknown":
            return _one_by_one(kept, always, budget)
        left = [k for k in kept if z3.is_true(model.eval(k[2], model_completion=True))]
        if len(left) == len(kept):  # the model does not say which of them it breaks
            return _one_by_one(kept, always, budget)
        kept = left
    return []


Kept = list[tuple[Guess, Term, Term]]


def _before(kept: Kept) -> list[Term]:
    return [k[1] for k in kept]


def _one_by_one(kept: Kept, always: list[Term], budget: Budget) -> list[Guess]:
    """The same where the whole is too hard: each is asked for alone, until none is dropped."""
    while kept and not budget.over:
        still = [
            k for k in kept
            if budget.ask([*always, *_before(kept), no(k[2])], share=0.02)[0] == "unsat"
        ]  # fmt: skip
        if len(still) == len(kept):
            return [k[0] for k in kept]
        kept = still
    return []


# ---- guesses


def _guesses(steps: Steps) -> Iterator[Guess]:
    state, _ = steps.state("s")
    found = leaves(state)
    counted = [at for _, at, leaf in found if leaf.kind in (int, Fraction)]
    counted = list(dict.fromkeys(counted))
    for at in counted:
        yield from _of_one(steps, at)
    for at in dict.fromkeys(at for _, at, leaf in found if leaf.kind is bool):
        yield Guess(f"state{at} is true", _leaf_is(at, lambda x: x, bool))
        yield Guess(f"state{at} is false", _leaf_is(at, no, bool))
    yield from _of_types(state, counted)
    yield from _of_pairs(counted)


def _of_one(steps: Steps, at: str) -> Iterator[Guess]:
    yield Guess(f"state{at} >= 0", _leaf_is(at, lambda x: x >= 0))
    yield Guess(f"state{at} <= 0", _leaf_is(at, lambda x: x <= 0))
    yield Guess(f"state{at} >= 1", _leaf_is(at, lambda x: x >= 1))
    yield Guess(f"state{at} != 0", _leaf_is(at, lambda x: x != 0))
    yield Guess(f"state{at} = 0 only at the start", _only_at_start(at))
    yield Guess(f"the start only at state{at} = 0", _at_start_only(at))
    known = _constants(steps, at)
    for c in sorted(known | {c - 1 for c in known})[:12]:
        yield Guess(f"state{at} == {c}", _leaf_is(at, partial(eq, c)))
        yield Guess(f"state{at} <= {c}", _leaf_is(at, partial(ge, c)))
        yield Guess(f"state{at} >= {c}", _leaf_is(at, partial(le, c)))


def _constants(steps: Steps, at: str) -> set[int]:
    first = {
        x.term.as_long() for _, where, x in leaves(steps.init) if where == at and x.kind is int
    }
    return {0, 1} | first | steps.add.constants()


def _only_at_start(at: str) -> Callable[[View], Term]:
    return lambda view: either(no(_is_zero(view, at)), view.start)


def _at_start_only(at: str) -> Callable[[View], Term]:
    def of(view: View) -> Term:
        more = either(*(both(g, x != 0) for g, x in view.scalars(at, int, Fraction)))
        return no(both(more, view.start))

    return of


def _is_zero(view: View, at: str) -> Term:
    return either(*(both(g, x == 0) for g, x in view.scalars(at, int, Fraction)))


def _leaf_is(at: str, test: Callable[[Term], Term], *kinds: Any) -> Callable[[View], Term]:
    """Wherever there is a scalar of this place, the test holds of it."""
    kinds = kinds or (int, Fraction)
    return lambda view: both(*(either(no(g), test(x)) for g, x in view.scalars(at, *kinds)))


def _of_types(state: Sym, counted: list[str]) -> Iterator[Guess]:
    """What goes with the type of a part that has several."""
    for path, keys in _choices(state, ()):
        for key in keys:
            here = f"state{_spelled(path)} is"
            yield Guess(f"{here} no {_named(key)}", partial(_is_not, path, key))
            for at in counted:
                says = f"{here} {_named(key)} exactly where state{at} is 0"
                yield Guess(says, partial(_is_where_zero, path, key, at))


def _is_not(path: tuple[int, ...], key: Any, view: View) -> Term:
    return no(_is_key(view.state, path, key))


def _is_where_zero(path: tuple[int, ...], key: Any, at: str, view: View) -> Term:
    return _is_key(view.state, path, key) == _is_zero(view, at)


def _spelled(path: tuple[int, ...]) -> str:
    return "".join(f"[{i}]" for i in path)


def _named(key: Any) -> str:
    found = key[0] if isinstance(key, tuple) else key
    return str(getattr(found, "__name__", "that"))


def _choices(state: Sym, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[Any]]]:
    if len(options(state)) > 1:
        yield path, [key_of(x) for _, x in options(state)]
    for _, option in options(state):
        for i, item in enumerate(getattr(option, "items", ())):
            yield from _choices(item, (*path, i))


def _is_key(state: Sym, path: tuple[int, ...], key: Any) -> Term:
    if not path:
        return either(*(g for g, x in options(state) if key_of(x) == key))
    return either(
        *(
            both(g, _is_key(x.items[path[0]], path[1:], key))
            for g, x in options(state)
            if isinstance(x, Parts) and path[0] < len(x.items)
        )
    )


def _of_pairs(counted: list[str]) -> Iterator[Guess]:
    for i, one in enumerate(counted[:_PAIRS]):
        for other in counted[i + 1 : _PAIRS]:
            yield Guess(f"state{one} == state{other}", _pair(one, other, lambda x, y: x == y))
            yield Guess(f"state{one} >= state{other}", _pair(one, other, lambda x, y: x >= y))
            yield Guess(f"state{one} <= state{other}", _pair(one, other, lambda x, y: x <= y))
            yield Guess(f"state{one} = 0 with state{other} = 0", _pair(one, other, _zero_with_zero))
            yield Guess(f"state{other} = 0 with state{one} = 0", _pair(other, one, _zero_with_zero))


def _zero_with_zero(x: Term, y: Term) -> Term:
    return either(x != 0, y == 0)


def _pair(one: str, other: str, test: Callable[[Term, Term], Term]) -> Callable[[View], Term]:
    def of(view: View) -> Term:
        pairs = product(view.scalars(one, int, Fraction), view.scalars(other, int, Fraction))
        return both(*(either(no(both(g, h)), test(x, y)) for (g, x), (h, y) in pairs))

    return of


def all_of(guesses: list[Guess], steps: Steps) -> Callable[[Sym], Term]:
    """That all of these hold of a state."""

    def of(state: Sym) -> Term:
        view = View(state, steps)
        return both(*(g.of(view) for g in guesses))

    return of
