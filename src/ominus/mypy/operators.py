"""The operators whose strings name fields: what they check, and what they give."""

from __future__ import annotations

from mypy.checker import TypeChecker
from mypy.nodes import CallExpr, Context, RefExpr, StrExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.typeops import make_simplified_union
from mypy.types import Instance, NoneType, Type, get_proper_type

from ominus.mypy import calls, parts, records


def source(ctx: FunctionContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`om.source(..., key="id")`: the key is that field."""
    key = calls.given(call, "key")
    kind = get_proper_type(ctx.default_return_type)
    if key is None or not isinstance(kind, Instance):
        return None
    return calls.changed(kind, key=parts.part(chk, kind.args[-1], key))


def filtered(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`filter("paid")`: the field is there."""
    f = calls.given(call, "f", 0)
    if f is not None:
        parts.part(chk, calls.row(ctx), f)
    return None


def mapped(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`map("amount")`: the values are that field."""
    f = calls.given(call, "f", 0)
    found = None if f is None else parts.part(chk, calls.row(ctx), f)
    return calls.changed(ctx.default_return_type, value=found)


def grouped(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`group_by("region")`: the key is that field; of several, a tuple."""
    row = calls.row(ctx)
    keys = [parts.part(chk, row, arg) or calls.result(chk, arg) for arg in call.args]
    if not keys:
        return None
    key = keys[0] if len(keys) == 1 else parts.tuple_of(chk, keys)
    return calls.changed(ctx.default_return_type, key=key)


def topped(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`top(3, by="amount")`: the field is there."""
    by = calls.given(call, "by", 1)
    if by is not None:
        parts.part(chk, calls.row(ctx), by)
    return None


def joined(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """A join: the fields that are matched are there, and `into=om.record` has those of both."""
    other = get_proper_type(chk.lookup_type(call.args[0]))
    assert isinstance(other, Instance)
    left, right = calls.row(ctx), other.args[-1]
    for name, rows in (("left_on", (left,)), ("right_on", (right,)), ("on", (left, right))):
        named = calls.given(call, name)
        for row in () if named is None else rows:
            assert named is not None
            parts.part(chk, row, named)
    into, how = calls.given(call, "into"), calls.given(call, "how")
    if not isinstance(into, RefExpr) or into.fullname != "ominus.algebra.record.record":
        return None
    said = how.value if isinstance(how, StrExpr) else "inner"
    of_left = _side(chk, left, call, absent=said in ("right", "full"))
    of_right = _side(chk, right, call, absent=said in ("left", "full"))
    if of_left is None or of_right is None:
        return None
    made = records.type_of(chk, records.both(of_left, of_right))
    return calls.changed(ctx.default_return_type, value=made)


def _side(chk: TypeChecker, row: Type, at: Context, *, absent: bool) -> records.Fields | None:
    fields = records.fields_of(chk, row, at)
    if fields is None or not absent:
        return fields
    return {name: make_simplified_union([kind, NoneType()]) for name, kind in fields.items()}
