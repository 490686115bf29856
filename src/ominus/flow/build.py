"""What the fluent methods do: check that an operator can be meant, and make its record.

Every refusal names the user's call, what it was given, and what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from types import GenericAlias
from typing import Any

from ominus.algebra.change import ABSENT
from ominus.algebra.record import record
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Desc, Field, Order, Parts, selector
from ominus.errors import FlowError, KeysDiffer, ShapeRefuses, TypeRefuses
from ominus.flow import ops
from ominus.flow.ops import Kind, Op
from ominus.flow.types import (
    ANY,
    RecordType,
    fields_of_type,
    may_be_none,
    never_equal,
    part_type,
    result_type,
    shown,
)
from ominus.flow.window import Window, WindowKey

ONE: tuple[()] = ()
"""The key of rows: there is one group."""


def function(f: Any, asked: str) -> Callable[..., Any]:
    """The function that an operator was given; a field's name or position serves as one."""
    if f is None or isinstance(f, Op):
        raise FlowError(asked, f"got {f!r}", "Give a function of the value, or a field's name.")
    return selector(f)


def filter_(of: Op, f: Any, reads: Op | None) -> Op:
    """Values kept where `f` is true."""
    asked = _asked(of, "filter", f)
    part_type(of.kind.value, f, asked=asked)
    return ops.Filter(kind=of.kind, of=of, f=function(f, asked), reads=reads)


def map_(of: Op, f: Any, reads: Op | None) -> Op:
    """Values replaced by `f` of them."""
    asked = _asked(of, "map", f)
    value = part_type(of.kind.value, f, asked=asked)
    return ops.Map(kind=_with(of, value=value), of=of, f=function(f, asked), reads=reads)


def flat_map(of: Op, f: Any, reads: Op | None) -> Op:
    """Values replaced by all that `f` gives."""
    asked = _asked(of, "flat_map", f)
    part_type(of.kind.value, f, asked=asked)
    kind = _unkeyed(of.kind) if of.kind.shape == "table" else of.kind
    kind = Kind(kind.shape, kind.names, kind.key, ANY)
    return ops.FlatMap(kind=kind, of=of, f=function(f, asked), reads=reads)


def map_items(of: Op, f: Any) -> Op:
    """Values replaced by `f(key, value)`."""
    _keyed(of, "map_items", "Use map: rows have no key.")
    return ops.MapItems(kind=_with(of, value=result_type(f)), of=of, f=f)


def items(of: Op) -> Op:
    """Rows of records: the key's fields, then the value's."""
    _keyed(of, "items", "Rows have no key; use them as they are.")
    return ops.Items(kind=Kind("rows", value=ANY), of=of)


def group_by(of: Op, parts: tuple[Any, ...], named: dict[str, Any]) -> Op:
    """Values under the keys that the parts give; without parts, rows."""
    if not parts and not named:
        return ops.GroupBy(kind=_unkeyed(of.kind), of=of, by=None, many=False)
    asked = _asked(of, "group_by", *parts, *named.values())
    names, chosen, types = [], [], []
    for i, part in enumerate(parts):
        names.append(_key_name(part, i, len(parts)))
        chosen.append(_key_part(part))
        types.append(_key_type(of.kind.value, part, asked))
    for name, part in named.items():
        names.append(name)
        chosen.append(_key_part(part))
        types.append(_key_type(of.kind.value, part, asked))
    if len(set(names)) < len(names):
        raise FlowError(
            asked,
            f"two parts of the key are named {names}",
            "Name them: group_by(first=..., second=...).",
        )
    by = chosen[0] if len(chosen) == 1 else Parts(tuple(chosen))
    many = any(isinstance(part, WindowKey) and part.many for part in chosen)
    key = types[0] if len(types) == 1 else _tuple(*types)
    kind = Kind("groups", tuple(names), key, of.kind.value)
    return ops.GroupBy(kind=kind, of=of, by=SeveralKeys(tuple(chosen)) if many else by, many=many)


def _key_name(part: Any, i: int, n: int) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Field):
        return part.name
    if isinstance(part, WindowKey):
        return "window"
    return "key" if n == 1 else f"key{i}"


