"""Recognise a join of a state and a term: by min, max, or, and, union or intersection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from ominus.trace.expr import Cond, Expr, Op, Pool
from ominus.trace.kinds import Many

By = Literal["min", "max", "or", "and", "union", "intersection"]


@dataclass(frozen=True, slots=True)
class Joined:
    """`by` of the state and `term`, where `where` holds (None: always); `empty`: None at first."""

    by: By
    term: Expr
    where: Expr | None = None
    empty: bool = False


def joined(pool: Pool, state: Expr, x: Expr, free: Callable[[Expr], bool]) -> Joined | None:
    """How `x` joins the state with something free of it, if it does."""
    if isinstance(x, Op) and len(x.args) == 2:
        return _by_operator(state, x, free)
    if not isinstance(x, Cond):
        return None
    found = _by_comparison(pool, state, x, free)
    if found is None and _asks_none(x.test, state):
        found = _from_nothing(pool, state, x, free)
    if found is None and free(x.test):
        found = _by_condition(pool, state, x, free)
    return found


def _bare(x: Expr) -> Expr:
    """The value itself, whatever is known of its type on this path."""
    return x.args[0] if isinstance(x, Op) and x.name == "the" else x


def _by_operator(state: Expr, x: Op, free: Callable[[Expr], bool]) -> Joined | None:
    by = _operator(x)
    if by is None:
        return None
    for own, term in (x.args, x.args[::-1]):
        if _bare(own) is state and free(term):
            return Joined(by, term)
    return None


def _operator(x: Op) -> By | None:
    sets = isinstance(x.type, Many)
    table: dict[str, By] = {
        "min": "min", "max": "max", "or": "or", "and": "and",
        "|": "union" if sets else "or", "&": "intersection" if sets else "and",
    }  # fmt: skip
    return table.get(x.name)


_SMALLER = {"<": True, "<=": True, ">": False, ">=": False}


def _by_comparison(pool: Pool, state: Expr, x: Cond, free: Callable[[Expr], bool]) -> Joined | None:
    """`v if v < a else a` and its like, also `v if a is None or v < a else a`."""
    test, empty = x.test, False
    if isinstance(test, Op) and test.name == "or" and _asks_none(test.args[0], state):
        test, empty = test.args[1], True
    if not isinstance(test, Op) or test.name not in _SMALLER:
        return None
    left, right = map(_bare, test.args)
    then, other = _bare(x.then), _bare(x.other)
    if (then, other) == (left, right):
        smallest = _SMALLER[test.name]
    elif (then, other) == (right, left):
        smallest = not _SMALLER[test.name]
    else:
        return None
    term = left if right is state else right
    if (left is not state and right is not state) or not free(term) or (empty and then is state):
        return None
    return Joined("min" if smallest else "max", term, empty=empty)


def _asks_none(test: Expr, state: Expr) -> bool:
    return isinstance(test, Op) and test.name == "is None" and test.args[0] is state


def _from_nothing(pool: Pool, state: Expr, x: Cond, free: Callable[[Expr], bool]) -> Joined | None:
    """`v if a is None else min(a, v)`: the same term in both."""
    found = joined(pool, state, x.other, free)
    if found is None or found.where is not None or found.empty or x.then is not found.term:
        return None
    return replace(found, empty=True)


def _by_condition(pool: Pool, state: Expr, x: Cond, free: Callable[[Expr], bool]) -> Joined | None:
    """One way joins and the other keeps, or both join alike."""
    yes, no = joined(pool, state, x.then, free), joined(pool, state, x.other, free)
    if yes is not None and yes.where is None and _bare(x.other) is state:
        return replace(yes, where=x.test)
    if no is not None and no.where is None and _bare(x.then) is state:
        return replace(no, where=pool.op(bool, "not", (x.test,)))
    if yes is None or no is None or (yes.by, yes.empty) != (no.by, no.empty):
        return None
    if yes.where is not None or no.where is not None:
        return None
    return replace(yes, term=pool.cond(yes.term.type, x.test, yes.term, no.term))
