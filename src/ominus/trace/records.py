"""Rows by name: how a function that makes them is traced, and how a type of them is declared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.trace.expr import Expr
from ominus.trace.hints import type_of
from ominus.trace.kinds import Row
from ominus.trace.symbols.construct import build, fields
from ominus.trace.symbols.path import Constructor, Path


def record_type(make: Callable[..., Any], py: type, **hints: Any) -> Row:
    """The type of the rows of class `py` that `make(**fields)` gives for fields of these types."""
    return Row("record", py, tuple((n, type_of(t)) for n, t in hints.items()), make)


def records(make: Callable[..., Any], py: type) -> Constructor:
    """Trace `make(row, ..., name=value)`: the fields of the rows, then those by name.

    Fails  is not traced where two of them give a field different values: Python has to say.
    """
    shape = Row("record", py, (), make)

    def made(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr | None:
        given: dict[str, Expr] = {}
        for more in [*(_fields(path, row) for row in args), keywords]:
            if more is None or any(given.get(n, x) is not x for n, x in more.items()):
                return None
            given |= more
        return build(path, shape, given)

    return made


def _fields(path: Path, row: Any) -> dict[str, Expr] | None:
    row = path.pick(row) if isinstance(row, Expr) else row
    return fields(path, row) if isinstance(row, Expr) and isinstance(row.type, Row) else None