def _key_part(part: Any) -> Callable[[Any], Any]:
    return selector(part)


def _key_type(kind: Any, part: Any, asked: str) -> Any:
    if isinstance(part, WindowKey):
        part_type(kind, part.of, asked=asked)
        return ANY if part.many else Window
    return part_type(kind, part, asked=asked)


def join(
    left: Op,
    right: Op,
    *,
    on: Any,
    left_on: Any,
    right_on: Any,
    how: str,
    into: Any,
    match_none: bool | None,
) -> Op:
    """Pairs of values that meet."""
    asked = f"{_name(left)}.join({_name(right)})"
    if how not in ("inner", "left", "right", "full", "semi", "anti"):
        raise FlowError(asked, f"how={how!r}", "Write one of inner, left, right, full, semi, anti.")
    if on is not None and (left_on is not None or right_on is not None):
        raise FlowError(
            asked, "both on= and left_on= or right_on=", "on= is for both sides; give it alone."
        )
    if how in ("semi", "anti") and into is not None:
        raise FlowError(
            asked,
            f"into= with how={how!r}",
            "Such a join gives the left values; map them afterwards.",
        )
    if on is not None:
        left_on = right_on = on
    by_value = (
        left_on is not None or right_on is not None or "rows" in (left.kind.shape, right.kind.shape)
    )
    lf, lt = _side(left, left_on, asked)
    rf, rt = _side(right, right_on, asked)
    if not by_value and _arity(left.kind) != _arity(right.kind):
        raise KeysDiffer(
            asked,
            f"the keys are {_keys(left.kind)} and {_keys(right.kind)}",
            "Give on=, or left_on= and right_on=, to match values.",
        )
    if never_equal(lt, rt):
        raise KeysDiffer(
            asked,
            f"{_type(lt)} can never equal {_type(rt)}",
            "Match fields of one type, or convert one with map.",
        )
    if match_none is None and may_be_none(lt) and may_be_none(rt):
        raise TypeRefuses(
            asked,
            f"what is matched may be None on both sides ({_type(lt)})",
            "Say match_none=True, or match_none=False as SQL does.",
        )
    return ops.Join(
        kind=_joined(left, right, by_value, how, into),
        left=left,
        right=right,
        left_on=lf,
        right_on=rf,
        how=how,  # type: ignore[arg-type]
        into=_into(left, right, how, into, asked),
        match_none=match_none,
    )


def _side(side: Op, on: Any, asked: str) -> tuple[Callable[..., Any] | None, Any]:
    if on is not None:
        return selector(on), part_type(side.kind.value, on, asked=asked)
    if side.kind.shape == "rows":
        return selector(None), side.kind.value
    return None, side.kind.key


def _joined(left: Op, right: Op, by_value: bool, how: str, into: Any) -> Kind:
    if how in ("semi", "anti"):
        return left.kind
    value = _tuple(left.kind.value, right.kind.value) if into is None else result_type(into)
    if into is None and how != "inner":
        value = ANY
    if by_value:
        return Kind("rows", value=value)
    both_tables = left.kind.shape == right.kind.shape == "table"
    return Kind("table" if both_tables else "groups", left.kind.names, left.kind.key, value)


def _into(left: Op, right: Op, how: str, into: Any, asked: str) -> Any:
    if into is None:
        return None
    if into is record and how in ("left", "right", "full"):
        sides = [fields_of_type(side.kind.value) for side in (left, right)]
        if sides[0] is None or sides[1] is None:
            raise FlowError(
                asked,
                f"into=om.record with how={how!r}, of a side of unknown fields",
                "Write into=lambda left, right: om.record(...), for either may be None.",
            )
        return RecordOfBoth(tuple(sides[0]), tuple(sides[1]))
    return function(into, asked)


