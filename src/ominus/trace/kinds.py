"""What a value is, exactly: a Python class where the class says all, else one of these records.

A type is exact: an instance of a subclass is not of the type, and `True` is not an `int`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import Any, Literal, TypeAlias

SCALARS: frozenset[type] = frozenset(
    {bool, int, float, str, bytes, NoneType, Decimal, Fraction, date, datetime, timedelta}
)
NUMBERS: frozenset[type] = frozenset({bool, int, float})


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple (or a list, see `py`) of a known length."""

    items: tuple[Type, ...]
    py: type = tuple


@dataclass(frozen=True, slots=True)
class Many:
    """A tuple, list, set or frozenset (`py`) of any length."""

    item: Type
    py: type


@dataclass(frozen=True, slots=True)
class Row:
    """A row with named fields; `make` builds one, and an instance is exactly a `py`.

    A dataclass and a NamedTuple are made from their fields by position, a dict and a record by
    name.
    """

    kind: Literal["dataclass", "namedtuple", "dict", "record"]
    py: type
    fields: tuple[tuple[str, Type], ...]
    make: Callable[..., Any]

    def field(self, name: str) -> Type | None:
        """The type of one field, or None where there is no such field."""
        return next((t for n, t in self.fields if n == name), None)

    def index(self, name: str) -> int:
        """The position of one field."""
        return [n for n, _ in self.fields].index(name)

    def __hash__(self) -> int:
        return hash((self.kind, self.py, len(self.fields)))


@dataclass(frozen=True, slots=True)
class Union:
    """One of a few types, each exact; `Optional[int]` is `Union((int, NoneType))`."""

    members: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Alien:
    """A value that may be passed on, and of which nothing else is known."""

    name: str


Type: TypeAlias = "type[Any] | Tuple | Many | Row | Union | Alien"

NEVER = Union(())


def members(kind: Type) -> tuple[Type, ...]:
    """The exact types that a value of this type may have."""
    return kind.members if isinstance(kind, Union) else (kind,)


def union(*kinds: Type) -> Type:
    """The type of a value that has one of these types."""
    flat = tuple(dict.fromkeys(m for kind in kinds for m in members(kind)))
    return flat[0] if len(flat) == 1 else Union(flat)


def python_class(kind: Type) -> type | None:
    """The class that `type(value)` gives for each value of this type, if it is known."""
    if isinstance(kind, (Union, Alien)):
        return None
    return kind if isinstance(kind, type) else kind.py


def spell(kind: Type) -> str:
    """The type as a reader would write it."""
    match kind:
        case type():
            return "None" if kind is NoneType else kind.__name__
        case Tuple(items, py):
            return f"{py.__name__}[{', '.join(map(spell, items)) or '()'}]"
        case Many(item, py):
            return f"{py.__name__}[{spell(item)}{', ...' if py is tuple else ''}]"
        case Row("dict" | "record" as kind_, _, fields):
            return f"{kind_}({', '.join(f'{n}: {spell(t)}' for n, t in fields)})"
        case Row(_, py):
            return py.__name__
        case Union(inner):
            return " | ".join(map(spell, inner)) or "Never"
        case Alien(name):
            return name
