"""A user's function as it was when it was traced: what it read from outside does not change.

A traced function runs on two paths, its expression and the function itself; both must read the
same globals and closure cells. So the function is copied over the values of that moment, and the
functions that it calls with it. The copy can be pickled, also where the function is a lambda.
"""

from __future__ import annotations

import copy
import importlib
import marshal
import sys
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

_MUTABLE = (list, dict, set, bytearray)


def freeze(f: Any, *, inlined: set[CodeType], modules: set[str]) -> Any:
    """The same function over what it reads now; anything else as it is.

    `inlined` is the code that was run on symbols, the only functions that are copied; `modules`
    are those whose variables were read, and the function gets them as they are now.
    """
    return _Freezer(inlined, modules).value(f)


class _Freezer:
    """Copies functions, each once, so that those that call each other still do."""

    def __init__(self, inlined: set[CodeType], modules: set[str]) -> None:
        self.inlined, self.modules = inlined, modules
        self.done: dict[int, Any] = {}

    def value(self, value: Any) -> Any:
        if id(value) in self.done:
            return self.done[id(value)]
        if isinstance(value, FunctionType) and value.__code__ in self.inlined:
            return self.function(value)
        if type(value) in _MUTABLE:
            self.done[id(value)] = _copied(value)
            return self.done[id(value)]
        return value

    def function(self, f: FunctionType) -> FunctionType:
        scope = {"__builtins__": f.__globals__.get("__builtins__", __builtins__)}
        scope["__name__"] = f.__globals__.get("__name__", f.__module__)
        cells = tuple(CellType() for _ in f.__closure__ or ())
        given = tuple(map(self.value, f.__defaults__)) if f.__defaults__ else None
        made = _made(f.__code__, scope, f.__name__, given, f.__kwdefaults__, cells)
        self.done[id(f)] = made
        for name in names_in(f.__code__):
            if name in f.__globals__ and name not in scope:
                scope[name] = self.variable(f.__globals__[name], f.__code__)
        for new, old in zip(cells, f.__closure__ or (), strict=True):
            if _is_set(old):
                new.cell_contents = self.value(old.cell_contents)
        return made

    def variable(self, value: Any, code: CodeType) -> Any:
        if isinstance(value, ModuleType) and value.__name__ in self.modules:
            names = [n for n in names_in(code) if n in vars(value)]
            return _of_module(value.__name__, {n: self.value(vars(value)[n]) for n in names})
        return self.value(value)


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # what cannot be copied was not read either
        return value


class Snapshot(ModuleType):
    """A module with some of its variables as they were; the others are the module's own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)


def _of_module(name: str, variables: dict[str, Any]) -> Snapshot:
    made = Snapshot(name)
    vars(made).update(variables)
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
    if isinstance(f, Snapshot):
        kept = {n: pack(v, done) for n, v in vars(f).items() if not n.startswith("__")}
        return ("snapshot", (f.__name__, kept))
    if isinstance(f, ModuleType):
        return ("module", f.__name__)
    if not isinstance(f, FunctionType) or _is_named(f):
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


def _is_named(f: FunctionType) -> bool:
    """Whether another process finds the function by its name."""
    found: Any = sys.modules.get(f.__module__)
    for name in f.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is f


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
        return importlib.import_module(inside)
    if kind == "snapshot":
        return _of_module(inside[0], {n: _unpack(v, done) for n, v in inside[1].items()})
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
