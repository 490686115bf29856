"""The type of what a function gives, where its annotations tell."""

from __future__ import annotations

import functools
import inspect
import typing
from typing import Any, get_args, get_origin

from ominus.algebra.record import record
from ominus.flow.types.fields import RecordType, fields_of_type, hints
from ominus.flow.types.plain import ANY, filled, plain


def result_type(f: Any, *args: Any) -> Any:
    """The type of `f(...)`, given the types of its arguments where they are known; else ANY.

    >>> def size(name: str) -> int: return len(name)
    >>> result_type(size), result_type(str), result_type(lambda v: v)
    (<class 'int'>, <class 'str'>, typing.Any)
    """
    if f is record:
        return _record(args)
    if isinstance(f, type) or hasattr(f, "__supertype__"):
        return ANY if f in (type, object) else f
    if isinstance(f, functools.partial):
        known = (ANY,) * len(f.args) + args
        return result_type(f.func, *known)
    if isinstance(get_origin(f), type):
        return f
    called = f if inspect.isroutine(f) else inspect.getattr_static(type(f), "__call__", None)
    if called is None or inspect.iscoroutinefunction(called):
        return ANY
    bound = () if called is f else (ANY,)
    return _returned(called, bound + args)


def _record(args: tuple[Any, ...]) -> Any:
    """The type of `record(a, b)`: the fields of both, as far as they are known."""
    together: dict[str, Any] = {}
    for arg in args:
        fields = fields_of_type(arg)
        if fields is None or _has_optional(arg):
            return ANY
        for name, kind in fields.items():
            together.setdefault(name, kind)
    return RecordType(tuple(together.items())) if args else ANY


def _has_optional(kind: Any) -> bool:
    return bool(getattr(plain(kind), "__optional_keys__", None))


def _returned(f: Any, args: tuple[Any, ...]) -> Any:
    told = hints(f)
    if "return" not in told:
        return ANY
    given: dict[Any, Any] = {}
    for name, arg in zip(_positions(f), args, strict=False):
        _match(told.get(name, ANY), arg, given)
    return filled(told["return"], given)


def _positions(f: Any) -> list[str]:
    try:
        found = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def _match(wanted: Any, arg: Any, given: dict[Any, Any]) -> None:
    """Find what the type variables of a parameter stand for."""
    if isinstance(wanted, typing.TypeVar):
        given.setdefault(wanted, arg)
    elif get_origin(wanted) is not None and get_origin(wanted) is get_origin(arg):
        for inner, known in zip(get_args(wanted), get_args(arg), strict=False):
            _match(inner, known, given)
