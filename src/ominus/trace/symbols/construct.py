"""Classes that are called: scalars converted, dates and rows built, exceptions made."""

from __future__ import annotations

import dataclasses
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from types import MemberDescriptorType
from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.hints import type_of
from ominus.trace.kinds import Many, Row, Tuple, spell, union
from ominus.trace.symbols.convert import CONVERT
from ominus.trace.symbols.iterate import every
from ominus.trace.symbols.members import lookup, written_by_dataclass
from ominus.trace.symbols.path import Path
from ominus.trace.symbols.values import Bound, Made


def construct(path: Path, cls: type, args: list[Any], keywords: dict[str, Any], name: str) -> Any:
    """`cls(*args, **keywords)`."""
    if cls in CONVERT:
        return CONVERT[cls](path, args, keywords)
    if cls in _PARTS:
        return _times(path, cls, args, keywords)
    if cls is Decimal:
        return _decimal(path, args, keywords)
    if cls in (tuple, list, set, frozenset) and not keywords:
        return _collection(path, cls, args)
    if cls is dict:
        return _dict(path, args, keywords)
    if issubclass(cls, BaseException):
        return Made(cls)
    if cls is type and len(args) == 1 and not keywords:
        return type_call(path, args[0])
    row = type_of(cls) if type(cls) is type or issubclass(cls, Enum) else None
    if isinstance(row, Row) and dataclasses.is_dataclass(cls):
        return _dataclass(path, cls, row, args, keywords)
    if isinstance(row, Row) and row.kind == "namedtuple":
        return _namedtuple(path, cls, row, args, keywords)
    path.opaque(f"calls `{name}`")


def type_call(path: Path, x: Any) -> Expr:
    """`type(x)`, which exact types tell."""
    from ominus.trace.kinds import python_class

    if not isinstance(x, Expr):
        path.opaque("asks for the type of what is no value")
    x = path.pick(x)
    cls = type(x.value) if isinstance(x, Const) else python_class(x.type)
    if cls is None:
        path.opaque(f"the type of `{x}` is not known")
    return path.const(cls)


_PARTS: dict[type, tuple[str, ...]] = {
    date: ("year", "month", "day"),
    datetime: ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    timedelta: ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"),
}


def _times(path: Path, cls: type, args: list[Any], keywords: dict[str, Any]) -> Expr:
    names = _PARTS[cls]
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or not keywords.keys() <= set(names) - set(given):
        path.opaque(f"builds a {cls.__name__} in a way that is not traced")
    given |= keywords
    needed = 0 if cls is timedelta else 3
    parts = []
    for i, name in enumerate(names):
        if name not in given:
            if i < needed:
                path.fail(TypeError)
            given[name] = path.const(0)
        part = path.pick(given[name])
        numbers = (bool, int, float) if cls is timedelta else (bool, int)
        if part.type not in numbers:
            path.opaque(f"builds a {cls.__name__} from {spell(part.type)}")
        parts.append(part)
    return path.op(cls, cls.__name__, *parts, causes=("range",))


