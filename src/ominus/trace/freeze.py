"""A user's function as it was when it was traced: what it read from outside does not change.

A traced function runs on two paths, its expression and the function itself; both must read the
same globals and closure cells. So the function is copied over the values of that moment, and the
functions that it calls with it. The copy can be pickled, also where the function is a lambda.
"""

from __future__ import annotations

import copy
import marshal
import sys
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

_MUTABLE = (list, dict, set, bytearray)


def freeze(f: Any, done: dict[int, Any] | None = None) -> Any:
    """The same function over what it reads now; anything else as it is."""
    done = {} if done is None else done
    if id(f) in done:
        return done[id(f)]
    if type(f) in _MUTABLE:
        return copy.deepcopy(f)
    if not isinstance(f, FunctionType):
        return f
    scope: dict[str, Any] = {"__builtins__": f.__globals__.get("__builtins__", __builtins__)}
    scope["__name__"] = f.__globals__.get("__name__", f.__module__)
    cells = tuple(CellType() for _ in f.__closure__ or ())
    made = done[id(f)] = _made(
        f.__code__, scope, f.__name__, f.__defaults__, f.__kwdefaults__, cells
    )
    for name in names_in(f.__code__):
        if name in f.__globals__ and name not in scope:
            scope[name] = freeze(f.__globals__[name], done)
    for new, old in zip(cells, f.__closure__ or (), strict=True):
        try:
            new.cell_contents = freeze(old.cell_contents, done)
        except ValueError:
            continue  # a variable that is not set yet
    return made


def names_in(code: CodeType) -> Iterator[str]:
    """The names that a code, or one inside it, may read as globals."""
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from names_in(const)


def _made(
    code: CodeType,
    scope: dict[str, Any],
    name: str,
    defaults: Any,
    keywords: Any,
    cells: tuple[CellType, ...],
) -> FunctionType:
    made = FunctionType(code, scope, name, defaults, cells or None)
    made.__kwdefaults__ = keywords
    return made


class Packed:
    """A frozen function on its way to another process of the same Python."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.f = f

    def __reduce__(self) -> Any:
        return unpack, (pack(self.f, {}),)


def pack(f: Any, done: dict[int, int]) -> Any:
    """A function as data: its code, and what it reads; a function that it calls likewise."""
    if isinstance(f, ModuleType):
        return ("module", f.__name__)
    if not isinstance(f, FunctionType):
        return ("value", f)
    if id(f) in done:
        return ("again", done[id(f)])
    done[id(f)] = number = len(done)
    scope = {
        n: pack(v, done) for n, v in f.__globals__.items() if n not in ("__builtins__", "__name__")
    }
    cells = [
        pack(c.cell_contents, done) if _is_set(c) else ("unset", None) for c in f.__closure__ or ()
    ]
    code = (sys.version_info[:2], marshal.dumps(f.__code__))
    own = (f.__name__, f.__defaults__, f.__kwdefaults__, f.__globals__.get("__name__"))
    return ("function", (number, code, own, scope, cells))


def _is_set(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def unpack(packed: Any) -> Any:
    """The function that was packed."""
    return _unpack(packed, {})


def _unpack(packed: Any, done: dict[int, Any]) -> Any:
    kind, inside = packed
    if kind == "module":
        return __import__(inside, fromlist=["_"])
    if kind == "again":
        return done[inside]
    if kind == "value":
        return inside
    number, (version, code), (name, defaults, keywords, module), scope, cells = inside
    if tuple(version) != sys.version_info[:2]:
        return None  # bytecode of another Python: the expression is all there is
    found: dict[str, Any] = {"__builtins__": __builtins__, "__name__": module}
    made_cells = tuple(CellType() for _ in cells)
    made = done[number] = _made(marshal.loads(code), found, name, defaults, keywords, made_cells)
    found.update({n: _unpack(v, done) for n, v in scope.items()})
    for cell, value in zip(made_cells, cells, strict=True):
        if value[0] != "unset":
            cell.cell_contents = _unpack(value, done)
    return made
