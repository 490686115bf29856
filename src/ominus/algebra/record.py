"""A row by name: `record(region="north", amount=3.5)`.

A record is a tuple that knows its fields: read by name or by position, immutable, hashable.
Its fields and their order are its type; two records are equal if their types and their values are.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cached_property
from operator import itemgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

from ominus.errors import FieldsDiffer, FieldUnknown

_classes: dict[tuple[str, ...], type[Record]] = {}
_names_of_type: dict[type, tuple[str, ...] | None] = {}


class Record(tuple[Any, ...]):
    """The type of all records; `record(...)` makes one.

    >>> row = record(region="north", amount=3.5)
    >>> row.region, row[1], row
    ('north', 3.5, record(region='north', amount=3.5))
    """

    __slots__ = ()
    _fields: tuple[str, ...] = ()
    if TYPE_CHECKING:  # fields with these names hide the methods of tuples
        count: Any
        index: Any

    def __getattr__(self, name: str) -> Any:
        raise FieldUnknown(
            f"field {name!r} of {self!r}",
            f"its fields are {', '.join(self._fields) or 'none'}",
            "Write one of these.",
        )

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self._fields, tuple.__hash__(self)))

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}={v!r}" for n, v in zip(self._fields, self, strict=True))
        return f"record({inside})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (record_of, (self._fields, tuple(self)))


def record_class(names: tuple[str, ...]) -> type[Record]:
    """The one class of records with these fields, in this order."""
    found = _classes.get(names)
    if found is None:
        reserved = [n for n in names if n.startswith("__") or n == "_fields"]
        if reserved:
            raise FieldUnknown(
                f"a record with the field {reserved[0]!r}",
                "that name belongs to Python",
                "Choose another name.",
            )
        body: dict[str, Any] = {n: property(itemgetter(i)) for i, n in enumerate(names)}
        body |= {"__slots__": (), "_fields": names}
        found = _classes.setdefault(names, type("Record", (Record,), body))
    return found


def record_of(names: tuple[str, ...], values: tuple[Any, ...]) -> Record:
    """A record from its fields and its values, in order."""
    return tuple.__new__(record_class(names), values)


def record(*rows: Any, **named: Any) -> Record:
    """A row by name, or the fields of rows together, or both.

    Where two rows have one field, they must agree; what is named replaces.

    Fails  FieldsDiffer, if two rows disagree.

    >>> record(record(a=1, b=2), b=3, c=4)
    record(a=1, b=3, c=4)
    """
    if not rows:
        return tuple.__new__(record_class(tuple(named)), named.values())
    together: dict[str, Any] = {}
    for row in rows:
        for name, value in fields_of(row).items():
            if name in together and name not in named and not _one(together[name], value):
                raise FieldsDiffer(
                    f"record of {rows!r}",
                    f"field {name!r} is {together[name]!r} in one and {value!r} in another",
                    f"Say which: record(..., {name}=...).",
                )
            together.setdefault(name, value)
    together.update(named)
    return tuple.__new__(record_class(tuple(together)), together.values())


def _one(a: Any, b: Any) -> bool:
    from ominus.algebra.value import ident

    return a is b or ident(a) == ident(b)


def field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of rows, or None where it has none that we know."""
    if kind not in _names_of_type:
        _names_of_type[kind] = _find_names(kind)
    return _names_of_type[kind]


def _find_names(kind: type) -> tuple[str, ...] | None:
    if is_dataclass(kind):
        return tuple(f.name for f in dataclass_fields(kind))
    if issubclass(kind, tuple):
        return getattr(kind, "_fields", None)
    for mark in ("__struct_fields__", "model_fields", "__attrs_attrs__"):
        found = getattr(kind, mark, None)
        if found is not None and not callable(found):
            return tuple(getattr(f, "name", f) for f in found)
    return None


def part_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of rows, and where it keeps what a row has beyond them."""
    names = field_names(kind)
    model = getattr(kind, "model_config", None)
    if names is not None and isinstance(model, dict) and model.get("extra") == "allow":
        return (*names, "__pydantic_extra__")
    return names


def fields_of(row: Any) -> dict[str, Any]:
    """The fields of a row and their values: of a record, a dataclass, a mapping and their like.

    Fails  FieldUnknown, if the value has no fields.
    """
    if isinstance(row, Mapping):
        return {str(k): v for k, v in row.items()}
    names = field_names(type(row))
    if names is None:
        raise FieldUnknown(
            "the fields of a row",
            f"{row!r} is a {type(row).__name__}, which has none",
            "Name the value: record(value=...).",
        )
    return {n: getattr(row, n) for n in names}


def is_frozen(kind: type) -> bool:
    """Whether rows of this class cannot be changed after they were made."""
    params = getattr(kind, "__dataclass_params__", None)
    if params is not None:
        return bool(params.frozen)
    config = getattr(kind, "__struct_config__", None)
    if config is not None:
        return bool(config.frozen)
    model = getattr(kind, "model_config", None)
    if isinstance(model, dict):
        return bool(model.get("frozen"))
    return "_frozen" in getattr(kind.__setattr__, "__name__", "")


def replaced(row: Any, changed: Mapping[str, Any]) -> Any:
    """A copy of a row with some fields changed, its constructor not called."""
    kind = type(row)
    if isinstance(row, tuple):
        fields = field_names(kind) or ()
        values = [changed.get(n, x) for n, x in zip(fields, row, strict=True)]
        return tuple.__new__(kind, values)
    own = hasattr(kind, "__struct_fields__") or hasattr(kind, "__pydantic_fields_set__")
    new = copy.copy(row) if own else _twin(row)
    for name in [n for n in vars(new) if _computed(kind, n)] if hasattr(new, "__dict__") else ():
        del new.__dict__[name]
    for name, value in changed.items():
        _put(new, name, value)
    return new


def _twin(row: Any) -> Any:
    """A shallow copy made without a constructor, `__copy__` or the setters of frozen classes."""
    kind = type(row)
    new = object.__new__(kind)
    if hasattr(row, "__dict__"):
        new.__dict__.update(row.__dict__)
    for parent in kind.__mro__:
        for slot in vars(parent).values():
            if isinstance(slot, MemberDescriptorType):
                with suppress(AttributeError):
                    slot.__set__(new, slot.__get__(row, kind))
    return new


def _put(row: Any, name: str, value: Any) -> None:
    # Some frozen classes refuse even object's setter; the slot itself refuses nothing.
    slot = getattr(type(row), name, None)
    if isinstance(slot, MemberDescriptorType):
        slot.__set__(row, value)
    else:
        object.__setattr__(row, name, value)


def _computed(kind: type, name: str) -> bool:
    """Whether an attribute was computed from others and kept: a copy computes its own."""
    return isinstance(getattr(kind, name, None), cached_property)
