"""Whether values are exactly of the declared types: a check, written as Python and compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ominus.trace.kinds import Alien, Many, Row, Tuple, Type, Union


def checker(
    kinds: Iterable[Type], unshadowed: Iterable[tuple[type, str]] = ()
) -> Callable[..., bool]:
    """A function that says whether its arguments are of these types, part by part.

    `unshadowed` are attributes read from a class, which no instance may have of its own.
    """
    hidden: dict[type, list[str]] = {}
    for cls, name in unshadowed:
        hidden.setdefault(cls, []).append(name)
    checks = [_check(kind, hidden) for kind in kinds]
    only = checks[0] if len(checks) == 1 else None

    def fits(*values: Any) -> bool:
        if len(values) != len(checks):
            return False
        try:
            if only is not None:
                return only(values[0])
            return all(check(v) for check, v in zip(checks, values, strict=True))
        except (AttributeError, KeyError):
            return False

    return fits


Check = Callable[[Any], bool]


def _check(kind: Type, hidden: dict[type, list[str]]) -> Check:
    exact: Any = kind if isinstance(kind, type) else getattr(kind, "py", None)
    match kind:
        case type():
            return lambda v: type(v) is exact
        case Tuple(items):
            parts, count = [_check(t, hidden) for t in items], len(items)
            return lambda v: (
                type(v) is exact
                and len(v) == count
                and all(c(x) for c, x in zip(parts, v, strict=True))
            )
        case Many(item):
            each = _check(item, hidden)
            return lambda v: type(v) is exact and all(each(x) for x in v)
        case Row():
            return _row(kind, hidden)
        case Union(inner):
            options = [_check(t, hidden) for t in inner]
            return lambda v: any(o(v) for o in options)
        case Alien():
            return lambda v: True
    raise AssertionError(kind)


def _row(kind: Row, hidden: dict[type, list[str]]) -> Check:
    parts = [(n, _check(t, hidden)) for n, t in kind.fields]
    py: Any = kind.py
    count, own = len(kind.fields), hidden.get(kind.py, [])
    if kind.kind == "dict":
        return lambda v: type(v) is py and len(v) == count and all(c(v[n]) for n, c in parts)
    if kind.kind == "namedtuple":
        return lambda v: (
            type(v) is py
            and len(v) == count
            and all(c(x) for (_, c), x in zip(parts, v, strict=True))
            and not (own and _has(v, own))
        )
    return lambda v: (
        type(v) is py and all(c(getattr(v, n)) for n, c in parts) and not (own and _has(v, own))
    )


def _has(value: Any, names: list[str]) -> bool:
    found = getattr(value, "__dict__", None)
    return found is not None and any(n in found for n in names)
