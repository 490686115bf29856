"""Read an exact type from what a user wrote: a hint, a class, or a value known at trace time."""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from collections.abc import Mapping
from enum import Enum
from threading import RLock
from types import NoneType, UnionType
from typing import Any
from weakref import WeakKeyDictionary

from ominus.trace.kinds import SCALARS, Alien, Many, Row, Tuple, Type, Union, union

_rows: WeakKeyDictionary[type, Type] = WeakKeyDictionary()
_in_progress: dict[type, Type] = {}
_reading = RLock()
_MANY = (list, set, frozenset)
_LONG = 4096


def type_of(hint: Any) -> Type:
    """The exact type that a hint declares; an `Alien`, only passed on, where none is known.

    >>> type_of(tuple[int, str])
    Tuple(items=(<class 'int'>, <class 'str'>), py=<class 'tuple'>)
    """
    if isinstance(hint, type) and hint in SCALARS:
        return hint
    if isinstance(hint, (Tuple, Many, Row, Union, Alien)):
        return hint
    if hint is None:
        return NoneType
    if isinstance(hint, Mapping):
        return Row("dict", dict, tuple((n, type_of(t)) for n, t in hint.items()), dict)
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        return _of_class(hint)
    return _of_form(hint)


def _of_form(hint: Any) -> Type:
    if hasattr(hint, "__value__"):  # `type Name = ...`, from 3.12 on
        return type_of(hint.__value__)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, UnionType):
        return union(*map(type_of, args))
    if origin is typing.Literal:
        return union(*(type_of_value(a) for a in args))
    if origin is typing.Annotated or isinstance(hint, typing.NewType):
        return type_of(args[0] if args else hint.__supertype__)
    if origin is tuple:
        return _of_tuple(args)
    if origin in _MANY and len(args) == 1:
        return Many(type_of(args[0]), origin)
    return Alien(getattr(hint, "__name__", None) or str(hint))


def _of_tuple(args: tuple[Any, ...]) -> Type:
    if len(args) == 2 and args[1] is Ellipsis:
        return Many(type_of(args[0]), tuple)
    return Tuple(tuple(map(type_of, args)))


def _of_class(cls: type) -> Type:
    found = _rows.get(cls)
    if found is None:
        with _reading:
            found = _in_progress.get(cls)
            if found is None:
                found = _rows[cls] = _read_once(cls)
    return found


def _read_once(cls: type) -> Type:
    _in_progress[cls] = Alien(cls.__name__)  # a field may be of the class itself
    try:
        return _read_class(cls)
    finally:
        del _in_progress[cls]


def _read_class(cls: type) -> Type:
    if issubclass(cls, Enum):
        return cls
    if typing.is_typeddict(cls):
        required: frozenset[str] = getattr(cls, "__required_keys__", frozenset())
        fields = _hints(cls)
        if set(fields) != set(required):
            return Alien(cls.__name__)
        return Row("dict", dict, tuple(fields.items()), dict)
    if dataclasses.is_dataclass(cls):
        known = _hints(cls)
        names = [f.name for f in dataclasses.fields(cls)]
        return Row("dataclass", cls, tuple((n, known[n]) for n in names), cls)
    attributes = _attributes(cls)
    if attributes:
        known = _hints(cls)
        pairs = tuple((n, known.get(n, Alien("Any"))) for n in attributes)
        return Row("dataclass", cls, pairs, cls)
    if issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple):
        known = _hints(cls)
        pairs = tuple((n, known.get(n, Alien("Any"))) for n in cls._fields)  # type: ignore[attr-defined]
        return Row("namedtuple", cls, pairs, cls)
    return Alien(cls.__name__)


def _attributes(cls: type) -> tuple[str, ...]:
    """The fields of a class of attrs, msgspec or pydantic, none of which is imported here."""
    if hasattr(cls, "__attrs_attrs__"):
        return tuple(a.name for a in cls.__attrs_attrs__)
    return tuple(
        getattr(cls, "__struct_fields__", None) or getattr(cls, "model_fields", None) or ()
    )


def _hints(cls: type) -> dict[str, Type]:
    try:
        return {n: type_of(t) for n, t in typing.get_type_hints(cls).items()}
    except (NameError, TypeError, AttributeError):
        return {
            n: type_of(_resolved(t, base))
            for base in reversed(cls.__mro__)
            for n, t in inspect.get_annotations(base).items()
        }


def _resolved(hint: Any, cls: type) -> Any:
    """One annotation by itself, where another of the class cannot be resolved."""
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, vars(sys.modules[cls.__module__]), dict(vars(cls)))
    except Exception:
        return Any


def type_of_value(value: Any) -> Type:
    """The exact type of a value that is known at trace time."""
    cls = type(value)
    if cls in SCALARS or isinstance(value, Enum):
        return cls
    if cls in (tuple, list) and len(value) <= _LONG:
        return Tuple(tuple(map(type_of_value, value)), cls)
    if cls in (set, frozenset) and len(value) <= _LONG:
        return Many(union(*map(type_of_value, value)), cls)
    if dataclasses.is_dataclass(cls) or hasattr(cls, "_fields"):
        return _of_row(value, type_of(cls))
    return Alien(cls.__name__)


def _of_row(value: Any, declared: Type) -> Type:
    params = getattr(type(value), "__dataclass_params__", None)
    if not isinstance(declared, Row) or (params is not None and not params.frozen):
        return Alien(type(value).__name__)
    found = tuple((n, type_of_value(getattr(value, n, None))) for n, _ in declared.fields)
    return Row(declared.kind, declared.py, found, declared.make)
