"""Trace a function as far as it can be traced: a path that cannot is one where only Python tells.

Such a path ends in `Fail(RowPath)`, so nothing is proved of it; a proof has to show that no
reachable state takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

from ominus.trace import screen
from ominus.trace.expr import RowPath
from ominus.trace.kinds import Type
from ominus.trace.symbols import calls
from ominus.trace.symbols.path import BOUND_PATHS, Path, Shared
from ominus.trace.symbols.values import NotTraced
from ominus.trace.trace import Opaque, Traced, _follow, _grow, _Path
from ominus.trace.tree import merge, raises


def trace_partly(
    shared: Shared, f: Callable[..., Any], *kinds: Type
) -> tuple[Traced | Opaque, tuple[Opaque, ...]]:
    """The trace, and why some paths of it are not known; opaque where none is."""
    if screen.VERSION is None:
        return Opaque("this Python's bytecode is not known", 0), ()
    names = tuple(f"x{i}" for i in range(len(kinds)))
    args = [shared.pool.arg(k, i, p) for i, (k, p) in enumerate(zip(kinds, names, strict=True))]
    try:
        called = calls.closure_of(f) if isinstance(f, FunctionType) else f
        paths, whys = _explore(shared, called, args)
    except NotTraced as fact:
        return Opaque(fact.why, fact.line), ()
    except RecursionError:
        return Opaque("nests too deeply", 0), ()
    except Exception as error:  # a fault of the tracer must cost a proof, never make one
        return Opaque(f"the tracer does not cope ({error!r})", 0), ()
    if len(whys) == len(paths):
        return whys[0], whys
    tree, pool = _grow(paths, 0), shared.pool
    merged, may_raise = merge(pool, tree), raises(pool, tree)
    return Traced("step", names, kinds, tree, merged, may_raise, (), f), whys


def _explore(shared: Shared, called: Any, args: Any) -> tuple[list[_Path], tuple[Opaque, ...]]:
    found: list[_Path] = []
    whys: list[Opaque] = []
    todo: list[tuple[bool, ...]] = [()]
    while todo:
        if len(found) == BOUND_PATHS:
            raise NotTraced(f"has more than {BOUND_PATHS} paths", found[0].line)
        path = Path(shared, todo.pop())
        try:
            found.append(_follow(path, called, args))
        except NotTraced as fact:
            whys.append(Opaque(fact.why, fact.line))
            end = path.pool.fail(RowPath)
            found.append(_Path(tuple(path.events), end, fact.line))
        todo.extend(path.forks)
    return found, tuple(whys)
