"""A function in words: its name, a lambda by its source if that is found.

The source of a lambda is where its instructions say that they come from; what is found there is
compiled and compared with the lambda, so that a file edited since never lends it other words.
"""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import types
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from ominus.algebra.reducer import Reducer
from ominus.algebra.select import Order, Parts, itself

LONGEST = 160
_SLACK = 6
"""How many characters outside of its instructions a body may reach: brackets, and space."""


def spelled(f: Any) -> str:
    """A function, a selector, a reducer or a plain value, as a user would write it.

    >>> from operator import itemgetter
    >>> spelled(len), spelled(Parts((itself,))), spelled(timedelta(minutes=90))
    ('len', '(value)', "'1h30m'")
    """
    text = " ".join(_spelled(f).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def body(f: Any, *, most: int = 1) -> str:
    """As `spelled`, but a lambda of at most so many arguments by what it gives alone."""
    if _is_lambda(f) and _arity(f.__code__) <= most:
        found = source_of(f)
        if found is not None:
            text = " ".join(found.split()) if "\n" in found else found
            return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return spelled(f)


def _spelled(f: Any) -> str:
    if f is itself:
        return "value"
    if _is_lambda(f):
        found = source_of(f)
        head = f"lambda {_parameters(f.__code__)}".strip()
        return "lambda" if found is None else f"{head}: {found}"
    if isinstance(f, Reducer):
        return _call(*f.call) if f.call is not None else repr(f)
    if isinstance(f, Order):
        return _spelled(f.by) if f.by is not None else "value"
    if isinstance(f, Parts):
        return f"({', '.join(map(_spelled, f.parts))})"
    if isinstance(f, tuple) and type(f) is tuple:
        return f"({', '.join(map(_spelled, f))}{',' if len(f) == 1 else ''})"
    if isinstance(f, functools.partial):
        return _call("partial", (f.func, *f.args), f.keywords)
    if isinstance(f, types.MethodType):
        return f"{type(f.__self__).__name__}.{f.__name__}"
    if isinstance(f, timedelta):
        return repr(lasting(f))
    if isinstance(f, type | types.FunctionType | types.BuiltinFunctionType):
        return f.__name__
    if isinstance(f, types.MethodDescriptorType):
        return f.__qualname__
    return type(f).__name__ if _shows_nothing(f) else repr(f)


def _shows_nothing(f: object) -> bool:
    own: Any = type(f).__repr__
    return own is object.__repr__


def _call(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> str:
    if name == "finish":
        return f"{_spelled(args[0])}.finish({_spelled(args[1])})"
    shown = [_spelled(a) for a in args] + [f"{n}={_spelled(v)}" for n, v in named.items()]
    return f"{name}({', '.join(shown)})"


def lasting(length: timedelta) -> str:
    """A duration as `window` takes it.

    >>> lasting(timedelta(days=1, seconds=90))
    '1d1m30s'
    """
    left = length // timedelta(microseconds=1)
    text = ""
    for unit, size in _UNITS.items():
        n, left = divmod(left, size)
        text += f"{n}{unit}" if n else ""
    return text


_UNITS = {"d": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000}
_UNITS |= {"ms": 1_000, "us": 1}


# Lambdas


def _is_lambda(f: Any) -> bool:
    return isinstance(f, types.FunctionType) and f.__name__ == "<lambda>"


def _arity(code: types.CodeType) -> int:
    starred = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_argcount + code.co_kwonlyargcount + starred


def _parameters(code: types.CodeType) -> str:
    names = list(code.co_varnames[: _arity(code)])
    double = [f"**{names.pop()}"] if code.co_flags & 0x08 else []
    star = [f"*{names.pop()}"] if code.co_flags & 0x04 else []
    plain, only = names[: code.co_argcount], names[code.co_argcount :]
    if only and not star:
        star = ["*"]
    return ", ".join([*plain, *star, *only, *double])


def source_of(f: types.FunctionType) -> str | None:
    """What a lambda gives, as it stands in its file; None if that is not to be found.

    >>> source_of(lambda o: (o.a + 1) * 2) in ("(o.a + 1) * 2", None)
    True
    """
    code = f.__code__
    for text in _candidates(code):
        found = _compiled(text, code)
        if found is not None and _same(found, code):
            return text if "\n" not in text else ast.unparse(ast.parse(f"({text})", mode="eval"))
    return None


def _candidates(code: types.CodeType) -> Iterator[str]:
    """The text that the instructions come from, then with more and more around it."""
    span = _span(code)
    lines = linecache.getlines(code.co_filename)
    if span is None or span[2] > len(lines):
        return
    first, start, last, end = span
    raw = "".join(lines).encode()
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    lo, hi = starts[first - 1] + start, starts[last - 1] + end
    for left in range(_SLACK):
        for right in range(_SLACK):
            yield raw[max(lo - left, 0) : hi + right].decode(errors="replace").strip()


def _span(code: types.CodeType) -> tuple[int, int, int, int] | None:
    """First line and column, last line and column of what a code object was compiled from."""
    found = [p for p in _positions(code) if None not in p and (p[0], p[2]) != (p[1], p[3])]
    if not found:
        return None
    first, start = min((p[0], p[2]) for p in found)
    last, end = max((p[1], p[3]) for p in found)
    return first, start, last, end


def _positions(code: types.CodeType) -> Iterator[Any]:
    """Of all instructions, those of functions inside included; what begins a call has no width."""
    yield from code.co_positions()
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _positions(const)


def _compiled(text: str, code: types.CodeType) -> types.CodeType | None:
    """The code of a lambda with this body, in a place where its free variables are free too."""
    names = ", ".join(code.co_freevars)
    whole = f"def _({names}):\n return (lambda {_parameters(code)}: ({text}\n))"
    try:
        outer = compile(whole, "<shown>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    made = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    inner = [c for c in made.co_consts if isinstance(c, types.CodeType)]
    return inner[0] if len(inner) == 1 else None


def _same(a: types.CodeType, b: types.CodeType) -> bool:
    return a.co_varnames == b.co_varnames and _essence(a) == _essence(b)


def _essence(code: types.CodeType) -> list[tuple[Any, ...]]:
    """The instructions without what depends on the place: an imported name is called otherwise."""
    found: list[tuple[Any, ...]] = []
    for one in dis.get_instructions(code):
        if one.opname in _IDLE:
            continue
        what = "LOAD_ATTR" if one.opname == "LOAD_METHOD" else one.opname
        jumps = one.opcode in dis.hasjrel or one.opcode in dis.hasjabs
        found.append((what, None if jumps else _argument(one.argval)))
    return found


def _argument(value: Any) -> Any:
    return _essence(value) if isinstance(value, types.CodeType) else (type(value), repr(value))


_IDLE = frozenset({"CACHE", "NOP", "PRECALL", "PUSH_NULL", "RESUME", "COPY_FREE_VARS"})
