"""The ways in of containers: parts checked one by one, what can be changed copied.

What cannot be changed, and needed no change, stays the same object.
"""

from __future__ import annotations

import collections.abc as abc
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args, get_origin

from ominus.algebra.order import arranged
from ominus.flow.door.check import Check, Source, Test
from ominus.flow.door.refuse import Keep, Refused, short

Of = Callable[[Any], Check]
"""The check of a kind."""

_ANY: Any = Any
_LISTS = (list, tuple)
_SETS = (set, frozenset)
_OPEN: dict[Any, tuple[type, ...]] = {
    list: (list,),
    set: (set,),
    frozenset: (frozenset,),
    abc.MutableSequence: (list,),
    abc.MutableSet: (set,),
    abc.Sequence: _LISTS,
    abc.Set: _SETS,
    abc.Collection: _LISTS + _SETS,
    abc.Iterable: _LISTS + _SETS,
    abc.Reversible: _LISTS,
    abc.Container: _LISTS + _SETS,
}
"""The classes that may stand where a container of one kind of parts is declared."""

_MAPPINGS = (dict, abc.Mapping, abc.MutableMapping)

BARE: dict[Any, Any] = {
    tuple: tuple[Any, ...],
    **{kind: kind[_ANY] for kind in _OPEN},
    **{kind: kind[_ANY, _ANY] for kind in _MAPPINGS},
}
"""Containers whose parts have no declared type."""


def container(kind: Any, of: Of) -> Check | None:
    """The check of a container whose parts have a type; None for other kinds."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _tuple(kind, args, of)
    if origin in _OPEN and len(args) == 1:
        return Check(_parts(kind, _OPEN[origin], of(args[0]).keep))
    if origin in _MAPPINGS and len(args) == 2:
        return Check(_mapping(kind, of(args[0]).keep, of(args[1]).keep, exact=origin is dict))
    return None


def _refused(value: Any, kind: Any, classes: tuple[type, ...]) -> Refused:
    names = " or ".join(f"{c.__name__}(...)" for c in classes)
    return Refused(value, kind, todo=f"Write {names}.")


def _each(values: Iterable[Any], keep: Keep) -> list[Any]:
    parts: list[Any] = []
    try:
        for value in values:
            parts.append(keep(value))
    except Refused as no:
        raise no.inside(f"[{len(parts)}]") from None
    return parts


def _parts(kind: Any, classes: tuple[type, ...], keep: Keep) -> Keep:
    def kept(value: Any) -> Any:
        own = type(value)
        if own not in classes:
            raise _refused(value, kind, classes)
        if own in _SETS:
            return _set(value, keep)
        parts = _each(value, keep)
        return parts if own is list else _same(value, parts)

    return kept


def _set(value: Any, keep: Keep) -> Any:
    own, parts = type(value), []
    for part in value:
        try:
            parts.append(keep(part))
        except Refused as no:
            raise no.inside(f"[{short(part)}]") from None
    same = own is frozenset and all(a is b for a, b in zip(parts, value, strict=True))
    return value if same else own(parts)


def _same(value: tuple[Any, ...], parts: list[Any]) -> tuple[Any, ...]:
    unchanged = all(a is b for a, b in zip(parts, value, strict=True))
    return value if unchanged else tuple(parts)


def _tuple(kind: Any, args: tuple[Any, ...], of: Of) -> Check | None:
    if len(args) == 2 and args[1] is Ellipsis:
        return Check(_parts(kind, (tuple,), of(args[0]).keep))
    if any(getattr(arg, "__unpacked__", False) or get_args(arg)[:1] == ("*",) for arg in args):
        return None
    checks = [of(arg) for arg in args]
    keeps = [check.keep for check in checks]

    def keep(value: Any) -> Any:
        if type(value) is not tuple:
            raise _refused(value, kind, (tuple,))
        if len(value) != len(keeps):
            why = f"it has {len(value)} parts, not {len(keeps)}"
            raise Refused(value, kind, why=why, todo=f"Give {len(keeps)} parts.")
        turn = iter(keeps)
        return _same(value, _each(value, lambda part: next(turn)(part)))

    return Check(keep, _tuple_test([check.test for check in checks]))


def _tuple_test(tests: list[Test | None]) -> Test | None:
    known = [test for test in tests if test is not None]
    if len(known) < len(tests):
        return None

    def test(value: str, source: Source) -> str:
        local = source.local()
        parts = [part(f"{local}[{i}]", source) for i, part in enumerate(known)]
        return " and ".join(
            [f"type({local} := {value}) is tuple", f"len({local}) == {len(parts)}", *parts]
        )

    return test


def _mapping(kind: Any, keep_key: Keep, keep_value: Keep, *, exact: bool) -> Keep:
    def keep(value: Any) -> Any:
        if type(value) is not dict and (exact or not isinstance(value, Mapping)):
            raise _refused(value, kind, (dict,))
        found = _items(value, kind, keep_key, keep_value)
        return {key: found[key] for key in arranged(found)}

    return keep


def _items(value: Mapping[Any, Any], kind: Any, keep_key: Keep, keep_value: Keep) -> Any:
    found: dict[Any, Any] = {}
    for old in value:
        try:
            key, part = keep_key(old), keep_value(value[old])
        except Refused as no:
            raise no.inside(f"[{short(old)}]") from None
        if key in found:
            why = f"two of its keys are {short(key)} once they are kept"
            raise Refused(value, kind, why=why, todo="Give one of them.")
        found[key] = part
    return found
