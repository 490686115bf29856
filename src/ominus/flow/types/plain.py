"""An annotation without its wrapping: aliases followed, qualifiers dropped, unions laid flat."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, get_args, get_origin

ANY: Any = Any
"""The kind of which nothing is known."""

_MARKS = frozenset({"Required", "NotRequired", "ReadOnly", "Final", "ClassVar"})
_UNION = (typing.Union, types.UnionType)
_DEEP = 40


def plain(kind: Any) -> Any:
    """The kind that an annotation means: a class, a generic with its arguments, a union, or ANY.

    >>> from typing import Annotated, NewType
    >>> plain(Annotated[NewType("UserId", int), "positive"])
    <class 'int'>
    """
    for _ in range(_DEEP):
        inner = _unwrapped(kind)
        if inner is kind:
            return kind
        kind = inner
    return ANY


def _unwrapped(kind: Any) -> Any:
    if kind is None:
        return types.NoneType
    if kind is object or isinstance(kind, str | typing.TypeVar | typing.ForwardRef):
        return ANY
    if kind is typing.LiteralString:
        return str
    if isinstance(kind, type):
        return kind
    if is_alias(kind):
        return _aliased(kind)
    if hasattr(kind, "__metadata__"):
        return kind.__origin__
    if hasattr(kind, "__supertype__"):
        return kind.__supertype__
    if _mark(kind):
        return (*get_args(kind), ANY)[0]
    return kind


def _mark(kind: Any) -> bool:
    origin = get_origin(kind) or kind
    return not isinstance(origin, type) and getattr(origin, "_name", None) in _MARKS


def is_alias(kind: Any) -> bool:
    """Whether the kind is a `type` statement's name, which may mean itself."""
    return type(get_origin(kind) or kind).__name__ == "TypeAliasType"


def _aliased(kind: Any) -> Any:
    alias = get_origin(kind) or kind
    try:
        value = alias.__value__
    except NameError:
        return ANY
    if value is kind:
        return ANY
    return filled(value, dict(zip(alias.__type_params__, get_args(kind), strict=False)))


def filled(kind: Any, given: Mapping[Any, Any]) -> Any:
    """The kind with its type variables replaced.

    >>> from typing import TypeVar
    >>> T = TypeVar("T")
    >>> filled(list[T], {T: int})
    list[int]
    """
    if isinstance(kind, typing.TypeVar):
        return given.get(kind, kind)
    wanted = getattr(kind, "__parameters__", None)
    if not wanted or not given or isinstance(kind, type):
        return kind
    try:
        return kind[tuple(given.get(p, p) for p in wanted)]
    except TypeError:
        return ANY


def members(kind: Any) -> tuple[Any, ...]:
    """The kinds of which a union is made, each plain and once; of another kind, itself.

    >>> members(int | str | None)
    (<class 'int'>, <class 'str'>, <class 'NoneType'>)
    """
    found: list[Any] = []
    _collect(kind, found, _DEEP)
    return tuple(found)


def _collect(kind: Any, found: list[Any], depth: int) -> None:
    kind = plain(kind)
    if get_origin(kind) in _UNION and depth:
        for inner in get_args(kind):
            _collect(inner, found, depth - 1)
    elif kind not in found:
        found.append(kind)


def either(*kinds: Any) -> Any:
    """The union of kinds; ANY if one of them is.

    >>> either(int, None), either(int, ANY)
    (typing.Optional[int], typing.Any)
    """
    if any(plain(kind) is ANY for kind in kinds):
        return ANY
    return typing.Union[kinds]  # noqa: UP007 - the bar does not take a RecordType


def may_be_none(kind: Any) -> bool | None:
    """Whether a value of this kind may be `None`; `None` where the kind does not tell.

    >>> may_be_none(int | None), may_be_none(int), may_be_none(ANY)
    (True, False, None)
    """
    answers = {_none(member) for member in members(kind)}
    if True in answers:
        return True
    return None if None in answers else False


def _none(kind: Any) -> bool | None:
    if kind is types.NoneType:
        return True
    if kind is ANY:
        return None
    origin = get_origin(kind) or kind
    if origin is typing.Literal:
        return None in get_args(kind)
    if not isinstance(origin, type):
        return False if hasattr(kind, "fields") else None
    try:
        # An abstract class or a protocol may count None among its instances.
        return None if issubclass(types.NoneType, origin) else False
    except TypeError:
        return None


def class_name(kind: type) -> str:
    """The name of a class, without the function that it was made in."""
    return kind.__qualname__.rpartition("<locals>.")[2]


def shown(kind: Any) -> str:
    """A kind as a user would write it.

    >>> shown(list[int] | None), shown(ANY)
    ('list[int] | None', 'Any')
    """
    if isinstance(kind, type) and not get_args(kind):
        return "None" if kind is types.NoneType else class_name(kind)
    if kind is None or kind is ANY:
        return "None" if kind is None else "Any"
    if kind is Ellipsis:
        return "..."
    origin = get_origin(kind)
    if origin in _UNION:
        return " | ".join(map(shown, get_args(kind)))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]"
    if isinstance(origin, type):
        inside = get_args(kind)
        return f"{class_name(origin)}[{', '.join(map(shown, inside)) or '()'}]"
    return getattr(kind, "__name__", None) or repr(kind).replace("typing.", "")
