"""`in` on symbols: in strings, among constants, and in what has a known number of parts."""

from __future__ import annotations

import math
from datetime import datetime
from decimal import Decimal
from types import NoneType
from typing import Any

from ominus.trace.expr import Const, Expr, RowPath
from ominus.trace.kinds import SCALARS, Many, Row, Tuple, Type, spell
from ominus.trace.symbols import rules
from ominus.trace.symbols.compare import is_plain_enum, maybe_nan, same
from ominus.trace.symbols.members import dunder
from ominus.trace.symbols.operate import one, parts, truth
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound


def contains(path: Path, item: Any, container: Any) -> Expr:
    """`item in container`."""
    item, container = one(path, item), one(path, container)
    kind = container.type
    if kind in (str, bytes):
        if item.type is not kind:
            if kind is str and item.type in rules.STRANGERS:
                path.fail(TypeError)
            path.opaque(f"looks for a {spell(item.type)} in {spell(kind)}")
        return path.op(bool, "in", item, container)
    if isinstance(container, Const) and type(container.value) in (
        tuple,
        list,
        set,
        frozenset,
        dict,
    ):
        return _among(path, item, container)
    if isinstance(kind, Row) and kind.kind == "dict" and isinstance(item, Const):
        return path.const(any(n == item.value for n, _ in kind.fields))
    if isinstance(kind, Tuple) or (isinstance(kind, Row) and kind.kind == "namedtuple"):
        if dunder(container, "__contains__") is None:
            return _one_of(path, item, parts(path, container))
    if isinstance(kind, Many) and kind.item is item.type and item.type in SCALARS:
        _refuse_nan(path, item)
        return path.op(bool, "in", item, container)
    found = dunder(container, "__contains__")
    if found is not None:
        return truth(path, path.call(Bound(found, container), [item]))
    path.opaque(f"`in` a {spell(kind)}")


def _refuse_nan(path: Path, item: Expr) -> None:
    if maybe_nan(item) and path.decide(path.op(bool, "!=", item, item)):
        path.fail(RowPath)


def _among(path: Path, item: Expr, container: Const) -> Expr:
    """Among constants: those that can be equal at all, as one node."""
    values = list(container.value)
    if type(container.value) in (set, frozenset, dict) and not hashable(item.type):
        path.opaque(f"looks for a {spell(item.type)}, which may not be hashable")
    if item.type not in SCALARS and not is_plain_enum(item.type):
        return _one_of(path, item, tuple(path.const(v) for v in values))
    kept = []
    for value in values:
        other = path.const(value)
        if other.type is item.type or (item.type, other.type) in rules.COMPARABLE:
            if isinstance(value, float) and math.isnan(value):
                _refuse_nan(path, item)
            kept.append(value)
        elif not (item.type in rules.STRANGERS and other.type in rules.STRANGERS):
            path.opaque(f"looks for a {spell(item.type)} among {spell(other.type)}")
    if item.type is NoneType or not kept:
        return path.const(None in kept)
    if any(path.const(v).type in (Decimal, datetime) for v in kept) or item.type in (
        Decimal,
        datetime,
    ):
        return _one_of(path, item, tuple(path.const(v) for v in kept))
    return path.op(bool, "in", item, path.const(tuple(kept)))


def hashable(kind: Type) -> bool:
    """Whether every value of this type can be hashed; a signalling Decimal cannot."""
    if isinstance(kind, Tuple):
        return kind.py is tuple and all(map(hashable, kind.items))
    return (kind in SCALARS and kind is not Decimal) or is_plain_enum(kind)


def _one_of(path: Path, item: Expr, others: tuple[Expr, ...]) -> Expr:
    found = path.const(False)
    for other in others:
        if path.decide(found):
            return path.const(True)
        found = same(path, item, other)
    return found
