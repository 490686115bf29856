"""Trace a function as far as it can be traced: a path that cannot is one where only Python tells.

Such a path ends in `Fail(RowPath)`, so nothing is proved of it; a proof has to show that no
reachable state takes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ominus.trace import screen
from ominus.trace.expr import RowPath
from ominus.trace.kinds import Type
from ominus.trace.symbols.path import BOUND_PATHS, Path, Session
from ominus.trace.symbols.values import NotTraced
from ominus.trace.trace import Opaque, Traced, _entry, _follow, _grow, _name, _parameters, _Path
from ominus.trace.tree import merge, raises


def trace_partly(
    session: Session, f: Callable[..., Any], *kinds: Type
) -> tuple[Traced | Opaque, tuple[Opaque, ...]]:
    """The trace, and why some paths of it are not known; opaque where none is."""
    if screen.VERSION is None:
        return Opaque("this Python's bytecode is not known", 0), ()
    names = _parameters(f, len(kinds))
    args = [session.pool.arg(k, i, p) for i, (k, p) in enumerate(zip(kinds, names, strict=True))]
    try:
        function, called = _entry(f)
        paths, whys = _explore(session, called, args)
    except NotTraced as fact:
        return Opaque(fact.why, fact.line), ()
    except RecursionError:
        return Opaque("nests too deeply", 0), ()
    if len(whys) == len(paths):
        return whys[0], whys
    tree, pool = _grow(paths, 0), session.pool
    merged, may_raise = merge(pool, tree), raises(pool, tree)
    return Traced(_name(f), names, kinds, tree, merged, may_raise, (), function), whys


def _explore(session: Session, called: Any, args: Any) -> tuple[list[_Path], tuple[Opaque, ...]]:
    found: list[_Path] = []
    whys: list[Opaque] = []
    todo: list[tuple[bool, ...]] = [()]
    while todo:
        if len(found) == BOUND_PATHS:
            raise NotTraced(f"has more than {BOUND_PATHS} paths", found[0].line)
        path = Path(session, todo.pop())
        try:
            found.append(_follow(path, called, args))
        except NotTraced as fact:
            whys.append(Opaque(fact.why, fact.line))
            end = path.pool.fail(RowPath)
            found.append(_Path(tuple(path.events), end, fact.line))
        todo.extend(path.forks)
    return found, tuple(whys)
