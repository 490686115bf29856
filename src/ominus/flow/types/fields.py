"""The fields of a type of rows, their annotations resolved.

Rows are dataclasses, NamedTuples, TypedDicts, attrs classes, msgspec structs, pydantic models,
and records, whose type is a `RecordType`.
"""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from ominus.algebra.record import Record, field_names
from ominus.flow.types.plain import ANY, filled, plain, shown


@dataclass(frozen=True)
class RecordType:
    """The type of records with these fields, in this order.

    >>> RecordType((("region", str), ("amount", float)))
    record(region: str, amount: float)
    """

    fields: tuple[tuple[str, Any], ...]

    def __repr__(self) -> str:
        return f"record({', '.join(f'{n}: {shown(k)}' for n, k in self.fields)})"


def fields_of_type(kind: Any) -> dict[str, Any] | None:
    """The fields of a type of rows and their kinds; None where the type has none that we know.

    A field whose annotation cannot be resolved is ANY.

    >>> fields_of_type(RecordType((("a", int),))), fields_of_type(int)
    ({'a': <class 'int'>}, None)
    """
    kind = plain(kind)
    if isinstance(kind, RecordType):
        return dict(kind.fields)
    row = get_origin(kind) or kind
    if not isinstance(row, type) or row is Record:
        return None
    if is_typed_dict(row):
        return _filled(hints(row), kind)
    names = field_names(row)
    if names is None:
        return None
    known = hints(row)
    return _filled({n: known[n] if n in known else _told(row, n) for n in names}, kind)


def is_typed_dict(kind: Any) -> bool:
    """Whether the kind is a class of TypedDicts."""
    return isinstance(kind, type) and hasattr(kind, "__required_keys__")


def required_keys(kind: Any) -> frozenset[str]:
    """The keys that a TypedDict must have."""
    # Where annotations are strings the class itself takes NotRequired["..."] for required.
    required = set(kind.__required_keys__)
    for name, hint in hints(kind, marks=True).items():
        mark = getattr(get_origin(hint), "_name", None)
        if mark == "NotRequired":
            required.discard(name)
        elif mark == "Required":
            required.add(name)
    return frozenset(required)


def _filled(found: dict[str, Any], kind: Any) -> dict[str, Any]:
    wanted = getattr(get_origin(kind), "__parameters__", ())
    given = dict(zip(wanted, get_args(kind), strict=False))
    return {n: filled(k, given) for n, k in found.items()} if given else found


def _told(row: Any, name: str) -> Any:
    """The type of a field that stands in no annotation: of `attr.ib(type=...)`, or of nothing."""
    for attribute in getattr(row, "__attrs_attrs__", ()):
        if attribute.name == name and attribute.type is not None:
            return attribute.type
    return ANY


def hints(thing: Any, *, marks: bool = False) -> dict[str, Any]:
    """The annotations of a class or a function; ANY for each that cannot be resolved."""
    try:
        return typing.get_type_hints(thing, include_extras=marks)
    except Exception:
        return _one_by_one(thing, marks)


def _one_by_one(thing: Any, marks: bool) -> dict[str, Any]:
    if not isinstance(thing, type):
        around = getattr(inspect.unwrap(thing), "__globals__", {})
        return _resolved(getattr(thing, "__annotations__", {}), around, _enclosed(thing), marks)
    found: dict[str, Any] = {}
    for row in reversed(thing.__mro__):
        around = getattr(sys.modules.get(row.__module__), "__dict__", {})
        # A class made inside a function is in no module, and yet may name itself.
        near = {p.__name__: p for p in getattr(row, "__type_params__", ())}
        near |= {row.__name__: row, thing.__name__: thing}
        found |= _resolved(inspect.get_annotations(row), around, near, marks)
    return found


def _enclosed(function: Any) -> dict[str, Any]:
    try:
        return dict(inspect.getclosurevars(inspect.unwrap(function)).nonlocals)
    except (TypeError, ValueError):
        return {}


def _resolved(
    annotations: Mapping[str, Any], around: dict[str, Any], near: dict[str, Any], marks: bool
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, hint in annotations.items():
        alone = type("Alone", (), {"__annotations__": {name: hint}})
        try:
            found |= typing.get_type_hints(alone, around, near, include_extras=marks)
        except Exception:
            found[name] = ANY
    return found
