"""Calls: of the user's functions, which are run on symbols as well, and of known ones."""

from __future__ import annotations

import functools
from inspect import CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType, MethodType
from typing import Any

from ominus.trace import screen
from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import Tuple
from ominus.trace.symbols.builtin import KNOWN
from ominus.trace.symbols.construct import construct
from ominus.trace.symbols.frame import Frame
from ominus.trace.symbols.members import dunder
from ominus.trace.symbols.methods import call_method
from ominus.trace.symbols.path import BOUND_DEPTH, Path
from ominus.trace.symbols.values import Bound, Closure, Generator, Method, Special


def call(path: Path, f: Any, args: list[Any], keywords: dict[str, Any]) -> Any:
    """`f(*args, **keywords)`."""
    if isinstance(f, Bound):
        return call(path, f.function, [f.self, *args], keywords)
    if isinstance(f, Closure):
        return inline(path, f, args, keywords)
    if isinstance(f, Method):
        return call_method(path, f, args, keywords)
    if isinstance(f, Special):
        return f.call(path, args, keywords)
    if isinstance(f, FunctionType):
        return call(path, path.const(f), args, keywords)
    if isinstance(f, Const):
        return _call_constant(path, f, args, keywords)
    found = dunder(f, "__call__")
    if found is not None:
        return call(path, Bound(found, f), args, keywords)
    path.opaque("calls a value")


def _call_constant(path: Path, f: Const, args: list[Any], keywords: dict[str, Any]) -> Any:
    value = f.value
    hook = _hook(path, value)
    if hook is not None:
        made = hook(path, args, keywords)
        if made is None:
            path.opaque(f"calls `{_name(path, f)}` in a way that is not traced")
        return made
    known = KNOWN.get(id(value))
    if known is not None:
        return known(path, args, keywords)
    if isinstance(value, FunctionType):
        return inline(path, closure_of(value), args, keywords)
    if isinstance(value, type):
        return construct(path, value, args, keywords, _name(path, f))
    if isinstance(value, functools.partial) and type(value) is functools.partial:
        before = [path.known(a, "an argument") for a in value.args]
        given = {n: path.known(a, n) for n, a in value.keywords.items()}
        return call(path, path.const(value.func), [*before, *args], given | keywords)
    if isinstance(value, MethodType):
        self = path.known(value.__self__, "self")
        return call(path, path.const(value.__func__), [self, *args], keywords)
    if getattr(value, "__objclass__", None) in (str, bytes) and args and isinstance(args[0], Expr):
        self = path.pick(args[0])
        if self.type is value.__objclass__:
            return call_method(path, Method(self, value.__name__), args[1:], keywords)
    path.opaque(f"calls `{_name(path, f)}`")


def _hook(path: Path, value: Any) -> Any:
    try:
        return path.shared.constructors.get(value)
    except TypeError:
        return None


def _name(path: Path, f: Const) -> str:
    value = f.value
    spelled = path.shared.spelled.get(id(f))
    return spelled or getattr(value, "__qualname__", None) or type(value).__name__


def closure_of(f: FunctionType) -> Closure:
    """A function of Python's as one to be run on symbols."""
    return Closure(
        f.__code__, f.__globals__, f.__builtins__,  # type: ignore[attr-defined, unused-ignore]

        f.__defaults__ or (), f.__kwdefaults__ or {}, f.__closure__ or (),
    )  # fmt: skip


def inline(path: Path, f: Closure, args: list[Any], keywords: dict[str, Any]) -> Any:
    """Run a function on symbols, in place of its call."""
    if len(path.frames) >= BOUND_DEPTH:
        path.opaque(f"`{f.code.co_name}` calls itself too deeply")
    why = screen.refusal(f.code)
    if why is not None:
        path.opaque(f"`{f.code.co_name}` {why}")
    path.shared.inlined.add(f.code)
    frame = Frame(path, f, bind(path, f, args, keywords))
    if f.code.co_flags & CO_GENERATOR:
        return Generator(frame)
    return frame.run()


def bind(path: Path, f: Closure, args: list[Any], keywords: dict[str, Any]) -> list[Any]:
    """The arguments in the order of the function's variables; a TypeError where they do not fit."""
    code = f.code
    count, only = code.co_argcount, code.co_kwonlyargcount
    if code.co_flags & CO_VARKEYWORDS:
        path.opaque(f"`{code.co_name}` takes any keywords")
    names = code.co_varnames[: count + only]
    found = dict(zip(names[:count], args, strict=False))
    if len(args) > count and not code.co_flags & CO_VARARGS:
        path.fail(TypeError)
    for name, value in keywords.items():
        if name in found or name not in names[code.co_posonlyargcount :]:
            path.fail(TypeError)
        found[name] = value
    defaults = (
        dict(zip(names[count - len(f.defaults) : count], f.defaults, strict=True)) | f.keywords
    )
    for name in names:
        if name not in found:
            if name not in defaults:
                path.fail(TypeError)
            found[name] = _default(path, defaults[name], name)
    values = [found[n] for n in names]
    if code.co_flags & CO_VARARGS:
        rest = args[count:]
        if not all(isinstance(r, Expr) for r in rest):
            path.opaque("passes on what is no value")
        values.append(path.pool.build(Tuple(tuple(r.type for r in rest)), tuple(rest)))
    return values


def _default(path: Path, value: Any, name: str) -> Any:
    return value if isinstance(value, (Expr, Closure, Bound)) else path.known(value, name)
