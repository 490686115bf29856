"""Find a few values that break a law, and run them: only what breaks it then is reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import z3

from ominus.algebra.reducer import Reducer
from ominus.contract.prove.concrete import concrete
from ominus.contract.prove.goals import GOALS, Goal, merge_of_folds
from ominus.contract.prove.solve import Budget
from ominus.contract.prove.steps import Steps
from ominus.contract.prove.terms import TRUE, Sym, Term, leaves, no
from ominus.contract.verdict import Witness
from ominus.contract.witness import refute
from ominus.trace.kinds import Row, Tuple, Type, members

AnyReducer = Reducer[Any, Any, Any]
_SMALL = (1, 3, 10, 1000)


def counterexample(steps: Steps, law: str, budget: Budget, sizes: Iterable[int]) -> Witness | None:
    """A case against a law, after so many adds: found by the solver, then run."""
    for size in sizes:
        for values, known, goal, case in _cases(steps, law, size):
            terms = [*known, *goal.assume, goal.safe, no(goal.holds)]
            for model in _models(terms, values, budget):
                found = _run(steps.reducer, law, case, model)
                if found is not None:
                    return found
    return None


Case = tuple[Any, ...]


def _cases(steps: Steps, law: str, size: int) -> Iterator[tuple[list[Sym], list[Term], Goal, Case]]:
    values, known, state = _history(steps, size, "h")
    if law != "distributive":
        for make in GOALS[law]:
            goal = make(steps, state, lambda _: TRUE)
            yield [*values, *goal.given], known, goal, (values, *goal.given)
        return
    for more in range(3 if size < 3 else 1):
        others, also, other = _history(steps, more, "k")
        goal = merge_of_folds(steps, state, other, others)
        yield [*values, *others], [*known, *also], goal, (values, others)


def _history(steps: Steps, size: int, name: str) -> tuple[list[Sym], list[Term], Sym]:
    """So many values, and the state that they fold to."""
    state, values, known = steps.init, [], []
    for i in range(size):
        value, facts = steps.value(f"{name}{i}")
        known += [*facts, no(steps.add.fails(state, value))]
        state = steps.add(state, value)
        values.append(value)
    return values, known, state


def _models(terms: list[Term], values: list[Sym], budget: Budget) -> Iterator[Any]:
    """Models of these terms, those of small values first."""
    answer, first = budget.ask(terms, share=0.1)
    if answer != "sat":
        return
    for bound in _SMALL:
        answer, model = budget.ask([*terms, *_bounds(values, bound)], share=0.05)
        if answer == "sat":
            yield model
            break
    yield first


def _bounds(values: list[Sym], bound: int) -> list[Term]:
    found = []
    for value in values:
        for _, _, leaf in leaves(value):
            if leaf.kind is int:
                found.append(z3.And(leaf.term >= -bound, leaf.term <= bound))
            elif leaf.kind is str:
                found.append(z3.Length(leaf.term) <= bound)
    return found


def _run(reducer: AnyReducer, law: str, case: Case, model: Any) -> Witness | None:
    try:
        values, *given = (_values(c, model) for c in case)
    except Exception:  # a row that its class does not make, a date that is none
        return None
    return refute(reducer, law, values, *given)


def _values(case: Any, model: Any) -> Any:
    return [concrete(c, model) for c in case] if isinstance(case, list) else concrete(case, model)


# ---- floats: found by running

_FLOATS = (0.1, 0.2, 1.0, 1e16, -1e16, 3.0)
_OTHERS: dict[Any, tuple[Any, ...]] = {
    int: (1, 0, 3, -1, 10**16 + 1),
    bool: (True, False),
    str: ("a", "b"),
}


def classic(reducer: AnyReducer, law: str, kind: Type, most: int = 400) -> Witness | None:
    """A case against a law among a few floats that are known to round."""
    some = samples(kind)
    for size in range(3):
        for chosen in list(product(some, repeat=size + _NAMED.get(law, 9)))[:most]:
            given = [list(chosen[size:])] if law == "distributive" else chosen[size:]
            found = refute(reducer, law, list(chosen[:size]), *given)
            if found is not None:
                return found
    return None


_NAMED = {"add_commutes": 2, "inverse": 1, "distributive": 1}


def samples(kind: Type) -> list[Any]:
    """A few values of a type that has floats in it."""
    if isinstance(kind, Tuple):
        return [kind.py(v) for v in _mixed([samples(k) for k in kind.items])]
    if isinstance(kind, Row):
        mixed = _mixed([samples(k) for _, k in kind.fields])
        try:
            return [
                kind.make(*v)
                if kind.kind == "namedtuple"
                else kind.make(**dict(zip((n for n, _ in kind.fields), v, strict=True)))
                for v in mixed
            ]
        except Exception:
            return []
    found: list[Any] = []
    for member in members(kind):
        found += _FLOATS if member is float else _OTHERS.get(member, ())
        found += [None] if member is type(None) else []
    return found


def _mixed(parts: list[list[Any]]) -> list[tuple[Any, ...]]:
    """One value of each list, each value at least once."""
    if not all(parts):
        return []
    most = max(map(len, parts), default=0)
    return [tuple(p[(i + j) % len(p)] for j, p in enumerate(parts)) for i in range(most)]


def has_float(kind: Type) -> bool:
    """Whether there is a float in values of this type."""
    if isinstance(kind, Tuple):
        return any(map(has_float, kind.items))
    if isinstance(kind, Row):
        return any(has_float(k) for _, k in kind.fields)
    return float in members(kind)
