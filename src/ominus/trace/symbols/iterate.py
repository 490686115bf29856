"""Loops: only over values of a known number."""

from __future__ import annotations

from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Row, Tuple
from ominus.trace.symbols.members import dunder
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import NULL, Generator, Items

_MANY = 64


def iterate(path: Path, x: Any) -> Items | Generator:
    """`iter(x)`."""
    from ominus.trace.symbols.operate import parts

    if isinstance(x, (Items, Generator)):
        return x
    if not isinstance(x, Expr):
        path.opaque(f"loops over a {type(x).__name__.lower()}")
    x = path.pick(x)
    kind = x.type
    if isinstance(x, Const) and type(x.value) in (str, tuple, list, dict, range):
        if len(x.value) > _MANY:
            path.opaque(f"loops over {len(x.value)} values")
        return Items([path.const(v) for v in x.value])
    if isinstance(kind, Tuple) or (isinstance(kind, Row) and kind.kind == "namedtuple"):
        if dunder(x, "__iter__") is None:
            return Items(list(parts(path, x)))
    if isinstance(kind, Row) and kind.kind == "dict":
        path.opaque("depends on the order of a dict's keys")
    if kind in (int, float, bool, type(None)):
        path.fail(TypeError)
    path.opaque("loops over the value" if not isinstance(x, Const) else "loops over a constant")


def every(path: Path, x: Any, why: str = "loops over the value") -> list[Any]:
    """All values of what is looped over."""
    found, source = [], iterate(path, x)
    while (value := source.next()) is not NULL:
        found.append(value)
        if len(found) > _MANY:
            path.opaque(why)
    return found
