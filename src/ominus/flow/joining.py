"""How joins and unions are checked and built: which keys or values meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.algebra.record import record
from ominus.algebra.select import selector
from ominus.errors import FlowError, KeysDiffer, TypeRefuses
from ominus.flow import ops
from ominus.flow.ops import Kind, Op
from ominus.flow.said import (
    arity,
    function,
    keys_text,
    name_text,
    pair_of,
    type_text,
)
from ominus.flow.types import ANY, fields_of_type, may_be_none, never_equal, part_type, result_type


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
    asked = f"{name_text(left)}.join({name_text(right)})"
    _check_said(asked, how, into, on, left_on, right_on)
    if on is not None:
        left_on = right_on = on
    by_value = (
        left_on is not None or right_on is not None or "rows" in (left.kind.shape, right.kind.shape)
    )
    lf, lt = _side(left, left_on, asked)
    rf, rt = _side(right, right_on, asked)
    if not by_value and arity(left.kind) != arity(right.kind):
        raise KeysDiffer(
            asked,
            f"the keys are {keys_text(left.kind)} and {keys_text(right.kind)}",
            "Give on=, or left_on= and right_on=, to match values.",
        )
    _check_types(asked, lt, rt, match_none)
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


def _check_said(asked: str, how: str, into: Any, on: Any, left_on: Any, right_on: Any) -> None:
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


def _check_types(asked: str, lt: Any, rt: Any, match_none: bool | None) -> None:
    if never_equal(lt, rt):
        raise KeysDiffer(
            asked,
            f"{type_text(lt)} can never equal {type_text(rt)}",
            "Match fields of one type, or convert one with map.",
        )
    if match_none is None and may_be_none(lt) and may_be_none(rt):
        raise TypeRefuses(
            asked,
            f"what is matched may be None on both sides ({type_text(lt)})",
            "Say match_none=True, or match_none=False as SQL does.",
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
    value = pair_of(left.kind.value, right.kind.value) if into is None else result_type(into)
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
    if not others:
        raise FlowError(f"{name_text(first)}.union()", "nothing to unite with", "Name another.")
    all_ = (first, *others)
    asked = f"{name_text(first)}.union({', '.join(map(name_text, others))})"
    grouped = [op for op in all_ if op.kind.shape == "groups"]
    if grouped and len(grouped) < len(all_):
        other = next(op for op in all_ if op.kind.shape != "groups")
        raise KeysDiffer(
            asked,
            f"{name_text(grouped[0])} is groups, {name_text(other)} is {other.kind.shape}",
            "Group both by one key, or forget it: group_by().",
        )
    if grouped:
        for other in grouped[1:]:
            a, b = grouped[0].kind, other.kind
            if arity(a) != arity(b) or never_equal(a.key, b.key):
                raise KeysDiffer(
                    asked,
                    f"the keys are {keys_text(a)} and {keys_text(b)}",
                    "Group both by one key.",
                )
    values = {repr(op.kind.value): op.kind.value for op in all_}
    value = next(iter(values.values())) if len(values) == 1 else ANY
    shape = grouped[0].kind if grouped else Kind("rows")
    return ops.Union(kind=Kind(shape.shape, shape.names, shape.key, value), of=all_)


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
