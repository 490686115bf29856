"""Ask the solver, within a limit; the answer says which limit, where it gave none."""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from time import monotonic
from typing import Any, Literal

import z3

from ominus.contract.prove.reals import of_reals
from ominus.contract.prove.terms import Term

Answer = Literal["sat", "unsat", "unknown"]
LOCK = RLock()
"""The solver's terms are shared by all threads, and it is safe in one at a time."""


def impossible(terms: Iterable[Term], steps: int = 500_000) -> bool:
    """Whether these cannot hold together, as far as a little work tells."""
    solver = z3.Solver()
    solver.set("rlimit", steps)
    solver.add(*terms)
    return bool(solver.check() == z3.unsat)


class Budget:
    """What one law may cost: seconds in all, and steps of the solver for each question."""

    def __init__(self, seconds: float, steps: int | None = None) -> None:
        self.seconds, self.steps = seconds, steps
        self.end = monotonic() + seconds
        self.met: str | None = None

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        if monotonic() >= self.end:
            self.met = self._limit()
        return monotonic() >= self.end

    def ask(self, terms: Iterable[Term], *, share: float = 1.0) -> tuple[Answer, Any]:
        """Whether all of these can hold together, and a model where they can."""
        if self.over:
            return "unknown", None
        terms = list(terms)
        wider = of_reals(terms)
        if wider is not None and self._solver(wider, share / 2).check() == z3.unsat:
            return "unsat", None
        solver = self._solver(terms, share)
        found = solver.check()
        if found == z3.sat:
            return "sat", solver.model()
        if found == z3.unsat:
            return "unsat", None
        self._why(solver.reason_unknown())
        return "unknown", None

    def _solver(self, terms: Iterable[Term], share: float) -> Any:
        solver = z3.Solver()
        left = min(self.end - monotonic(), share * self.seconds)
        solver.set("timeout", max(1, int(1000 * left)))
        solver.set("random_seed", 7)
        if self.steps is not None:
            solver.set("rlimit", self.steps)
        solver.add(*terms)
        return solver

    def core(self, terms: Iterable[Term], marks: list[Term]) -> list[int]:
        """Which of `marks` are needed for `terms` not to hold together with them."""
        solver = self._solver(terms, 0.02)
        names = [z3.Bool(f"mark {i}") for i in range(len(marks))]
        for name, mark in zip(names, marks, strict=True):
            solver.assert_and_track(mark, name)
        if self.over or solver.check() != z3.unsat:
            return []
        used = {str(name) for name in solver.unsat_core()}
        return [i for i, name in enumerate(names) if str(name) in used]

    def _why(self, reason: str) -> None:
        stopped = any(word in reason for word in ("resource", "timeout", "cancel", "interrupt"))
        if not stopped:
            self.met = self.met or f"a limit of the solver ({reason})"
        elif self.steps is not None and not self.over:
            self.met = f"the limit of {self.steps} solver steps"
        else:
            self.met = self._limit()

    def _limit(self) -> str:
        return f"the time limit of {self.seconds:g} s"
