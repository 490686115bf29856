"""Each law as a question for the solver: what may be assumed of a state, what must hold then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ominus.algebra.reducer import RECOMPUTE
from ominus.contract.prove.steps import Blocked, Steps, truth
from ominus.contract.prove.terms import Sym, Term, both, either, equal, fits, is_whole, no

Holds = Callable[[Sym], Term]
"""An invariant of reachable states."""


@dataclass(frozen=True)
class Goal:
    """Where all of `assume` holds, `safe` (nothing raises) and `holds` must hold too.

    `given` are the values that the law names, so that a counterexample can be run.
    """

    assume: tuple[Term, ...]
    safe: Term
    holds: Term
    given: tuple[Sym, ...]


def add_commutes(steps: Steps, a: Sym, holds: Holds) -> Goal:
    """`(a + u) + v == (a + v) + u`."""
    (u, of_u), (v, of_v) = steps.value("u"), steps.value("v")
    add = steps.add
    x, y = add(a, u), add(a, v)
    safe = both(*(no(add.fails(*p)) for p in ((a, u), (a, v), (x, v), (y, u))))
    return Goal((*of_u, *of_v), safe, steps.one(add(x, v), add(y, u)), (u, v))


def inverse(steps: Steps, a: Sym, holds: Holds) -> Goal:
    """`(a + v) - v == a`, or the remove says that it cannot tell."""
    v, known = steps.value("v")
    assert steps.remove is not None
    added = steps.add(a, v)
    left = steps.remove(added, v)
    safe = no(steps.add.fails(a, v))
    return Goal(
        tuple(known),
        safe,
        both(no(steps.remove.raises(added, v)), steps.promised(left, a)),
        (v,),
    )


def merge_with_init(steps: Steps, a: Sym, holds: Holds) -> Goal:
    """`merge(a, init) == a`."""
    merge = _part(steps, "merge")
    made = merge(a, steps.init)
    return Goal((), no(merge.raises(a, steps.init)), steps.one(made, a), ())


def merge_with_add(steps: Steps, a: Sym, holds: Holds) -> Goal:
    """`merge(a, add(b, v)) == add(merge(a, b), v)`, where `merge(a, b)` is reachable."""
    merge, add = _part(steps, "merge"), steps.add
    (b, of_b), (v, of_v) = steps.state("b"), steps.value("v")
    ab, bv = merge(a, b), add(b, v)
    assume = (*of_b, *of_v, holds(b), fits(ab, steps.state_type), holds(ab))
    raised = either(add.fails(b, v), add.fails(ab, v), merge.raises(a, b), merge.raises(a, bv))
    return Goal(assume, no(raised), steps.one(merge(a, bv), add(ab, v)), (v,))


def merge_of_folds(steps: Steps, a: Sym, b: Sym, later: list[Sym]) -> Goal:
    """`merge(a, fold(n)) == fold(m + n)`, for a state `a` of `m`: what a history refutes."""
    merge, folded, failed = _part(steps, "merge"), a, []
    for value in later:
        failed.append(steps.add.fails(folded, value))
        folded = steps.add(folded, value)
    merged = merge(a, b)
    holds = both(no(merge.raises(a, b)), steps.one(merged, folded))
    return Goal((), no(either(*failed)), holds, ())


def _part(steps: Steps, name: str) -> Any:
    found = steps.part(name)
    if found is None:
        raise Blocked(f"it has no {name}")
    return found


GOALS: dict[str, tuple[Callable[[Steps, Sym, Holds], Goal], ...]] = {
    "add_commutes": (add_commutes,),
    "inverse": (inverse,),
    "distributive": (merge_with_init, merge_with_add),
}


# ---- a given equality


def respects(steps: Steps) -> list[tuple[str, Goal]]:
    """That `same` is an equivalence which every step respects, on all states of the type."""
    same = _part(steps, "same")
    (a, of_a), (b, of_b), (c, of_c) = (steps.state(n) for n in "abc")
    v, of_v = steps.value("v")
    states = (*of_a, *of_b, *of_c)

    def one(x: Sym, y: Sym) -> Term:
        return truth(same(x, y))

    quiet = both(*(no(same.raises(*p)) for p in ((a, a), (a, b), (b, a), (b, c), (a, c))))
    found = [
        ("is reflexive", Goal(states, quiet, one(a, a), ())),
        ("is symmetric", Goal((*states, one(a, b)), quiet, one(b, a), ())),
        ("is transitive", Goal((*states, one(a, b), one(b, c)), quiet, one(a, c), ())),
    ]
    known = (*states, *of_v, one(a, b))
    x, y = steps.add(a, v), steps.add(b, v)
    safe = no(either(steps.add.fails(a, v), steps.add.fails(b, v), same.raises(x, y)))
    found.append(("is respected by add", Goal(known, safe, one(x, y), ())))
    if steps.remove is not None:
        found.append(("is respected by remove", _respected_by_remove(steps, a, b, v, known)))
    finish = steps.part("finish")
    read = (a, b) if finish is None else (finish(a), finish(b))
    raised = no(either(finish.raises(a), finish.raises(b))) if finish else no(same.raises(a, b))
    found.append(("is respected by what is read", Goal(known, raised, equal(*read), ())))
    if steps.part("merge") is not None:
        found.append(("is respected by merge", _respected_by_merge(steps, a, b, c, known)))
    return found


def _respected_by_remove(steps: Steps, a: Sym, b: Sym, v: Sym, known: tuple[Term, ...]) -> Goal:
    remove, same = steps.remove, _part(steps, "same")
    assert remove is not None
    x, y = remove(a, v), remove(b, v)
    again = either(is_whole(x, RECOMPUTE), is_whole(y, RECOMPUTE))
    inside = both(fits(x, steps.state_type), fits(y, steps.state_type))
    safe = no(either(remove.raises(a, v), remove.raises(b, v)))
    agree = both(inside, no(same.raises(x, y)), truth(same(x, y)))
    return Goal(known, safe, either(again, agree), ())


def _respected_by_merge(steps: Steps, a: Sym, b: Sym, c: Sym, known: tuple[Term, ...]) -> Goal:
    merge, same = _part(steps, "merge"), _part(steps, "same")
    pairs = [(merge(a, c), merge(b, c)), (merge(c, a), merge(c, b))]
    raised = either(*(merge.raises(*p) for p in ((a, c), (b, c), (c, a), (c, b))))
    agree = both(*(truth(same(x, y)) for x, y in pairs))
    inside = both(*(fits(x, steps.state_type) for p in pairs for x in p))
    return Goal(known, no(raised), both(inside, agree), ())
