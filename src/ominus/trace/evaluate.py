"""Evaluate an expression node by node: the reference for every other interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ominus.trace.expr import Arg, Build, Cond, Const, Expr, Fail, Get, Op
from ominus.trace.kinds import Row, Tuple
from ominus.trace.show import runner
from ominus.trace.tree import Raise


def evaluate(node: Expr, args: Sequence[Any], known: dict[int, Any] | None = None) -> Any:
    """The value of a node for these arguments; each shared node once."""
    known = {} if known is None else known
    if id(node) not in known:
        known[id(node)] = _value(node, args, known)
    return known[id(node)]


def _value(node: Expr, args: Sequence[Any], known: dict[int, Any]) -> Any:
    match node:
        case Arg(_, index):
            return args[index]
        case Const(_, value):
            return value
        case Get(_, of, key):
            return _get(evaluate(of, args, known), of, key)
        case Op(_, "and" | "or" as name, (left, right)):
            first = evaluate(left, args, known)
            return first if first is (name == "or") else evaluate(right, args, known)
        case Op(_, name, inner):
            return runner(name, len(inner))(*(evaluate(i, args, known) for i in inner))
        case Cond(_, test, then, other):
            return evaluate(then if evaluate(test, args, known) else other, args, known)
        case Build(_, parts):
            return make(node, [evaluate(p, args, known) for p in parts])
        case Fail(_, error):
            raise error
    raise AssertionError(node)


def _get(row: Any, of: Expr, key: str | int) -> Any:
    by_item = isinstance(key, int) or (isinstance(of.type, Row) and of.type.kind == "dict")
    return row[key] if by_item else getattr(row, str(key))


def make(node: Build, parts: list[Any]) -> Any:
    """The tuple, list or row of these parts."""
    kind = node.type
    if isinstance(kind, Tuple):
        return kind.py(parts)
    assert isinstance(kind, Row)
    if kind.kind == "namedtuple":
        return kind.make(*parts)
    return kind.make(**{n: p for (n, _), p in zip(kind.fields, parts, strict=True)})


def leaves_columns(raises: Sequence[Raise], args: Sequence[Any]) -> bool:
    """Whether a row is for the row path: something on its path raises, or only Python can tell."""
    known: dict[int, Any] = {}
    for one in raises:
        try:
            if evaluate(one.guard, args, known):
                evaluate(one.node, args, known)
        except Exception:
            return True
    return False
