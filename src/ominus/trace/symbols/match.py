"""Patterns of `match`, where the exact type of the subject tells what they ask."""

from __future__ import annotations

from typing import Any

from ominus.trace.expr import Const, Expr
from ominus.trace.kinds import SCALARS, Many, Row, Tuple, python_class, spell
from ominus.trace.symbols.members import attribute, get
from ominus.trace.symbols.path import Path

_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def is_sequence(path: Path, subject: Any) -> bool:
    """Whether a pattern of a sequence fits at all; strings are none."""
    kind = _one(path, subject).type
    if isinstance(kind, Tuple) or (isinstance(kind, Row) and kind.kind == "namedtuple"):
        return True
    if kind in SCALARS or (isinstance(kind, Row) and kind.kind in ("dict", "dataclass")):
        return False
    if isinstance(kind, Many) and kind.py in (set, frozenset):
        return False
    path.opaque(f"matches a {spell(kind)} with a sequence")


def is_mapping(path: Path, subject: Any) -> bool:
    """Whether a pattern of a mapping fits at all."""
    kind = _one(path, subject).type
    if kind in SCALARS or isinstance(kind, (Tuple, Many)):
        return False
    if isinstance(kind, Row) and kind.kind != "record":
        return kind.kind == "dict"
    path.opaque(f"matches a {spell(kind)} with a mapping")


def _one(path: Path, subject: Any) -> Expr:
    if not isinstance(subject, Expr):
        path.opaque("matches what is no value")
    return path.pick(subject)


def values_of(path: Path, subject: Any, keys: Any) -> Expr:
    """The values of these keys, or None."""
    row = _one(path, subject)
    if not isinstance(keys, Const) or not isinstance(row.type, Row):
        path.opaque("matches by keys that are not constant")
    if any(type(k) is not str or row.type.field(k) is None for k in keys.value):
        return path.const(None)
    found = tuple(get(path, row, k) for k in keys.value)
    return path.pool.build(Tuple(tuple(x.type for x in found)), found)


def of_class(path: Path, subject: Any, cls: Any, names: tuple[str, ...], positional: int) -> Any:
    """The attributes that a class pattern asks for, or None where the class does not fit."""
    from ominus.trace.symbols.builtin import _isinstance

    row = _one(path, subject)
    fits = _isinstance(path, row, cls)
    if not isinstance(fits, Const) or not fits.value:
        return path.const(None)
    wanted = cls.value
    if positional == 1 and wanted in _ITSELF and python_class(row.type) in _ITSELF and not names:
        found: tuple[Any, ...] = (row,)
    else:
        by_place = getattr(wanted, "__match_args__", ())
        if positional > len(by_place):
            path.fail(TypeError)
        found = tuple(attribute(path, row, n) for n in (*by_place[:positional], *names))
    if not all(isinstance(x, Expr) for x in found):
        path.opaque("matches an attribute that is no value")
    return path.pool.build(Tuple(tuple(x.type for x in found)), found)
