"""What the tracer is told of the library's own functions: selectors, and the order of values.

Each hook gives what the function gives, for exactly the types that it names, and None elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise
from types import FunctionType, MemberDescriptorType, NoneType
from typing import Any

from ominus.algebra.order import order
from ominus.algebra.select import Field, Item
from ominus.algebra.value import canon
from ominus.trace.expr import Const, Expr
from ominus.trace.hints import type_of_value
from ominus.trace.kinds import Row, Tuple
from ominus.trace.symbols import compare, operate
from ominus.trace.symbols.iterate import every
from ominus.trace.symbols.members import attribute, get, lookup, subscript
from ominus.trace.symbols.path import Constructor, Path
from ominus.trace.symbols.values import NULL, Bound, Items

_MANY = 40


class Hooks(Mapping[Any, Constructor]):
    """How to trace what is called: looked up by the function, or by the class of a callable."""

    def get(self, function: Any, default: Any = None) -> Any:
        """The hook for what is called, or the default."""
        if type(function) is Field:
            return lambda path, args, named: _field(path, args, named, function.name)
        if type(function) is Item:
            return lambda path, args, named: _item(path, args, named, function.index)
        found = _KNOWN.get(function) if _hashable(function) else None
        if found is not None or isinstance(function, type | FunctionType):
            return found or default
        return _of_callable(function) or default

    def __getitem__(self, function: Any) -> Constructor:
        return _KNOWN[function]

    def __iter__(self) -> Iterator[Any]:
        return iter(_KNOWN)

    def __len__(self) -> int:
        return len(_KNOWN)


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


# ---- selectors


def _row(path: Path, args: list[Any], named: dict[str, Any]) -> Expr | None:
    if named or len(args) != 1 or not isinstance(args[0], Expr):
        return None
    return path.pick(args[0])


def _field(path: Path, args: list[Any], named: dict[str, Any], name: str) -> Any:
    row = _row(path, args, named)
    if row is None or not isinstance(row.type, Row) or row.type.field(name) is None:
        return None
    if row.type.kind in ("dict", "record"):
        return get(path, row, name)
    if issubclass(row.type.py, Mapping):
        return None
    found = attribute(path, row, name)
    return found if isinstance(found, Expr) else None


def _item(path: Path, args: list[Any], named: dict[str, Any], index: int) -> Any:
    row = _row(path, args, named)
    if row is None or not isinstance(row.type, (Tuple, Row)):
        return None
    if isinstance(row.type, Row) and row.type.kind != "namedtuple":
        return None
    size = len(row.type.items if isinstance(row.type, Tuple) else row.type.fields)
    if not -size <= index < size:
        return None
    found = subscript(path, row, path.const(index))
    return found if isinstance(found, Expr) else None


# ---- objects that can be called


def _of_callable(value: Any) -> Constructor | None:
    """An object of a class of Python's own making, whose attributes are read as they are now."""
    cls = type(value)
    act = lookup(cls, "__call__")
    if not isinstance(act, FunctionType) or not _plain(cls):
        return None
    fields = tuple((n, type_of_value(v)) for n, v in _attributes(value).items())
    known = Const(Row("dataclass", cls, fields, cls), value)
    return lambda path, args, named: path.call(Bound(path.const(act), known), args, named)


def _plain(cls: type) -> bool:
    reads = lookup(cls, "__getattribute__") is object.__getattribute__
    return reads and lookup(cls, "__getattr__") is None and type(cls) is type


def _attributes(value: Any) -> dict[str, Any]:
    slots = {
        name: getattr(value, name)
        for cls in type(value).__mro__
        for name, found in vars(cls).items()
        if isinstance(found, MemberDescriptorType) and hasattr(value, name)
    }
    return slots | getattr(value, "__dict__", {})


# ---- the order of values, and how they are kept

_AS_THEY_ARE = frozenset({int, str, bytes, bool, NoneType, date, timedelta})


def _canon(path: Path, args: list[Any], named: dict[str, Any]) -> Any:
    value = _row(path, args, {n: x for n, x in named.items() if n != "copied"})
    return value if value is not None and value.type in _AS_THEY_ARE else None


def _order(path: Path, args: list[Any], named: dict[str, Any]) -> Any:
    value = _row(path, args, named)
    around = None if value is None else _PLACES.get(value.type)
    if value is None or around is None:
        return None
    before, after = around
    parts = (*map(path.const, before), value, *map(path.const, after))
    return path.pool.build(Tuple(tuple(p.type for p in parts)), parts)


# What stands before and after a value in its place in the order.
_PLACES: dict[Any, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    int: ((2, 0), ("0",)),
    str: ((3,), ("",)),
    date: ((5, 0), ()),
}


def _ascends(edges: Expr) -> bool:
    """Whether these are a few constants in order, so that any way to search finds one place."""
    if not isinstance(edges, Const) or len(edges.value) > _MANY:
        return False
    try:
        return all(a <= b for a, b in pairwise(edges.value))
    except TypeError:
        return False


def _bisect(right: bool) -> Constructor:
    def bisect(path: Path, args: list[Any], named: dict[str, Any]) -> Any:
        if named or len(args) != 2 or not all(isinstance(a, Expr) for a in args):
            return None
        edges, value = path.pick(args[0]), path.pick(args[1])
        if not isinstance(edges.type, Tuple) or not _ascends(edges):
            return None
        for i, edge in enumerate(operate.parts(path, edges)):
            pair = (value, edge) if right else (edge, value)
            test = operate.truth(path, compare.compare(path, "<", *pair))
            if path.decide(test) is right:
                return path.const(i)
        return path.const(len(edges.type.items))

    return bisect


# ---- loops over what has a known number of parts


def _map(path: Path, args: list[Any], named: dict[str, Any]) -> Any:
    if named or len(args) < 2:
        return None
    columns = [every(path, x) for x in args[1:]]
    return _Mapped(path, args[0], list(zip(*columns, strict=False)))


class _Mapped(Items):
    """What `map` gives: each is computed when it is asked for."""

    __slots__ = ("function", "path")

    def __init__(self, path: Path, function: Any, rows: list[Any]) -> None:
        super().__init__(rows)
        self.path, self.function = path, function

    def next(self) -> Any:
        row = super().next()
        return row if row is NULL else self.path.call(self.function, list(row), {})


def _zip(path: Path, args: list[Any], named: dict[str, Any]) -> Any:
    strict = named.get("strict", path.const(False))
    if len(named) > ("strict" in named) or not isinstance(strict, Const):
        return None
    columns = [every(path, x) for x in args]
    if strict.value and len(set(map(len, columns))) > 1:
        return None
    rows = zip(*columns, strict=False)
    return Items([path.pool.build(Tuple(tuple(x.type for x in row)), row) for row in rows])


_KNOWN: dict[Callable[..., Any], Constructor] = {
    canon: _canon,
    order: _order,
    bisect_right: _bisect(True),
    bisect_left: _bisect(False),
    map: _map,
    zip: _zip,
}
