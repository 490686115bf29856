"""How to repair a reducer that breaks a law, as far as the two sides tell."""

from __future__ import annotations

from typing import Any

from ominus.algebra.reducer import RECOMPUTE
from ominus.algebra.value import is_nan, one
from ominus.contract.verdict import Raised

WAYS = {
    "add_commutes": "Keep a state that does not depend on the order: r.list or r.multiset keeps "
    "the values, r.first, r.last or r.replay takes an order from a field",
    "remove_commutes": "Let remove undo add, in whatever order the values came",
    "inverse": "Let remove undo add; where the state does not tell what was before, let it return "
    "om.RECOMPUTE",
    "remove_add_commute": "Let remove undo add, whatever came between",
    "distributive": "Let merge give what one fold of both multisets gives, or leave it out",
    "same_respected": "Let same compare all that add, remove, merge and finish look at, and be "
    "an equivalence",
}


def repair(law: str, left: Any, right: Any, *, rounds: bool) -> str:
    """What to do next; `rounds` says that the law holds of Fractions in place of the floats."""
    if any(isinstance(side, Raised) for side in (left, right)):
        return _for_raised(law)
    if law == "inverse" and left is None and right is not None:
        return "A remove that cannot tell returns om.RECOMPUTE, not None"
    if type(left) is type(right) and _by_identity(type(left)):
        kind = type(left).__qualname__
        return f"Two of {kind} are one only where they are one object: give it __eq__, or say same="
    if differ_only_in_type(left, right):
        return f"{left!r} and {right!r} are two values: let init be of the type that add gives"
    return _for_floats(left, right) if rounds else WAYS[law]


def _for_raised(law: str) -> str:
    if law == "add_commutes":
        return "Let add take the values in every order, or refuse them in every order"
    part = "merge" if law == "distributive" else "remove"
    return f"Let {part} answer for whatever add has taken" + (
        ", or return om.RECOMPUTE" if part == "remove" else ""
    )


def _for_floats(left: Any, right: Any) -> str:
    exact = "Floats round, and what was added cannot be taken back: r.sum(), r.mean(), r.variance()"
    if any(is_nan(part) for side in (left, right) for part in scalars(side)):
        return f"{exact} take NaN and infinities too; or say values= without them"
    return f"{exact} are exact; or fold Fractions"


def differ_only_in_type(left: Any, right: Any) -> bool:
    """Whether two states are equal for Python and yet two values, such as 0 and 0.0."""
    if left is RECOMPUTE or right is RECOMPUTE:
        return False
    try:
        return bool(left == right) and not one(left, right)
    except Exception:
        return False


def _by_identity(kind: Any) -> bool:
    return kind.__eq__ is object.__eq__ and kind.__hash__ is object.__hash__


def scalars(state: Any) -> list[Any]:
    """The parts of a state that have no parts."""
    if isinstance(state, dict):
        state = [*state.keys(), *state.values()]
    if isinstance(state, list | tuple | set | frozenset):
        return [scalar for part in state for scalar in scalars(part)]
    return [state]
