"""When two sub-flows are the same: operators, code, defaults, closure values and globals.

`print_of(x)` is a hashable that is equal for two definitions exactly if they mean the same.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Hashable
from dataclasses import fields, is_dataclass, replace
from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.algebra.value import ident
from ominus.errors import NotAValue
from ominus.flow.ops import Op


class Prints:
    """The prints of definitions, each found once; it keeps alive what it has seen by identity."""

    def __init__(self) -> None:
        self.ops: dict[Hashable, Op] = {}
        self._kept: dict[int, Any] = {}
        self._interned: dict[int, Op] = {}
        self._inside: set[int] = set()

    def intern(self, op: Op) -> Op:
        """The one operator that stands for all that are the same as this one."""
        found = self._interned.get(id(op))
        if found is None:
            own = replace(
                op,
                **{
                    f.name: self._inputs(getattr(op, f.name))
                    for f in fields(op)
                    if f.name != "kind"
                },
            )
            print_ = (
                type(op),
                tuple(self._part(f.name, getattr(own, f.name)) for f in fields(own)),
            )
            found = self.ops.setdefault(print_, own)
            self._kept[id(op)] = op
            self._interned[id(op)] = found
            self._interned[id(found)] = found
        return found

    def _inputs(self, part: Any) -> Any:
        if isinstance(part, Op):
            return self.intern(part)
        if type(part) is tuple:
            return tuple(self._inputs(p) for p in part)
        return part

    def _part(self, name: str, part: Any) -> Hashable:
        if name == "kind":
            return (part.shape, part.names)
        return self.of(part)

    def of(self, x: Any) -> Hashable:
        """The print of any part of a definition."""
        if isinstance(x, Op):
            return self._identity(x)
        if isinstance(x, types.FunctionType):
            return self._function(x)
        if isinstance(x, types.MethodType):
            return ("method", self.of(x.__func__), self._identity(x.__self__))
        if isinstance(x, functools.partial):
            named = tuple((n, self.of(v)) for n, v in sorted(x.keywords.items()))
            return ("partial", self.of(x.func), tuple(map(self.of, x.args)), named)
        if isinstance(x, Reducer):
            return ("reducer", tuple((n, self.of(v)) for n, v in x.parts().items()))
        if isinstance(x, type | types.ModuleType | types.BuiltinFunctionType):
            return self._identity(x)
        if type(x) is tuple:
            return ("tuple", tuple(map(self.of, x)))
        if is_dataclass(x) and callable(x):
            return (type(x), tuple(self.of(getattr(x, f.name)) for f in fields(x)))
        if isinstance(x, list | dict | set | bytearray):
            return self._identity(x)
        try:
            return ("value", ident(x))
        except (NotAValue, TypeError):
            return self._identity(x)

    def read_by(self, f: Any) -> dict[str, Hashable]:
        """The names that a function reads from outside it, with the prints of what they hold."""
        f = getattr(f, "__func__", f)
        if not isinstance(f, types.FunctionType):
            return {}
        cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
        found = {name: self._cell(cell) for name, cell in cells}
        for name in globals_read(f.__code__):
            if name in f.__globals__:
                found[name] = self.of(f.__globals__[name])
        return found

    def _identity(self, x: Any) -> Hashable:
        self._kept[id(x)] = x
        return ("is", id(x))

    def _function(self, f: types.FunctionType) -> Hashable:
        if id(f) in self._inside:
            return ("itself", f.__qualname__)
        self._inside.add(id(f))
        try:
            cells = tuple(self._cell(c) for c in f.__closure__ or ())
            named = tuple((n, self.of(v)) for n, v in sorted((f.__kwdefaults__ or {}).items()))
            reads = tuple(
                (n, self.of(f.__globals__[n]))
                for n in globals_read(f.__code__)
                if n in f.__globals__
            )
            defaults = tuple(map(self.of, f.__defaults__ or ()))
            return ("function", _code(f.__code__), defaults, named, cells, reads)
        finally:
            self._inside.discard(id(f))

    def _cell(self, cell: Any) -> Hashable:
        try:
            return self.of(cell.cell_contents)
        except ValueError:
            return "empty"


def _code(code: types.CodeType) -> Hashable:
    consts = tuple(
        _code(c)
        if isinstance(c, types.CodeType)
        else (type(c).__name__, ident(c))
        if c is not Ellipsis
        else "..."
        for c in code.co_consts
    )
    return (
        code.co_code,
        consts,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_exceptiontable,
    )


@functools.lru_cache(maxsize=4096)
def globals_read(code: types.CodeType) -> tuple[str, ...]:
    """The names that a code object, or one inside it, reads as globals."""
    found = {
        i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= set(globals_read(const))
    return tuple(sorted(found))
