"""What begins a flow, and what takes whole views: source, literal, compute, maintain, lazy."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any, TypeVar, overload

from ominus.algebra.select import selector
from ominus.algebra.value import canon
from ominus.errors import FlowError
from ominus.flow import folding, ops
from ominus.flow.ops import Kind
from ominus.flow.shapes import LazyTable, Rows, Shape, Table, read_op, wrap
from ominus.flow.types import ANY, part_type

K = TypeVar("K")
V = TypeVar("V")
R = TypeVar("R")
Fields = str | int | tuple[Any, ...]


@overload
def source(name: str, row: type[V], *, key: None = None, keep: bool = True) -> Rows[V]: ...
@overload
def source(
    name: str,
    row: type[V],
    *,
    key: Callable[[V], K],
    sequence: str | None = None,
    keep: bool = True,
) -> Table[K, V]: ...
@overload
def source(
    name: str, row: type[V], *, key: Fields, sequence: str | None = None, keep: bool = True
) -> Table[Any, V]: ...
@overload
def source(
    name: str, row: UnionType = ..., *, key: None = None, keep: bool = True
) -> Rows[Any]: ...
@overload
def source(
    name: str,
    row: UnionType = ...,
    *,
    key: Fields | Callable[[Any], Any],
    sequence: str | None = None,
    keep: bool = True,
) -> Table[Any, Any]: ...
def source(
    name: Any, row: Any = ANY, *, key: Any = None, sequence: str | None = None, keep: bool = True
) -> Any:
    """Rows from outside: a table if they have a `key`, a multiset of rows if not.

    `row` is their type; without it, any Python value is taken.
    `sequence` names the position by which a feed that repeats itself is put in order.
    `keep=False` keeps no rows: what is removed is taken on trust.

    >>> source("clicks", int)
    clicks: source, rows of int
    """
    asked = f"source({name!r})"
    if not name or type(name) is not str:
        raise FlowError(f"source({name!r})", "not a name", "Give the source a name first.")
    if key is None:
        if sequence is not None:
            raise FlowError(
                asked,
                "sequence= without key=",
                "A sequence orders the changes of a key: give key= too.",
            )
        kind = Kind("rows", value=row)
    else:
        names = key if isinstance(key, tuple) else (key,)
        shown = tuple(
            part if isinstance(part, str) else "key" if len(names) == 1 else f"key{i}"
            for i, part in enumerate(names)
        )
        kind = Kind(
            "table", shown, part_type(row, key, asked=f"source({name!r}, key={key!r})"), row
        )
    if sequence is not None and not keep:
        raise FlowError(
            asked,
            "sequence= with keep=False",
            "Late changes are told by the rows that are kept: leave keep=False out.",
        )
    return wrap(
        ops.Source(
            kind=kind,
            name=name,
            row=row,
            by=None if key is None else selector(key),
            sequence=sequence,
            keep=keep,
        )
    )


def literal(rows: Iterable[V]) -> Rows[V]:
    """Rows that are part of the definition."""
    kept = tuple(canon(row, copied=True) for row in rows)
    kinds = {type(row) for row in kept}
    value = next(iter(kinds)) if len(kinds) == 1 else ANY
    made: Rows[V] = wrap(ops.Literal_(kind=Kind("rows", value=value), rows=kept))
    return made


def compute(f: Callable[..., R], *views: Shape) -> Table[tuple[()], R]:
    """`f(a, b, ...)` of whole views, from scratch whenever one of them changes."""
    ops_read = tuple(read_op(view, lazy=True) for view in views)
    made: Table[tuple[()], R] = wrap(folding.compute_views(f, ops_read))
    return made


def maintain(
    full: Callable[..., R],
    *views: Shape,
    delta: Callable[..., Any] | tuple[Callable[..., Any], ...],
    check: bool = True,
) -> Table[tuple[()], R]:
    """`full(a, b, ...)` of whole views, kept by one delta function for each view.

    `on_a(current, change, b)` sees `b` as before, `on_b(current, change, a)` sees `a` as after.
    """
    ops_read = tuple(read_op(view) for view in views)
    made: Table[tuple[()], R] = wrap(folding.maintain_views(full, ops_read, delta, check))
    return made


def lazy(f: Callable[..., R], *, reads: Shape | tuple[Shape, ...] = ()) -> LazyTable[Any, R]:
    """`f(key, self, *views)` for the keys that are asked for, remembered while it holds.

    `self[other_key]` reads itself; a circle is an error that names it.
    """
    views = reads if isinstance(reads, tuple) else (reads,)
    made: LazyTable[Any, R] = wrap(folding.lazy(f, tuple(read_op(v, lazy=True) for v in views)))
    return made
