"""The door of a kind, put together from the ways in of its parts."""

from __future__ import annotations

import typing
from collections.abc import Callable
from enum import Enum
from typing import Any, get_args, get_origin

from ominus.algebra.value import canon
from ominus.flow.door.check import Check, kept
from ominus.flow.door.containers import BARE, container
from ominus.flow.door.foreign import MISSING, python
from ominus.flow.door.refuse import Keep, Refused, told
from ominus.flow.door.rows import row
from ominus.flow.door.scalars import enum, literal, refusal, scalar
from ominus.flow.door.unions import union
from ominus.flow.types import ANY, fields_of_type, members, plain
from ominus.flow.types.plain import is_alias


def door(kind: Any, *, source: str = "") -> Keep:
    """The way in of a source whose rows are declared to be of this kind: the row as it is kept.

    What comes out is canonical, holds no container that somebody else could change, and is the
    same object where nothing had to change.
    `source` is a name for the error.

    Law    canon(door(kind)(row)) is door(kind)(row)
    Fails  TypeMismatch, if the row is not of the kind.

    >>> enter = door(tuple[int, float])
    >>> enter((1, 2))
    (1, 2.0)
    """
    check = Checks().of(kind)
    return check.before(told(check.keep, source))


class Checks:
    """Builds the check of each kind, once for a class of rows, which may mean itself."""

    def __init__(self) -> None:
        self._named: dict[Any, Check] = {}

    def of(self, kind: Any) -> Check:
        """The check of a kind."""
        if is_alias(kind) or fields_of_type(kind) is not None:
            return self._once(kind)
        return self._build(kind)

    def _once(self, kind: Any) -> Check:
        try:
            found = self._named.get(kind)
        except TypeError:  # a kind that is no key cannot mean itself either
            return self._build(kind)
        if found is None:
            self._named[kind] = later(lambda: self._named[kind])
            found = self._named[kind] = self._build(kind)
        return found

    def _build(self, kind: Any) -> Check:
        inside = members(kind)
        if len(inside) > 1:
            return union(kind, inside, [self.of(member) for member in inside])
        return self._of_one(inside[0])

    def _of_one(self, kind: Any) -> Check:
        if kind is ANY:
            return anything()
        if get_origin(kind) is typing.Literal:
            return literal(get_args(kind))
        if kind in (typing.NoReturn, typing.Never):
            return Check(lambda value: _refuse(value, kind))
        return (
            scalar(kind)
            or row(kind, self.of)
            or container(kind, self.of)
            or self._of_class(get_origin(kind) or kind)
        )

    def _of_class(self, kind: Any) -> Check:
        bare = BARE.get(kind)
        if bare is not None:
            return self.of(bare)
        if not isinstance(kind, type):
            return anything()
        return enum(kind) if issubclass(kind, Enum) else instance(kind)


def later(find: Callable[[], Check]) -> Check:
    """The check of a kind that is still in the making: its parts may be of its own kind."""
    return Check(lambda value: find().keep(value))


def copied(value: Any) -> Any:
    """The value as it is kept, copied as deep as mutable containers go."""
    return canon(value, copied=True)


def anything() -> Check:
    """The check of what is not known."""
    return Check(copied, kept(copied), nan=True)


def instance(kind: type) -> Check:
    """The check of a class of which we know only that its instances are such."""

    def keep(value: Any) -> Any:
        own = value if type(value) is kind else python(value)
        for found in (own, value):
            if found is not MISSING and _is_of(found, kind):
                return copied(found)
        raise refusal(value, kind, missing=own is MISSING)

    return Check(keep, kept(keep), nan=True)


def _is_of(value: Any, kind: type) -> bool:
    try:
        return isinstance(value, kind)
    except TypeError:  # a protocol that cannot be asked
        return True


def _refuse(value: Any, kind: Any) -> Any:
    raise Refused(value, plain(kind))
