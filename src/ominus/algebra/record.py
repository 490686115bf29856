"""A row by name: `record(region="north", amount=3.5)`.

A record is a tuple that knows its fields: read by name or by position, immutable, hashable.
Its fields and their order are its type; two records are equal if their types and their values are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from operator import itemgetter
from typing import Any

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
