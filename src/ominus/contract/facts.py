"""What is found of a reducer is kept on it, as data, where engines read it.

`reducer.facts["shape"]` has, for each type of rows it was asked about, whether the reducer is
linear, a semilattice, or neither, part by part of its state.
"""

from __future__ import annotations

from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.algebra.select import selector
from ominus.contract.prove.hooks import Hooks
from ominus.trace.shape import General, Shape, derive
from ominus.trace.trace import Opaque
from ominus.trace.trace import trace as trace_with


def shape_of(reducer: Reducer[Any, Any, Any], kind: Any) -> Shape:
    """Whether a reducer of rows of a type is linear, a semilattice, or general; found once.

    >>> paid = Reducer(0, lambda a, v: a + v if v > 0 else a, lambda a, v: a - v * (v > 0))
    >>> shape_of(paid, int).kind, shape_of(paid, float).kind
    ('linear', 'general')
    """
    known = reducer.facts.setdefault("shape", {})
    if kind not in known:
        known[kind] = _derived(reducer, kind)
    return known[kind]  # type: ignore[no-any-return]


def _derived(reducer: Reducer[Any, Any, Any], kind: Any) -> Shape:
    if reducer.mutates:
        return _general("its state is changed in place")
    if reducer.of is not None:
        part = trace_with(selector(reducer.of), kind, constructors=Hooks())
        if isinstance(part, Opaque):
            return _general(f"what it folds {part.why}")
        kind = part.type
    return derive(reducer.init, reducer.add, reducer.remove, value=kind, constructors=Hooks())


def _general(why: str) -> Shape:
    return Shape("general", (General((), why, None),), why, ())