def union(first: Op, others: tuple[Op, ...]) -> Op:
    """All values of all inputs."""
    all_ = (first, *others)
    asked = f"{_name(first)}.union({', '.join(map(_name, others))})"
    grouped = [op for op in all_ if op.kind.shape == "groups"]
    if grouped and len(grouped) < len(all_):
        other = next(op for op in all_ if op.kind.shape != "groups")
        raise KeysDiffer(
            asked,
            f"{_name(grouped[0])} is groups, {_name(other)} is {other.kind.shape}",
            "Group both by one key, or forget it: group_by().",
        )
    if grouped:
        for other in grouped[1:]:
            a, b = grouped[0].kind, other.kind
            if _arity(a) != _arity(b) or never_equal(a.key, b.key):
                raise KeysDiffer(
                    asked, f"the keys are {_keys(a)} and {_keys(b)}", "Group both by one key."
                )
    values = {repr(op.kind.value): op.kind.value for op in all_}
    value = next(iter(values.values())) if len(values) == 1 else ANY
    shape = grouped[0].kind if grouped else Kind("rows")
    return ops.Union(kind=Kind(shape.shape, shape.names, shape.key, value), of=all_)


def distinct(of: Op) -> Op:
    """Each value of a group once."""
    kind = _unkeyed(of.kind) if of.kind.shape == "table" else of.kind
    return ops.Distinct(kind=kind, of=of)


def reduce(of: Op, reducer: Any, named: dict[str, Any]) -> Op:
    """The reducer's result for each group."""
    from ominus.reducers import record as record_reducer

    asked = f"{_name(of)}.reduce({', '.join([repr(reducer)] if reducer else [f'{n}={v!r}' for n, v in named.items()])})"
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
                "Take one from ominus.reducers, or make one: om.Reducer(...).",
            )
    made = record_reducer(**named) if named else reducer
    check_parts(made, of.kind.value, asked)
    value = RecordType(tuple((n, ANY) for n in named)) if named else _result(made)
    return ops.Reduce(kind=_single(of, value), of=of, reducer=made)


def check_parts(reducer: Reducer[Any, Any, Any], kind: Any, asked: str) -> None:
    """Refuse fields that the rows lack, and `None` where nobody said what it means."""
    where = reducer.where
    if where is not None:
        part_type(kind, where, asked=asked)
    value = part_type(kind, reducer.of, asked=asked) if reducer.of is not None else kind
    if not reducer.nullable and reducer.skip_none is None and may_be_none(value):
        raise TypeRefuses(
            asked,
            f"the values may be None ({_type(value)})",
            "Say skip_none=True (as SQL does), or skip_none=False to let it count.",
        )
    for inner in reducer.inner():
        check_parts(inner, kind if reducer.of is None else value, asked)


def _result(reducer: Reducer[Any, Any, Any]) -> Any:
    return result_type(reducer.finishing) if reducer.finishing is not None else ANY


def top(of: Op, n: int, by: Any) -> Op:
    """The highest of each group."""
    asked = f"{_name(of)}.top({n!r})"
    _count(n, asked)
    _order_parts(of, by, asked)
    return ops.Top(kind=of.kind, of=of, n=n, by=Order(by))


def _order_parts(of: Op, by: Any, asked: str) -> None:
    """Refuse an order by fields that the rows lack."""
    if isinstance(by, Desc):
        _order_parts(of, by.of, asked)
    elif isinstance(by, tuple):
        for part in by:
            _order_parts(of, part, asked)
    else:
        part_type(of.kind.value, by, asked=asked)


def slices(of: Op, ranges: tuple[tuple[Any, Any], ...]) -> Op:
    """The keys within ranges."""
    _keyed(of, "slice", "Rows have no key; group them first, or use filter.")
    for lo, hi in ranges:
        for bound in (lo, hi):
            if isinstance(bound, Op) and bound.kind.shape == "groups":
                raise FlowError(
                    f"{_name(of)}.slice",
                    f"the bound {_name(bound)} is groups",
                    "A bound is a value, or a view of one value.",
                )
    return ops.Slice(kind=of.kind, of=of, ranges=ranges)


def take(of: Op, n: int) -> Op:
    """The first keys."""
    _keyed(of, "take", "Rows have no key; top(n, by=...) takes values.")
    _count(n, f"{_name(of)}.take({n!r})")
    return ops.Take(kind=of.kind, of=of, n=n)


