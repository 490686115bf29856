"""Debug mode: each `Reducer` is verified where it is defined, and a false one is an error there.

Only what the user constructs is looked at: the catalogue is verified by its own tests.
"""

from __future__ import annotations

import os
from typing import Any

from ominus.algebra import reducer as definition
from ominus.algebra.reducer import Reducer
from ominus.contract.verdict import Verdicts
from ominus.contract.verify import verify
from ominus.errors import ContractBroken

ENVIRONMENT = "OMINUS_DEBUG"
_SECONDS = 0.5
_EXAMPLES = 150


_rate = [1.0]


def debug(on: bool = True, *, rate: float = 1.0) -> None:
    """Verify each reducer at its definition, and watch each flow that is run, from now on.

    `rate` is the share of kept values that a running flow compares with their recompute.
    `debug(False)` ends it; `OMINUS_DEBUG=1` does the same from the start.
    A reducer whose values nobody knows is skipped with a warning, `NotVerified`.

    Fails  ContractBroken, at the definition of a reducer that breaks a law.
    """
    _rate[0] = rate
    if not on and is_on():
        definition.defined.remove(_defined)
    elif on and not is_on():
        definition.defined.append(_defined)


def is_on() -> bool:
    """Whether debug mode is on."""
    return _defined in definition.defined


def rate() -> float:
    """The share of kept values that a running flow compares; 0 outside debug mode."""
    return _rate[0] if is_on() else 0.0


def from_environment() -> None:
    """Turn debug mode on where the environment asks for it: what the package does when imported."""
    if os.environ.get(ENVIRONMENT, "") not in ("", "0"):
        debug()


def _defined(reducer: Reducer[Any, Any, Any]) -> None:
    verdicts = verify(reducer, seconds=_SECONDS, examples=_EXAMPLES, level=4)
    if verdicts.refuted:
        raise broken(verdicts)


def broken(verdicts: Verdicts) -> ContractBroken:
    """The error for a reducer that breaks a law: the witness, and what to do."""
    first = verdicts.refuted[0]
    witness = first.witness
    others = [r.law for r in verdicts.refuted[1:]]
    error = ContractBroken(
        f"{first.law} of {verdicts.reducer}",
        f"{witness.call} is {witness.left!r}, and {witness.expected} is {witness.right!r}"
        + (f"; it breaks {', '.join(others)} as well" if others else ""),
        witness.todo,
    )
    error.verdicts = verdicts
    return error
