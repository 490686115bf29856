"""Prove a law of a reducer for all values of a type and every reachable state, or refute it.

`steps` traces the reducer, `smt` and `ops` say its expressions to the solver over `terms`; `goals`
has each law as a question, `solve` asks it within a limit.
`direct` puts these together: for all states, else a history that breaks the law (`histories`), else
under invariants by induction over add (`induct`); `closure` is for reducers made of reducers,
`proofs` for all laws of one.
Nothing is proved of what was not traced, and nothing is refuted that was not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ominus.algebra.reducer import Reducer
from ominus.contract.verdict import Proved, Refuted, Unknown

if TYPE_CHECKING:
    from ominus.contract.prove.proofs import Prover

AnyReducer = Reducer[Any, Any, Any]


def prover(reducer: AnyReducer, kind: Any, *, steps: int | None = None) -> Prover | None:
    """What proves the laws of one reducer, one after the other; None where there is no solver."""
    try:
        from ominus.contract.prove.proofs import Prover
    except ModuleNotFoundError as missing:
        if missing.name != "z3":
            raise
        return None
    return Prover(reducer, kind, steps=steps)


def prove(
    reducer: AnyReducer, law: str, kind: Any, *, seconds: float, steps: int | None = None
) -> Proved | Refuted | Unknown:
    """Prove or refute one law, for all values of the type `kind`.

    `kind` is the type of the rows that `reducer.adder` takes; `steps` bounds each question to the
    solver by its own count of work, which is the same on every machine.

    Law    Proved: the law holds for all values of exactly this type, on every reachable state.
    Cost   at most about `seconds`; the verdict says which limit was met.
    """
    found = prover(reducer, kind, steps=steps)
    if found is None:
        return Unknown("the solver is not there: install ominus[prove]")
    return found.prove(law, seconds=seconds)


__all__ = ["prove", "prover"]