def size(of: Op) -> Op:
    """The number of keys."""
    _keyed(of, "size", "Rows have no key; count() counts values.")
    return ops.Size(kind=Kind("table", value=int), of=of)


def compute(of: Op, f: Any) -> Op:
    """`f(multiset)` of each group."""
    f = function(f, f"{_name(of)}.compute(...)")
    return ops.Compute(kind=_single(of, result_type(f)), of=of, f=f)


def compute_views(f: Any, views: tuple[Op, ...]) -> Op:
    """`f(a, b, ...)` of whole views."""
    _views("om.compute", f, views)
    return ops.ComputeViews(kind=Kind("table", value=result_type(f)), of=views, f=f)


def maintain(of: Op, full: Any, delta: Any, check: bool) -> Op:
    """`full(multiset)` of each group, kept by `delta`."""
    return ops.Maintain(
        kind=_single(of, result_type(full)), of=of, full=full, delta=delta, check=check
    )


def maintain_views(full: Any, views: tuple[Op, ...], delta: Any, check: bool) -> Op:
    """`full(a, b, ...)` of whole views, kept by one delta function for each."""
    _views("om.maintain", full, views)
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


@dataclass(frozen=True)
class SeveralKeys:
    """All the keys of a row that is in several groups: sliding windows, beside other parts."""

    parts: tuple[Callable[[Any], Any], ...]

    def __call__(self, row: Any) -> list[Any]:
        choices = [
            part.windows(row) if isinstance(part, WindowKey) else [part(row)] for part in self.parts
        ]
        return choices[0] if len(choices) == 1 else list(product(*choices))


class RecordOfBoth:
    """`into=om.record` of an outer join: an absent side has its fields, all None."""

    __slots__ = ("left", "right")

    def __init__(self, left: tuple[str, ...], right: tuple[str, ...]) -> None:
        self.left, self.right = left, right

    def __call__(self, left: Any, right: Any) -> Any:
        if left is not None and right is not None:
            return record(left, right)
        there, absent = (left, self.right) if right is None else (right, self.left)
        mine = record(there)
        names = tuple(dict.fromkeys(self.left + self.right))
        values = {n: getattr(mine, n) if n in mine._fields else None for n in names}
        assert set(absent) <= set(names)
        return record(**values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordOfBoth) and (self.left, self.right) == (
            other.left,
            other.right,
        )

    def __hash__(self) -> int:
        return hash((RecordOfBoth, self.left, self.right))


def _views(asked: str, f: Any, views: tuple[Op, ...]) -> None:
    if not callable(f):
        raise FlowError(asked, f"got {f!r}", "Give a function of the views, first.")
    if not views:
        raise FlowError(asked, "no view", "Name the views that the function reads.")


def _single(of: Op, value: Any) -> Kind:
    if of.kind.shape == "groups":
        return Kind("table", of.kind.names, of.kind.key, value)
    return Kind("table", value=value)


def _tuple(*kinds: Any) -> Any:
    return GenericAlias(tuple, kinds)


def _unkeyed(kind: Kind) -> Kind:
    return Kind("rows", value=kind.value)


def _with(of: Op, *, value: Any) -> Kind:
    return Kind(of.kind.shape, of.kind.names, of.kind.key, value)


def _keyed(of: Op, verb: str, todo: str) -> None:
    if of.kind.shape == "rows":
        raise ShapeRefuses(f"{_name(of)}.{verb}", f"{_name(of)} is rows: one group, no keys", todo)


def _count(n: Any, asked: str) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise FlowError(asked, f"n={n!r}", "Give a whole number, not negative.")


def _arity(kind: Kind) -> int:
    return len(kind.names)


def _keys(kind: Kind) -> str:
    return " and ".join(kind.names) or "none"


def _type(kind: Any) -> str:
    return shown(kind)


def _name(op: Op) -> str:
    return op.name if isinstance(op, ops.Source) else f"{op.verb}(...)"


def _asked(of: Op, verb: str, *given: Any) -> str:
    shown = ", ".join(getattr(g, "__name__", None) or repr(g) for g in given)
    return f"{_name(of)}.{verb}({shown})"


__all__ = ["ABSENT", "RecordOfBoth"]
