"""Prove or refute a law from the traced steps of a reducer.

In this order: for all states; else a history of a few adds that breaks it; else for the states
that have the invariants which every add keeps.
"""

from __future__ import annotations

from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.contract.prove.goals import GOALS, Goal, Holds, respects
from ominus.contract.prove.histories import classic, counterexample, has_float
from ominus.contract.prove.induct import Guess, View, all_of, invariants
from ominus.contract.prove.solve import Budget
from ominus.contract.prove.steps import Blocked, Steps
from ominus.contract.prove.terms import TRUE, Untranslatable, both, no
from ominus.contract.verdict import Proved, Refuted, Unknown
from ominus.trace.hints import type_of

AnyReducer = Reducer[Any, Any, Any]
Verdict = Proved | Refuted | Unknown


class Subject:
    """A reducer and the type of its values; what one law needed is kept for the others."""

    def __init__(self, reducer: AnyReducer, kind: Any) -> None:
        self.reducer, self.kind = reducer, kind
        self.proved: dict[str, Proved] = {}
        self._steps: Steps | Unknown | None = None
        self._guesses: list[Guess] | None = None

    def steps(self) -> Steps:
        """The reducer's steps as terms."""
        if self._steps is None:
            try:
                self._steps = Steps(self.reducer, self.kind)
            except (Blocked, Untranslatable) as why:
                self._steps = Unknown(str(why))
        if isinstance(self._steps, Unknown):
            raise Blocked(self._steps.why)
        return self._steps

    def guesses(self, budget: Budget) -> list[Guess]:
        """The invariants of its reachable states."""
        if self._guesses is None:
            found = invariants(self.steps(), budget)
            if budget.met:
                return found
            self._guesses = found
        return self._guesses

    @property
    def of_floats(self) -> bool:
        """Whether floats are folded, or folded into."""
        known = isinstance(self._steps, Steps) and has_float(self._steps.state_type)
        return known or has_float(type_of(self.kind))


def decide(subject: Subject, law: str, budget: Budget) -> Verdict:
    """The verdict on a law by its own terms."""
    found: Verdict
    try:
        decided = _equality if law == "same_respected" else _decide
        found = decided(subject, law, budget)
    except (Blocked, Untranslatable) as why:
        found = Unknown(str(why))
    except RecursionError:
        found = Unknown("its terms nest too deeply")
    if isinstance(found, Unknown) and law != "same_respected" and subject.of_floats:
        return _by_running(subject, law, found)
    return found


def _by_running(subject: Subject, law: str, found: Unknown) -> Verdict:
    witness = classic(subject.reducer, law, type_of(subject.kind))
    if witness is not None:
        return Refuted(law, witness)
    return Unknown(f"floats: found by running ({found.why})")


def _decide(subject: Subject, law: str, budget: Budget) -> Verdict:
    steps = subject.steps()
    if _follows(steps, law, lambda _: TRUE, budget):
        return Proved("for all states")
    witness = counterexample(steps, law, budget, range(3))
    if witness is not None:
        return Refuted(law, witness)
    # An invariant says nothing of states that are the same as a reachable one, and are none.
    wide = law == "distributive" and steps.reducer.same is not None
    guesses = [] if wide else subject.guesses(budget)
    if guesses and _follows(steps, law, all_of(guesses, steps), budget):
        return Proved(f"by induction over add: {_said(_needed(steps, law, guesses, budget))}")
    witness = counterexample(steps, law, budget, (3,))
    return Unknown(_why(steps, budget)) if witness is None else Refuted(law, witness)


def _follows(steps: Steps, law: str, holds: Holds, budget: Budget) -> bool:
    """Whether the law holds in every state where these do."""
    return all(_proved(goal, known, budget) for goal, known in _goals(steps, law, holds))


def _goals(steps: Steps, law: str, holds: Holds) -> list[tuple[Goal, list[Any]]]:
    state, known = steps.state("a")
    return [(make(steps, state, holds), [*known, holds(state)]) for make in GOALS[law]]


def _proved(goal: Goal, known: list[Any], budget: Budget) -> bool:
    claim = no(both(goal.safe, goal.holds))
    return budget.ask([*known, *goal.assume, claim], share=0.4)[0] == "unsat"


def _needed(steps: Steps, law: str, guesses: list[Guess], budget: Budget) -> list[Guess]:
    """The invariants that the law itself uses, to be shown."""
    needed: list[Guess] = []
    for goal, known in _goals(steps, law, lambda _: TRUE):
        view = View(steps.state("a")[0], steps)
        marks = [g.of(view) for g in guesses]
        claim = no(both(goal.safe, goal.holds))
        used = budget.core([*known, *goal.assume, claim], marks)
        needed += [guesses[i] for i in used if guesses[i] not in needed]
    return needed or guesses


def _said(guesses: list[Guess]) -> str:
    shown = ", ".join(g.says for g in guesses[:4])
    return f"{shown}, ..." if len(guesses) > 4 else shown


def _why(steps: Steps, budget: Budget) -> str:
    if budget.met:
        return f"{budget.met} was met"
    functions = (steps.add, steps.remove)
    whys = [w for f in functions if f is not None for w in f.whys]
    if whys:
        return f"a path that may be reached {whys[0].why} (line {whys[0].line})"
    return "it fails on some states, and nothing says whether adds reach them"


def _equality(subject: Subject, law: str, budget: Budget) -> Verdict:
    """`same` is an equivalence that every step respects; asked of all states of the type."""
    for says, goal in respects(subject.steps()):
        if not _proved(goal, [], budget):
            return Unknown(budget.met or f"not shown of every state: same {says}")
    return Proved("same is an equivalence that every step respects, on all states")
