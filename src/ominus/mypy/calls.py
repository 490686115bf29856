"""What a hook is given: a call, its arguments, and the shape that its method belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mypy.checker import TypeChecker
from mypy.nodes import ARG_STAR, ARG_STAR2, CallExpr, Expression, RefExpr, TypeInfo
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, CallableType, Instance, Type, TypeOfAny, get_proper_type

C = TypeVar("C", FunctionContext, MethodContext)


def soft(hook: Callable[[C, TypeChecker, CallExpr], Type | None]) -> Callable[[C], Type]:
    """A hook that leaves the type as it is where it does not know, or meets another mypy."""

    def call(ctx: C) -> Type:
        if not isinstance(ctx.api, TypeChecker) or not isinstance(ctx.context, CallExpr):
            return ctx.default_return_type
        if any(kind in (ARG_STAR, ARG_STAR2) for kind in ctx.context.arg_kinds):
            return ctx.default_return_type
        try:
            return hook(ctx, ctx.api, ctx.context) or ctx.default_return_type
        except (AttributeError, LookupError, TypeError, AssertionError):
            return ctx.default_return_type

    return call


def unknown() -> Type:
    """The type of what is not known."""
    return AnyType(TypeOfAny.special_form)


def info(chk: TypeChecker, module: str, name: str) -> TypeInfo:
    """A class of ours."""
    found = chk.modules[module].names[name].node
    assert isinstance(found, TypeInfo)
    return found


def given(call: CallExpr, name: str, position: int = -1) -> Expression | None:
    """An argument, by its name or its position."""
    for i, arg in enumerate(call.args):
        if call.arg_names[i] == name or (call.arg_names[i] is None and i == position):
            return arg
    return None


def called(expr: Expression) -> str:
    """The full name of what an expression calls, or nothing."""
    if isinstance(expr, CallExpr) and isinstance(expr.callee, RefExpr):
        return expr.callee.fullname
    return ""


def result(chk: TypeChecker, f: Expression) -> Type:
    """What a function gives, as it was checked."""
    kind = get_proper_type(chk.lookup_type(f))
    if isinstance(kind, Instance):
        member = chk.expr_checker.analyze_external_member_access("__call__", kind, f)
        kind = get_proper_type(member)
    return kind.ret_type if isinstance(kind, CallableType) else unknown()


def row(ctx: MethodContext) -> Type:
    """The values of the shape whose method is called."""
    kind = get_proper_type(ctx.type)
    assert isinstance(kind, Instance)
    return kind.args[-1]


def changed(kind: Type, *, key: Type | None = None, value: Type | None = None) -> Type:
    """A shape with another key or other values."""
    kind = get_proper_type(kind)
    assert isinstance(kind, Instance)
    args = list(kind.args)
    if key is not None and len(args) == 2:
        args[0] = key
    if value is not None:
        args[-1] = value
    return kind.copy_modified(args=args)
