"""One reducer and its laws: combinators by their parts, what follows from other laws, the rest."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ominus.algebra.laws import LAWS
from ominus.algebra.reducer import Reducer
from ominus.contract.prove.closure import by_parts
from ominus.contract.prove.direct import Subject, Verdict, decide
from ominus.contract.prove.solve import LOCK, Budget
from ominus.contract.verdict import Proved, Refuted, Unknown
from ominus.contract.witness import refute

AnyReducer = Reducer[Any, Any, Any]
_FOLLOW = ("remove_commutes", "remove_add_commute")
_MAKE_RIGHT = ("add_commutes", "inverse")


class Prover:
    """Proves the laws of one reducer for values of one type.

    `steps` bounds each question to the solver by its own count of work, which is the same on every
    machine.
    """

    def __init__(self, reducer: AnyReducer, kind: Any, *, steps: int | None = None) -> None:
        self.reducer, self.kind, self.steps = reducer, kind, steps
        self._subjects: dict[int, Subject] = {}

    def prove(self, law: str, *, seconds: float) -> Verdict:
        """Prove or refute a law, or say why neither.

        Cost   at most about `seconds`; the verdict says which limit was met.
        """
        if not LAWS[law].asks(self.reducer):
            return Unknown(f"it has no {' and no '.join(LAWS[law].needs)}")
        began = perf_counter()
        with LOCK:
            found = self._verdict(self.reducer, law, Budget(seconds, self.steps))
        return Proved(found.how, perf_counter() - began) if isinstance(found, Proved) else found

    def _subject(self, reducer: AnyReducer) -> Subject:
        if id(reducer) not in self._subjects:
            self._subjects[id(reducer)] = Subject(reducer, self.kind)
        return self._subjects[id(reducer)]

    def _verdict(self, reducer: AnyReducer, law: str, budget: Budget) -> Verdict:
        proved = self._subject(reducer).proved
        if law in proved:
            return proved[law]
        found = self._asked(reducer, law, budget)
        if isinstance(found, Proved):
            proved[law] = found
        return found

    def _asked(self, reducer: AnyReducer, law: str, budget: Budget) -> Verdict:
        if law in _FOLLOW:
            return self._following(reducer, budget)
        found = by_parts(
            reducer, law, self.kind, lambda part, name: self._verdict(part, name, budget)
        )
        if found is None:
            found = decide(self._subject(reducer), law, budget)
        if law == "distributive" and isinstance(found, Proved):
            return self._in_any_order(reducer, found, budget)
        return found

    def _following(self, reducer: AnyReducer, budget: Budget) -> Verdict:
        """Where add commutes and remove undoes it, they go past each other."""
        for law in (*_MAKE_RIGHT, *_equality(reducer)):
            found = self._verdict(reducer, law, budget)
            if isinstance(found, Refuted):
                return Unknown(f"it follows from {law}, which is refuted")
            if isinstance(found, Unknown):
                return Unknown(f"it follows from {law}: {found.why}")
        return Proved(f"follows from {' and '.join(_MAKE_RIGHT)}")

    def _in_any_order(self, reducer: AnyReducer, found: Proved, budget: Budget) -> Verdict:
        """The law asks for every enumeration of the values: their order must not matter."""
        for law in ("add_commutes", *_equality(reducer)):
            needed = self._verdict(reducer, law, budget)
            if isinstance(needed, Refuted):
                return _of_order(reducer, needed)
            if isinstance(needed, Unknown):
                return Unknown(f"{law}: {needed.why}")
        return found


def _equality(reducer: AnyReducer) -> tuple[str, ...]:
    return () if reducer.same is None else ("same_respected",)


def _of_order(reducer: AnyReducer, needed: Refuted) -> Verdict:
    values, given = needed.witness.values, needed.witness.given
    witness = refute(reducer, "distributive", [*values, *given], [])
    if witness is None:
        return Unknown(f"{needed.law} is refuted: {needed.witness}")
    return Refuted("distributive", witness)
