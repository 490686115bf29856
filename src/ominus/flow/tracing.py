"""Tracing as a user asks for it: the tracer, told of the rows that this package makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.algebra.record import Record, record
from ominus.flow.types import RecordType
from ominus.trace.records import record_type, records
from ominus.trace.trace import Opaque, Traced
from ominus.trace.trace import trace as trace_with

_ROWS: dict[Any, Any] = {record: records(record, Record)}


def trace(f: Callable[..., Any], *types: Any) -> Traced | Opaque:
    """A function as an expression of its arguments, whose types are given; or why it is not one.

    A `Traced` can be called, printed and pickled; an `Opaque` says what could not be traced, and
    in which line of the user's.

    >>> print(trace(lambda n: n * 2 if n > 0 else 0, int))
    lambda n: n * 2 if n > 0 else 0
    >>> trace(lambda n: print(n), int).why
    'calls `print`'
    """
    return trace_with(f, *map(_known, types), constructors=_ROWS)


def _known(kind: Any) -> Any:
    if isinstance(kind, RecordType):
        return record_type(record, Record, **{name: _known(of) for name, of in kind.fields})
    return kind
