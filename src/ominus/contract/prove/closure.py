"""Laws that a combinator has because its parts have them.

`record` works part by part, and what it cannot take back it folds again.
`group` sends each row to one bucket: rows of two buckets do not meet, those of one meet in the
inner reducer; a bucket is dropped with its last row, which is the state that it began with.
`finish` leaves the state as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import Any

from ominus.algebra.recompute import RECOMPUTE
from ominus.algebra.reducer import Reducer
from ominus.algebra.select import selector
from ominus.contract.prove.hooks import Hooks
from ominus.contract.verdict import Proved, Refuted, Unknown
from ominus.contract.witness import refute
from ominus.trace.hints import type_of
from ominus.trace.kinds import Row, Tuple, Type, members, spell
from ominus.trace.symbols.path import Shared
from ominus.trace.trace import Opaque, trace_in

AnyReducer = Reducer[Any, Any, Any]
Verdict = Proved | Refuted | Unknown
Ask = Callable[[AnyReducer, str], Verdict]


def by_parts(reducer: AnyReducer, law: str, kind: Any, ask: Ask) -> Verdict | None:
    """The verdict on a combinator from those on its parts; None for any other reducer."""
    spec = getattr(reducer, "_spec", None)
    if spec is None:
        return None
    name, args, named, _ = spec
    if name == "finish" and law != "same_respected":
        return _finished(reducer, args[0], law, kind, ask)
    if name == "record":
        return _parts(reducer, law, named, ask)
    if name in ("group", "frequencies"):
        by, inner = args if name == "group" else ((*args, None)[0], _counting(reducer))
        why = _unknown_bucket(by, named.get("where"), type_of(kind))
        if why is not None:
            return Unknown(why)
        return _parts(reducer, law, {"each bucket": inner}, ask)
    return None


def _finished(
    reducer: AnyReducer, inner: AnyReducer, law: str, kind: Any, ask: Ask
) -> Verdict | None:
    found = by_parts(inner, law, kind, ask)
    return _replayed(reducer, found) if isinstance(found, Refuted) else found


def _counting(reducer: AnyReducer) -> AnyReducer:
    """What `frequencies` keeps in each bucket."""
    return Reducer(0, lambda a, v: a + 1, lambda a, v: a - 1, merge=lambda a, b: a + b)


def _parts(reducer: AnyReducer, law: str, parts: dict[str, AnyReducer], ask: Ask) -> Verdict:
    hows = []
    for name, part in parts.items():
        found = _of_part(part, law, ask)
        if isinstance(found, Refuted):
            return _replayed(reducer, found)
        if isinstance(found, Unknown):
            return Unknown(f"{name}: {found.why}")
        hows.append(f"{name}: {found.how}")
    return Proved(f"part by part; {'; '.join(hows)}")


def _of_part(part: AnyReducer, law: str, ask: Ask) -> Verdict:
    if law == "same_respected" and part.same is None:
        return Proved("its states are compared as values")
    if law != "add_commutes" and law != "distributive" and part.remover is None:
        part = part.replace(remove=_cannot, inverse=part.inverse)
    return ask(part, law)


def _cannot(state: Any, value: Any) -> Any:
    return RECOMPUTE


def _replayed(reducer: AnyReducer, found: Refuted) -> Verdict:
    """What breaks a part, run on the whole."""
    witness = refute(reducer, found.law, list(found.witness.values), *found.witness.given)
    if witness is None:
        return Unknown(f"a part of it is refuted: {found.witness}")
    return Refuted(found.law, witness)


# ---- buckets


def _unknown_bucket(by: Any, where: Any, kind: Type) -> str | None:
    """Why the bucket of a row is not known to be one value of the total order, if it is not."""
    for name, of in (("by", by), ("where", where)):
        if of is None and name == "where":
            continue
        found = trace_in(Shared(Hooks()), selector(of), kind)
        if isinstance(found, Opaque):
            return f"{name} {found.why} (line {found.line})"
        if name == "by" and not _ordered(found.type):
            return f"buckets of type {spell(found.type)} may share a place in the order"
    return None


_ORDERED = frozenset(
    {int, bool, str, bytes, float, NoneType, date, datetime, timedelta, Decimal, Fraction}
)


def _ordered(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_ordered, kind.items))
    if isinstance(kind, Row):
        return all(_ordered(k) for _, k in kind.fields)
    return all(
        m in _ORDERED or (isinstance(m, type) and issubclass(m, Enum)) or
        (isinstance(m, (Tuple, Row)) and _ordered(m))
        for m in members(kind)
    )  # fmt: skip
