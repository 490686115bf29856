"""Reducers on rows that are known: each call anew, its strings taken as functions of the row."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.checker import TypeChecker
from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, TempNode
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import (
    CallableType,
    ErasedType,
    Instance,
    Overloaded,
    ProperType,
    Type,
    get_proper_type,
)

from ominus.mypy import calls, parts, records

REDUCER = "ominus.algebra.reducer.Reducer"
PARTS = frozenset({"of", "by", "x", "y", "weight", "where"})
"""The parameters of reducers that name a part of the row."""


def reduced(ctx: MethodContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`reduce`: the result of the reducer of these rows, or a record of the named ones."""
    row = calls.row(ctx)
    found = [_result_of(used(chk, arg, row)) for arg in call.args]
    if not found:
        return None
    if call.arg_names[0] is None:
        return calls.changed(ctx.default_return_type, value=found[0])
    fields = {name: kind for name, kind in zip(call.arg_names, found, strict=True) if name}
    return calls.changed(ctx.default_return_type, value=records.type_of(chk, fields))


def record(ctx: FunctionContext, chk: TypeChecker, call: CallExpr) -> Type | None:
    """`r.record(...)`: the result is a record of the results."""
    return _record(chk, ctx.default_return_type, call, [chk.lookup_type(a) for a in call.args])


def _record(chk: TypeChecker, kind: Type, call: CallExpr, given: Iterable[Type]) -> Type:
    kind = get_proper_type(kind)
    assert isinstance(kind, Instance)
    pairs = zip(call.arg_names, given, strict=True)
    made = records.type_of(chk, {name: _result_of(part) for name, part in pairs if name})
    return kind.copy_modified(args=[*kind.args[:2], made])


def _result_of(reducer: Type) -> Type:
    reducer = get_proper_type(reducer)
    if isinstance(reducer, Instance) and reducer.type.fullname == REDUCER:
        return reducer.args[2]
    return calls.unknown()


def used(chk: TypeChecker, expr: Expression, row: Type) -> Type:
    """The type of a reducer that is used on rows: of a call of the catalogue, as of these rows."""
    name = calls.called(expr)
    ours = name == REDUCER or name.startswith("ominus.reducers.")
    if not ours or not isinstance(expr, CallExpr):
        return chk.lookup_type(expr)
    callee = get_proper_type(chk.lookup_type(expr.callee))
    args, given = _arguments(chk, expr, row, formals=_formals(callee))
    kind = _checked(chk, expr, callee, args, row)
    return _record(chk, kind, expr, given) if name.endswith(".record") else kind


def _formals(callee: ProperType) -> list[str | None]:
    shown = callee.items[0] if isinstance(callee, Overloaded) else callee
    return shown.arg_names if isinstance(shown, CallableType) else []


def _arguments(
    chk: TypeChecker, call: CallExpr, row: Type, *, formals: list[str | None]
) -> tuple[list[Expression], list[Type]]:
    """The arguments, the parts of the row as functions; and the reducers among them."""
    args: list[Expression] = []
    given: list[Type] = []
    for i, arg in enumerate(call.args):
        formal = call.arg_names[i] or (formals[i] if i < len(formals) else None)
        kind: Type | None = None
        if formal in PARTS:
            found = parts.part(chk, row, arg)
            kind = None if found is None else _function(chk, row, found)
        elif isinstance(arg, CallExpr):
            kind = used(chk, arg, row)
            given.append(kind)
        else:
            given.append(chk.lookup_type(arg))
        args.append(arg if kind is None else TempNode(kind, context=arg))
    return args, given


def _function(chk: TypeChecker, row: Type, result: Type) -> Type:
    fallback = chk.named_generic_type("builtins.function", [])
    return CallableType([row], [ARG_POS], [None], result, fallback)


def _checked(
    chk: TypeChecker, call: CallExpr, callee: Type, args: list[Expression], row: Type
) -> Type:
    """The type of the call with other arguments, where a reducer of these rows is asked for."""
    kinds, names = list(call.arg_kinds), list(call.arg_names)
    if not args and "of" in _formals(get_proper_type(callee)):
        args = [TempNode(_function(chk, row, row), context=call)]
        kinds, names = [ARG_NAMED], ["of"]
    reducer = calls.info(chk, "ominus.algebra.reducer", "Reducer")
    wanted = chk.expr_checker.type_context
    wanted.append(Instance(reducer, [row, calls.unknown(), ErasedType()]))
    try:
        return chk.expr_checker.check_call(callee, args, kinds, call, names)[0]
    finally:
        wanted.pop()
