"""How folds are checked and built: reduce, compute, maintain, lazy."""

from __future__ import annotations

from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.errors import FlowError, TypeRefuses
from ominus.flow import ops
from ominus.flow.ops import Kind, Op
from ominus.flow.said import (
    name_text,
    single,
    type_text,
    unkeyed,
)
from ominus.flow.types import ANY, RecordType, may_be_none, part_type, result_type


def distinct(of: Op) -> Op:
    """Each value of a group once."""
    kind = unkeyed(of.kind) if of.kind.shape == "table" else of.kind
    return ops.Distinct(kind=kind, of=of)


def reduce(of: Op, reducer: Any, named: dict[str, Any]) -> Op:
    """The reducer's result for each group."""
    from ominus.reducers import record as record_reducer

    given = [repr(reducer)] if reducer else [f"{n}={v!r}" for n, v in named.items()]
    asked = f"{name_text(of)}.reduce({', '.join(given)})"
    if (reducer is None) == (not named):
        raise FlowError(
            asked,
            "one reducer, or named ones, not both",
            "Write reduce(r.sum('amount')), or reduce(total=r.sum('amount')).",
        )
    for given in named.values() if named else (reducer,):
        if not isinstance(given, Reducer):
            raise FlowError(
                asked,
                f"{given!r} is no reducer",
                "Call it: r.sum(...)."
                if (getattr(given, "__module__", "") or "").startswith("ominus.reducers")
                else "Take one from ominus.reducers, or make one: om.Reducer(...).",
            )
    made = record_reducer(**named) if named else reducer
    check_parts(made, of.kind.value, asked)
    value = RecordType(tuple((n, ANY) for n in named)) if named else _result(made)
    return ops.Reduce(kind=single(of, value), of=of, reducer=made)


def check_parts(reducer: Reducer[Any, Any, Any], kind: Any, asked: str) -> None:
    """Refuse fields that the rows lack, and `None` where nobody said what it means."""
    where = reducer.where
    if where is not None:
        part_type(kind, where, asked=asked)
    value = part_type(kind, reducer.of, asked=asked) if reducer.of is not None else kind
    if not reducer.nullable and reducer.skip_none is None and may_be_none(value):
        raise TypeRefuses(
            asked,
            f"the values may be None ({type_text(value)})",
            "Say skip_none=True (as SQL does), or skip_none=False to let it count.",
        )
    for inner in reducer.inner():
        check_parts(inner, kind if reducer.of is None else value, asked)


def _result(reducer: Reducer[Any, Any, Any]) -> Any:
    return result_type(reducer.finishing) if reducer.finishing is not None else ANY


def _callable(f: Any, asked: str, todo: str) -> None:
    if not callable(f):
        raise FlowError(asked, f"got {f!r}", todo)


def compute(of: Op, f: Any) -> Op:
    """`f(multiset)` of each group."""
    _callable(f, f"{name_text(of)}.compute(...)", "Give a function of the group: compute(len).")
    return ops.Compute(kind=single(of, result_type(f)), of=of, f=f)


def compute_views(f: Any, views: tuple[Op, ...]) -> Op:
    """`f(a, b, ...)` of whole views."""
    views_given("om.compute", f, views)
    return ops.ComputeViews(kind=Kind("table", value=result_type(f)), of=views, f=f)


def maintain(of: Op, full: Any, delta: Any, check: bool) -> Op:
    """`full(multiset)` of each group, kept by `delta`."""
    for f in (full, delta):
        _callable(f, f"{name_text(of)}.maintain(...)", "Give two functions: full, delta.")
    return ops.Maintain(
        kind=single(of, result_type(full)), of=of, full=full, delta=delta, check=check
    )


def maintain_views(full: Any, views: tuple[Op, ...], delta: Any, check: bool) -> Op:
    """`full(a, b, ...)` of whole views, kept by one delta function for each."""
    views_given("om.maintain", full, views)
    deltas = delta if isinstance(delta, tuple) else (delta,)
    if len(deltas) != len(views) or not all(map(callable, deltas)):
        raise FlowError(
            "om.maintain",
            f"{len(views)} views and {len(deltas)} delta functions",
            "Give one for each view: delta=(on_a, on_b).",
        )
    return ops.MaintainViews(
        kind=Kind("table", value=result_type(full)), of=views, full=full, deltas=deltas, check=check
    )


def lazy(f: Any, views: tuple[Op, ...]) -> Op:
    """`f(key, self, *views)` on demand."""
    if not callable(f):
        raise FlowError("om.lazy", f"got {f!r}", "Give a function: f(key, self, view).")
    return ops.Lazy(kind=Kind("table", ("key",), ANY, result_type(f)), of=views, f=f)


def views_given(asked: str, f: Any, views: tuple[Op, ...]) -> None:
    if not callable(f):
        raise FlowError(asked, f"got {f!r}", "Give a function of the views, first.")
    if not views:
        raise FlowError(asked, "no view", "Name the views that the function reads.")
