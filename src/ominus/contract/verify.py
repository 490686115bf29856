"""Verify a reducer: each law looked at in small cases, then proved, else searched for a breach.

Two laws make a reducer right: on every reachable state, `remove` undoes `add`, and the order of
adds does not matter. A `merge` and a `same` bring one more law each; the other two laws follow.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ominus.algebra.laws import LAWS, Law
from ominus.algebra.reducer import Reducer
from ominus.contract.cases import Values, examples_of, is_kind, values_of
from ominus.contract.facts import shape_of
from ominus.contract.pure import impurity, on_its_own
from ominus.contract.search import Search
from ominus.contract.verdict import (
    MAKE_RIGHT,
    Checked,
    Proved,
    Refuted,
    Unknown,
    Verdict,
    Verdicts,
    Witness,
)

AnyReducer = Reducer[Any, Any, Any]
Prove = Callable[..., Proved | Refuted | Unknown]
"""Of a law's name, within `seconds`."""

FOLLOW = ("remove_commutes", "remove_add_commute")
"""The laws that follow from those that make a reducer right."""


class NotVerified(UserWarning):
    """A reducer that was not verified, because nobody knows its values."""


def verify(
    reducer: Reducer[Any, Any, Any],
    values: Any = None,
    *,
    seconds: float = 2.0,
    examples: int = 300,
    laws: Iterable[str] | None = None,
    level: int = 2,
) -> Verdicts:
    """Say of each law whether it is proved, checked, refuted or unknown.

    `values` is a type, a Hypothesis strategy or a list of samples, which are then all that is
    drawn; without it, the reducer's own `values` or its type hints are taken.
    `seconds` is for each law; `laws` asks only those named; `level` says whose line is warned.

    Cost   a second at most for most reducers; `examples` random cases, a tenth more by Hypothesis.
    Fails  nothing: a law that cannot be asked is Unknown, and warns that it was skipped.

    >>> total = Reducer(0, lambda a, v: a + v, lambda a, v: a - abs(v))
    >>> verify(total, [0, 1, -1]).ok
    False
    """
    asked = _asked(reducer, laws)
    _keep_facts(reducer, values)
    drawn = values_of(reducer, values, _sampler())
    if isinstance(drawn, Unknown):
        warnings.warn(f"{reducer!r} was not verified: {drawn.why}", NotVerified, stacklevel=level)
        return _verdicts(reducer, {law.name: drawn for law in asked})
    if (changed := impurity(reducer, drawn, time.monotonic() + seconds)) is not None:
        return _verdicts(reducer, {law.name: Refuted(law.name, changed) for law in asked})
    own, prove = on_its_own(reducer), _prove(reducer, drawn)
    found: dict[str, Verdict] = {}
    for law in asked:
        if laws is None and law.name in FOLLOW:
            found[law.name] = _following(found)
        else:
            search = Search(own, law, drawn, time.monotonic() + seconds)
            found[law.name] = _verdict(search, prove, examples)
    return _verdicts(reducer, found)


def _keep_facts(reducer: AnyReducer, values: Any) -> None:
    kind = reducer.values if values is None else values
    # A dict of types says a row, but no dict can be looked up by.
    if kind is not None and is_kind(kind) and not isinstance(kind, dict):
        shape_of(reducer, kind)


def _verdicts(reducer: AnyReducer, found: dict[str, Verdict]) -> Verdicts:
    needed = tuple(name for name in MAKE_RIGHT if LAWS[name].asks(reducer))
    return Verdicts(found, reducer=repr(reducer), needed=needed)


def _asked(reducer: AnyReducer, laws: Iterable[str] | None) -> list[Law]:
    names = [*MAKE_RIGHT, *FOLLOW] if laws is None else list(laws)
    if unknown := [name for name in names if name not in LAWS]:
        raise ValueError(f"no law is called {unknown[0]!r}: they are {', '.join(LAWS)}")
    return [LAWS[name] for name in names if LAWS[name].asks(reducer)]


def _verdict(search: Search, prove: Prove | None, examples: int) -> Verdict:
    """Small cases first, for what they break needs no proof and is smallest."""
    if (refuted := search.small()) is not None:
        return refuted
    if prove is not None and (proof := _proof(search, prove)) is not None:
        return proof
    some = examples_of(search.law, examples)
    return search.at_random(some) or _further(search, some // 10) or search.verdict()


def _proof(search: Search, prove: Prove) -> Proved | Refuted | None:
    """What the solver says; a refutation only where its case is one for our values."""
    if search.outside is not None or search.over():
        return None
    # The other half is for the search, where the solver finds nothing.
    answer = prove(search.law.name, seconds=search.left() / 2)
    if isinstance(answer, Proved):
        return answer
    if isinstance(answer, Refuted) and search.values.kind is not None:
        return _confirmed(search, answer)
    return None


def _confirmed(search: Search, answer: Refuted) -> Refuted | None:
    """A solver's case, run, and made smaller; a case that does not fail is none."""
    case = (list(answer.witness.values), *answer.witness.given)
    case = tuple(
        list(part) if isinstance(part, tuple) and _takes_list(search.law, at) else part
        for at, part in enumerate(case)
    )
    try:
        return search.refuted(case) if search.breaks(case) else None
    except (TypeError, ValueError):
        return None


def _takes_list(law: Law, at: int) -> bool:
    """Whether a part of a case is a list of values, and not a value."""
    return at == 0 or (at == 1 and law.name in ("distributive", "same_respected"))


def _kind(values: Values) -> Any:
    """The type to prove for: what is proved of a whole type is so of samples of it."""
    if values.kind is not None:
        return values.kind
    kinds = {type(v) for v in values.small}
    only = kinds.pop() if len(kinds) == 1 else None
    return only if only in (int, bool, str) else None


def _following(found: dict[str, Verdict]) -> Verdict:
    """What is known of a law that follows from those asked before."""
    premises = [v for name, v in found.items() if name not in ("distributive", *FOLLOW)]
    if all(isinstance(v, Proved) for v in premises):
        return Proved("follows from the laws above")
    if all(isinstance(v, Proved | Checked) for v in premises):
        return Checked(min(v.examples for v in premises if isinstance(v, Checked)))
    return Unknown("it follows only where the laws above hold")


# What may not be installed.


def _prove(reducer: AnyReducer, values: Values) -> Prove | None:
    kind = _kind(values)
    prover = None if kind is None else _prover()
    return None if prover is None else prover(reducer, kind).prove


def _prover() -> Any:
    """What makes a prover of the laws of one reducer; None where there is no solver."""
    return None if find_spec("z3") is None else import_module("ominus.contract.prove").prover


def _sampler() -> Callable[[Any], list[Any]] | None:
    if find_spec("hypothesis") is None:
        return None

    def samples(kind: Any) -> list[Any]:
        from ominus.contract import check

        return check.samples(kind)

    return samples


def _further(search: Search, examples: int) -> Refuted | None:
    if examples <= 0 or search.over() or find_spec("hypothesis") is None:
        return None
    from ominus.contract import check

    return check.check(search, examples)


__all__ = ["NotVerified", "Witness", "verify"]