def _decimal(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    if keywords or len(args) != 1:
        path.opaque("builds a Decimal in a way that is not traced")
    x = path.pick(args[0])
    if isinstance(x, Const) and isinstance(x.value, (str, int)):
        try:
            return path.const(Decimal(x.value))
        except ArithmeticError:
            path.opaque("builds a Decimal from a string that is none")
    if x.type is Decimal:
        return x
    if x.type not in (str, int, float, bool):
        path.opaque(f"builds a Decimal from {spell(x.type)}")
    return path.op(Decimal, "Decimal", x, causes=("decimal",))


def _collection(path: Path, cls: type, args: list[Any]) -> Expr:
    items: list[Any] = []
    if args:
        x = args[0]
        if isinstance(x, Expr) and isinstance(path.pick(x).type, Many):
            return _from_many(path, cls, path.pick(x))
        items = every(path, x, f"loops over {x}")
    return collect(path, cls, items)


def _from_many(path: Path, cls: type, x: Expr) -> Expr:
    kind = x.type
    assert isinstance(kind, Many)
    if cls is frozenset and kind.py in (set, frozenset):
        return path.op(Many(kind.item, frozenset), "frozenset", x)
    path.opaque(f"makes a {cls.__name__} of a {kind.py.__name__}")


def collect(path: Path, cls: type, items: list[Any]) -> Expr:
    """A collection of values of a known number."""
    if not all(isinstance(i, Expr) for i in items):
        path.opaque("collects what is no value")
    items = [path.pick(i) for i in items]
    if cls in (tuple, list):
        return path.pool.build(Tuple(tuple(i.type for i in items), cls), tuple(items))
    if not items or any(i.type not in (int, str, bool, bytes, date) for i in items):
        path.opaque("builds a set of what may not be hashable")
    made = path.pool.op(Many(union(*(i.type for i in items)), set), "set", tuple(items))
    return made if cls is set else path.op(Many(made.type.item, frozenset), "frozenset", made)  # type: ignore[union-attr]


def _dict(path: Path, args: list[Any], keywords: dict[str, Any]) -> Expr:
    given: dict[str, Any] = {}
    for arg in args:
        x = (
            path.pick(arg)
            if isinstance(arg, Expr)
            else path.opaque("makes a dict of what is no value")
        )
        if not isinstance(x.type, Row) or x.type.kind != "dict":
            path.opaque(f"makes a dict of a {spell(x.type)}")
        given |= fields(path, x)
    return dict_of(path, given | keywords)


def dict_of(path: Path, given: dict[str, Any]) -> Expr:
    """A dict whose keys are constant strings."""
    return build(path, Row("dict", dict, (), dict), given)


def build(path: Path, shape: Row, given: dict[str, Any]) -> Expr:
    """A row of this kind with these fields, typed by what they hold."""
    for name, value in given.items():
        if not isinstance(value, Expr):
            path.opaque(f"keeps what is no value in `{name}`")
    found = tuple((n, v.type) for n, v in given.items())
    return path.pool.build(Row(shape.kind, shape.py, found, shape.make), tuple(given.values()))


def fields(path: Path, x: Expr) -> dict[str, Expr]:
    """A row's fields by name."""
    from ominus.trace.symbols.members import get

    assert isinstance(x.type, Row)
    return {n: get(path, x, n) for n, _ in x.type.fields}


def _dataclass(path: Path, cls: type, row: Row, args: list[Any], keywords: dict[str, Any]) -> Expr:
    why = _own_ways(cls)
    if why:
        path.opaque(f"`{cls.__name__}` {why}")
    declared = dataclasses.fields(cls)
    if any(not f.init for f in declared):
        path.opaque(f"`{cls.__name__}` has a field that is not given")
    by_place = [f.name for f in declared if not f.kw_only]
    given = dict(zip(by_place, args, strict=False))
    if len(args) > len(by_place) or any(n in given or row.field(n) is None for n in keywords):
        path.fail(TypeError)
    given |= keywords
    for f in declared:
        if f.name not in given:
            if f.default_factory is not dataclasses.MISSING:
                path.opaque(f"`{cls.__name__}.{f.name}` is made by a factory")
            if f.default is dataclasses.MISSING:
                path.fail(TypeError)
            given[f.name] = path.known(f.default, f.name)
    made = build(path, row, {f.name: given[f.name] for f in declared})
    checks = lookup(cls, "__post_init__")
    if checks is not None:
        path.call(Bound(checks, made), [])
    return made


def _own_ways(cls: type) -> str | None:
    """What a dataclass does of its own when it is built, if anything."""
    init = cls.__dict__.get("__init__")
    if not written_by_dataclass(init):
        return "has an `__init__` of its own"
    if lookup(cls, "__new__") is not object.__dict__["__new__"]:
        return "has a `__new__` of its own"
    own = lookup(cls, "__setattr__")
    frozen = cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    if own is not object.__dict__["__setattr__"] and not frozen:
        return "has a `__setattr__` of its own"
    if any(f._field_type.name == "_FIELD_INITVAR" for f in cls.__dataclass_fields__.values()):  # type: ignore[attr-defined]
        return "takes what it does not keep"
    for f in dataclasses.fields(cls):
        found = lookup(cls, f.name)
        if hasattr(type(found), "__get__") and not isinstance(found, MemberDescriptorType):
            return f"has a descriptor at `{f.name}`"
    return None


def _namedtuple(path: Path, cls: type, row: Row, args: list[Any], keywords: dict[str, Any]) -> Expr:
    new, init = lookup(cls, "__new__"), lookup(cls, "__init__")
    made_by = getattr(
        new, "__globals__", getattr(getattr(new, "__func__", None), "__globals__", {})
    )
    if (
        not str(made_by.get("__name__", "")).startswith("namedtuple_")
        or init is not object.__dict__["__init__"]
    ):
        path.opaque(f"`{cls.__name__}` is built in a way of its own")
    names = [n for n, _ in row.fields]
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or any(n in given or n not in names for n in keywords):
        path.fail(TypeError)
    given |= keywords
    for name in names:
        if name not in given:
            if name not in cls._field_defaults:  # type: ignore[attr-defined]
                path.fail(TypeError)
            given[name] = path.known(cls._field_defaults[name], name)  # type: ignore[attr-defined]
    return build(path, row, {n: given[n] for n in names})
