"""The constants that a reducer's code asks about: a bug for `v == 777` is found by trying 777."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

from ominus.algebra.reducer import Reducer

_SCALAR = (int, float, str, bytes, Decimal, Fraction, date, time, timedelta)
_MOST = 12
_LONGEST = 40


def constants(reducer: Reducer[Any, Any, Any]) -> tuple[Any, ...]:
    """The scalars in the code of a reducer's functions and in what they read, each once.

    >>> constants(Reducer(0, lambda a, v: a + v, lambda a, v: a - v + (v == 777)))
    (777,)
    """
    parts = (reducer.add, reducer.remove, reducer.merge, reducer.of, reducer.where, reducer.same)
    found: dict[Any, Any] = {}
    for part in parts:
        for value in _scalars_of(part, set(), depth=3):
            found.setdefault((type(value), value), value)
    return tuple(found.values())[: 2 * _MOST]


def _scalars_of(f: Any, seen: set[int], depth: int) -> Iterator[Any]:
    if isinstance(f, partial):
        f, given = f.func, (*f.args, *f.keywords.values())
        yield from _scalars(given)
    f = getattr(f, "__func__", f)
    if not hasattr(f, "__code__"):
        f = inspect.getattr_static(type(f), "__call__", None)
    code = getattr(f, "__code__", None)
    if code is None or id(code) in seen or depth == 0:
        return
    seen.add(id(code))
    yield from _scalars(_of_code(code))
    read = list(_read(f, code))
    yield from _scalars(tuple(read))
    for inner in read:
        if callable(inner) and hasattr(inner, "__code__"):
            yield from _scalars_of(inner, seen, depth - 1)


def _of_code(code: Any) -> tuple[Any, ...]:
    # The first constant of a function is its docstring, or None.
    own = code.co_consts[1:] if _has_docstring(code) else code.co_consts
    return tuple(x for c in own for x in (_of_code(c) if hasattr(c, "co_consts") else (c,)))


def _has_docstring(code: Any) -> bool:
    first = code.co_consts[:1]
    return bool(first) and isinstance(first[0], str) and code.co_name != "<lambda>"


def _read(f: Callable[..., Any], code: Any) -> Iterator[Any]:
    """What a function reads from outside: cells, defaults and globals."""
    for cell in getattr(f, "__closure__", None) or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue
    yield from getattr(f, "__defaults__", None) or ()
    around = getattr(f, "__globals__", {})
    yield from (around[name] for name in code.co_names if name in around)


def _scalars(values: tuple[Any, ...]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, tuple | list | frozenset | set) and len(value) <= _MOST:
            yield from _scalars(tuple(value))
        elif type(value) in _SCALAR and not _is_long(value):
            yield value


def _is_long(value: Any) -> bool:
    return isinstance(value, str | bytes) and len(value) > _LONGEST
