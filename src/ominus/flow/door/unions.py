"""The way in of a union: the first member that the value is of, else the first that it fits.

Where the value may be `None`, what stands for a missing one (NaN, NaT, NA) becomes `None`.
"""

from __future__ import annotations

from decimal import Decimal
from types import NoneType
from typing import Any

from ominus.algebra.value import ident
from ominus.errors import NotAValue
from ominus.flow.door.check import Check, Source, Test
from ominus.flow.door.foreign import MISSING, python
from ominus.flow.door.refuse import Keep, Refused
from ominus.flow.door.scalars import refusal
from ominus.flow.types import shown


def union(kind: Any, kinds: tuple[Any, ...], checks: list[Check]) -> Check:
    """The check of a union, from the checks of its members."""
    optional = NoneType in kinds
    keeps = [c.keep for k, c in zip(kinds, checks, strict=True) if k is not NoneType]

    def keep(value: Any) -> Any:
        if optional and missing(value):
            return None
        return _first(value, keeps, kind)

    nan = any(check.nan for check in checks)
    test = None if optional and nan else _any_test([check.test for check in checks])
    return Check(keep, test, nan)


def missing(value: Any) -> bool:
    """Whether a value stands for none."""
    if value is None:
        return True
    try:
        own = python(value)
    except Refused:
        return False
    if isinstance(own, float):
        return own != own
    return own is MISSING or (isinstance(own, Decimal) and own.is_nan())


def _first(value: Any, keeps: list[Keep], kind: Any) -> Any:
    fitting: list[Any] = []
    refused: list[Refused] = []
    for keep in keeps:
        try:
            found = keep(value)
        except Refused as no:
            refused.append(no)
            continue
        if found is value or _one(found, value):
            return found
        fitting.append(found)
    if fitting:
        return fitting[0]
    raise _best(refused, value, kind)


def _one(found: Any, value: Any) -> bool:
    try:
        return ident(found) == ident(value)
    except NotAValue:
        return False


def _best(refused: list[Refused], value: Any, kind: Any) -> Refused:
    """The refusal that came furthest into the value; at its top, that of the whole union."""
    deepest = max(refused, key=lambda no: len(no.path))
    if deepest.path:
        return deepest
    if len(refused) > 1 and not any(no.why for no in refused):
        return Refused(value, kind, todo=f"Give one of {shown(kind).replace(' | ', ', ')}.")
    plain = refusal(value, refused[0].declared)
    told = next((no for no in refused if no.why), refused[0])
    return Refused(value, kind, why=told.why, todo=told.todo or plain.todo)


def _any_test(tests: list[Test | None]) -> Test | None:
    known = [test for test in tests if test is not None]
    if not known:
        return None

    def test(value: str, source: Source) -> str:
        local = source.local()
        first = known[0](f"({local} := {value})", source)
        others = [other(local, source) for other in known[1:]]
        return "(" + " or ".join([first, *others]) + ")"

    return test
