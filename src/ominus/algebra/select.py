"""Selectors: what a user writes to say which part of a row is meant.

A function is called, a string is a field (item of a mapping, else attribute), an integer an index,
a tuple of these a tuple, nothing the value itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import BuiltinMethodType, MethodType
from typing import Any

from ominus.algebra.order import Reversed, order
from ominus.algebra.record import field_names
from ominus.errors import FieldUnknown, FlowError

Selector = str | int | tuple[Any, ...] | Callable[[Any], Any]


_METHODS = frozenset({MethodType, BuiltinMethodType})


@dataclass(frozen=True)
class Field:
    """The function that reads a field by name."""

    name: str

    def __call__(self, row: Any) -> Any:
        try:
            if isinstance(row, Mapping):
                return row[self.name]
            value = getattr(row, self.name)
        except (KeyError, AttributeError) as cause:
            raise unknown_field(self.name, row) from cause
        # `count` of a tuple, `date` of a datetime: a method is no part of a row.
        if type(value) in _METHODS and value.__self__ is row:
            raise unknown_field(self.name, row)
        return value

    def __repr__(self) -> str:
        return repr(self.name)


@dataclass(frozen=True)
class Item:
    """The function that reads a position."""

    index: int

    def __call__(self, row: Any) -> Any:
        try:
            return row[self.index]
        except (IndexError, KeyError, TypeError) as cause:
            raise FieldUnknown(
                f"position {self.index} of {row!r}",
                f"a {type(row).__name__}" + (f" of {len(row)}" if hasattr(row, "__len__") else ""),
                "Give a position that the row has.",
            ) from cause

    def __repr__(self) -> str:
        return repr(self.index)


@dataclass(frozen=True)
class Parts:
    """The function that reads several parts, as a tuple."""

    parts: tuple[Callable[[Any], Any], ...]

    def __call__(self, row: Any) -> Any:
        return tuple([part(row) for part in self.parts])

    def __repr__(self) -> str:
        return repr(self.parts)


@dataclass(frozen=True)
class Desc:
    """An order turned round: made by `desc`."""

    of: Any

    def __repr__(self) -> str:
        return f"desc({self.of!r})"


def desc(of: Selector | None = None) -> Desc:
    """Turn an order round, for `by=` of `top` and its like.

    >>> from ominus import reducers as r
    >>> r.top(2, by=desc()).fold_read([3, 1, 2])
    (1, 2)
    """
    return Desc(of)


def itself(value: Any) -> Any:
    """The value itself."""
    return value


def selector(of: Any) -> Callable[[Any], Any]:
    """The function that a selector means.

    >>> selector(("name", 0)), selector("name")({"name": "ada"})
    (('name', 0), 'ada')
    """
    if of is None:
        return itself
    if isinstance(of, str):
        return Field(of)
    if isinstance(of, bool | Desc):
        raise _refused(of)
    if isinstance(of, int):
        return Item(of)
    if isinstance(of, tuple):
        return Parts(tuple(selector(part) for part in of))
    if callable(of):
        return of  # type: ignore[no-any-return]
    raise _refused(of)


def _refused(of: Any) -> FlowError:
    return FlowError(
        f"the part {of!r} of a row",
        f"a {type(of).__name__}",
        "Write a field's name, a position, a tuple of these, or a function of the row.",
    )


@dataclass(frozen=True)
class Order:
    """The sort key of rows for a `by=`: fields, functions, and parts turned round by `desc`."""

    by: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "_key", _sort_key(self.by))

    def __call__(self, row: Any) -> Any:
        return self._key(row)  # type: ignore[attr-defined]

    def __reduce__(self) -> tuple[Any, ...]:
        return (Order, (self.by,))


def _sort_key(by: Any) -> Callable[[Any], Any]:
    if isinstance(by, Desc):
        inner = _sort_key(by.of)
        return lambda row: Reversed(inner(row))
    if isinstance(by, tuple):
        parts = [_sort_key(part) for part in by]
        return lambda row: tuple([part(row) for part in parts])
    of = selector(by)
    if of is itself:
        return order
    return lambda row: order(of(row))


def unknown_field(name: str, row: Any) -> FieldUnknown:
    """The error for a field that a row does not have."""
    names = tuple(row) if isinstance(row, Mapping) else field_names(type(row))
    has = f"its fields are {', '.join(map(str, names))}" if names else "it has no fields"
    return FieldUnknown(
        f"field {name!r} of {row!r}",
        f"a {type(row).__name__}; {has}",
        "Name a field that is there, or give a function.",
    )
